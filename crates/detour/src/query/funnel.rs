//! String pulling through a row of portals, seen from above.
//!
//! The funnel is a double-ended row of points: its left chain, the apex, its right chain, each chain bending
//! outwards. A new point removes points from its end of the row. If it passes the apex, the string bends
//! around the other chain. Every point enters and leaves once, so the whole pull is O(n): nothing is scanned
//! again after a corner. A bend that only exists because positions are rounded is left out (`straighten.rs`).
//! Source: D. T. Lee, F. P. Preparata, Euclidean shortest paths in the presence of rectilinear barriers
//! (1984), and B. Chazelle (1982); the framing by portals after M. Mononen, Simple Stupid Funnel Algorithm
//! (2010), whose restarts this replaces.

use super::straighten::{Straightener, rounding};
use crate::geometry::{flat, flat_side, nearest_on_segment, side};
use glam::{DVec2, Vec3};

/// A turn is sharp if its sine is at least this. A sharp turn stays, regardless of later points.
const SHARP: f64 = 1.0 / 16.0;
/// If a sharp bend is farther than this many times the rounding from both adjacent points, it does not come
/// from rounding.
const APART: f64 = 2.0 / SHARP;

/// A corner of the string, and its portal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bend {
    pub(crate) point: Vec3,
    /// The last portal at that point.
    pub(crate) portal: u32,
}

impl Bend {
    /// The last portal that hinges on the same point: the turn passes all such portals. `portal_at` looks up
    /// a portal by its number; `None` after the last.
    #[inline]
    pub(crate) fn last_hinge<E>(
        &self,
        mut portal_at: impl FnMut(usize) -> Result<Option<[Vec3; 2]>, E>,
    ) -> Result<usize, E> {
        let mut portal = self.portal as usize;
        while portal_at(portal + 1)?.is_some_and(|next| next.contains(&self.point)) {
            portal += 1;
        }
        Ok(portal)
    }
}

/// Returns true if the point of a portal that is nearest to `p` is neither of its ends.
fn is_between(left: Vec3, right: Vec3, p: Vec3) -> bool {
    let (t, _) = nearest_on_segment(left, right, p);
    t > 0.0 && t < 1.0
}

/// A point of the funnel, and its position as seen from above.
#[derive(Clone, Copy, Debug, Default)]
struct FunnelPoint {
    bend: Bend,
    at: DVec2,
}

impl FunnelPoint {
    #[inline]
    fn new(point: Vec3, portal: u32) -> FunnelPoint {
        FunnelPoint { bend: Bend { point, portal }, at: flat(point) }
    }
}

/// Scratch memory for string pulling.
#[derive(Debug, Default)]
pub(crate) struct Funnel {
    /// Left and right end of each portal, as seen along the path.
    pub(crate) portals: Vec<[Vec3; 2]>,
    /// The bends of the string, in order.
    pub(crate) bends: Vec<Bend>,
    straightener: Straightener<Bend>,
    goal: DVec2,
    points: Vec<FunnelPoint>,
    /// End of the left chain, in `points`.
    low: usize,
    apex: usize,
    /// End of the right chain.
    high: usize,
}

impl Funnel {
    pub(crate) fn clear(&mut self) {
        self.portals.clear();
        self.bends.clear();
    }

    /// Pulls the string from `start` through all portals to `goal`, and leaves its corners in `bends`,
    /// without start and goal.
    pub(crate) fn pull(&mut self, start: Vec3, goal: Vec3) {
        let count = self.portals.len();
        self.begin(start, goal, count);
        let mut first = 0;
        while first < count && self.stands_in(first, start, 1.0) {
            first += 1;
        }
        let mut last = count;
        while last > first && self.stands_in(last - 1, goal, -1.0) {
            last -= 1;
        }
        for portal in first..last {
            self.pass(portal);
        }
        self.finish(goal, count);
    }

