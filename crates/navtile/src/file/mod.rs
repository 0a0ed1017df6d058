//! The `.navtile` file: a 4 KiB head with two alternating roots, metadata, a directory, tiles, an island
//! graph.
//!
//! A root gives the places of all other parts. Appending writes new tiles, metadata and directory after the
//! old ones, then the other root with a higher sequence number. A reader that opens the file in between sees
//! the old state.
//!
//! - [`FileWriter`], [`write_file`]: a fresh file, in canonical bytes.
//! - [`NavFile`]: a file in memory.
//! - [`NavStore`]: a file in any storage, read tile by tile; [`Edit`] changes it, [`NavStore::compact`] makes
//!   it canonical again.
//! - [`Source`], [`Storage`]: the interface of a store to the place that holds its bytes.

mod catalog;
mod compact;
mod directory;
mod edit;
mod encoding;
mod head;
mod hierarchy_place;
#[cfg(feature = "lz4")]
mod lz4;
mod packing;
mod read;
mod span_cache;
mod span_cache_place;
mod storage;
mod store;
mod write;

use crate::graph::GraphError;
use crate::tile::TileCoord;
use crate::verify::TileError;
use std::error::Error;
use std::fmt::{self, Display};

pub use catalog::Catalog;
pub use directory::{DirectoryEntry, FLAG_LZ4, LARGEST_RATIO};
pub use edit::{Committed, Edit};
pub use encoding::{decode as decode_meta, encode as encode_meta};
pub use head::{FILE_MAGIC, FILE_VERSION, HEAD_LENGTH, ROOT_OFFSETS, Root};
pub use hierarchy_place::{FLAG_HIERARCHY, HierarchyPlace};
pub use packing::Packing;
pub use read::NavFile;
pub use span_cache::{SPAN_CACHE_VERSION, SpanCacheEntry, SpanCacheIndex};
pub use span_cache_place::{FLAG_SPAN_CACHE, SpanCachePlace};
pub use storage::{Seekable, Source, Storage};
pub use store::{FIRST_READ, NavStore, StoreError};
pub use write::{FileWriter, TileRecord, WriteFileError, write_file, write_records};

/// A file that cannot be read or written.
#[derive(Clone, Debug, PartialEq)]
pub enum FileError {
    /// The file is not what it should be.
    Format {
        /// The rule, by the name it has in docs/format.md.
        rule: &'static str,
        /// The property that the rule asks for.
        expected: String,
        /// The value found in the bytes.
        found: String,
    },
    /// The island graph is not valid, or does not describe the file's tiles.
    Graph(GraphError),
    /// One of its tiles is not valid.
    Tile {
        /// Its coordinate.
        coord: TileCoord,
        /// Its fault.
        source: TileError,
    },
}

impl Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Format { rule, expected, found } => {
                write!(f, "not a valid .navtile file: {rule}: expected {expected}, found {found}")
            }
            FileError::Graph(error) => error.fmt(f),
            FileError::Tile { coord, source } => {
                write!(f, "tile ({}, {}, {}): {source}", coord.x, coord.z, coord.layer)
            }
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            FileError::Tile { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<GraphError> for FileError {
    fn from(error: GraphError) -> FileError {
        FileError::Graph(error)
    }
}

/// The names of all rules of a file, in the order they are checked. The rules of its tiles are
/// [`crate::verify::RULES`], those of its island graph [`crate::graph::GRAPH_RULES`]. docs/format.md
/// describes each rule.
pub const FILE_RULES: [&str; 31] = [
    "file-length",
    "file-magic",
    "file-version",
    "head-length",
    "head-reserved",
    "root",
    "root-flags",
    "meta-place",
    "meta-checksum",
    "meta-encoding",
    "meta-number",
    "meta-partition",
    "meta-outlines",
    "meta-areas",
    "directory-place",
    "directory-checksum",
    "directory-flags",
    "tile-place",
    "tile-raw-length",
    "directory-order",
    "graph-place",
    "hierarchy-place",
    "file-overlap",
    "file-padding",
    "graph-checksum",
    "hierarchy-checksum",
    "tile-checksum",
    "tile-lz4",
    "tile-coord",
    "tile-lattice",
    "tile-agent",
];

/// The names of all rules about cached spans and their place; recast has the rules of a tile's spans.
pub const SPAN_CACHE_RULES: [&str; 4] =
    ["span-cache-place", "span-cache-checksum", "span-cache-index", "span-cache-order"];

/// Refuses a file.
#[cold]
pub(crate) fn refuse<T>(
    rule: &'static str,
    expected: impl Display,
    found: impl Display,
) -> Result<T, FileError> {
    Err(FileError::Format { rule, expected: expected.to_string(), found: found.to_string() })
}
