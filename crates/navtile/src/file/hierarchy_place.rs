//! The place of a hierarchy in a file, as stored after a root and the place of cached spans. This crate
//! treats the hierarchy as bytes; the crate `hierarchy` knows their meaning.

use bytemuck::{Pod, Zeroable};
use std::ops::Range;

/// Bit of [`Root::flags`](super::Root::flags): a [`HierarchyPlace`] follows the root.
pub const FLAG_HIERARCHY: u32 = 2;

/// The place of a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct HierarchyPlace {
    /// Start of the hierarchy, bytes from the start of the file; a multiple of 16.
    pub offset: u64,
    /// Its length, bytes.
    pub length: u64,
    /// CRC-32 of the hierarchy.
    pub hierarchy_checksum: u32,
    /// CRC-32 of this place, this field taken as zero.
    pub checksum: u32,
}

const _: () = assert!(size_of::<HierarchyPlace>() == 24);

impl HierarchyPlace {
    /// The place of a hierarchy written at `offset`.
    pub(super) fn new(offset: u64, bytes: &[u8]) -> HierarchyPlace {
        let length = bytes.len() as u64;
        let place = HierarchyPlace { offset, length, hierarchy_checksum: navmath::crc32(bytes), checksum: 0 };
        HierarchyPlace { checksum: place.sum(), ..place }
    }

    /// Byte range of the hierarchy. It was checked when the file was opened.
    pub(super) fn range(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.length)
    }

    pub(super) fn sum(&self) -> u32 {
        navmath::crc32(bytemuck::bytes_of(&HierarchyPlace { checksum: 0, ..*self }))
    }
}
