//! The cheapest path from polygon to polygon: A* over the links of the mesh. Off-mesh links are nodes of
//! their own.
//!
//! If the goal is on another island than the start, the search goes to the place of the start's island that
//! is nearest to the goal. See [`NavMesh::reachable`] and [`Query::nearest_reachable`] for the limits and the
//! cost of that.
//!
//! Cost: O(n log n) in the nodes touched, bounded by the query's nodes. Each node is settled once: its path
//! is final when it leaves the open list. So the search ends for any costs, and parents never form a cycle.
//!
//! If a metre costs the same everywhere, [`Heuristic::Funnel`] runs the funnel search (`funnel_search.rs`).
//! All but a few in ten thousand of its paths are the shortest as seen from above (docs/paths.md); they are
//! then judged over the ground (`judge.rs`). Otherwise the path is the cheapest that a search by nodes can
//! distinguish: it keeps one path to each polygon, judged by the points where portals are crossed. Measured
//! by `tests/quality.rs` on random grids of 14 x 14 with a tenth walls, rows and columns 0.25 to 12 m wide,
//! equal costs: over 1,200 paths, pulled strings are in total 0.2 % longer than the shortest with the best
//! entry points, and 1.3 % with edge midpoints. Single paths may be much longer.
//! Source: P. Hart, N. Nilsson, B. Raphael, A formal basis for the heuristic determination of minimum cost
//! paths (1968); nodes on edges as in M. Mononen's Detour (`findPath`), and our own.

use super::Query;
use super::nodes::{NO_NODE, Node, NodePool, Origin, PoolNode};
use super::over_link::over_link;
use super::path_lengths::PathLengths;
use super::rules::{FilterRules, Rules, UniformRules};
use crate::error::{QueryError, check_position};
use crate::filter::{CostModel, Step, cost_of};
use crate::geometry::{lerp, shortest_crossing};
use crate::mesh::{NavMesh, Poly, Portal, Reachable};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::{DVec3, Vec3};

pub use super::path_status::{PartialReason, PathStatus};

/// The estimate that a search uses for the cost of a path through the portals of its corridor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heuristic {
    /// If a metre costs the same everywhere ([`CostModel::uniform_cost`]): by the funnel through the portals
    /// so far, so that lengths are exact as seen from above. On hills the path is then compared by its length
    /// over the ground with the path by edge midpoints, and the better of the two is the answer. Otherwise:
    /// by the best entry point of each portal, for which the path from the point before through the portal to
    /// the goal is shortest.
    #[default]
    Funnel,
    /// By edge midpoints, as in Detour; for comparison. A node keeps the midpoint of the portal that first
    /// led to it, polygons that are entered across a seam have a node for each side of the tile, and the
    /// remaining distance is scaled by 0.999, regardless of the costs of areas.
    EdgeMidpoint,
}

/// Options of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathOptions {
    /// The estimate of costs.
    pub heuristic: Heuristic,
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
    /// Estimated cost to the goal, or to the place of the start's island that is nearest to it, or to the
    /// entry of the last polygon. For a funnel search: the length as seen from above times the cost per
    /// metre.
    pub cost: f64,
    /// Number of nodes that the search used: one for each polygon that it touched; in a funnel search one for
    /// each path into a polygon that it kept.
    pub touched: usize,
}

