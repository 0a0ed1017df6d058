//! The lengths of pulled paths, compared with the shortest paths of a visibility graph.

use crate::common::{Random, uneven_grid};
use detour::{
    Attributes, CostModel, Crossings, Filter, NavMesh, Optimality, Passable, Path, PathOptions, PathStatus,
    Place, PolyRef, Query, ShortestPath, Step, StraightPath, Vec3,
};

/// Every polygon's corners.
type Floor = Vec<Vec<Vec3>>;

/// Returns true if the segment is on the floor: its parts in the polygons leave no gap. It may pass between
/// two walls that touch at a corner, which a path must not; so shortest lengths are never overstated.
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

/// Length of the shortest path: Dijkstra's algorithm over the corners that see each other.
fn shortest(floor: &Floor, start: Vec3, goal: Vec3) -> f64 {
    let mut corners: Vec<Vec3> = floor.iter().flatten().copied().collect();
    corners.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.z.total_cmp(&b.z)));
    // A path only bends at corners of walls, where fewer than four squares meet.
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

/// Costs are the same everywhere, but the model does not declare it.
struct Undeclared(Filter);

impl CostModel for Undeclared {
    fn passes(&self, polygon: &Attributes) -> bool {
        self.0.passes(polygon)
    }
    fn cost(&self, step: &Step) -> f32 {
        self.0.cost(step)
    }
    fn minimum_cost(&self) -> f32 {
        self.0.minimum_cost()
    }
}

fn pulled(
    mesh: &NavMesh,
    query: &mut Query,
    ends: [Place; 2],
    filter: &impl CostModel,
    optimality: Optimality,
) -> Option<f64> {
    let [start, goal] = ends;
    let (mut path, mut straight) = (Path::default(), StraightPath::default());
    query.find_path(mesh, start, goal, filter, &PathOptions { optimality }, &mut path).unwrap();
    query
        .straight_path(mesh, start.point, goal.point, &path.polygons, Crossings::None, &mut straight)
        .unwrap();
    (path.status == PathStatus::Complete).then_some(f64::from(straight.length))
}

#[test]
fn paths_are_little_longer_than_the_shortest() {
    let (mut sums, mut best, mut count) = ([0.0; 3], 0.0, 0);
    let mut query = Query::new();
    let (declared, undeclared) = (Filter::default(), Undeclared(Filter::default()));
    // A few long detours decide the mean, so that the result of fewer paths would depend on the seeds.
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
            let [fast, near] = [Optimality::Fast, Optimality::Near];
            let Some(by_string) = pulled(&mesh, &mut query, ends, &declared, near) else { continue };
            let by_entry = pulled(&mesh, &mut query, ends, &undeclared, fast).unwrap();
            let flipped = pulled(&mesh, &mut query, ends, &declared, fast).unwrap();
            let shortest = shortest(&floor, ends[0].point, ends[1].point);
            for (sum, length) in sums.iter_mut().zip([by_string, by_entry, flipped]) {
                assert!(length >= shortest - 1e-3, "seed {seed}");
                *sum += length;
            }
            let (passable, mut path) = (Passable::default(), ShortestPath::default());
            query.shortest_path(&mesh, ends[0], ends[1], &passable, &mut path).unwrap();
            assert!(
                by_string <= path.length_from_above * 1.01,
                "seed {seed}: {by_string}, shortest {}",
                path.length_from_above
            );
            best += path.length_from_above;
            count += 1;
        }
    }
    let [strings, entry, flipped] = sums.map(|sum| sum / best - 1.0);
    assert!(count > 1000 && strings < 1e-4, "{count} paths by strings are {strings} longer");
    assert!(entry < 0.003 && flipped < entry, "{entry}, and {flipped} after flips");
}
