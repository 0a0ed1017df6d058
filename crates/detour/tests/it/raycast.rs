//! Rays: by hand, against all walls, along lines of corners, and over seams.

use crate::common;
use crate::common::{Grid, METRE_UP, Random, at, is_linked, mesh, place, random_grid, unit, walls};
use detour::{
    Attributes, CostModel, Filter, NavMesh, Place, PolyRef, Query, QueryError, Ray, RayEnd, Step, Vec3,
};
use proptest::prelude::*;
use std::num::NonZeroU32;

fn cast(mesh: &NavMesh, start: Vec3, goal: Vec3) -> Ray {
    let mut ray = Ray::default();
    Query::new().raycast(mesh, place(mesh, start), goal, &Filter::default(), &mut ray).unwrap();
    assert!(is_linked(mesh, &ray.polygons));
    ray
}

#[test]
fn a_wall_ends_a_ray_and_turns_its_normal_inwards() {
    let mesh = Grid::new("...#\n....").mesh();
    let ray = cast(&mesh, at(0.5, 0.5), at(4.5, 0.5));
    assert_eq!((ray.fraction, ray.point, ray.polygons.len()), (0.625, at(3.0, 0.5), 3));
    let RayEnd::Wall { edge, normal } = ray.end else { panic!("{ray:?}") };
    let last: Vec<Vec3> = mesh.corners(ray.polygons[2]).unwrap().collect();
    assert!(last[usize::from(edge)].x == 3.0 && last[(usize::from(edge) + 1) % 4].x == 3.0);
    assert_eq!(normal, Vec3::NEG_X);
    assert_eq!(ray.cost, 2.5);
    let up = cast(&mesh, at(0.5, 0.5), at(0.5, -3.0));
    assert!(matches!(up.end, RayEnd::Wall { normal: Vec3::Z, .. }) && up.point == at(0.5, 0.0));
}

#[test]
fn a_free_way_ends_on_the_surface() {
    let mut slope = Grid::new("....");
    slope.vertex = Box::new(|column, row| [column * 1024, column * METRE_UP / 4, row * 1024]);
    let mesh = slope.mesh();
    let ray = cast(&mesh, at(0.5, 0.5), Vec3::new(3.5, 99.0, 0.5));
    assert!(ray.is_clear());
    assert_eq!((ray.fraction, ray.point), (1.0, Vec3::new(3.5, 0.875, 0.5)));
    assert!((ray.cost - f64::from(3.0f32.hypot(0.75))).abs() < 1e-5);
    let here = cast(&mesh, at(0.5, 0.5), at(0.5, 0.5));
    assert_eq!((here.end, here.cost, here.polygons.len()), (RayEnd::Goal, 0.0, 1));
}

#[test]
fn costs_and_flags_are_the_filters() {
    let mesh = Grid::new(".22.3").mesh();
    let (query, mut ray) = (Query::new(), Ray::default());
    let filter = Filter::default().with_area_cost(2, 5.0).unwrap().with_exclude(4);
    query.raycast(&mesh, place(&mesh, at(0.5, 0.5)), at(4.5, 0.5), &filter, &mut ray).unwrap();
    assert_eq!((ray.point, ray.cost), (at(4.0, 0.5), 0.5 + 10.0 + 1.0));
    // A ray may leave forbidden ground, but not enter it.
    let mut from_inside = |goal| {
        query.raycast(&mesh, place(&mesh, at(4.5, 0.5)), goal, &filter, &mut ray).unwrap();
        ray.is_clear()
    };
    assert!(from_inside(at(0.5, 0.5)) && from_inside(at(4.25, 0.25)));
}