impl Query {
    /// Finds the cheapest path from `start` to `goal` and writes it to `path`. If there is no such path, it
    /// leads as near to the goal as the search came, and its status is the reason. Start and goal may be on
    /// off-mesh links.
    ///
    /// The start's polygon need not pass the filter, so that an agent on forbidden ground can leave it.
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
        let mut search = Search::begin(self, mesh, filter, [start, goal], *options)?;
        while !search.advance(u32::MAX)? {}
        let state = search.state;
        self.write_path(mesh, &state, filter, path)?;
        Ok(())
    }

    /// Writes the result of a search that has ended.
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
        self.trace_search(state, last, &mut path.polygons);
        path.end = asked.point;
        let (polygon, point) = if state.answers_by_labels() {
            let label = self.funnel_search.labels.get(last);
            (label.polygon, label.point)
        } else {
            let node = self.nodes.get(last);
            (node.polygon, node.point)
        };
        if path.status != PathStatus::Complete {
            let poly = mesh.locate_node(polygon)?;
            path.end = if poly.is_off_mesh() { point } else { poly.closest(asked.point).point };
        }
        path.cost = match state.cost_per_metre {
            Some(cost_per_metre) if state.answers_by_labels() => {
                let end = if state.reached.is_some() { state.goal.point } else { path.end };
                self.funnel_search.length(last, end) * cost_per_metre
            }
            Some(cost_per_metre) => state.lengths.from_above * cost_per_metre,
            None => self.nodes.get(last).cost,
        };
        path.touched = match (state.cost_per_metre, state.stage) {
            (Some(_), Stage::First) => self.funnel_search.labels.len(),
            (Some(_), Stage::Second) => self.funnel_search.labels.len() + self.nodes.len(),
            (None, _) => self.nodes.len(),
        };
        Ok(())
    }

    /// The node with the smallest estimated distance to the goal. The first one wins a tie.
    pub(super) fn nearest_node(&self, state: &SearchState) -> u32 {
        if state.answers_by_labels() {
            return self.funnel_search.nearest(state.goal.point);
        }
        let rank = |number: &u32| {
            let node = self.nodes.get(*number);
            (node.remaining, node.cost)
        };
        let nearer = |a: u32, b: u32| if rank(&b) < rank(&a) { b } else { a };
        (0..self.nodes.len() as u32).reduce(nearer).unwrap_or(0)
    }

    /// The node of a polygon, if the search has reached it.
    pub(super) fn node_of(&self, state: &SearchState, polygon: PolyRef) -> Option<u32> {
        match state.answers_by_labels() {
            true => self.funnel_search.labels.find(polygon),
            false => self.nodes.find(polygon),
        }
    }

    /// Writes the polygons from the start to a node of a search.
    pub(super) fn trace_search(&self, state: &SearchState, last: u32, polygons: &mut Vec<PolyRef>) {
        match state.answers_by_labels() {
            true => self.funnel_search.labels.trace_back(last, polygons),
            false => self.nodes.trace_back(last, polygons),
        }
    }
}

/// The stages of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The search that the caller asked for.
    First,
    /// The search by edge midpoints, after a funnel search on hills: see `judge.rs`.
    Second,
}

/// The state of a search, without its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchState {
    /// The goal that the caller requested.
    asked: Place,
    pub(super) start: Place,
    pub(super) stage: Stage,
    /// True if the second stage of a funnel search gives the answer.
    pub(super) answers_by_nodes: bool,
    /// The lengths of the best path so far, if it was judged.
    pub(super) lengths: PathLengths,
    /// The goal that is searched for.
    pub(super) goal: Place,
    goal_point: DVec3,
    /// True if the goal searched for differs from the requested goal, as that is on another island.
    redirected: bool,
    options: PathOptions,
    /// The estimated cost of a metre: the smallest of all areas.
    scale: f64,
    /// The cost of a metre, in a funnel search.
    cost_per_metre: Option<f64>,
    /// The length of the shortest path to the goal so far, in a funnel search.
    pub(super) bound: f64,
    /// Two flags: dead ends are searched too; a dead end was left out.
    pub(super) dead_ends: [bool; 2],
    /// True if the nodes ran out.
    pub(super) full: bool,
    /// The goal's node, once it is settled.
    pub(super) reached: Option<u32>,
}

/// The factor of the remaining distance in Detour's search.
const DETOUR_SCALE: f64 = 0.999;

impl SearchState {
    fn new([start, goal]: [Place; 2], filter: &impl CostModel, options: PathOptions) -> SearchState {
        let minimum = f64::from(filter.minimum_cost());
        let scale = match options.heuristic {
            Heuristic::EdgeMidpoint => DETOUR_SCALE,
            Heuristic::Funnel if minimum.is_finite() && minimum > 0.0 => minimum,
            Heuristic::Funnel => 0.0,
        };
        SearchState {
            asked: goal,
            start,
            stage: Stage::First,
            answers_by_nodes: false,
            lengths: PathLengths::default(),
            goal,
            goal_point: goal.point.as_dvec3(),
            redirected: false,
            options,
            scale,
            cost_per_metre: filter
                .uniform_cost()
                .map(f64::from)
                .filter(|cost| options.heuristic == Heuristic::Funnel && cost.is_finite() && *cost > 0.0),
            bound: f64::INFINITY,
            dead_ends: [false; 2],
            full: false,
            reached: None,
        }
    }

    /// Returns true if the funnel search is running.
    pub(super) fn searches_labels(&self) -> bool {
        self.cost_per_metre.is_some() && self.stage == Stage::First
    }

    /// Returns true if the answer comes from labels, not from nodes.
    fn answers_by_labels(&self) -> bool {
        self.cost_per_metre.is_some() && !self.answers_by_nodes
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
    #[inline]
    fn remaining(&self, from: Vec3) -> f64 {
        from.as_dvec3().distance_squared(self.state.goal_point).sqrt() * self.state.scale
    }

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
        let mut state = SearchState::new([start, goal], filter, options);
        if mesh.reachable(start.polygon, goal.polygon, filter)? == Reachable::No
            && let Some(nearest) = query.nearest_reachable(mesh, start.polygon, goal.point, filter)?
        {
            (state.goal, state.redirected) = (nearest, true);
            state.goal_point = nearest.point.as_dvec3();
        }
        let mut search = Search { query, mesh, filter, state };
        search.put_start()?;
        Ok(search)
    }

