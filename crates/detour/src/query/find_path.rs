//! The cheapest path from polygon to polygon: A* over the links of the mesh. Off-mesh links are nodes of
//! their own.
//!
//! [`Optimality::Fast`] keeps one path to each polygon, judged by the point where the polygon is entered: the
//! point of the portal for which the path from the entry before, through the portal, to the goal is shortest
//! in space. Then the string is pulled through the corridor, and flipped over inner corners of the mesh
//! (`taut.rs`). [`Optimality::Near`] keeps several paths to a polygon (`funnel_search.rs`).
//!
//! If neither ground nor off-mesh links lead from the start to the goal, the search goes to the place nearest
//! to the goal that can be reached. See [`NavMesh::reachable`] and [`Query::nearest_reachable`] for the cost
//! of that. If a filter that is not registered keeps the search from its goal, it has searched all that can
//! be reached; then it searches for the place that came nearest. So a partial path is as short as a complete
//! path to its end.
//!
//! Cost: O(n log n) in the nodes touched, bounded by the query's nodes. Each node is settled once: its path
//! is final when it leaves the open list. So the search ends for any costs, and parents never form a cycle.
//! docs/paths.md has the lengths of paths compared with the shortest, over real levels.
//! Source: P. Hart, N. Nilsson, B. Raphael, A formal basis for the heuristic determination of minimum cost
//! paths (1968), and our own.

use super::Query;
use super::rules::{FilterRules, Rules, UniformRules};
use super::shortest_path::ShortestPath;
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::mesh::{NavMesh, Portal, Reachable};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;

pub use super::path_status::{PartialReason, PathStatus};

/// The search that finds a path, in the order of speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimality {
    /// One path to each polygon is kept. If a metre costs the same everywhere, corners that are not at walls
    /// are removed from the result. Paths are a few thousandths longer than the shortest in the mean.
    #[default]
    Fast,
    /// Several paths to each polygon are kept, so that lengths are exact as seen from above but for a few
    /// paths in ten thousand. Takes about twice as long. If costs differ, it is the same as `Fast`.
    Near,
    /// [`Query::shortest_path`]: exactly the shortest as seen from above, across tiles, storeys and off-mesh
    /// links. A complete path is the shortest; if the query's nodes run out before that is certain, the
    /// path is partial. A model with different costs for areas is refused ([`QueryError::UnequalCosts`]).
    Shortest,
}

/// Options of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathOptions {
    /// The search that finds the path.
    pub optimality: Optimality,
}

/// A path as a corridor of polygons. Reuse one to reuse its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Complete if the path reaches the goal, otherwise the reason why it does not.
    pub status: PathStatus,
    /// The polygons and off-mesh links, beginning with the start's polygon; each has a link to the next.
    /// Never empty after a search.
    pub polygons: Vec<PolyRef>,
    /// End of the path: the goal, or the point of the last polygon that is nearest to the goal as seen from
    /// above.
    pub end: Vec3,
    /// Estimated cost to the goal, or to the place nearest to it that can be reached, or to the
    /// entry of the last polygon. For a funnel search: the length as seen from above times the cost per
    /// metre.
    pub cost: f64,
    /// Number of nodes that the search used: one for each polygon that it touched; in a funnel search one for
    /// each path into a polygon that it kept. If there is no path to the goal, the last search counts: to the
    /// place that came nearest.
    pub touched: usize,
}

