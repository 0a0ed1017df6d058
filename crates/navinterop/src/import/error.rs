//! Errors of an import.

use crate::detour::DetourTile;
use navtile::{TileCoord, TileError, WriteError};
use thiserror::Error;

/// Tiles that cannot be imported.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ImportError {
    /// There are no tiles.
    #[error("there are no tiles to import: give a tile set, or at least one tile")]
    Nothing,
    /// Tiles and parameters that do not belong together, or determine no lattice.
    #[error("tile ({}, {}, {}): {what}: expected {expected}, found {found}: {remedy}", coord.x, coord.z, coord.layer)]
    Tile {
        /// Its coordinate.
        coord: TileCoord,
        /// The property that is wrong.
        what: String,
        /// The values that are allowed.
        expected: String,
        /// The value found.
        found: String,
        /// The remedy, for the user.
        remedy: &'static str,
    },
    /// A tile that cannot be written.
    #[error("tile ({}, {}, {}): {source}", coord.x, coord.z, coord.layer)]
    Write {
        /// Its coordinate.
        coord: TileCoord,
        /// The reason.
        source: WriteError,
    },
    /// A tile that the writer produced but the reader refuses.
    #[error("tile ({}, {}, {}): {source}", coord.x, coord.z, coord.layer)]
    Unsound {
        /// Its coordinate.
        coord: TileCoord,
        /// The reason.
        source: TileError,
    },
    /// Layers of a tile cache, which are not tiles yet.
    #[error(
        "the layers of a tile cache are ground, not tiles: build tiles from them first, without \
         other files, as `navtile import` does"
    )]
    Layers,
    /// More than one file has parameters of the tile grid.
    #[error("the parameters for tiles are given more than once: import one tile set or one map at a time")]
    Parameters,
}

/// The coordinates of a tile. Rows run along z.
pub(super) fn coord(tile: &DetourTile) -> TileCoord {
    TileCoord { x: tile.x, z: tile.y, layer: tile.layer }
}

/// Refuses a tile.
pub(super) fn refuse<T>(
    tile: &DetourTile,
    what: impl Into<String>,
    expected: impl Into<String>,
    found: impl Into<String>,
    remedy: &'static str,
) -> Result<T, ImportError> {
    let (what, expected, found) = (what.into(), expected.into(), found.into());
    Err(ImportError::Tile { coord: coord(tile), what, expected, found, remedy })
}
