//! Moves along the surface and distances to walls: by hand, and against all walls.

use crate::common;
use crate::common::{Grid, METRE_UP, Random, at, is_linked, mesh, place, random_grid, unit, walls};
use detour::{Filter, NavMesh, NearWall, Place, PolyRef, Query, QueryError, Ray, Slide, SlideEnd, Vec3};
use proptest::prelude::*;
use std::num::NonZeroU32;

fn slide(mesh: &NavMesh, start: Vec3, goal: Vec3) -> Slide {
    let mut slide = Slide::default();
    Query::new().slide(mesh, place(mesh, start), goal, &Filter::default(), &mut slide).unwrap();
    assert!(is_linked(mesh, &slide.polygons));
    slide
}

fn wall(mesh: &NavMesh, centre: Vec3, radius: f32) -> Option<NearWall> {
    Query::new().wall_distance(mesh, place(mesh, centre), radius, &Filter::default()).unwrap()
}

#[test]
fn a_move_slides_along_a_wall() {
    let mesh = Grid::new("...\n##.\n...").mesh();
    let along = slide(&mesh, at(0.5, 0.5), at(1.5, 1.25));
    assert_eq!((along.end, along.point, along.polygons.len()), (SlideEnd::Wall, at(1.5, 1.0), 2));
    let free = slide(&mesh, at(0.5, 0.5), at(2.5, 0.75));
    assert_eq!((free.end, free.point, free.polygons.len()), (SlideEnd::Goal, at(2.5, 0.75), 3));
    let into_corner = slide(&mesh, at(0.5, 0.5), at(-1.0, -1.0));
    assert_eq!(into_corner.point, at(0.0, 0.0));
    // Around a corner, as the path there stays near.
    let round = slide(&mesh, at(1.75, 0.5), at(2.25, 1.5));
    assert_eq!((round.end, round.polygons.len()), (SlideEnd::Goal, 3));
}

#[test]
fn a_move_ends_at_the_height_of_the_surface() {
    let mut hills = Grid::new("...");
    hills.bump = METRE_UP;
    let mesh = hills.mesh();
    assert_eq!(slide(&mesh, at(0.5, 0.5), at(1.5, 0.5)).point, Vec3::new(1.5, 1.0, 0.5));
    assert_eq!(slide(&mesh, at(0.5, 0.5), at(1.25, 0.5)).point, Vec3::new(1.25, 0.5, 0.5));
}

#[test]
fn an_edge_open_in_part_is_wall_in_part() {
    let mut fine = Grid::tiled("####\n####\n####\n....", 1, 0);
    fine.vertex = Box::new(|column, row| [column * 512, 0, row * 512]);
    let mut fine = fine.content();
    (fine.base_cell, fine.size_cells) = ([8, 0, 0], [8, 8]);
    let mesh = mesh([Grid::tiled("..\n..", 0, 0).tile(), common::tile(&fine)]);
    // The closed part of the edge is the nearest. If the whole edge were open, the move would end elsewhere.
    let stopped = slide(&mesh, at(1.75, 1.125), at(2.25, 1.125));
    assert_eq!((stopped.end, stopped.point), (SlideEnd::Wall, at(2.0, 1.125)));
    assert_eq!(slide(&mesh, at(1.75, 1.75), at(2.25, 1.75)).end, SlideEnd::Goal);
    let near = wall(&mesh, at(1.75, 1.25), 1.0).unwrap();
    assert_eq!((near.distance, near.point, near.normal), (0.25, at(2.0, 1.25), Vec3::NEG_X));
    let mut pieces = Vec::new();
    let border = place(&mesh, at(1.75, 1.25)).polygon;
    Query::new().outline(&mesh, border, &Filter::default(), |piece| pieces.push(piece)).unwrap();
    let at_seam: Vec<_> = pieces.iter().filter(|piece| piece.from.x == 2.0 && piece.to.x == 2.0).collect();
    // Upwards along the edge, with the square to the left.
    assert_eq!((at_seam[0].from, at_seam[0].to), (at(2.0, 2.0), at(2.0, 1.5)));
    assert_eq!((at_seam[1].from, at_seam[1].to), (at(2.0, 1.5), at(2.0, 1.0)));
    assert!(at_seam[0].beyond.is_some() && at_seam[1].beyond.is_none() && at_seam.len() == 2);
    let mut walls = 0;
    Query::new().wall_segments(&mesh, border, &Filter::default(), |_| walls += 1).unwrap();
    assert_eq!((walls, pieces.len()), (2, 5));
}

