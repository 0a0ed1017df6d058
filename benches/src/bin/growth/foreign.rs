//! Files of other programs in many parts: maps of game servers, tile caches with their layers, and compressed
//! glTF.

use super::inputs::glb;
use super::tiles::{content, storeys, written};
use super::{Family, Made, Member};
use navinterop::mmaps::{self, MapTile};
use navinterop::tset::{self, CacheParams, CachedLayer, LayerCells, LayerHeader, LayerSet, StoredLayer};
use navinterop::{Foreign, RefWidth, export, import_files};
use navtile::Tile;
use std::error::Error;

pub(super) const FAMILIES: [Family; 11] = [
    Family { name: "gltf/compressed-attributes", start: 3_000, make: compressed_attributes },
    Family { name: "gltf/compressed-triangles", start: 6_000, make: compressed_triangles },
    Family { name: "gltf/compressed-indices", start: 6_000, make: compressed_indices },
    Family { name: "gltf/parts-of-a-compressed-view", start: 1_000, make: parts_of_a_view },
    Family { name: "gltf/draco-parts-around-a-vertex", start: 1_000, make: |n| draco_parts(n, n) },
    Family { name: "gltf/draco-small-parts", start: 4_000, make: |n| draco_parts(n, 0) },
    Family { name: "interop/a-map-of-tiles", start: 100, make: map_of_tiles },
    Family { name: "interop/a-large-map-tile", start: 400, make: large_map_tile },
    Family { name: "layers/file", start: 16, make: |n| layer_file(&layers(n, 1, noise)?) },
    Family { name: "layers/import-of-tiles", start: 9, make: |n| imported(layers(n, 1, flat)?) },
    Family { name: "layers/import-of-storeys", start: 8, make: |n| imported(layers(1, n, flat)?) },
];

/// The end of a compressed stream, version 1, of elements of `stride` bytes whose values all begin at zero.
fn tail(stride: usize) -> Vec<u8> {
    vec![0; (stride + stride / 4).max(24)]
}

/// The stream of elements of twelve bytes whose differences are all single bits that stand for a byte after
/// them: the most work per byte.
fn escaped(elements: usize) -> Vec<u8> {
    let group = [[0xFF; 2].as_slice(), &[0; 16]].concat();
    let plane = |groups: usize| [vec![0b0101_0101; groups.div_ceil(4)], group.repeat(groups)].concat();
    let mut stream = vec![0xA1];
    for first in (0..elements).step_by(256) {
        stream.extend([0; 3]);
        stream.extend(plane((elements - first).min(256).div_ceil(16)).repeat(12));
    }
    stream.extend(tail(12));
    stream
}

/// A compressed view of the stream at `place`, with elements of the given stride and count.
fn view(place: usize, stream: &[u8], [stride, count]: [usize; 2], mode: &str) -> String {
    format!(
        r#"{{"buffer":0,"byteLength":{},"extensions":{{"EXT_meshopt_compression":{{"buffer":0,"byteOffset":{place},
        "byteLength":{},"byteStride":{stride},"count":{count},"mode":"{mode}"}}}}}}"#,
        stride * count,
        stream.len()
    )
}

const REQUIRED: &str = r#""extensionsUsed":["EXT_meshopt_compression"],"nodes":[{"mesh":0}]"#;

fn compressed_attributes(count: usize) -> Made {
    let count = count.next_multiple_of(3);
    let stream = escaped(count);
    let parts = format!(
        r#"{REQUIRED},"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"bufferViews":[{}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC3"}}]"#,
        view(0, &stream, [12, count], "ATTRIBUTES")
    );
    glb(&parts, stream)
}

/// A mesh of one triangle's positions, with indices that a stream holds.
fn indexed(stream: &[u8], count: usize, mode: &str) -> Made {
    let parts = format!(
        r#"{REQUIRED},"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},{}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
        {{"bufferView":1,"componentType":5125,"count":{count},"type":"SCALAR"}}]"#,
        view(36, stream, [4, count], mode)
    );
    glb(&parts, [&[0; 36], stream].concat())
}

