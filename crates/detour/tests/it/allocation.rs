//! A warm query allocates nothing.

use crate::allocations::allocations_of;
use crate::common::links::{link, linked};
use crate::common::{Grid, at, mesh, place, random_grid};
use detour::{
    Corridor, Crossings, Field, Filter, NavMesh, Neighbourhood, Passable, Path, PathOptions, PolyRef,
    Progress, Query, Ray, ShortestPath, SlicedPath, Slide, StraightOptions, StraightPath, Surroundings, Vec3,
};
use navtile::TileCoord;

/// The answers of every query, kept from one call to the next.
#[derive(Default)]
struct Answers {
    path: Path,
    straight: StraightPath,
    ray: Ray,
    slide: Slide,
    around: Surroundings,
    flat: Neighbourhood,
    polygons: Vec<PolyRef>,
    shortest: ShortestPath,
    corridor: Option<Corridor>,
    field: Field,
}

/// Calls every query that begins at a place, and sums up the results.
fn ask(mesh: &NavMesh, query: &mut Query, answers: &mut Answers, x: f32) -> f64 {
    let (filter, options, half) = (Filter::default(), PathOptions::default(), Vec3::splat(4.0));
    let start = query.nearest(mesh, at(x, 0.5), half, &filter).unwrap().place();
    let goal = query.nearest(mesh, at(15.5, 15.5), half, &filter).unwrap().place();
    let Answers { path, straight, ray, slide, around, flat, polygons, shortest, corridor, field } = answers;
    query.find_path(mesh, start, goal, &filter, &options, path).unwrap();
    query.straight_path(mesh, start.point, goal.point, &path.polygons, Crossings::All, straight).unwrap();
    let mut sum = f64::from(straight.length);
    query.raycast(mesh, start, goal.point, &filter, ray).unwrap();
    query.slide(mesh, start, start.point + Vec3::new(0.7, 0.0, 0.9), &filter, slide).unwrap();
    sum += ray.fraction + f64::from(slide.point.x);
    let wall = query.wall_distance(mesh, start, 5.0, &filter).unwrap();
    sum += wall.map_or(0.0, |wall| f64::from(wall.distance));
    query.around_circle(mesh, start, 5.0, &filter, around).unwrap();
    around.path_to(around.polygons.len() - 1, polygons);
    sum += around.polygons.len() as f64 + polygons.len() as f64;
    let shape = [at(0.0, 0.0), at(x + 3.0, 1.0), at(2.0, 6.0)];
    query.around_shape(mesh, start, &shape, &filter, around).unwrap();
    query.neighbourhood(mesh, start, 3.0, 64, &filter, flat).unwrap();
    sum += around.polygons.len() as f64 + flat.polygons.len() as f64;
    query.polygons_in_box(mesh, start.point, half, &filter, |_| sum += 1.0).unwrap();
    query.wall_segments(mesh, start.polygon, &filter, |_| sum += 1.0).unwrap();
    for place in [
        query.random_point(mesh, &filter, || 0.375).unwrap(),
        query.random_around(mesh, start, 4.0, &filter, || 0.625).unwrap(),
        query.random_within(mesh, start, 4.0, &filter, || 0.625).unwrap(),
        query.below(mesh, start.point + Vec3::Y, 2.0, &filter).unwrap().unwrap(),
    ] {
        sum += f64::from(place.point.x);
    }
    let mut sliced = SlicedPath::new(query, mesh.clone(), start, goal, &filter, options).unwrap();
    while sliced.update(3).unwrap() == Progress::Running {}
    sliced.finish(path).unwrap();
    sliced.finish_partial(&path.polygons, polygons);
    *query = sliced.into_query();
    query.shortest_path(mesh, start, goal, &Passable::default(), shortest).unwrap();
    sum += shortest.length_from_above;
    query.shortcut(mesh, start.point, goal.point, 9.0, &filter, &mut path.polygons).unwrap();
    query.field(mesh, &[goal], 20.0, &filter, field).unwrap();
    sum += field.next(mesh, start).map_or(0.0, |step| f64::from(step.point.x));
    let corridor = corridor.get_or_insert_with(|| Corridor::new(start));
    corridor.reset(start);
    corridor.set_path(mesh, &path.polygons, goal.point).unwrap();
    corridor.move_start(query, mesh, start.point + Vec3::new(0.3, 0.0, 0.4), &filter).unwrap();
    corridor.move_target(query, mesh, goal.point - Vec3::new(0.3, 0.0, 0.4), &filter).unwrap();
    corridor.corners(query, mesh, &StraightOptions::default(), straight).unwrap();
    corridor.optimise_visibility(query, mesh, straight.corners[0].point, 9.0, &filter).unwrap();
    corridor.optimise_topology(query, mesh, 9, &filter, options).unwrap();
    sum + path.cost + f64::from(straight.length)
}

