//! How long pulled paths are beside the shortest, which a visibility graph gives.
#![allow(clippy::unwrap_used)] // Helpers of tests may, as tests do.

#[allow(dead_code)] // Every test file uses a part of it.
mod common;

use common::{Random, uneven_grid};
use detour::{
    Crossings, Filter, Heuristic, NavMesh, Path, PathOptions, PathStatus, Place, PolyRef, Query,
    StraightPath, Vec3,
};

/// Every polygon's corners.
type Floor = Vec<Vec<Vec3>>;

/// Whether the segment lies on the floor: the parts of it in each polygon leave no gap. It may pass between two
/// walls that touch at a corner, where a path may not; so shortest lengths are never overstated.
fn visible(floor: &Floor, a: Vec3, b: Vec3) -> bool {
    const SLACK: f64 = 1e-6;
    let mut covered: Vec<(f64, f64)> = floor.iter().filter_map(|polygon| inside(polygon, a, b)).collect();
    covered.sort_by(|x, y| x.0.total_cmp(&y.0));
    let reached = covered
        .iter()
        .try_fold(0.0f64, |reached, part| (part.0 <= reached + SLACK).then(|| reached.max(part.1)));
    reached.is_some_and(|reached| reached >= 1.0 - SLACK)
}

/// The part of segment `ab` in a convex polygon, as parameters.
fn inside(polygon: &[Vec3], a: Vec3, b: Vec3) -> Option<(f64, f64)> {
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for (i, u) in polygon.iter().enumerate() {
        let along = (polygon[(i + 1) % polygon.len()] - *u).as_dvec3();
        let right = |p: Vec3| {
            let p = (p - *u).as_dvec3();
            along.x * p.z - p.x * along.z
        };
        let (of_a, of_b) = (right(a), right(b));
        match (of_a > 1e-6, of_b > 1e-6) {
            (true, true) => return None,
            (true, false) => low = low.max(of_a / (of_a - of_b)),
            (false, true) => high = high.min(of_a / (of_a - of_b)),
            (false, false) => {}
        }
    }
    (low <= high).then_some((low, high))
}

/// Length of the shortest way: Dijkstra's algorithm over the corners that see each other.
fn shortest(floor: &Floor, start: Vec3, goal: Vec3) -> f64 {
    let mut corners: Vec<Vec3> = floor.iter().flatten().copied().collect();
    corners.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.z.total_cmp(&b.z)));
    // A path bends at corners of walls only: fewer than four squares meet there.
    let mut points = vec![start, goal];
    points.extend(corners.chunk_by(|a, b| a == b).filter(|group| group.len() < 4).map(|group| group[0]));
    let mut open = vec![f64::INFINITY; points.len()];
    let mut closed = vec![false; points.len()];
    open[0] = 0.0;
    loop {
        let next =
            (0..points.len()).filter(|i| !closed[*i]).min_by(|a, b| open[*a].total_cmp(&open[*b])).unwrap();
        if next == 1 {
            return open[1];
        }
        closed[next] = true;
        for other in 0..points.len() {
            let length = open[next] + f64::from(points[next].distance(points[other]));
            if !closed[other] && length < open[other] && visible(floor, points[next], points[other]) {
                open[other] = length;
            }
        }
    }
}

fn pulled(mesh: &NavMesh, query: &mut Query, ends: [Place; 2], heuristic: Heuristic) -> Option<f64> {
    let [start, goal] = ends;
    let (mut path, mut straight) = (Path::default(), StraightPath::default());
    query.find_path(mesh, start, goal, &Filter::default(), &PathOptions { heuristic }, &mut path).unwrap();
    query
        .straight_path(mesh, start.point, goal.point, &path.polygons, Crossings::None, &mut straight)
        .unwrap();
    (path.status == PathStatus::Complete).then_some(f64::from(straight.length))
}

#[test]
fn paths_are_little_longer_than_the_shortest() {
    let (mut entry, mut midpoint, mut best, mut count) = (0.0, 0.0, 0.0, 0);
    let mut query = Query::new();
    // A few long detours decide the mean: batches of 240 paths range from 0.9 % to 2.1 % with entry points, so
    // that fewer paths than these would measure the seeds.
    for seed in 0..200 {
        let mut text = String::new();
        let mesh = uneven_grid(seed, 14, 10, &mut text).mesh();
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let floor: Floor = polygons.iter().map(|p| mesh.corners(*p).unwrap().collect()).collect();
        let mut random = Random(seed + 9);
        for _ in 0..6 {
            let ends = [0, 0].map(|_| {
                let at = random.below(polygons.len() as u64) as usize;
                Place { polygon: polygons[at], point: floor[at].iter().sum::<Vec3>() / 4.0 }
            });
            let Some(by_entry) = pulled(&mesh, &mut query, ends, Heuristic::EntryPoint) else { continue };
            let by_midpoint = pulled(&mesh, &mut query, ends, Heuristic::EdgeMidpoint).unwrap();
            let shortest = shortest(&floor, ends[0].point, ends[1].point);
            assert!(by_entry >= shortest - 1e-3 && by_midpoint >= shortest - 1e-3, "seed {seed}");
            entry += by_entry;
            midpoint += by_midpoint;
            best += shortest;
            count += 1;
        }
    }
    let longer = [entry, midpoint].map(|length| length / best - 1.0);
    assert!(count > 1000 && longer[0] < 0.015 && longer[1] < 0.03, "{count} paths: {longer:?} longer");
    assert!(longer[0] < longer[1], "{longer:?}");
}
