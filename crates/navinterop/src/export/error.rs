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
        /// Its coordinate.
        coord: TileCoord,
        /// World position, metres.
        at: [f64; 3],
        /// The limit.
        source: LimitError,
    },
    /// Tiles that do not form a regular grid.
    #[error("tile ({}, {}, {}): {what}: expected {expected}, found {found}: {remedy}", coord.x, coord.z, coord.layer)]
    Grid {
        /// Its coordinate.
        coord: TileCoord,
        /// The property that is wrong.
        what: &'static str,
        /// The values that are allowed.
        expected: String,
        /// The value found.
        found: String,
        /// The remedy, for the user.
        remedy: &'static str,
    },
    /// The whole set does not fit into references.
    #[error(transparent)]
    Set(LimitError),
}