    /// Puts the start on the open list.
    fn put_start(&mut self) -> Result<(), QueryError> {
        let Place { polygon, point } = self.state.start;
        if self.state.searches_labels() {
            self.put_start_label();
            return Ok(());
        }
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

    /// Settles up to `steps` nodes or labels. Returns true once the search has ended. False does not mean
    /// that all steps were taken.
    pub(super) fn advance(&mut self, steps: u32) -> Result<bool, QueryError> {
        let by_funnels = self.state.cost_per_metre.is_some();
        match self.state.stage {
            Stage::First => {
                if !self.advance_stage(steps)? {
                    return Ok(false);
                }
                let goes_on = by_funnels && self.is_worth_a_second()?;
                if goes_on {
                    self.begin_second()?;
                }
                Ok(!goes_on)
            }
            Stage::Second => {
                let first = self.state.reached.take();
                let is_done = self.advance_stage(steps)?;
                let second = std::mem::replace(&mut self.state.reached, first);
                if let (true, Some(second)) = (is_done, second) {
                    self.choose(second)?;
                }
                Ok(is_done)
            }
        }
    }

    /// Begins the search by edge midpoints, whose costs are distances in space.
    fn begin_second(&mut self) -> Result<(), QueryError> {
        self.state.stage = Stage::Second;
        self.state.options.heuristic = Heuristic::EdgeMidpoint;
        self.state.scale = DETOUR_SCALE * self.state.cost_per_metre.unwrap_or(1.0);
        self.state.dead_ends = [false; 2];
        self.put_start()
    }

    fn advance_stage(&mut self, steps: u32) -> Result<bool, QueryError> {
        match UniformRules::of(self.filter) {
            Some(rules) => self.advance_by(&rules, steps),
            None => self.advance_by(&FilterRules(self.filter), steps),
        }
    }

    fn advance_by<R: Rules>(&mut self, rules: &R, steps: u32) -> Result<bool, QueryError> {
        match self.state.options.heuristic {
            Heuristic::Funnel if self.state.searches_labels() => self.settle::<R, ByLabels>(rules, steps),
            Heuristic::Funnel => self.settle::<R, ByNodes<false>>(rules, steps),
            Heuristic::EdgeMidpoint => self.settle::<R, ByNodes<true>>(rules, steps),
        }
    }

    #[inline(never)]
    fn settle<R: Rules, M: Method<C, R>>(&mut self, rules: &R, steps: u32) -> Result<bool, QueryError> {
        for _ in 0..steps {
            let Some(number) = self.next_open::<R, M>() else {
                if !self.should_search_dead_ends() {
                    return Ok(true);
                }
                self.put_start()?;
                continue;
            };
            let node = M::pool(self.query).get(number);
            let (polygon, parent) = (node.polygon(), node.parent());
            if polygon == self.state.goal.polygon {
                self.state.reached = Some(number);
                return Ok(true);
            }
            let poly = self.mesh.locate_node(polygon)?;
            let from = M::close(self, rules, number, poly);
            // The path back is never shorter.
            let came_from = M::pool(self.query).came_from(parent);
            for portal in poly.portals() {
                if !came_from.is(portal.to) {
                    M::relax(self, rules, &from, portal, false);
                }
            }
            if poly.is_off_mesh() || poly.has_off_mesh_in_tile() {
                self.settle_off_mesh::<R, M>(rules, &poly, &from, came_from);
            }
        }
        Ok(false)
    }

    /// Takes the cheapest node or label that is not settled off the open list.
    #[inline(always)]
    fn next_open<R: Rules, M: Method<C, R>>(&mut self) -> Option<u32> {
        loop {
            let number = self.query.open.pop()?;
            if !M::pool(self.query).get(number).is_closed() {
                return Some(number);
            }
        }
    }

    /// Looks at the off-mesh links of a settled node or label. It is a separate function because links are
    /// few.
    #[cold]
    #[inline(never)]
    fn settle_off_mesh<R: Rules, M: Method<C, R>>(
        &mut self,
        rules: &R,
        poly: &Poly<'_>,
        from: &M::Settled<'_>,
        came_from: Origin,
    ) {
        poly.visit_off_mesh_portals(self.mesh, |portal| {
            if !came_from.is(portal.to) {
                M::relax(self, rules, from, portal, true);
            }
        });
    }

    /// Returns true if the search must run again with the dead ends that were left out. Without a path to the
    /// goal, one of them may be the polygon nearest to it.
    fn should_search_dead_ends(&mut self) -> bool {
        let [searched, left_out] = self.state.dead_ends;
        let again = left_out && !searched && !self.state.full;
        self.state.dead_ends[0] |= again;
        again
    }

    /// Returns true if a portal is left out because it leads to a dead end that is not the goal's polygon.
    #[inline]
    pub(super) fn leaves_out(&mut self, portal: &Portal) -> bool {
        let leaves_out =
            portal.is_to_dead_end && portal.to != self.state.goal.polygon && !self.state.dead_ends[0];
        self.state.dead_ends[1] |= leaves_out;
        leaves_out
    }
}

/// The method of judging paths in a search: by nodes or by labels. Each has its own loop, compiled for each
/// form of the rules.
pub(super) trait Method<C, R>: Sized {
    /// A node or label.
    type Node: PoolNode;
    /// A settled node or label, and the known properties of its polygon.
    type Settled<'a>;

