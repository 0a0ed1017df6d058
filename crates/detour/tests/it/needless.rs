//! No path has a point on the straight line between its neighbours. Checked on grids of squares, with paths
//! exactly along their lines and corners, in both directions, for every query that returns corners.

use crate::common::{Grid, Random, mesh, tile};
use detour::{
    Corner, CornerKind, Corridor, Crossings, Filter, NavMesh, Passable, Path, PathOptions, PathStatus, Place,
    Query, RouteOptions, ShortestPath, StraightOptions, StraightPath, Vec3,
};
use navmath::Lattice;

/// Cells on a side of a square.
const SQUARE: f64 = 4.0;

/// A grid with walls on another lattice, on which most coordinates are rounded to `f32`.
fn rounded_grid(text: &str, origin: f64, cell: f64) -> NavMesh {
    let content = Grid::new(text).content();
    let lattice = Lattice::new([origin, 0.0, origin], cell, 0.2).unwrap();
    mesh([tile(&navtile::TileContent { lattice, ..content })])
}

/// The distance of the point from the line between its neighbours, in units of the rounding of coordinates.
fn beside([before, point, after]: [Vec3; 3]) -> f64 {
    let [before, point, after] = [before, point, after].map(|p| p.with_y(0.0).as_dvec3());
    let along = after - before;
    let share = ((point - before).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    let on_line = if share.is_nan() { before } else { before + along * share };
    let largest = before.abs().max(point.abs()).max(after.abs()).max_element();
    point.distance(on_line) / (largest * f64::from(f32::EPSILON))
}

fn check(what: &str, points: &[Vec3]) {
    for points in points.array_windows::<3>() {
        assert!(beside(*points) > 1.0, "{what}: {points:?}, {}", beside(*points));
    }
}

fn points(corners: &[Corner]) -> Vec<Vec3> {
    corners.iter().map(|corner| corner.point).collect()
}

/// Checks every query's path from one place to another. Returns the number of crossings of the whole path.
fn check_all(query: &mut Query, mesh: &NavMesh, [start, goal]: [Place; 2], what: &str) -> Option<usize> {
    let (filter, mut path, mut straight) = (Filter::default(), Path::default(), StraightPath::default());
    query.find_path(mesh, start, goal, &filter, &PathOptions::default(), &mut path).unwrap();
    if path.status != PathStatus::Complete {
        return None;
    }
    let mut shortest = ShortestPath::default();
    query.shortest_path(mesh, start, goal, &Passable::default(), &mut shortest).unwrap();
    check(&format!("{what}: shortest"), &points(&shortest.corners));
    let mut crossings = 0;
    for polygons in [&path.polygons, &shortest.polygons] {
        query.straight_path(mesh, start.point, goal.point, polygons, Crossings::None, &mut straight).unwrap();
        let whole = points(&straight.corners);
        check(&format!("{what}: string"), &whole);
        query.straight_path(mesh, start.point, goal.point, polygons, Crossings::All, &mut straight).unwrap();
        let turns = straight.corners.iter().filter(|corner| corner.kind != CornerKind::Crossing);
        assert_eq!(turns.map(|corner| corner.point).collect::<Vec<_>>(), whole, "{what}");
        let crossed = points(&straight.corners);
        for pair in crossed.windows(2) {
            assert!(pair[0].distance(pair[1]) > 1e-5, "{what}: twice at one place: {crossed:?}");
        }
        crossings += crossed.len() - whole.len();
        let mut corridor = Corridor::new(start);
        corridor.set_path(mesh, polygons, goal.point).unwrap();
        for max_corners in 1..4 {
            let options = StraightOptions { max_corners, ..StraightOptions::default() };
            corridor.corners(query, mesh, &options, &mut straight).unwrap();
            let next = points(&straight.corners);
            let near = |(a, b): (&Vec3, &Vec3)| a == b;
            // A start at a corner counts as past it.
            let rest = whole.windows(next.len()).any(|part| part.iter().zip(&next).all(near));
            assert!(rest, "{what}: {next:?} of {whole:?}");
        }
    }
    let options = RouteOptions { half_extents: Vec3::splat(0.5), ..RouteOptions::default() };
    let route = query.route(mesh, start.point, goal.point, &filter, &options).unwrap();
    check(&format!("{what}: route"), &route.points);
    Some(crossings)
}

#[test]
fn paths_through_shared_corners_have_no_needless_points() {
    let mut query = Query::new();
    let (mut asked, mut crossings) = (0, 0);
    // The origin decides the direction in which coordinates are rounded.
    for (seed, (origin, cell)) in (1..).zip([(0.0, 0.3), (0.1, 0.3), (-7.7, 0.07), (1234.5, 0.3), (0.0, 0.1)])
    {
        let mut random = Random(seed * 977);
        for walls in [0, 0, 12, 25] {
            let size = 3 + random.below(6) as i32;
            let mut square = || if random.below(100) < walls { '#' } else { '.' };
            let row = |square: &mut dyn FnMut() -> char| (0..size).map(|_| square()).collect::<String>();
            let rows: Vec<String> = (0..size).map(|_| row(&mut square)).collect();
            let mesh = rounded_grid(&rows.join(" "), origin, cell);
            for _ in 0..150 {
                // Corners, middles of edges, middles of squares.
                let mut along = || origin + random.below(2 * size as u64 + 1) as f64 * SQUARE / 2.0 * cell;
                let ends = [[along(), 0.0, along()], [along(), 0.0, along()]].map(|p| mesh.from_world(p));
                let near = |p| query.nearest(&mesh, p, Vec3::splat(0.01), &Filter::default()).ok();
                let [Some(start), Some(goal)] = ends.map(near) else { continue };
                if start.point == goal.point {
                    continue;
                }
                for ends in [[start.place(), goal.place()], [goal.place(), start.place()]] {
                    let what = format!("{rows:?} {origin} {cell}: {ends:?}");
                    if let Some(found) = check_all(&mut query, &mesh, ends, &what) {
                        (asked, crossings) = (asked + 1, crossings + found);
                    }
                }
            }
        }
    }
    assert!(asked > 3000 && crossings > 10_000, "{asked} {crossings}");
}
