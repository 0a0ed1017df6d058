//! The limits of a bake: each is an error that names the limit, the value and the remedy. Limits that other
//! libraries have and this one does not have are baked. Levels are built just large enough to cross the
//! number in question. docs/limits.md names every test of this file.

use navlevel::{Tiling, bake_tiles};
use navtile::layout::COORD_LIMIT;
use navtile::{DetailTriangleContent, EdgeContent, PolygonContent, Tile, TileContent, TileCoord};
use recast::{
    AreaId, Baked, Error, Level, Partition, PreparedLevel, Scratch, Settings, Silent, TileBuild, bake_solo,
};
use recast::{Snapshot, bake_tapped};
use std::collections::BTreeSet;

/// Adds a level rectangle, walkable from above.
fn floor(level: &mut Level, [x0, z0]: [f64; 2], [x1, z1]: [f64; 2], y: f64) {
    let first = level.vertices.len() as u32;
    level.vertices.extend([[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]]);
    level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

/// A square floor, `side` metres wide, at each of the heights.
fn floors(side: f64, heights: impl IntoIterator<Item = f64>) -> Level {
    let mut level = Level::default();
    heights.into_iter().for_each(|y| floor(&mut level, [0.0; 2], [side; 2], y));
    level
}

fn bake(level: &Level, settings: &Settings) -> Result<Baked, Error> {
    bake_solo(&PreparedLevel::new(level, settings)?, &Silent, &mut Scratch::new())
}

/// The error of a bake that gives no tile.
fn refused(level: &Level, settings: &Settings) -> String {
    bake(level, settings).unwrap_err().to_string()
}

/// Heights of all polygon corners, cells.
fn heights(tile: &Tile) -> BTreeSet<i32> {
    let vertices = &tile.vertices()[..tile.header().polygon_vertex_count as usize];
    vertices.iter().map(|vertex| vertex[1] / navmath::FIXED_ONE).collect()
}

#[test]
fn a_tower_of_fifteen_kilometres_bakes() {
    // 75,000 cells of 0.2 m, more than 13 or 16 bits can hold.
    let baked = bake(&floors(6.0, [0.0, 7_500.0, 15_000.0]), &Settings::default()).unwrap();
    let found: Vec<i32> = heights(&baked.tile).into_iter().collect();
    assert_eq!(found.len(), 3);
    for (found, expected) in found.into_iter().zip([0, 37_500, 75_000]) {
        assert!((found - expected).abs() <= 1, "{found} cells, expected {expected}");
    }
}

#[test]
fn four_hundred_storeys_bake() {
    // More than 255 spans a column, and more than 62 layers of floors.
    for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
        let settings = Settings { partition, ..Settings::default() };
        let level = floors(6.0, (0..400).map(|storey| f64::from(storey) * 3.0));
        let baked = bake(&level, &settings).unwrap();
        assert_eq!(baked.counts.spans, 400 * 20 * 20);
        assert_eq!(heights(&baked.tile).len(), 400, "{partition:?}");
        assert_eq!(baked.counts.polygons, 400, "{partition:?}");
    }
}

#[test]
fn an_agent_of_150_cells_radius_bakes() {
    // Distances of 8 bits end at 127 cells. On a floor of 400 cells the remaining ground has a side of 100.
    let settings = Settings { agent_radius: 45.0, ..Settings::default() };
    let baked = bake(&floors(120.0, [0.0]), &settings).unwrap();
    let expected = 30.0 * 30.0;
    let area = baked.counts.walkable_area;
    // Erosion counts diagonals as 1.5, which keeps corners square; the ledge filter takes one cell more.
    assert!((area - expected).abs() < 0.05 * expected, "{area} m², expected about {expected}");
}

