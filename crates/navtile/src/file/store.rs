//! A file that is not in memory: opened with a read or two, then one read per tile.

use super::catalog::{Catalog, check_stored, unpadded};
use super::directory::{self, DirectoryEntry};
use super::packing::Packing;
use super::span_cache::{SpanCacheEntry, SpanCacheIndex};
use super::storage::Source;
use super::write::WriteFileError;
use super::{FileError, refuse};
use crate::bytes::SharedBytes;
use crate::graph::IslandGraph;
use crate::tile::{Tile, TileCoord};
use std::error::Error;
use std::fmt;
use std::io;
use std::ops::{Deref, Range};

/// Number of bytes of the first read. In a fresh file of up to about 900 tiles, head, metadata and directory
/// are all among them.
pub const FIRST_READ: u64 = 64 * 1024;

/// A store that could not be read or changed.
#[derive(Debug)]
pub enum StoreError {
    /// The file, or an edit of it, breaks a rule.
    File(FileError),
    /// The source or storage failed.
    Io {
        /// The action that failed.
        action: String,
        /// The cause.
        source: io::Error,
    },
    /// Another program committed since the store was opened. Nothing was written.
    Changed {
        /// The sequence number of the root when the store was opened.
        known: u64,
        /// The sequence number now.
        found: u64,
    },
    /// A commit failed while it was being written, so its outcome is unknown.
    Unsettled,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::File(error) => error.fmt(f),
            StoreError::Io { action, source } => write!(f, "{action}: {source}"),
            StoreError::Changed { known, found } => write!(
                f,
                "another program changed the file, from commit {known} to {found}: open it again and \
                 repeat the edit"
            ),
            StoreError::Unsettled => f.write_str(
                "an earlier commit failed before it was complete: open the file again; it is in its state \
                 before or after that commit",
            ),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            StoreError::File(error) => error.source(),
            StoreError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<FileError> for StoreError {
    fn from(error: FileError) -> StoreError {
        StoreError::File(error)
    }
}

impl StoreError {
    pub(super) fn io(action: impl Into<String>) -> impl FnOnce(io::Error) -> StoreError {
        let action = action.into();
        |source| StoreError::Io { action, source }
    }
}

impl From<WriteFileError> for StoreError {
    fn from(error: WriteFileError) -> StoreError {
        match error {
            WriteFileError::File(error) => StoreError::File(error),
            WriteFileError::Io(error) => StoreError::io("writing the new file")(error),
        }
    }
}

/// A `.navtile` file in a [`Source`]. Opening it reads the head, the metadata and the directory, and checks
/// every rule about them. Taking a tile takes one read and verifies the tile. Memory: 64 bytes per tile.
///
/// In a [`Storage`](super::Storage) it can be changed: [`NavStore::commit`].
pub struct NavStore<S> {
    pub(super) source: S,
    pub(super) catalog: Catalog,
    pub(super) packing: Packing,
    /// False from the first write of a commit until its end.
    pub(super) settled: bool,
}

impl<S> Deref for NavStore<S> {
    type Target = Catalog;

    fn deref(&self) -> &Catalog {
        &self.catalog
    }
}

impl<S: Source> NavStore<S> {
    /// Opens a file: one read of [`FIRST_READ`] bytes, and one read each for the parts of metadata and
    /// directory after them. Takes no more memory than the file has bytes.
    pub fn open(source: S) -> Result<NavStore<S>, StoreError> {
        let length = source.length().map_err(StoreError::io("asking how long the file is"))?;
        let mut start = vec![0; length.min(FIRST_READ) as usize];
        source.read_at(0, &mut start).map_err(StoreError::io("reading the start of the file"))?;
        let catalog = Catalog::read(&start, length, |what, place| rest(&source, &start, what, place))?;
        Ok(NavStore { source, catalog, packing: Packing::Raw, settled: true })
    }

    /// The tile at `coord`, verified, with one read; `None` if the file has no tile there. It is checked as
    /// by [`NavFile::tile`](super::NavFile::tile).
    pub fn tile(&self, coord: TileCoord) -> Option<Result<Tile, StoreError>> {
        self.find(coord).map(|entry| self.take(entry))
    }