/// A zero of five bytes, the longest.
const LONG_ZERO: [u8; 5] = [0x80, 0x80, 0x80, 0x80, 0];

/// Triangles that share no corner with earlier ones. Each corner is written as a difference, as long as
/// possible.
fn compressed_triangles(count: usize) -> Made {
    let mut stream = vec![0xE1];
    stream.extend(vec![0xFF; count]);
    stream.extend([&[0xFF], LONG_ZERO.repeat(3).as_slice()].concat().repeat(count));
    stream.extend([0; 16]);
    indexed(&stream, 3 * count, "TRIANGLES")
}

fn compressed_indices(count: usize) -> Made {
    let count = 3 * count;
    let stream = [&[0xD1], LONG_ZERO.repeat(count).as_slice(), &[0; 4]].concat();
    indexed(&stream, count, "INDICES")
}

/// Many primitives that each take a triangle from one compressed view.
fn parts_of_a_view(count: usize) -> Made {
    let each = |one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(",");
    let primitives = each(&|at| format!(r#"{{"attributes":{{"POSITION":{at}}}}}"#));
    let accessors = each(&|at| {
        let offset = 36 * at;
        format!(r#"{{"bufferView":0,"byteOffset":{offset},"componentType":5126,"count":3,"type":"VEC3"}}"#)
    });
    let stream = escaped(3 * count);
    let parts = format!(
        r#"{REQUIRED},"meshes":[{{"primitives":[{primitives}]}}],"bufferViews":[{}],"accessors":[{accessors}]"#,
        view(0, &stream, [12, 3 * count], "ATTRIBUTES")
    );
    glb(&parts, stream)
}

/// A Draco stream whose parts, `parts` triangles on their own, are joined one after the other at a vertex
/// that already has `fan` triangles. A decoder that rewrites the corners of a joined vertex takes time
/// proportional to the product of the two.
fn draco_parts(parts: usize, fan: usize) -> Made {
    // The symbols S, L, R and E have three bits, C has one; the low bit is the first.
    let (alone, joined, right, closed) =
        ([1, 1, 1].as_slice(), [1, 0, 0].as_slice(), [1, 0, 1].as_slice(), &[0]);
    let join = [joined, closed, closed].concat();
    let bits = [alone.repeat(parts + 1), right.repeat(fan), join.repeat(parts)].concat();
    let byte = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit);
    let symbols: Vec<u8> = bits.chunks(8).map(byte).collect();
    let (triangles, vertices) = (4 * parts + 1 + fan, 3 * (parts + 1) + fan);
    let mut stream = b"DRACO\x02\x02\x01\x01\x00\x00\x00".to_vec();
    let number = |mut number: usize, stream: &mut Vec<u8>| {
        while number > 0x7F {
            stream.push(number as u8 | 0x80);
            number >>= 7;
        }
        stream.push(number as u8);
    };
    for (count, then) in [(vertices - parts, None), (triangles, Some(0)), (triangles, None), (parts, Some(0))]
    {
        number(count, &mut stream);
        stream.extend(then);
    }
    number(symbols.len(), &mut stream);
    stream.extend(symbols);
    // No part is closed; one attribute, plain floats.
    stream.extend([0xFF, 1, 0x3F, 1, 0xFF, 0, 0, 1, 0, 9, 3, 0, 0, 0]);
    stream.extend(vec![0; 12 * vertices]);
    let parts = format!(
        r#""extensionsUsed":["KHR_draco_mesh_compression"],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"extensions":{{"KHR_draco_mesh_compression":
        {{"bufferView":0,"attributes":{{"POSITION":0}}}}}}}}]}}],"bufferViews":[{{"buffer":0,"byteLength":{}}}],
        "accessors":[{{"componentType":5126,"count":{vertices},"type":"VEC3"}}]"#,
        stream.len()
    );
    glb(&parts, stream)
}

