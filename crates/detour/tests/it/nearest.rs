//! The nearest polygon, heights and closest points: by hand, and against a search of all polygons.

use crate::common::{CLIMB, Grid, METRE, METRE_UP, at, mesh, rectangles, tile};
use detour::{Filter, NavMesh, Nearest, NothingNear, PolyRef, Query, QueryError, Vec3};
use glam::DVec3;
use proptest::prelude::*;

fn nearest(mesh: &NavMesh, position: Vec3, half_extents: Vec3) -> Result<Nearest, QueryError> {
    Query::new().nearest(mesh, position, half_extents, &Filter::default())
}

#[test]
fn over_a_polygon_the_point_is_straight_below() {
    let mesh = Grid::new("..\n..").mesh();
    let found = nearest(&mesh, Vec3::new(1.25, 0.75, 0.5), Vec3::ONE).unwrap();
    assert_eq!((found.point, found.over_polygon), (at(1.25, 0.5), true));
    assert_eq!((found.distance, found.horizontal_distance), (0.75, 0.0));
    assert!(mesh.corners(found.polygon).unwrap().any(|corner| corner == at(2.0, 0.0)));
}

#[test]
fn the_outline_belongs_to_the_polygon() {
    let mesh = Grid::new(".").mesh();
    for [x, z] in [[0.0, 0.5], [1.0, 0.5], [0.5, 0.0], [0.5, 1.0], [0.0, 0.0], [1.0, 1.0]] {
        let found = nearest(&mesh, Vec3::new(x, 0.5, z), Vec3::ONE).unwrap();
        assert_eq!((found.point, found.over_polygon, found.distance), (at(x, z), true, 0.5), "{x}, {z}");
    }
}

#[test]
fn the_zero_of_the_lattice_may_lie_anywhere() {
    let offset = Vec3::new(256.0, -64.0, 8.0);
    let mut content = Grid::new("..#....\n.......\n##.....\n......#").content();
    let here = mesh([tile(&content)]);
    content.lattice.origin = offset.to_array().map(f64::from);
    let there = mesh([tile(&content)]);
    for (x, z) in (-20..50).step_by(3).flat_map(|x| (-20..30).step_by(3).map(move |z| (x, z))) {
        let point = Vec3::new(x as f32 * 0.25, 0.5, z as f32 * 0.25);
        let box_around = |mesh, point| nearest(mesh, point, Vec3::ONE).ok().map(|found| found.point);
        let anywhere = |mesh, point| {
            Query::new().nearest_anywhere(mesh, point, &Filter::default()).unwrap().unwrap().point
        };
        assert_eq!(box_around(&there, point + offset), box_around(&here, point).map(|found| found + offset));
        assert_eq!(anywhere(&there, point + offset), anywhere(&here, point) + offset, "{point}");
    }
}

#[test]
fn beside_the_mesh_it_is_the_outline() {
    let mesh = Grid::new("..").mesh();
    let found = nearest(&mesh, Vec3::new(2.75, 0.0, 0.5), Vec3::ONE).unwrap();
    assert_eq!((found.point, found.over_polygon, found.distance), (at(2.0, 0.5), false, 0.75));
    let corner = nearest(&mesh, Vec3::new(2.3, 0.0, 1.4), Vec3::ONE).unwrap();
    assert_eq!(corner.point, at(2.0, 1.0));
    assert!((corner.horizontal_distance - 0.5).abs() < 1e-6);
}

#[test]
fn the_box_is_the_limit_on_every_axis() {
    let mesh = Grid::new("..").mesh();
    let extents = Vec3::new(1.0, 0.5, 1.0);
    assert!(nearest(&mesh, Vec3::new(3.0, 0.5, 1.0), extents).is_ok());
    for outside in [Vec3::new(3.01, 0.0, 0.5), Vec3::new(1.0, 0.51, 0.5), Vec3::new(1.0, 0.0, 2.01)] {
        let error = nearest(&mesh, outside, extents).unwrap_err();
        assert!(matches!(error, QueryError::NothingNear { reason: NothingNear::OutsideMesh, .. }), "{error}");
    }
}

#[test]
fn within_a_climb_the_floor_beats_the_ledge_beside() {
    // A ledge 0.1 m to the side at the height of the agent's feet, and the floor 0.4 m below the agent.
    let tile = rectangles(&[
        [0, 0, 2 * METRE, 2 * METRE, 0, 0],
        [2 * METRE, 0, METRE, METRE, METRE_UP * 4 / 10, METRE_UP * 4 / 10],
    ]);
    let mesh = mesh([tile]);
    let found = nearest(&mesh, Vec3::new(1.9, 0.4, 0.5), Vec3::ONE).unwrap();
    assert!(found.over_polygon && found.point.y == 0.0);
    let found = nearest(&mesh, Vec3::new(1.9, 0.9, 0.5), Vec3::ONE).unwrap();
    assert!(found.over_polygon, "0.4 m beyond a climb of {CLIMB} is nearer than 0.51 m");
    let found = nearest(&mesh, Vec3::new(1.99, 0.95, 0.5), Vec3::ONE * 2.0).unwrap();
    assert!(found.over_polygon);
    let found = nearest(&mesh, Vec3::new(1.99, 1.3, 0.5), Vec3::ONE * 2.0).unwrap();
    assert!(found.over_polygon, "0.8 m counts against 0.9");
}

