//! What becomes of a corridor when tiles or flags change under it.

use super::Corridor;
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::poly_ref::PolyRef;
use crate::query::find_path::Place;

/// What was left of a corridor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trimmed {
    /// All of it.
    Whole,
    /// Its beginning: it ends where the mesh no longer leads on, and the target is as near to the old one as
    /// the last polygon comes. Find a path again.
    Cut,
    /// Nothing: the agent's own polygon is gone, and it was put to the safe place. Find a path again.
    Lost,
}

impl Corridor {
    /// How many of some polygons in a row the mesh still leads along.
    pub(super) fn valid_length(&self, row: &[PolyRef], mesh: &NavMesh, filter: &impl CostModel) -> usize {
        let mut before: Option<PolyRef> = None;
        for (at, polygon) in row.iter().enumerate() {
            let Ok(located) = mesh.locate_node(*polygon) else { return at };
            if let Some(before) = before {
                let linked = mesh.locate_node(before).is_ok_and(|from| from.opening_to(*polygon).is_some());
                if !linked || !filter.passes(&located.attributes()) {
                    return at;
                }
            }
            before = Some(*polygon);
        }
        row.len()
    }

    /// Cuts the corridor where the mesh no longer leads along it, and says what is left. If the agent's own
    /// polygon is gone, the corridor is reset to `safe`, a place that the caller has found
    /// ([`crate::Query::nearest`] near the agent).
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
        // Not upon a link: to the ground before it.
        while self.polygons.len() > 1 && mesh.locate_node(self.last())?.is_off_mesh() {
            self.polygons.pop();
        }
        self.target = mesh.locate(self.last())?.closest(self.target).point;
        Ok(Trimmed::Cut)
    }

    /// Puts the agent to a place by force (it was pushed, or its polygon is gone), and keeps what it can of
    /// the corridor: from the place's polygon on if that is in the row, or from the farthest polygon of the
    /// row that it has a link to. `true` if so; else the corridor is reset to the place, and a path is to be
    /// found again.
    pub fn fix_start(
        &mut self,
        mesh: &NavMesh,
        safe: Place,
        filter: &impl CostModel,
    ) -> Result<bool, QueryError> {
        check_position("safe", safe.point)?;
        let located = mesh.locate(safe.polygon)?;
        let within = self.polygons.iter().rposition(|polygon| *polygon == safe.polygon);
        let next = || self.polygons.iter().rposition(|polygon| located.opening_to(*polygon).is_some());
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
        self.position = safe.point;
        Ok(true)
    }
}
