//! Paths over slopes that cost something or are too steep.

use crate::common::links::{link, linked};
use crate::common::{Grid, METRE, METRE_UP, Random, at, is_linked, mesh, place, unit};
use detour::{
    Corner, CornerKind, Filter, GroundPath, NavMesh, Optimality, PartialReason, Path, PathOptions,
    PathStatus, Place, Query, QueryError, RouteOptions, SlicedPath, StraightPath, Vec3,
};
use navtile::TileCoord;
use std::num::NonZeroU32;

/// Side of the grids, squares.
const SIZE: i32 = 10;

/// A grid of hills up to two metres high, with walls, cut into one tile or two.
fn hills(random: &mut Random, walls_percent: u64, tiles: i32) -> NavMesh {
    let rows = SIZE as usize;
    let mut cell = || if random.below(100) < walls_percent { '#' } else { '.' };
    let texts: Vec<String> = (0..tiles)
        .map(|_| (0..rows).map(|_| (0..rows).map(|_| cell()).collect::<String>() + " ").collect())
        .collect();
    let width = SIZE * tiles + 1;
    let heights: Vec<i32> =
        (0..width * (SIZE + 1)).map(|_| random.below(2 * METRE_UP as u64) as i32).collect();
    let heights = &heights;
    let tile = |number: i32| {
        let mut grid = Grid::tiled(&texts[number as usize], number, 0);
        grid.portals = tiles > 1;
        grid.bump = METRE_UP / 4;
        grid.vertex = Box::new(move |column, row| {
            let height = heights[(row * width + column + number * SIZE) as usize];
            [column * METRE, height, row * METRE]
        });
        grid.tile()
    };
    mesh((0..tiles).map(tile))
}

fn random_place(mesh: &NavMesh, random: &mut Random) -> Place {
    let ground = Query::new().random_point(mesh, &Filter::default(), || unit(random));
    ground.unwrap()
}

fn ground_path(mesh: &NavMesh, [start, goal]: [Place; 2], filter: &Filter) -> GroundPath {
    let mut path = GroundPath::default();
    Query::new().ground_path(mesh, start, goal, filter, &mut path).unwrap();
    path
}

/// The cost of a row of points, by areas of cost 1.
fn cost_of(points: &[Corner], filter: &Filter) -> f64 {
    let leg = |pair: &[Corner]| {
        let along = pair[1].point.as_dvec3() - pair[0].point.as_dvec3();
        let [climb, descent] = [filter.climb_cost(), filter.descent_cost()].map(f64::from);
        along.length() + if along.y > 0.0 { climb * along.y } else { -descent * along.y }
    };
    points.windows(2).map(leg).sum()
}

fn assert_near(a: f64, b: f64, relative: f64) {
    assert!((a - b).abs() <= relative * (1.0 + a.abs().max(b.abs())), "{a} {b}");
}

/// Random pairs on hills that a path connects.
fn pairs(count: usize, mut visit: impl FnMut(&NavMesh, [Place; 2])) {
    for seed in 1..=4 {
        let mut random = Random(seed);
        let mesh = hills(&mut random, 15 * (seed % 2), 1 + (seed as i32 / 2) % 2);
        for _ in 0..count {
            let ends = [random_place(&mesh, &mut random), random_place(&mesh, &mut random)];
            visit(&mesh, ends);
        }
    }
}

#[test]
fn costs_are_those_of_the_points_and_points_are_on_the_surface() {
    let filter = Filter::default().with_climb_cost(3.0).unwrap().with_descent_cost(0.5).unwrap();
    let mut complete = 0;
    pairs(40, |mesh, ends| {
        let path = ground_path(mesh, ends, &filter);
        complete += usize::from(path.status == PathStatus::Complete);
        assert_near(path.cost, cost_of(&path.corners, &filter), 1e-9);
        assert!(is_linked(mesh, &path.polygons), "{:?}", path.polygons);
        assert_eq!(path.corners[0].kind, CornerKind::Start);
        assert_eq!(path.corners.last().unwrap().kind, CornerKind::End);
        for corner in &path.corners {
            let height = mesh.height(corner.polygon, corner.point).unwrap();
            // On an edge, rounding may put the point next to the polygon.
            assert!(height.is_none_or(|height| (height - corner.point.y).abs() < 0.002), "{corner:?}");
        }
        for pair in path.corners.windows(2) {
            let middle = pair[0].point.midpoint(pair[1].point);
            let under = Query::new().nearest(mesh, middle, Vec3::new(0.01, 0.5, 0.01), &filter).unwrap();
            assert!(under.point.distance(middle) < 0.005, "{pair:?}");
        }
    });
    assert!(complete > 100, "{complete}");
}

