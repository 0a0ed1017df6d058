//! Targets about tiles, files of them, and the data stored with them.

use super::{QUERIES, reader_bound};
use crate::base;
use crate::file::change_file;
use crate::memory::bounded;
use crate::mutate::{change_bytes, change_content, chosen, seal};
use crate::questions::{ask_everything, mesh_of};
use crate::script::Script;
use navinterop::{RefWidth, export, import_files};
use navmath::digest::Hasher;
use navtile::graph::GraphGrid;
use navtile::islands::Islands;
use navtile::seam_check::check_seams;
use navtile::{IslandGraph, NavFile, Tile, TileContent};

/// Tiles of a file that are asked about together.
const ASKED: usize = 8;

/// Everything that takes tiles, on tiles that were accepted.
pub(super) fn use_tiles(tiles: &[Tile], seed: u64) {
    bounded(QUERIES, || {
        check_seams(tiles);
        let islands = Islands::find(tiles);
        assert_eq!(islands.island_of.len(), tiles.len());
        if let Some(mesh) = mesh_of(tiles) {
            ask_everything(&mesh, seed);
        }
        // Errors say that a value does not fit Detour's format.
        let _ = export(tiles, RefWidth::Bits32);
    });
}

/// The seed of what is asked: a function of the input.
pub(super) fn seed_of(data: &[u8]) -> u64 {
    u64::from(crc32fast::hash(data))
}

/// Arbitrary bytes as a tile, and with a checksum that fits.
pub fn tile_bytes(data: &[u8]) {
    let mut sealed = data.to_vec();
    seal(&mut sealed);
    for bytes in [data, &sealed] {
        if let Ok(tile) = bounded(reader_bound(data, 10), || Tile::from_bytes(bytes)) {
            assert_eq!(tile.bytes(), bytes);
            use_tiles(&[tile], seed_of(data));
        }
    }
}

/// A sound tile, changed as content and as bytes. If it is accepted, every query is asked of it and its
/// neighbours.
pub fn tile_mutations(data: &[u8]) {
    let mut script = Script::new(data);
    let (base, index) = chosen(&mut script);
    let mut content = TileContent::from_tile(&base.tiles[index]);
    change_content(&mut content, &mut script);
    let Ok((bytes, _)) = bounded(QUERIES, || content.write()) else { return };
    let tile = Tile::from_bytes(&bytes).expect("what is written can be read");
    let bytes = change_bytes(&tile, &mut script);
    let Ok(tile) = bounded(reader_bound(&bytes, 10), || Tile::from_bytes(&bytes)) else { return };
    let others =
        base.tiles.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, tile)| tile.clone());
    let tiles: Vec<Tile> = std::iter::once(tile).chain(others).take(ASKED).collect();
    use_tiles(&tiles, seed_of(data));
}

/// A sound tile, changed as content and written. Reading it and writing it again gives the same bytes. A
/// changed blob that is accepted need not be canonical, but once it was written it stays the same from then
/// on.
pub fn tile_round_trip(data: &[u8]) {
    let mut script = Script::new(data);
    let (base, index) = chosen(&mut script);
    let mut content = TileContent::from_tile(&base.tiles[index]);
    change_content(&mut content, &mut script);
    let Ok((bytes, _)) = content.write() else { return };
    let tile = Tile::from_bytes(&bytes).expect("what is written can be read");
    let again = TileContent::from_tile(&tile).write().expect("what was read can be written");
    assert!(again == (bytes, Vec::new()), "a tile changes when it is written again");
    let changed = change_bytes(&tile, &mut script);
    if let Ok(tile) = Tile::from_bytes(&changed)
        && let Ok((bytes, _)) = TileContent::from_tile(&tile).write()
    {
        let tile = Tile::from_bytes(&bytes).expect("what is written can be read");
        let again = TileContent::from_tile(&tile).write().expect("what was read can be written");
        assert!(again == (bytes, Vec::new()), "a tile changes when it is written again");
    }
}

/// Opens a file, takes everything in it, and uses what is accepted.
fn open(bytes: &[u8], seed: u64) {
    let bound = reader_bound(bytes, 10);
    let Ok(file) = bounded(bound, || NavFile::open(bytes)) else { return };
    let mut tiles = Vec::new();
    for (index, coord) in file.coords().into_iter().enumerate() {
        let tile = bounded(bound, || file.tile(coord)).expect("the directory names it");
        tiles.extend(tile.ok().filter(|_| index < ASKED));
    }
    for entry in file.entries() {
        // A stored tile may be broken. Its place within the file was checked before.
        let _ = file.stored(entry);
    }
    if let Some(Ok(graph)) = bounded(bound, || file.graph()) {
        let grid = GraphGrid::new(file.meta().tile_cells, file.meta().agent.climb, file.meta().cell[1]);
        bounded(bound, || use_graph(&graph, &grid));
    }
    if let Some(Ok(hierarchy)) = bounded(bound, || file.hierarchy()) {
        assert!(hierarchy.len() < bytes.len(), "it is a part of the file");
    }
    use_tiles(&tiles, seed);
    if let Ok(written) = navtile::write_file(file.meta(), &tiles) {
        let read = NavFile::open(written).expect("what is written can be read");
        assert!(read.meta() == file.meta() || has_nan(file.meta()));
    }
}

