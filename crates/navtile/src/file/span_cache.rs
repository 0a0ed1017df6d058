//! Cached spans in a file: for each tile the data to bake it again without the level's triangles, and once
//! the data that all tiles need. This crate treats the spans as bytes; recast knows their meaning.
//!
//! ```text
//! index: head (64 bytes) | settings, filled up to 16 | a row of 64 bytes for each tile
//! ```
//!
//! A [`SpanCachePlace`] after the root gives the place of the index. The index is read on demand, and so are
//! the spans of each tile; each has a checksum of its own.

use super::catalog::Catalog;
use super::directory;
use super::head::aligned;
use super::span_cache_place::SpanCachePlace;
use super::{FileError, Root, refuse};
use crate::layout::SECTION_ALIGN;
use crate::tile::TileCoord;
use bytemuck::{Pod, Zeroable};
use navmath::sort::SharedSort;
use std::ops::Range;

/// First bytes of the index.
const SPAN_CACHE_MAGIC: [u8; 8] = *b"NAVKEPT\0";
/// The version of the index and of the spans.
pub const SPAN_CACHE_VERSION: u32 = 2;

/// The first bytes of the index.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct IndexHead {
    magic: [u8; 8],
    version: u32,
    /// Bytes of the settings after the head.
    settings_length: u32,
    /// Rows after the settings.
    count: u64,
    /// Cells of the level along x, in height, along z.
    size: [u32; 3],
    /// Height of the level's bounds, metres, as the bits of an f32.
    height: u32,
    /// Zero.
    reserved: [u32; 6],
}

/// A tile's row in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct SpanCacheEntry {
    /// Tile coordinate along x.
    pub x: i32,
    /// Tile coordinate along z.
    pub z: i32,
    /// Layer.
    pub layer: i32,
    /// CRC-32 of the spans.
    pub checksum: u32,
    /// Start of the spans, bytes from the start of the file; a multiple of 16.
    pub offset: u64,
    /// Number of bytes of the spans.
    pub length: u64,
    /// Digest of the bake input of the tile without obstacles.
    pub level_hash: [u8; 16],
    /// Zero.
    pub reserved: [u32; 4],
}

const _: () = {
    assert!(size_of::<IndexHead>() == 64);
    assert!(size_of::<SpanCacheEntry>() == 64);
};

impl SpanCacheEntry {
    /// Coordinate of the tile.
    pub fn coord(&self) -> TileCoord {
        TileCoord { x: self.x, z: self.z, layer: self.layer }
    }

    /// The row of a tile whose place is not known yet.
    pub fn new(coord: TileCoord, level_hash: [u8; 16], spans: &[u8]) -> SpanCacheEntry {
        let TileCoord { x, z, layer } = coord;
        let checksum = navmath::crc32(spans);
        SpanCacheEntry {
            x,
            z,
            layer,
            checksum,
            offset: 0,
            length: spans.len() as u64,
            level_hash,
            reserved: [0; 4],
        }
    }

    /// Byte range of the spans.
    pub(super) fn range(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.length)
    }

    /// Checks spans against the checksum in the index.
    pub(super) fn check(&self, spans: &[u8]) -> Result<(), FileError> {
        let sum = navmath::crc32(spans);
        if sum != self.checksum {
            let coord = self.coord();
            let expected = format!("{sum:08x}, the sum of the spans of tile ({}, {})", coord.x, coord.z);
            return refuse(
                "span-cache-checksum",
                expected,
                format_args!("{:08x} in the index", self.checksum),
            );
        }
        Ok(())
    }
}

/// The index of cached spans: the data that all tiles need, and the place of the spans of each tile.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanCacheIndex {
    /// Cells of the level along x, in height, along z.
    pub size: [u32; 3],
    /// Height of the level's bounds, metres.
    pub height: f32,
    /// The settings of the bake, in the encoding of the program that wrote them.
    pub settings: Vec<u8>,
    /// One row for each tile that a triangle reaches, in canonical order; the other tiles have no spans.
    pub entries: Vec<SpanCacheEntry>,
}

impl SpanCacheIndex {
    /// The row of a tile.
    pub fn find(&self, coord: TileCoord) -> Option<&SpanCacheEntry> {
        let row = self.entries.binary_search_by_key(&coord, SpanCacheEntry::coord).ok()?;
        self.entries.get(row)
    }

    /// Bytes of the spans of all tiles, each filled up to a multiple of 16.
    pub fn spans_length(&self) -> u64 {
        self.entries.iter().fold(0, |sum, entry| sum.saturating_add(aligned(entry.length)))
    }

