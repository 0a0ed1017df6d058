//! Reading a file that is in memory: everything except the tiles is checked when it is opened, each tile when
//! it is taken.

use super::catalog::{Catalog, check_stored};
use super::directory::DirectoryEntry;
use super::store::StoreError;
use super::{FileError, refuse};
use crate::bytes::SharedBytes;
use crate::graph::IslandGraph;
use crate::tile::{Tile, TileCoord};
use crate::verify::TileError;
use std::ops::{Deref, Range};
use std::path::Path;

/// A `.navtile` file in memory or in a map; tiles are verified when they are taken. Each tile copies its
/// bytes, or shares them if the file is in [`SharedBytes`]. [`NavStore`](super::NavStore) reads files that
/// are not in memory.
///
/// To take tiles on all cores, have each thread take its part of the rows: [`NavFile::tile_at`].
///
/// ```
/// use navtile::{NavFile, TileCoord};
/// # let square_tile = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/square_tile.rs"));
/// # let meta = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/meta.rs"));
/// # let bytes = navtile::write_file(&meta, &[square_tile(0), square_tile(1)])?;
///
/// let file = NavFile::open(&bytes)?;
/// println!("{} tiles for an agent {} m tall", file.entries().len(), file.meta().agent.height);
/// for tile in file.tiles() {
///     println!("{} polygons", tile?.polygons().len());
/// }
/// assert!(file.tile(TileCoord { x: 7, z: 0, layer: 0 }).is_none());
/// # Ok::<(), navtile::FileError>(())
/// ```
pub struct NavFile<B: AsRef<[u8]>> {
    bytes: B,
    /// The same bytes, if tiles share them.
    shared: Option<SharedBytes>,
    catalog: Catalog,
}

impl NavFile<SharedBytes> {
    /// Like [`NavFile::open`], for a file whose tiles share its bytes instead of copying theirs. Each tile
    /// then keeps all bytes of the file in memory, including other tiles and unused bytes. Suited for
    /// programs that hold most tiles anyway. Tiles that are stored compressed have bytes of their own.
    pub fn open_shared(bytes: SharedBytes) -> Result<NavFile<SharedBytes>, FileError> {
        let shared = Some(bytes.clone());
        NavFile::open_with(bytes, shared)
    }

    /// Reads a whole file into memory, and opens it like [`NavFile::open_shared`].
    pub fn read(path: impl AsRef<Path>) -> Result<NavFile<SharedBytes>, StoreError> {
        let path = path.as_ref();
        let action = || format!("reading {}", path.display());
        let bytes = SharedBytes::read(path).map_err(|source| StoreError::Io { action: action(), source })?;
        Ok(NavFile::open_shared(bytes)?)
    }
}

impl<B: AsRef<[u8]>> Deref for NavFile<B> {
    type Target = Catalog;

    fn deref(&self) -> &Catalog {
        &self.catalog
    }
}

impl<B: AsRef<[u8]>> NavFile<B> {
    /// Reads head, metadata and directory and checks every rule about them. O(tiles log tiles), independent
    /// of the size of the tiles. Bytes after the length that the root records belong to an unfinished append
    /// and are ignored.
    pub fn open(bytes: B) -> Result<NavFile<B>, FileError> {
        NavFile::open_with(bytes, None)
    }

    fn open_with(bytes: B, shared: Option<SharedBytes>) -> Result<NavFile<B>, FileError> {
        let file = bytes.as_ref();
        let keep = |place: Range<u64>| match &shared {
            Some(shared) => shared.part(in_memory(&place)?),
            None => part(file, &place).map(SharedBytes::from),
        };
        let fetch = |what: &'static str, place: Range<u64>| match keep(place.clone()) {
            Some(bytes) => Ok(bytes),
            None => refuse(
                "file-length",
                format_args!("{what} at {place:?}"),
                format_args!("{} bytes", file.len()),
            ),
        };
        let catalog = Catalog::read(file, file.len() as u64, fetch)?;
        Ok(NavFile { catalog, bytes, shared })
    }

    /// The tile at `coord`, verified; `None` if the file has no tile there. Also checks that it is the tile
    /// that the directory describes, and that it is on the file's lattice. The bytes are read again each
    /// time: if another program changes a mapped file, the result is an error, not a wrong tile.
    pub fn tile(&self, coord: TileCoord) -> Option<Result<Tile, FileError>> {
        Some(self.tile_of(self.catalog.find(coord)?))
    }

    /// Like [`NavFile::tile`], for a row of the directory; `None` after its end.
    pub fn tile_at(&self, row: usize) -> Option<Result<Tile, FileError>> {
        Some(self.tile_of(self.entries().get(row)?))
    }

    /// Iterates over all tiles in canonical order, as [`NavFile::tile`] returns them. Each tile is verified
    /// when the iterator reaches it.
    pub fn tiles(
        &self,
    ) -> impl DoubleEndedIterator<Item = Result<Tile, FileError>> + ExactSizeIterator + use<'_, B> {
        self.entries().iter().map(|entry| self.tile_of(entry))
    }

    /// Like [`NavFile::tile`], for a row of [`Catalog::entries`].
    pub fn tile_of(&self, entry: &DirectoryEntry) -> Result<Tile, FileError> {
        let shared = self.shared.as_ref().and_then(|shared| shared.part(in_memory(&entry.range())?));
        self.catalog.tile(entry, self.bytes_at(entry, self.catalog.padded(&entry.range()))?, shared)
    }

    /// The island graph, checked; `None` if the file has no graph, for example because it was not baked here.
    pub fn graph(&self) -> Option<Result<IslandGraph, FileError>> {
        let place = self.catalog.graph_place()?;
        Some(match part(self.bytes.as_ref(), &self.catalog.padded(&place)) {
            Some(bytes) => self.catalog.graph(&place, bytes),
            None => refuse("graph-place", format_args!("bytes at {place:?}"), "a shorter file"),
        })
    }

    /// The hierarchy, checked against its checksum; `None` for a file without a hierarchy.
    pub fn hierarchy(&self) -> Option<Result<&[u8], FileError>> {
        let place = self.catalog.hierarchy_place()?;
        let padded = self.catalog.padded(&place.range());
        Some(match part(self.bytes.as_ref(), &padded) {
            Some(bytes) => self.catalog.hierarchy(place, bytes),
            None => refuse("hierarchy-place", format_args!("bytes at {padded:?}"), "a shorter file"),
        })
    }

    /// The stored bytes of a tile, checked only against the directory's checksum: for copying. They are the
    /// tile's blob or its compressed form, as given by [`DirectoryEntry::flags`].
    pub fn stored(&self, entry: &DirectoryEntry) -> Result<&[u8], FileError> {
        let stored = self.bytes_at(entry, entry.range())?;
        check_stored(entry, stored).map_err(|source| FileError::Tile { coord: entry.coord(), source })?;
        Ok(stored)
    }

    fn bytes_at(&self, entry: &DirectoryEntry, place: Range<u64>) -> Result<&[u8], FileError> {
        part(self.bytes.as_ref(), &place).ok_or_else(|| {
            let (expected, found) = (format!("bytes at {place:?}"), "a shorter file".to_owned());
            let source = TileError { rule: "tile-place", expected, found };
            FileError::Tile { coord: entry.coord(), source }
        })
    }
}

fn part<'a>(file: &'a [u8], place: &Range<u64>) -> Option<&'a [u8]> {
    file.get(in_memory(place)?)
}

fn in_memory(place: &Range<u64>) -> Option<Range<usize>> {
    Some(usize::try_from(place.start).ok()?..usize::try_from(place.end).ok()?)
}
