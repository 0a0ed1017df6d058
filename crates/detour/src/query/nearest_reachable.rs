//! The place nearest to a goal that can be reached from a start: the place to go to if the goal itself cannot
//! be reached.
//!
//! Cost: every tile is checked for a part of the islands that can be
//! reached. If such a tile is nearer than the best place so far,
//! its BV tree is descended as far as its boxes are nearer. At most one step per polygon.
//! Source: our own; a search that floods the start's whole island finds the same place.

use super::Query;
use super::nearest_search::NearestSearch;
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::mesh::{NavMesh, Poly};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;

impl Query {
    /// The place nearest to `goal`, in a straight line, on a polygon that passes the filter and can be
    /// reached from `start`. The point of each polygon is that of [`NavMesh::closest_point`], the end of a
    /// string to the goal. Reached means: by the filter's own islands if it is registered with the mesh and
    /// lets the start pass, otherwise by the islands of all polygons; see [`NavMesh::reachable`]. Among
    /// equally near places the smaller reference of the polygon wins. `None` if no polygon passes.
    ///
    /// With a filter that is not registered, the place may be unreachable after all.
    pub fn nearest_reachable(
        &mut self,
        mesh: &NavMesh,
        start: PolyRef,
        goal: Vec3,
        filter: &impl CostModel,
    ) -> Result<Option<Place>, QueryError> {
        check_position("goal", goal)?;
        mesh.locate_node(start)?;
        let labels = mesh.labels_of(filter).filter(|labels| labels.of(start).is_some());
        let labels = labels.unwrap_or(mesh.all_labels());
        let Some(island) = labels.of(start) else { return Ok(None) };
        let Query { reach, stack, .. } = self;
        let islands = mesh.reached_islands(labels, island, reach);
        let mut search = NearestSearch::new(goal, |poly: &Poly<'_>| {
            let is_reached = labels.of(poly.reference).is_some_and(|island| islands.contains(island));
            (is_reached && filter.passes(&poly.attributes())).then(|| poly.closest(goal).point)
        });
        for (slot, tile) in mesh.slots().filter(|(slot, _)| labels.tile_has(*slot, &islands)) {
            search.search_tile(mesh, stack, slot, tile);
        }
        Ok(search.into_place())
    }
}
