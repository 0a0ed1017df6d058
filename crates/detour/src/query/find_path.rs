//! The cheapest way from polygon to polygon: A* over the links of the mesh and its off-mesh links, which are nodes
//! of their own.
//!
//! A goal on another island than the start is not searched for: the search goes to the place of the start's island
//! that is nearest to it. See [`NavMesh::reachable`] and [`Query::nearest_reachable`] for what that knows and costs.
//!
//! Cost: O(n log n) in the nodes touched, of which there are at most as many as the query has. Each is settled once
//! and never again: a node's way is final when it leaves the open list, so the search ends whatever the costs are, and
//! ways back to the start never run in circles.
//!
//! Where a metre costs the same everywhere, ways are judged by the strings pulled through them: see `taut.rs`; paths
//! are then the shortest but for a few in ten thousand (docs/paths.md). Elsewhere the path is the cheapest of those
//! that the search can tell apart: it keeps one way to each polygon, and judges it by the points where edges are
//! crossed. Measured by tests/quality.rs on random grids of 14 x 14 with a tenth walls, rows and columns 0.25 to 12 m
//! wide, costs alike: over 1,200 paths, pulled strings are together 0.2 % longer than the shortest with entry points
//! and 1.3 % with edge midpoints. Single paths may take a much longer way round.
//! Source: P. Hart, N. Nilsson, B. Raphael, A formal basis for the heuristic determination of minimum cost paths
//! (1968); the placing of nodes on edges as in M. Mononen's Detour (`findPath`), and our own.

use super::Query;
use super::nodes::{NO_NODE, Node, Origin};
use super::rules::{Asked, Plain, Rules};
use crate::error::{QueryError, check_position};
use crate::filter::{CostModel, Step, cost_of};
use crate::geometry::{lerp, shortest_crossing};
use crate::islands::Reachable;
use crate::mesh::{Located, NavMesh, Way};
use crate::poly_ref::PolyRef;
use glam::{DVec3, Vec3};

/// A point on a polygon: what `nearest` finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The polygon.
    pub polygon: PolyRef,
    /// The point, metres from the anchor. It should lie on the polygon; costs are measured from it.
    pub point: Vec3,
}

/// Where on an edge a search thinks it enters a polygon: costs are summed along these points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heuristic {
    /// Where a metre costs the same everywhere ([`CostModel::uniform_cost`]), where the string through the way
    /// crosses it: lengths are exact, as seen from above, and polygons keep several ways. Elsewhere, where the way
    /// from the point before over the edge to the goal is shortest, found anew for each way into the polygon.
    #[default]
    EntryPoint,
    /// The middle of the edge that first led to the polygon: a search as Detour's, for comparison. Polygons that are
    /// entered across a seam have a node for each side of the tile that led there, and of the distance that is left
    /// 0.999 count, whatever areas cost.
    EdgeMidpoint,
}

/// Options of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathOptions {
    /// Where polygons are entered.
    pub heuristic: Heuristic,
}

/// Why a path ends short of the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialReason {
    /// No way leads there.
    Unreachable,
    /// The filter does not let the goal's polygon pass.
    GoalExcluded,
    /// The search touched as many polygons as the query has nodes. A larger limit may find a way.
    OutOfNodes,
}

impl std::fmt::Display for PartialReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            PartialReason::Unreachable => "no way leads to the goal",
            PartialReason::GoalExcluded => "the filter keeps the goal's polygon out",
            PartialReason::OutOfNodes => "the search ran out of nodes; give the query a larger limit",
        })
    }
}

/// Whether a path reaches its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStatus {
    /// It does.
    Complete,
    /// It leads to the polygon, among those reached, from which the goal seems nearest.
    Partial(PartialReason),
}

impl PathStatus {
    /// Why the path ends short of the goal; `None` if it does not.
    pub fn reason(self) -> Option<PartialReason> {
        match self {
            PathStatus::Complete => None,
            PathStatus::Partial(reason) => Some(reason),
        }
    }
}

/// A corridor of polygons. Reuse one, and its memory is reused.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Whether it reaches the goal.
    pub status: PathStatus,
    /// The polygons and off-mesh links, from the start's on; each leads to the next. Never empty after a search.
    pub polygons: Vec<PolyRef>,
    /// Where it ends: at the goal, or at the point of its last polygon that is nearest to the goal as seen from
    /// above.
    pub end: Vec3,
    /// What the search reckons the path costs: up to the goal, or to the place of the start's island that is nearest
    /// to it, or to where the last polygon is entered. By strings: their length as seen from above, times what a metre
    /// costs.
    pub cost: f64,
    /// How many nodes the search took: one for each polygon that it touched, or by strings one for each way into one
    /// that it kept.
    pub touched: usize,
}