    pub(super) fn take(&self, entry: &DirectoryEntry) -> Result<Tile, StoreError> {
        let place = self.catalog.padded(&entry.range());
        let stored = self.read(&format!("tile {:?}", entry.coord()), place)?;
        Ok(self.catalog.tile(entry, &stored, stored.part(0..entry.length as usize))?)
    }

    /// The stored bytes of the tile at `coord`, checked only against the directory's checksum: for copying.
    /// `None` if the file has no tile there.
    pub fn stored(&self, coord: TileCoord) -> Option<Result<Vec<u8>, StoreError>> {
        let entry = self.find(coord)?;
        let stored = self.read(&format!("tile {coord:?}"), entry.range());
        Some(stored.and_then(|stored| {
            check_stored(entry, &stored).map_err(|source| FileError::Tile { coord, source })?;
            Ok(stored.to_vec())
        }))
    }

    /// The island graph, checked; `None` if the file has no graph.
    pub fn graph(&self) -> Option<Result<IslandGraph, StoreError>> {
        let place = self.catalog.graph_place()?;
        let bytes = self.read("the island graph", self.catalog.padded(&place));
        Some(bytes.and_then(|bytes| Ok(self.catalog.graph(&place, &bytes)?)))
    }

    /// The index of cached spans, checked; `None` if the file has no cached spans.
    pub fn span_cache(&self) -> Option<Result<SpanCacheIndex, StoreError>> {
        let span_cache = self.catalog.span_cache_place()?;
        let read = || {
            let place = directory::span_cache_place(&self.catalog.root, span_cache)?;
            let bytes = self.read("the index of cached spans", self.catalog.padded(&place))?;
            Ok(self.catalog.span_cache_index(span_cache, unpadded(&bytes, &place)?)?)
        };
        Some(read())
    }

    /// The hierarchy, checked against its checksum; `None` for a file without a hierarchy.
    pub fn hierarchy(&self) -> Option<Result<SharedBytes, StoreError>> {
        let place = self.catalog.hierarchy_place()?;
        let read = || {
            let padded = self.read("the hierarchy", self.catalog.padded(&place.range()))?;
            let length = self.catalog.hierarchy(place, &padded)?.len();
            Ok(padded.part(0..length).unwrap_or(padded))
        };
        Some(read())
    }

    /// The cached spans of a tile, checked against the index's checksum.
    pub fn cached_spans(&self, entry: &SpanCacheEntry) -> Result<SharedBytes, StoreError> {
        let place = entry.range();
        let padded = self.read(&format!("cached spans {:?}", entry.coord()), self.catalog.padded(&place))?;
        let length = unpadded(&padded, &place)?.len();
        let bytes = padded.part(0..length).unwrap_or(padded);
        entry.check(&bytes)?;
        Ok(bytes)
    }

    /// Unused bytes of the file: those of replaced tiles, directories and other parts. [`NavStore::compact`]
    /// leaves them out.
    pub fn unused_bytes(&self) -> u64 {
        self.catalog.unused_bytes()
    }

    /// The source of the bytes.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The source of the bytes, mutable. After changing the bytes themselves, open the file again.
    pub fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    /// Returns the source of the bytes.
    pub fn into_inner(self) -> S {
        self.source
    }

    fn read(&self, what: &str, place: Range<u64>) -> Result<SharedBytes, StoreError> {
        rest(&self.source, &[], what, place)
    }
}

/// The bytes at a place within the file; `start` holds the bytes that are already read.
fn rest(
    source: &impl Source,
    start: &[u8],
    what: &str,
    place: Range<u64>,
) -> Result<SharedBytes, StoreError> {
    let Ok(length) = usize::try_from(place.end - place.start) else {
        let found = format_args!("{} bytes of {what}", place.end - place.start);
        return Ok(refuse("file-length", "parts that fit in memory", found)?);
    };
    let from = usize::try_from(place.start).unwrap_or(usize::MAX);
    let known = start.get(from..).unwrap_or_default();
    if let Some(known) = known.get(..length) {
        return Ok(SharedBytes::from(known));
    }
    let offset = place.start + known.len() as u64;
    let mut result = Ok(());
    let bytes = SharedBytes::filled(length, |bytes| {
        let (start, rest) = bytes.split_at_mut(known.len());
        start.copy_from_slice(known);
        result = source.read_at(offset, rest);
    });
    result.map_err(StoreError::io(format!("reading {what}")))?;
    Ok(bytes)
}