impl Query {
    /// Finds the cheapest path from `start` to `goal` and writes it to `path`. If there is no such path, it
    /// leads as near to the goal as the search came, and its status is the reason. Start and goal may be on
    /// off-mesh links.
    ///
    /// The start's polygon need not pass the filter, so that an agent on forbidden ground can leave it.
    ///
    /// If slopes cost something or are limited ([`CostModel::slopes`]), the path is that of
    /// [`Query::ground_path`]: its polygons, its end and its cost. The string through these polygons is not
    /// its line.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// use detour::{Crossings, Filter, Path, PathOptions, PathStatus, Query, StraightPath, Vec3};
    ///
    /// let (mut query, filter) = (Query::new(), Filter::default());
    /// let box_size = Vec3::new(1.0, 2.0, 1.0);
    /// let start = query.nearest(&mesh, Vec3::new(2.0, 0.0, 2.0), box_size, &filter)?.place();
    /// let goal = query.nearest(&mesh, Vec3::new(10.0, 0.0, 2.0), box_size, &filter)?.place();
    ///
    /// let mut path = Path::default();
    /// query.find_path(&mesh, start, goal, &filter, &PathOptions::default(), &mut path)?;
    /// assert_eq!(path.status, PathStatus::Complete);
    ///
    /// // The polygons are a corridor; string pulling turns them into the corners to walk to.
    /// let mut straight = StraightPath::default();
    /// query.straight_path(&mesh, start.point, goal.point, &path.polygons, Crossings::None, &mut straight)?;
    /// assert_eq!(straight.corners.last().unwrap().point, goal.point);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_path<C: CostModel>(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        goal: Place,
        filter: &C,
        options: &PathOptions,
        path: &mut Path,
    ) -> Result<(), QueryError> {
        if options.optimality == Optimality::Shortest {
            return self.find_shortest(mesh, [start, goal], filter, path);
        }
        if !filter.slopes().is_none() {
            return self.find_over_ground(mesh, [start, goal], filter, path);
        }
        let mut search = Search::begin(self, mesh, filter, [start, goal], *options)?;
        while !search.advance(u32::MAX)? {}
        let state = search.state;
        self.write_path(mesh, &state, filter, path)
    }

    /// Finds the cheapest line over the ground and writes its polygons to `path`.
    fn find_over_ground(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [Place; 2],
        filter: &impl CostModel,
        path: &mut Path,
    ) -> Result<(), QueryError> {
        let mut ground = std::mem::take(&mut self.ground_line);
        let found = self.ground_path(mesh, start, goal, filter, &mut ground);
        path.polygons.clone_from(&ground.polygons);
        (path.status, path.end) = (ground.status, ground.end());
        (path.cost, path.touched) = (ground.cost, ground.touched);
        self.ground_line = ground;
        found
    }

    /// Finds the shortest path and writes it to `path`.
    fn find_shortest(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [Place; 2],
        filter: &impl CostModel,
        path: &mut Path,
    ) -> Result<(), QueryError> {
        let Some(cost_per_metre) = mesh.uniformity(filter).per_metre else {
            return Err(QueryError::UnequalCosts);
        };
        if mesh.reachable_with(&mut self.reach, [start.polygon, goal.polygon], filter)? == Reachable::No {
            // The search for the shortest path would cover the whole island in vain; this search goes as near
            // as possible.
            let options = PathOptions { optimality: Optimality::Near };
            return self.find_path(mesh, start, goal, filter, &options, path);
        }
        let mut shortest = ShortestPath::default();
        self.shortest_by(mesh, start, goal, filter, &mut shortest)?;
        let ShortestPath { status, corners, polygons, length_from_above, touched } = shortest;
        let end = corners.last().map_or(goal.point, |corner| corner.point);
        *path = Path { status, polygons, end, cost: length_from_above * f64::from(cost_per_metre), touched };
        Ok(())
    }

    /// Writes the result of a search that has ended.
    pub(super) fn write_path(
        &mut self,
        mesh: &NavMesh,
        state: &SearchState,
        filter: &impl CostModel,
        path: &mut Path,
    ) -> Result<(), QueryError> {
        let asked = state.asked;
        path.status = match state.reached {
            Some(_) if !state.redirected => PathStatus::Complete,
            _ if !filter.passes(&mesh.locate_node(asked.polygon)?.attributes()) => {
                PathStatus::Partial(PartialReason::GoalExcluded)
            }
            None if state.full => PathStatus::Partial(PartialReason::OutOfNodes),
            _ => PathStatus::Partial(PartialReason::Unreachable),
        };
        let last = state.reached.unwrap_or_else(|| self.nearest_node(state));
        path.end = path.status.end(mesh, asked.point, self.place_of(state, last))?;
        let length = match state.method {
            SearchMethod::Labels => {
                self.funnel_search.labels.trace_back(last, &mut path.polygons);
                let end = if state.reached.is_some() { state.goal.point } else { path.end };
                Some(self.funnel_search.length(last, end))
            }
            SearchMethod::Nodes => {
                let ends = [state.start.point, asked.point];
                if state.cost_per_metre.is_some() {
                    self.taut.trace(&self.path_nodes, mesh, filter, (last, ends), &mut path.polygons)?
                } else {
                    self.path_nodes.trace_back(last, &mut path.polygons);
                    None
                }
            }
        };
        path.cost = match (length, state.cost_per_metre) {
            (Some(length), Some(cost_per_metre)) => length * cost_per_metre,
            _ => f64::from(self.path_nodes.get(last).cost),
        };
        path.touched = match state.method {
            SearchMethod::Labels => self.funnel_search.labels.len(),
            SearchMethod::Nodes => self.path_nodes.len(),
        };
        Ok(())
    }

    /// The node with the smallest estimated distance to the goal. The first one wins a tie.
    pub(super) fn nearest_node(&self, state: &SearchState) -> u32 {
        if state.method == SearchMethod::Labels {
            return self.funnel_search.nearest(state.goal.point);
        }
        let rank = |number: &u32| {
            let node = self.path_nodes.get(*number);
            (node.point.distance(state.goal.point), node.cost)
        };
        let nearer = |a: u32, b: u32| if rank(&b) < rank(&a) { b } else { a };
        (0..self.path_nodes.len() as u32).reduce(nearer).unwrap_or(0)
    }

    /// The polygon of a node, and the point where it was entered.
    fn place_of(&self, state: &SearchState, number: u32) -> Place {
        match state.method {
            SearchMethod::Labels => {
                let label = self.funnel_search.labels.get(number);
                Place { polygon: label.polygon, point: label.point }
            }
            SearchMethod::Nodes => {
                let node = self.path_nodes.get(number);
                Place { polygon: node.polygon, point: node.point }
            }
        }
    }

    /// The node of a polygon, if the search has reached it.
    pub(super) fn node_of(&self, state: &SearchState, polygon: PolyRef) -> Option<u32> {
        match state.method {
            SearchMethod::Labels => self.funnel_search.labels.find(polygon),
            SearchMethod::Nodes => self.path_nodes.find(polygon),
        }
    }

    /// Writes the polygons from the start to a node of a search.
    pub(super) fn trace_search(&self, state: &SearchState, last: u32, polygons: &mut Vec<PolyRef>) {
        match state.method {
            SearchMethod::Labels => self.funnel_search.labels.trace_back(last, polygons),
            SearchMethod::Nodes => self.path_nodes.trace_back(last, polygons),
        }
    }
}