fn has_nan(meta: &navtile::Meta) -> bool {
    meta.settings.reachable_from.is_some_and(|at| at.iter().any(|value| value.is_nan()))
}

/// Arbitrary bytes as a file, and with checksums that fit.
pub fn file_bytes(data: &[u8]) {
    open(data, seed_of(data));
    let mut mended = data.to_vec();
    crate::file::mend(&mut mended, 0);
    open(&mended, seed_of(data));
}

/// A sound file, changed field by field, with checksums that fit again.
pub fn file_mutations(data: &[u8]) {
    let mut script = Script::new(data);
    let (base, _) = chosen(&mut script);
    open(&change_file(&base.file, &mut script), seed_of(data));
}

/// Decisions over an island graph.
pub(super) fn use_graph(graph: &IslandGraph, grid: &GraphGrid) {
    let islands = graph.islands(grid);
    assert_eq!(islands.island_of.len(), graph.nodes().len());
    let first = graph.nodes().iter().position(|node| !node.islands().is_empty());
    let seeds: Vec<(usize, u32)> = first.map(|node| (node, 0)).into_iter().collect();
    for seeds in [None, Some(seeds.as_slice())] {
        let verdict = graph.judge(grid, 2, seeds);
        for node in 0..graph.nodes().len() {
            let keeps =
                (0..graph.nodes()[node].islands().len() as u32).any(|local| verdict.keeps(node, local));
            assert_eq!(verdict.keeps_any(node), keeps);
            verdict.prune_hash(node);
        }
    }
}

/// Arbitrary bytes as an island graph. An accepted graph is written back unchanged, and decided over.
pub fn graph_bytes(data: &[u8]) {
    let bound = reader_bound(data, 10);
    let Ok(graph) = bounded(bound, || IslandGraph::decode(data)) else { return };
    assert_eq!(graph.encode(), data);
    for tile_cells in [0, 16] {
        bounded(bound, || use_graph(&graph, &GraphGrid { tile_cells, climb: 512 }));
    }
}

/// Bytes as the stored run-time state of a tile; the first says whether their digest is made to fit.
pub fn state_bytes(data: &[u8]) {
    let tile = &base::all()[0].tiles[0];
    let Some(mut mesh) = mesh_of([tile]) else { return };
    let Some((&first, rest)) = data.split_first() else { return };
    let mut state = rest.to_vec();
    if first % 2 == 1 {
        let checksum = tile.header().checksum.to_le_bytes();
        if let Some(field) = state.get_mut(12..16) {
            field.copy_from_slice(&checksum);
        }
        let digest = Hasher::new().write_u8s(&state).finish().0;
        state.extend(digest);
    }
    let coord = tile.coord();
    if bounded(reader_bound(data, 10), || mesh.restore_state(coord, &state)).is_ok() {
        let stored = mesh.store_state(coord).expect("the tile is there");
        let mut other = mesh_of([tile]).expect("it was made before");
        other.restore_state(coord, &stored).expect("it was stored of this tile");
        assert_eq!(other.store_state(coord).expect("the tile is there"), stored);
        ask_everything(&mesh, seed_of(data));
    }
}

/// Bytes as a file of Detour: read, imported, asked about and written again.
pub fn detour_import(data: &[u8]) {
    let Ok(foreign) = bounded(reader_bound(data, 10), || navinterop::read(data)) else { return };
    // Tiles are rebuilt here, with trees and tables: in proportion to the input, but ten times its size is
    // not enough.
    let imported = bounded(reader_bound(data, 100), || import_files(vec![foreign]));
    let Ok(imported) = imported else { return };
    for tile in &imported.tiles {
        let again = Tile::from_bytes(tile.bytes()).expect("an imported tile is sound");
        assert!(again == *tile);
    }
    let file = navtile::write_file(&imported.meta, &imported.tiles).expect("an imported set is sound");
    let file = NavFile::open(file).expect("what is written can be read");
    assert_eq!(file.coords().len(), imported.tiles.len());
    let tiles: Vec<Tile> = imported.tiles.into_iter().take(ASKED).collect();
    use_tiles(&tiles, seed_of(data));
}
