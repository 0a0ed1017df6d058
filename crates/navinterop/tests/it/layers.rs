//! Layers of tile caches: read in both byte orders, every prefix refused, broken rules named, nothing panics.

use navinterop::mset::NavMeshParams;
use navinterop::tset::{self, CacheParams, CachedLayer, LayerCells, LayerHeader, LayerSet, StoredLayer};
use navinterop::{ByteOrder, Foreign, import_files, read};
use proptest::prelude::*;

/// Bytes before the first layer's reference.
const HEADER: usize = 92;

/// Ground with a hole, all of it connected.
fn cells(width: u8, height: u8) -> LayerCells {
    let (width, height) = (usize::from(width), usize::from(height));
    let is_floor = |cell: usize| cell % 7 != 3;
    let connections = |cell: usize| {
        let (x, z) = (cell % width, cell / width);
        let beside = [
            (x > 0).then(|| cell - 1),
            (z + 1 < height).then(|| cell + width),
            (x + 1 < width).then(|| cell + 1),
            (z > 0).then(|| cell - width),
        ];
        (0..4).filter(|&side| beside[side].is_some_and(is_floor)).map(|side| 1u8 << side).sum::<u8>()
    };
    let all = 0..width * height;
    LayerCells {
        heights: all.clone().map(|cell| if is_floor(cell) { (cell / 9) as u8 } else { 255 }).collect(),
        areas: all.clone().map(|cell| if is_floor(cell) { 63 } else { 0 }).collect(),
        connections: all.map(|cell| if is_floor(cell) { connections(cell) } else { 0 }).collect(),
    }
}

fn layer(x: i32, [width, height]: [u8; 2]) -> StoredLayer {
    let header = LayerHeader {
        x,
        y: -2,
        layer: 1,
        bounds_min: [x as f32 * 4.5, 1.0, -9.0],
        bounds_max: [x as f32 * 4.5 + 4.5, 3.0, -4.5],
        lowest: 5,
        highest: 70,
        width,
        height,
        used: [0, width - 1, 1, height - 1],
    };
    StoredLayer::new(header, &cells(width, height)).unwrap()
}

fn set(order: ByteOrder, sizes: &[[u8; 2]]) -> LayerSet {
    let layers = sizes
        .iter()
        .zip(1..)
        .map(|(&size, x)| CachedLayer { layer_ref: x as u32 | 1 << 14, layer: layer(x, size) });
    LayerSet {
        order,
        mesh_params: NavMeshParams {
            tile_width: 4.5,
            tile_height: 4.5,
            max_tiles: 64,
            ..NavMeshParams::default()
        },
        cache_params: CacheParams {
            origin: [0.5, -1.0, 2.0],
            cell_size: 0.3,
            cell_height: 0.2,
            width: 15,
            height: 15,
            walkable_height: 2.0,
            walkable_radius: 0.6,
            walkable_climb: 0.9,
            max_simplification_error: 1.3,
            max_tiles: 64,
            max_obstacles: 128,
        },
        layers: layers.collect(),
    }
}

#[test]
fn every_prefix_and_every_longer_cache_is_refused() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let set = set(order, &[[15, 15], [3, 1], [1, 1]]);
        let mut bytes = tset::write(&set).unwrap();
        assert_eq!(tset::read(&bytes).unwrap(), set);
        assert_eq!(read(&bytes).unwrap(), Foreign::Layers(set.clone()));
        for length in 0..bytes.len() {
            assert!(tset::read(&bytes[..length]).is_err(), "{length} bytes");
        }
        bytes.push(0);
        let error = tset::read(&bytes).unwrap_err();
        assert_eq!((error.what.as_str(), error.offset), ("end of the tile cache", bytes.len() as u64 - 1));
    }
}

#[test]
fn the_bytes_are_those_of_the_structures() {
    let set = set(ByteOrder::Little, &[[15, 15]]);
    let bytes = tset::write(&set).unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let number = |at: usize| f32::from_bits(word(at));
    assert_eq!((&bytes[..4], word(4), word(8)), (&b"TEST"[..], 1, 1));
    assert_eq!((number(24), number(40), number(52), number(56)), (4.5, 0.5, 0.3, 0.2));
    assert_eq!((word(60), word(64), number(68), number(80), word(88)), (15, 15, 2.0, 1.3, 128));
    let data = HEADER + 8;
    assert_eq!((word(HEADER), word(HEADER + 4) as usize), (1 | 1 << 14, bytes.len() - data));
    assert_eq!((&bytes[data..data + 4], word(data + 4), word(data + 8)), (&b"RLTD"[..], 1, 1));
    assert_eq!((word(data + 12) as i32, word(data + 16), number(data + 24)), (-2, 1, 1.0));
    assert_eq!(bytes[data + 44..data + 56], [5, 0, 70, 0, 15, 15, 0, 14, 1, 14, 0, 0]);
    // Level 1, as the library packs fewer than 2^16 bytes.
    assert_eq!(bytes[data + 56] >> 5, 0);
}