impl Default for Path {
    /// No path.
    fn default() -> Path {
        Path {
            status: PathStatus::Partial(PartialReason::Unreachable),
            polygons: Vec::new(),
            end: Vec3::ZERO,
            cost: 0.0,
            touched: 0,
        }
    }
}

impl Query {
    /// Finds the cheapest way from `start` to `goal` and puts it into `path`. If none is found, the path leads as
    /// near to the goal as was reached, and its status says why. Start and goal may be on off-mesh links.
    ///
    /// The start's polygon need not pass the filter, so that whoever stands in forbidden ground can leave it.
    pub fn find_path<C: CostModel>(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        goal: Place,
        filter: &C,
        options: &PathOptions,
        path: &mut Path,
    ) -> Result<(), QueryError> {
        check_position("start", start.point)?;
        check_position("goal", goal.point)?;
        mesh.locate_node(start.polygon)?;
        mesh.locate_node(goal.polygon)?;
        let mut search =
            Search { query: self, mesh, filter, state: SearchState::new(goal, filter, *options) };
        search.begin(start)?;
        while !search.advance(u32::MAX)? {}
        let state = search.state;
        self.write_path(mesh, &state, filter, path)?;
        Ok(())
    }

    /// Writes the outcome of a search that has ended.
    pub(super) fn write_path(
        &self,
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
        self.trace_back_by(state, last, &mut path.polygons);
        path.end = asked.point;
        let (polygon, point) = match state.metre {
            Some(_) => {
                let label = self.taut.labels.get(last);
                (label.polygon, label.point)
            }
            None => {
                let node = self.nodes.get(last);
                (node.polygon, node.point)
            }
        };
        let located = mesh.locate_node(polygon)?;
        if path.status != PathStatus::Complete {
            path.end = if located.is_off_mesh() { point } else { located.closest(asked.point).point };
        }
        (path.cost, path.touched) = match state.metre {
            Some(metre) => {
                let end = if state.reached.is_some() { state.goal.point } else { path.end };
                (self.taut.length(last, end) * metre, self.taut.labels.len())
            }
            None => (self.nodes.get(last).cost, self.nodes.len()),
        };
        Ok(())
    }

    /// The node from which the goal seems nearest; the first of equals.
    pub(super) fn nearest_node(&self, state: &SearchState) -> u32 {
        if state.metre.is_some() {
            return self.taut.nearest(state.goal.point);
        }
        let rank = |number: &u32| {
            let node = self.nodes.get(*number);
            (node.remaining, node.cost)
        };
        let nearer = |a: u32, b: u32| if rank(&b) < rank(&a) { b } else { a };
        (0..self.nodes.len() as u32).reduce(nearer).unwrap_or(0)
    }

    /// The node of a polygon, if the search has come to it.
    pub(super) fn node_of(&self, state: &SearchState, polygon: PolyRef) -> Option<u32> {
        if state.metre.is_some() { self.taut.labels.find(polygon) } else { self.nodes.find(polygon) }
    }

    /// Writes the way to a node of a search.
    pub(super) fn trace_back_by(&self, state: &SearchState, last: u32, polygons: &mut Vec<PolyRef>) {
        if state.metre.is_none() {
            return self.trace_back(last, polygons);
        }
        polygons.clear();
        let mut node = last;
        while node != NO_NODE {
            let label = self.taut.labels.get(node);
            polygons.push(label.polygon);
            node = label.parent;
        }
        polygons.reverse();
    }

    /// Writes the way to a node. Parents were settled before their children, so it ends.
    pub(super) fn trace_back(&self, last: u32, polygons: &mut Vec<PolyRef>) {
        polygons.clear();
        let mut node = last;
        while node != NO_NODE {
            polygons.push(self.nodes.get(node).polygon);
            node = self.nodes.get(node).parent;
        }
        polygons.reverse();
    }
}

/// What a search knows besides its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchState {
    /// What was asked for.
    asked: Place,
    /// Where the search starts.
    pub(super) start: Place,
    /// What is searched for.
    pub(super) goal: Place,
    /// Its point.
    goal_point: DVec3,
    /// Whether that is another place, because what was asked for is on another island.
    redirected: bool,
    options: PathOptions,
    /// Smallest cost of a metre.
    scale: f64,
    /// The cost of a metre, if the search goes by strings.
    metre: Option<f64>,
    /// The length of the shortest string to the goal so far.
    pub(super) bound: f64,
    /// Whether polygons that lead nowhere are looked at too, and whether any was left out.
    pub(super) dead_ends: [bool; 2],
    /// Whether a node was needed and there was none.
    pub(super) full: bool,
    /// The goal's node, once it is settled.
    pub(super) reached: Option<u32>,
}

