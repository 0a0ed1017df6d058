//! Shared by the tests of files: metadata, a few tiles, their graph, and functions to read and change roots.

pub(crate) mod disk;
pub(crate) mod history;

use crate::common::{empty, everything, square, tile};
use bytemuck::{bytes_of, pod_read_unaligned};
use navtile::file::{ROOT_OFFSETS, Root};
use navtile::graph::{Anchor, TileNode};
use navtile::{
    AgentMeta, AreaMeta, FileError, FileWriter, IslandGraph, Meta, Packing, SettingsMeta, StoreError,
};
use navtile::{Tile, TileContent, TileCoord, TileRecord};
use std::io::Cursor;

pub(crate) fn meta() -> Meta {
    let area = |id: u8, name: &str| AreaMeta {
        id,
        name: name.into(),
        flags: 1 << id,
        cost: f32::from(id),
        colour: None,
    };
    Meta {
        agent: AgentMeta { radius: 0.6, height: 2.0, climb: 0.9, slope: 45.0 },
        settings: SettingsMeta {
            partition: 0,
            max_vertices: 6,
            region_min_area: 5.76,
            region_merge_area: 36.0,
            max_edge_length: 12.0,
            contour_max_error: 0.39,
            detail_sample_distance: 1.8,
            detail_max_error: 0.2,
            split_walls: true,
            split_areas: false,
            median_filter: true,
            volumes: 3,
            off_mesh_connections: 2,
            marks_digest: *b"fedcba9876543210",
            reachable_from: None,
            outlines: 0,
        },
        origin: [10.0, -5.0, 1e6],
        cell: [0.3, 0.2],
        tile_cells: 16,
        geometry_digest: *b"0123456789abcdef",
        areas: vec![area(1, "ground"), area(3, "wätter")],
    }
}

pub(crate) fn node(tile: &Tile) -> TileNode {
    let anchor = Anchor { connection: 7, island: 0, end: 1, both_ways: 1, reserved: 0 };
    TileNode::new(tile, [5; 16], vec![40, 30], vec![anchor])
}

pub(crate) fn at(mut content: TileContent, x: i32, z: i32) -> Tile {
    content.coord = TileCoord { x, z, layer: 0 };
    Tile::from_bytes(&content.write().unwrap().0).unwrap()
}

pub(crate) fn tiles() -> Vec<Tile> {
    vec![at(everything(), 2, -1), at(empty(), -7, 3), at(tile(&[square(0, 0, 512, |_, _| 0)]), 2, -2)]
}

pub(crate) fn rule(error: FileError) -> &'static str {
    match error {
        FileError::Format { rule, .. } => rule,
        FileError::Graph(error) => error.rule,
        FileError::Tile { source, .. } => source.rule,
    }
}

pub(crate) fn root(bytes: &[u8]) -> Root {
    pod_read_unaligned(&bytes[ROOT_OFFSETS[0]..ROOT_OFFSETS[0] + size_of::<Root>()])
}

pub(crate) fn put_root(bytes: &mut [u8], place: usize, mut root: Root) {
    root.checksum = 0;
    root.checksum = crc32fast::hash(bytes_of(&root));
    bytes[ROOT_OFFSETS[place]..][..size_of::<Root>()].copy_from_slice(bytes_of(&root));
}

/// The rule that a store's file breaks.
pub(crate) fn store_rule(error: StoreError) -> &'static str {
    match error {
        StoreError::File(error) => rule(error),
        other => panic!("{other} is no rule"),
    }
}

/// A tile with hashes that identify it.
pub(crate) fn record(tile: &Tile) -> TileRecord {
    let TileCoord { x, z, .. } = tile.coord();
    TileRecord { tile: tile.clone(), input_hash: [x as u8; 16], prune_hash: [z as u8; 8] }
}

/// A tile at a coordinate, different for each seed.
pub(crate) fn seeded(x: i32, z: i32, seed: i32) -> Tile {
    at(tile(&[square(0, 0, 512, |i, j| 10 * seed + i + j), square(2, 1, 512, |_, _| seed)]), x, z)
}

pub(crate) fn graph(tiles: &[Tile]) -> IslandGraph {
    IslandGraph::new(tiles.iter().map(node).collect())
}

/// The file that a fresh bake would write.
pub(crate) fn fresh(
    meta: &Meta,
    records: &[TileRecord],
    graph: Option<&IslandGraph>,
    packing: Packing,
) -> Vec<u8> {
    let mut records: Vec<&TileRecord> = records.iter().collect();
    records.sort_by_key(|record| record.tile.coord());
    let writer = FileWriter::new(Cursor::new(Vec::new()), meta, records.len()).unwrap();
    let mut writer = writer.with_packing(packing);
    records.iter().for_each(|record| writer.add(record).unwrap());
    writer.finish(graph).unwrap().into_inner()
}
