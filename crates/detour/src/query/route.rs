//! From a position to a position, in one call: snap both to the mesh, find a path, pull it straight, lift its
//! points onto the surface. The path may be the usual one or the shortest.

use super::Query;
use super::find_path::{PartialReason, Path, PathOptions, PathStatus, Place};
use super::nearest::Nearest;
use super::shortest_path::{ShortestPath, UniformCost};
use super::straight_path::{Crossings, StraightPath};
use crate::error::QueryError;
use crate::filter::{Attributes, CostModel, FilterId, Step};
use crate::islands::Reachable;
use crate::mesh::NavMesh;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use thiserror::Error;

/// How good a route is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimality {
    /// That of [`Query::find_path`]: honours costs of areas, and is the shortest but for a few in ten thousand where
    /// a metre costs the same everywhere.
    #[default]
    Usual,
    /// The shortest as seen from above, as [`Query::shortest_path`] finds it: exact across tiles, storeys and off-mesh
    /// links, which are chosen by the search itself. A route that is complete is the shortest; if the query's nodes
    /// run out before that is certain, the route is partial. Takes about ten times as long. A model by which areas cost
    /// differently is refused ([`QueryError::UnequalCosts`]); `shortest_path` itself refuses it by type.
    Shortest,
}

/// How a route is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RouteOptions {
    /// How far start and goal may lie from the mesh along each axis, metres. 2, 4 and 2 by default: a body's
    /// height and a step beside the mesh, for an agent of human size.
    pub half_extents: Vec3,
    /// How good it is to be.
    pub optimality: Optimality,
    /// Options of the usual search.
    pub search: PathOptions,
    /// Which points between corners are wanted. With all crossings the points follow slopes more closely.
    pub crossings: Crossings,
}

impl Default for RouteOptions {
    fn default() -> RouteOptions {
        RouteOptions {
            half_extents: Vec3::new(2.0, 4.0, 2.0),
            optimality: Optimality::default(),
            search: PathOptions::default(),
            crossings: Crossings::None,
        }
    }
}

/// A way from a position to a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Whether it reaches the goal.
    pub status: PathStatus,
    /// The points to walk along, on the surface; the first is the start, the last the goal or as near as the
    /// route comes. [`Query::straight_path`] tells which of them are ends of off-mesh links.
    pub points: Vec<Vec3>,
    /// Sum of the distances between the points, metres.
    pub length: f32,
    /// The polygons it leads through, and the off-mesh links it takes.
    pub polygons: Vec<PolyRef>,
    /// What the search reckons it costs.
    pub cost: f64,
    /// Where the start came to lie on the mesh, and how far it was moved.
    pub start: Nearest,
    /// Where the goal came to lie on the mesh, and how far it was moved.
    pub goal: Nearest,
}

impl Route {
    /// Why the route ends short of the goal; `None` if it does not.
    pub fn reason(&self) -> Option<PartialReason> {
        self.status.reason()
    }
}

/// Why there is no route, not even a partial one.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RouteError {
    /// The start is not on the mesh.
    #[error("start: {0}")]
    Start(#[source] QueryError),
    /// The goal is not on the mesh.
    #[error("goal: {0}")]
    Goal(#[source] QueryError),
    /// The search was refused.
    #[error("path: {0}")]
    Path(#[source] QueryError),
}

impl Query {
    /// Finds the way from `start` to `goal`, both metres from the mesh's anchor.
    pub fn route(
        &mut self,
        mesh: &NavMesh,
        start: Vec3,
        goal: Vec3,
        filter: &impl CostModel,
        options: &RouteOptions,
    ) -> Result<Route, RouteError> {
        let start = self.nearest(mesh, start, options.half_extents, filter).map_err(RouteError::Start)?;
        let goal = self.nearest(mesh, goal, options.half_extents, filter).map_err(RouteError::Goal)?;
        let (mut path, mut straight) = (Path::default(), StraightPath::default());
        let ends = [start.place(), goal.place()];
        match options.optimality {
            Optimality::Usual => self.find_path(mesh, ends[0], ends[1], filter, &options.search, &mut path),
            Optimality::Shortest => self.find_shortest(mesh, ends, filter, &mut path),
        }
        .map_err(RouteError::Path)?;
        let crossings = options.crossings;
        self.straight_path(mesh, start.point, goal.point, &path.polygons, crossings, &mut straight)
            .map_err(RouteError::Path)?;
        let mut points = Vec::with_capacity(straight.corners.len());
        for corner in &straight.corners {
            // Where a link starts or ends is on the surface as it is.
            let off_mesh =
                mesh.is_off_mesh(corner.polygon).map_err(QueryError::from).map_err(RouteError::Path)?;
            if off_mesh {
                points.push(corner.point);
                continue;
            }
            let height = mesh.height(corner.polygon, corner.point).map_err(RouteError::Path)?;
            points.push(Vec3 { y: height.unwrap_or(corner.point.y), ..corner.point });
        }
        let length = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let Path { status, polygons, cost, .. } = path;
        Ok(Route { status, points, length, polygons, cost, start, goal })
    }
}

/// A model of which it is known that a metre costs the same everywhere.
struct Uniform<'a, C>(&'a C);

impl<C: CostModel> UniformCost for Uniform<'_, C> {}

impl<C: CostModel> CostModel for Uniform<'_, C> {
    #[inline]
    fn passes(&self, polygon: &Attributes) -> bool {
        self.0.passes(polygon)
    }

    #[inline]
    fn cost(&self, step: &Step) -> f32 {
        self.0.cost(step)
    }

    #[inline]
    fn minimum_cost(&self) -> f32 {
        self.0.minimum_cost()
    }

    #[inline]
    fn uniform_cost(&self) -> Option<f32> {
        self.0.uniform_cost()
    }

    #[inline]
    fn passes_all(&self) -> bool {
        self.0.passes_all()
    }

    #[inline]
    fn registration(&self) -> Option<FilterId> {
        self.0.registration()
    }
}

impl Query {
    /// Finds the shortest way, over off-mesh links too, and puts it into `path`.
    fn find_shortest(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [Place; 2],
        filter: &impl CostModel,
        path: &mut Path,
    ) -> Result<(), QueryError> {
        let Some(metre) = filter.uniform_cost() else { return Err(QueryError::UnequalCosts) };
        if mesh.reachable(start.polygon, goal.polygon, filter)? == Reachable::No {
            // The search for the shortest would look at all of the island in vain; this one goes where it ends.
            return self.find_path(mesh, start, goal, filter, &PathOptions::default(), path);
        }
        let mut shortest = ShortestPath::default();
        self.shortest_path(mesh, start, goal, &Uniform(filter), &mut shortest)?;
        let ShortestPath { status, corners, polygons, length, touched } = shortest;
        let end = corners.last().map_or(goal.point, |corner| corner.point);
        *path = Path { status, polygons, end, cost: length * f64::from(metre), touched };
        Ok(())
    }
}
