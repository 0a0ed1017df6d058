//! The `.navtile` file: a 4 KiB head with two alternating roots, metadata, a directory, tiles, an island graph.
//!
//! A root says where everything is. Appending writes new tiles, metadata and directory behind the old ones,
//! then the other root with a higher sequence number: whoever opens the file in between sees the old state.

mod directory;
mod encoding;
mod head;
mod read;
mod write;

use crate::tile::TileCoord;
use crate::verify::TileError;
use thiserror::Error;

pub use directory::DirectoryEntry;
pub use head::{FILE_MAGIC, FILE_VERSION, HEAD_LENGTH, ROOT_OFFSETS, Root};
pub use read::NavFile;
pub use write::{FileWriter, TileRecord, WriteFileError, write_file, write_records};

/// A file that cannot be read, or written.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FileError {
    /// The file is not what it should be.
    #[error("not a valid .navtile file: {rule}: expected {expected}, found {found}")]
    Format {
        /// The rule, by the name it has in docs/format.md.
        rule: &'static str,
        /// What the rule asks for.
        expected: String,
        /// What the bytes say.
        found: String,
    },
    /// One of its tiles is not valid.
    #[error("tile ({}, {}, {}): {source}", coord.x, coord.z, coord.layer)]
    Tile {
        /// Which.
        coord: TileCoord,
        /// Why.
        source: TileError,
    },
}

/// The names of all rules of a file, in the order they are checked in; those of its tiles are
/// [`crate::verify::RULES`]. docs/format.md says what each asks for.
pub const FILE_RULES: [&str; 30] = [
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
    "meta-areas",
    "directory-place",
    "directory-checksum",
    "directory-flags",
    "tile-place",
    "directory-order",
    "graph-place",
    "file-overlap",
    "graph-checksum",
    "graph-length",
    "graph-counts",
    "graph-order",
    "graph-portal",
    "graph-anchor",
    "tile-checksum",
    "tile-coord",
    "tile-lattice",
    "tile-agent",
];

/// Refuses a file.
pub(crate) fn refuse<T>(
    rule: &'static str,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Result<T, FileError> {
    Err(FileError::Format { rule, expected: expected.into(), found: found.into() })
}
