//! A route from one position to another, in one call: snaps both to the mesh, finds a path, pulls it
//! straight, and lifts its points onto the surface.

use super::Query;
use super::find_path::{Optimality, PartialReason, Path, PathOptions, PathStatus};
use super::ground_path::GroundPath;
use super::nearest::Nearest;
use super::straight_path::{Corner, CornerKind, Crossings, StraightPath};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::error::Error;
use std::fmt;

/// Options for finding a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RouteOptions {
    /// The largest distance of start and goal from the mesh along each axis, metres. 2, 4 and 2 by default:
    /// an agent of human size may be its own height off the ground and a step off the mesh.
    pub half_extents: Vec3,
    /// The search that finds it.
    pub optimality: Optimality,
    /// The points between corners to add.
    pub crossings: Crossings,
    /// Adds points at bends of the ground instead, so that the route can be drawn along it:
    /// [`Query::surface_path`]. Off by default.
    pub follow_surface: bool,
}

/// A leg of a route that leads over an off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteLink {
    /// Index of the point of the route where the link is entered, counted from 0. It is left at the next
    /// point.
    pub start: usize,
    /// The link: [`NavMesh::off_mesh`] describes it.
    pub link: PolyRef,
}

impl Default for RouteOptions {
    fn default() -> RouteOptions {
        RouteOptions {
            half_extents: Vec3::new(2.0, 4.0, 2.0),
            optimality: Optimality::default(),
            crossings: Crossings::None,
            follow_surface: false,
        }
    }
}

/// A route from one position to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Complete if the route reaches the goal, otherwise the reason why it does not.
    pub status: PathStatus,
    /// The points to walk along, on the surface; the first is the start, the last the goal or the point where
    /// the route ends.
    pub points: Vec<Vec3>,
    /// The legs that lead over off-mesh links, in order.
    pub links: Vec<RouteLink>,
    /// Sum of the distances between the points in space, metres. On hills the distance over the ground is
    /// longer, unless [`RouteOptions::follow_surface`] is on.
    pub length: f32,
    /// The length as seen from above, metres.
    pub length_from_above: f32,
    /// The polygons that it leads through, and the off-mesh links that it takes.
    pub polygons: Vec<PolyRef>,
    /// Its estimated cost.
    pub cost: f64,
    /// The start, snapped to the mesh, with the distance that it was moved.
    pub start: Nearest,
    /// The goal, snapped to the mesh, with the distance that it was moved.
    pub goal: Nearest,
}

impl Route {
    /// The reason why the route ends short of the goal; `None` if it is complete.
    pub fn reason(&self) -> Option<PartialReason> {
        self.status.reason()
    }
}

/// The reason why not even a partial route was found.
#[derive(Clone, Debug, PartialEq)]
pub enum RouteError {
    /// The start is not on the mesh.
    Start(QueryError),
    /// The goal is not on the mesh.
    Goal(QueryError),
    /// The search was refused.
    Path(QueryError),
}

impl fmt::Display for RouteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RouteError::Start(error) => write!(f, "start: {error}"),
            RouteError::Goal(error) => write!(f, "goal: {error}"),
            RouteError::Path(error) => write!(f, "path: {error}"),
        }
    }
}

impl Error for RouteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            RouteError::Start(error) => Some(error),
            RouteError::Goal(error) => Some(error),
            RouteError::Path(error) => Some(error),
        }
    }
}

impl Query {
    /// Finds a route from `start` to `goal`, both in metres from the mesh's anchor.
    ///
    /// If slopes cost something or are limited ([`CostModel::slopes`]), the route is the cheapest line over
    /// the ground ([`Query::ground_path`]). It follows the surface whatever the options say, and is no
    /// straighter with [`Optimality::Near`].
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// use detour::{Filter, Query, RouteOptions, Vec3};
    ///
    /// let (start, goal) = (Vec3::new(2.0, 0.0, 2.0), Vec3::new(10.0, 0.0, 2.0));
    /// let options = RouteOptions::default();
    /// let route = Query::new().route(&mesh, start, goal, &Filter::default(), &options)?;
    /// if let Some(reason) = route.reason() {
    ///     println!("the route ends early: {reason}");
    /// }
    /// assert!(route.length >= start.distance(goal) - 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        if !filter.slopes().is_none() && options.optimality != Optimality::Shortest {
            return self.route_over_ground(mesh, [start, goal], filter).map_err(RouteError::Path);
        }
        let (mut path, mut straight) = (Path::default(), StraightPath::default());
        let search = PathOptions { optimality: options.optimality };
        self.find_path(mesh, start.place(), goal.place(), filter, &search, &mut path)
            .map_err(RouteError::Path)?;
        let (from, to) = (start.point, goal.point);
        if options.follow_surface {
            self.surface_path(mesh, from, to, &path.polygons, usize::MAX, &mut straight)
        } else {
            self.straight_path(mesh, from, to, &path.polygons, options.crossings, &mut straight)
        }
        .map_err(RouteError::Path)?;
        let corners = &straight.corners;
        let mut points = Vec::with_capacity(corners.len());
        for corner in corners {
            let poly = mesh.locate_node(corner.polygon).map_err(|error| RouteError::Path(error.into()))?;
            points.push(poly.on_surface(corner.point));
        }
        let links = links_of(corners);
        let length = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let Path { status, polygons, cost, .. } = path;
        let length_from_above = straight.length_from_above;
        Ok(Route { status, points, links, length, length_from_above, polygons, cost, start, goal })
    }

    /// The route along the cheapest line over the ground.
    fn route_over_ground(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [Nearest; 2],
        filter: &impl CostModel,
    ) -> Result<Route, QueryError> {
        let mut path = GroundPath::default();
        self.ground_path(mesh, start.place(), goal.place(), filter, &mut path)?;
        let links = links_of(&path.corners);
        let points = path.corners.iter().map(|corner| corner.point).collect();
        let GroundPath { status, polygons, cost, length, length_from_above, .. } = path;
        let [length, length_from_above] = [length, length_from_above].map(|length| length as f32);
        Ok(Route { status, points, links, length, length_from_above, polygons, cost, start, goal })
    }
}

/// The legs that lead over off-mesh links.
fn links_of(corners: &[Corner]) -> Vec<RouteLink> {
    let leads_over = |pair: &[Corner]| pair[1].kind == CornerKind::LinkEnd;
    let legs = corners.windows(2).enumerate().filter(|(_, pair)| leads_over(pair));
    legs.map(|(start, pair)| RouteLink { start, link: pair[0].polygon }).collect()
}