#[test]
fn the_largest_layer_comes_back() {
    let set = set(ByteOrder::Little, &[[255, 255]]);
    assert_eq!(set.layers[0].layer.packed()[0] >> 5, 1, "level 2, as the library packs 2^16 bytes and more");
    let again = tset::read(&tset::write(&set).unwrap()).unwrap();
    assert_eq!(again.layers[0].layer.cells().unwrap(), cells(255, 255));
}

#[test]
fn caches_say_what_is_wrong_and_where() {
    let set = set(ByteOrder::Little, &[[15, 15], [15, 15]]);
    let bytes = tset::write(&set).unwrap();
    let changed = |at: usize, value: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        let error = tset::read(&bytes).unwrap_err();
        (error.offset as usize, error.what, error.found)
    };
    let is = |(offset, what, found): (usize, String, String), expected: (usize, &str, &str)| {
        assert_eq!((offset, what.as_str(), found.as_str()), expected);
    };
    let data = HEADER + 8;
    is(changed(4, &[2]), (4, "version of a tile cache", "version 2"));
    is(changed(8, &[3]), (bytes.len(), "layer 2 of the cache", "0 left"));
    assert_eq!(changed(8, &[1]).1, "end of the tile cache");
    is(changed(11, &[0x80]), (8, "number of layers", "-2147483646"));
    assert_eq!(changed(24, &f32::NAN.to_le_bytes()).1, "width of a tile");
    assert_eq!(changed(52, &f32::INFINITY.to_le_bytes()).1, "cell size of the cache");
    is(changed(63, &[0x80]), (60, "cells of a tile along x", "-2147483633"));
    assert!(changed(HEADER, &[0; 4]).2.starts_with("reference 0 and"));
    is(changed(HEADER + 4, &[55, 0]), (HEADER, "layer 0 of the cache", "reference 16385 and 55 bytes"));
    assert_eq!(changed(HEADER + 4, &[0, 0, 1]).0, data);
    assert_eq!(changed(data, b"x").1, "magic number of a layer");
    assert_eq!(changed(data, b"DTLR").1, "magic number of a layer");
    is(changed(data + 4, &[7]), (data + 4, "version of a layer", "version 7"));
    assert_eq!(changed(data + 20, &f32::NAN.to_le_bytes()).1, "smallest corner of a layer");
    is(changed(data + 46, &[4]), (data + 44, "heights of a layer", "5 and 4"));
    is(changed(data + 48, &[0]), (data + 48, "size of a layer", "0 by 15"));
    assert_eq!(changed(data + 48, &[14]).1, "compressed cells of a layer");
    is(changed(data + 56, &[0x40]), (data + 56, "compressed cells of a layer", "level 3"));
    // An error in a later layer is reported by its offset in the file.
    let second = data + set.layers[0].layer.packed().len() + 56 + 8;
    is(changed(second + 4, &[9]), (second + 4, "version of a layer", "version 9"));
}

#[test]
fn steps_out_of_a_layer_are_refused() {
    for (side, cell) in [(0, 5), (1, 23), (2, 9), (3, 1)] {
        let header = LayerHeader { width: 5, height: 5, ..LayerHeader::default() };
        let mut cells = cells(5, 5);
        cells.connections[cell] |= 1 << side;
        let refused = |cells: &LayerCells| {
            let layer = CachedLayer { layer_ref: 1, layer: StoredLayer::new(header, cells).unwrap() };
            tset::read(&tset::write(&LayerSet { layers: vec![layer], ..set(ByteOrder::Big, &[]) }).unwrap())
        };
        let error = refused(&cells).unwrap_err();
        assert_eq!((error.offset, error.what.as_str()), (HEADER as u64 + 64, "cells of a layer"));
        // A portal may lead there, and a cell without floor leads nowhere.
        cells.connections[cell] ^= 17 << side;
        assert!(refused(&cells).is_ok());
        cells.connections[cell] |= 1 << side;
        cells.areas[cell] = 0;
        assert!(refused(&cells).is_ok());
    }
    let short = LayerCells { heights: vec![0; 24], ..cells(5, 5) };
    let header = LayerHeader { width: 5, height: 5, ..LayerHeader::default() };
    assert!(StoredLayer::new(header, &short).unwrap_err().to_string().contains("heights"));
    assert!(StoredLayer::new(LayerHeader::default(), &LayerCells::default()).is_err());
}

#[test]
fn layers_are_no_tiles() {
    let error = import_files(vec![Foreign::Layers(set(ByteOrder::Little, &[[15, 15]]))]).unwrap_err();
    assert!(error.to_string().contains("build tiles from them"));
}

proptest! {
    #[test]
    fn changed_caches_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = tset::write(&set(ByteOrder::Little, &[[15, 15], [4, 9]])).unwrap();
        for (index, value) in changes {
            let at = index.index(bytes.len());
            bytes[at] = value;
        }
        if let Ok(set) = tset::read(&bytes) {
            for layer in &set.layers {
                let cells = layer.layer.cells().unwrap();
                let header = layer.layer.header();
                prop_assert_eq!(cells.areas.len(), usize::from(header.width) * usize::from(header.height));
            }
            prop_assert_eq!(tset::read(&tset::write(&set).unwrap()).unwrap(), set);
        }
    }
}
