//! The place of cached spans in a file, as stored after a root.

use bytemuck::{Pod, Zeroable};

/// Bit of [`Root::flags`](super::Root::flags): a [`SpanCachePlace`] follows the root.
pub const FLAG_SPAN_CACHE: u32 = 1;
/// The place of the index of cached spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct SpanCachePlace {
    /// Start of the index, bytes from the start of the file; a multiple of 16.
    pub offset: u64,
    /// Its length, bytes.
    pub length: u64,
    /// Bytes of the spans of all tiles, each filled up to a multiple of 16.
    pub spans_length: u64,
    /// CRC-32 of the index.
    pub index_checksum: u32,
    /// CRC-32 of this place, this field taken as zero.
    pub checksum: u32,
}

const _: () = assert!(size_of::<SpanCachePlace>() == 32);

impl SpanCachePlace {
    pub(super) fn sum(&self) -> u32 {
        navmath::crc32(bytemuck::bytes_of(&SpanCachePlace { checksum: 0, ..*self }))
    }

    /// This place with its checksum, as it is stored.
    pub(super) fn sealed(self) -> SpanCachePlace {
        SpanCachePlace { checksum: self.sum(), ..self }
    }
}