#[test]
fn the_way_back_costs_the_same_but_for_the_height_that_is_gained() {
    let only_climb = Filter::default().with_climb_cost(4.0).unwrap();
    let both = only_climb.clone().with_descent_cost(4.0).unwrap();
    pairs(25, |mesh, [start, goal]| {
        let rise = f64::from(goal.point.y - start.point.y);
        for (filter, difference) in [(&both, 0.0), (&only_climb, 4.0 * rise)] {
            let there = ground_path(mesh, [start, goal], filter);
            let back = ground_path(mesh, [goal, start], filter);
            assert_eq!(there.status, back.status);
            if there.status == PathStatus::Complete {
                // Points on edges are the same in both directions, and so are the lines but for ties.
                assert_near(there.cost - back.cost, difference, 0.003);
            }
        }
    });
}

#[test]
fn no_line_over_a_plain_path_is_cheaper() {
    let plain = Filter::default();
    let (mut found, mut surface, mut cheaper) = (Path::default(), StraightPath::default(), 0);
    let mut query = Query::new();
    pairs(40, |mesh, ends| {
        let options = PathOptions { optimality: Optimality::Near };
        query.find_path(mesh, ends[0], ends[1], &plain, &options, &mut found).unwrap();
        if found.status != PathStatus::Complete {
            return;
        }
        let [start, goal] = ends.map(|end| end.point);
        query.surface_path(mesh, start, goal, &found.polygons, usize::MAX, &mut surface).unwrap();
        for climb in [0.0, 0.5, 2.0, 10.0] {
            let filter = plain.clone().with_climb_cost(climb).unwrap();
            let path = ground_path(mesh, ends, &filter);
            let over = cost_of(&surface.corners, &filter);
            assert_eq!(path.status, PathStatus::Complete);
            assert!(path.cost <= over * 1.001 + 1e-3, "{climb}: {} {over}", path.cost);
            cheaper += usize::from(path.cost < over * 0.97);
        }
    });
    assert!(cheaper > 100, "{cheaper}");
}

#[test]
fn on_level_ground_lengths_are_those_of_the_shortest_path() {
    let (mut query, mut shortest) = (Query::new(), detour::ShortestPath::default());
    for seed in 1..=6 {
        let mut text = String::new();
        let mesh = crate::common::uneven_grid(seed, 8, 20, &mut text).mesh();
        let mut random = Random(seed);
        for _ in 0..25 {
            let [start, goal] = [random_place(&mesh, &mut random), random_place(&mesh, &mut random)];
            let model = detour::Passable::default();
            query.shortest_path(&mesh, start, goal, &model, &mut shortest).unwrap();
            if shortest.status != PathStatus::Complete {
                continue;
            }
            // Height costs, but the ground is level.
            for climb in [0.0, 5.0] {
                let filter = Filter::default().with_climb_cost(climb).unwrap();
                let path = ground_path(&mesh, [start, goal], &filter);
                assert_eq!(path.status, PathStatus::Complete);
                assert!(path.cost >= shortest.length_from_above - 0.02);
                assert!(path.cost <= shortest.length_from_above * 1.003 + 0.01, "{seed}: {path:?}");
                assert!(path.corners.len() <= shortest.corners.len() + 3, "{path:?} {shortest:?}");
            }
        }
    }
}

/// A hillside of one plane: 20 m along x, 10 m along z, rising along x with a slope of one half.
fn hillside() -> NavMesh {
    let text = ["...................."; 10].join(" ");
    let mut grid = Grid::new(&text);
    grid.vertex = Box::new(|column, row| [column * METRE, column * METRE_UP / 2, row * METRE]);
    grid.mesh()
}

