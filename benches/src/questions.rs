//! Every question that the runtime answers, asked at random places of a mesh, and one digest of all answers.

use detour::{
    Crossings, Field, Filter, Ground, NavMesh, Neighbourhood, Optimality, Passable, Path, PathOptions, Place,
    Progress, Query, QueryError, Ray, ShortestPath, SlicedPath, Slide, StraightPath, Surroundings, Vec3,
};
use navmath::{Digest, Hasher};
use navscenes::random::SplitMix64;
use std::fmt::Debug;

/// Pairs of places that are queried.
const PAIRS: usize = 32;
/// Radius of queries that have one, metres.
const REACH: f32 = 6.0;

/// Answers, as `Debug` prints them: with every field, and with the shortest numbers that can be read back to
/// the bit.
struct Answers(Hasher);

impl Answers {
    fn add(&mut self, answer: &impl Debug) {
        self.0.write_u8s(format!("{answer:?}\n").as_bytes());
    }
}

/// A digest of all answers about pairs of random places of a mesh.
pub fn digest(mesh: &NavMesh) -> Result<Digest, QueryError> {
    let (mut query, filter) = (Query::new(), Filter::default());
    let ground = Ground::new(mesh, &filter);
    let mut random = SplitMix64::new(11);
    let mut answers = Answers(Hasher::new());
    for _ in 0..PAIRS {
        let mut place = || query.random_point_on(&ground, || random.between(0.0, 1.0));
        let (start, goal) = (place()?, place()?);
        answers.add(&(start, goal));
        // Near the ground and above it, where the nearest point differs from the query point.
        let mut off = || random.between(-2.0, 2.0) as f32;
        let beside = start.point + Vec3::new(off(), off(), off());
        about_point(mesh, &mut query, beside, start, &mut answers)?;
        about_surroundings(mesh, &mut query, start, &mut random, &mut answers)?;
        about_pair(mesh, &mut query, [start, goal], &mut answers)?;
    }
    Ok(answers.0.finish())
}

/// Questions about a point that need not be on the ground, and about the polygon of a place near it.
fn about_point(
    mesh: &NavMesh,
    query: &mut Query,
    point: Vec3,
    near: Place,
    answers: &mut Answers,
) -> Result<(), QueryError> {
    let (filter, box_size) = (Filter::default(), Vec3::splat(3.0));
    answers.add(&query.nearest(mesh, point, box_size, &filter));
    answers.add(&query.nearest_anywhere(mesh, point, &filter)?);
    answers.add(&query.below(mesh, point, REACH, &filter)?);
    answers.add(&query.above(mesh, point, REACH, &filter)?);
    let mut found = Vec::new();
    query.polygons_in_box(mesh, point, box_size, &filter, |polygon| found.push(polygon))?;
    answers.add(&found);
    answers.add(&mesh.closest_point(near.polygon, point)?);
    answers.add(&mesh.closest_point_on_boundary(near.polygon, point)?);
    answers.add(&mesh.height(near.polygon, near.point)?);
    answers.add(&query.nearest_reachable(mesh, near.polygon, point, &filter)?);
    Ok(())
}

/// Questions about the surroundings of a place.
fn about_surroundings(
    mesh: &NavMesh,
    query: &mut Query,
    place: Place,
    random: &mut SplitMix64,
    answers: &mut Answers,
) -> Result<(), QueryError> {
    let filter = Filter::default();
    answers.add(&query.wall_distance(mesh, place, REACH, &filter)?);
    let mut segments = Vec::new();
    query.outline(mesh, place.polygon, &filter, |segment| segments.push(segment))?;
    query.wall_segments(mesh, place.polygon, &filter, |segment| segments.push(segment))?;
    answers.add(&segments);
    let mut around = Surroundings::default();
    query.around_circle(mesh, place, REACH, &filter, &mut around)?;
    answers.add(&around);
    let corner = |x, z| place.point + Vec3::new(x, 0.0, z);
    let shape = [corner(-1.0, -1.0), corner(REACH, -1.0), corner(REACH, 2.0), corner(-1.0, 1.0)];
    query.around_shape(mesh, place, &shape, &filter, &mut around)?;
    answers.add(&around);
    let mut near = Neighbourhood::default();
    query.neighbourhood(mesh, place, REACH, 64, &filter, &mut near)?;
    answers.add(&near);
    let mut unit = || random.between(0.0, 1.0);
    answers.add(&query.random_point(mesh, &filter, &mut unit)?);
    answers.add(&query.random_around(mesh, place, REACH, &filter, &mut unit)?);
    answers.add(&query.random_within(mesh, place, REACH, &filter, &mut unit)?);
    Ok(())
}

/// Questions about the path from one place to another.
fn about_pair(
    mesh: &NavMesh,
    query: &mut Query,
    [start, goal]: [Place; 2],
    answers: &mut Answers,
) -> Result<(), QueryError> {
    let filter = Filter::default();
    answers.add(&mesh.reachable(start.polygon, goal.polygon, &filter)?);
    let mut ray = Ray::default();
    query.raycast(mesh, start, goal.point, &filter, &mut ray)?;
    answers.add(&ray);
    let mut slide = Slide::default();
    query.slide(mesh, start, start.point.lerp(goal.point, 0.2), &filter, &mut slide)?;
    answers.add(&slide);

    let (mut path, mut straight) = (Path::default(), StraightPath::default());
    query.find_path(mesh, start, goal, &filter, &PathOptions::default(), &mut path)?;
    answers.add(&path);
    query.straight_path(mesh, start.point, goal.point, &path.polygons, Crossings::All, &mut straight)?;
    answers.add(&straight);
    let options = PathOptions { optimality: Optimality::Near };
    let mut search = SlicedPath::new(query, mesh.clone(), start, goal, &filter, options)?;
    while search.update(8)? == Progress::Running {}
    search.finish(&mut path)?;
    *query = search.into_query();
    answers.add(&path);
    let legs = query.shortcut(mesh, start.point, goal.point, 64.0, &filter, &mut path.polygons)?;
    answers.add(&(legs, &path.polygons));

    let mut shortest = ShortestPath::default();
    query.shortest_path(mesh, start, goal, &Passable::default(), &mut shortest)?;
    answers.add(&shortest);
    let mut field = Field::default();
    query.field(mesh, &[goal], f32::INFINITY, &filter, &mut field)?;
    answers.add(&(field.distance(mesh, start), field.direction(mesh, start), field.next(mesh, start)));
    Ok(())
}
