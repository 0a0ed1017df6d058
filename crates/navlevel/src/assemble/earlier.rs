//! An earlier file of a level, whose tiles may be reused. Nothing in it is trusted: a tile is reused if it
//! keeps every rule of a tile and matches the island graph, which describes all tiles before anything was
//! removed from them. Tiles are read when they are needed, so that the file may be larger than memory.

use navtile::file::{DirectoryEntry, Source, SpanCacheIndex};
use navtile::graph::TileNode;
use navtile::{IslandGraph, Meta, NavStore, SharedBytes, StoreError, Tile, TileCoord};
use rayon::prelude::*;
use std::collections::BTreeMap;
use thiserror::Error;

/// Bytes of memory for each byte of an island graph, while it is read and joined.
const BYTES_PER_GRAPH_BYTE: u64 = 4;

/// Why nothing of a file can be reused.
#[derive(Debug, Error)]
pub enum EarlierError {
    /// It cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its directory and its graph take more memory than is allowed, bytes.
    #[error("its directory and island graph take {0} bytes, more than is allowed")]
    Memory(u64),
    /// It was not baked from a level.
    #[error("has no island graph, because it was not baked from a level")]
    NoGraph,
}

/// A file that a bake wrote, with its graph.
pub struct EarlierFile<S> {
    store: NavStore<S>,
    graph: IslandGraph,
    /// Index of the spans that it keeps, if it keeps any that can be read.
    span_cache: Option<SpanCacheIndex>,
    /// Tiles in the directory that cannot be reused, with the reason.
    unsound: BTreeMap<TileCoord, String>,
}

impl<S: Source + Sync> EarlierFile<S> {
    /// Reads a file except its tiles, with at most `memory` bytes.
    ///
    /// # Errors
    /// A file that cannot be read, is too large, or has no island graph.
    pub fn open(source: S, memory: u64) -> Result<EarlierFile<S>, EarlierError> {
        let store = NavStore::open(source)?;
        let needed = needed(&store);
        if needed > memory {
            return Err(EarlierError::Memory(needed));
        }
        let graph = store.graph().ok_or(EarlierError::NoGraph)??;
        let span_cache = store.span_cache().and_then(Result::ok);
        Ok(EarlierFile { store, graph, span_cache, unsound: BTreeMap::new() })
    }

    /// Checks every tile, on all threads of the current pool. From here on, tiles that are damaged, differ
    /// from the graph, or are larger than `most` bytes are not reused.
    pub fn check_tiles(&mut self, most: u64) {
        let rows = self.store.entries().par_iter();
        self.unsound = rows.filter_map(|row| Some((row.coord(), self.fault(row, most)?))).collect();
    }

    /// The reason why a tile cannot be reused.
    fn fault(&self, row: &DirectoryEntry, most: u64) -> Option<String> {
        if row.blob_length() > most {
            return Some(format!("it takes {} bytes, more than is left for a tile", row.blob_length()));
        }
        match self.store.tile(row.coord())? {
            Err(error) => Some(error.to_string()),
            Ok(tile) => {
                let agrees = self.graph.check_tile(&tile, row.input_hash, row.prune_hash);
                agrees.err().map(|error| error.to_string())
            }
        }
    }

    /// The tile at a coordinate, verified; `None` if the file has no tile there.
    pub fn tile(&self, coord: TileCoord) -> Option<Result<Tile, StoreError>> {
        self.store.tile(coord)
    }

    /// The cached spans of a tile, if that was baked from this level and they are valid.
    pub fn spans(&self, coord: TileCoord, level_hash: [u8; 16]) -> Option<SharedBytes> {
        let entry = self.span_cache.as_ref()?.find(coord).filter(|entry| entry.level_hash == level_hash)?;
        self.store.cached_spans(entry).ok()
    }
}

impl<S: Source> EarlierFile<S> {
    /// Tiles that cannot be reused, with the reason, after [`EarlierFile::check_tiles`].
    pub fn unsound(&self) -> &BTreeMap<TileCoord, String> {
        &self.unsound
    }

    /// Memory of the file from here on, bytes.
    pub fn memory(&self) -> u64 {
        needed(&self.store)
    }

    /// Returns true if it has cached spans.
    pub fn is_dynamic(&self) -> bool {
        self.span_cache.is_some()
    }

    /// The file.
    pub fn store(&self) -> &NavStore<S> {
        &self.store
    }

    /// The island graph.
    pub fn graph(&self) -> &IslandGraph {
        &self.graph
    }

    /// The metadata.
    pub fn meta(&self) -> &Meta {
        self.store.meta()
    }

    /// Coordinates of all tiles, in canonical order.
    pub fn coords(&self) -> Vec<TileCoord> {
        self.store.coords()
    }

    /// Length of a tile's blob, bytes; 0 without a tile.
    pub fn length(&self, coord: TileCoord) -> u64 {
        self.store.find(coord).map_or(0, DirectoryEntry::blob_length)
    }

    /// The node of a tile that was baked from the same input and is valid.
    pub fn same(&self, coord: TileCoord, input_hash: [u8; 16]) -> Option<&TileNode> {
        let node = &self.graph.nodes()[self.graph.find(coord)?];
        (node.input_hash() == input_hash && !self.unsound.contains_key(&coord)).then_some(node)
    }

    /// The hash of the islands dropped from a tile; `None` if the whole tile was dropped.
    pub fn prune_hash(&self, coord: TileCoord) -> Option<[u8; 8]> {
        Some(self.store.find(coord)?.prune_hash)
    }
}

/// Memory for the directory and the graph of a file, bytes.
fn needed<S: Source>(store: &NavStore<S>) -> u64 {
    let kept = store.span_cache_place().map_or(0, |place| place.length);
    let directory = (size_of_val(store.entries()) as u64).saturating_add(kept);
    store.root().graph_length.saturating_mul(BYTES_PER_GRAPH_BYTE).saturating_add(directory)
}
