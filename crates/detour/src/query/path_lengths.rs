//! The lengths of a path: as seen from above, between the corners of its string, and over the ground.
//! Cost: the detail triangles of the polygons of the path.
//! Source: our own.

use super::straight_path::{CornerKind, StraightPath};
use crate::error::QueryError;
use crate::geometry::flat;
use crate::mesh::{NavMesh, Poly};
use glam::{DVec2, DVec3};

/// A path is accepted without a second search if that could not shorten it by more than this factor.
pub(super) const WORTH_A_SEARCH: f64 = 1.009;

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
    /// Returns true if a second path is better: if it is shorter over the ground, or if this path is much
    /// longer between its corners, which is the length that a walker without a detail mesh sees.
    pub(super) fn is_worse_than(&self, second: &PathLengths) -> bool {
        second.over_ground < self.over_ground || self.corners > second.corners * WORTH_A_SEARCH
    }
}

impl Poly<'_> {
    /// The length over the surface between two points over the polygon.
    pub(super) fn length_over(&self, [from, to]: [DVec2; 2]) -> f64 {
        let along = to - from;
        let whole = along.length();
        // The share of the line that is over triangles, and the length there. A line along an edge is over
        // two triangles.
        let (mut covered, mut length) = (0.0, 0.0);
        for ([start, end], [a, b, c]) in self.triangles_under([from, to], 0.0) {
            let normal = (b - a).cross(c - a);
            let climb = (normal.x * along.x + normal.z * along.y) / normal.y;
            if climb.is_finite() {
                covered += end - start;
                length += DVec2::new(whole, climb).length() * (end - start);
            }
        }
        if covered > 0.0 { length / covered } else { whole }
    }

    /// The detail triangles under a line, each with the part of the line over it, as two shares of the line.
    /// A corner at most `slack` off the line counts as on it.
    #[inline]
    pub(super) fn triangles_under(
        &self,
        [from, to]: [DVec2; 2],
        slack: f64,
    ) -> impl Iterator<Item = ([f64; 2], [DVec3; 3])> + '_ {
        let along = to - from;
        let squared = along.length_squared();
        let slack = slack * squared.sqrt();
        self.detail_triangles().filter_map(move |(corners, _)| {
            // Most triangles are on one side of the line.
            let ways = corners.map(|corner| flat(corner) - from);
            let sides = ways.map(|way| along.perp_dot(way));
            let sides = sides.map(|side| if side.abs() <= slack { 0.0 } else { side });
            if sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0) {
                return None;
            }
            let part = part_over(sides, ways.map(|way| along.dot(way)), squared)?;
            Some((part, corners.map(|corner| corner.as_dvec3())))
        })
    }
}

/// The part of a line that is over a triangle, from above, as parameters between 0 and 1: the points where
/// edges cross the line. `sides` and `places` are the distances of each corner off the line and along it, and
/// `whole` is the distance of the end along it, in the same unit.
fn part_over(sides: [f64; 3], places: [f64; 3], whole: f64) -> Option<[f64; 2]> {
    let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    for (u, v) in [(0, 1), (1, 2), (2, 0)] {
        let (from, to) = (sides[u], sides[v]);
        // On different sides, or one of them on the line.
        if (from < 0.0) != (to < 0.0) || (from > 0.0) != (to > 0.0) {
            let place = places[u] + (places[v] - places[u]) * (from / (from - to));
            first = if place < first { place } else { first };
            last = if place > last { place } else { last };
        }
    }
    let start = if first > 0.0 { first / whole } else { 0.0 };
    let end = if last < whole { last / whole } else { 1.0 };
    (start < end).then_some([start, end])
}

/// The lengths of a string whose corners are all crossings.
pub(super) fn measure(mesh: &NavMesh, straight: &StraightPath) -> Result<PathLengths, QueryError> {
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
            lengths.over_ground += if poly.is_off_mesh() {
                f64::from(from.distance(to))
            } else {
                poly.length_over([flat(from), flat(to)])
            };
        }
        if pair[1].kind != CornerKind::Crossing {
            lengths.corners += corner.map_or(0.0, |corner| f64::from(corner.distance(to)));
            corner = Some(to);
        }
    }
    Ok(lengths)
}
