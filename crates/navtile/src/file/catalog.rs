//! The catalog of an open file: root, metadata and directory, read and checked independently of the source of
//! the bytes.

use super::directory::{self, DirectoryEntry};
use super::head::{OptionalPlaces, aligned};
use super::hierarchy_place::HierarchyPlace;
use super::packing::unpack;
use super::{FileError, HEAD_LENGTH, Root, encoding, head, refuse};
use crate::bytes::SharedBytes;
use crate::graph::IslandGraph;
use crate::meta::Meta;
use crate::tile::{Tile, TileCoord};
use crate::verify::{TileError, refuse as refuse_tile};
use std::ops::Range;

/// Everything in a file except its tiles and its graph. [`NavFile`](super::NavFile) and
/// [`NavStore`](super::NavStore) dereference to it.
pub struct Catalog {
    pub(super) root: Root,
    /// The places of the parts that a file need not have.
    pub(super) places: OptionalPlaces,
    /// Index of the place, of the two, that holds the root.
    pub(super) place: usize,
    pub(super) meta: Meta,
    /// The rows of the directory, as bytes. They share the bytes of the file if those stay in memory.
    pub(super) directory: SharedBytes,
}

impl Catalog {
    /// The metadata.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The current root.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// Rows of the directory, in canonical order.
    pub fn entries(&self) -> &[DirectoryEntry] {
        rows(&self.directory)
    }

    /// Coordinates of all tiles, in canonical order.
    pub fn coords(&self) -> Vec<TileCoord> {
        self.entries().iter().map(DirectoryEntry::coord).collect()
    }

    /// The row of the tile at `coord`.
    pub fn find(&self, coord: TileCoord) -> Option<&DirectoryEntry> {
        let entries = self.entries();
        let row = entries.binary_search_by_key(&coord, DirectoryEntry::coord).ok()?;
        entries.get(row)
    }

    /// Unused bytes of the file: those of replaced tiles, directories and other parts.
    pub fn unused_bytes(&self) -> u64 {
        let Catalog { root, directory, .. } = self;
        let parts = [HEAD_LENGTH as u64, root.meta_length, directory.len() as u64, root.graph_length];
        let tiles = self.entries().iter().map(|entry| entry.length);
        // Parts do not overlap within the file, so their sum does not exceed its length. Rounded up to 16 it
        // might.
        let OptionalPlaces { span_cache, hierarchy } = self.places;
        let span_cache = span_cache.map_or([0; 2], |place| [place.length, place.spans_length]);
        let hierarchy = hierarchy.map(|place| place.length);
        let parts = parts.into_iter().chain(tiles).chain(span_cache).chain(hierarchy);
        let used = parts.fold(0u64, |sum, length| sum.saturating_add(aligned(length)));
        root.file_length.saturating_sub(used)
    }

    /// Reads head, metadata and directory and checks every rule about them. `start` holds the first bytes of
    /// the file of `length` bytes, at least its head. `fetch` returns any other part, and is only called for
    /// parts within the file.
    pub(super) fn read<E: From<FileError>>(
        start: &[u8],
        length: u64,
        mut fetch: impl FnMut(&'static str, Range<u64>) -> Result<SharedBytes, E>,
    ) -> Result<Catalog, E> {
        let (root, places, place) = head::read(start, length)?;
        let place_of_meta = directory::meta_place(&root)?;
        let meta = fetch("the metadata", padded(&root, &place_of_meta))?;
        let meta = unpadded(&meta, &place_of_meta)?;
        check_sum("meta-checksum", meta, root.meta_checksum)?;
        let meta = encoding::decode(meta)?;
        let directory = fetch("the directory", directory::place(&root)?)?;
        check_sum("directory-checksum", &directory, root.directory_checksum)?;
        directory::check(&root, &places, rows(&directory))?;
        Ok(Catalog { root, places, place, meta, directory })
    }

    /// The place of a part and of the padding after it.
    pub(super) fn padded(&self, place: &Range<u64>) -> Range<u64> {
        padded(&self.root, place)
    }

    /// The place of the graph, if there is one; checked when the file was opened.
    pub(super) fn graph_place(&self) -> Option<Range<u64>> {
        directory::graph_place(&self.root).ok().flatten()
    }

    /// Decodes the graph from the bytes at its place and the padding after them.
    pub(super) fn graph(&self, place: &Range<u64>, bytes: &[u8]) -> Result<IslandGraph, FileError> {
        let bytes = unpadded(bytes, place)?;
        check_sum("graph-checksum", bytes, self.root.graph_checksum)?;
        Ok(IslandGraph::decode(bytes)?)
    }

    /// The place of the hierarchy, if the file has one: `navtile bake --hierarchy` writes it.
    pub fn hierarchy_place(&self) -> Option<&HierarchyPlace> {
        self.places.hierarchy.as_ref()
    }

    /// The hierarchy in the bytes at its place and the padding after them.
    pub(super) fn hierarchy<'a>(
        &self,
        place: &HierarchyPlace,
        bytes: &'a [u8],
    ) -> Result<&'a [u8], FileError> {
        let bytes = unpadded(bytes, &place.range())?;
        check_sum("hierarchy-checksum", bytes, place.hierarchy_checksum)?;
        Ok(bytes)
    }

    /// The tile of a row from its stored bytes and the padding after them, fully checked. The blob is copied
    /// unless `shared` also holds the stored bytes.
    pub(super) fn tile(
        &self,
        entry: &DirectoryEntry,
        stored: &[u8],
        shared: Option<SharedBytes>,
    ) -> Result<Tile, FileError> {
        let stored = unpadded(stored, &entry.range())?;
        let take = || {
            let tile = match entry.is_lz4() {
                true => {
                    check_stored(entry, stored)?;
                    Tile::from_shared(SharedBytes::from(&*unpack(entry, stored)?))
                }
                false => {
                    let blob = shared.unwrap_or_else(|| SharedBytes::from(stored));
                    check_stored(entry, &blob)?;
                    Tile::from_shared(blob)
                }
            }?;
            self.promised(entry, &tile)?;
            Ok(tile)
        };
        take().map_err(|source| FileError::Tile { coord: entry.coord(), source })
    }

    /// Checks that a tile is the tile that the directory and the metadata describe.
    fn promised(&self, entry: &DirectoryEntry, tile: &Tile) -> Result<(), TileError> {
        if tile.coord() != entry.coord() {
            let [expected, found] = [entry.coord(), tile.coord()].map(|coord| format!("{coord:?}"));
            return refuse_tile("tile-coord", expected, found);
        }
        fits(&self.meta, tile)
    }
}

