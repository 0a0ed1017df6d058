//! Tests of the effects of obstacles on a level.

use super::*;
use crate::Tiling;
use navtile::TileCoord;
use recast::{Baked, Level, PreparedLevel, Scratch, Settings, Silent};

/// A floor of 12 by 12 m, with a wall of 0.2 m across it at x = 6 if asked for.
fn room(with_wall: bool) -> PreparedLevel {
    let mut level = Level {
        vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 12.0], [12.0, 0.0, 12.0], [12.0, 0.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        areas: Vec::new(),
    };
    if with_wall {
        let wall = Body::cuboid([0.2, 3.0, 12.0]).unwrap();
        let first = level.vertices.len() as u32;
        level.vertices.extend(wall.vertices().iter().map(|[x, y, z]| [x + 6.0, *y, z + 6.0]));
        level.triangles.extend(wall.triangles().iter().map(|triangle| triangle.map(|v| first + v)));
    }
    PreparedLevel::new(&level, &Settings::default()).unwrap()
}

fn baked(level: &PreparedLevel, obstacles: &[Obstacle]) -> Baked {
    let prepared = obstacles.iter().map(|obstacle| PreparedObstacle::new(obstacle, level).unwrap()).collect();
    let levels = std::slice::from_ref(level);
    let tiling = Tiling::for_agents(levels, 0).unwrap().with_obstacles(vec![prepared]).unwrap();
    let mut result = None;
    tiling
        .bake_agents(&[0], TileCoord::default(), &Silent, &mut Scratch::new(), |_, baked| {
            result = Some(baked);
            Ok::<(), recast::Error>(())
        })
        .unwrap();
    result.unwrap()
}

/// Area of the mesh, m², at the height of a floor.
fn area_at(baked: &Baked, heights: std::ops::Range<f64>) -> f64 {
    let tile = &baked.tile;
    let cell = Settings::default();
    let metres = |vertex: u32| -> [f64; 3] {
        let [x, y, z] = tile.vertices()[vertex as usize].map(|fixed| f64::from(fixed) / 256.0);
        [x * cell.cell_size, y * cell.cell_height, z * cell.cell_size]
    };
    let of = |polygon: &navtile::layout::Polygon| {
        let corners: Vec<[f64; 3]> = tile.edges()[polygon.first_edge as usize..]
            [..usize::from(polygon.edge_count)]
            .iter()
            .map(|edge| metres(edge.vertex))
            .collect();
        let inside = corners.iter().all(|corner| heights.contains(&corner[1]));
        let next = corners.iter().cycle().skip(1);
        let doubled: f64 = corners.iter().zip(next).map(|(a, b)| a[0] * b[2] - b[0] * a[2]).sum();
        if inside { doubled.abs() / 2.0 } else { 0.0 }
    };
    tile.polygons().iter().map(of).sum()
}

fn solid(body: Body, at: [f64; 3]) -> Obstacle {
    Obstacle { body, place: Transform::turned(0.0, at), effect: Effect::Solid { area: AreaId::GROUND } }
}

#[test]
fn a_crate_can_be_stood_on_and_has_no_room_inside() {
    let level = room(false);
    let free = baked(&level, &[]);
    let ground = area_at(&free, 0.0..0.5);
    assert!((ground - 10.2 * 10.2).abs() < 0.1, "{ground}: the floor less three cells on all sides");
    // Three metres high: an agent would fit inside.
    let with = baked(&level, &[solid(Body::cuboid([4.0, 3.0, 4.0]).unwrap(), [6.0, 0.0, 6.0])]);
    let (below, above) = (area_at(&with, 0.0..0.5), area_at(&with, 2.5..3.5));
    assert!((ground - below - 5.2 * 5.2).abs() < 5.0, "{ground} without, {below} with");
    assert!((above - 2.4 * 2.4).abs() < 0.1, "{above}: its top less the radius on all sides");
    assert_eq!(with.island_cells.len(), 2);
}

#[test]
fn what_hangs_high_enough_can_be_stood_under() {
    let level = room(false);
    let ground = area_at(&baked(&level, &[]), 0.0..0.5);
    let hung = |height: f64| {
        area_at(
            &baked(&level, &[solid(Body::cuboid([4.0, 0.5, 4.0]).unwrap(), [6.0, height, 6.0])]),
            0.0..0.5,
        )
    };
    assert_eq!(hung(2.6), ground);
    assert!(hung(1.5) < ground - 10.0);
}

#[test]
fn a_ramp_joins_storeys_and_steep_sides_do_not() {
    let level = room(false);
    let deck = solid(Body::cuboid([4.0, 0.4, 12.0]).unwrap(), [10.0, 2.6, 6.0]);
    let apart = baked(&level, std::slice::from_ref(&deck));
    assert_eq!(apart.island_cells.len(), 2);
    let ramp = [
        [2.0, 0.0, 4.0],
        [2.0, 0.0, 8.0],
        [8.0, 3.0, 4.0],
        [8.0, 3.0, 8.0],
        [8.0, 0.0, 4.0],
        [8.0, 0.0, 8.0],
    ];
    let place = Transform::IDENTITY;
    let ramp = Obstacle { body: Body::hull(&ramp).unwrap(), place, ..solid(deck.body.clone(), [0.0; 3]) };
    let joined = baked(&level, &[deck.clone(), ramp.clone()]);
    assert_eq!(joined.island_cells.len(), 1);
    let closed = Obstacle { effect: Effect::Solid { area: AreaId::NULL }, ..ramp };
    assert_eq!(baked(&level, &[deck, closed]).island_cells.len(), 2, "a ramp whose top is no ground");
}

