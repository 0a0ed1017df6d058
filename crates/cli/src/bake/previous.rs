//! The previous bake: tiles that may be reused, and the island graph, which describes them before anything
//! was removed. Nothing in it is trusted: a tile is reused if it keeps every rule of a tile and matches the
//! graph. Tiles are read when they are needed, so that the file may be larger than the memory bound.

use crate::files;
use crate::inspect::{coord as xyz, fields, stated, tile_name};
use crate::memory::readable;
use navdraw::number::counted;
use navtile::file::{DirectoryEntry, KeptIndex, Seekable};
use navtile::graph::TileNode;
use navtile::{IslandGraph, Meta, NavStore, SharedBytes, Tile, TileCoord};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

/// Bytes of memory for each byte of an island graph, while it is read and joined.
const BYTES_PER_GRAPH_BYTE: u64 = 4;

/// A file that a bake wrote, with its graph.
pub(super) struct PreviousBake {
    store: NavStore<Seekable<File>>,
    pub(super) graph: IslandGraph,
    /// Index of the spans that it keeps, if it keeps any that can be read.
    kept: Option<KeptIndex>,
    /// Tiles in the directory that cannot be reused, with the reason.
    unsound: BTreeMap<TileCoord, String>,
}

impl PreviousBake {
    /// Reads the file except its tiles, with at most `memory` bytes; `Err` is the reason why nothing can be
    /// reused.
    pub(super) fn read(path: &Path, memory: u64) -> Result<PreviousBake, String> {
        let name = path.display();
        let (file, _) =
            files::open_replaceable(path).map_err(|error| files::unreadable(path, &error).to_string())?;
        let store = NavStore::open(Seekable::new(file)).map_err(|error| format!("{name}: {error}"))?;
        let needed = needed(&store);
        if needed > memory {
            return Err(format!(
                "{name}: its directory and island graph take {}, and `memory_bound` leaves {}",
                readable(needed),
                readable(memory)
            ));
        }
        match store.graph() {
            None => Err(format!("{name}: has no island graph, because it was not baked from a level")),
            Some(Err(error)) => Err(format!("{name}: {error}")),
            Some(Ok(graph)) => {
                let kept = store.kept().and_then(Result::ok);
                Ok(PreviousBake { store, graph, kept, unsound: BTreeMap::new() })
            }
        }
    }

    /// Memory of the file from here on, bytes.
    pub(super) fn memory(&self) -> u64 {
        needed(&self.store)
    }

    /// Checks every tile, on all cores. From here on, tiles that are damaged, differ from the graph, or are
    /// larger than `most` bytes are not reused.
    pub(super) fn check_tiles(&mut self, most: u64) {
        let rows = self.store.entries().par_iter();
        self.unsound = rows.filter_map(|row| Some((row.coord(), self.fault(row, most)?))).collect();
    }

    /// The reason why a tile cannot be reused.
    fn fault(&self, row: &DirectoryEntry, most: u64) -> Option<String> {
        if row.blob_length() > most {
            return Some(format!("it takes {}, more than is left for a tile", readable(row.blob_length())));
        }
        match self.store.tile(row.coord())? {
            Err(error) => Some(error.to_string()),
            Ok(tile) => {
                let agrees = self.graph.check_tile(&tile, row.input_hash, row.prune_hash);
                agrees.err().map(|error| error.to_string())
            }
        }
    }

    /// A sentence about the tiles that cannot be reused; `None` if all can.
    pub(super) fn damage(&self) -> Option<String> {
        /// With more tiles than this, only their number is given.
        const LISTED: usize = 3;
        let mut faults = self.unsound.iter().map(|(coord, why)| format!("{}: {why}", tile_name(xyz(*coord))));
        let mut text =
            format!("{} damaged or different from the island graph: ", counted(self.unsound.len(), "tile"));
        text.push_str(&faults.by_ref().take(LISTED).collect::<Vec<_>>().join("; "));
        match faults.count() {
            0 => {}
            more => text.push_str(&format!("; and {more} more")),
        }
        (!self.unsound.is_empty()).then_some(text)
    }