#[test]
fn an_agent_of_300_cells_height_bakes() {
    // Clearance of 8 bits ends at 255 cells. The lower ceiling leaves too little room, the higher one enough.
    let level = |ceiling: f64| {
        let mut level = floors(12.0, [0.0]);
        floor(&mut level, [0.0; 2], [6.0, 12.0], ceiling);
        level
    };
    let settings = Settings { agent_height: 60.0, agent_radius: 0.0, ..Settings::default() };
    let area = |ceiling: f64| bake(&level(ceiling), &settings).unwrap().counts.walkable_area;
    let half = 6.0 * 12.0;
    assert!(area(70.0) - area(50.0) > 0.8 * half, "{} {}", area(70.0), area(50.0));
    assert!(area(50.0) > 1.6 * half, "the ceiling itself, and the ground beside it: {}", area(50.0));
}

/// A floor of squares of two cells, with two alternating areas, so that each square is a region of its own.
fn chequers(along: u32, cell: f64) -> (Level, Settings) {
    let mut level = Level::default();
    let line = |step: u32| f64::from(step) * 2.0 * cell;
    for z in 0..along {
        for x in 0..along {
            floor(&mut level, [line(x), line(z)], [line(x + 1), line(z + 1)], 0.0);
            level.areas.extend([AreaId(1 + ((x + z) % 2) as u8); 2]);
        }
    }
    let settings = Settings {
        cell_size: cell,
        agent_radius: 0.0,
        partition: Partition::Monotone,
        region_min_area: Some(0.0),
        region_merge_area: Some(0.0),
        ..Settings::default()
    };
    (level, settings)
}

#[test]
fn more_than_65535_vertices_and_polygons_bake() {
    let (level, settings) = chequers(262, 0.25);
    let baked = bake(&level, &settings).unwrap();
    assert!(baked.counts.regions > 65_535, "{:?}", baked.counts);
    assert!(baked.counts.polygons > 65_535, "{:?}", baked.counts);
    assert!(baked.counts.vertices > 65_535, "{:?}", baked.counts);
    assert_eq!(baked.tile.polygons().len(), baked.counts.polygons);
    // The ledges around the floor are dropped, and half of each of the four single cells that remain at its
    // corners.
    let cells = f64::from(2 * 262 - 2).powi(2) - 2.0;
    let area = baked.counts.walkable_area / (0.25 * 0.25);
    assert!((area - cells).abs() < 0.5, "{area} cells, expected {cells}");
}

#[test]
fn an_outline_of_more_than_40000_steps_is_walked() {
    // A comb of 130 teeth, each 2 cells wide and 200 long, with gaps of another area between them.
    let (cell, teeth, length) = (0.25, 130, 200.0);
    let mut level = Level::default();
    let line = |cells: u32| f64::from(cells) * cell;
    let depth = length * cell;
    for tooth in 0..teeth {
        let x = 3 * tooth;
        floor(&mut level, [line(x), 2.0], [line(x + 2), depth], 0.0);
        floor(&mut level, [line(x + 2), 2.0], [line(x + 3), depth], 0.0);
        level.areas.extend([AreaId(1), AreaId(1), AreaId(2), AreaId(2)]);
    }
    floor(&mut level, [0.0, 0.0], [line(3 * teeth), 2.0], 0.0);
    level.areas.extend([AreaId(1); 2]);
    let settings = Settings {
        cell_size: cell,
        agent_radius: 0.0,
        partition: Partition::Layers,
        region_min_area: Some(0.0),
        region_merge_area: Some(0.0),
        ..Settings::default()
    };
    let prepared = PreparedLevel::new(&level, &settings).unwrap();
    let (mut steps, mut cells) = (0, 0);
    let mut tap = |snapshot: Snapshot<'_>| match snapshot {
        Snapshot::RawContours(raw) => {
            steps = raw.contours.iter().map(|contour| contour.vertices.len()).max().unwrap_or(0);
        }
        Snapshot::Regions(regions) => {
            cells = regions.region.iter().filter(|region| !region.is_none()).count();
        }
        _ => {}
    };
    let build = TileBuild::solo(&prepared);
    let baked = bake_tapped(&prepared, &build, &Silent, &mut Scratch::new(), &mut tap).unwrap();
    assert!(steps > 40_000, "{steps}");
    let area = baked.counts.walkable_area / (cell * cell);
    assert!((area - cells as f64).abs() < 0.02 * cells as f64, "{area} of {cells} cells");
    assert!(baked.diagnostics.is_empty(), "{:?}", baked.diagnostics);
}

