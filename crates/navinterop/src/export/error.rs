//! Errors of an export.

use navmath::LimitError;
use navtile::TileCoord;
use thiserror::Error;

/// Tiles that do not fit Detour's format.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ExportError {
    /// There are no polygons.
    #[error("there are no polygons to export: bake the level first")]
    Nothing,
    /// A number does not fit.
    #[error("tile ({}, {}, {}), at {:.2}, {:.2}, {:.2}: {source}", coord.x, coord.z, coord.layer, at[0], at[1], at[2])]
    Limit {
        /// Which tile.
        coord: TileCoord,
        /// World position, metres.
        at: [f64; 3],
        /// The limit.
        source: LimitError,
    },
    /// Tiles that make no regular grid.
    #[error("tile ({}, {}, {}): {what}: expected {expected}, found {found}: {remedy}", coord.x, coord.z, coord.layer)]
    Grid {
        /// Which tile.
        coord: TileCoord,
        /// The property that is wrong.
        what: &'static str,
        /// The values it may have.
        expected: String,
        /// The value it has.
        found: String,
        /// How the user can mend it.
        remedy: &'static str,
    },
    /// The whole set does not fit references.
    #[error(transparent)]
    Set(LimitError),
}