    fn pool(query: &Query) -> &NodePool<Self::Node>;

    /// Settles a node or label.
    fn close<'a>(search: &mut Search<'_, C>, rules: &R, number: u32, poly: Poly<'a>) -> Self::Settled<'a>;

    /// Looks at one portal of a settled node or label. `is_off_mesh` is true if the portal leads onto an
    /// off-mesh link or off it.
    fn relax(
        search: &mut Search<'_, C>,
        rules: &R,
        from: &Self::Settled<'_>,
        portal: &Portal,
        is_off_mesh: bool,
    );
}

/// A label for each path into a polygon that is worth keeping: see `funnel_search.rs`.
pub(super) struct ByLabels;

/// One node per polygon, with one cost. By edge midpoints, one node per polygon and side of the tile, as in
/// Detour.
struct ByNodes<const BY_MIDPOINT: bool>;

/// A settled node, and the known properties of its polygon.
pub(super) struct SettledNode<'a, R: Rules> {
    number: u32,
    /// The point where it was entered.
    point: Vec3,
    /// Cost from the start to there.
    cost: f64,
    key: R::Key,
    poly: Poly<'a>,
}

impl<C: CostModel, R: Rules, const BY_MIDPOINT: bool> Method<C, R> for ByNodes<BY_MIDPOINT> {
    type Node = Node;
    type Settled<'a> = SettledNode<'a, R>;

    #[inline]
    fn pool(query: &Query) -> &NodePool<Node> {
        &query.nodes
    }

    #[inline(always)]
    fn close<'a>(search: &mut Search<'_, C>, rules: &R, number: u32, poly: Poly<'a>) -> SettledNode<'a, R> {
        // Field by field: a wide load of fields that were just written one by one would stall.
        let Node { point, cost, .. } = *search.query.nodes.get(number);
        search.query.nodes.get_mut(number).closed = true;
        SettledNode { number, point, cost, key: rules.key(&poly), poly }
    }

    #[inline(always)]
    fn relax(
        search: &mut Search<'_, C>,
        rules: &R,
        from: &SettledNode<'_, R>,
        portal: &Portal,
        is_off_mesh: bool,
    ) {
        if search.leaves_out(portal) {
            return;
        }
        let side = if BY_MIDPOINT { portal.detour_side } else { 0 };
        let known = search.query.nodes.find_on(portal.to, side);
        // The entry point of the node, the estimated cost from there, and the total to improve on.
        let (mut point, mut remaining, mut bound) = (portal.middle, 0.0, f64::INFINITY);
        if let Ok(known) = known {
            let node = search.query.nodes.get(known);
            if node.closed {
                return;
            }
            (point, remaining, bound) = (node.point, node.remaining, node.cost + node.remaining);
        }
        let Some(next) = rules.enter(search.mesh, &from.poly, portal.to) else { return };
        let goal = search.state.goal;
        if is_off_mesh {
            point = over_link(search.mesh, &from.poly, portal, [from.point, goal.point]);
        } else if !BY_MIDPOINT {
            let t = shortest_crossing(portal.right, portal.left, from.point, goal.point);
            point = lerp(portal.right, portal.left, t);
        }
        // By midpoints, a node keeps its point, and so its remaining distance.
        if is_off_mesh || !BY_MIDPOINT || known.is_err() {
            remaining = search.remaining(point);
        }
        let Some(mut cost) = rules.cost(from.point, point, from.key, Some(next)) else { return };
        cost += from.cost;
        if portal.to == goal.polygon {
            let Some(rest) = rules.cost(point, goal.point, next, None) else { return };
            (cost, remaining) = (cost + rest, 0.0);
        }
        let total = cost + remaining;
        if total >= bound {
            return;
        }
        let node = Node { side, remaining, ..Node::reached(portal.to, point, from.number, cost) };
        match search.query.nodes.put(known, node) {
            Some(number) => search.query.open.push(number, total, remaining),
            None => search.state.full = true,
        }
    }
}