#[test]
fn a_grid_has_at_most_30000_cells_a_side() {
    let side = |x: f64, z: f64| {
        let mut level = Level::default();
        floor(&mut level, [0.0; 2], [x, z], 0.0);
        level
    };
    let settings = Settings::default();
    assert_eq!(
        refused(&side(9_000.3, 3.0), &settings),
        "cells along a side of a grid is 30001, more than the limit of 30000: enlarge the cell size, give smaller \
         bounds, or bake in tiles"
    );
    let error = refused(&side(3.0, 9_000.3), &settings);
    assert!(
        error.starts_with("cells along a side of a grid is 30001, more than the limit of 30000"),
        "{error}"
    );
    assert!(bake(&side(9_000.0, 3.0), &settings).is_ok());
}

#[test]
fn a_level_has_at_most_524288_cells_a_side() {
    let strip = |x: f64| {
        let mut level = Level::default();
        floor(&mut level, [0.0; 2], [x, 3.0], 0.0);
        PreparedLevel::new(&level, &Settings { cell_size: 0.5, ..Settings::default() })
    };
    assert_eq!(
        strip(262_144.5).unwrap_err().to_string(),
        "cells along x is 524289, more than the limit of 524288: enlarge the cell size, or give smaller bounds"
    );
    assert_eq!(strip(262_144.0).unwrap().size[0], 524_288);
}

#[test]
fn a_level_has_at_most_16777216_tiles() {
    let mut level = Level::default();
    floor(&mut level, [0.0; 2], [32_769.0, 1.0], 0.0);
    floor(&mut level, [0.0; 2], [1.0, 32_768.0], 0.0);
    let settings = Settings { cell_size: 0.5, ..Settings::default() };
    let prepared = PreparedLevel::new(&level, &settings).unwrap();
    let Err(error) = Tiling::new(&prepared, 16) else { panic!("too many tiles are refused") };
    assert_eq!(
        error.to_string(),
        "tiles of a level is 16781312, more than the limit of 16777216: choose larger tiles"
    );
    assert_eq!(Tiling::new(&prepared, 17).unwrap().size(), [3856, 3856]);
}

#[test]
fn a_grid_has_at_most_16777216_cells_of_height() {
    let tall = |height: f64| PreparedLevel::new(&floors(3.0, [0.0, height]), &Settings::default());
    assert_eq!(
        tall(3_355_443.2).unwrap_err().to_string(),
        "cells in height is 16777217, more than the limit of 16777216: enlarge the cell height or give smaller bounds"
    );
    assert!(tall(3_355_442.9).is_ok());
}

#[test]
fn a_polygon_lies_at_most_4194303_cells_above_its_tile() {
    let settings = Settings { cell_height: 0.5, ..Settings::default() };
    let error = refused(&floors(6.0, [0.0, 2_097_151.5]), &settings);
    assert_eq!(
        error,
        "cells above the lattice's zero is 4194304, more than the limit of 4194303: enlarge the cell height or give lower bounds"
    );
    assert!(bake(&floors(6.0, [0.0, 2_097_151.0]), &settings).is_ok());
    assert_eq!(COORD_LIMIT / navmath::FIXED_ONE, 4_194_303);
}

#[test]
fn a_grid_must_fit_the_memory_allowed() {
    let settings = Settings { memory_bound: 1 << 20, ..Settings::default() };
    assert_eq!(
        refused(&floors(60.0, [0.0]), &settings),
        "a grid of 200 x 200 cells needs about 2 MiB, more than the 1 MiB allowed: enlarge the cell size, give \
         smaller bounds, or bake in tiles"
    );
    let prepared = PreparedLevel::new(&floors(60.0, [0.0]), &settings).unwrap();
    assert!(!bake_tiles(&prepared, 48, &Silent).unwrap().is_empty());
}

