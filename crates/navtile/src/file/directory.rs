//! The directory: 64 bytes per tile, sorted by coordinate.

use super::head::OptionalPlaces;
use super::hierarchy_place::HierarchyPlace;
use super::span_cache_place::SpanCachePlace;
use super::{FileError, HEAD_LENGTH, Root, refuse};
use crate::layout::{Header, SECTION_ALIGN};
use crate::tile::TileCoord;
use bytemuck::{Pod, Zeroable};
use navmath::sort::SharedSort;
use std::ops::Range;

/// Bit of [`DirectoryEntry::flags`]: the stored bytes are an LZ4 block.
pub const FLAG_LZ4: u32 = 1;
/// A blob is at most this many times as long as its stored bytes, so that reading a tile takes memory in
/// proportion to the file.
pub const LARGEST_RATIO: u64 = 8;

/// A tile's row in the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct DirectoryEntry {
    /// Tile coordinate along x.
    pub x: i32,
    /// Tile coordinate along z.
    pub z: i32,
    /// Layer.
    pub layer: i32,
    /// Bit 0 ([`FLAG_LZ4`]): the stored bytes are an LZ4 block. All others zero.
    pub flags: u32,
    /// Start of the stored bytes, from the start of the file; a multiple of 16.
    pub offset: u64,
    /// Number of bytes stored: the tile's blob as it is, or compressed.
    pub length: u64,
    /// CRC-32 of the stored bytes.
    pub checksum: u32,
    /// Length of the blob, bytes, if it is stored compressed; zero if it is stored as it is.
    pub raw_length: u32,
    /// Digest of the tile's bake input; zero if not known.
    pub input_hash: [u8; 16],
    /// Hash of the islands that were pruned from the tile after the bake; zero if nothing was pruned.
    pub prune_hash: [u8; 8],
}

const _: () = assert!(size_of::<DirectoryEntry>() == 64);

impl DirectoryEntry {
    /// Coordinate of the tile.
    pub fn coord(&self) -> TileCoord {
        TileCoord { x: self.x, z: self.z, layer: self.layer }
    }

    /// Returns true if the stored bytes are an LZ4 block.
    pub fn is_lz4(&self) -> bool {
        self.flags & FLAG_LZ4 != 0
    }

    /// Length of the tile's blob when unpacked, bytes.
    pub fn blob_length(&self) -> u64 {
        if self.is_lz4() { u64::from(self.raw_length) } else { self.length }
    }

    /// The place of the stored bytes. It was checked when the directory was read, but a row may come from
    /// another file.
    pub(super) fn range(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.length)
    }
}

/// A byte range of the file, if it is after the head and within the length that the root records.
pub(super) fn range(
    root: &Root,
    rule: &'static str,
    offset: u64,
    length: u64,
) -> Result<Range<u64>, FileError> {
    let end = offset.checked_add(length);
    match end.filter(|end| *end <= root.file_length && offset >= HEAD_LENGTH as u64) {
        Some(end) => Ok(offset..end),
        None => {
            let expected = format!("a range between {HEAD_LENGTH} and {}", root.file_length);
            refuse(rule, expected, format!("{length} bytes at {offset}"))
        }
    }
}

/// The place of the metadata.
pub(super) fn meta_place(root: &Root) -> Result<Range<u64>, FileError> {
    range(root, "meta-place", root.meta_offset, root.meta_length)
}

/// The place of the directory.
pub(super) fn place(root: &Root) -> Result<Range<u64>, FileError> {
    const ENTRY: u64 = size_of::<DirectoryEntry>() as u64;
    let length = root.directory_count.saturating_mul(ENTRY);
    let place = range(root, "directory-place", root.directory_offset, length)?;
    if !root.directory_offset.is_multiple_of(SECTION_ALIGN as u64) {
        let expected = format!("a directory at a multiple of {SECTION_ALIGN}");
        return refuse("directory-place", expected, root.directory_offset);
    }
    Ok(place)
}

