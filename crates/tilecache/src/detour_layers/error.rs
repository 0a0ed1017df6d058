//! Errors of an import of layers, and reports of data that it could not keep.

use navinterop::FormatError;
use navtile::TileCoord;
use std::fmt;
use thiserror::Error;

/// Layers that cannot be imported.
#[derive(Debug, Error)]
pub enum LayerImportError {
    /// There are no layers.
    #[error("there are no layers to import: give a tile cache that holds ground")]
    Nothing,
    /// A parameter of the cache is out of range.
    #[error(
        "{what} of the cache: expected {expected}, found {found}: write the cache again with its own tools"
    )]
    Parameter {
        /// Name of the parameter.
        what: &'static str,
        /// The allowed values.
        expected: String,
        /// The value it has.
        found: String,
    },
    /// A layer is not in its place.
    #[error("layer ({}, {}, {}): {what}: expected {expected}, found {found}: {remedy}", coord.x, coord.z, coord.layer)]
    Layer {
        /// Coordinate of the layer.
        coord: TileCoord,
        /// The property that is wrong.
        what: &'static str,
        /// The allowed values.
        expected: String,
        /// The value it has.
        found: String,
        /// Advice for the user.
        remedy: &'static str,
    },
    /// A layer cannot be unpacked. This does not happen to layers that were read from bytes.
    #[error("layer ({}, {}, {}): {source}", coord.x, coord.z, coord.layer)]
    Unpack {
        /// Coordinate of the layer.
        coord: TileCoord,
        /// The reason.
        source: FormatError,
    },
    /// The cache's parameters are not valid settings of a bake.
    #[error("the parameters of the cache are not valid settings of a bake: {0}")]
    Settings(#[source] recast::Error),
    /// A tile cannot be baked.
    #[error("tile ({}, {}): {source}", coord.x, coord.z)]
    Bake {
        /// Coordinate of the tile.
        coord: TileCoord,
        /// The reason.
        source: recast::Error,
    },
}

/// Something that could not be kept.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerDiagnostic {
    /// The tile.
    pub coord: TileCoord,
    /// World position, metres, if it is in one place.
    pub at: Option<[f64; 3]>,
    /// One sentence for a person.
    pub what: String,
}

impl fmt::Display for LayerDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tile ({}, {}): {}", self.coord.x, self.coord.z, self.what)?;
        match self.at {
            Some([x, y, z]) => write!(f, ", at {x:.2}, {y:.2}, {z:.2}"),
            None => Ok(()),
        }
    }
}