#[test]
fn outlines_are_what_a_filter_sees() {
    let mesh = Grid::new(".2").mesh();
    let polygon = place(&mesh, at(0.5, 0.5)).polygon;
    let count = |filter: &Filter| {
        let mut walls = 0;
        Query::new().wall_segments(&mesh, polygon, filter, |_| walls += 1).unwrap();
        walls
    };
    assert_eq!((count(&Filter::default()), count(&Filter::default().with_exclude(2))), (3, 4));
}

#[test]
fn walls_are_found_within_the_radius_only() {
    let mesh = Grid::new(".....\n.....\n.....\n.....\n.....").mesh();
    let near = wall(&mesh, at(2.5, 2.0), 10.0).unwrap();
    assert_eq!((near.distance, near.point, near.normal), (2.0, at(2.5, 0.0), Vec3::Z));
    assert!(wall(&mesh, at(2.5, 2.0), 2.0).is_some() && wall(&mesh, at(2.5, 2.0), 1.99).is_none());
    let on_it = wall(&mesh, at(0.0, 2.25), 0.0).unwrap();
    assert_eq!((on_it.distance, on_it.normal), (0.0, Vec3::X));
    let mesh = Grid::new("...\n.2.\n...").mesh();
    let filter = Filter::default().with_exclude(2);
    let near = Query::new().wall_distance(&mesh, place(&mesh, at(0.75, 1.5)), 1.0, &filter).unwrap().unwrap();
    assert_eq!((near.distance, near.normal), (0.25, Vec3::NEG_X));
}

#[test]
fn another_floor_is_not_near() {
    // A ramp of a turn and a half. Its upper end is wider than the part below, whose walls are nearer from
    // above.
    let mut grid = Grid::new("............");
    grid.vertex = Box::new(|column, row| {
        let [x, y, z] = common::helix(column, row);
        let widened = |v: i32| match (column > 8, row) {
            (true, 0) => 4096 + (v - 4096) * 4 / 3,
            (true, _) => 4096 + (v - 4096) / 2,
            _ => v,
        };
        [widened(x), y, widened(z)]
    });
    let mesh = grid.mesh();
    let middle = |p: PolyRef| mesh.corners(p).unwrap().sum::<Vec3>() / 4.0;
    let mut places: Vec<Place> =
        mesh.polygons().map(|polygon| Place { polygon, point: middle(polygon) }).collect();
    places.sort_by(|a, b| a.point.y.total_cmp(&b.point.y));
    let (upper, lower) = (places[10], places[2]);
    let mut below = f64::INFINITY;
    Query::new()
        .wall_segments(&mesh, lower.polygon, &Filter::default(), |wall| {
            below =
                below.min(to_walls(&[[wall.from.with_y(0.0), wall.to.with_y(0.0)]], upper.point.with_y(0.0)));
        })
        .unwrap();
    let near = Query::new().wall_distance(&mesh, upper, 20.0, &Filter::default()).unwrap().unwrap();
    assert!(f64::from(near.distance) > below + 0.3 && near.point.y > 4.0, "{near:?} {below}");
}

#[test]
fn bad_calls_are_errors() {
    let mut mesh = Grid::new("..").mesh();
    let start = place(&mesh, at(0.5, 0.5));
    let (mut query, mut slide, filter) = (Query::new(), Slide::default(), Filter::default());
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let nowhere = Place { point: at(bad, 0.0), ..start };
        assert!(query.slide(&mesh, start, at(bad, 0.0), &filter, &mut slide).is_err());
        assert!(query.slide(&mesh, nowhere, at(0.0, 0.0), &filter, &mut slide).is_err());
        assert!(query.wall_distance(&mesh, nowhere, 1.0, &filter).is_err());
        assert!(matches!(query.wall_distance(&mesh, start, bad, &filter), Err(QueryError::Radius(_))));
    }
    assert!(matches!(query.wall_distance(&mesh, start, -1.0, &filter), Err(QueryError::Radius(_))));
    assert!(query.wall_distance(&mesh, start, f32::MAX, &filter).unwrap().is_some());
    query.slide(&mesh, start, at(f32::MAX, f32::MIN), &filter, &mut slide).unwrap();
    assert_eq!(slide.end, SlideEnd::Wall);
    // A start outside its polygon, and no portal.
    let beside = Place { point: at(-5.0, 0.5), ..start };
    query.slide(&mesh, beside, at(-6.0, 0.5), &filter, &mut slide).unwrap();
    assert_eq!(slide.point, at(0.0, 0.5));
    mesh.remove_tile(Default::default()).unwrap();
    assert!(matches!(
        query.slide(&mesh, start, at(1.0, 0.0), &filter, &mut slide),
        Err(QueryError::Reference(_))
    ));
    assert!(query.wall_distance(&mesh, start, 1.0, &filter).is_err());
    assert!(query.outline(&mesh, start.polygon, &filter, |_| {}).is_err());
}