    /// Begins a string that is to pass up to `count` portals before `goal`.
    pub(crate) fn begin(&mut self, start: Vec3, goal: Vec3, count: usize) {
        // Room for every portal's points on either side of the apex, and for the goal.
        if self.points.len() < 2 * count + 3 {
            self.points.resize(2 * count + 3, FunnelPoint::default());
        }
        self.apex = count + 1;
        (self.low, self.high) = (self.apex, self.apex);
        self.points[self.apex] = FunnelPoint::new(start, 0);
        self.goal = flat(goal);
        self.straightener = Straightener::new(flat(start));
    }

    /// Pulls the string through the next portal. Bends that are in `bends` afterwards are final.
    #[inline]
    pub(crate) fn pass(&mut self, portal: usize) {
        let [left, right] = self.portals[portal];
        let portal = portal as u32;
        self.add_left(FunnelPoint::new(left, portal));
        self.add_right(FunnelPoint::new(right, portal));
    }

    /// Pulls the string to the goal, after all `count` portals.
    pub(crate) fn finish(&mut self, goal: Vec3, count: usize) {
        self.add_right(FunnelPoint::new(goal, count as u32));
        for point in self.apex + 1..self.high {
            self.bend(self.points[point]);
        }
        let from = self.straightener.from();
        self.bends.extend(self.straightener.end(self.goal, rounding([from, self.goal])));
    }

    /// Takes a point where the string bends.
    fn bend(&mut self, point: FunnelPoint) {
        let slack = rounding([self.straightener.from(), point.at]);
        self.bends.extend(self.straightener.take(point.at, point.bend, slack));
    }

    /// Turns the string at the point after the apex. It turns at least as far as to the next point of that
    /// chain, or to the new point of the other chain. If both are far enough aside, it bends there regardless
    /// of the next bend.
    fn turn(&mut self, at: FunnelPoint, towards: [FunnelPoint; 2]) {
        let way = at.at - self.points[self.apex].at;
        self.bend(at);
        let is_sharp = |towards: &FunnelPoint| {
            let ahead = towards.at - at.at;
            way.perp_dot(ahead).abs() > SHARP * way.length() * ahead.length()
        };
        let apart = APART * rounding([at.at, self.goal]);
        if towards.iter().all(is_sharp) && way.length() > apart && at.at.distance(self.goal) > apart {
            self.bends.extend(self.straightener.settle());
        }
    }

    /// Returns true if the start is in a portal already, or by rounding just beyond it (`sense` 1); or if the
    /// goal is in a portal, or just before it (-1). Such a portal does not constrain the string, and would
    /// turn the funnel inside out.
    pub(crate) fn stands_in(&self, portal: usize, p: Vec3, sense: f64) -> bool {
        let [left, right] = self.portals[portal];
        // Tests the side first, as it usually decides.
        side(left, right, p) * sense <= 0.0 && is_between(left, right, p)
    }

    #[inline]
    fn add_right(&mut self, new: FunnelPoint) {
        let points = self.points.as_mut_slice();
        // Consecutive portals often share an end.
        if self.high > self.apex && points[self.high].bend.point == new.bend.point {
            points[self.high].bend.portal = new.bend.portal;
            return;
        }
        while self.high > self.apex {
            let (before, last) = (points[self.high - 1].at, points[self.high].at);
            if flat_side(before, last, new.at) > 0.0 {
                break;
            }
            self.high -= 1;
        }
        if self.high == self.apex {
            self.cross_left(new);
        }
        self.high += 1;
        self.points[self.high] = new;
    }

    #[inline]
    fn add_left(&mut self, new: FunnelPoint) {
        let points = self.points.as_mut_slice();
        if self.low < self.apex && points[self.low].bend.point == new.bend.point {
            points[self.low].bend.portal = new.bend.portal;
            return;
        }
        while self.low < self.apex {
            let (before, last) = (points[self.low + 1].at, points[self.low].at);
            if flat_side(before, last, new.at) < 0.0 {
                break;
            }
            self.low += 1;
        }
        if self.low == self.apex {
            self.cross_right(new);
        }
        self.low -= 1;
        self.points[self.low] = new;
    }

