//! The directory: 64 bytes a tile, sorted by coordinate.

use super::{FileError, HEAD_LENGTH, Root, refuse};
use crate::layout::{Header, SECTION_ALIGN};
use crate::tile::TileCoord;
use bytemuck::{Pod, Zeroable};
use std::ops::Range;

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
    /// Zero; for features of later versions, such as compression.
    pub flags: u32,
    /// Where the tile's blob starts, bytes from the start of the file; a multiple of 16.
    pub offset: u64,
    /// Length of the stored blob, bytes.
    pub length: u64,
    /// CRC-32 of the stored bytes.
    pub checksum: u32,
    /// Zero.
    pub reserved: u32,
    /// Digest of what the tile was baked from; zero if not known.
    pub input_hash: [u8; 16],
    /// Hash of what was pruned from the tile after the bake; zero if nothing was.
    pub prune_hash: [u8; 8],
}

const _: () = assert!(size_of::<DirectoryEntry>() == 64);

impl DirectoryEntry {
    /// Where the tile stands.
    pub fn coord(&self) -> TileCoord {
        TileCoord { x: self.x, z: self.z, layer: self.layer }
    }

    /// Where its bytes are; checked when the directory was read.
    pub(super) fn range(&self) -> Range<usize> {
        self.offset as usize..(self.offset + self.length) as usize
    }
}

/// A byte range of the file, if it lies behind the head and within what the root knows.
pub(super) fn range(
    root: &Root,
    rule: &'static str,
    offset: u64,
    length: u64,
) -> Result<Range<usize>, FileError> {
    let end =
        offset.checked_add(length).filter(|end| *end <= root.file_length && offset >= HEAD_LENGTH as u64);
    let Some(end) = end else {
        let expected = format!("a range between {HEAD_LENGTH} and {}", root.file_length);
        return refuse(rule, expected, format!("{length} bytes at {offset}"));
    };
    // The file is in memory, so what lies within it fits.
    Ok(offset as usize..end as usize)
}

/// The directory that `root` points to, in `file`.
pub(super) fn read(file: &[u8], root: &Root) -> Result<Vec<DirectoryEntry>, FileError> {
    const ENTRY: u64 = size_of::<DirectoryEntry>() as u64;
    let length = root.directory_count.saturating_mul(ENTRY);
    let place = range(root, "directory-place", root.directory_offset, length)?;
    if !root.directory_offset.is_multiple_of(SECTION_ALIGN as u64) {
        let expected = format!("a directory at a multiple of {SECTION_ALIGN}");
        return refuse("directory-place", expected, format!("{}", root.directory_offset));
    }
    let bytes = &file[place.clone()];
    let sum = crc32fast::hash(bytes);
    if sum != root.directory_checksum {
        let found = format!("{:08x}", root.directory_checksum);
        return refuse("directory-checksum", format!("{sum:08x}, the sum of the bytes"), found);
    }
    let entries: Vec<DirectoryEntry> =
        bytes.chunks_exact(size_of::<DirectoryEntry>()).map(bytemuck::pod_read_unaligned).collect();
    for entry in &entries {
        check(root, entry)?;
    }
    if let Some(pair) = entries.windows(2).find(|pair| pair[0].coord() >= pair[1].coord()) {
        let found = format!("{:?} before {:?}", pair[0].coord(), pair[1].coord());
        return refuse("directory-order", "tiles sorted by x, z and layer, each once", found);
    }
    let meta = range(root, "meta-place", root.meta_offset, root.meta_length)?;
    let graph = graph_place(root)?;
    let mut places: Vec<Range<usize>> = entries.iter().map(DirectoryEntry::range).collect();
    places.extend([Some(place), Some(meta), graph].into_iter().flatten());
    places.sort_unstable_by_key(|place| (place.start, place.end));
    if let Some(pair) = places.windows(2).find(|pair| pair[0].end > pair[1].start) {
        return refuse("file-overlap", "tiles, metadata, directory and graph apart", format!("{pair:?}"));
    }
    Ok(entries)
}

/// Where the island graph stands, if there is one.
pub(super) fn graph_place(root: &Root) -> Result<Option<Range<usize>>, FileError> {
    if (root.graph_offset, root.graph_length, root.graph_checksum) == (0, 0, 0) {
        return Ok(None);
    }
    let place = range(root, "graph-place", root.graph_offset, root.graph_length)?;
    if !root.graph_offset.is_multiple_of(SECTION_ALIGN as u64) {
        let expected = format!("a graph at a multiple of {SECTION_ALIGN}");
        return refuse("graph-place", expected, format!("{}", root.graph_offset));
    }
    Ok(Some(place))
}

fn check(root: &Root, entry: &DirectoryEntry) -> Result<(), FileError> {
    if entry.flags != 0 || entry.reserved != 0 {
        let found = format!("{:#x} and {:#x} at {:?}", entry.flags, entry.reserved, entry.coord());
        return refuse("directory-flags", "no flags and a reserved field of zero, in this version", found);
    }
    range(root, "tile-place", entry.offset, entry.length)?;
    if !entry.offset.is_multiple_of(SECTION_ALIGN as u64) || entry.length < size_of::<Header>() as u64 {
        let expected = format!("a tile at a multiple of {SECTION_ALIGN} that is as long as a header");
        let found = format!("{} bytes at {} for {:?}", entry.length, entry.offset, entry.coord());
        return refuse("tile-place", expected, found);
    }
    Ok(())
}