#[test]
fn a_hole_in_a_wall_opens_it_and_a_door_shuts_it_in_any_order() {
    let level = room(true);
    assert_eq!(baked(&level, &[]).island_cells.len(), 2);
    let place = Transform::turned(0.0, [6.0, 0.0, 6.0]);
    let hole = Obstacle { body: Body::cuboid([1.0, 4.0, 3.0]).unwrap(), place, effect: Effect::Removes };
    let open = baked(&level, std::slice::from_ref(&hole));
    assert_eq!(open.island_cells.len(), 1, "the floor below the wall stays");
    let door = solid(Body::cuboid([0.2, 2.2, 3.4]).unwrap(), [6.0, 0.0, 6.0]);
    let shut = baked(&level, &[hole.clone(), door.clone()]);
    assert_eq!(area_islands(&shut), 2);
    assert_eq!(baked(&level, &[door, hole]).tile.bytes(), shut.tile.bytes());
}

/// Islands on the ground.
fn area_islands(baked: &Baked) -> usize {
    baked.island_cells.iter().filter(|&&cells| cells > 100).count()
}

#[test]
fn marks_change_the_ground_and_blocks_take_it_away() {
    let level = room(false);
    let ground = area_at(&baked(&level, &[]), 0.0..0.5);
    let at = |effect| {
        let body = Body::cylinder(1.0, 1.0).unwrap();
        baked(&level, &[Obstacle { body, place: Transform::turned(0.0, [6.0, 0.0, 6.0]), effect }])
    };
    let circle = |radius: f64| std::f64::consts::PI * radius * radius;
    let blocked = ground - area_at(&at(Effect::Blocks { inflate: false }), 0.0..0.5);
    assert!((blocked - circle(1.0)).abs() < 1.0, "{blocked}");
    let inflated = ground - area_at(&at(Effect::Blocks { inflate: true }), 0.0..0.5);
    // An outline of few edges passes the cells by up to 0.39 m, on the inside of a circle.
    assert!((inflated - circle(1.6)).abs() < 1.7, "{inflated}");
    let marked = at(Effect::Marks { area: AreaId(7), inflate: false });
    assert!((area_at(&marked, 0.0..0.5) - ground).abs() < 1e-6);
    assert!(marked.tile.polygons().iter().any(|polygon| polygon.area == 7));
}

#[test]
fn what_hangs_too_low_blocks_the_ground_below() {
    let level = room(false);
    let ground = area_at(&baked(&level, &[]), 0.0..0.5);
    let at = |height: f64| {
        let (body, place) = (Body::capsule(0.5, 1.5).unwrap(), Transform::turned(0.0, [6.0, height, 6.0]));
        area_at(
            &baked(&level, &[Obstacle { body, place, effect: Effect::Blocks { inflate: true } }]),
            0.0..0.5,
        )
    };
    assert!(at(1.0) < ground);
    assert_eq!(at(2.4), ground);
}

#[test]
fn obstacles_are_a_set() {
    let level = room(true);
    let body = |size: f64| Body::cuboid([size, size / 2.0, size]).unwrap();
    let at = |index: u32| [f64::from(index * 37 % 110) / 10.0, 0.0, f64::from(index * 53 % 110) / 10.0];
    let effects = [
        Effect::Solid { area: AreaId(3) },
        Effect::Blocks { inflate: true },
        Effect::Marks { area: AreaId(4), inflate: false },
        Effect::Marks { area: AreaId(5), inflate: true },
        Effect::Removes,
    ];
    let obstacles: Vec<Obstacle> = (0..20)
        .map(|index| Obstacle {
            body: body(1.0 + f64::from(index % 3)),
            place: Transform::turned(f64::from(index) * 17.0, at(index)),
            effect: effects[index as usize % effects.len()],
        })
        .collect();
    let forward = baked(&level, &obstacles);
    let backward: Vec<Obstacle> = obstacles.iter().rev().chain(&obstacles[3..5]).cloned().collect();
    assert_eq!(baked(&level, &backward).tile.bytes(), forward.tile.bytes());
}

#[test]
fn obstacles_that_cannot_be_are_refused_by_name() {
    let level = room(false);
    let place = Transform::IDENTITY;
    let mesh = Body::mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], &[[0, 1, 2]]).unwrap();
    let hole = Obstacle { body: mesh.clone(), place, effect: Effect::Removes };
    assert_eq!(PreparedObstacle::new(&hole, &level).unwrap_err(), ObstacleError::NoInside);
    for at in [f64::NAN, f64::INFINITY, 1e30] {
        let far = solid(mesh.clone(), [0.0, at, 0.0]);
        assert!(matches!(PreparedObstacle::new(&far, &level), Err(ObstacleError::Far { .. })), "{at}");
    }
    let text = |error: Result<Body, ObstacleError>| error.unwrap_err().to_string();
    assert!(text(Body::cuboid([1.0, f64::NAN, 1.0])).starts_with("the height is NaN, expected more than 0"));
    assert!(text(Body::cylinder(-1.0, 1.0)).contains("the radius is -1"));
    assert!(text(Body::capsule(1.0, 1.0)).contains("at least twice the radius, 2"));
    assert!(text(Body::hull(&[[0.0; 3]; 5])).contains("in one plane"));
    assert!(text(Body::hull(&[[0.0; 3]; 3])).contains("4 to 256"));
    assert!(
        text(Body::mesh(&[[0.0; 3]], &[[0, 0, 1]])).contains("names vertex 1, expected a number below 1")
    );
    assert!(text(Body::mesh(&[[f64::INFINITY; 3]], &[[0, 0, 0]])).contains("finite"));
}
