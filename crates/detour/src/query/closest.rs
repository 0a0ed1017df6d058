//! The point of a polygon that is closest to a position, as seen from above.
//! Cost: linear in the polygon's edges and detail triangles.

use crate::error::{QueryError, check_position};
use crate::geometry::NearestOf;
use crate::mesh::{NavMesh, Poly};
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// A point of a polygon's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// The point, on the detail surface.
    pub point: Vec3,
    /// True if the given position is over or under the polygon, so that the point is straight below or above
    /// it.
    pub over_polygon: bool,
}

impl Poly<'_> {
    #[inline]
    pub(crate) fn closest(&self, p: Vec3) -> ClosestPoint {
        self.closest_where(p, self.is_over(p))
    }

    /// [`Poly::closest`] for callers that know if `p` is over the polygon.
    #[inline(always)]
    pub(crate) fn closest_where(&self, p: Vec3, is_over: bool) -> ClosestPoint {
        if is_over {
            return ClosestPoint { point: Vec3::new(p.x, self.surface_height(p), p.z), over_polygon: true };
        }
        ClosestPoint { point: self.closest_on_outline(p), over_polygon: false }
    }

    /// The closest point of the outline, at the height of the detail surface.
    #[inline]
    pub(crate) fn closest_on_outline(&self, p: Vec3) -> Vec3 {
        let mut nearest = NearestOf::new(p);
        for ([a, b, c], boundary) in self.detail_triangles() {
            for (number, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
                if boundary >> number & 1 != 0 {
                    nearest.take(from, to);
                }
            }
        }
        nearest.point().or_else(|| self.nearest_of(self.outline(), p)).unwrap_or(p)
    }
}

impl NavMesh {
    /// The point of a polygon's surface closest to a position: straight below or above it if it is over the
    /// polygon, otherwise on the outline. Distances are as seen from above.
    pub fn closest_point(&self, polygon: PolyRef, position: Vec3) -> Result<ClosestPoint, QueryError> {
        check_position("closest point", position)?;
        Ok(self.locate(polygon)?.closest(position))
    }

    /// Like [`NavMesh::closest_point`], but returns a position over the polygon unchanged, with its own
    /// height. Cheaper, and enough to keep a moving agent inside its polygon.
    pub fn closest_point_on_boundary(&self, polygon: PolyRef, position: Vec3) -> Result<Vec3, QueryError> {
        check_position("closest point", position)?;
        Ok(self.locate(polygon)?.kept_inside(position))
    }
}

impl Poly<'_> {
    /// The position itself if it is over the polygon, otherwise the closest point of the outline.
    #[inline]
    pub(crate) fn kept_inside(&self, p: Vec3) -> Vec3 {
        if self.is_over(p) { p } else { self.closest_on_outline(p) }
    }
}
