//! Paths over hills: judged by their length over the ground, which is measured here by small steps.

use crate::common::{Grid, METRE, METRE_UP, Random, at};
use detour::{
    CornerKind, Crossings, Filter, NavMesh, Optimality, Path, PathOptions, Place, Progress, Query,
    SlicedPath, StraightPath, Vec3,
};

/// Side of the grids, squares.
const SIZE: i32 = 12;

/// A grid of hills up to a few metres high.
fn hills(random: &mut Random) -> NavMesh {
    let row = ".".repeat(SIZE as usize);
    let text = vec![row.as_str(); SIZE as usize].join(" ");
    let heights: Vec<i32> =
        (0..(SIZE + 1) * (SIZE + 1)).map(|_| random.below(3 * METRE_UP as u64) as i32).collect();
    let mut grid = Grid::new(&text);
    grid.vertex = Box::new(move |column, row| {
        [column * METRE, heights[(row * (SIZE + 1) + column) as usize], row * METRE]
    });
    grid.mesh()
}

/// The ground straight below or above, or next to the point by rounding.
fn stand(mesh: &NavMesh, p: Vec3) -> Place {
    Query::new().nearest(mesh, p, Vec3::new(0.5, 9.0, 0.5), &Filter::default()).unwrap().place()
}

fn find(mesh: &NavMesh, [start, goal]: [Place; 2], optimality: Optimality) -> Path {
    let mut path = Path::default();
    let options = PathOptions { optimality };
    Query::new().find_path(mesh, start, goal, &Filter::default(), &options, &mut path).unwrap();
    path
}

/// Lengths of the string through a path: from above, between its corners in space, over the ground.
fn lengths(mesh: &NavMesh, [start, goal]: [Place; 2], path: &Path) -> [f64; 3] {
    let mut straight = StraightPath::default();
    let (from, to) = (start.point, goal.point);
    Query::new().straight_path(mesh, from, to, &path.polygons, Crossings::All, &mut straight).unwrap();
    let (mut sums, mut corner) = ([0.0; 3], from);
    for pair in straight.corners.windows(2) {
        let [a, b] = [pair[0].point, pair[1].point];
        sums[0] += f64::from(a.with_y(0.0).distance(b.with_y(0.0)));
        let mut last: Option<Vec3> = None;
        for step in 0..=100 {
            let p = a.lerp(b, step as f32 / 100.0);
            let p = p.with_y(mesh.closest_point(pair[0].polygon, p).unwrap().point.y);
            sums[2] += last.map_or(0.0, |last| f64::from(last.distance(p)));
            last = Some(p);
        }
        if pair[1].kind != CornerKind::Crossing {
            sums[1] += f64::from(corner.distance(b));
            corner = b;
        }
    }
    assert!((f64::from(straight.length_from_above) - sums[0]).abs() < 1e-3);
    sums
}

#[test]
fn paths_over_hills_are_little_longer_over_the_ground_than_the_best_found() {
    let (mut sums, mut worst) = ([0.0; 3], 1.0f64);
    for seed in 1..60 {
        let mut random = Random(seed * 77);
        let mesh = hills(&mut random);
        for _ in 0..20 {
            let mut along = || random.below(64 * SIZE as u64) as f32 / 64.0;
            let ends = [at(along(), along()), at(along(), along())].map(|p| stand(&mesh, p));
            let [fast, near] = [Optimality::Fast, Optimality::Near].map(|h| find(&mesh, ends, h));
            let [by_entries, from_above] = [&fast, &near].map(|path| lengths(&mesh, ends, path));
            for (path, lengths) in [(&fast, by_entries), (&near, from_above)] {
                assert!((path.cost - lengths[0]).abs() < 1e-3, "the cost is the length from above");
            }
            let best = by_entries[2].min(from_above[2]);
            sums = [sums[0] + by_entries[2], sums[1] + from_above[2], sums[2] + best];
            if best > 1.0 {
                worst = worst.max(by_entries[2] / best);
            }
            check_slices(&mesh, ends, &fast);
        }
    }
    let [fast, near] = [sums[0] / sums[2], sums[1] / sums[2]];
    assert!(fast < near && fast < 1.015 && worst < 1.5, "fast {fast}, near {near}, worst {worst}");
}

/// Checks that a search in slices finds the same path, and stops after every slice at each stage.
fn check_slices(mesh: &NavMesh, [start, goal]: [Place; 2], whole: &Path) {
    let (mut query, filter) = (Query::new(), Filter::default());
    let options = PathOptions::default();
    let mut search = SlicedPath::new(&mut query, mesh.clone(), start, goal, &filter, options).unwrap();
    let mut partial = Vec::new();
    while search.update(3).unwrap() == Progress::Running {
        search.finish_partial(&[], &mut partial);
        assert_eq!(partial.first(), Some(&start.polygon));
    }
    let mut path = Path::default();
    search.finish(&mut path).unwrap();
    assert_eq!(&path, whole);
}

#[test]
fn a_hill_is_walked_around() {
    // A ridge 5 m high across the straight line, with a gap at its end.
    let row = ".".repeat(9);
    let text = [row.as_str(); 9].join(" ");
    let mut grid = Grid::new(&text);
    grid.vertex = Box::new(|column, row| {
        let is_ridge = (4..=5).contains(&column) && row < 8;
        [column * METRE, if is_ridge { 5 * METRE_UP } else { 0 }, row * METRE]
    });
    let mesh = grid.mesh();
    let ends = [at(0.5, 6.5), at(8.5, 6.5)].map(|p| stand(&mesh, p));
    let path = find(&mesh, ends, Optimality::Fast);
    let [from_above, _, over_ground] = lengths(&mesh, ends, &path);
    // Straight ahead it is 8 m from above and 16.2 m over the ridge.
    assert!(from_above > 8.2 && over_ground < 10.5, "{from_above} {over_ground}");
}