impl PathStatus {
    /// The end of a path with this status: the goal, or the point of the last polygon nearest to it. `last`
    /// is the last node with the point where it was entered.
    fn end(self, mesh: &NavMesh, goal: Vec3, last: Place) -> Result<Vec3, QueryError> {
        if self == PathStatus::Complete {
            return Ok(goal);
        }
        let poly = mesh.locate_node(last.polygon)?;
        Ok(if poly.is_off_mesh() { last.point } else { poly.closest(goal).point })
    }
}

/// The elements that a search keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchMethod {
    /// One node per polygon.
    Nodes,
    /// Labels: one for each path into a polygon that is worth keeping.
    Labels,
}

/// The state of a search, without its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchState {
    /// The goal that the caller requested.
    asked: Place,
    pub(super) start: Place,
    /// The goal that is searched for.
    pub(super) goal: Place,
    /// True if the goal searched for differs from the requested goal, as that cannot be reached.
    redirected: bool,
    pub(super) method: SearchMethod,
    /// The estimated cost of a metre: the smallest of all areas.
    pub(super) scale: f32,
    /// The cost of a metre, if it is the same everywhere.
    cost_per_metre: Option<f64>,
    /// The rules, if all polygons are alike.
    rules: Option<UniformRules>,
    /// The length of the shortest path to the goal so far, in a search by labels.
    pub(super) bound: f64,
    /// Two flags: dead ends are searched too; a dead end was left out.
    pub(super) dead_ends: [bool; 2],
    /// True if the nodes ran out.
    pub(super) full: bool,
    /// The goal's node, once it is settled.
    pub(super) reached: Option<u32>,
}

impl SearchState {
    fn new(
        mesh: &NavMesh,
        [start, goal]: [Place; 2],
        filter: &impl CostModel,
        options: PathOptions,
    ) -> SearchState {
        let uniformity = mesh.uniformity(filter);
        let cost_per_metre =
            uniformity.per_metre.map(f64::from).filter(|cost| cost.is_finite() && *cost > 0.0);
        let minimum = cost_per_metre.map_or(filter.minimum_cost(), |cost| cost as f32);
        let by_labels = options.optimality == Optimality::Near && cost_per_metre.is_some();
        SearchState {
            asked: goal,
            start,
            goal,
            redirected: false,
            method: if by_labels { SearchMethod::Labels } else { SearchMethod::Nodes },
            scale: if minimum.is_finite() && minimum > 0.0 { minimum } else { 0.0 },
            cost_per_metre,
            rules: UniformRules::promised(uniformity),
            bound: f64::INFINITY,
            dead_ends: [false; 2],
            full: false,
            reached: None,
        }
    }