#[test]
fn of_two_floors_within_a_climb_the_closer_wins() {
    let floors = [[0, 0, METRE, METRE, 0, 0], [0, 0, METRE, METRE, METRE_UP / 4, METRE_UP / 4]];
    let mesh = mesh([rectangles(&floors)]);
    for (height, floor) in [(0.1, 0.0), (0.2, 0.25), (0.4, 0.25), (-0.2, 0.0)] {
        let found = nearest(&mesh, Vec3::new(0.5, height, 0.5), Vec3::ONE).unwrap();
        assert_eq!(found.point.y, floor);
    }
}

#[test]
fn an_edge_belongs_to_the_smaller_reference() {
    let mesh = Grid::new("..\n..").mesh();
    let found = nearest(&mesh, at(1.0, 1.0), Vec3::ONE).unwrap();
    assert_eq!(Some(found.polygon), mesh.polygons().min());
}

#[test]
fn heights_follow_the_detail_mesh() {
    let mut grid = Grid::new(".");
    grid.bump = METRE_UP;
    let mesh = grid.mesh();
    let polygon = mesh.polygons().next().unwrap();
    let height = |x, z| mesh.height(polygon, at(x, z)).unwrap();
    assert_eq!(height(0.5, 0.5), Some(1.0));
    assert_eq!(height(0.25, 0.5), Some(0.5));
    assert_eq!(height(0.5, 0.125), Some(0.25));
    assert_eq!(height(0.0, 0.0), Some(0.0));
    assert_eq!(height(1.01, 0.5), None);
    let beside = mesh.closest_point(polygon, Vec3::new(1.5, 7.0, 0.5)).unwrap();
    assert_eq!((beside.point, beside.over_polygon), (at(1.0, 0.5), false));
    let over = mesh.closest_point(polygon, Vec3::new(0.75, 7.0, 0.5)).unwrap();
    assert_eq!((over.point, over.over_polygon), (Vec3::new(0.75, 0.5, 0.5), true));
    let kept = Vec3::new(0.75, 7.0, 0.5);
    assert_eq!(mesh.closest_point_on_boundary(polygon, kept).unwrap(), kept);
    assert_eq!(mesh.closest_point_on_boundary(polygon, Vec3::new(-3.0, 7.0, 0.5)).unwrap(), at(0.0, 0.5));
}

#[test]
fn slopes_have_heights_between_their_ends() {
    let mesh = mesh([rectangles(&[[0, 0, 4 * METRE, METRE, 0, 2 * METRE_UP]])]);
    let polygon = mesh.polygons().next().unwrap();
    assert_eq!(mesh.height(polygon, Vec3::new(1.0, 55.0, 0.3)).unwrap(), Some(0.5));
    let beside = mesh.closest_point(polygon, at(3.0, 9.0)).unwrap();
    assert_eq!(beside.point, Vec3::new(3.0, 1.5, 1.0));
}

#[test]
fn bad_calls_are_errors_with_reasons() {
    let grid = Grid::new(".2").mesh();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = nearest(&grid, at(bad, 0.0), Vec3::ONE).unwrap_err();
        assert!(matches!(error, QueryError::Position { .. }));
        let polygon = grid.polygons().next().unwrap();
        assert!(grid.height(polygon, at(0.0, bad)).is_err());
        assert!(grid.closest_point(polygon, at(0.0, bad)).is_err());
    }
    for bad in [
        Vec3::ZERO,
        Vec3::new(1.0, -1.0, 1.0),
        Vec3::new(f32::NAN, 1.0, 1.0),
        Vec3::new(1.0, 1.0, f32::INFINITY),
    ] {
        assert!(matches!(nearest(&grid, Vec3::ZERO, bad), Err(QueryError::HalfExtents(_))));
    }
    let reason = |mesh: &NavMesh, filter: &Filter| match Query::new()
        .nearest(mesh, at(0.5, 0.5), Vec3::splat(0.25), filter)
        .unwrap_err()
    {
        QueryError::NothingNear { reason, .. } => reason,
        other => panic!("{other}"),
    };
    assert_eq!(reason(&NavMesh::default(), &Filter::default()), NothingNear::EmptyMesh);
    assert_eq!(reason(&grid, &Filter::default().with_exclude(1)), NothingNear::AllExcluded(1));
    // Sizes that overflow must not fail.
    assert!(nearest(&grid, at(0.5, 0.5), Vec3::splat(f32::MAX)).is_ok());
    assert!(nearest(&grid, at(f32::MAX, 0.5), Vec3::splat(f32::MAX)).is_ok());
}

