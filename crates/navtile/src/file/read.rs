//! Reading: everything but the tiles is checked when the file is opened, each tile when it is taken.

use super::directory::{self, DirectoryEntry};
use super::{FileError, Root, encoding, head, refuse};
use crate::graph::IslandGraph;
use crate::meta::Meta;
use crate::tile::{Tile, TileCoord};
use crate::verify::TileError;

/// A `.navtile` file in memory or in a map; tiles are verified when they are taken.
pub struct NavFile<B: AsRef<[u8]>> {
    bytes: B,
    root: Root,
    meta: Meta,
    entries: Vec<DirectoryEntry>,
}

impl<B: AsRef<[u8]>> NavFile<B> {
    /// Reads head, metadata and directory and checks every rule about them. O(tiles log tiles), whatever the
    /// size of the tiles. Bytes behind what the root knows are an unfinished append and are left alone.
    pub fn open(bytes: B) -> Result<NavFile<B>, FileError> {
        let file = bytes.as_ref();
        let root = head::read(file)?;
        let place = directory::range(&root, "meta-place", root.meta_offset, root.meta_length)?;
        let meta = &file[place];
        let sum = crc32fast::hash(meta);
        if sum != root.meta_checksum {
            let found = format!("{:08x}", root.meta_checksum);
            return refuse("meta-checksum", format!("{sum:08x}, the sum of the bytes"), found);
        }
        let meta = encoding::decode(meta)?;
        let entries = directory::read(file, &root)?;
        Ok(NavFile { root, meta, entries, bytes })
    }

    /// The metadata.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The root that counts.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// Rows of the directory, in canonical order.
    pub fn entries(&self) -> &[DirectoryEntry] {
        &self.entries
    }

    /// Coordinates of all tiles, in canonical order.
    pub fn coords(&self) -> Vec<TileCoord> {
        self.entries.iter().map(DirectoryEntry::coord).collect()
    }

    /// The tile at `coord`, verified; `None` if the file has none there. It is also checked to be the tile
    /// that the directory promises, and to stand on the file's lattice. The bytes are read anew each time: a
    /// map that somebody else changes gives an error, not a wrong tile.
    pub fn tile(&self, coord: TileCoord) -> Option<Result<Tile, FileError>> {
        let index = self.entries.binary_search_by_key(&coord, DirectoryEntry::coord).ok()?;
        Some(self.take(&self.entries[index]).map_err(|source| FileError::Tile { coord, source }))
    }

    /// The island graph, checked; `None` if the file has none, as one that was not baked here.
    pub fn graph(&self) -> Option<Result<IslandGraph, FileError>> {
        let place = directory::graph_place(&self.root).ok().flatten()?;
        let Some(bytes) = self.bytes.as_ref().get(place.clone()) else {
            return Some(refuse("graph-place", format!("bytes at {place:?}"), "a shorter file"));
        };
        let sum = crc32fast::hash(bytes);
        if sum != self.root.graph_checksum {
            let found = format!("{:08x}", self.root.graph_checksum);
            return Some(refuse("graph-checksum", format!("{sum:08x}, the sum of the bytes"), found));
        }
        Some(IslandGraph::decode(bytes))
    }

    /// The stored bytes of a tile as they are, checked against the directory's checksum only: for copying.
    pub fn stored(&self, entry: &DirectoryEntry) -> Result<&[u8], FileError> {
        let coord = entry.coord();
        self.checked(entry).map_err(|source| FileError::Tile { coord, source })
    }

    fn take(&self, entry: &DirectoryEntry) -> Result<Tile, TileError> {
        let tile = Tile::from_bytes(self.checked(entry)?)?;
        if tile.coord() != entry.coord() {
            let (expected, found) = (format!("{:?}", entry.coord()), format!("{:?}", tile.coord()));
            return Err(TileError { rule: "tile-coord", expected, found });
        }
        fits(&self.meta, &tile)?;
        Ok(tile)
    }

    fn checked(&self, entry: &DirectoryEntry) -> Result<&[u8], TileError> {
        let wrong = |rule: &'static str, expected: String, found: String| TileError { rule, expected, found };
        let Some(bytes) = self.bytes.as_ref().get(entry.range()) else {
            return Err(wrong(
                "tile-place",
                format!("bytes at {:?}", entry.range()),
                "a shorter file".into(),
            ));
        };
        let sum = crc32fast::hash(bytes);
        if sum != entry.checksum {
            let expected = format!("{sum:08x}, the sum of the bytes");
            return Err(wrong("tile-checksum", expected, format!("{:08x} in the directory", entry.checksum)));
        }
        Ok(bytes)
    }
}

/// Whether a tile stands on the file's lattice and is for the file's agent.
pub(super) fn fits(meta: &Meta, tile: &Tile) -> Result<(), TileError> {
    let header = tile.header();
    let lattice = (header.origin, [header.cell_size, header.cell_height]);
    if lattice != (meta.origin, meta.cell) {
        let expected = format!("origin {:?} and cell {:?}, as the file says", meta.origin, meta.cell);
        let found = format!("{:?} and {:?}", lattice.0, lattice.1);
        return Err(TileError { rule: "tile-lattice", expected, found });
    }
    let agent = [meta.agent.radius, meta.agent.height, meta.agent.climb, meta.agent.slope];
    let rounded = agent.map(|value| value as f32);
    if header.agent != rounded {
        let expected = format!("radius, height, climb and slope {rounded:?}, as the file says");
        return Err(TileError { rule: "tile-agent", expected, found: format!("{:?}", header.agent) });
    }
    Ok(())
}
