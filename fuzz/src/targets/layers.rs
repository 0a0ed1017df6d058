//! The target about layers of Detour's tile caches.

use super::reader_bound;
use super::tiles::{seed_of, use_tiles};
use crate::memory::bounded;
use crate::script::Script;
use navinterop::tset::{self, CacheParams, CachedLayer, LayerCells, LayerHeader, LayerSet, StoredLayer};
use navtile::Tile;
use tilecache::detour_layers::import;

/// Cells that are baked of one input.
const BAKED_CELLS: usize = 4_000;
/// Sides of drawn tiles, cells.
const SIDES: [u32; 6] = [1, 2, 5, 9, 14, 20];

/// Arbitrary bytes as a tile cache; and a cache whose layers are drawn from them, floor by floor.
pub fn layers(data: &[u8]) {
    if let Ok(set) = bounded(reader_bound(data, 10), || tset::read(data)) {
        let again = tset::write(&set).expect("it was in a file");
        assert!(tset::read(&again).expect("it was read before") == set);
        bake(&set, data);
    }
    bake(&drawn(&mut Script::new(data)), data);
}

/// Imports a cache, if it is small, and asks everything about its tiles.
fn bake(set: &LayerSet, data: &[u8]) {
    let params = &set.cache_params;
    let tile = (params.width.min(256) as usize + 6) * (params.height.min(256) as usize + 6);
    if set.layers.len() * tile > BAKED_CELLS {
        return;
    }
    // Errors say that layers do not fit together.
    let Ok(imported) = import(set) else { return };
    for tile in &imported.tiles {
        assert!(Tile::from_bytes(tile.bytes()).expect("an imported tile is sound") == *tile);
    }
    navtile::write_file(&imported.meta, &imported.tiles).expect("an imported cache is sound");
    use_tiles(&imported.tiles, seed_of(data));
}

/// A few layers side by side and over each other. Steps lead anywhere, also where there is no floor and out
/// of the grid.
fn drawn(script: &mut Script<'_>) -> LayerSet {
    let side = SIDES[SIDES.len() - 1 - script.below(SIDES.len())];
    let (climb, rough) = (script.below(5) as f32, 1 + script.below(9));
    let count = side as usize * side as usize;
    let most = (BAKED_CELLS / ((side as usize + 6) * (side as usize + 6))).clamp(1, 6);
    let layers = (0..1 + script.below(most)).map(|number| {
        let [x, y] = [script.below(3), script.below(2)].map(|at| at as i32);
        let lowest = script.below(30) as f32;
        let header = LayerHeader {
            x,
            y,
            layer: number as i32,
            bounds_min: [(x * side as i32) as f32, lowest, (y * side as i32) as f32],
            width: side as u8,
            height: side as u8,
            ..LayerHeader::default()
        };
        let heights = (0..count).map(|_| script.below(rough) as u8).collect();
        // Mostly one area, so that there is ground.
        let areas = (0..count).map(|_| [63, 63, 63, 63, 5, 0][script.below(6)]).collect();
        // Mostly every step there is, within and beyond.
        let connections = (0..count)
            .map(|cell| {
                let (x, z) = (cell % side as usize, cell / side as usize);
                let last = side as usize - 1;
                let within = u8::from(x > 0)
                    | u8::from(z < last) << 1
                    | u8::from(x < last) << 2
                    | u8::from(z > 0) << 3;
                if script.below(8) == 7 { script.below(256) as u8 } else { (15 - within) << 4 | within }
            })
            .collect();
        let cells = LayerCells { heights, areas, connections };
        let layer = StoredLayer::new(header, &cells).expect("three lists of its cells");
        CachedLayer { layer_ref: 1, layer }
    });
    let layers = layers.collect();
    let cache_params = CacheParams {
        cell_size: 1.0,
        cell_height: 1.0,
        width: side,
        height: side,
        walkable_height: climb + 2.0,
        walkable_climb: climb,
        max_simplification_error: 1.3,
        ..CacheParams::default()
    };
    LayerSet { cache_params, layers, ..LayerSet::default() }
}
