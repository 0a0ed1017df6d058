//! The height of a polygon's surface at a point seen from above.
//! Cost: linear in the polygon's detail triangles.

use crate::error::{QueryError, check_position};
use crate::geometry::{NearestOf, triangle_height};
use crate::mesh::{NavMesh, Poly};
use crate::poly_ref::PolyRef;
use glam::Vec3;

impl Poly<'_> {
    /// The corners of the polygon's detail triangles, and a bit for each of their edges that is on its
    /// outline.
    #[inline]
    pub(crate) fn detail_triangles(&self) -> impl Iterator<Item = ([Vec3; 3], u32)> + '_ {
        self.tile.surface.triangles(self.index())
    }

    /// Returns true if `p`, seen from above, is in the polygon or on its outline.
    #[inline]
    pub(crate) fn is_over(&self, p: Vec3) -> bool {
        self.tile.surface.is_over(self.index(), p)
    }

    /// Like [`Poly::is_over`], but `None` if the line of an edge separates the polygon, as seen from above,
    /// from the box of these half extents around `p`, or from all points within a distance, given squared.
    #[inline]
    pub(crate) fn is_over_or_near(&self, p: Vec3, half: Vec3, distance_squared: f64) -> Option<bool> {
        self.tile.surface.is_over_or_near(self.index(), p, half, distance_squared)
    }

    /// The height of the surface at a point over the polygon: the height of the detail triangle there. If
    /// rounding leaves a crack between triangles, it is the height of the nearest edge of a triangle.
    #[inline]
    pub(crate) fn surface_height(&self, p: Vec3) -> f32 {
        if let Some(height) = self.tile.surface.level_height(self.index()) {
            return height;
        }
        if let Some(height) = self.detail_triangles().find_map(|([a, b, c], _)| triangle_height(a, b, c, p)) {
            return height;
        }
        let edges = self.detail_triangles().flat_map(|([a, b, c], _)| [(a, b), (b, c), (c, a)]);
        self.nearest_of(edges, p).map_or(p.y, |point| point.y)
    }

    /// A point over the polygon, on its surface; unchanged on an off-mesh link.
    #[inline]
    pub(super) fn on_surface(&self, p: Vec3) -> Vec3 {
        if self.is_off_mesh() { p } else { p.with_y(self.surface_height(p)) }
    }

    /// The polygon's edges.
    #[inline]
    pub(crate) fn outline(&self) -> impl Iterator<Item = (Vec3, Vec3)> + '_ {
        self.tile.surface.edges(self.index()).map(|(_, a, b)| (a, b))
    }

    /// The point of some segments that is nearest to `p` from above. The first segment wins a tie.
    #[inline]
    pub(crate) fn nearest_of(&self, segments: impl Iterator<Item = (Vec3, Vec3)>, p: Vec3) -> Option<Vec3> {
        let mut nearest = NearestOf::new(p);
        for (a, b) in segments {
            nearest.take(a, b);
        }
        nearest.point()
    }
}

impl NavMesh {
    /// The height of a polygon's surface at the x and z of `position`, metres; `None` if that is outside the
    /// polygon. The position's own height does not matter.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("slopes")?)?;
    /// let polygon = mesh.polygons().next().ok_or("no polygons")?;
    /// let corner = mesh.corners(polygon)?.next().ok_or("no corners")?;
    /// assert!(mesh.height(polygon, corner)?.is_some());
    /// assert_eq!(mesh.height(polygon, corner + detour::Vec3::X * 1000.0)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn height(&self, polygon: PolyRef, position: Vec3) -> Result<Option<f32>, QueryError> {
        check_position("height", position)?;
        let poly = self.locate(polygon)?;
        Ok(poly.is_over(position).then(|| poly.surface_height(position)))
    }
}
