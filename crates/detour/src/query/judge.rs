//! Judging a path by its length over the ground.
//!
//! The funnel search compares lengths as seen from above, which are exact and cheap. On hills the least of these may lead
//! over a top where the path around it is shorter to walk. So the string of the path that it found is measured over the
//! detail surface. No path can be shorter than the line in space that covers its length from above and the climb from
//! start to goal; where that leaves no room for a shorter path worth having, as on level ground, the path stands.
//! Otherwise the search by edge midpoints, whose costs are distances in space, finds a second path, and the better of
//! the two is the answer. So it is never longer over the ground than the path of that search, which is Detour's.
//!
//! Cost: a string and the detail triangles of its polygons; on hills a second search, within the query's nodes.
//! Source: our own.

use super::Query;
use super::find_path::{Search, SearchState};
use super::path_lengths::{PathLengths, measure};
use super::straight_path::{Crossings, StraightPath};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::poly_ref::PolyRef;

/// Memory for measuring a path.
#[derive(Debug, Default)]
pub(super) struct JudgeScratch {
    polygons: Vec<PolyRef>,
    straight: StraightPath,
}

impl Query {
    /// The lengths of the string through a path.
    fn lengths(&mut self, mesh: &NavMesh, state: &SearchState, last: u32) -> Result<PathLengths, QueryError> {
        let mut scratch = std::mem::take(&mut self.judge);
        let JudgeScratch { polygons, straight } = &mut scratch;
        self.trace_search(state, last, polygons);
        let (start, goal) = (state.start.point, state.goal.point);
        let pulled = self.straight_path(mesh, start, goal, polygons, Crossings::All, straight);
        let lengths = pulled.and_then(|()| measure(mesh, straight));
        self.judge = scratch;
        lengths
    }
}

impl<C: CostModel> Search<'_, C> {
    /// Judges the path that the funnel search found; whether a second search is worth while.
    pub(super) fn is_worth_a_second(&mut self) -> Result<bool, QueryError> {
        let Some(label) = self.state.reached else { return Ok(false) };
        let lengths = self.query.lengths(self.mesh, &self.state, label)?;
        self.state.lengths = lengths;
        Ok(lengths.leaves_room(f64::from(self.state.goal.point.y - self.state.start.point.y)))
    }

    /// Chooses between the path of the funnel search and that of the second one.
    pub(super) fn choose(&mut self, second: u32) -> Result<(), QueryError> {
        let mut by_nodes = self.state;
        (by_nodes.answers_by_nodes, by_nodes.reached) = (true, Some(second));
        by_nodes.lengths = self.query.lengths(self.mesh, &by_nodes, second)?;
        if self.state.lengths.is_worse_than(&by_nodes.lengths) {
            self.state = by_nodes;
        }
        Ok(())
    }
}
