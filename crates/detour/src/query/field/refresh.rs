//! Keeping a field current after tiles or flags have changed.

use super::Field;
use super::links::cost_over;
use super::rates::rate_of;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::{NavMesh, SlotChange};
use crate::query::Query;
use glam::Vec3;

/// Half extents of the box around its point in which a goal is found again, in cells: along the ground, and
/// up or down.
const GOAL_CELLS: [f64; 2] = [4.0, 8.0];

/// The change that made a field current.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldChange {
    /// The field was made for this snapshot already.
    Current,
    /// Nothing that the field depends on has changed, so it was kept.
    Kept,
    /// The field was searched again.
    Searched,
}

impl Field {
    /// Makes the field current for a later snapshot of its mesh. `filter` is the filter that the field was
    /// made with.
    ///
    /// If no tile that the field reaches has changed, nor the links, flags or areas of its polygons, the
    /// field is kept. That costs a few comparisons per tile. Otherwise it is searched again from its goals. A
    /// goal whose polygon is gone is found again near its point, within four cells. If there is no ground
    /// there now, the goal is left out until there is. Refused if no goal has ground; the field is then
    /// empty.
    pub fn refresh(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        filter: &impl CostModel,
    ) -> Result<FieldChange, QueryError> {
        if self.goals.is_empty() {
            return Err(QueryError::NoGoals);
        }
        if self.is_current(mesh) {
            return Ok(FieldChange::Current);
        }
        let has_all_goals = self.goals.iter().all(|goal| mesh.locate(goal.polygon).is_ok());
        if has_all_goals && self.holds_for(mesh, filter) {
            self.mesh = Some(mesh.clone());
            return Ok(FieldChange::Kept);
        }
        self.find_goals(query, mesh, filter)?;
        self.search(query, mesh, filter)?;
        Ok(FieldChange::Searched)
    }

    /// Finds goals again whose polygons are gone.
    fn find_goals(
        &mut self,
        query: &mut Query,
        mesh: &NavMesh,
        filter: &impl CostModel,
    ) -> Result<(), QueryError> {
        let lattice = mesh.lattice().map_or([1.0; 2], |lattice| [lattice.cell_size, lattice.cell_height]);
        let [aside, up] = [0, 1].map(|axis| (lattice[axis] * GOAL_CELLS[axis]) as f32);
        let (mut found, mut refused) = (0, QueryError::NoGoals);
        for goal in &mut self.goals {
            if mesh.locate(goal.polygon).is_err() {
                match query.nearest(mesh, goal.point, Vec3::new(aside, up, aside), filter) {
                    Ok(nearest) => *goal = nearest.place(),
                    Err(error) => {
                        refused = error;
                        continue;
                    }
                }
            }
            found += 1;
        }
        if found == 0 {
            self.memory.clear();
            self.mesh = None;
            return Err(refused);
        }
        Ok(())
    }

    /// Returns true if everything that the search has seen is the same in another snapshot.
    fn holds_for(&self, mesh: &NavMesh, filter: &impl CostModel) -> bool {
        let Some(made_for) = &self.mesh else { return false };
        let mut has_same_flags = true;
        for slot in &self.slots {
            match made_for.compare_slot(mesh, *slot) {
                SlotChange::Same => {}
                SlotChange::Flags => has_same_flags = false,
                SlotChange::Other => return false,
            }
        }
        has_same_flags || self.sees_same_costs(mesh, filter)
    }

    /// Returns true if every polygon and off-mesh link that the search has seen passes or not, and costs, as
    /// before.
    fn sees_same_costs(&self, mesh: &NavMesh, filter: &impl CostModel) -> bool {
        let memory = &self.memory;
        let is_same_ground = |number: u32| {
            let known = memory.polygons.get(number);
            let Ok(poly) = mesh.locate(known.polygon) else { return false };
            let rate = if self.is_uniform { Some(1.0) } else { rate_of(&poly, filter) };
            known.passes == (rate.is_some() && filter.passes(&poly.attributes()))
                && rate.is_none_or(|rate| rate == known.rate)
        };
        let mut arrivals = memory.arrivals.iter();
        (0..memory.polygons.len() as u32).all(is_same_ground)
            && arrivals.all(|known| {
                cost_over(mesh, filter, self.is_uniform, (known.link, known.start, known.end)) == known.over
            })
    }
}
