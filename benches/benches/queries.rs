//! Every kind of question over every scene, between random places with a way from one to the other. Answers that
//! differ from the first ones fail.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use detour::{
    Crossings, Filter, Ground, NavMesh, Neighbourhood, Path, PathOptions, Place, Query, QueryError, Ray,
    Slide, StraightPath, Surroundings, Vec3,
};
use navscenes::random::SplitMix64;
use navtile_benches::mesh;
use std::time::Duration;

/// Pairs of places.
const PAIRS: usize = 64;

struct Pair {
    start: Place,
    goal: Place,
    path: Path,
}

/// Memory for answers.
#[derive(Default)]
struct Room {
    query: Query,
    path: Path,
    straight: StraightPath,
    ray: Ray,
    slide: Slide,
    around: Surroundings,
    near: Neighbourhood,
}

type Verb = fn(&mut Room, &NavMesh, &Filter, &Pair) -> Result<f64, QueryError>;

/// Names of questions, and a number that stands for the answer.
const VERBS: [(&str, Verb); 9] = [
    ("nearest", |room, mesh, filter, pair| {
        let near = pair.start.point + Vec3::splat(0.3);
        Ok(room.query.nearest(mesh, near, Vec3::new(2.0, 4.0, 2.0), filter)?.distance.into())
    }),
    ("find_path", |room, mesh, filter, pair| {
        let options = PathOptions::default();
        room.query.find_path(mesh, pair.start, pair.goal, filter, &options, &mut room.path)?;
        Ok(room.path.polygons.len() as f64)
    }),
    ("straight_path", |room, mesh, _, pair| {
        let (polygons, none) = (&pair.path.polygons, Crossings::None);
        let (start, goal) = (pair.start.point, pair.goal.point);
        room.query.straight_path(mesh, start, goal, polygons, none, &mut room.straight)?;
        Ok(room.straight.corners.len() as f64)
    }),
    ("raycast", |room, mesh, filter, pair| {
        room.query.raycast(mesh, pair.start, pair.goal.point, filter, &mut room.ray)?;
        Ok(room.ray.fraction)
    }),
    ("slide", |room, mesh, filter, pair| {
        room.query.slide(mesh, pair.start, pair.goal.point, filter, &mut room.slide)?;
        Ok(room.slide.point.x.into())
    }),
    ("wall_distance", |room, mesh, filter, pair| {
        let wall = room.query.wall_distance(mesh, pair.start, 10.0, filter)?;
        Ok(wall.map_or(-1.0, |wall| wall.distance.into()))
    }),
    ("circle", |room, mesh, filter, pair| {
        room.query.around_circle(mesh, pair.start, 10.0, filter, &mut room.around)?;
        Ok(room.around.polygons.len() as f64)
    }),
    ("neighbourhood", |room, mesh, filter, pair| {
        room.query.neighbourhood(mesh, pair.start, 12.0, 1_024, filter, &mut room.near)?;
        Ok(room.near.polygons.len() as f64)
    }),
    ("height", |_, mesh, _, pair| {
        Ok(mesh.height(pair.start.polygon, pair.start.point)?.unwrap_or(-1.0).into())
    }),
];

fn pairs(mesh: &NavMesh, filter: &Filter) -> Vec<Pair> {
    let (ground, mut query) = (Ground::new(mesh, filter), Query::new());
    let mut random = SplitMix64::new(1);
    let mut pairs = Vec::new();
    for _ in 0..100 * PAIRS {
        if pairs.len() == PAIRS {
            break;
        }
        let mut place =
            || query.random_point_on(&ground, || random.between(0.0, 1.0)).expect("there is ground");
        let (start, goal, mut path) = (place(), place(), Path::default());
        let found = query.find_path(mesh, start, goal, filter, &PathOptions::default(), &mut path);
        found.expect("places are on the mesh");
        if path.polygons.last() == Some(&goal.polygon) {
            pairs.push(Pair { start, goal, path });
        }
    }
    assert_eq!(pairs.len(), PAIRS, "places are too seldom connected");
    pairs
}

fn queries(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("query");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    group.throughput(Throughput::Elements(PAIRS as u64));
    for scene in navscenes::all() {
        let (mesh, filter) = (mesh(scene).expect("scenes bake"), Filter::default());
        let (pairs, mut room) = (pairs(&mesh, &filter), Room::default());
        for (name, verb) in VERBS {
            // A true hash would take longer than some answers.
            let mut ask = || {
                pairs.iter().fold(0u64, |sum, pair| {
                    let answer = verb(&mut room, &mesh, &filter, pair).expect("places are on the mesh");
                    sum.rotate_left(7) ^ answer.to_bits()
                })
            };
            let first = ask();
            group.bench_function(BenchmarkId::new(name, scene.name), |bencher| {
                let mut last = None;
                bencher.iter(|| last = Some(ask()));
                assert_eq!(last, Some(first), "{}: {name}: other answers", scene.name);
            });
        }
    }
    group.finish();
}

criterion_group!(benches, queries);
criterion_main!(benches);
