//! Paths that follow the ground: they are on it everywhere, equal the straight path from above, and have a
//! point only where the ground bends.

use crate::common::links::{link, linked};
use crate::common::{Grid, METRE, METRE_UP, Random, at, levels, mesh, unit};
use detour::{
    Corner, CornerKind, Crossings, Filter, NavMesh, Path, PathOptions, Place, Query, RouteOptions,
    StraightPath, Vec3,
};
use navtile::TileCoord;

/// Checks the straight path and the path over the surface against each other and the ground. Returns the
/// largest difference of heights between the latter and the ground, metres.
fn check(mesh: &NavMesh, query: &mut Query, [start, goal]: [Place; 2], surface: &mut StraightPath) -> f64 {
    let (mut path, mut straight) = (Path::default(), StraightPath::default());
    query.find_path(mesh, start, goal, &Filter::default(), &PathOptions::default(), &mut path).unwrap();
    let (from, to, polygons) = (start.point, goal.point, &path.polygons);
    query.straight_path(mesh, from, to, polygons, Crossings::None, &mut straight).unwrap();
    query.surface_path(mesh, from, to, polygons, usize::MAX, surface).unwrap();
    assert!(!surface.truncated && surface.broken_at.is_none());
    let mut corners = straight.corners.iter();
    let mut leg: Option<[Vec3; 2]> = None;
    for corner in &surface.corners {
        let flat = corner.point.with_y(0.0);
        if corner.kind != CornerKind::Crossing {
            let next = corners.next().unwrap();
            assert_eq!((flat, corner.kind), (next.point.with_y(0.0), next.kind));
            leg = corners.as_slice().first().map(|after| [flat, after.point.with_y(0.0)]);
        } else {
            let [a, b] = leg.unwrap();
            let share = ((flat - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            assert!(flat.distance(a.lerp(b, share)) < 1e-4, "{flat} is beside {a} to {b}");
        }
    }
    assert!(corners.next().is_none());
    assert!((surface.length_from_above - straight.length_from_above).abs() <= 1e-4 * (1.0 + straight.length));
    let length: f32 = surface.corners.windows(2).map(|pair| pair[0].point.distance(pair[1].point)).sum();
    assert!((surface.length - length).abs() <= 1e-4 * (1.0 + length));
    let off = surface.corners.array_windows().map(|pair| (off_the_ground(mesh, query, pair), pair));
    let (off, pair) = off.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    assert!(off < 2e-3, "{off} m off the ground: {pair:?}");
    off
}

/// The distance of the line between two points from the ground, at its ends and at places between.
fn off_the_ground(mesh: &NavMesh, query: &mut Query, [from, to]: &[Corner; 2]) -> f64 {
    if from.kind == CornerKind::LinkStart || from.point.with_y(0.0) == to.point.with_y(0.0) {
        return 0.0;
    }
    let places = (0..=16).map(|step| from.point.lerp(to.point, step as f32 / 16.0));
    let off = places.map(|p| {
        // Uses the surface of every polygon there: at a border there are two.
        let near = Vec3::new(1e-3, 0.5, 1e-3);
        let mut polygons = Vec::new();
        query.polygons_in_box(mesh, p, near, &Filter::default(), |polygon| polygons.push(polygon)).unwrap();
        let heights = polygons.into_iter().filter_map(|polygon| {
            let on_it = mesh.closest_point(polygon, p).unwrap().point;
            let is_there = on_it.with_y(0.0).distance(p.with_y(0.0)) < 1e-4;
            let height = mesh.height(polygon, p).unwrap().or(is_there.then_some(on_it.y));
            height.map(|height| f64::from((height - p.y).abs()))
        });
        heights.fold(f64::INFINITY, f64::min)
    });
    off.fold(0.0, f64::max)
}

/// A grid whose corners have these heights, with a bump in the middle of each square.
fn uneven(size: i32, bump: i32, height: impl Fn(i32, i32) -> i32 + 'static) -> NavMesh {
    let row = ".".repeat(size as usize);
    let text = vec![row.as_str(); size as usize].join(" ");
    let mut grid = Grid::new(&text);
    grid.vertex = Box::new(move |column, row| [column * METRE, height(column, row), row * METRE]);
    grid.bump = bump;
    grid.mesh()
}

fn random_ends(mesh: &NavMesh, query: &mut Query, random: &mut Random) -> [Place; 2] {
    [0, 0].map(|_| query.random_point(mesh, &Filter::default(), || unit(random)).unwrap())
}

#[test]
fn paths_over_hills_are_on_the_ground() {
    let (mut query, mut surface) = (Query::new(), StraightPath::default());
    let mut bends = 0;
    for seed in 1..40 {
        let mut random = Random(seed * 31);
        let heights: Vec<i32> = (0..11 * 11).map(|_| random.below(3 * METRE_UP as u64) as i32).collect();
        let bump = random.below(3) as i32 * METRE_UP / 2;
        let mesh = uneven(10, bump, move |column, row| heights[(row * 11 + column) as usize]);
        for _ in 0..20 {
            let mut ends = random_ends(&mesh, &mut query, &mut random);
            if random.below(3) == 0 {
                // Along the lines of the grid, where triangles meet.
                let mut line = || random.below(10) as f32;
                ends = [at(line(), line()), at(line(), line())].map(|p| {
                    query.nearest(&mesh, p, Vec3::new(0.1, 9.0, 0.1), &Filter::default()).unwrap().place()
                });
            }
            let off = check(&mesh, &mut query, ends, &mut surface);
            assert!(off < 1e-3, "seed {seed}: {off} m off the ground: {ends:?} {surface:?}");
            bends += surface.corners.len() - 2;
        }
    }
    assert!(bends > 5000, "{bends}");
}

#[test]
fn paths_over_baked_levels_are_on_the_ground() {
    let (mut query, mut surface) = (Query::new(), StraightPath::default());
    for (name, mesh) in levels::levels() {
        let mut random = Random(77);
        for _ in 0..20 {
            let ends = random_ends(&mesh, &mut query, &mut random);
            let off = check(&mesh, &mut query, ends, &mut surface);
            assert!(off < 2e-3, "{name}: {off} m off the ground: {ends:?} {surface:?}");
        }
    }
}

#[test]
fn there_are_no_points_where_the_ground_does_not_bend() {
    let (mut query, mut surface) = (Query::new(), StraightPath::default());
    // Level ground, and a plane that rises in both directions.
    for slope in [[0, 0], [700, 0], [333, -1999]] {
        let mesh = uneven(9, 0, move |column, row| slope[0] * column + slope[1] * row);
        let mut random = Random(5);
        for _ in 0..50 {
            let ends = random_ends(&mesh, &mut query, &mut random);
            check(&mesh, &mut query, ends, &mut surface);
            assert_eq!(surface.corners.len(), 2, "{slope:?}: {ends:?} {surface:?}");
        }
    }
}

#[test]
fn a_ridge_is_crossed_over_its_top() {
    // A ridge along z, 2 m high at x = 3.
    let mesh = uneven(6, 0, |column, _| if column == 3 { 2 * METRE_UP } else { 0 });
    let (mut query, mut surface) = (Query::new(), StraightPath::default());
    let (start, goal) = (at(0.5, 2.5), at(5.5, 2.5));
    let options = RouteOptions { follow_surface: true, ..RouteOptions::default() };
    let route = query.route(&mesh, start, goal, &Filter::default(), &options).unwrap();
    let expected =
        [(0.5, 0.0), (2.0, 0.0), (3.0, 2.0), (4.0, 0.0), (5.5, 0.0)].map(|(x, y)| Vec3::new(x, y, 2.5));
    assert_eq!(route.points, expected);
    assert!((route.length - (3.0 + 2.0 * 5f32.sqrt())).abs() < 1e-5 && route.length_from_above == 5.0);
    // The points nearest to the start.
    query.surface_path(&mesh, start, goal, &route.polygons, 3, &mut surface).unwrap();
    assert!(surface.truncated);
    assert_eq!(surface.corners.iter().map(|corner| corner.point).collect::<Vec<_>>(), expected[..3]);
}

#[test]
fn links_keep_their_ends_and_routes_say_which_legs_they_are() {
    // Two squares of ground, 3 m of drop apart.
    let content = Grid {
        vertex: Box::new(|column, row| {
            [column * METRE, if column < 3 { 3 * METRE_UP } else { 0 }, row * METRE]
        }),
        ..Grid::new("..#..")
    }
    .content();
    let record = link(&content, [1.5, 3.0, 0.5], [3.5, 0.0, 0.5], TileCoord::default());
    let mesh = mesh([linked(content, vec![record])]);
    let mut query = Query::new();
    for follow_surface in [false, true] {
        let options = RouteOptions { follow_surface, ..RouteOptions::default() };
        let route = query
            .route(&mesh, Vec3::new(0.25, 3.0, 0.5), at(4.75, 0.5), &Filter::default(), &options)
            .unwrap();
        assert_eq!((route.reason(), route.points.len(), route.links.len()), (None, 4, 1));
        assert_eq!(route.links[0].start, 1);
        assert_eq!(mesh.off_mesh(route.links[0].link).unwrap().user_id, record.user_id);
        assert_eq!(route.length_from_above, 4.5, "from above a link is as long as it looks");
        assert!((route.length - (2.5 + 13f32.sqrt())).abs() < 1e-5, "{route:?}");
    }
}
