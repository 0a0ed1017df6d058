//! The first 4 KiB: identity, and two roots. The newer valid root counts.

use super::hierarchy_place::{FLAG_HIERARCHY, HierarchyPlace};
use super::span_cache_place::{FLAG_SPAN_CACHE, SpanCachePlace};
use super::{FileError, refuse};
use crate::layout::SECTION_ALIGN;
use bytemuck::{Pod, Zeroable};
use std::ops::Range;

/// First bytes of a `.navtile` file.
pub const FILE_MAGIC: [u8; 8] = *b"NAVFILE\0";
/// The file format this crate writes and reads, as specified in docs/format.md.
pub const FILE_VERSION: u32 = 1;
/// Length of the head, bytes.
pub const HEAD_LENGTH: usize = 4096;
/// Byte offsets of the two roots. They are in separate sectors, so that writing one cannot tear the other.
pub const ROOT_OFFSETS: [usize; 2] = [1024, 2048];

/// The first bytes of the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Identity {
    /// [`FILE_MAGIC`].
    magic: [u8; 8],
    /// [`FILE_VERSION`].
    version: u32,
    /// [`HEAD_LENGTH`].
    head_length: u32,
}

/// The places of all parts of the file. All offsets and lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Root {
    /// Of two valid roots, the one with the higher number counts. 0: no root.
    pub sequence: u64,
    /// Length of the file that this root describes. Bytes after it belong to an unfinished append.
    pub file_length: u64,
    /// Start of the metadata.
    pub meta_offset: u64,
    /// Length of the metadata.
    pub meta_length: u64,
    /// Start of the directory; a multiple of 16.
    pub directory_offset: u64,
    /// Number of entries in the directory.
    pub directory_count: u64,
    /// Start of the island graph; a multiple of 16, or 0 without a graph.
    pub graph_offset: u64,
    /// Length of the island graph; 0 without a graph.
    pub graph_length: u64,
    /// CRC-32 of the metadata.
    pub meta_checksum: u32,
    /// CRC-32 of the directory.
    pub directory_checksum: u32,
    /// CRC-32 of the island graph; 0 without a graph.
    pub graph_checksum: u32,
    /// Bit 0 ([`FLAG_SPAN_CACHE`]): a [`SpanCachePlace`] follows the root. Bit 1 ([`FLAG_HIERARCHY`]): a
    /// [`HierarchyPlace`] follows 32 bytes after the root. All others zero, for features of later versions.
    pub flags: u32,
    /// Zero.
    pub reserved: u32,
    /// CRC-32 of the root, this field taken as zero.
    pub checksum: u32,
}

/// The places that may follow a root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OptionalPlaces {
    /// The place of cached spans, if the file has any.
    pub(super) span_cache: Option<SpanCachePlace>,
    /// The place of the hierarchy, if the file has one.
    pub(super) hierarchy: Option<HierarchyPlace>,
}

/// Bytes of the places that may follow a root. Each has its own bytes, which are zeros if it is missing.
const SPAN_CACHE_BYTES: Range<usize> = size_of::<Root>()..size_of::<Root>() + size_of::<SpanCachePlace>();
const HIERARCHY_BYTES: Range<usize> = SPAN_CACHE_BYTES.end..ROOT_LENGTH;
/// Bytes of a root and of the places that may follow it.
const ROOT_LENGTH: usize = SPAN_CACHE_BYTES.end + size_of::<HierarchyPlace>();

const _: () = {
    assert!(size_of::<Identity>() == 16);
    assert!(size_of::<Root>() == 88);
};

impl Root {
    /// The checksum that the root should carry.
    fn sum(&self) -> u32 {
        navmath::crc32(bytemuck::bytes_of(&Root { checksum: 0, ..*self }))
    }
}

impl OptionalPlaces {
    /// The flags of a root that these places follow.
    fn flags(&self) -> u32 {
        let span_cache = if self.span_cache.is_some() { FLAG_SPAN_CACHE } else { 0 };
        span_cache | if self.hierarchy.is_some() { FLAG_HIERARCHY } else { 0 }
    }
}

/// A root and the places that follow it, as stored bytes.
pub(super) fn stored(root: &Root, places: &OptionalPlaces) -> Vec<u8> {
    let root = Root { flags: places.flags(), ..*root };
    let mut bytes = vec![0; ROOT_LENGTH];
    bytes[..size_of::<Root>()].copy_from_slice(bytemuck::bytes_of(&Root { checksum: root.sum(), ..root }));
    if let Some(place) = &places.span_cache {
        bytes[SPAN_CACHE_BYTES].copy_from_slice(bytemuck::bytes_of(place));
    }
    if let Some(place) = &places.hierarchy {
        bytes[HIERARCHY_BYTES].copy_from_slice(bytemuck::bytes_of(place));
    }
    bytes
}

