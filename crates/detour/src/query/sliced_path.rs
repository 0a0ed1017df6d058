//! A path found in slices: a few polygons now, more in the next frame, and in the end the path that one call
//! would find.
//!
//! The search owns its data: the query's memory, and a snapshot of the mesh. So tiles may be added and
//! removed meanwhile, and a search of many slices sees one mesh throughout. Cost: that of
//! [`Query::find_path`], divided as the caller likes; starting and stopping allocates nothing.
//! Semantics: those of M. Mononen's Detour (`initSlicedFindPath` to `finalizeSlicedFindPathPartial`).

use super::Query;
use super::find_path::{Optimality, Path, PathOptions, Search, SearchMethod, SearchState};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::poly_ref::PolyRef;

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There are more polygons to search.
    Running,
    /// The path is found, complete or partial.
    Done,
}

/// A search in progress. Give it a `&Filter` or a filter of its own.
#[derive(Debug)]
pub struct SlicedPath<C> {
    query: Query,
    mesh: NavMesh,
    filter: C,
    state: SearchState,
    progress: Progress,
}

impl<C: CostModel> SlicedPath<C> {
    /// Begins a search from `start` to `goal` with the memory of `query`; see [`Query::find_path`]. A goal on
    /// another island costs a call of [`Query::nearest_reachable`] at once. Until [`SlicedPath::into_query`]
    /// returns its memory, `query` is a new one with the same limit; on an error it is unchanged.
    /// [`Optimality::Shortest`] is refused ([`QueryError::ShortestInSlices`]), and so are costs and limits of
    /// slopes ([`QueryError::SlopesInSlices`]).
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// # let (mut query, filter) = (detour::Query::new(), detour::Filter::default());
    /// # let box_size = detour::Vec3::new(1.0, 2.0, 1.0);
    /// # let start = query.nearest(&mesh, detour::Vec3::new(2.0, 0.0, 2.0), box_size, &filter)?.place();
    /// # let goal = query.nearest(&mesh, detour::Vec3::new(10.0, 0.0, 2.0), box_size, &filter)?.place();
    /// use detour::{Path, PathOptions, Progress, SlicedPath};
    ///
    /// let options = PathOptions::default();
    /// let mut search = SlicedPath::new(&mut query, mesh.clone(), start, goal, &filter, options)?;
    /// while search.update(8)? == Progress::Running {
    ///     // the next frame
    /// }
    /// let mut path = Path::default();
    /// search.finish(&mut path)?;
    /// query = search.into_query();
    /// assert_eq!(path.polygons.first(), Some(&start.polygon));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        query: &mut Query,
        mesh: NavMesh,
        start: Place,
        goal: Place,
        filter: C,
        options: PathOptions,
    ) -> Result<SlicedPath<C>, QueryError> {
        if options.optimality == Optimality::Shortest {
            return Err(QueryError::ShortestInSlices);
        }
        if !filter.slopes().is_none() {
            return Err(QueryError::SlopesInSlices);
        }
        let state = Search::begin(query, &mesh, &filter, [start, goal], options)?.state;
        let fresh = Query::with_max_nodes(query.max_nodes());
        let query = std::mem::replace(query, fresh);
        Ok(SlicedPath { query, mesh, filter, state, progress: Progress::Running })
    }

    /// Settles up to `polygons` more polygons.
    pub fn update(&mut self, polygons: u32) -> Result<Progress, QueryError> {
        if self.progress == Progress::Running {
            let SlicedPath { query, mesh, filter, state, .. } = self;
            let mut search = Search { query, mesh, filter, state: *state };
            if search.advance(polygons)? {
                self.progress = Progress::Done;
            }
            self.state = search.state;
        }
        Ok(self.progress)
    }

    /// The polygon or off-mesh link that the next [`SlicedPath::update`] settles first; with slices of one,
    /// the order of the search. `None` once the search has ended, and when it begins again, to look into dead
    /// ends.
    pub fn next_polygon(&mut self) -> Option<PolyRef> {
        if self.progress == Progress::Done {
            return None;
        }
        let Query { open, path_nodes, funnel_search, .. } = &mut self.query;
        loop {
            let number = open.peek()?;
            if self.state.method == SearchMethod::Labels {
                return Some(funnel_search.labels.get(number).polygon);
            }
            let node = path_nodes.get(number);
            if !node.is_settled() {
                return Some(node.polygon);
            }
            // The node was settled on a cheaper path.
            open.pop();
        }
    }

    /// The progress of the search.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Writes the path that [`Query::find_path`] would have found to `path` if the search is done; otherwise
    /// `path` is unchanged. Returns the progress.
    pub fn finish(&mut self, path: &mut Path) -> Result<Progress, QueryError> {
        if self.progress == Progress::Done {
            self.query.write_path(&self.mesh, &self.state, &self.filter, path)?;
        }
        Ok(self.progress)
    }

    /// Writes the path to the last of the polygons `existing` that the search has reached; if it has reached
    /// none of them, the path to the polygon with the smallest estimated distance to the goal. Can be called
    /// at any time: `existing` is the path that the agent follows, and the result is a better start for it.
    pub fn finish_partial(&self, existing: &[PolyRef], polygons: &mut Vec<PolyRef>) {
        let known = existing.iter().rev().find_map(|polygon| self.query.node_of(&self.state, *polygon));
        let last = known.unwrap_or_else(|| self.query.nearest_node(&self.state));
        self.query.trace_search(&self.state, last, polygons);
    }

    /// The query, whose memory the caller may use as far as the search does not.
    pub(crate) fn query_mut(&mut self) -> &mut Query {
        &mut self.query
    }

    /// Ends the search and returns the query.
    pub fn into_query(self) -> Query {
        self.query
    }
}