#[test]
fn a_tile_has_at_most_30000_cells_a_side_and_at_least_one() {
    let prepared = PreparedLevel::new(&floors(6.0, [0.0]), &Settings::default()).unwrap();
    let error = |cells: u32, x: i32| {
        TileBuild::tiled(&prepared, cells, TileCoord { x, z: 0, layer: 0 }).unwrap_err().to_string()
    };
    assert_eq!(
        error(29_991, 0),
        "cells along a tile with its border is 30001, more than the limit of 30000: choose smaller tiles or a larger \
         cell size"
    );
    assert!(TileBuild::tiled(&prepared, 29_990, TileCoord::default()).is_ok());
    let far = error(48, i32::MAX);
    assert!(
        far.starts_with("cells from the lattice's zero is 103079215051, more than the limit of"),
        "{far}"
    );
    assert!(far.ends_with("this tile is outside every level: give a coordinate of the level's own tiles"));
    let none = bake_tiles(&prepared, 0, &Silent).unwrap_err().to_string();
    assert!(none.ends_with("give each tile at least one cell"), "{none}");
}

#[test]
fn a_vertex_must_be_near_enough_to_compute_with() {
    let mut level = floors(6.0, [0.0]);
    floor(&mut level, [0.0; 2], [6.0, 2e15], 1.0);
    let settings = Settings { bounds: Some([[0.0; 3], [6.0; 3]]), ..Settings::default() };
    assert_eq!(
        refused(&level, &settings),
        "vertex 5 is [0.0, 1.0, 2000000000000000.0], too far from the lattice's zero [0.0, 0.0, 0.0]: check its \
         coordinates"
    );
}

#[test]
fn settings_have_ranges() {
    let change = |change: fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        refused(&floors(6.0, [0.0]), &settings)
    };
    type Case = (fn(&mut Settings), &'static str);
    let cases: [Case; 18] = [
        (|s| s.cell_size = 0.0005, "cell_size is 0.0005, expected between 0.001 and 1000 metres"),
        (|s| s.cell_height = 1001.0, "cell_height is 1001, expected between 0.001 and 1000 metres"),
        (|s| s.max_vertices = 2, "max_vertices is 2, expected between 3 and 255"),
        (|s| s.max_vertices = 256, "max_vertices is 256, expected between 3 and 255"),
        (|s| s.agent_radius = -0.1, "agent.radius is -0.1, expected between 0 and 10000 metres"),
        (|s| s.agent_height = 0.0, "agent.height is 0, expected between 0.001 and 10000 metres"),
        (|s| s.agent_slope = 90.0, "agent.slope is 90, expected between 0 and 89.999 degrees"),
        (|s| s.agent_climb = -1.0, "agent.climb is -1, expected between 0 and 10000 metres"),
        (|s| s.agent_climb = 2.0, "agent.climb is 2, expected less than agent.height (2)"),
        (
            |s| s.agent_radius = 9_000.3,
            "agent.radius is 30001 cells, expected at most 30000 cells: enlarge the cell",
        ),
        (|s| s.agent_height = 6_000.2, "agent.height is 30001 cells, expected at most 30000 cells"),
        (
            |s| s.max_edge_length = 9_000.3,
            "contours.max_edge_length is 30001 cells, expected at most 30000 cells",
        ),
        (
            |s| s.max_edge_length = 1e7,
            "contours.max_edge_length is 10000000, expected between 0 (any) and 1000000",
        ),
        (
            |s| s.region_min_area = Some(2e8),
            "regions.min_area is 2222222223 cells, expected at most 2147483647",
        ),
        (
            |s| s.region_merge_area = Some(-1.0),
            "regions.merge_area is -1, expected between 0 and 1e9 square metres",
        ),
        (
            |s| s.contour_max_error = Some(1e5),
            "contours.max_error is 100000, expected between 0 and 10000 metres",
        ),
        (
            |s| s.detail_sample_distance = Some(f64::NAN),
            "detail.sample_distance is NaN, expected between 0 (none)",
        ),
        (
            |s| s.detail_max_error = Some(2e4),
            "detail.max_error is 20000, expected between 0 and 10000 metres",
        ),
    ];
    for (case, expected) in cases {
        let error = change(case);
        assert!(error.starts_with("settings are out of range: "), "{error}");
        assert!(error.contains(expected), "{error}\nexpected: {expected}");
    }
}

