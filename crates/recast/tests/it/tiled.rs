//! Tiled bakes against solo bakes: the ground is the same down to the span, both sides of every seam agree,
//! and islands are the same. `NAVTILE_LEVELS` sets the number of generated levels that are baked and
//! `NAVTILE_SEED` the first seed.

#![allow(clippy::unwrap_used)]

use crate::seams::{levels, settings};
use navlevel::{Tiling, bake_tiles, graph_grid, graph_node, prune_islands};
use navscenes::Scene;
use navscenes::generated::each_seed;
use navscenes::random::SplitMix64;
use navtile::islands::Islands;
use navtile::layout::{Portal, side};
use navtile::{IslandGraph, Tile, TileContent, TileCoord};
use recast::data::compact::state::Eroded;
use recast::data::{CompactField, Direction};
use recast::{Level, Outlines, PreparedLevel, Scratch, Settings, Silent, TileBuild};
use recast::{Snapshot, bake_tapped};
use std::cell::Cell;
use std::collections::BTreeMap;

const TILE_SIZES: [u32; 5] = [16, 24, 37, 48, 96];

/// Our scenes, and in long tests the public levels, with both kinds of outlines.
fn scenes() -> Vec<(String, PreparedLevel)> {
    let scene = |scene: &Scene| (scene.name.to_owned(), (scene.level)(), (scene.settings)());
    let mut levels: Vec<_> = navscenes::all().iter().map(scene).collect();
    for (name, level) in navscenes::long_levels() {
        levels.push((name.to_owned(), level, Settings::default()));
    }
    let with = |(name, level, settings): &(String, Level, Settings)| {
        Outlines::NAMES.map(|(outlines_name, outlines)| {
            let settings = Settings { outlines, ..settings.clone() };
            (format!("{name}, {outlines_name}"), PreparedLevel::new(level, &settings).unwrap())
        })
    };
    levels.iter().flat_map(with).collect()
}

fn eroded(level: &PreparedLevel, build: &TileBuild) -> CompactField<Eroded> {
    let mut field = None;
    let mut tap = |snapshot: Snapshot<'_>| {
        if let Snapshot::Eroded(eroded) = snapshot {
            field = Some(eroded.clone());
        }
    };
    bake_tapped(level, build, &Silent, &mut Scratch::new(), &mut tap).unwrap();
    field.unwrap()
}

/// A span without its index: floor, area, and the floors that the agent can step to.
type Ground = (i32, u8, [Option<i32>; 4]);

fn ground(field: &CompactField<Eroded>, column: usize) -> Vec<Ground> {
    let walkable = field.column(column).filter(|&span| field.area[span].is_walkable());
    let beside = |span, direction| {
        let other = field.neighbour(span, direction).filter(|&other| field.area[other].is_walkable());
        other.map(|other| field.floor[other])
    };
    walkable
        .map(|span| (field.floor[span], field.area[span].0, Direction::ALL.map(|d| beside(span, d))))
        .collect()
}

/// The floors of a level are the same in every tiling.
fn ground_does_not_depend(name: &str, level: &PreparedLevel, tile_sizes: &[u32]) {
    let solo = eroded(level, &TileBuild::solo(level));
    for &tile_cells in tile_sizes {
        for coord in Tiling::new(level, tile_cells).unwrap().coords() {
            let build = TileBuild::tiled(level, tile_cells, coord).unwrap();
            let tile = eroded(level, &build);
            let grid = build.grid;
            for z in grid.border..grid.depth - grid.border {
                for x in grid.border..grid.width - grid.border {
                    let (gx, gz) = (grid.base_x + x as i32, grid.base_z + z as i32);
                    let inside = gx < solo.grid.width as i32 && gz < solo.grid.depth as i32;
                    let expected = if inside {
                        ground(&solo, solo.grid.column(gx as u32, gz as u32))
                    } else {
                        Vec::new()
                    };
                    let found = ground(&tile, grid.column(x, z));
                    assert_eq!(found, expected, "{name} in tiles of {tile_cells}: column ({gx}, {gz})");
                }
            }
        }
    }
}

#[test]
fn the_ground_does_not_depend_on_the_tiling() {
    for (name, level) in scenes() {
        ground_does_not_depend(&name, &level, &TILE_SIZES);
    }
}