    /// Turns the string around the points of the left chain that a new right point has passed.
    fn cross_left(&mut self, new: FunnelPoint) {
        while self.apex > self.low {
            let next = self.points[self.apex - 1];
            if flat_side(self.points[self.apex].at, next.at, new.at) >= 0.0 {
                break;
            }
            let after = if self.apex - 1 > self.low { self.points[self.apex - 2] } else { new };
            self.turn(next, [after, new]);
            self.apex -= 1;
        }
        self.high = self.apex;
    }

    /// Turns the string around the points of the right chain that a new left point has passed.
    fn cross_right(&mut self, new: FunnelPoint) {
        while self.apex < self.high {
            let next = self.points[self.apex + 1];
            if flat_side(self.points[self.apex].at, next.at, new.at) <= 0.0 {
                break;
            }
            let after = if self.apex + 1 < self.high { self.points[self.apex + 2] } else { new };
            self.turn(next, [after, new]);
            self.apex += 1;
        }
        self.low = self.apex;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32, z: f32) -> Vec3 {
        Vec3::new(x, 0.0, z)
    }

    /// Walking towards larger z, larger x is to the left.
    fn pulled(portals: &[[Vec3; 2]], start: Vec3, goal: Vec3) -> Vec<Vec3> {
        let mut funnel = Funnel::default();
        funnel.portals.extend_from_slice(portals);
        funnel.pull(start, goal);
        funnel.bends.iter().map(|bend| bend.point).collect()
    }

    #[test]
    fn a_clear_view_has_no_bends() {
        let portals = [[at(1.0, 1.0), at(-1.0, 1.0)], [at(2.0, 2.0), at(0.0, 2.0)]];
        assert!(pulled(&portals, at(0.0, 0.0), at(0.5, 3.0)).is_empty());
        assert!(pulled(&[], at(0.0, 0.0), at(0.5, 3.0)).is_empty());
    }

    #[test]
    fn the_string_bends_around_both_sides() {
        let portals = [
            [at(6.0, 1.0), at(5.0, 1.0)],
            [at(6.0, 2.0), at(5.0, 2.0)],
            [at(1.0, 3.0), at(0.0, 3.0)],
            [at(1.0, 4.0), at(0.0, 4.0)],
        ];
        let bends = pulled(&portals, at(0.0, 0.0), at(9.0, 5.0));
        assert_eq!(bends, [at(5.0, 1.0), at(5.0, 2.0), at(1.0, 3.0), at(1.0, 4.0)]);
    }

    #[test]
    fn a_start_in_the_portal_is_not_held_back() {
        let portal = [at(1.0, 0.0), at(-1.0, 0.0)];
        for z in [0.0, 1e-6] {
            assert!(pulled(&[portal], at(0.0, z), at(5.0, 3.0)).is_empty());
            assert!(pulled(&[portal], at(0.0, z), at(-5.0, 3.0)).is_empty());
        }
    }

    #[test]
    fn a_goal_in_the_portal_is_not_walked_around() {
        let portals = [[at(1.0, 0.0), at(-1.0, 0.0)], [at(1.0, 1.0), at(-1.0, 1.0)]];
        for z in [1.0, 1.0 - 1e-6] {
            assert!(pulled(&portals, at(0.5, -1.0), at(-0.5, z)).is_empty());
            assert!(pulled(&portals, at(-0.5, -1.0), at(0.5, z)).is_empty());
        }
    }

    #[test]
    fn shared_and_doubled_points_do_no_harm() {
        let pivot = at(0.0, 0.0);
        let portals = [
            [at(3.0, 0.0), pivot],
            [at(2.0, 2.0), pivot],
            [at(0.0, 3.0), pivot],
            [at(-2.0, 2.0), pivot],
            [at(-3.0, 0.0), pivot],
        ];
        assert_eq!(pulled(&portals, at(1.0, -1.0), at(-1.0, -1.0)), [pivot]);
        assert!(pulled(&portals, pivot, at(-1.0, -1.0)).len() <= 1);
        let closed = [[pivot, pivot], [pivot, pivot]];
        let bends = pulled(&closed, at(1.0, -1.0), at(1.0, 1.0));
        assert!(bends.iter().all(|bend| *bend == pivot) && !bends.is_empty());
    }
}
