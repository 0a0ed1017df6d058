//! Judging a path by its length over the ground.
//!
//! The funnel search compares lengths as seen from above, which are exact and cheap. On hills the least of these may lead
//! over a top where the path around it is shorter to walk. So the string of the path that it found is measured over the
//! detail surface. No path can be shorter than the line in space that covers its length from above and the climb from
//! start to goal; where that leaves no room for a shorter path worth having, as on level ground, the path stands.
//! Otherwise the search by edge midpoints, whose costs are distances in space, finds a second path, and the better of
//! the two is the answer. So it is never longer over the ground than the path of that search, which is Detour's.
//!
//! Cost: a string and the detail triangles of its polygons; on hills a second search, within the query's nodes.
//! Source: our own.

use super::Query;
use super::find_path::{Search, SearchState};
use super::straight_path::{CornerKind, Crossings, StraightPath};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::geometry::{flat, side};
use crate::mesh::{NavMesh, Poly};
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// A path that may be longer by this factor than one that was not looked for stands.
const WORTH_A_SEARCH: f64 = 1.009;

/// Memory for measuring a path.
#[derive(Debug, Default)]
pub(super) struct JudgeScratch {
    polygons: Vec<PolyRef>,
    straight: StraightPath,
}

/// The lengths of a path, metres. The ends of off-mesh links count their distance in space in each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PathLengths {
    /// As seen from above.
    pub(super) from_above: f64,
    /// Between the corners of its string, in space.
    corners: f64,
    /// Over the detail surface.
    over_ground: f64,
}

impl PathLengths {
    /// Whether another path between the same places may be so much shorter that it is worth a search, if none is shorter
    /// as seen from above and the goal is `climb` metres higher or lower.
    fn leaves_room(&self, climb: f64) -> bool {
        self.over_ground > self.from_above.hypot(climb) * WORTH_A_SEARCH
    }

    /// Whether a second path is to be preferred: if it is shorter over the ground, or if this one is much longer
    /// between its corners, which is what a walker without a detail mesh sees.
    fn is_worse_than(&self, second: &PathLengths) -> bool {
        second.over_ground < self.over_ground || self.corners > second.corners * WORTH_A_SEARCH
    }
}

impl Poly<'_> {
    /// The length over the surface between two points over the polygon.
    fn length_over(&self, from: Vec3, to: Vec3) -> f64 {
        let along = flat(to) - flat(from);
        let whole = along.length();
        // The share of the line that lies over triangles, and the length there. A line along an edge lies over two.
        let (mut covered, mut length) = (0.0, 0.0);
        for (corners, _) in self.detail_triangles() {
            let Some([start, end]) = part_over(corners, from, to) else { continue };
            let [a, b, c] = corners.map(|corner| corner.as_dvec3());
            let normal = (b - a).cross(c - a);
            let climb = (normal.x * along.x + normal.z * along.y) / normal.y;
            if climb.is_finite() {
                covered += end - start;
                length += whole.hypot(climb) * (end - start);
            }
        }
        if covered > 0.0 { length / covered } else { whole }
    }
}

/// The part of a line that lies over a triangle, from above, as parameters between 0 and 1.
/// Source: M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping (1978).
fn part_over([a, b, c]: [Vec3; 3], from: Vec3, to: Vec3) -> Option<[f64; 2]> {
    let sign = side(a, b, c);
    let (mut start, mut end) = (0.0f64, 1.0f64);
    for (u, v) in [(a, b), (b, c), (c, a)] {
        let (of_from, of_to) = (side(u, v, from) * sign, side(u, v, to) * sign);
        match (of_from < 0.0, of_to < 0.0) {
            (true, true) => return None,
            (true, false) => start = start.max(of_from / (of_from - of_to)),
            (false, true) => end = end.min(of_from / (of_from - of_to)),
            (false, false) => {}
        }
    }
    (start < end).then_some([start, end])
}

impl Query {
    /// The lengths of the string through a path.
    fn lengths(&mut self, mesh: &NavMesh, state: &SearchState, last: u32) -> Result<PathLengths, QueryError> {
        let mut scratch = std::mem::take(&mut self.judge);
        let JudgeScratch { polygons, straight } = &mut scratch;
        self.trace_search(state, last, polygons);
        let (start, goal) = (state.start.point, state.goal.point);
        let pulled = self.straight_path(mesh, start, goal, polygons, Crossings::All, straight);
        let lengths = pulled.and_then(|()| measure(mesh, straight));
        self.judge = scratch;
        lengths
    }
}

fn measure(mesh: &NavMesh, straight: &StraightPath) -> Result<PathLengths, QueryError> {
    let mut lengths = PathLengths::default();
    let mut corner = straight.corners.first().map(|first| first.point);
    for pair in straight.corners.windows(2) {
        let [from, to] = [pair[0].point, pair[1].point];
        if pair[0].kind == CornerKind::LinkStart {
            lengths.from_above += f64::from(from.distance(to));
            lengths.over_ground += f64::from(from.distance(to));
        } else {
            lengths.from_above += flat(from).distance(flat(to));
            let poly = mesh.locate_node(pair[0].polygon)?;
            lengths.over_ground +=
                if poly.is_off_mesh() { f64::from(from.distance(to)) } else { poly.length_over(from, to) };
        }
        if pair[1].kind != CornerKind::Crossing {
            lengths.corners += corner.map_or(0.0, |corner| f64::from(corner.distance(to)));
            corner = Some(to);
        }
    }
    Ok(lengths)
}

impl<C: CostModel> Search<'_, C> {
    /// Judges the path that the funnel search found; whether a second search is worth while.
    pub(super) fn is_worth_a_second(&mut self) -> Result<bool, QueryError> {
        let Some(label) = self.state.reached else { return Ok(false) };
        let lengths = self.query.lengths(self.mesh, &self.state, label)?;
        self.state.lengths = lengths;
        Ok(lengths.leaves_room(f64::from(self.state.goal.point.y - self.state.start.point.y)))
    }

    /// Chooses between the path of the funnel search and that of the second one.
    pub(super) fn choose(&mut self, second: u32) -> Result<(), QueryError> {
        let mut by_nodes = self.state;
        (by_nodes.answers_by_nodes, by_nodes.reached) = (true, Some(second));
        by_nodes.lengths = self.query.lengths(self.mesh, &by_nodes, second)?;
        if self.state.lengths.is_worse_than(&by_nodes.lengths) {
            self.state = by_nodes;
        }
        Ok(())
    }
}