/// The portals of one side, in the form that their neighbours must have too: interval and heights.
fn portals(tile: &Tile, wanted: u8) -> Vec<[i32; 4]> {
    let key = |p: &Portal| [p.start, p.end, p.start_height, p.end_height];
    let mut keys: Vec<_> = tile.portals().iter().filter(|p| p.side == wanted).map(key).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn both_sides_of_a_seam_have_the_same_portals() {
    let mut seams = 0;
    for (name, level) in scenes() {
        for tile_cells in TILE_SIZES {
            let tiles: BTreeMap<TileCoord, Tile> = bake_tiles(&level, tile_cells, &Silent)
                .unwrap()
                .into_iter()
                .map(|baked| (baked.tile.coord(), baked.tile))
                .collect();
            let none: Vec<[i32; 4]> = Vec::new();
            for (coord, tile) in &tiles {
                for (dx, dz, own) in
                    [(1, 0, side::X_MAX), (0, 1, side::Z_MAX), (-1, 0, side::X_MIN), (0, -1, side::Z_MIN)]
                {
                    let beside = TileCoord { x: coord.x + dx, z: coord.z + dz, layer: 0 };
                    let theirs = tiles.get(&beside).map_or(none.clone(), |other| portals(other, own ^ 2));
                    let ours = portals(tile, own);
                    seams += ours.len();
                    assert_eq!(ours, theirs, "{} in tiles of {tile_cells}: {coord:?} to {beside:?}", name);
                }
            }
        }
    }
    assert!(seams > 500, "{seams}");
}

/// Cells of all islands over all tiles, largest first, before those below the minimum are dropped.
fn islands(level: &PreparedLevel, tile_cells: u32) -> Vec<u64> {
    let tiling = Tiling::for_agents(std::slice::from_ref(level), tile_cells).unwrap();
    let mut scratch = Scratch::new();
    let node = |coord| {
        let baked = tiling.bake(coord, &Silent, &mut scratch).unwrap();
        graph_node(level, &baked, [0; 16])
    };
    let graph = IslandGraph::new(tiling.coords().into_iter().map(node).collect());
    graph.islands(&graph_grid(level, tile_cells)).cells
}

/// The islands of a level that are large enough must have the same number and the same sizes in every tiling,
/// and exactly these must remain after pruning. Returns false if sizes differ.
fn has_equal_islands(level: &PreparedLevel, tile_sizes: &[u32]) -> bool {
    let least = u64::from(level.config.region_min_cells);
    let kept = |cells: Vec<u64>| -> Vec<u64> { cells.into_iter().filter(|&cells| cells >= least).collect() };
    // A polygon may be separated from its region at a slit, where an agent without a radius meets a step
    // within the region.
    let sizes = |cells: &[u64]| -> Vec<u64> { cells.iter().copied().filter(|&cells| cells > 0).collect() };
    let solo = sizes(&kept(islands(level, 0)));
    for &tile_cells in tile_sizes {
        let found = kept(islands(level, tile_cells));
        if sizes(&found) != solo {
            return false;
        }
        let mut baked = bake_tiles(level, tile_cells, &Silent).unwrap();
        assert_eq!(prune_islands(level, tile_cells, &mut baked).unwrap(), 0, "nothing is left to drop");
        let tiles: Vec<Tile> = baked.into_iter().map(|baked| baked.tile).collect();
        assert_eq!(Islands::find(&tiles).len(), found.len(), "in tiles of {tile_cells}");
    }
    true
}

#[test]
fn islands_do_not_depend_on_the_tiling() {
    for (name, level) in scenes() {
        assert!(has_equal_islands(&level, &TILE_SIZES), "{name}");
    }
}

/// Checks a level of the seams' generator. Returns false if it has other islands in tiles.
fn generated(seed: u64, outlines: Outlines) -> bool {
    let mut random = SplitMix64::new(seed);
    let settings = Settings { outlines, ..settings(&mut random) };
    let side = random.between(9.0, 67.0) * settings.cell_size;
    let level = levels::any(side, &settings, &mut random);
    let level = PreparedLevel::new(&level, &settings).unwrap();
    ground_does_not_depend("a generated level", &level, &[8, 11, 16, 21]);
    has_equal_islands(&level, &[8, 11, 16, 21])
}

// Without a radius, holes have slits that pass their leftmost place twice. A bridge to the wrong one of the
// two crossed the slit, and the region was split into pieces.
#[test]
fn regions_with_slits_in_their_holes_stay_whole() {
    for seed in [56_933, 76_228, 91_220] {
        assert!(generated(seed, Outlines::Cells));
    }
}

#[test]
fn islands_of_generated_levels_do_not_depend_on_the_tiling() {
    // Exact outlines of a region that is narrower than a few cells may meet, and its ends come apart.
    let (levels, parted) = (Cell::new(0), Cell::new(0));
    each_seed(60, "differ", |seed| {
        assert!(generated(seed, Outlines::Cells));
        levels.set(levels.get() + 1);
        parted.set(parted.get() + u32::from(!generated(seed, Outlines::Exact)));
    });
    let (levels, parted) = (levels.get(), parted.get());
    assert!(parted * 100 <= levels.max(100), "{parted} of {levels} levels have other islands in tiles");
}

#[test]
fn a_tile_read_back_writes_the_same_bytes() {
    for (name, level) in scenes() {
        for baked in bake_tiles(&level, 48, &Silent).unwrap() {
            let content = TileContent::from_tile(&baked.tile);
            let (bytes, mended) = content.clone().write().unwrap();
            assert!(bytes == baked.tile.bytes() && mended.is_empty(), "{name}: {:?}", baked.tile.coord());
            let keep: Vec<bool> = (0..content.polygons.len()).map(|polygon| polygon % 3 != 0).collect();
            let (bytes, _) = content.retaining(&keep).write().unwrap();
            let fewer = Tile::from_bytes(&bytes).unwrap();
            assert_eq!(fewer.polygons().len(), keep.iter().filter(|&&keep| keep).count(), "{name}");
        }
    }
}
