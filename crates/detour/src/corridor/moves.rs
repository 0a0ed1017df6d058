//! Moving the ends of a corridor along the surface.

use super::Corridor;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::poly_ref::PolyRef;
use crate::query::Query;
use crate::query::slide::SlideEnd;
use glam::Vec3;

/// The last polygon of `row` that is in `visited`: its index in `row`, and its last index in `visited`.
pub(super) fn farthest_common(row: &[PolyRef], visited: &[PolyRef]) -> Option<(usize, usize)> {
    first_common(row.iter().enumerate().rev(), visited)
}

/// The same for the first that `row` comes to.
fn first_common<'a>(
    mut row: impl Iterator<Item = (usize, &'a PolyRef)>,
    visited: &[PolyRef],
) -> Option<(usize, usize)> {
    row.find_map(|(at, polygon)| Some((at, visited.iter().rposition(|other| other == polygon)?)))
}

impl Corridor {
    /// Moves the agent towards `to`, of which x and z matter, along the surface and sliding along walls, and with it the
    /// beginning of the corridor. Meant for the step of a frame; see [`Query::slide`] for long moves.
    pub fn move_start(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        to: Vec3,
        filter: &impl CostModel,
    ) -> Result<SlideEnd, QueryError> {
        query.slide(mesh, self.place(), to, filter, &mut self.slide)?;
        let visited = &self.slide.polygons;
        // From the agent's new polygon back over those it crossed to the first that is in the row. Both begin with the
        // same polygon, so there is one.
        let (kept, back) = farthest_common(&self.polygons, visited).unwrap_or((0, 0));
        self.polygons.splice(..kept, visited[back + 1..].iter().rev().copied());
        self.position = self.slide.point;
        Ok(self.slide.end)
    }

    /// Moves the target likewise, and with it the end of the corridor.
    pub fn move_target(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        to: Vec3,
        filter: &impl CostModel,
    ) -> Result<SlideEnd, QueryError> {
        let place = Place { polygon: self.last(), point: self.target };
        query.slide(mesh, place, to, filter, &mut self.slide)?;
        let visited = &self.slide.polygons;
        // The first polygon of the row that the target's move touches, so that the row does not turn back.
        let met = first_common(self.polygons.iter().enumerate(), visited);
        let (kept, from) = met.unwrap_or((self.polygons.len() - 1, 0));
        self.polygons.truncate(kept + 1);
        self.polygons.extend_from_slice(&visited[from + 1..]);
        self.target = self.slide.point;
        Ok(self.slide.end)
    }
}