/// The rows in the bytes of a directory; the length must be a whole number of rows.
fn rows(directory: &SharedBytes) -> &[DirectoryEntry] {
    bytemuck::cast_slice(directory)
}

/// Checks stored bytes against the checksum in the directory.
pub(super) fn check_stored(entry: &DirectoryEntry, stored: &[u8]) -> Result<(), TileError> {
    let sum = navmath::crc32(stored);
    if sum != entry.checksum {
        let expected = format_args!("{sum:08x}, the sum of the bytes");
        return refuse_tile(
            "tile-checksum",
            expected,
            format_args!("{:08x} in the directory", entry.checksum),
        );
    }
    Ok(())
}

/// The place of a part and of the padding after it: up to the next possible start of a part, or to the file
/// length that the root records.
fn padded(root: &Root, place: &Range<u64>) -> Range<u64> {
    place.start..aligned(place.end).min(root.file_length).max(place.end)
}

/// The bytes of a part without the padding after it, which must be zeros.
pub(super) fn unpadded<'a>(bytes: &'a [u8], place: &Range<u64>) -> Result<&'a [u8], FileError> {
    // The bytes are in memory, so their length fits a pointer.
    let (part, padding) = bytes.split_at((place.end - place.start) as usize);
    if padding.iter().any(|byte| *byte != 0) {
        let expected = format_args!("zeros from {} up to the next multiple of 16", place.end);
        return refuse("file-padding", expected, format_args!("{padding:?}"));
    }
    Ok(part)
}

fn check_sum(rule: &'static str, bytes: &[u8], stated: u32) -> Result<(), FileError> {
    let sum = navmath::crc32(bytes);
    if sum != stated {
        return refuse(rule, format_args!("{sum:08x}, the sum of the bytes"), format_args!("{stated:08x}"));
    }
    Ok(())
}

/// Checks that a tile is on the lattice of the metadata and is for its agent.
pub(super) fn fits(meta: &Meta, tile: &Tile) -> Result<(), TileError> {
    let header = tile.header();
    agree(meta, (header.origin, [header.cell_size, header.cell_height]), header.agent)
}

/// Checks that origin, cell and agent are those of the metadata.
pub(super) fn agree(meta: &Meta, lattice: ([f64; 3], [f64; 2]), agent: [f32; 4]) -> Result<(), TileError> {
    if lattice != (meta.origin, meta.cell) {
        let expected = format_args!("origin {:?} and cell {:?}, as in the metadata", meta.origin, meta.cell);
        return refuse_tile("tile-lattice", expected, format_args!("{:?} and {:?}", lattice.0, lattice.1));
    }
    let rounded = rounded_agent(meta);
    if agent != rounded {
        let expected = format_args!("radius, height, climb and slope {rounded:?}, as in the metadata");
        return refuse_tile("tile-agent", expected, format_args!("{agent:?}"));
    }
    Ok(())
}

/// The agent, rounded as tiles store it.
pub(super) fn rounded_agent(meta: &Meta) -> [f32; 4] {
    [meta.agent.radius, meta.agent.height, meta.agent.climb, meta.agent.slope].map(|value| value as f32)
}
