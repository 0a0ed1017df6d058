//! Judging a path by its length over the ground.
//!
//! The funnel search compares lengths as seen from above, which are exact and cheap. On hills the shortest of
//! these may lead over a top although the path around it is shorter to walk. No path can be shorter than the
//! line in space that covers the length from above and the climb from start to goal. So the string of the
//! path that the search found is measured, first by the greatest steepness of the polygons under it, then, if
//! that does not decide, over their detail surface, until it is too long. If that leaves no room for a much
//! shorter path, as on level ground, the path is accepted. Otherwise the search by edge midpoints, whose
//! costs are distances in space, finds a second path. If that differs, the better of the two is the answer.
//! So the answer is never longer over the ground than the path of that search, which is Detour's.
//!
//! Cost: a walk back along the path; on slopes the detail triangles of the polygons that decide; on hills a
//! second search, within the query's nodes, and the detail triangles of both paths if they differ.
//! Source: our own.

use super::Query;
use super::find_path::{Search, SearchState};
use super::path_lengths::{PathLengths, WORTH_A_SEARCH, measure};
use super::straight_path::{Crossings, StraightPath};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::poly_ref::PolyRef;
use glam::DVec2;

/// Memory for measuring a path.
#[derive(Debug, Default)]
pub(super) struct JudgeScratch {
    /// The parts of a string that are on slopes.
    parts: Vec<StringPart>,
    polygons: Vec<PolyRef>,
    straight: StraightPath,
}

/// A part of a string, over one polygon.
#[derive(Debug)]
struct StringPart {
    polygon: PolyRef,
    /// As seen from above.
    ends: [DVec2; 2],
    length: f64,
}

impl Query {
    /// Returns true if the paths of a label and a node lead through the same polygons.
    fn is_same_path(&self, label: u32, node: u32) -> bool {
        self.funnel_search.labels.path_back(label).eq(self.nodes.path_back(node))
    }

    /// The lengths of the string through a path.
    fn lengths(&mut self, mesh: &NavMesh, state: &SearchState, last: u32) -> Result<PathLengths, QueryError> {
        let mut scratch = std::mem::take(&mut self.judge);
        let JudgeScratch { polygons, straight, .. } = &mut scratch;
        self.trace_search(state, last, polygons);
        let (start, goal) = (state.start.point, state.goal.point);
        let pulled = self.straight_path(mesh, start, goal, polygons, Crossings::All, straight);
        let lengths = pulled.and_then(|()| measure(mesh, straight));
        self.judge = scratch;
        lengths
    }
}

impl<C: CostModel> Search<'_, C> {
    /// Returns true if a second search is worthwhile: if a path may exist that is much shorter over the
    /// ground than that of the funnel search, given that no path is shorter as seen from above.
    pub(super) fn is_worth_a_second(&mut self) -> Result<bool, QueryError> {
        let Some(label) = self.state.reached else { return Ok(false) };
        let (start, goal) = (self.state.start.point, self.state.goal.point);
        let enough =
            self.query.funnel_search.length(label, goal).hypot(f64::from(goal.y - start.y)) * WORTH_A_SEARCH;
        let mut parts = std::mem::take(&mut self.query.judge.parts);
        let is_longer = self.is_longer_than(enough, label, &mut parts);
        self.query.judge.parts = parts;
        is_longer
    }

    /// Returns true if the string of a label is longer over the ground than `enough`. Rough bounds are tried
    /// first: its length is at least that seen from above, and at most what the steepest triangle of each
    /// polygon allows.
    fn is_longer_than(
        &self,
        enough: f64,
        label: u32,
        parts: &mut Vec<StringPart>,
    ) -> Result<bool, QueryError> {
        parts.clear();
        let (mut least, mut most) = (0.0, 0.0);
        self.query.funnel_search.visit_parts(label, self.state.goal.point, |polygon, ends, length| {
            let steepness = self.mesh.locate_node(polygon)?.steepness();
            least += length;
            most += length * f64::from(steepness);
            if steepness > 1.0 {
                parts.push(StringPart { polygon, ends, length });
            }
            Ok::<(), QueryError>(())
        })?;
        if most <= enough {
            return Ok(false);
        }
        for StringPart { polygon, ends, length } in parts {
            least += self.mesh.locate_node(*polygon)?.length_over(*ends) - *length;
            // On hills the first few polygons decide.
            if least > enough {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Chooses between the path of the funnel search and that of the second one.
    pub(super) fn choose(&mut self, second: u32) -> Result<(), QueryError> {
        let Some(first) = self.state.reached else { return Ok(()) };
        let mut by_nodes = self.state;
        (by_nodes.answers_by_nodes, by_nodes.reached) = (true, Some(second));
        if self.query.is_same_path(first, second) {
            return Ok(());
        }
        let lengths = self.query.lengths(self.mesh, &self.state, first)?;
        by_nodes.lengths = self.query.lengths(self.mesh, &by_nodes, second)?;
        if lengths.is_worse_than(&by_nodes.lengths) {
            self.state = by_nodes;
        }
        Ok(())
    }
}
