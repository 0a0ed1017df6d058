//! What is known of an open file: root, metadata and directory, read and checked however the bytes come.

use super::directory::{self, DirectoryEntry, Rows};
use super::packing::unpack;
use super::write::aligned;
use super::{FileError, HEAD_LENGTH, Root, encoding, head, refuse};
use crate::bytes::Part;
use crate::graph::IslandGraph;
use crate::meta::Meta;
use crate::tile::{Tile, TileCoord};
use crate::verify::TileError;
use std::borrow::Cow;
use std::ops::Range;

/// Everything of a file but its tiles and its graph.
pub(super) struct Catalog {
    pub(super) root: Root,
    /// In which of the two places the root stands.
    pub(super) place: usize,
    pub(super) meta: Meta,
    pub(super) entries: Rows,
}

impl Catalog {
    /// Reads head, metadata and directory and checks every rule about them. `start` is how the file of `length`
    /// bytes starts, its head at least; `fetch` gives any other part of it, and is asked for none that the file
    /// does not have. `keep` gives a part that the catalog may keep instead of a copy.
    pub(super) fn read<'a, E: From<FileError>>(
        start: &[u8],
        length: u64,
        mut fetch: impl FnMut(&'static str, Range<u64>) -> Result<Cow<'a, [u8]>, E>,
        keep: impl FnOnce(Range<u64>) -> Option<Part>,
    ) -> Result<Catalog, E> {
        let (root, place) = head::read(start, length)?;
        let meta = fetch("the metadata", directory::meta_place(&root)?)?;
        check_sum("meta-checksum", &meta, root.meta_checksum)?;
        let meta = encoding::decode(&meta)?;
        let directory_place = directory::place(&root)?;
        let directory = fetch("the directory", directory_place.clone())?;
        check_sum("directory-checksum", &directory, root.directory_checksum)?;
        let entries = keep(directory_place).map_or_else(|| Rows::copy(&directory), Rows::Shared);
        directory::check(&root, &entries)?;
        Ok(Catalog { root, place, meta, entries })
    }

    /// The row of the tile at `coord`.
    pub(super) fn find(&self, coord: TileCoord) -> Option<&DirectoryEntry> {
        let key = DirectoryEntry::key(coord);
        let index = self.entries.partition_point(|entry| DirectoryEntry::key(entry.coord()) < key);
        self.entries.get(index).filter(|entry| entry.coord() == coord)
    }

    /// Bytes within the file that nothing uses.
    pub(super) fn unused_bytes(&self) -> u64 {
        let Catalog { root, entries, .. } = self;
        let directory = size_of_val::<[DirectoryEntry]>(entries) as u64;
        let parts = [HEAD_LENGTH as u64, root.meta_length, directory, root.graph_length];
        let tiles = entries.iter().map(|entry| entry.length);
        // Parts lie apart within the file, so their sum does not exceed its length; filled up to 16 it might.
        let used: u64 = parts.into_iter().chain(tiles).map(aligned).sum();
        root.file_length.saturating_sub(used)
    }

    /// Where the graph stands, if there is one; checked when the file was opened.
    pub(super) fn graph_place(&self) -> Option<Range<u64>> {
        directory::graph_place(&self.root).ok().flatten()
    }

    /// The graph from the bytes at its place.
    pub(super) fn graph(&self, bytes: &[u8]) -> Result<IslandGraph, FileError> {
        check_sum("graph-checksum", bytes, self.root.graph_checksum)?;
        IslandGraph::decode(bytes)
    }

    /// The tile of a row from its stored bytes, checked in every way. The bytes are copied.
    pub(super) fn tile(&self, entry: &DirectoryEntry, stored: &[u8]) -> Result<Tile, FileError> {
        self.checked(entry, || match entry.is_lz4() {
            false => raw(entry, Part::from(stored)),
            true => {
                check_stored(entry, stored)?;
                Tile::from_bytes(&unpack(entry, stored)?)
            }
        })
    }

    /// As [`Catalog::tile`], of bytes that the tile may share if they are its blob.
    pub(super) fn tile_of_part(&self, entry: &DirectoryEntry, stored: Part) -> Result<Tile, FileError> {
        match entry.is_lz4() {
            false => self.checked(entry, || raw(entry, stored)),
            true => self.tile(entry, stored.bytes()),
        }
    }

    fn checked(
        &self,
        entry: &DirectoryEntry,
        take: impl FnOnce() -> Result<Tile, TileError>,
    ) -> Result<Tile, FileError> {
        let tile = take().and_then(|tile| self.promised(entry, &tile).map(|()| tile));
        tile.map_err(|source| FileError::Tile { coord: entry.coord(), source })
    }

    /// Whether a tile is the one that the directory and the metadata promise.
    fn promised(&self, entry: &DirectoryEntry, tile: &Tile) -> Result<(), TileError> {
        if tile.coord() != entry.coord() {
            let (expected, found) = (format!("{:?}", entry.coord()), format!("{:?}", tile.coord()));
            return Err(TileError { rule: "tile-coord", expected, found });
        }
        fits(&self.meta, tile)
    }
}

/// The tile of a row whose stored bytes are its blob. They are summed once, for both checksums.
fn raw(entry: &DirectoryEntry, blob: Part) -> Result<Tile, TileError> {
    let sum = check_stored(entry, blob.bytes())?;
    Tile::from_part(blob, sum)
}

/// Whether stored bytes are those that the directory knows. Gives their CRC-32.
pub(super) fn check_stored(entry: &DirectoryEntry, stored: &[u8]) -> Result<u32, TileError> {
    let sum = crc32fast::hash(stored);
    if sum != entry.checksum {
        let expected = format!("{sum:08x}, the sum of the bytes");
        let found = format!("{:08x} in the directory", entry.checksum);
        return Err(TileError { rule: "tile-checksum", expected, found });
    }
    Ok(sum)
}

fn check_sum(rule: &'static str, bytes: &[u8], told: u32) -> Result<(), FileError> {
    let sum = crc32fast::hash(bytes);
    if sum != told {
        return refuse(rule, format!("{sum:08x}, the sum of the bytes"), format!("{told:08x}"));
    }
    Ok(())
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
    let rounded = rounded_agent(meta);
    if header.agent != rounded {
        let expected = format!("radius, height, climb and slope {rounded:?}, as the file says");
        return Err(TileError { rule: "tile-agent", expected, found: format!("{:?}", header.agent) });
    }
    Ok(())
}

/// The agent as tiles have it.
pub(super) fn rounded_agent(meta: &Meta) -> [f32; 4] {
    [meta.agent.radius, meta.agent.height, meta.agent.climb, meta.agent.slope].map(|value| value as f32)
}