#[test]
fn filters_choose_among_neighbours() {
    let mesh = Grid::new(".2").mesh();
    let filter = Filter::default().with_include(2);
    let found = Query::new().nearest(&mesh, at(0.5, 0.5), Vec3::ONE, &filter).unwrap();
    assert_eq!((found.point, mesh.attributes(found.polygon).unwrap().area), (at(1.0, 0.5), 2));
}

/// The point of a rectangle that is closest to `p` in space, within `reach`. The height of the rectangle
/// depends on x only.
fn closest_of_ramp(mesh: &NavMesh, ramp: PolyRef, p: Vec3, reach: Vec3) -> Option<Vec3> {
    let corners: Vec<DVec3> = mesh.corners(ramp).unwrap().map(|corner| corner.as_dvec3()).collect();
    let low = corners.iter().copied().min_by(|a, b| a.x.total_cmp(&b.x)).unwrap();
    let high = corners.iter().copied().max_by(|a, b| a.x.total_cmp(&b.x)).unwrap();
    let (near, far) = (
        corners.iter().map(|c| c.z).fold(f64::MAX, f64::min),
        corners.iter().map(|c| c.z).fold(f64::MIN, f64::max),
    );
    let (p, reach) = (p.as_dvec3(), reach.as_dvec3());
    let z_range = [near.max(p.z - reach.z), far.min(p.z + reach.z)];
    // Only x is free: y depends on it, and must be in reach as well.
    let slope = (high.y - low.y) / (high.x - low.x);
    let mut x_range = [low.x.max(p.x - reach.x), high.x.min(p.x + reach.x)];
    if slope == 0.0 {
        if (low.y - p.y).abs() > reach.y {
            return None;
        }
    } else {
        let mut at = [p.y - reach.y, p.y + reach.y].map(|y| low.x + (y - low.y) / slope);
        at.sort_by(f64::total_cmp);
        x_range = [x_range[0].max(at[0]), x_range[1].min(at[1])];
    }
    if x_range[0] > x_range[1] || z_range[0] > z_range[1] {
        return None;
    }
    let foot = (p.x + slope * (p.y - low.y + slope * low.x)) / (1.0 + slope * slope);
    let x = foot.clamp(x_range[0], x_range[1]);
    Some(DVec3::new(x, low.y + slope * (x - low.x), p.z.clamp(z_range[0], z_range[1])).as_vec3())
}

/// The promised answer of `Query::nearest` on ramps, by a slow search: the counted distance, the distance,
/// and the polygon.
fn brute_force(mesh: &NavMesh, position: Vec3, half_extents: Vec3) -> Option<(f32, f32, PolyRef)> {
    let reach = half_extents + Vec3::new(0.25, 0.125, 0.25) / 256.0;
    let candidates = mesh.polygons().filter_map(|polygon| {
        let closest = mesh.closest_point(polygon, position).unwrap();
        let away = closest.point - position;
        let squared = away.length_squared();
        if away.abs().cmple(reach).all() {
            let beyond_climb = (away.y.abs() - CLIMB).max(0.0).powi(2);
            return Some((if closest.over_polygon { beyond_climb } else { squared }, squared, polygon));
        }
        let squared = closest_of_ramp(mesh, polygon, position, reach)?.distance_squared(position);
        Some((squared, squared, polygon))
    });
    candidates.min_by(|a, b| a.partial_cmp(b).unwrap())
}