/// Checks that the rows of a directory are sound, and that no parts of the file overlap.
pub(super) fn check(root: &Root, places: &OptionalPlaces, rows: &[DirectoryEntry]) -> Result<(), FileError> {
    for row in rows {
        check_row(root, row)?;
    }
    if let Some(pair) = rows.array_windows().find(|[a, b]| a.coord() >= b.coord()) {
        let found = format!("{:?} before {:?}", pair[0].coord(), pair[1].coord());
        return refuse("directory-order", "tiles sorted by x, z and layer, each once", found);
    }
    let span_cache = places.span_cache.map(|place| span_cache_place(root, &place)).transpose()?;
    let hierarchy = places.hierarchy.map(|place| hierarchy_place(root, &place)).transpose()?;
    // In the order of a fresh file, which then is already sorted.
    let before = [meta_place(root)?, place(root)?].into_iter();
    let behind = graph_place(root)?.into_iter().chain(span_cache).chain(hierarchy);
    let mut places: Vec<Range<u64>> =
        before.chain(rows.iter().map(DirectoryEntry::range)).chain(behind).collect();
    let key = |place: &Range<u64>| (place.start, place.end);
    if !places.is_sorted_by_key(key) {
        places.shared_sort_by_key(key);
    }
    if let Some(pair) = places.array_windows().find(|[a, b]| a.end > b.start) {
        let expected = "tiles, metadata, directory, graph and hierarchy without overlap";
        return refuse("file-overlap", expected, format_args!("{pair:?}"));
    }
    Ok(())
}

/// The place of the island graph, if there is one.
pub(super) fn graph_place(root: &Root) -> Result<Option<Range<u64>>, FileError> {
    if (root.graph_offset, root.graph_length, root.graph_checksum) == (0, 0, 0) {
        return Ok(None);
    }
    let place = range(root, "graph-place", root.graph_offset, root.graph_length)?;
    if !root.graph_offset.is_multiple_of(SECTION_ALIGN as u64) {
        let expected = format!("a graph at a multiple of {SECTION_ALIGN}");
        return refuse("graph-place", expected, root.graph_offset);
    }
    Ok(Some(place))
}

/// The place of the index of cached spans.
pub(super) fn span_cache_place(root: &Root, span_cache: &SpanCachePlace) -> Result<Range<u64>, FileError> {
    if span_cache.checksum != span_cache.sum() {
        let expected = format!("{:08x}, the sum of the place of cached spans", span_cache.sum());
        return refuse("span-cache-place", expected, format!("{:08x}", span_cache.checksum));
    }
    if !span_cache.offset.is_multiple_of(SECTION_ALIGN as u64) {
        return refuse(
            "span-cache-place",
            format!("an index at a multiple of {SECTION_ALIGN}"),
            span_cache.offset,
        );
    }
    range(root, "span-cache-place", span_cache.offset, span_cache.length)
}

/// The place of the hierarchy.
pub(super) fn hierarchy_place(root: &Root, place: &HierarchyPlace) -> Result<Range<u64>, FileError> {
    if place.checksum != place.sum() {
        let expected = format!("{:08x}, the sum of the place of the hierarchy", place.sum());
        return refuse("hierarchy-place", expected, format!("{:08x}", place.checksum));
    }
    if !place.offset.is_multiple_of(SECTION_ALIGN as u64) {
        let expected = format!("a hierarchy at a multiple of {SECTION_ALIGN}");
        return refuse("hierarchy-place", expected, place.offset);
    }
    range(root, "hierarchy-place", place.offset, place.length)
}

fn check_row(root: &Root, entry: &DirectoryEntry) -> Result<(), FileError> {
    let coord = entry.coord();
    if entry.flags & !FLAG_LZ4 != 0 || (entry.raw_length != 0 && !entry.is_lz4()) {
        let found = format!("flags {:#x} and raw length {} at {coord:?}", entry.flags, entry.raw_length);
        return refuse("directory-flags", "no flag but bit 0, and without it a raw length of 0", found);
    }
    range(root, "tile-place", entry.offset, entry.length)?;
    if !entry.offset.is_multiple_of(SECTION_ALIGN as u64) {
        let expected = format!("a tile at a multiple of {SECTION_ALIGN}");
        return refuse("tile-place", expected, format!("{} for {coord:?}", entry.offset));
    }
    let raw = entry.blob_length();
    if entry.is_lz4() && (raw <= entry.length || raw > entry.length.saturating_mul(LARGEST_RATIO)) {
        let expected = format!(
            "more than the {0} stored bytes, at most {LARGEST_RATIO} times their number",
            entry.length
        );
        return refuse("tile-raw-length", expected, format!("{raw} for {coord:?}"));
    }
    if raw < size_of::<Header>() as u64 {
        let expected = format!("a tile of at least {} bytes, as long as a header", size_of::<Header>());
        return refuse("tile-place", expected, format!("{raw} bytes at {} for {coord:?}", entry.offset));
    }
    Ok(())
}
