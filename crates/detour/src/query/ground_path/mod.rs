//! The cheapest line over the ground, for agents to whom slopes cost something or are too steep.
//!
//! Polygons of terrain are large, and the triangles of their detail mesh carry the hills, so a corridor of
//! polygons does not say where a path leads. Over one triangle the cost of a straight move is a convex
//! function of its vector: the length in space times the cost of the area, plus the cost of the height that
//! is gained or lost. So the cheapest path is straight over each triangle, and bends where it leads to the
//! next.
//!
//! 1. A* over points on the edges of triangles (`search.rs`) finds the triangles that the line crosses. Its
//!    estimate is never more than the cost, so that the path over these points is the cheapest.
//! 2. The cost is convex in the places where the line crosses edges, so their best places are found exactly
//!    (`improve.rs`). The line is taken to the other side of corners that it touches, where that is cheaper
//!    (`flips.rs`).
//!
//! A move that is steeper than a limit is walked in a zigzag that is just as steep as the limit (`moves.rs`).
//!
//! Cost: O(n log n) in the points touched, which the query's nodes bound. docs/paths.md has the costs of
//! lines compared with a dense search, and times. Deterministic: points with equal estimates are taken in a
//! fixed order. Source: M. Lanthier, A. Maheshwari, J.-R. Sack, Approximating weighted shortest paths on
//! polyhedral surfaces (1997), for points on edges; the improvement is our own.

mod corners;
mod ends;
mod flips;
mod graph;
mod improve;
mod line;
mod links;
mod moves;
mod search;

use super::Query;
use super::find_path::{PartialReason, PathStatus};
use super::straight_path::{Corner, CornerKind};
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::mesh::{NavMesh, Reachable};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use corners::{Slack, cost_along, thin};
use flips::{FlipScratch, improve_line};
use glam::Vec3;
use graph::{GroundGraph, Spacing};
use improve::ImproveScratch;
use line::GroundLine;
use moves::Moves;
use search::{GroundEnd, GroundSearch};

/// The points on edges that a search may look at for each node of the query: they are a quarter of the size.
const POINTS_PER_NODE: usize = 4;

/// The cheapest line over the ground. Reuse one to reuse its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroundPath {
    /// Complete if the line reaches the goal, otherwise the reason why it does not.
    pub status: PathStatus,
    /// The points of the line, on the surface, from the start to the end; at least these two after a search.
    /// The ground between two points is straight, except over an off-mesh link.
    pub corners: Vec<Corner>,
    /// The polygons and off-mesh links that it leads through; each has a link to the next.
    pub polygons: Vec<PolyRef>,
    /// Its cost.
    pub cost: f64,
    /// Its length over the ground, metres.
    pub length: f64,
    /// Its length as seen from above, metres.
    pub length_from_above: f64,
    /// Number of points on edges that the search used.
    pub touched: usize,
}

/// Memory for searches over the ground.
#[derive(Debug, Default)]
pub(super) struct GroundScratch {
    graph: GroundGraph,
    seeds: Vec<GroundEnd>,
    targets: Vec<GroundEnd>,
    line: GroundLine,
    improve: ImproveScratch,
    flips: FlipScratch,
}

