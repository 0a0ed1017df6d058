//! Stores of baked tiles: the sources of their file.

use navtile::{SharedBytes, Tile, TileCoord};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// A baked tile as a store has it.
#[derive(Clone, Debug)]
pub enum FoundTile {
    /// Baked now: nothing was dropped from it yet, and it has no generated links.
    Whole(Tile),
    /// Taken from an earlier file, without dropped islands and with its links.
    Pruned(Tile),
}

/// Access to the baked tiles of an agent: in memory, in a file that grows, in an earlier file, in the parts
/// of other machines.
pub trait TileStore: Sync {
    /// Why a tile cannot be read.
    type Error: Send;

    /// The tile at a coordinate; `None` if it is not in the store.
    ///
    /// # Errors
    /// A tile that cannot be read.
    fn tile(&self, coord: TileCoord) -> Result<Option<FoundTile>, Self::Error>;

    /// Length of its blob, bytes; 0 if it is not known. Limits the number of tiles that are held at a time.
    fn length(&self, coord: TileCoord) -> u64;

    /// The cached spans of a tile, packed; `None` if the store lacks them, or has spans of another level.
    ///
    /// # Errors
    /// Spans that cannot be read.
    fn spans(&self, coord: TileCoord, level_hash: [u8; 16]) -> Result<Option<SharedBytes>, Self::Error>;
}

/// A baked tile in memory.
#[derive(Clone, Debug)]
pub struct MemoryTile {
    /// The tile, before anything was dropped from it.
    pub tile: Tile,
    /// Its cached spans, packed; empty without.
    pub spans: SharedBytes,
}

/// Baked tiles in memory.
pub type MemoryStore = BTreeMap<TileCoord, MemoryTile>;

impl TileStore for MemoryStore {
    type Error = Infallible;

    fn tile(&self, coord: TileCoord) -> Result<Option<FoundTile>, Infallible> {
        Ok(self.get(&coord).map(|own| FoundTile::Whole(own.tile.clone())))
    }

    fn length(&self, coord: TileCoord) -> u64 {
        self.get(&coord).map_or(0, |own| own.tile.bytes().len() as u64)
    }

    fn spans(&self, coord: TileCoord, _: [u8; 16]) -> Result<Option<SharedBytes>, Infallible> {
        Ok(self.get(&coord).map(|own| own.spans.clone()))
    }
}
