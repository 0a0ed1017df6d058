//! Corners of the ground: points about which polygons end, so that a shortest path can bend there.

use super::nodes::{GroundCorner, PlanePortal, Turn};
use super::plane::{FINE, Plane, Point, is_on, leftness};
use crate::filter::CostModel;
use crate::mesh::{NavMesh, Poly};
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// The largest number of polygons about a point that are turned through. A point with more is treated as a
/// corner.
const MOST_ABOUT_A_POINT: usize = 1024;

impl Plane {
    /// Calls `visit` for every portal of a polygon whose ends, left and right, are `wanted`, and that leads
    /// to a polygon that the filter lets pass. Portals without length are left out.
    #[inline]
    pub(super) fn portals(
        &self,
        mesh: &NavMesh,
        poly: &Poly<'_>,
        filter: &impl CostModel,
        wanted: impl Fn(Point, Point) -> bool,
        mut visit: impl FnMut(PlanePortal),
    ) {
        for portal in poly.portals() {
            let (left, right) = (self.corner(portal.left), self.corner(portal.right));
            if left != right && wanted(left, right) && poly.enterable(mesh, portal.to, filter).is_some() {
                visit(PlanePortal::new(portal, left, right));
            }
        }
    }

    /// The corner at an end of a portal from one polygon to the next, for a path that turns around that end:
    /// `None` if there is ground all around it. The inner option is `None` if floors above one another share
    /// a portal, so that the corner is not distinguished from others.
    pub(in crate::query) fn ground_ends(
        &self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        [before, after]: [PolyRef; 2],
        turn: Turn,
        end: Point,
    ) -> Option<Option<GroundCorner>> {
        // Leftwards about it: away from the portal into the next polygon, or back over it.
        let (mut at, until) = match turn {
            Turn::Left => (after, before),
            Turn::Right => (before, after),
        };
        for _ in 0..MOST_ABOUT_A_POINT {
            let Ok(poly) = mesh.locate(at) else { return Some(None) };
            let (mut next, mut several) = (None, false);
            let about = |left, right| right != end && is_on(end, left, right);
            self.portals(mesh, &poly, filter, about, |portal| {
                several |= next.is_some() || portal.left != end;
                next = Some(portal.to);
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

    /// Returns true if a point is in a polygon or on its outline.
    fn is_in(&self, poly: &Poly<'_>, p: Point) -> bool {
        poly.outline().all(|(a, b)| leftness(self.corner(a), self.corner(b), p) >= 0)
    }

    /// A point of a polygon in the plane, in the polygon or on its outline in exact arithmetic: the corner
    /// that it rounds to, or otherwise the point itself. A point outside is moved towards the middle of the
    /// polygon, by at most 1/128 cell if only rounding put it there.
    pub(super) fn point_in(&self, poly: &Poly<'_>, p: Vec3) -> Point {
        let near = self.corner(p);
        if poly.outline().any(|(corner, _)| self.corner(corner) == near) {
            return near;
        }
        let exact = self.point(p);
        if self.is_in(poly, exact) {
            return exact;
        }
        let (mut sum, mut count) = ([0i64; 2], 0i64);
        for (corner, _) in poly.outline() {
            let corner = self.corner(corner);
            (sum, count) = ([sum[0] + corner[0], sum[1] + corner[1]], count + 1);
        }
        let middle = sum.map(|v| v / count.max(1));
        let inwards = [middle[0] - exact[0], middle[1] - exact[1]];
        let longest = inwards[0].abs().max(inwards[1].abs()).max(1);
        let mut by = 1i64;
        while by < 2 * FINE {
            let moved = [0, 1].map(|i| {
                let part = i128::from(inwards[i]) * i128::from(by.min(longest)) / i128::from(longest);
                exact[i] + part as i64
            });
            if self.is_in(poly, moved) {
                return moved;
            }
            by *= 2;
        }
        // For a sliver: its nearest corner.
        let corners = poly.outline().map(|(corner, _)| corner);
        let nearest = corners.min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p)));
        nearest.map_or(exact, |corner| self.corner(corner))
    }
}