#[test]
fn running_out_of_nodes_is_reported() {
    let mesh = Grid::new(".....\n.....\n.....\n.....\n.....").mesh();
    let mut query = Query::with_max_nodes(NonZeroU32::new(1).unwrap());
    let middle = place(&mesh, at(2.5, 2.5));
    let refused = query.wall_distance(&mesh, middle, 5.0, &Filter::default());
    assert_eq!(refused, Err(QueryError::OutOfNodes { limit: 1 }));
    assert_eq!(query.wall_distance(&mesh, middle, 0.25, &Filter::default()), Ok(None));
    let corner = place(&mesh, at(0.25, 0.5));
    assert!(query.wall_distance(&mesh, corner, 5.0, &Filter::default()).unwrap().is_some());
    let mut slide = Slide::default();
    query.slide(&mesh, middle, at(4.5, 2.5), &Filter::default(), &mut slide).unwrap();
    assert_eq!((slide.end, slide.point), (SlideEnd::OutOfNodes, at(2.5, 2.5)));
}

/// The distance from a point to the nearest of all walls, seen from above.
fn to_walls(walls: &[[Vec3; 2]], p: Vec3) -> f64 {
    let distances = walls.iter().map(|[a, b]| {
        let (a, b, p) = (a.as_dvec3(), b.as_dvec3(), p.as_dvec3());
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        a.lerp(b, t).distance(p)
    });
    distances.fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn the_nearest_wall_is_the_nearest_of_all(seed in 0u64..1_000_000, walls_percent in 1u64..30) {
        let mut text = String::new();
        let mesh = random_grid(seed, 12, walls_percent, &mut text).mesh();
        let walls = walls(&mesh);
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let mut random = Random(seed + 5);
        let mut query = Query::new();
        for _ in 0..20 {
            let polygon = polygons[random.below(polygons.len() as u64) as usize];
            let corners: Vec<Vec3> = mesh.corners(polygon).unwrap().collect();
            let point = corners[0].lerp(corners[2], unit(&mut random) as f32);
            let radius = unit(&mut random) as f32 * 4.0;
            let found = query.wall_distance(&mesh, Place { polygon, point }, radius, &Filter::default()).unwrap();
            let expected = to_walls(&walls, point);
            match found {
                Some(found) => {
                    prop_assert!((f64::from(found.distance) - expected).abs() < 1e-5, "{point} {found:?} {expected}");
                    prop_assert!((found.point.distance(point) - found.distance).abs() < 1e-4);
                    prop_assert!((found.normal.length() - 1.0).abs() < 1e-5);
                }
                None => prop_assert!(expected > f64::from(radius) - 1e-6),
            }
        }
    }

    #[test]
    fn moves_end_on_the_mesh_and_no_farther_from_their_goal_than_rays(seed in 0u64..1_000_000) {
        let mut text = String::new();
        let mesh = random_grid(seed, 10, 25, &mut text).mesh();
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let mut random = Random(seed + 6);
        let (mut query, mut ray, mut slide) = (Query::new(), Ray::default(), Slide::default());
        for _ in 0..20 {
            let polygon = polygons[random.below(polygons.len() as u64) as usize];
            let point = mesh.corners(polygon).unwrap().sum::<Vec3>() / 4.0;
            let start = Place { polygon, point };
            let by = at(unit(&mut random) as f32 * 4.0 - 2.0, unit(&mut random) as f32 * 4.0 - 2.0);
            let goal = point + by;
            query.raycast(&mesh, start, goal, &Filter::default(), &mut ray).unwrap();
            query.slide(&mesh, start, goal, &Filter::default(), &mut slide).unwrap();
            prop_assert!(slide.point.distance(goal) <= ray.point.distance(goal) + 1e-4);
            if ray.is_clear() {
                prop_assert_eq!((slide.end, slide.point), (SlideEnd::Goal, goal));
            }
            prop_assert_eq!(slide.polygons[0], polygon);
            let last = *slide.polygons.last().unwrap();
            let on = mesh.closest_point(last, slide.point).unwrap();
            prop_assert!(on.point.distance(slide.point) < 1e-5);
            // Every polygon is entered from its predecessor, over an opening near the line: the move crosses
            // no wall.
            for pair in slide.polygons.windows(2) {
                let mut near = false;
                mesh.visit_links(pair[0], |link| {
                    let opening = [[link.left, link.right]];
                    near |= link.to == pair[1]
                        && to_walls(&opening, point + by / 2.0) <= f64::from(by.length()) / 2.0 + 1e-2;
                }).unwrap();
                prop_assert!(near);
            }
        }
    }
}
