//! The whole pipeline on small levels.

use super::*;
use crate::{AreaId, DiagnosticKind, Level, Settings, Silent, StageResults};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A flat floor of 12 by 9 m, and a box of 2 m on it.
fn room() -> Level {
    let mut level = Level::default();
    quad(&mut level, [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]]);
    let (low, high) = ([5.0, 0.0, 4.0], [7.0, 2.0, 6.0]);
    let corner = |x: usize, y: usize, z: usize| {
        let pick = |axis: usize, high_end: usize| if high_end == 1 { high[axis] } else { low[axis] };
        [pick(0, x), pick(1, y), pick(2, z)]
    };
    quad(&mut level, [corner(0, 1, 0), corner(0, 1, 1), corner(1, 1, 1), corner(1, 1, 0)]);
    quad(&mut level, [corner(0, 0, 0), corner(0, 0, 1), corner(0, 1, 1), corner(0, 1, 0)]);
    quad(&mut level, [corner(1, 0, 0), corner(1, 1, 0), corner(1, 1, 1), corner(1, 0, 1)]);
    quad(&mut level, [corner(0, 0, 0), corner(0, 1, 0), corner(1, 1, 0), corner(1, 0, 0)]);
    quad(&mut level, [corner(0, 0, 1), corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1)]);
    level
}

/// The tiles of the room, of 20 cells.
fn tiles(level: &PreparedLevel) -> Vec<Baked> {
    let coords = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[x, z]| TileCoord { x, z, layer: 0 });
    coords.map(|coord| bake_tile(level, 20, coord, &Silent, &mut Scratch::new()).unwrap()).into()
}

fn quad(level: &mut Level, corners: [[f64; 3]; 4]) {
    let first = level.vertices.len() as u32;
    level.vertices.extend(corners);
    level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

fn bake(level: &Level, settings: &Settings) -> Result<Baked, Error> {
    bake_solo(&PreparedLevel::new(level, settings)?, &Silent, &mut Scratch::new())
}

#[test]
fn a_room_with_a_box_bakes() {
    let baked = bake(&room(), &Settings::default()).unwrap();
    let counts = baked.counts;
    assert_eq!((counts.grid, counts.triangles), ([40, 30], 12));
    assert!(counts.polygons >= 4, "{counts:?}");
    assert_eq!(baked.tile.polygons().len(), counts.polygons);
    // 12 x 9 m without a column of ledge and 0.6 m along the walls, and without the box and 0.6 m around it.
    let expected = 10.2 * 7.2 - 3.8 * 3.8;
    assert!((counts.walkable_area - expected).abs() < 4.0, "{}", counts.walkable_area);
    assert!(baked.diagnostics.is_empty(), "{:?}", baked.diagnostics);
    assert!(baked.stage_times.windows(2).all(|pair| pair[0].0 < pair[1].0));
}

#[test]
fn every_intermediate_result_is_sound() {
    for (_, partition) in Partition::NAMES {
        let settings = Settings { partition, ..Settings::default() };
        let level = PreparedLevel::new(&room(), &settings).unwrap();
        let (mut seen, mut results) = (0, StageResults::default());
        let mut tap = |snapshot: Snapshot<'_>| {
            seen += 1;
            results.keep(snapshot);
        };
        bake_tapped(&level, &TileBuild::solo(&level), &Silent, &mut Scratch::new(), &mut tap).unwrap();
        results.check().unwrap();
        assert_eq!(results.hashes().len(), seen);
        assert_eq!(seen, if partition == Partition::Watershed { 14 } else { 13 });
    }
}

#[test]
fn a_bordered_tile_has_portals_where_the_ground_goes_on() {
    let level = PreparedLevel::new(&room(), &Settings::default()).unwrap();
    let mut area = 0.0;
    for baked in tiles(&level) {
        let TileCoord { x, z, .. } = baked.tile.coord();
        assert_eq!(baked.tile.header().base_cell, [i64::from(x) * 20, 0, i64::from(z) * 20]);
        assert!(!baked.tile.portals().is_empty(), "tile ({x}, {z})");
        area += baked.counts.walkable_area;
    }
    let solo = bake(&room(), &Settings::default()).unwrap().counts.walkable_area;
    assert!((area - solo).abs() < 0.05 * solo, "{area} against {solo}");
}

#[test]
fn the_same_set_of_triangles_gives_the_same_bytes() {
    let level = room();
    let mut shuffled = level.clone();
    shuffled.vertices.reverse();
    let last = level.vertices.len() as u32 - 1;
    shuffled.triangles =
        level.triangles.iter().rev().map(|&[a, b, c]| [last - b, last - c, last - a]).collect();
    let mut scratch = Scratch::new();
    let mut bytes = |level: &Level| {
        let level = PreparedLevel::new(level, &Settings::default()).unwrap();
        bake_solo(&level, &Silent, &mut scratch).unwrap().tile.bytes().to_vec()
    };
    assert_eq!(bytes(&level), bytes(&shuffled));
}

