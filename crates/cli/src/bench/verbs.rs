//! The queries that are timed, and random places for them, here and in the benches over the scenes.

use detour::{
    CostModel, Crossings, Filter, Ground, NavMesh, Neighbourhood, Path, PathOptions, Place, Query,
    QueryError, Ray, Slide, StraightPath, Surroundings, Vec3,
};
use navmath::SplitMix64;

/// Half extents of the search for the nearest polygon, metres.
const EXTENTS: Vec3 = Vec3::new(2.0, 4.0, 2.0);
/// Radius of the circle, and of the search for walls, metres.
const CIRCLE: f32 = 10.0;
/// Radius of the neighbourhood, metres.
const NEIGHBOURHOOD: f32 = 12.0;
/// Maximum number of polygons of a neighbourhood.
const NEIGHBOURS: usize = 1_024;
/// Number of draws per requested pair before the search for a connected pair ends.
const DRAWS: usize = 100;

/// The places of a query.
pub(super) struct Pair {
    pub(super) start: Place,
    goal: Place,
    /// A place next to and above the start, from which the nearest polygon is searched.
    near: Vec3,
    path: Path,
}

/// Memory for answers.
#[derive(Default)]
pub(super) struct Room {
    pub(super) query: Query,
    path: Path,
    straight: StraightPath,
    ray: Ray,
    slide: Slide,
    around: Surroundings,
    near: Neighbourhood,
}

pub(super) type Verb = fn(&mut Room, &NavMesh, &Filter, &Pair) -> Result<f64, QueryError>;

/// The queries, each with a number that represents its answer.
pub(super) const VERBS: [(&str, Verb); 8] = [
    ("nearest", |room, mesh, filter, pair| {
        Ok(f64::from(room.query.nearest(mesh, pair.near, EXTENTS, filter)?.distance))
    }),
    ("find_path", |room, mesh, filter, pair| {
        let options = PathOptions::default();
        room.query.find_path(mesh, pair.start, pair.goal, filter, &options, &mut room.path)?;
        Ok(room.path.polygons.len() as f64)
    }),
    ("straight_path", |room, mesh, _, pair| {
        let (start, goal) = (pair.start.point, pair.goal.point);
        let (polygons, none) = (&pair.path.polygons, Crossings::None);
        room.query.straight_path(mesh, start, goal, polygons, none, &mut room.straight)?;
        Ok(room.straight.corners.len() as f64)
    }),
    ("raycast", |room, mesh, filter, pair| {
        room.query.raycast(mesh, pair.start, pair.goal.point, filter, &mut room.ray)?;
        Ok(room.ray.fraction)
    }),
    ("slide", |room, mesh, filter, pair| {
        room.query.slide(mesh, pair.start, pair.goal.point, filter, &mut room.slide)?;
        Ok(f64::from(room.slide.point.x))
    }),
    ("wall_distance", |room, mesh, filter, pair| {
        let wall = room.query.wall_distance(mesh, pair.start, CIRCLE, filter)?;
        Ok(wall.map_or(-1.0, |wall| f64::from(wall.distance)))
    }),
    ("circle", |room, mesh, filter, pair| {
        room.query.around_circle(mesh, pair.start, CIRCLE, filter, &mut room.around)?;
        Ok(room.around.polygons.len() as f64)
    }),
    ("neighbourhood", |room, mesh, filter, pair| {
        let near = &mut room.near;
        room.query.neighbourhood(mesh, pair.start, NEIGHBOURHOOD, NEIGHBOURS, filter, near)?;
        Ok(room.near.polygons.len() as f64)
    }),
];

/// Random connected pairs, evenly spread over the ground.
pub(super) fn pairs(
    mesh: &NavMesh,
    filter: &impl CostModel,
    query: &mut Query,
    count: usize,
) -> Result<Vec<Pair>, QueryError> {
    let ground = Ground::new(mesh, filter);
    let mut pairs = Vec::new();
    if ground.area() <= 0.0 {
        return Ok(pairs);
    }
    let (mut random, mut path) = (SplitMix64::new(1), Path::default());
    for _ in 0..count.saturating_mul(DRAWS) {
        if pairs.len() == count {
            break;
        }
        let start = query.random_point_on(&ground, || random.unit())?;
        let goal = query.random_point_on(&ground, || random.unit())?;
        query.find_path(mesh, start, goal, filter, &PathOptions::default(), &mut path)?;
        if path.polygons.last() != Some(&goal.polygon) {
            continue;
        }
        let aside = Vec3::new(random.unit() as f32 - 0.5, 0.5, random.unit() as f32 - 0.5);
        pairs.push(Pair { start, goal, near: start.point + aside, path: path.clone() });
    }
    Ok(pairs)
}