/// The head of a file with this root in the first place and an empty second place.
pub(super) fn bytes(root: &Root, places: &OptionalPlaces) -> Vec<u8> {
    let mut head = vec![0; HEAD_LENGTH];
    let identity = Identity { magic: FILE_MAGIC, version: FILE_VERSION, head_length: HEAD_LENGTH as u32 };
    head[..size_of::<Identity>()].copy_from_slice(bytemuck::bytes_of(&identity));
    let stored = stored(root, places);
    head[ROOT_OFFSETS[0]..][..stored.len()].copy_from_slice(&stored);
    head
}

/// Reads the current root, the places after it, and the index of the place that holds the root. `start` holds
/// the first bytes of a file that is `length` bytes long. A root with a wrong checksum was left by an
/// interrupted write; the other root counts then.
pub(super) fn read(start: &[u8], length: u64) -> Result<(Root, OptionalPlaces, usize), FileError> {
    let Some(head) = start.get(..HEAD_LENGTH) else {
        let expected = format!("at least {HEAD_LENGTH} bytes");
        return refuse("file-length", expected, format!("{length} bytes"));
    };
    let identity: Identity = bytemuck::pod_read_unaligned(&head[..size_of::<Identity>()]);
    if identity.magic != FILE_MAGIC {
        return refuse("file-magic", format!("{FILE_MAGIC:?}"), format!("{:?}", identity.magic));
    }
    if identity.version != FILE_VERSION {
        let expected = format!("version {FILE_VERSION}");
        return refuse("file-version", expected, format!("version {}", identity.version));
    }
    if identity.head_length as usize != HEAD_LENGTH {
        let found = format!("{} bytes", identity.head_length);
        return refuse("head-length", format!("a head of {HEAD_LENGTH} bytes"), found);
    }
    let [first, second] = ROOT_OFFSETS;
    let gaps = [size_of::<Identity>()..first, first + ROOT_LENGTH..second, second + ROOT_LENGTH..HEAD_LENGTH];
    if gaps.into_iter().any(|gap| head[gap].iter().any(|byte| *byte != 0)) {
        return refuse("head-reserved", "zeros outside identity and roots", "other bytes");
    }
    let valid = ROOT_OFFSETS
        .map(|offset| bytemuck::pod_read_unaligned::<Root>(&head[offset..offset + size_of::<Root>()]))
        .into_iter()
        .zip(0..)
        .filter(|(root, _)| root.sequence != 0 && root.checksum == root.sum());
    let Some((root, place)) = valid.max_by_key(|(root, _)| root.sequence) else {
        return refuse("root", "a root with a right checksum", "none");
    };
    check(&root, length)?;
    // An interrupted commit may have left anything behind the other root.
    let behind = &head[ROOT_OFFSETS[place]..];
    let has = |flag: u32| root.flags & flag != 0;
    for (flag, bytes) in [(FLAG_SPAN_CACHE, SPAN_CACHE_BYTES), (FLAG_HIERARCHY, HIERARCHY_BYTES)] {
        if !has(flag) && behind[bytes].iter().any(|byte| *byte != 0) {
            let expected = "zeros behind a root without cached spans or a hierarchy";
            return refuse("head-reserved", expected, "other bytes");
        }
    }
    let span_cache = has(FLAG_SPAN_CACHE).then(|| bytemuck::pod_read_unaligned(&behind[SPAN_CACHE_BYTES]));
    let hierarchy = has(FLAG_HIERARCHY).then(|| bytemuck::pod_read_unaligned(&behind[HIERARCHY_BYTES]));
    Ok((root, OptionalPlaces { span_cache, hierarchy }, place))
}

fn check(root: &Root, length: u64) -> Result<(), FileError> {
    if (root.flags & !(FLAG_SPAN_CACHE | FLAG_HIERARCHY), root.reserved) != (0, 0) {
        let found = format!("{:#x} and {:#x}", root.flags, root.reserved);
        return refuse(
            "root-flags",
            "no flag but bits 0 and 1, and a reserved field of zero, in this version",
            found,
        );
    }
    if root.file_length > length || root.file_length < HEAD_LENGTH as u64 {
        let expected = format!("{} bytes or more, as the root says", root.file_length);
        return refuse("file-length", expected, format!("{length} bytes"));
    }
    Ok(())
}

/// The next place where a part may start.
pub(super) fn aligned(offset: u64) -> u64 {
    offset.checked_next_multiple_of(SECTION_ALIGN as u64).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_says_which_places_follow_it() {
        let span_cache = Some(SpanCachePlace { offset: 16, ..SpanCachePlace::zeroed() });
        let hierarchy = Some(HierarchyPlace::new(32, b"far"));
        let all = FLAG_SPAN_CACHE | FLAG_HIERARCHY;
        for flags in 0..=all {
            let places = OptionalPlaces {
                span_cache: span_cache.filter(|_| flags & FLAG_SPAN_CACHE != 0),
                hierarchy: hierarchy.filter(|_| flags & FLAG_HIERARCHY != 0),
            };
            let root =
                Root { sequence: 1, file_length: HEAD_LENGTH as u64, flags: all - flags, ..Root::zeroed() };
            let head = bytes(&root, &places);
            let (root, found, place) = read(&head, HEAD_LENGTH as u64).unwrap();
            assert_eq!((root.flags, found, place), (flags, places, 0));
        }
    }
}
