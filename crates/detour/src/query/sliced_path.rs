//! A path found in slices: a few polygons now, more in the next frame, the same path in the end.
//!
//! The search owns what it works on: the query's memory, and a snapshot of the mesh. So tiles may come and go
//! meanwhile, and a search of many slices never meets another mesh than it began with. Cost: that of
//! [`Query::find_path`], cut where the caller likes; starting and stopping allocates nothing.
//! Semantics: those of M. Mononen's Detour (`initSlicedFindPath` to `finalizeSlicedFindPathPartial`).

use super::Query;
use super::find_path::{Path, PathOptions, Place, Search, SearchState};
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::poly_ref::PolyRef;

/// Whether a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to look at.
    Running,
    /// The path is found, or as much of it as there is.
    Done,
}

/// A search under way. Give it `&Filter` or a filter of its own.
#[derive(Debug)]
pub struct SlicedPath<C> {
    query: Query,
    mesh: NavMesh,
    filter: C,
    state: SearchState,
    progress: Progress,
}

impl<C: CostModel> SlicedPath<C> {
    /// Begins a search from `start` to `goal` with the memory of `query`; see [`Query::find_path`]. A goal on another
    /// island costs a call of [`Query::nearest_reachable`] here and now. Until
    /// [`SlicedPath::into_query`] gives that back, `query` has the same limit and memory of its own yet to grow. On
    /// an error it is as it was.
    pub fn new(
        query: &mut Query,
        mesh: NavMesh,
        start: Place,
        goal: Place,
        filter: C,
        options: PathOptions,
    ) -> Result<SlicedPath<C>, QueryError> {
        check_position("start", start.point)?;
        check_position("goal", goal.point)?;
        mesh.locate_node(start.polygon)?;
        mesh.locate_node(goal.polygon)?;
        let state = SearchState::new(goal, &filter, options);
        let fresh = Query::with_max_nodes(query.max_nodes());
        let query = std::mem::replace(query, fresh);
        let mut sliced = SlicedPath { query, mesh, filter, state, progress: Progress::Running };
        let mut search = sliced.search();
        search.begin(start)?;
        sliced.state = search.state;
        Ok(sliced)
    }

    fn search(&mut self) -> Search<'_, C> {
        Search { query: &mut self.query, mesh: &self.mesh, filter: &self.filter, state: self.state }
    }

    /// Settles up to `polygons` more polygons.
    pub fn update(&mut self, polygons: u32) -> Result<Progress, QueryError> {
        if self.progress == Progress::Running {
            let mut search = self.search();
            let done = search.advance(polygons)?;
            let state = search.state;
            self.state = state;
            if done {
                self.progress = Progress::Done;
            }
        }
        Ok(self.progress)
    }

    /// Whether the search has ended.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Writes the path that [`Query::find_path`] would have found into `path`, once the search is done; before,
    /// `path` stays as it is. Tells whether it is.
    pub fn finish(&self, path: &mut Path) -> Result<Progress, QueryError> {
        if self.progress == Progress::Done {
            self.query.write_path(&self.mesh, &self.state, &self.filter, path)?;
        }
        Ok(self.progress)
    }

    /// Writes the way to the last of the polygons `existing` that the search has come to; if to none, or none are
    /// given, the way to the polygon from which the goal seems nearest. Good at any time: `existing` is the path
    /// that is being walked, and the answer is the part of it that still holds.
    pub fn finish_partial(&self, existing: &[PolyRef], polygons: &mut Vec<PolyRef>) {
        let known = existing.iter().rev().find_map(|polygon| self.query.node_of(&self.state, *polygon));
        let last = known.unwrap_or_else(|| self.query.nearest_node(&self.state));
        self.query.trace_back_by(&self.state, last, polygons);
    }

    /// Ends the search and gives the query back.
    pub fn into_query(self) -> Query {
        self.query
    }
}