#[test]
fn areas_have_ranges() {
    let change = |change: fn(&mut recast::AreaDefinition)| {
        let mut area = recast::AreaDefinition { id: AreaId(5), ..recast::AreaDefinition::ground() };
        area.name = "mud".to_owned();
        change(&mut area);
        let areas = vec![recast::AreaDefinition::ground(), area];
        refused(&floors(6.0, [0.0]), &Settings { areas, ..Settings::default() })
    };
    type Case = (fn(&mut recast::AreaDefinition), &'static str);
    let cases: [Case; 5] = [
        (|a| a.id = AreaId(0), "area[1].id is 0, expected between 1 and 255: 0 marks unwalkable ground"),
        (|a| a.id = AreaId::GROUND, "area[1].id is 63, expected an id that no other area has"),
        (|a| a.name = "a".repeat(256), "expected a name of 1 to 255 bytes"),
        (|a| a.cost = 0.0, "area[1].cost is 0, expected a finite number, at least 0.001"),
        (|a| a.cost = f32::INFINITY, "area[1].cost is inf, expected a finite number, at least 0.001"),
    ];
    for (case, expected) in cases {
        let error = change(case);
        assert!(error.contains(expected), "{error}\nexpected: {expected}");
    }
}

/// A tile of polygons without neighbours, each a square of its own, with the given number of detail vertices.
fn squares(count: usize, corners: usize, detail: usize) -> TileContent {
    let prepared = PreparedLevel::new(&floors(6.0, [0.0]), &Settings::default()).unwrap();
    let side = 1 << 11;
    let polygon = |index: usize| PolygonContent {
        edges: (0..corners)
            .map(|corner| EdgeContent {
                vertex: (index * corners + corner) as u32,
                beyond: navtile::content::Beyond::Wall,
            })
            .collect(),
        area: 63,
        flags: 1,
        detail_vertices: (0..detail as i32).map(|i| [i % 256, 0, i / 256]).collect(),
        detail_triangles: (0..detail.saturating_sub(1) as u32)
            .map(|i| DetailTriangleContent { vertices: [0, 4 + i, 5 + i], boundary: [false; 3] })
            .collect(),
    };
    let vertex = |index: usize| {
        let (square, corner) = (index / corners, index % corners);
        let [x, z] = [[0, 0], [0, 2], [2, 2], [2, 0]][corner % 4];
        [(square % side * 4 + x) as i32, 0, (square / side * 4 + z) as i32]
    };
    TileContent {
        coord: TileCoord::default(),
        lattice: prepared.lattice,
        base_cell: [0; 3],
        size_cells: [64, 64],
        agent: [0.6, 2.0, 0.9, 45.0],
        vertices: (0..count * corners).map(vertex).collect(),
        polygons: (0..count).map(polygon).collect(),
        off_mesh_links: Vec::new(),
    }
}

#[test]
fn a_tile_holds_at_most_1048576_polygons() {
    assert_eq!(
        squares((1 << 20) + 1, 4, 0).write().unwrap_err().to_string(),
        "polygons in a tile is 1048577, more than the limit of 1048576: bake in tiles, or in smaller ones"
    );
}

#[test]
fn a_polygon_holds_at_most_65535_detail_vertices() {
    let error = squares(1, 4, 65_536).write().unwrap_err().to_string();
    assert!(error.contains("is 65540, more than the limit of 65535: use a coarser detail mesh"), "{error}");
}

#[test]
fn a_mesh_that_is_placed_too_often_is_refused_before_it_is_placed() {
    let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 30.0], [30.0, 0.0, 30.0]];
    let part = recast::InstancedMesh {
        vertices: corners.to_vec().into(),
        triangles: vec![[0, 1, 2]; 2_000].into(),
        areas: Vec::new().into(),
        placements: vec![recast::Transform::IDENTITY; 20_000],
    };
    let settings = Settings { memory_bound: 64 << 20, ..Settings::default() };
    let error = PreparedLevel::from_meshes(&[part], &settings).unwrap_err().to_string();
    assert!(error.contains("40000000") && error.contains("place fewer meshes"), "{error}");
}
