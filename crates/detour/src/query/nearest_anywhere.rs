//! The place of a whole mesh that is nearest to a position. It gives the distance of a position from the
//! mesh.
//!
//! Cost: every tile is checked. If a tile is nearer than the best place so far, its BV tree is descended as
//! far as its boxes are nearer. At most one step per polygon.
//! Source: our own; Detour's `findNearestPoly` needs a box.

use super::Query;
use super::nearest_search::NearestSearch;
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::mesh::{NavMesh, Poly};
use crate::place::Place;
use glam::Vec3;

impl Query {
    /// The point of the ground that is nearest to `position` in a straight line, of all polygons that pass
    /// the filter, at any distance. Among equally near points the smaller reference of the polygon wins.
    /// `None` if no polygon passes.
    ///
    /// Unlike [`Query::nearest`], it does not prefer ground straight below.
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