    /// The index as bytes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let head = IndexHead {
            magic: SPAN_CACHE_MAGIC,
            version: SPAN_CACHE_VERSION,
            settings_length: self.settings.len() as u32,
            count: self.entries.len() as u64,
            size: self.size,
            height: self.height.to_bits(),
            reserved: [0; 6],
        };
        let mut bytes = bytemuck::bytes_of(&head).to_vec();
        bytes.extend_from_slice(&self.settings);
        bytes.resize(bytes.len().next_multiple_of(SECTION_ALIGN), 0);
        bytes.extend_from_slice(bytemuck::cast_slice(&self.entries));
        bytes
    }

    /// The place of the index, for index bytes written at `offset`.
    pub(super) fn place(&self, offset: u64, bytes: &[u8]) -> SpanCachePlace {
        SpanCachePlace {
            offset,
            length: bytes.len() as u64,
            spans_length: self.spans_length(),
            index_checksum: navmath::crc32(bytes),
            checksum: 0,
        }
        .sealed()
    }

    fn decode(bytes: &[u8], root: &Root) -> Result<SpanCacheIndex, FileError> {
        let short = || format!("{} bytes", bytes.len());
        let Some((head, rest)) = bytes.split_first_chunk::<{ size_of::<IndexHead>() }>() else {
            return refuse("span-cache-index", "a head of 64 bytes", short());
        };
        let head: IndexHead = bytemuck::pod_read_unaligned(head);
        if (head.magic, head.version, head.reserved) != (SPAN_CACHE_MAGIC, SPAN_CACHE_VERSION, [0; 6]) {
            let expected =
                format!("{SPAN_CACHE_MAGIC:?} of version {SPAN_CACHE_VERSION}, and zeros behind its fields");
            return refuse(
                "span-cache-index",
                expected,
                format!("{:?} of version {}", head.magic, head.version),
            );
        }
        let settings_length = head.settings_length as usize;
        let filled = settings_length.next_multiple_of(SECTION_ALIGN);
        let rows = rest.len().checked_sub(filled).map(|rows| rows as u64);
        if rows != head.count.checked_mul(size_of::<SpanCacheEntry>() as u64) {
            let expected = format!("{settings_length} bytes of settings and {} rows", head.count);
            return refuse("span-cache-index", expected, short());
        }
        let (settings, rows) = rest.split_at(filled);
        let entries = rows.chunks_exact(size_of::<SpanCacheEntry>()).map(bytemuck::pod_read_unaligned);
        let index = SpanCacheIndex {
            size: head.size,
            height: f32::from_bits(head.height),
            settings: settings[..settings_length].to_vec(),
            entries: entries.collect(),
        };
        if settings[settings_length..].iter().any(|byte| *byte != 0) {
            return refuse("span-cache-index", "zeros behind the settings", "other bytes");
        }
        // Written so that NaN is refused.
        if !(index.height >= 0.0 && index.height.is_finite()) {
            return refuse("span-cache-index", "a height of the level that is finite", index.height);
        }
        index.check(root)?;
        Ok(index)
    }

    fn check(&self, root: &Root) -> Result<(), FileError> {
        for entry in &self.entries {
            if entry.reserved != [0; 4] {
                return refuse(
                    "span-cache-index",
                    "reserved fields of zero",
                    format!("{:?}", entry.reserved),
                );
            }
            directory::range(root, "span-cache-place", entry.offset, entry.length)?;
            if !entry.offset.is_multiple_of(SECTION_ALIGN as u64) {
                let expected = format!("spans at a multiple of {SECTION_ALIGN}");
                return refuse("span-cache-place", expected, entry.offset);
            }
        }
        if let Some([a, b]) = self.entries.array_windows().find(|[a, b]| a.coord() >= b.coord()) {
            let found = format!("{:?} before {:?}", a.coord(), b.coord());
            return refuse("span-cache-order", "tiles sorted by x, z and layer, each once", found);
        }
        let mut places: Vec<Range<u64>> = self.entries.iter().map(SpanCacheEntry::range).collect();
        places.shared_sort_by_key(|place| (place.start, place.end));
        if let Some([a, b]) = places.array_windows().find(|[a, b]| a.end > b.start) {
            return refuse("span-cache-place", "spans of tiles apart", format_args!("{a:?} and {b:?}"));
        }
        Ok(())
    }
}

impl Catalog {
    /// The place of the index of cached spans, if the file has one: `navtile bake --dynamic` writes it.
    pub fn span_cache_place(&self) -> Option<&SpanCachePlace> {
        self.places.span_cache.as_ref()
    }

    /// Decodes the index from the bytes at its place.
    pub(super) fn span_cache_index(
        &self,
        place: &SpanCachePlace,
        bytes: &[u8],
    ) -> Result<SpanCacheIndex, FileError> {
        let sum = navmath::crc32(bytes);
        if sum != place.index_checksum {
            let found = format_args!("{:08x}", place.index_checksum);
            return refuse("span-cache-checksum", format_args!("{sum:08x}, the sum of the index"), found);
        }
        let index = SpanCacheIndex::decode(bytes, &self.root)?;
        if index.spans_length() != place.spans_length {
            let expected = format!("{} bytes of spans, as the rows say", index.spans_length());
            return refuse("span-cache-place", expected, place.spans_length);
        }
        Ok(index)
    }
}