#[test]
fn rays_touch_corners_and_run_along_walls() {
    // Along the wall on the left, on the right, and one after the other.
    let left = Grid::new("..#..\n.....").mesh();
    assert!(cast(&left, at(0.25, 1.0), at(4.75, 1.0)).is_clear());
    assert!(cast(&left, at(4.75, 1.0), at(0.25, 1.0)).is_clear());
    let both = Grid::new("..#....\n....#..").mesh();
    assert!(cast(&both, at(0.25, 1.0), at(6.75, 1.0)).is_clear());
    assert!(cast(&both, at(6.75, 1.0), at(0.25, 1.0)).is_clear());
    // Two walls that touch leave no gap.
    let closed = Grid::new("..#.\n.#..").mesh();
    let ray = cast(&closed, at(0.25, 1.0), at(3.75, 1.0));
    assert_eq!((ray.is_clear(), ray.point), (false, at(2.0, 1.0)));
    let diagonal = cast(&closed, at(1.5, 0.5), at(2.5, 1.5));
    assert_eq!((diagonal.is_clear(), diagonal.point), (false, at(2.0, 1.0)));
    let corner = Grid::new("..\n.#").mesh();
    assert!(cast(&corner, at(0.5, 1.5), at(1.5, 0.5)).is_clear());
}

#[test]
fn a_ray_through_a_corner_goes_on_in_the_polygon_beyond_the_one_it_came_from() {
    // Three polygons about a corner at (1, 1), and a wall. The ray passes from the first to the last; moved
    // aside, it meets the wall in the polygon between them.
    for (rows, bent_row, far_row, bent_z) in [("..\n#.", 0, 1, 1536), ("#.\n..", 2, 1, 512)] {
        let mut grid = Grid::new(rows);
        grid.vertex = Box::new(move |column, row| {
            let x = if (column, row) == (1, bent_row) { 1792 } else { column * 1024 };
            let z = if (column, row) == (0, far_row) { bent_z } else { row * 1024 };
            [x, 0, z]
        });
        let mesh = grid.mesh();
        let slope = if bent_row == 0 { 0.125 } else { -0.125 };
        for [start, goal] in [[0.5, -0.5], [-0.5, 0.5]] {
            let ends = [start, goal].map(|t: f32| at(1.0 + t, 1.0 - 2.0 * t * slope));
            let ray = cast(&mesh, ends[0], ends[1]);
            assert!(ray.is_clear() && ray.polygons.len() == 2, "{rows}: {ray:?}");
            assert_eq!((ray.fraction, ray.point), (1.0, ends[1]));
        }
    }
}

#[test]
fn a_corner_of_four_squares_is_no_trap() {
    let mesh = Grid::new("...\n...\n...").mesh();
    for start in mesh.polygons() {
        for corner in mesh.corners(start).unwrap().collect::<Vec<_>>() {
            for goal in [at(0.5, 0.5), at(2.5, 0.5), at(0.5, 2.5), at(2.5, 2.5), at(1.0, 2.0), at(3.0, 3.0)] {
                let mut ray = Ray::default();
                let start = Place { polygon: start, point: corner };
                Query::new().raycast(&mesh, start, goal, &Filter::default(), &mut ray).unwrap();
                assert!(ray.is_clear() && ray.polygons.len() <= 7, "{corner} {goal} {ray:?}");
            }
        }
    }
}

#[test]
fn a_seam_is_open_where_floor_lies_beyond() {
    let mut fine = Grid::tiled("####\n####\n####\n....", 1, 0);
    fine.vertex = Box::new(|column, row| [column * 512, 0, row * 512]);
    let mut fine = fine.content();
    (fine.base_cell, fine.size_cells) = ([8, 0, 0], [8, 8]);
    let mesh = mesh([Grid::tiled("..\n..", 0, 0).tile(), common::tile(&fine)]);
    assert!(cast(&mesh, at(0.5, 1.75), at(3.75, 1.75)).is_clear());
    let ray = cast(&mesh, at(0.5, 1.25), at(3.75, 1.25));
    assert_eq!(ray.point, at(2.0, 1.25));
}