#[test]
fn a_warm_query_allocates_nothing() {
    let mut text = String::new();
    let mesh = random_grid(5, 16, 15, &mut text).mesh();
    let (mut query, mut answers) = (Query::new(), Answers::default());
    let mut ask = |x: f32| ask(&mesh, &mut query, &mut answers, x);
    let (warm, before, _) = allocations_of(|| [0.5, 3.5, 9.5].map(&mut ask));
    assert!(before > 0, "nothing is counted");
    let (again, count, _) = allocations_of(|| [0.5, 3.5, 9.5].map(&mut ask));
    assert_eq!((count, again), (0, warm));
}

/// Queries on the snapshot of a frame: over an off-mesh link, to a separate island, and through a closed
/// door.
fn ask_of_a_snapshot(
    mesh: &NavMesh,
    query: &mut Query,
    answers: &mut Answers,
    filter: &Filter,
    x: f32,
) -> f64 {
    let mesh = mesh.clone();
    let Answers { path, straight, shortest, field, .. } = answers;
    let start = query.nearest(&mesh, at(x, 0.5), Vec3::splat(1.0), filter).unwrap().place();
    let mut sum = 0.0;
    for goal in [at(43.5, 0.5), at(43.5, 2.5), at(0.5, 2.5)] {
        let goal = query.nearest(&mesh, goal, Vec3::splat(1.0), filter).unwrap().place();
        query.find_path(&mesh, start, goal, filter, &PathOptions::default(), path).unwrap();
        query
            .straight_path(&mesh, start.point, goal.point, &path.polygons, Crossings::All, straight)
            .unwrap();
        let near = query.nearest_reachable(&mesh, start.polygon, goal.point, filter).unwrap().unwrap();
        let maybe = mesh.reachable(start.polygon, goal.polygon, filter).unwrap();
        query.shortest_path(&mesh, start, goal, &Passable::of(filter), shortest).unwrap();
        query.field(&mesh, &[goal], f32::INFINITY, filter, field).unwrap();
        sum += field.distance(&mesh, start).map_or(-1.0, f64::from);
        sum += shortest.length_from_above
            + path.cost
            + f64::from(straight.length + path.end.x + near.point.z)
            + f64::from(maybe as u8);
    }
    sum
}

#[test]
fn links_doors_and_snapshots_allocate_nothing() {
    let content = Grid::tiled("....\n####\n..2.", 0, 0).content();
    let far = TileCoord { x: 10, z: 0, layer: 0 };
    let jump = link(&content, [3.5, 0.0, 0.5], [40.5, 0.0, 0.5], far);
    let mut mesh = mesh([linked(content, vec![jump]), Grid::tiled("....\n####\n....", 10, 0).tile()]);
    let filter = mesh.register_filter(Filter::default().with_exclude(0x40));
    mesh.set_flags(place(&mesh, at(2.5, 2.5)).polygon, 0x40).unwrap();
    let (mut query, mut answers) = (Query::new(), Answers::default());
    let mut ask = |x: f32| ask_of_a_snapshot(&mesh, &mut query, &mut answers, &filter, x);
    let warm = [0.5, 1.5, 3.5].map(&mut ask);
    let (again, count, _) = allocations_of(|| [0.5, 1.5, 3.5].map(&mut ask));
    assert_eq!((count, again), (0, warm));
}
