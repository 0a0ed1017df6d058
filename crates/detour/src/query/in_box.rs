//! All polygons that reach into a box.
//! Cost: a box search of the BV trees, then the outline of every polygon met.
//! Semantics: those of M. Mononen's Detour (`queryPolygons`), but the polygons themselves, not their
//! quantised bounds, are compared with the box, so that the answer depends neither on the tiling nor on a
//! polygon's slant.

use super::Query;
use super::box_search::polygons_in_box;
use crate::error::{QueryError, check_half_extents, check_position};
use crate::filter::CostModel;
use crate::mesh::{NavMesh, Poly};
use crate::poly_ref::PolyRef;
use glam::{DVec2, Vec3};

impl Query {
    /// Calls `visit` for every polygon that passes the filter and overlaps or touches the box around
    /// `centre`: its outline meets the box as seen from above, and the heights of its surface meet the box's.
    /// The order is unspecified. Half extents in metres, positive on every axis.
    pub fn polygons_in_box(
        &mut self,
        mesh: &NavMesh,
        centre: Vec3,
        half_extents: Vec3,
        filter: &impl CostModel,
        mut visit: impl FnMut(PolyRef),
    ) -> Result<(), QueryError> {
        check_position("centre", centre)?;
        check_half_extents(half_extents)?;
        let (min, max) = (centre - half_extents, centre + half_extents);
        polygons_in_box(mesh, &mut self.stack, min, max, |poly| {
            if filter.passes(&poly.attributes()) && poly.meets_box(min, max) {
                visit(poly.reference);
            }
        });
        Ok(())
    }
}

impl Poly<'_> {
    fn meets_box(&self, min: Vec3, max: Vec3) -> bool {
        let mut low = Vec3::INFINITY;
        let mut high = Vec3::NEG_INFINITY;
        for (corners, _) in self.detail_triangles() {
            for corner in corners {
                (low, high) = (low.min(corner), high.max(corner));
            }
        }
        if low.cmpgt(max).any() || high.cmplt(min).any() {
            return false;
        }
        // Tests that no edge has the whole box on its outer side.
        let (middle, half) =
            ((min.as_dvec3() + max.as_dvec3()) / 2.0, (max.as_dvec3() - min.as_dvec3()) / 2.0);
        self.outline().all(|(a, b)| {
            let (a, b) = (a.as_dvec3(), b.as_dvec3());
            let outwards = DVec2::new(a.z - b.z, b.x - a.x);
            let away = outwards.dot(DVec2::new(middle.x - a.x, middle.z - a.z));
            away <= outwards.abs().dot(DVec2::new(half.x, half.z))
        })
    }
}