/// The files of a map: its parameters, and its tiles.
fn map_files(tiles: &[Tile]) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let exported = export(tiles, RefWidth::Bits64)?.set;
    let mut files = vec![mmaps::write_params(&exported.params, exported.encoding.order)];
    for tile in exported.tiles {
        let (encoding, tile) = (exported.encoding, tile.tile);
        files.push(mmaps::write_tile(&MapTile { encoding, map_version: 16, uses_liquids: false, tile })?);
    }
    Ok(files)
}

fn map(tiles: &[Tile]) -> Made {
    let files = map_files(tiles)?;
    Ok(Member::new(files.iter().map(Vec::len).sum(), move || {
        let files: Vec<Foreign> =
            files.iter().map(|bytes| navinterop::read(bytes)).collect::<Result<_, _>>()?;
        import_files(files)?;
        Ok(())
    }))
}

fn map_of_tiles(count: usize) -> Made {
    let tile = |at: i32| written(&content([at % 9, at / 9], &storeys(2, 900)));
    map(&(0..count as i32).map(tile).collect::<Result<Vec<_>, _>>()?)
}

/// Storeys over each other in one tile.
fn large_map_tile(count: usize) -> Made {
    map(&[written(&content([0; 2], &storeys(count, 900)))?])
}

/// Cells along a layer.
const SIDE: usize = 32;
const HEIGHT: f32 = 0.2;

/// Layers of tiles in a row, with a number of storeys in each; `height` is the height of a cell.
fn layers(tiles: usize, storeys: usize, height: fn(usize) -> u8) -> Result<LayerSet, Box<dyn Error>> {
    let heights: Vec<u8> = (0..SIDE * SIDE).map(height).collect();
    let connections = (0..SIDE * SIDE).map(|cell| {
        let (x, z) = (cell % SIDE, cell / SIDE);
        u8::from(x > 0) | u8::from(z + 1 < SIDE) << 1 | u8::from(x + 1 < SIDE) << 2 | u8::from(z > 0) << 3
    });
    let cells = LayerCells { heights, areas: vec![63; SIDE * SIDE], connections: connections.collect() };
    let width = SIDE as f32 * 0.3;
    let layer = |at: usize| {
        let (x, storey) = ((at / storeys) as i32, at % storeys);
        let bottom = 20.0 * HEIGHT * storey as f32;
        let header = LayerHeader {
            x,
            layer: storey as i32,
            bounds_min: [x as f32 * width, bottom, 0.0],
            bounds_max: [(x + 1) as f32 * width, bottom, width],
            width: SIDE as u8,
            height: SIDE as u8,
            ..LayerHeader::default()
        };
        Ok(CachedLayer { layer_ref: at as u32 + 1, layer: StoredLayer::new(header, &cells)? })
    };
    let layers = (0..tiles * storeys).map(layer).collect::<Result<_, Box<dyn Error>>>()?;
    let cache_params = CacheParams {
        cell_size: 0.3,
        cell_height: HEIGHT,
        width: SIDE as u32,
        height: SIDE as u32,
        walkable_height: 2.0,
        walkable_radius: 0.6,
        walkable_climb: 0.9,
        max_simplification_error: 1.3,
        ..CacheParams::default()
    };
    Ok(LayerSet { cache_params, layers, ..LayerSet::default() })
}

fn flat(_: usize) -> u8 {
    0
}

/// Heights that do not repeat, so that the compression stores them unchanged.
fn noise(cell: usize) -> u8 {
    ((cell as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as u8 % 200
}

fn layer_file(set: &LayerSet) -> Made {
    let bytes = tset::write(set)?;
    Ok(Member::new(bytes.len(), move || {
        tset::write(&tset::read(&bytes)?)?;
        Ok(())
    }))
}

fn imported(set: LayerSet) -> Made {
    Ok(Member::new(set.layers.len(), move || {
        tilecache::detour_layers::import(&set)?;
        Ok(())
    }))
}