    /// Returns true if it keeps the spans of a tile that was baked from this level.
    pub(super) fn has_spans(&self, coord: TileCoord, level_hash: [u8; 16]) -> bool {
        self.spans(coord, level_hash).is_some()
    }

    /// The kept spans of a tile, if that was baked from this level and they are valid.
    pub(super) fn spans(&self, coord: TileCoord, level_hash: [u8; 16]) -> Option<SharedBytes> {
        let entry = self.kept.as_ref()?.find(coord).filter(|entry| entry.level_hash == level_hash)?;
        self.store.kept_spans(entry).ok()
    }

    /// Returns true if it keeps spans.
    pub(super) fn is_dynamic(&self) -> bool {
        self.kept.is_some()
    }

    /// The metadata.
    pub(super) fn meta(&self) -> &Meta {
        self.store.meta()
    }

    /// Coordinates of all tiles, in canonical order.
    pub(super) fn coords(&self) -> Vec<TileCoord> {
        self.store.coords()
    }

    /// The tile at a coordinate, verified; `None` if the file has no tile there.
    pub(super) fn tile(&self, coord: TileCoord) -> Option<Result<Tile, String>> {
        Some(self.store.tile(coord)?.map_err(|error| error.to_string()))
    }

    /// Length of a tile's blob, bytes; 0 without a tile.
    pub(super) fn length(&self, coord: TileCoord) -> u64 {
        self.store.find(coord).map_or(0, DirectoryEntry::blob_length)
    }

    /// The node of a tile that was baked from the same input and is valid.
    pub(super) fn same(&self, coord: TileCoord, input_hash: [u8; 16]) -> Option<&TileNode> {
        let node = &self.graph.nodes()[self.graph.find(coord)?];
        (node.input_hash() == input_hash && !self.unsound.contains_key(&coord)).then_some(node)
    }

    /// The hash of the islands dropped from a tile; `None` if the whole tile was dropped.
    pub(super) fn prune_hash(&self, coord: TileCoord) -> Option<[u8; 8]> {
        Some(self.store.find(coord)?.prune_hash)
    }

    /// The reason why no tile can be reused, if one reason explains it.
    pub(super) fn reason(&self, meta: &Meta) -> Option<String> {
        let previous = self.meta();
        if previous.cell != meta.cell || previous.tile_cells != meta.tile_cells {
            return Some("the size of cells or tiles differs".to_owned());
        }
        if previous.origin != meta.origin {
            return Some(format!(
                "the corner of the level moved from {:?} to {:?}; give `bounds` to keep it where it is",
                previous.origin, meta.origin
            ));
        }
        // Volumes and off-mesh connections are part of the tiles that they reach, and reachability is decided
        // again.
        let (before, now): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (stated(previous).collect(), stated(meta).collect());
        let names: BTreeSet<&str> = before.keys().chain(now.keys()).copied().collect();
        let differing: Vec<&str> =
            names.into_iter().filter(|name| before.get(name) != now.get(name)).collect();
        let verb = if differing.len() == 1 { "differs" } else { "differ" };
        (!differing.is_empty()).then(|| format!("{} {verb}", differing.join(", ")))
    }

    /// The parts of the metadata that differ, by name.
    pub(super) fn differing_metadata(&self, meta: &Meta) -> Vec<String> {
        let (before, now): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (fields(self.meta()).into_iter().collect(), fields(meta).into_iter().collect());
        let names: BTreeSet<String> = before.keys().chain(now.keys()).cloned().collect();
        names.into_iter().filter(|name| before.get(name) != now.get(name)).collect()
    }
}

/// Memory for the directory and the graph of a file, bytes.
fn needed(store: &NavStore<Seekable<File>>) -> u64 {
    let kept = store.kept_place().map_or(0, |place| place.length);
    let directory = (size_of_val(store.entries()) as u64).saturating_add(kept);
    store.root().graph_length.saturating_mul(BYTES_PER_GRAPH_BYTE).saturating_add(directory)
}
