//! Routes: an agent that follows the stops of a plan while the tiles around it come and go.
//!
//! ```text
//!   start ──●──●──●──◉──● goal     The agent walks by `find_path` to the stop some legs ahead (◉), so it
//!        leg 1  2 ↑3  4  5         cuts corners. It comes to a leg (↑) when it enters its cluster, or is
//!                                  near the stop before it.
//! ```

use crate::Hierarchy;
use crate::grid::{ClusterCoord, ClusterGrid};
use crate::plan::{FarPath, FarPlanner, FarStop};
use navmath::{FIXED_ONE, Lattice};
use std::collections::BTreeSet;

/// The stops of a plan, and how far an agent has come. It stays valid when the hierarchy changes; then
/// [`FarRoute::needs_replan`] says whether to plan again.
#[derive(Clone, Debug, PartialEq)]
pub struct FarRoute {
    /// The start, the stops in between, and the goal: at least two.
    stops: Vec<FarStop>,
    /// The number of the leg that the agent is on, and of the stop at its end; from 1.
    leg: usize,
    /// The leg that the agent was on before. It may not have left it yet, and may have skipped some since.
    before: usize,
    /// The number of legs to the stop that the agent walks to, at least 1.
    legs_ahead: usize,
    /// The last known position of the agent, world metres.
    position: [f64; 3],
    /// An agent has passed a stop when it is this near, and has entered a cluster when it is this far from
    /// the cluster's border, metres.
    near: f64,
    grid: ClusterGrid,
    lattice: Lattice,
}

impl FarPlanner {
    /// The route along a plan, for an agent at its start. The agent walks to the fourth stop ahead. Takes the
    /// searches of [`FarPlanner::stops`].
    pub fn route(&mut self, path: &FarPath<'_>) -> FarRoute {
        let Hierarchy { grid, lattice, spacing, .. } = *path.hierarchy();
        let stops = self.stops(path);
        let position = stops[0].point;
        let metres = |fixed: i64| fixed as f64 / f64::from(FIXED_ONE) * lattice.cell_size;
        let near = metres(spacing.min(grid.side(0))) / 4.0;
        let legs_ahead = FarRoute::LEGS_AHEAD;
        FarRoute { stops, leg: 1, before: 1, legs_ahead, position, near, grid, lattice }
    }
}

impl FarRoute {
    /// The number of legs that an agent looks ahead, if not set otherwise. Paths to a stop four legs
    /// ahead are a fraction of a percent longer than the shortest.
    pub const LEGS_AHEAD: usize = 4;

    /// Sets the number of legs to the stop that the agent walks to, at least 1. More legs make shorter paths,
    /// need more tiles and take longer searches.
    pub fn with_legs_ahead(self, legs: usize) -> FarRoute {
        FarRoute { legs_ahead: legs.max(1), ..self }
    }

    /// All stops: the start, the places where the plan leaves a cluster, and the goal.
    pub fn stops(&self) -> &[FarStop] {
        &self.stops
    }

    /// The number of the stop at the end of the leg that the agent is on.
    pub fn next(&self) -> usize {
        self.leg
    }

    /// The number of legs to the goal, the current one included. The last leg ends at the goal.
    pub fn legs_left(&self) -> usize {
        self.stops.len() - self.leg
    }

    /// The stop to walk to by `Query::find_path` now.
    pub fn ahead(&self) -> FarStop {
        self.stops[self.last(self.legs_ahead)]
    }

    /// Moves on with an agent at a position, world metres. The agent comes to a later leg when it is well
    /// inside the cluster of that leg, or when it is near the stop before it: within a quarter of the
    /// hierarchy's spacing. Only legs up to the stop ahead count, and the one after it, so a route that
    /// comes to a cluster twice is not cut short. Never goes back. An agent that has left the clusters of
    /// its route stays on its leg. If no path leads to [`FarRoute::ahead`], plan again.
    ///
    /// Returns true if the agent is on another leg than before: then [`FarRoute::ahead`] and
    /// [`FarRoute::columns_ahead`] are new.
    pub fn advance(&mut self, position: [f64; 3]) -> bool {
        let before = self.leg;
        let ahead = self.last(self.legs_ahead);
        let goal = self.stops.len() - 1;
        self.position = position;
        let here = self.grid.cluster_at(&self.lattice, position);
        let is_inside = self.grid.is_inside(&self.lattice, here, position, self.near);
        // An agent that is near a stop, but not at the border yet, is still in the cluster before.
        if is_inside && self.stops[before - 1..=before].iter().all(|stop| stop.cluster != here) {
            let mut later = before + 1..=goal.min(ahead + 1);
            self.leg = later.find(|&leg| self.stops[leg].cluster == here).unwrap_or(before);
        }
        let is_near = |stop: &usize| apart(self.stops[*stop].point, position) <= self.near;
        let passed = (self.leg..=ahead).rev().find(is_near);
        self.leg = passed.map_or(self.leg, |stop| goal.min(stop + 1));
        let has_moved = self.leg != before;
        if has_moved {
            self.before = before;
        }
        has_moved
    }

    /// The columns of the grid of tiles that an agent needs for a number of legs, each once: those of the
    /// cluster that it is in, then those of one leg after the other, of each the nearest first. The leg
    /// that it was on before comes first, as it may not have left it yet; one more comes last, as the leg
    /// before it may lead over a link. Take no fewer legs than the agent looks ahead; with more, tiles
    /// are there before they are needed.
    pub fn columns_ahead(&self, legs: usize) -> Vec<[i32; 2]> {
        let here = self.grid.cluster_at(&self.lattice, self.position);
        let ahead = (self.before..=self.last(legs.saturating_add(1))).map(|leg| {
            let from = if leg <= self.leg { self.position } else { self.stops[leg - 1].point };
            (self.stops[leg].cluster, from)
        });
        let (mut known, mut columns) = (BTreeSet::new(), Vec::new());
        let here = (here, self.position);
        for (cluster, from) in
            std::iter::once(here).chain(ahead).filter(|(cluster, _)| known.insert(*cluster))
        {
            let first = columns.len();
            columns.extend(self.grid.columns(cluster));
            let distance = |column: &[i32; 2]| self.grid.distance_to(&self.lattice, *column, from);
            columns[first..].sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        }
        columns
    }

    /// Returns true if one of these clusters of the first level is still ahead: then the plan may be
    /// wrong, and the route should be planned again from where the agent is. Takes what
    /// [`Hierarchy::update`](crate::Hierarchy::update) and
    /// [`Hierarchy::set_closed`](crate::Hierarchy::set_closed) return. A change elsewhere leaves the
    /// route as it is, although a shorter one may have opened.
    pub fn needs_replan(&self, changed: &BTreeSet<ClusterCoord>) -> bool {
        self.stops[self.before..].iter().any(|stop| changed.contains(&stop.cluster))
    }

    /// The number of the last of some legs from here.
    fn last(&self, legs: usize) -> usize {
        self.leg.saturating_add(legs.max(1) - 1).min(self.stops.len() - 1)
    }
}

fn apart(one: [f64; 3], two: [f64; 3]) -> f64 {
    one.iter().zip(two).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}