#[test]
fn far_from_the_origin_nothing_changes() {
    let moved = |by: f64| {
        let mut level = room();
        level.vertices.iter_mut().for_each(|vertex| vertex[0] += by);
        bake(&level, &Settings::default()).unwrap()
    };
    let (near, far) = (moved(0.0), moved(1_048_576.0));
    assert_eq!(near.tile.vertices(), far.tile.vertices());
    assert_eq!(far.tile.header().origin[0], 1_048_576.0);
}

#[test]
fn an_empty_result_says_so() {
    let settings = Settings { agent_radius: 5.0, ..Settings::default() };
    let baked = bake(&room(), &settings).unwrap();
    assert!(baked.tile.polygons().is_empty());
    assert_eq!(baked.diagnostics[0].kind, DiagnosticKind::EmptyMesh);
}

#[test]
fn too_large_a_grid_is_refused_before_anything_is_allocated() {
    let settings = Settings { cell_size: 0.001, memory_bound: 1 << 20, ..Settings::default() };
    let error = bake(&room(), &settings).unwrap_err();
    assert!(matches!(error, Error::TooLarge { width: 12_000, depth: 9_000, .. }), "{error}");
}

#[test]
fn areas_and_flags_reach_the_tile() {
    let mut level = room();
    level.areas = vec![AreaId::GROUND; level.triangles.len()];
    level.areas[..2].fill(AreaId(7));
    let mud = crate::AreaDefinition {
        id: AreaId(7),
        name: "mud".into(),
        flags: 5,
        cost: 3.0,
        ..crate::AreaDefinition::ground()
    };
    let settings = Settings { areas: vec![crate::AreaDefinition::ground(), mud], ..Settings::default() };
    let baked = bake(&level, &settings).unwrap();
    assert!(baked.tile.polygons().iter().any(|polygon| (polygon.area, polygon.flags) == (7, 5)));
}

#[test]
fn off_mesh_connections_start_in_one_tile() {
    let connection = crate::OffMeshConnection {
        start: [2.0, 0.0, 2.0],
        end: [11.0, 0.0, 8.0],
        radius: 0.6,
        both_ways: true,
        area: AreaId(5),
        flags: Some(9),
        user_id: 77,
        along: [0.0; 2],
    };
    let settings = Settings { off_mesh_connections: vec![connection], ..Settings::default() };
    let level = PreparedLevel::new(&room(), &settings).unwrap();
    let solo = bake_solo(&level, &Silent, &mut Scratch::new()).unwrap();
    let link = solo.tile.off_mesh_links()[0];
    assert_eq!((link.radius, link.flags, link.area, link.direction, link.user_id), (512, 9, 5, 1, 77));
    assert_eq!(link.end_tile, [0; 3]);
    for baked in tiles(&level) {
        let links = baked.tile.off_mesh_links();
        assert_eq!(links.len(), usize::from(baked.tile.coord() == TileCoord::default()));
        assert!(links.iter().all(|link| link.end_tile == [1, 1, 0]));
    }
}

/// Cancels when it is asked for the n-th time.
struct Impatient(AtomicUsize);

impl Observer for Impatient {
    fn cancelled(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) == 0
    }
}

#[test]
fn a_bake_can_be_cancelled_between_any_two_stages() {
    let level = PreparedLevel::new(&room(), &Settings::default()).unwrap();
    let build = TileBuild::solo(&level);
    for stage in 0..=17 {
        let cancels = |result: Result<Baked, Error>| matches!(result, Err(Error::Cancelled));
        let observer = Impatient(AtomicUsize::new(stage));
        assert_eq!(cancels(bake_solo(&level, &observer, &mut Scratch::new())), stage < 14, "{stage}");
        let observer = Impatient(AtomicUsize::new(stage));
        let tapped = bake_tapped(&level, &build, &observer, &mut Scratch::new(), &mut |_| {});
        assert_eq!(cancels(tapped), stage < 17, "{stage}");
    }
}

#[test]
fn a_large_agent_walks_up_the_steepest_slope_with_its_derived_cells() {
    let mut level = Level::default();
    // 44.9 degrees, between two floors.
    quad(&mut level, [[0.0, 0.0, 0.0], [0.0, 0.0, 60.0], [20.0, 0.0, 60.0], [20.0, 0.0, 0.0]]);
    quad(&mut level, [[20.0, 0.0, 0.0], [20.0, 0.0, 60.0], [50.0, 29.9, 60.0], [50.0, 29.9, 0.0]]);
    quad(&mut level, [[50.0, 29.9, 0.0], [50.0, 29.9, 60.0], [70.0, 29.9, 60.0], [70.0, 29.9, 0.0]]);
    let large = Settings { agent_radius: 4.0, agent_height: 8.0, ..Settings::default() };
    let baked = |cell_size: f64| bake(&level, &Settings { cell_size, ..large.clone() }).unwrap();
    let derived = baked(large.derived_cell_size());
    assert_eq!(derived.island_cells.len(), 1, "{:?}", derived.island_cells);
    // 52 by 70 m without the agent's radius along the sides.
    assert!((derived.counts.walkable_area - 52.0 * 62.0).abs() < 150.0, "{}", derived.counts.walkable_area);
    let half_the_radius = baked(2.0);
    assert_eq!(half_the_radius.island_cells.len(), 2, "{:?}", half_the_radius.island_cells);
}
