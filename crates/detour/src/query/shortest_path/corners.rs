//! Corners of the ground: where polygons end about a point, so that a shortest path can bend there.

use super::nodes::{Corner, Opening, Turn};
use super::plane::{FINE, Plane, Point, is_on, leftness};
use crate::filter::CostModel;
use crate::mesh::{Located, NavMesh};
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::ops::ControlFlow;

/// Most polygons that are turned through about one point; a point with more is taken for a corner.
const MOST_ABOUT_A_POINT: usize = 1024;

impl Plane {
    /// Calls `visit` for every opening of a polygon that is wanted by its ends, left and right, and leads to
    /// a polygon that the filter lets pass. Those without length are left out.
    #[inline]
    pub(super) fn openings(
        &self,
        mesh: &NavMesh,
        located: &Located<'_>,
        filter: &impl CostModel,
        wanted: impl Fn(Point, Point) -> bool,
        mut visit: impl FnMut(Opening),
    ) {
        let flow = located.each_link(|link| {
            let (left, right) = (self.corner(link.left), self.corner(link.right));
            if left != right && wanted(left, right) && located.enterable(mesh, link.to, filter).is_some() {
                visit(Opening { link, left, right });
            }
            ControlFlow::Continue(())
        });
        debug_assert!(flow.is_continue());
    }

    /// The corner at an end of an opening from one polygon to the next, as a path meets it that turns round
    /// that end: `None` if the ground goes on all round it. The corner itself is not told apart from others
    /// where floors above one another share an opening.
    pub(super) fn ground_ends(
        &self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        [before, after]: [PolyRef; 2],
        turn: Turn,
        end: Point,
    ) -> Option<Option<Corner>> {
        // To the left about it: away from the opening into the next polygon, or back over it.
        let (mut at, until) = match turn {
            Turn::Left => (after, before),
            Turn::Right => (before, after),
        };
        for _ in 0..MOST_ABOUT_A_POINT {
            let Ok(located) = mesh.locate(at) else { return Some(None) };
            let (mut next, mut several) = (None, false);
            let about = |left, right| right != end && is_on(end, left, right);
            self.openings(mesh, &located, filter, about, |opening| {
                several |= next.is_some() || opening.left != end;
                next = Some(opening.link.to);
            });
            match next {
                _ if several => return Some(None),
                None => return Some(Some((at, end))),
                Some(next) if next == until => return None,
                Some(next) => at = next,
            }
        }
        Some(None)
    }

    /// Whether a point lies in a polygon or on its outline.
    fn is_in(&self, located: &Located<'_>, p: Point) -> bool {
        located.outline().all(|(a, b)| leftness(self.corner(a), self.corner(b), p) >= 0)
    }

    /// A point of a polygon in the plane, in the polygon or on its outline in exact arithmetic. It is the
    /// corner that it rounds to, or else itself, moved towards the middle of the polygon if it lies outside:
    /// by no more than 1/128 cell, if rounding alone put it there.
    pub(super) fn point_in(&self, located: &Located<'_>, p: Vec3) -> Point {
        let near = self.corner(p);
        if located.outline().any(|(corner, _)| self.corner(corner) == near) {
            return near;
        }
        let exact = self.point(p);
        if self.is_in(located, exact) {
            return exact;
        }
        let (mut sum, mut count) = ([0i64; 2], 0i64);
        for (corner, _) in located.outline() {
            let corner = self.corner(corner);
            (sum, count) = ([sum[0] + corner[0], sum[1] + corner[1]], count + 1);
        }
        let middle = sum.map(|v| v / count.max(1));
        let way = [middle[0] - exact[0], middle[1] - exact[1]];
        let longest = way[0].abs().max(way[1].abs()).max(1);
        let mut by = 1i64;
        while by < 2 * FINE {
            let moved = [0, 1].map(|i| {
                let part = i128::from(way[i]) * i128::from(by.min(longest)) / i128::from(longest);
                exact[i] + part as i64
            });
            if self.is_in(located, moved) {
                return moved;
            }
            by *= 2;
        }
        // A sliver: its nearest corner.
        let corners = located.outline().map(|(corner, _)| corner);
        let nearest = corners.min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p)));
        nearest.map_or(exact, |corner| self.corner(corner))
    }
}