fn on_hillside(mesh: &NavMesh, x: f32, z: f32) -> Place {
    place(mesh, Vec3::new(x, x / 2.0, z))
}

#[test]
fn steep_ground_is_climbed_in_zigzags_up_to_the_limit() {
    let mesh = hillside();
    let ends = [on_hillside(&mesh, 2.3, 5.1), on_hillside(&mesh, 12.3, 5.1)];
    let straight = ground_path(&mesh, ends, &Filter::default().with_max_slope_up(27.0).unwrap());
    assert_eq!(straight.corners.len(), 2, "26.57 degrees are not too steep: {straight:?}");
    let filter = Filter::default().with_max_slope_up(15.0).unwrap();
    let path = ground_path(&mesh, ends, &filter);
    assert_eq!(path.status, PathStatus::Complete);
    // Five metres up, each at fifteen degrees.
    assert_near(path.cost, 5.0 / 15f64.to_radians().sin(), 1e-4);
    assert!(steepest(&path, 1.0) <= 15.05, "{}", steepest(&path, 1.0));
    // The limit does not hold downwards.
    let back = ground_path(&mesh, [ends[1], ends[0]], &filter);
    assert_near(back.cost, 10.0 * 1.25f64.sqrt(), 1e-5);
    let down = Filter::default().with_max_slope_down(15.0).unwrap();
    assert_near(ground_path(&mesh, [ends[1], ends[0]], &down).cost, path.cost, 1e-4);
}

/// The steepest leg up (1) or down (-1), degrees.
fn steepest(path: &GroundPath, direction: f32) -> f64 {
    let slope = |pair: &[Corner]| {
        let along = (pair[1].point - pair[0].point).as_dvec3();
        let flat = along.with_y(0.0).length();
        // Rounding to f32 tilts very short legs.
        if flat < 0.01 { 0.0 } else { (along.y * f64::from(direction)).atan2(flat).to_degrees() }
    };
    path.corners.windows(2).map(slope).fold(0.0, f64::max)
}

#[test]
fn no_leg_is_steeper_than_the_limits() {
    let (mut complete, mut cut_off) = (0, 0);
    for limits in [[20.0, 90.0], [90.0, 30.0], [35.0, 25.0]] {
        let filter = Filter::default().with_max_slope_up(limits[0]).unwrap();
        let filter = filter.with_max_slope_down(limits[1]).unwrap().with_climb_cost(1.0).unwrap();
        pairs(8, |mesh, ends| {
            let path = ground_path(mesh, ends, &filter);
            complete += usize::from(path.status == PathStatus::Complete);
            cut_off += usize::from(path.status != PathStatus::Complete);
            for (limit, direction) in limits.into_iter().zip([1.0, -1.0]) {
                let found = steepest(&path, direction);
                assert!(found <= f64::from(limit) + 0.1, "{found} {limit}: {path:?}");
            }
            assert_near(path.cost, cost_of(&path.corners, &filter), 1e-9);
        });
    }
    assert!(complete > 50, "{complete} {cut_off}");
}

#[test]
fn a_goal_up_a_slope_without_a_path_is_approached() {
    let mesh = hillside();
    let ends = [on_hillside(&mesh, 2.3, 5.1), on_hillside(&mesh, 12.3, 5.1)];
    let level_only = Filter::default().with_max_slope_up(0.0).unwrap();
    let path = ground_path(&mesh, ends, &level_only);
    assert_eq!(path.status, PathStatus::Partial(PartialReason::Unreachable));
    assert!(path.corners.last().unwrap().point.x < 2.5, "{path:?}");
    let mut few = Query::with_max_nodes(NonZeroU32::new(4).unwrap());
    let mut partial = GroundPath::default();
    few.ground_path(&mesh, ends[0], ends[1], &Filter::default().with_climb_cost(1.0).unwrap(), &mut partial)
        .unwrap();
    assert_eq!(partial.status, PathStatus::Partial(PartialReason::OutOfNodes));
    assert!(partial.touched <= 16 && partial.corners.len() >= 2, "{partial:?}");
}