impl Query {
    /// Finds the cheapest line over the ground from `start` to `goal` and writes it to `path`: by the costs
    /// of areas, and by the costs and limits of slopes ([`CostModel::slopes`]). If there is no such line, it
    /// leads as near to the goal as the search came, and its status is the reason. Start and goal may be on
    /// off-mesh links. A search looks at up to four points on edges of triangles for each node of the query.
    ///
    /// The start's polygon need not pass the filter, so that an agent on forbidden ground can leave it.
    /// Limits of slopes do not hold for off-mesh links, and not for the step between two tiles of different
    /// height.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("slopes")?)?;
    /// use detour::{Filter, GroundPath, Query, Vec3};
    ///
    /// let (mut query, box_size) = (Query::new(), Vec3::new(1.0, 4.0, 1.0));
    /// let uphill = Filter::default().with_climb_cost(5.0)?;
    /// let start = query.nearest(&mesh, Vec3::new(1.0, 0.0, 1.0), box_size, &uphill)?.place();
    /// let goal = query.nearest(&mesh, Vec3::new(10.0, 0.0, 10.0), box_size, &uphill)?.place();
    /// let (mut there, mut back) = (GroundPath::default(), GroundPath::default());
    /// query.ground_path(&mesh, start, goal, &uphill, &mut there)?;
    /// query.ground_path(&mesh, goal, start, &uphill, &mut back)?;
    /// // The same line both ways, but one of them climbs what the other descends.
    /// let climbed = f64::from(goal.point.y - start.point.y);
    /// assert!((there.cost - back.cost - 5.0 * climbed).abs() < 0.01);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ground_path(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        goal: Place,
        filter: &impl CostModel,
        path: &mut GroundPath,
    ) -> Result<(), QueryError> {
        let mut scratch = std::mem::take(&mut self.ground);
        let result = self.ground_path_with(&mut scratch, mesh, [start, goal], filter, path);
        self.ground = scratch;
        result
    }

    fn ground_path_with(
        &mut self,
        scratch: &mut GroundScratch,
        mesh: &NavMesh,
        [start, goal]: [Place; 2],
        filter: &impl CostModel,
        path: &mut GroundPath,
    ) -> Result<(), QueryError> {
        check_position("start", start.point)?;
        check_position("goal", goal.point)?;
        let moves = Moves::new(&filter.slopes());
        let mut nearest = None;
        if mesh.reachable_with(&mut self.reach, [start.polygon, goal.polygon], filter)? == Reachable::No {
            nearest = self.nearest_reachable(mesh, start.polygon, goal.point, filter)?;
        }
        let aim = nearest.unwrap_or(goal);
        let GroundScratch { graph, seeds, targets, line, improve, flips, .. } = scratch;
        let least = filter.minimum_cost();
        let spacing = Spacing::for_costs(&filter.slopes(), least, start.point.distance(aim.point).into());
        graph.clear((self.max_nodes().get() as usize).saturating_mul(POINTS_PER_NODE), spacing);
        graph.list_seeds(mesh, filter, &moves, start, seeds)?;
        graph.list_targets(mesh, filter, &moves, aim, targets)?;
        let mut search = GroundSearch {
            mesh,
            filter,
            moves,
            graph: &mut *graph,
            open: &mut self.open,
            seeds,
            targets,
            goal: aim.point.as_dvec3(),
            scale: if least.is_finite() && least > 0.0 { least.into() } else { 0.0 },
            best: (f64::INFINITY, 0, 0),
        };
        let found = search.run()?;
        let (_, node, target) = search.best;
        let node = if found { Some(node) } else { search.nearest() };
        let target = if found { Some(target) } else { None };
        path.restart();
        path.touched = graph.points();
        path.status = match (found, nearest) {
            (true, None) => PathStatus::Complete,
            _ if !filter.passes(&mesh.attributes(goal.polygon)?) => {
                PathStatus::Partial(PartialReason::GoalExcluded)
            }
            (false, _) if graph.is_full => PathStatus::Partial(PartialReason::OutOfNodes),
            _ => PathStatus::Partial(PartialReason::Unreachable),
        };
        let seed = match node {
            Some(node) => graph.trace(node, target.map(|target| targets[target]), seeds, line),
            None => graph.trace(search::SEED, None, seeds, line),
        };
        improve_line((graph, mesh, filter), &moves, line, (improve, flips))?;
        graph.write(&moves, line, &mut path.corners, &mut path.polygons);
        path.add_links([start, aim], seeds.get(seed).is_some(), target.is_some(), mesh)?;
        path.finish(mesh, filter, &moves)
    }
}

impl GroundPath {
    fn restart(&mut self) {
        self.corners.clear();
        self.polygons.clear();
        (self.cost, self.length, self.length_from_above) = (0.0, 0.0, 0.0);
    }

    /// Adds the off-mesh links that the start and the goal are on.
    fn add_links(
        &mut self,
        [start, goal]: [Place; 2],
        has_line: bool,
        reaches_goal: bool,
        mesh: &NavMesh,
    ) -> Result<(), QueryError> {
        let corner = |place: Place, kind| Corner { point: place.point, kind, polygon: place.polygon };
        if mesh.is_off_mesh(start.polygon)? {
            if let Some(first) = self.corners.first_mut() {
                first.kind = CornerKind::LinkEnd;
            }
            self.corners.insert(0, corner(start, CornerKind::Start));
            self.polygons.insert(0, start.polygon);
        } else if !has_line {
            self.corners.push(corner(start, CornerKind::Start));
            self.polygons.push(start.polygon);
        }
        if reaches_goal && mesh.is_off_mesh(goal.polygon)? {
            if let Some(last) = self.corners.last_mut() {
                (last.kind, last.polygon) = (CornerKind::LinkStart, goal.polygon);
            }
            self.corners.push(corner(goal, CornerKind::End));
            self.polygons.push(goal.polygon);
        }
        if let [only] = self.corners[..] {
            self.corners.push(Corner { kind: CornerKind::End, ..only });
        }
        Ok(())
    }

    /// Leaves out points where nothing bends, and sums up.
    fn finish(&mut self, mesh: &NavMesh, filter: &impl CostModel, moves: &Moves) -> Result<(), QueryError> {
        let rate = |corner: &Corner| {
            mesh.attributes(corner.polygon).map_or(0.0, |attributes| graph::rate_of(filter, attributes))
        };
        thin(&Slack::of(mesh), &mut self.corners, rate);
        self.cost = cost_along(mesh, filter, moves, &self.corners)?;
        for pair in self.corners.windows(2) {
            let along = (pair[1].point - pair[0].point).as_dvec3();
            self.length += along.length();
            self.length_from_above += along.with_y(0.0).length();
        }
        Ok(())
    }

    /// The last point.
    pub(super) fn end(&self) -> Vec3 {
        self.corners.last().map_or(Vec3::ZERO, |corner| corner.point)
    }
}
