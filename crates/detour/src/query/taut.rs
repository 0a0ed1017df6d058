//! Tightens a path: pulls the string through it, and flips it over inner corners of the mesh.
//!
//! A string bends at corners of walls, and at corners that are not at walls but that the polygons of the path
//! pass on the wrong side. Around an inner corner there is ground on all sides, so the polygons on its other
//! side replace those of the path, and the string becomes shorter:
//!
//! ```text
//!        ___________            ___________
//!       |\    |    /|          |\    |    /|       ○ an inner corner
//!       | \ 2 | 3 / |          | \   |   / |       1, 2, 3, 4: before
//!       |  \  |  /  |          |  \  |  /  |       1, 5, 4: after
//!       | 1 `-○-' 4 |          | 1 `-○-' 4 |
//!       |  -' | `-  |          |  -'   `-  |
//!       |_/__ | __\_|          |_/___5___\_|
//! ```
//!
//! The string is kept, so that [`Query::straight_path`](super::Query::straight_path) does not pull it again.
//! Cost: linear in the portals of the path, for each round of flips; few paths need any.
//! Source: flips as in the shortening of geodesics by N. Sharp, K. Crane, You can find geodesic paths in
//! triangle meshes by just flipping edges (2020), here on the polygons of a corridor.

use super::funnel::{Bend, Funnel};
use super::leg::{Leg, Way, leg_of, way_on};
use super::node_search::{PathNode, trace_portals};
use super::nodes::NodePool;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::geometry::{flat, flat_line_crossing, lerp};
use crate::mesh::{NavMesh, SnapshotId};
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// The string is pulled again at most this often.
const MOST_ROUNDS: usize = 8;
/// At most this many polygons around a corner are walked through.
const MOST_AROUND: usize = 32;

/// The string of the last path that was tightened.
#[derive(Debug, Default)]
pub(super) struct TautString {
    /// The mesh, the ends and the polygons of the question that it answers; no polygons if there is no
    /// string.
    mesh: SnapshotId,
    asked: [Vec3; 2],
    polygons: Vec<PolyRef>,
    /// The ends of the string, moved into the first and the last polygon.
    ends: [Vec3; 2],
    funnel: Funnel,
    /// Polygons around a corner.
    fan: Vec<PolyRef>,
    fan_portals: Vec<[Vec3; 2]>,
    saved: SavedString,
}

/// A string before a round of flips.
#[derive(Debug, Default)]
struct SavedString {
    portals: Vec<[Vec3; 2]>,
    bends: Vec<Bend>,
    polygons: Vec<PolyRef>,
}

impl SavedString {
    fn save(&mut self, funnel: &Funnel, polygons: &Vec<PolyRef>) {
        self.portals.clone_from(&funnel.portals);
        self.bends.clone_from(&funnel.bends);
        self.polygons.clone_from(polygons);
    }

    fn restore(&mut self, funnel: &mut Funnel, polygons: &mut Vec<PolyRef>) {
        std::mem::swap(&mut self.portals, &mut funnel.portals);
        std::mem::swap(&mut self.bends, &mut funnel.bends);
        std::mem::swap(&mut self.polygons, polygons);
    }
}

impl TautString {
    /// The string from a start to a goal through these polygons, with its ends, if it is this one.
    #[inline]
    pub(super) fn find(
        &self,
        mesh: &NavMesh,
        asked: [Vec3; 2],
        polygons: &[PolyRef],
    ) -> Option<([Vec3; 2], &Funnel)> {
        let is_this = self.mesh.is_of(mesh) && self.asked == asked && self.polygons == polygons;
        is_this.then_some((self.ends, &self.funnel))
    }

    /// Writes the polygons from the start of a search to a node, and tightens the string through them from a
    /// start to a goal. Returns the length of the string as seen from above; `None` if it leads over off-mesh
    /// links, as the place where it enters them is not decided here.
    pub(super) fn trace(
        &mut self,
        nodes: &NodePool<PathNode>,
        mesh: &NavMesh,
        filter: &impl CostModel,
        (last, [start, goal]): (u32, [Vec3; 2]),
        polygons: &mut Vec<PolyRef>,
    ) -> Result<Option<f64>, QueryError> {
        // No question has this answer until the string is whole.
        self.polygons.clear();
        self.funnel.clear();
        let is_whole = trace_portals(nodes, mesh, last, polygons, &mut self.funnel.portals);
        let mut at = mesh.locate_node(polygons[0])?.kept_on(start);
        let mut from = 0;
        loop {
            let Leg { last, link, .. } = if is_whole {
                Leg { last: polygons.len() - 1, link: None, is_broken: false }
            } else {
                self.funnel.clear();
                leg_of(mesh, polygons, from, &mut self.funnel.portals)?
            };
            let end = match &link {
                Some(link) => lerp(link.left, link.right, 0.5),
                None => mesh.locate_node(polygons[last])?.kept_on(goal),
            };
            self.ends = [at, end];
            self.funnel.pull(at, end);
            self.flip_corners(mesh, filter, polygons, from)?;
            if link.is_none() {
                break;
            }
            (from, at) = (from + self.funnel.portals.len() + 1, end);
        }
        if from > 0 {
            return Ok(None);
        }
        self.mesh.set(mesh);
        self.asked = [start, goal];
        self.polygons.clone_from(polygons);
        Ok(Some(self.length_from_above()))
    }