#[test]
fn a_start_that_rounding_put_beside_its_polygon_is_not_stuck() {
    let tiles = [Grid::tiled("..\n..", 0, 0).tile(), Grid::tiled("..\n#.", 1, 0).tile()];
    let mesh = mesh(tiles);
    let polygon = place(&mesh, at(1.5, 0.5)).polygon;
    // Slightly beyond the seam, and away from it on a line that misses the polygon.
    let start = Place { polygon, point: at(2.000_001, 0.5) };
    let mut ray = Ray::default();
    Query::new().raycast(&mesh, start, at(2.5, 0.75), &Filter::default(), &mut ray).unwrap();
    assert!(ray.is_clear() && is_linked(&mesh, &ray.polygons) && ray.polygons.len() == 2, "{ray:?}");
    let along = at(2.000_002, 0.9);
    Query::new().raycast(&mesh, start, along, &Filter::default(), &mut ray).unwrap();
    assert!(ray.is_clear() && ray.polygons.len() == 2, "{ray:?}");
    // If there is a wall beyond the edge, the ray meets it at once.
    let below = Place { polygon: place(&mesh, at(1.5, 1.5)).polygon, point: at(2.000_001, 1.5) };
    Query::new().raycast(&mesh, below, at(2.000_002, 1.75), &Filter::default(), &mut ray).unwrap();
    assert!(!ray.is_clear() && ray.fraction == 0.0 && ray.point == at(2.0, 1.5), "{ray:?}");
    // For a ray back in, the start is not special.
    Query::new().raycast(&mesh, start, at(0.5, 0.5), &Filter::default(), &mut ray).unwrap();
    assert!(ray.is_clear());
}

/// A model that forbids every move.
struct Forbidden;

impl CostModel for Forbidden {
    fn passes(&self, _: &Attributes) -> bool {
        true
    }
    fn cost(&self, _: &Step) -> f32 {
        f32::NAN
    }
    fn minimum_cost(&self) -> f32 {
        1.0
    }
}

#[test]
fn limits_and_bad_calls_have_names() {
    let mut mesh = Grid::new("......").mesh();
    let start = place(&mesh, at(0.5, 0.5));
    let mut ray = Ray::default();
    let small = Query::with_max_nodes(NonZeroU32::new(3).unwrap());
    small.raycast(&mesh, start, at(5.5, 0.5), &Filter::default(), &mut ray).unwrap();
    assert_eq!((ray.end, ray.polygons.len(), ray.point), (RayEnd::OutOfNodes, 3, at(3.0, 0.5)));
    let query = Query::new();
    query.raycast(&mesh, start, at(5.5, 0.5), &Forbidden, &mut ray).unwrap();
    assert!(ray.is_clear() && ray.cost == f64::INFINITY);
    for bad in [f32::NAN, f32::INFINITY] {
        let refused = query.raycast(&mesh, start, at(bad, 0.0), &Filter::default(), &mut ray);
        assert!(matches!(refused, Err(QueryError::Position { .. })));
        let nowhere = Place { point: at(0.0, bad), ..start };
        assert!(query.raycast(&mesh, nowhere, at(1.0, 0.0), &Filter::default(), &mut ray).is_err());
    }
    // Far beyond the map, and from outside the polygon.
    query.raycast(&mesh, start, at(f32::MAX, f32::MAX), &Filter::default(), &mut ray).unwrap();
    assert!(!ray.is_clear() && ray.point.distance(at(1.0, 1.0)) < 1.0);
    let beside = Place { point: at(-1.0, 0.5), ..start };
    query.raycast(&mesh, beside, at(2.5, 0.5), &Filter::default(), &mut ray).unwrap();
    assert!(ray.is_clear());
    query.raycast(&mesh, beside, at(-2.5, 5.5), &Filter::default(), &mut ray).unwrap();
    assert!(!ray.is_clear());
    mesh.remove_tile(Default::default()).unwrap();
    let stale = query.raycast(&mesh, start, at(1.0, 0.5), &Filter::default(), &mut ray);
    assert!(matches!(stale, Err(QueryError::Reference(_))));
}

