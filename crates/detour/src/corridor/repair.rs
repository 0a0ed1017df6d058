//! Repairing a corridor after tiles or flags have changed under it.

use super::Corridor;
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::poly_ref::PolyRef;

/// The part of a corridor that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trimmed {
    /// All of it.
    Whole,
    /// Its beginning: it now ends at the last polygon that is still connected, and the target is the point of
    /// that polygon nearest to the old target. Find a path again.
    Cut,
    /// Nothing: the agent's own polygon is gone, and the corridor was reset to the safe place. Find a path
    /// again.
    Lost,
}

impl Corridor {
    /// The number of polygons from the first that the mesh still connects in a row.
    pub(super) fn valid_length(&self, row: &[PolyRef], mesh: &NavMesh, filter: &impl CostModel) -> usize {
        let is_there = |polygon: &PolyRef| mesh.locate_node(*polygon).is_ok();
        let leads_on = |pair: &&[PolyRef]| {
            mesh.locate_node(pair[0]).is_ok_and(|from| from.link_to(pair[1]).is_some())
                && mesh.locate_node(pair[1]).is_ok_and(|next| filter.passes(&next.attributes()))
        };
        usize::from(row.first().is_some_and(is_there)) + row.windows(2).take_while(leads_on).count()
    }

    /// Cuts the corridor at the first break in the mesh, and returns how much was kept. If the agent's own
    /// polygon is gone, the corridor is reset to `safe`, a place that the caller has found
    /// ([`Query::nearest`](crate::Query::nearest) near the agent).
    pub fn trim_invalid(
        &mut self,
        mesh: &NavMesh,
        safe: Place,
        filter: &impl CostModel,
    ) -> Result<Trimmed, QueryError> {
        check_position("safe", safe.point)?;
        let kept = self.valid_length(&self.polygons, mesh, filter);
        if kept == self.polygons.len() {
            return Ok(Trimmed::Whole);
        }
        if kept == 0 {
            mesh.locate(safe.polygon)?;
            self.reset(safe);
            return Ok(Trimmed::Lost);
        }
        self.polygons.truncate(kept);
        // The corridor must end on the ground before an off-mesh link, not on the link.
        while self.polygons.len() > 1 && mesh.locate_node(self.last())?.is_off_mesh() {
            self.polygons.pop();
        }
        self.target = mesh.locate(self.last())?.closest(self.target).point;
        Ok(Trimmed::Cut)
    }

    /// Puts the agent at a place by force (it was pushed, or its polygon is gone), and keeps as much of the
    /// corridor as possible: from the place's polygon on if that is in the row, or from the farthest polygon
    /// of the row that it has a link to. Returns true if a part was kept. Otherwise the corridor is reset to
    /// the place, and a path must be found again.
    pub fn fix_start(
        &mut self,
        mesh: &NavMesh,
        safe: Place,
        filter: &impl CostModel,
    ) -> Result<bool, QueryError> {
        check_position("safe", safe.point)?;
        let poly = mesh.locate(safe.polygon)?;
        let within = self.polygons.iter().rposition(|polygon| *polygon == safe.polygon);
        let next = || self.polygons.iter().rposition(|polygon| poly.link_to(*polygon).is_some());
        let row = |at: usize| &self.polygons[at..];
        let onwards = |at: usize| self.valid_length(row(at), mesh, filter) == row(at).len();
        let enterable = |at: &usize| {
            mesh.locate_node(self.polygons[*at]).is_ok_and(|next| filter.passes(&next.attributes()))
        };
        if let Some(at) = within.filter(|at| onwards(*at)) {
            self.polygons.drain(..at);
        } else if let Some(at) = next().filter(|at| enterable(at) && onwards(*at)) {
            self.polygons.drain(..at);
            self.polygons.insert(0, safe.polygon);
        } else {
            self.reset(safe);
            return Ok(false);
        }
        self.start = safe;
        Ok(true)
    }
}