#[test]
fn a_dear_climb_is_avoided_and_links_are_taken() {
    // A ridge across the grid, 3 m high, with a level pass at one end.
    let text = ["..............."; 15].join(" ");
    let mut grid = Grid::new(&text);
    grid.vertex = Box::new(|column, row| {
        let is_ridge = (6..=8).contains(&column) && row < 13;
        [column * METRE, if is_ridge { 3 * METRE_UP } else { 0 }, row * METRE]
    });
    let mesh = grid.mesh();
    let ends = [place(&mesh, at(2.5, 2.5)), place(&mesh, at(12.5, 2.5))];
    let over = ground_path(&mesh, ends, &Filter::default().with_climb_cost(0.1).unwrap());
    let around = ground_path(&mesh, ends, &Filter::default().with_climb_cost(20.0).unwrap());
    let top = |path: &GroundPath| path.corners.iter().map(|corner| corner.point.y).fold(0.0, f32::max);
    assert!(top(&over) > 2.9 && top(&around) < 0.1, "{over:?} {around:?}");
    let tile = linked(
        grid.content(),
        vec![link(&grid.content(), [4.5, 0.0, 2.5], [10.5, 0.0, 2.5], TileCoord::default())],
    );
    let mesh = crate::common::mesh([tile]);
    let ends = ends.map(|end| place(&mesh, end.point));
    let filter = Filter::default().with_climb_cost(20.0).unwrap();
    let through = ground_path(&mesh, ends, &filter);
    assert_near(through.cost, 10.0, 1e-6);
    let link = mesh.off_mesh_links().next().unwrap();
    assert!(through.polygons.contains(&link));
    let route = Query::new().route(&mesh, ends[0].point, ends[1].point, &filter, &RouteOptions::default());
    assert_eq!(route.unwrap().links.len(), 1);
    // A start and a goal on the link.
    let middle = Place { polygon: link, point: at(7.5, 2.5) };
    assert_near(ground_path(&mesh, [middle, ends[1]], &filter).cost, 5.0, 1e-6);
    assert_near(ground_path(&mesh, [ends[0], middle], &filter).cost, 5.0, 1e-6);
}

#[test]
fn every_query_has_one_answer_for_slopes() {
    let mesh = hills(&mut Random(3), 10, 2);
    let mut random = Random(9);
    let filter = Filter::default().with_climb_cost(2.0).unwrap();
    let mut query = Query::new();
    for _ in 0..10 {
        let ends = [random_place(&mesh, &mut random), random_place(&mesh, &mut random)];
        let expected = ground_path(&mesh, ends, &filter);
        let mut path = Path::default();
        query.find_path(&mesh, ends[0], ends[1], &filter, &PathOptions::default(), &mut path).unwrap();
        assert_eq!(
            (&path.polygons, path.cost, path.status),
            (&expected.polygons, expected.cost, expected.status)
        );
        let route =
            query.route(&mesh, ends[0].point, ends[1].point, &filter, &RouteOptions::default()).unwrap();
        assert_near(route.cost, expected.cost, 1e-4);
        assert_eq!(
            query.shortcut(&mesh, ends[0].point, ends[1].point, 9.0, &filter, &mut path.polygons),
            Ok(0)
        );
        let shortest = PathOptions { optimality: Optimality::Shortest };
        let refused = query.find_path(&mesh, ends[0], ends[1], &filter, &shortest, &mut path);
        assert_eq!(refused, Err(QueryError::UnequalCosts));
        let sliced =
            SlicedPath::new(&mut query, mesh.clone(), ends[0], ends[1], &filter, PathOptions::default());
        assert_eq!(sliced.err(), Some(QueryError::SlopesInSlices));
        let field = query.field(&mesh, &[ends[1]], f32::INFINITY, &filter, &mut detour::Field::default());
        assert_eq!(field, Err(QueryError::SlopesInField));
        let nowhere = Place { point: Vec3::NAN, ..ends[0] };
        let refused = query.ground_path(&mesh, nowhere, ends[1], &filter, &mut GroundPath::default());
        assert!(matches!(refused, Err(QueryError::Position { what: "start", .. })));
    }
}