    /// Returns true if the search must run again with the dead ends that were left out. Without a path to the
    /// goal, one of them may be the polygon nearest to it.
    fn should_search_dead_ends(&mut self) -> bool {
        let [searched, left_out] = self.dead_ends;
        let again = left_out && !searched && !self.full;
        self.dead_ends[0] |= again;
        again
    }

    /// Returns true if a portal is left out because it leads to a dead end that is not the goal's polygon.
    #[inline]
    pub(super) fn leaves_out(&mut self, portal: &Portal) -> bool {
        let leaves_out = portal.is_to_dead_end && portal.to != self.goal.polygon && !self.dead_ends[0];
        self.dead_ends[1] |= leaves_out;
        leaves_out
    }
}

/// A running search.
pub(super) struct Search<'a, C> {
    pub(super) query: &'a mut Query,
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: &'a C,
    pub(super) state: SearchState,
}

impl<'a, C: CostModel> Search<'a, C> {
    /// Begins a search from a start to a goal: chooses the goal to search for and puts the start on the open
    /// list.
    pub(super) fn begin(
        query: &'a mut Query,
        mesh: &'a NavMesh,
        filter: &'a C,
        [start, goal]: [Place; 2],
        options: PathOptions,
    ) -> Result<Search<'a, C>, QueryError> {
        check_position("start", start.point)?;
        check_position("goal", goal.point)?;
        let mut state = SearchState::new(mesh, [start, goal], filter, options);
        if mesh.reachable_with(&mut query.reach, [start.polygon, goal.polygon], filter)? == Reachable::No
            && let Some(nearest) = query.nearest_reachable(mesh, start.polygon, goal.point, filter)?
        {
            (state.goal, state.redirected) = (nearest, true);
        }
        let mut search = Search { query, mesh, filter, state };
        search.put_start()?;
        Ok(search)
    }

    /// Puts the start on the open list.
    fn put_start(&mut self) -> Result<(), QueryError> {
        self.query.open.clear();
        match self.state.method {
            SearchMethod::Nodes => self.put_start_node(),
            SearchMethod::Labels => {
                self.put_start_label();
                Ok(())
            }
        }
    }

    /// Settles up to `steps` nodes or labels, and all of them unless the search ends: it makes no difference
    /// in how many slices the steps are taken. Returns true once the search has ended.
    pub(super) fn advance(&mut self, steps: u32) -> Result<bool, QueryError> {
        let mut left = steps;
        loop {
            let settled = match self.state.rules {
                Some(rules) => self.advance_by(&rules, &mut left)?,
                None => self.advance_by(&FilterRules(self.filter), &mut left)?,
            };
            match settled {
                Settled::Steps => return Ok(false),
                Settled::Goal(number) => {
                    self.state.reached = Some(number);
                    return Ok(true);
                }
                Settled::All if self.state.should_search_dead_ends() || self.redirect()? => {
                    self.put_start()?
                }
                Settled::All => return Ok(true),
            }
        }
    }

    /// Turns a search that found everything but the goal into a search for the place that came nearest to it:
    /// the estimates led elsewhere, so the path found to there need not be a good one. Returns false if the
    /// search had such a place for its goal already, or ran out of nodes.
    fn redirect(&mut self) -> Result<bool, QueryError> {
        let state = &mut self.state;
        if state.redirected || state.full {
            return Ok(false);
        }
        let entry = self.query.place_of(state, self.query.nearest_node(state));
        if entry.polygon == state.start.polygon {
            return Ok(false);
        }
        let point = PathStatus::default().end(self.mesh, state.goal.point, entry)?;
        *state = SearchState {
            goal: Place { point, ..entry },
            redirected: true,
            bound: f64::INFINITY,
            dead_ends: [false; 2],
            ..*state
        };
        Ok(true)
    }

    fn advance_by(&mut self, rules: &impl Rules, left: &mut u32) -> Result<Settled, QueryError> {
        match self.state.method {
            SearchMethod::Nodes => self.settle_nodes(rules, left),
            SearchMethod::Labels => self.settle_labels(rules, left),
        }
    }
}

/// The end of a slice of a search.
pub(super) enum Settled {
    /// All its steps were taken.
    Steps,
    /// The goal, with this number.
    Goal(u32),
    /// Everything that can be reached.
    All,
}