    fn length_from_above(&self) -> f64 {
        let [start, end] = self.ends.map(flat);
        let (mut length, mut last) = (0.0, start);
        for point in self.funnel.bends.iter().map(|bend| flat(bend.point)).chain([end]) {
            length += last.distance(point);
            last = point;
        }
        length
    }

    /// The length of the string in space, over the points where it crosses portals.
    fn length_in_space(&self) -> f64 {
        let [start, end] = self.ends;
        let mut bends = self.funnel.bends.iter().copied().peekable();
        let (mut length, mut corner, mut last) = (0.0, flat(start), start.as_dvec3());
        for (number, [left, right]) in (0u32..).zip(&self.funnel.portals) {
            while let Some(bend) = bends.next_if(|bend| bend.portal < number) {
                corner = flat(bend.point);
            }
            let next = bends.peek().map_or(end, |bend| bend.point);
            let (a, b) = (left.as_dvec3(), right.as_dvec3());
            let point = a.lerp(b, flat_line_crossing(flat(*left), flat(*right), corner, flat(next)));
            length += last.distance(point);
            last = point;
        }
        length + last.distance(end.as_dvec3())
    }

    /// Flips the string over inner corners as long as that makes it shorter in space. On hills a straight
    /// line may be longer to walk. The leg begins at index `from`.
    fn flip_corners(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        polygons: &mut Vec<PolyRef>,
        from: usize,
    ) -> Result<(), QueryError> {
        for _ in 0..MOST_ROUNDS {
            let mut flipped = false;
            let mut before = f64::INFINITY;
            // Flips of this round change only portals before this one.
            let mut limit = self.funnel.portals.len();
            for number in (0..self.funnel.bends.len()).rev() {
                let point = self.funnel.bends[number].point;
                let mut last = self.funnel.bends[number].portal as usize;
                let portals = &self.funnel.portals;
                let hinges = |portal: usize| portals.get(portal).is_some_and(|ends| ends.contains(&point));
                let mut first = last;
                while first > 0 && hinges(first - 1) {
                    first -= 1;
                }
                while hinges(last + 1) {
                    last += 1;
                }
                if last >= limit {
                    continue;
                }
                let is_left = portals[first][0] == point;
                let ends = [polygons[from + first], polygons[from + last + 1]];
                // A path that enters a polygon twice is not shorter.
                if self.walk_around(mesh, filter, ends, (point, is_left))?
                    && !self.fan.iter().any(|polygon| polygons.contains(polygon))
                {
                    if !flipped {
                        before = self.length_in_space();
                        self.saved.save(&self.funnel, polygons);
                    }
                    polygons.splice(from + first + 1..=from + last, self.fan.iter().copied());
                    self.funnel.portals.splice(first..=last, self.fan_portals.iter().copied());
                    (limit, flipped) = (first, true);
                }
            }
            if !flipped {
                break;
            }
            self.funnel.bends.clear();
            self.funnel.pull(self.ends[0], self.ends[1]);
            if self.length_in_space() >= before {
                self.saved.restore(&mut self.funnel, polygons);
                break;
            }
        }
        Ok(())
    }

    /// Walks around a corner from one polygon of the path to another, on the side that the path does not
    /// take. `is_left` is true if the path has the corner on its left. Leaves the polygons between both in
    /// `fan`, and the portals between all of them in `fan_portals`. Returns false if there is a wall.
    fn walk_around(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        [from, to]: [PolyRef; 2],
        (corner, is_left): (Vec3, bool),
    ) -> Result<bool, QueryError> {
        self.fan.clear();
        self.fan_portals.clear();
        let mut poly = mesh.locate_node(from)?;
        for _ in 0..MOST_AROUND {
            let turns = poly.portals().iter().find(|portal| {
                let end = if is_left { portal.right } else { portal.left };
                end.x == corner.x && end.z == corner.z
            });
            let Some(next) = turns.and_then(|portal| poly.enterable(mesh, portal.to, filter)) else {
                return Ok(false);
            };
            let Way::Portal(ends) = way_on(&poly, next.reference) else { return Ok(false) };
            self.fan_portals.push(ends);
            if next.reference == to {
                return Ok(true);
            }
            self.fan.push(next.reference);
            poly = next;
        }
        Ok(false)
    }
}