/// The share of the line from `a` to `b` before the first wall that it crosses.
fn free_share(walls: &[[Vec3; 2]], a: Vec3, b: Vec3) -> f64 {
    let cross = |o: Vec3, p: Vec3, q: Vec3| {
        let (o, p, q) = (o.as_dvec3(), p.as_dvec3(), q.as_dvec3());
        (p.x - o.x) * (q.z - o.z) - (p.z - o.z) * (q.x - o.x)
    };
    let hits = walls.iter().filter_map(|[u, v]| {
        let (of_u, of_v) = (cross(a, b, *u), cross(a, b, *v));
        let (of_a, of_b) = (cross(*u, *v, a), cross(*u, *v, b));
        (of_u * of_v < 0.0 && of_a * of_b < 0.0).then_some(of_a / (of_a - of_b))
    });
    hits.fold(1.0, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn rays_end_at_the_first_of_all_walls(seed in 0u64..1_000_000) {
        let mut text = String::new();
        let mesh = random_grid(seed, 10, 20, &mut text).mesh();
        let walls = walls(&mesh);
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let mut random = Random(seed + 77);
        let mut ray = Ray::default();
        for _ in 0..20 {
            let polygon = polygons[random.below(polygons.len() as u64) as usize];
            let point = mesh.corners(polygon).unwrap().sum::<Vec3>() / 4.0;
            let goal = at(unit(&mut random) as f32 * 14.0 - 2.0, unit(&mut random) as f32 * 14.0 - 2.0);
            Query::new().raycast(&mesh, Place { polygon, point }, goal, &Filter::default(), &mut ray).unwrap();
            let expected = free_share(&walls, point, goal);
            prop_assert!((ray.fraction - expected).abs() < 1e-5, "{point} {goal} {expected} {ray:?}");
            prop_assert_eq!(ray.is_clear(), expected == 1.0);
            prop_assert!(is_linked(&mesh, &ray.polygons));
            let end = point.lerp(goal, ray.fraction as f32);
            prop_assert!(ray.point.distance(end) < 1e-4);
            prop_assert!((ray.cost - f64::from(point.distance(ray.point))).abs() < 1e-4);
            let last = mesh.closest_point(*ray.polygons.last().unwrap(), ray.point).unwrap();
            prop_assert!(last.point.distance(ray.point) < 1e-4);
        }
    }

    #[test]
    fn rays_through_corners_see_what_their_neighbours_see(seed in 0u64..1_000_000) {
        let mut text = String::new();
        random_grid(seed, 8, 25, &mut text);
        let rows: Vec<&str> = text.split_whitespace().collect();
        let part = |x: usize, z: usize| {
            rows[z * 4..z * 4 + 4].iter().map(|row| &row[x * 4..x * 4 + 4]).collect::<Vec<_>>().join(" ")
        };
        let whole = Grid::new(&text).mesh();
        let tiled = mesh((0..4).map(|i| (i % 2, i / 2)).map(|(x, z)| {
            Grid::tiled(&part(x, z), x as i32, z as i32).tile()
        }));
        let walls = walls(&whole);
        let floor = |x: usize, z: usize| rows[z].as_bytes()[x] != b'#';
        let mut random = Random(seed + 3);
        for _ in 0..40 {
            let mut pick = || (random.below(8) as usize, random.below(8) as usize);
            let (from, to) = (pick(), pick());
            if !floor(from.0, from.1) || !floor(to.0, to.1) || from == to {
                continue;
            }
            let [start, goal] = [from, to].map(|(x, z)| at(x as f32 + 0.5, z as f32 + 0.5));
            let ray = cast(&whole, start, goal);
            let over_seams = cast(&tiled, start, goal);
            prop_assert_eq!((ray.end == RayEnd::Goal, ray.fraction), (over_seams.is_clear(), over_seams.fraction));
            // Moved to either side by less than the distance of any corner.
            let along = (goal - start).normalize();
            let aside = Vec3::new(along.z, 0.0, -along.x) * 1e-3;
            let [left, right] = [aside, -aside].map(|by| free_share(&walls, start + by, goal + by));
            prop_assert!(ray.fraction > left.max(right) - 1e-2, "{start} {goal} {left} {right} {ray:?}");
            if left == 1.0 || right == 1.0 {
                prop_assert!(ray.is_clear(), "{start} {goal} {left} {right} {ray:?}");
            }
            // The obstacle itself stops it.
            prop_assert!(ray.fraction <= free_share(&walls, start, goal) + 1e-9);
        }
    }
}