#[test]
fn ground_in_the_box_is_found_wherever_it_is() {
    // A ramp of 45 degrees, 6 m long and 1 m wide: a position 4 m over its middle has ground 2.83 m away, up
    // the ramp.
    let mesh = mesh([rectangles(&[[0, 0, 6 * METRE, METRE, 0, 6 * METRE_UP]])]);
    let position = Vec3::new(1.5, 5.5, 0.5);
    let straight = nearest(&mesh, position, Vec3::new(3.0, 4.0, 3.0)).unwrap();
    assert_eq!((straight.point, straight.over_polygon), (Vec3::new(1.5, 1.5, 0.5), true));
    let found = nearest(&mesh, position, Vec3::splat(3.0)).unwrap();
    assert_eq!((found.point, found.over_polygon), (Vec3::new(3.5, 3.5, 0.5), false));
    assert!((found.distance - 8f32.sqrt()).abs() < 1e-6 && found.horizontal_distance == 2.0);
    // If the box cuts off that point, the closest of the rest: 2.5 m aside and 1.5 m below.
    let cut = nearest(&mesh, position, Vec3::new(3.0, 1.5, 3.0)).unwrap();
    assert!(cut.point.distance(Vec3::new(4.0, 4.0, 0.5)) < 0.01, "{cut:?}");
    assert!(nearest(&mesh, position, Vec3::new(1.9, 1.9, 1.9)).is_err());
    // Next to the ramp, the closest point from above is 3 m below, and so outside the box; a farther part of
    // the ramp is in it.
    let beside = nearest(&mesh, Vec3::new(-0.5, 3.0, 0.5), Vec3::new(4.0, 2.0, 1.0)).unwrap();
    assert_eq!((beside.point, beside.over_polygon), (Vec3::new(1.25, 1.25, 0.5), false));
    assert!(nearest(&mesh, Vec3::new(-0.5, 3.0, 0.5), Vec3::new(1.0, 1.5, 1.0)).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    #[test]
    fn the_tree_finds_what_a_search_of_all_finds(
        list in prop::collection::vec(
            (0i32..30_000, 0i32..30_000, 100i32..9_000, 100i32..9_000, 0i32..8_000, 0i32..8_000), 1..60),
        positions in prop::collection::vec((-5f32..40.0, -1f32..6.0, -5f32..40.0), 10),
        extents in (0.1f32..8.0, 0.1f32..8.0, 0.1f32..8.0),
    ) {
        let list: Vec<[i32; 6]> = list.into_iter().map(|v| [v.0, v.1, v.2, v.3, v.4, v.5]).collect();
        let mesh = mesh([rectangles(&list)]);
        let extents = Vec3::from(extents);
        let mut query = Query::new();
        for position in positions {
            let position = Vec3::from(position);
            let found = query.nearest(&mesh, position, extents, &Filter::default()).ok();
            let expected = brute_force(&mesh, position, extents);
            if let (Some(found), Some(expected)) = (found, expected) {
                prop_assert!((found.distance - expected.1.sqrt()).abs() < 1e-5, "{found:?} {expected:?}");
            }
            prop_assert_eq!(found.map(|n| n.polygon), expected.map(|e| e.2));
        }
    }
}

/// Number of cases: 300, or the number in `DETOUR_NEAREST`.
fn cases() -> u32 {
    std::env::var("DETOUR_NEAREST").ok().and_then(|count| count.parse().ok()).unwrap_or(300)
}

#[test]
fn anywhere_means_the_closest_ground_of_all_in_space() {
    // 4 m over a ramp of 45 degrees; a floor 3 m aside is farther than the ramp's foot of the perpendicular.
    let mesh = mesh([rectangles(&[
        [0, 0, 6 * METRE, METRE, 0, 6 * METRE_UP],
        [0, 4 * METRE, METRE, METRE, 5 * METRE_UP, 5 * METRE_UP],
    ])]);
    let (mut query, all) = (Query::new(), Filter::default());
    let place = query.nearest_anywhere(&mesh, Vec3::new(1.5, 5.5, 0.5), &all).unwrap().unwrap();
    assert_eq!(place.point, Vec3::new(3.5, 3.5, 0.5));
    let far = query.nearest_anywhere(&mesh, Vec3::new(-300.0, 5.0, 400.0), &all).unwrap().unwrap();
    assert_eq!(far.point, Vec3::new(0.0, 5.0, 5.0));
    assert!(query.nearest_anywhere(&mesh, at(f32::NAN, 0.0), &all).is_err());
    assert_eq!(query.nearest_anywhere(&mesh, far.point, &Filter::default().with_exclude(1)), Ok(None));
    assert_eq!(query.nearest_anywhere(&NavMesh::default(), far.point, &all), Ok(None));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    #[test]
    fn nothing_anywhere_is_closer(
        list in prop::collection::vec(
            (0i32..30_000, 0i32..30_000, 100i32..9_000, 100i32..9_000, 0i32..8_000, 0i32..8_000), 1..60),
        positions in prop::collection::vec((-5f32..40.0, -1f32..6.0, -5f32..40.0), 10),
    ) {
        let list: Vec<[i32; 6]> = list.into_iter().map(|v| [v.0, v.1, v.2, v.3, v.4, v.5]).collect();
        let mesh = mesh([rectangles(&list)]);
        let mut query = Query::new();
        for position in positions {
            let position = Vec3::from(position);
            let found = query.nearest_anywhere(&mesh, position, &Filter::default()).unwrap().unwrap();
            let all = mesh.polygons().filter_map(|polygon| {
                Some(closest_of_ramp(&mesh, polygon, position, Vec3::splat(1e6))?.distance(position))
            });
            let expected = all.fold(f32::INFINITY, f32::min);
            prop_assert!((found.point.distance(position) - expected).abs() < 1e-5, "{found:?} {expected}");
        }
    }
}
