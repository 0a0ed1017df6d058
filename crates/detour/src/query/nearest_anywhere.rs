//! The place of a whole mesh that is nearest to a position: how far off the mesh one is.
//!
//! Cost: every tile is looked at; the BV trees of those that are nearer than the best place so far are descended as far
//! as their boxes are nearer. At most one step per polygon.
//! Source: our own; Detour's `findNearestPoly` needs a box.

use super::Query;
use super::nearest_search::NearestSearch;
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::mesh::{NavMesh, Poly};
use crate::place::Place;
use glam::Vec3;

impl Query {
    /// The point of the ground that is nearest to `position` in a straight line, of all polygons that pass the filter and
    /// however far off; of equally near ones the one on the polygon with the smaller reference. `None` if no polygon
    /// passes.
    ///
    /// Unlike [`Query::nearest`], it does not prefer the ground straight below.
    pub fn nearest_anywhere(
        &mut self,
        mesh: &NavMesh,
        position: Vec3,
        filter: &impl CostModel,
    ) -> Result<Option<Place>, QueryError> {
        check_position("nearest anywhere", position)?;
        let mut search = NearestSearch::new(position, |poly: &Poly<'_>| {
            filter.passes(&poly.attributes()).then(|| poly.closest_in_space(position))
        });
        for (slot, tile) in mesh.slots() {
            search.search_tile(mesh, &mut self.stack, slot, tile);
        }
        Ok(search.into_place())
    }
}