/// What of the distance that is left counts in Detour's search.
const DETOUR_SCALE: f64 = 0.999;

impl SearchState {
    pub(super) fn new(goal: Place, filter: &impl CostModel, options: PathOptions) -> SearchState {
        let minimum = f64::from(filter.minimum_cost());
        let scale = match options.heuristic {
            Heuristic::EdgeMidpoint => DETOUR_SCALE,
            Heuristic::EntryPoint if minimum.is_finite() && minimum > 0.0 => minimum,
            Heuristic::EntryPoint => 0.0,
        };
        SearchState {
            asked: goal,
            start: goal,
            goal,
            goal_point: goal.point.as_dvec3(),
            redirected: false,
            options,
            scale,
            metre: filter.uniform_cost().map(f64::from).filter(|metre| {
                options.heuristic == Heuristic::EntryPoint && metre.is_finite() && *metre > 0.0
            }),
            bound: f64::INFINITY,
            dead_ends: [false; 2],
            full: false,
            reached: None,
        }
    }
}

/// A running search.
pub(super) struct Search<'a, C> {
    pub(super) query: &'a mut Query,
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: &'a C,
    pub(super) state: SearchState,
}

impl<C: CostModel> Search<'_, C> {
    #[inline]
    fn remaining(&self, from: Vec3) -> f64 {
        from.as_dvec3().distance_squared(self.state.goal_point).sqrt() * self.state.scale
    }

    /// Chooses what to search for and puts the start on the open list.
    pub(super) fn begin(&mut self, start: Place) -> Result<(), QueryError> {
        let polygon = start.polygon;
        let SearchState { asked, .. } = self.state;
        if self.mesh.reachable(polygon, asked.polygon, self.filter)? == Reachable::No
            && let Some(goal) = self.query.nearest_reachable(self.mesh, polygon, asked.point, self.filter)?
        {
            (self.state.goal, self.state.redirected) = (goal, true);
            self.state.goal_point = goal.point.as_dvec3();
        }
        self.state.start = start;
        if self.state.metre.is_some() {
            self.begin_taut(start);
            return Ok(());
        }
        self.begin_nodes(start)
    }

    /// Puts the start on the open list of a search by nodes.
    fn begin_nodes(&mut self, start: Place) -> Result<(), QueryError> {
        let Place { polygon, point } = start;
        self.query.open.clear();
        self.query.nodes.clear();
        let goal = self.state.goal;
        let (mut cost, remaining) = (0.0, self.remaining(point));
        let mut enterable = true;
        if polygon == goal.polygon {
            let polygon = self.mesh.locate_node(polygon)?.attributes();
            let whole = cost_of(self.filter, &Step { from: point, to: goal.point, polygon, next: None });
            enterable = whole.is_some();
            cost = whole.unwrap_or(0.0);
        }
        let node = Node { remaining, ..Node::reached(polygon, point, NO_NODE, cost) };
        if let Some(first) = self.query.nodes.insert(node)
            && enterable
        {
            self.query.open.push(first, cost + remaining, remaining);
        }
        Ok(())
    }

    /// Settles up to so many polygons; true once the goal is settled or nothing is left to settle.
    pub(super) fn advance(&mut self, steps: u32) -> Result<bool, QueryError> {
        let asked = Asked(self.filter);
        let by_middles = self.state.options.heuristic == Heuristic::EdgeMidpoint;
        match (Plain::of(self.filter), by_middles) {
            _ if self.state.metre.is_some() => self.advance_taut(steps),
            (Some(plain), true) => self.advance_by::<_, true>(&plain, steps),
            (Some(plain), false) => self.advance_by::<_, false>(&plain, steps),
            (None, true) => self.advance_by::<_, true>(&asked, steps),
            (None, false) => self.advance_by::<_, false>(&asked, steps),
        }
    }

    /// The search by nodes: by the middles of edges, or by entry points.
    #[inline(never)]
    fn advance_by<R: Rules, const MIDDLES: bool>(
        &mut self,
        rules: &R,
        steps: u32,
    ) -> Result<bool, QueryError> {
        for _ in 0..steps {
            let Some(number) = self.next_open() else {
                if !self.should_look_at_dead_ends() {
                    return Ok(true);
                }
                self.begin_nodes(self.state.start)?;
                continue;
            };
            if self.expand::<R, MIDDLES>(rules, number)? {
                self.state.reached = Some(number);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The cheapest node that is still to be settled.
    #[inline(always)]
    fn next_open(&mut self) -> Option<u32> {
        loop {
            let number = self.query.open.pop()?;
            if !self.query.nodes.get(number).closed {
                return Some(number);
            }
        }
    }

    /// Whether to search again with the dead ends that were left out: if there is no way to the goal, what comes nearest
    /// to it may be one of them.
    pub(super) fn should_look_at_dead_ends(&mut self) -> bool {
        let [looked_at, left_out] = self.state.dead_ends;
        let again = left_out && !looked_at && !self.state.full;
        self.state.dead_ends[0] |= again;
        again
    }

    /// Whether a dead end need not be looked at, as it is not the goal's polygon.
    #[inline]
    pub(super) fn leaves_out(&mut self, dead_end: PolyRef) -> bool {
        let is_left_out = dead_end != self.state.goal.polygon && !self.state.dead_ends[0];
        self.state.dead_ends[1] |= is_left_out;
        is_left_out
    }

    /// Settles a node; true if it is the goal's.
    #[inline(always)]
    fn expand<R: Rules, const MIDDLES: bool>(&mut self, rules: &R, number: u32) -> Result<bool, QueryError> {
        // Part by part, and before any of it is written: what was written in parts just now, and is read in one, has
        // to wait.
        let Node { polygon, point, parent, cost, .. } = *self.query.nodes.get(number);
        self.query.nodes.get_mut(number).closed = true;
        if polygon == self.state.goal.polygon {
            return Ok(true);
        }
        let located = self.mesh.locate_node(polygon)?;
        let from = Settled { number, point, cost, seen: rules.of(&located), located };
        // The way back is never shorter.
        let came_from = self.query.nodes.came_from(parent);
        for way in located.ways() {
            if !came_from.is(way.to) {
                self.relax::<R, MIDDLES, false>(rules, &from, way);
            }
        }
        if located.is_off_mesh() || located.has_links_in_tile() {
            self.expand_over_links::<R, MIDDLES>(rules, &from, came_from);
        }
        Ok(false)
    }

    /// Looks at the ways onto off-mesh links, or off one: apart, as there are few.
    #[cold]
    #[inline(never)]
    fn expand_over_links<R: Rules, const MIDDLES: bool>(
        &mut self,
        rules: &R,
        from: &Settled<'_, R>,
        came_from: Origin,
    ) {
        let mesh = self.mesh;
        from.located.each_way_by_link(mesh, |way| {
            if !came_from.is(way.to) {
                self.relax::<R, MIDDLES, true>(rules, from, way);
            }
        });
    }

    /// Looks at one way from a settled node into a polygon, or onto an off-mesh link or off it.
    #[inline(always)]
    fn relax<R: Rules, const MIDDLES: bool, const BY_LINK: bool>(
        &mut self,
        rules: &R,
        from: &Settled<'_, R>,
        way: &Way,
    ) {
        if way.is_to_dead_end && self.leaves_out(way.to) {
            return;
        }
        let side = if MIDDLES { way.side } else { 0 };
        let known = self.query.nodes.find_on(way.to, side);
        // Where the node is entered, how far the goal is, and what a way must be less than.
        let (mut point, mut remaining, mut bound) = (way.middle, 0.0, f64::INFINITY);
        if let Ok(known) = known {
            let node = self.query.nodes.get(known);
            if node.closed {
                return;
            }
            (point, remaining, bound) = (node.point, node.remaining, node.cost + node.remaining);
        }
        let Some(next) = rules.enter(self.mesh, &from.located, way.to) else { return };
        let goal = self.state.goal;
        if BY_LINK {
            // An end of an off-mesh link is a point.
            point = way.left;
        } else if !MIDDLES {
            let t = shortest_crossing(way.right, way.left, from.point, goal.point);
            point = lerp(way.right, way.left, t);
        }
        // By middles, the point of a node stays, and so does its distance.
        if BY_LINK || !MIDDLES || known.is_err() {
            remaining = self.remaining(point);
        }
        let Some(mut cost) = rules.cost(from.point, point, from.seen, Some(next)) else { return };
        cost += from.cost;
        if way.to == goal.polygon {
            let Some(rest) = rules.cost(point, goal.point, next, None) else { return };
            (cost, remaining) = (cost + rest, 0.0);
        }
        let total = cost + remaining;
        if total >= bound {
            return;
        }
        let way = Node { side, remaining, ..Node::reached(way.to, point, from.number, cost) };
        let number = match known {
            Ok(known) => {
                *self.query.nodes.get_mut(known) = way;
                known
            }
            Err(vacancy) => match self.query.nodes.insert_at(vacancy, way) {
                Some(number) => number,
                None => {
                    self.state.full = true;
                    return;
                }
            },
        };
        self.query.open.push(number, total, remaining);
    }
}

/// A node that is settled, and what is known of its polygon.
struct Settled<'a, R: Rules> {
    number: u32,
    /// Where it was entered.
    point: Vec3,
    /// Cost from the start to there.
    cost: f64,
    seen: R::Seen,
    located: Located<'a>,
}
