//! Tiled bakes against solo bakes: the ground is the same to the span, and both sides of every seam agree.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use navscenes::Scene;
use navtile::islands::Islands;
use navtile::layout::{Portal, side};
use navtile::{Tile, TileContent, TileCoord};
use recast::build::{Snapshot, bake_tapped};
use recast::data::compact::state::Eroded;
use recast::data::{CompactField, Direction};
use recast::{PreparedLevel, Scratch, Settings, Silent, TileBuild, Tiling, bake_solo, bake_tiles};
use std::collections::BTreeMap;
use std::path::Path;

const TILE_SIZES: [u32; 5] = [16, 24, 37, 48, 96];

/// Our scenes, and the public levels where their folder lies beside the repository.
fn levels() -> Vec<(String, PreparedLevel)> {
    let scene = |scene: &Scene| {
        (scene.name.to_owned(), PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap())
    };
    let mut levels: Vec<_> = navscenes::all().iter().map(scene).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes");
    for name in ["nav_test.obj", "dungeon.obj"] {
        match std::fs::read(folder.join(name)) {
            Ok(bytes) => {
                let level = navinput::read_obj(&bytes).unwrap().level;
                levels.push((name.to_owned(), PreparedLevel::new(&level, &Settings::default()).unwrap()));
            }
            Err(error) => eprintln!("skipped {name}: {error}"),
        }
    }
    levels
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

/// What can be said of a span without its index: floor, area, and the floors that can be stepped to.
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

#[test]
fn the_ground_does_not_depend_on_the_tiling() {
    for (name, level) in levels() {
        let solo = eroded(&level, &TileBuild::solo(&level));
        for tile_cells in TILE_SIZES {
            for coord in Tiling::new(&level, tile_cells).unwrap().coords() {
                let build = TileBuild::tiled(&level, tile_cells, coord).unwrap();
                let tile = eroded(&level, &build);
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
                        assert_eq!(found, expected, "{} in tiles of {tile_cells}: column ({gx}, {gz})", name);
                    }
                }
            }
        }
    }
}

/// The portals of one side, as what their neighbours must have too: interval and heights.
fn portals(tile: &Tile, wanted: u8) -> Vec<[i32; 4]> {
    let key = |p: &Portal| [p.start, p.end, p.start_height, p.end_height];
    let mut keys: Vec<_> = tile.portals().iter().filter(|p| p.side == wanted).map(key).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn both_sides_of_a_seam_have_the_same_portals() {
    let mut seams = 0;
    for (name, level) in levels() {
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

/// Areas of all islands in cells, rounded, largest first.
fn islands(tiles: &[Tile]) -> Vec<i64> {
    let cells = |area2: &u128| (*area2 as f64 / 2.0 / 65536.0).round() as i64;
    Islands::find(tiles).area2.iter().map(cells).collect()
}

/// Simplification rounds corners off by up to its error, so an island's area depends a little on where tiles cut
/// it. What is clear of the minimum size by this factor must be there whatever the tiling.
const CLEAR: f64 = 1.25;

#[test]
fn large_islands_do_not_depend_on_the_tiling() {
    for (name, level) in levels() {
        let least = f64::from(level.config.region_min_cells);
        let clear = |sizes: &[i64]| sizes.iter().filter(|&&size| size as f64 >= CLEAR * least).count();
        let solo = bake_solo(&level, &Silent, &mut Scratch::new()).unwrap().tile;
        let expected = islands(&[solo]);
        for tile_cells in TILE_SIZES {
            let tiles: Vec<Tile> = bake_tiles(&level, tile_cells, &Silent)
                .unwrap()
                .into_iter()
                .map(|baked| baked.tile)
                .collect();
            let found = islands(&tiles);
            let both = clear(&expected) <= found.len() && clear(&found) <= expected.len();
            assert!(both, "{name} in tiles of {tile_cells}: {found:?}, {expected:?}");
            assert!(
                found.iter().all(|&size| size as f64 >= least - 0.5),
                "{name} in tiles of {tile_cells}: {found:?}"
            );
            // Every island is about as large as in one piece; where it is not, nothing else can hide the loss.
            for (found, expected) in found.iter().zip(&expected).take(clear(&expected)) {
                let ratio = *found as f64 / *expected as f64;
                assert!((0.8..1.25).contains(&ratio), "{name} in tiles of {tile_cells}: {found}, {expected}");
            }
        }
    }
}

#[test]
fn a_tile_read_back_writes_the_same_bytes() {
    for (name, level) in levels() {
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
