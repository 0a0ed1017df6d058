//! Finds paths on one mesh, and explains why there is none.

use super::answer::{PathAnswer, Status};
use super::args::PathArgs;
use crate::failure::Failure;
use crate::mesh::Loaded;
use crate::report::rounded;
use detour::{
    CostModel, Filter, Heuristic, Nearest, Optimality, PartialReason, PathOptions, Query, QueryError, Route,
    RouteError, RouteOptions, Vec3,
};
use std::num::NonZeroU32;

/// Nodes that a search may take per polygon.
const NODES_PER_POLYGON: u32 = 64;

/// Everything that queries on one mesh share.
pub(super) struct Finder<'a> {
    pub(super) loaded: &'a Loaded,
    filter: Filter,
    query: Query,
    options: RouteOptions,
}

impl<'a> Finder<'a> {
    /// Reads the search and how far an end may be from the mesh from the call.
    pub(super) fn new(loaded: &'a Loaded, args: &PathArgs) -> Result<Finder<'a>, Failure> {
        let filter = loaded.filter()?;
        let optimality = if args.optimal { Optimality::Shortest } else { Optimality::Default };
        if args.optimal && filter.uniform_cost().is_none() {
            return Err(unequal_costs(args, loaded));
        }
        let heuristic = if args.like_detour { Heuristic::EdgeMidpoint } else { Heuristic::default() };
        // Enough that a search does not give up early: the default search takes up to eight per polygon, the shortest
        // about seven where it has to search all of a level. Memory goes with those that are taken.
        let polygons = u32::try_from(loaded.mesh.polygon_count()).unwrap_or(u32::MAX);
        let nodes = NonZeroU32::new(polygons.saturating_mul(NODES_PER_POLYGON)).unwrap_or(NonZeroU32::MIN);
        let nodes = nodes.max(detour::DEFAULT_MAX_NODES);
        Ok(Finder {
            loaded,
            filter,
            query: Query::with_max_nodes(nodes),
            options: RouteOptions {
                half_extents: Vec3::from_array(args.snap.map(|extent| extent as f32)),
                optimality,
                search: PathOptions { heuristic },
                ..RouteOptions::default()
            },
        })
    }

    /// The path between two places, world metres.
    pub(super) fn find(&mut self, from: [f64; 3], to: [f64; 3]) -> Result<PathAnswer, Failure> {
        let mesh = &self.loaded.mesh;
        let (start, goal) = (mesh.from_world(from), mesh.from_world(to));
        match self.query.route(mesh, start, goal, &self.filter, &self.options) {
            Ok(route) => Ok(self.found(&route, to)),
            Err(RouteError::Start(_) | RouteError::Goal(_)) => Ok(self.off_mesh(from, to)),
            Err(RouteError::Path(error)) => {
                Err(Failure::circumstances(format!("the path could not be searched: {error}")))
            }
        }
    }

    fn found(&self, route: &Route, to: [f64; 3]) -> PathAnswer {
        let points: Vec<[f64; 3]> =
            route.points.iter().map(|&point| self.loaded.mesh.to_world(point).map(rounded)).collect();
        let short_of = points.last().map_or(0.0, |&end| distance(end, to));
        let (status, reason) = match route.reason() {
            None => (Status::Complete, None),
            Some(reason) => {
                let status = match reason {
                    PartialReason::OutOfNodes => Status::Partial,
                    PartialReason::Unreachable | PartialReason::GoalExcluded => Status::Unreachable,
                };
                (status, Some(format!("{reason}; the path ends {short_of:.2} m from it")))
            }
        };
        PathAnswer {
            status,
            length: route.length,
            points,
            polygons: route.polygons.len(),
            from_moved: Some(route.start.distance),
            to_moved: Some(route.goal.distance),
            reason,
        }
    }

    fn off_mesh(&mut self, from: [f64; 3], to: [f64; 3]) -> PathAnswer {
        let mut reasons = Vec::new();
        let moved = [("start", from), ("goal", to)].map(|(end, place)| match self.snap(place) {
            Ok(nearest) => Some(nearest.distance),
            Err(error) => {
                reasons.push(self.why_off_mesh(end, place, &error));
                None
            }
        });
        PathAnswer::off_mesh(moved[0], moved[1], reasons.join("; "))
    }

    fn snap(&mut self, place: [f64; 3]) -> Result<Nearest, QueryError> {
        let mesh = &self.loaded.mesh;
        self.query.nearest(mesh, mesh.from_world(place), self.options.half_extents, &self.filter)
    }

    fn why_off_mesh(&mut self, end: &str, [x, y, z]: [f64; 3], error: &QueryError) -> String {
        let place = format!("the {end} ({x}, {y}, {z}) is not on the mesh");
        let extents = self.options.half_extents;
        let why = match error {
            QueryError::NothingNear { reason, .. } => {
                format!("within {} x {} x {} m of it: {reason}", extents.x, extents.y, extents.z)
            }
            other => other.to_string(),
        };
        match self.nearest_anywhere([x, y, z]) {
            Some((point, distance)) => {
                let [x, y, z] = self.loaded.mesh.to_world(point);
                format!("{place}; {why}; the nearest mesh is {distance:.2} m away, at {x:.3}, {y:.3}, {z:.3}")
            }
            None => format!("{place}; {why}"),
        }
    }

    /// The point of the whole mesh nearest to a place, and its distance.
    fn nearest_anywhere(&mut self, place: [f64; 3]) -> Option<(Vec3, f32)> {
        let mesh = &self.loaded.mesh;
        let position = mesh.from_world(place);
        // A refusal here (a place too far off for f32) only shortens the answer.
        let nearest = self.query.nearest_anywhere(mesh, position, &self.filter).ok().flatten()?;
        Some((nearest.point, nearest.point.distance(position)))
    }
}

/// Why `--optimal` is refused: the areas of the file and their costs.
fn unequal_costs(args: &PathArgs, loaded: &Loaded) -> Failure {
    let costs: Vec<String> =
        loaded.meta.areas.iter().map(|area| format!("{} {}", area.name, area.cost)).collect();
    Failure::call(format!(
        "{}: --optimal finds the shortest path, but the areas of this file differ in cost per metre: {}",
        args.file.display(),
        costs.join(", ")
    ))
    .help("leave --optimal out for the cheapest path, or bake the level with one cost for all areas")
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt()
}
