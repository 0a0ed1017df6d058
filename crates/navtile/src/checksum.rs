//! The checksum of a blob: CRC-32 (IEEE) over all of it, its own field taken as zero. O(bytes).

use crate::layout::{Header, SECTION_ALIGN};
use std::mem::offset_of;
use std::ops::Range;

/// Where the checksum stands in the header, bytes.
const FIELD: Range<usize> = offset_of!(Header, checksum)..offset_of!(Header, checksum) + size_of::<u32>();

/// The bytes that are summed with zeros in the field, up to a boundary: blocks that are whole are summed faster.
const HEAD: usize = FIELD.end.next_multiple_of(SECTION_ALIGN);

/// The checksum that `blob` should carry in its header; whatever it carries there now is taken as zero.
/// Fewer than 32 bytes, which are no blob, are summed as they are.
pub fn tile_checksum(blob: &[u8]) -> u32 {
    let Some((head, rest)) = blob.split_first_chunk::<HEAD>() else { return crc32fast::hash(blob) };
    let mut head = *head;
    head[FIELD].fill(0);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&head);
    hasher.update(rest);
    hasher.finalize()
}

/// Writes the checksum into a blob at least as long as a header.
pub(crate) fn seal(blob: &mut [u8]) {
    let sum = tile_checksum(blob);
    blob[FIELD].copy_from_slice(&sum.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_itself_does_not_count() {
        let mut blob = vec![7u8; 300];
        let sum = tile_checksum(&blob);
        seal(&mut blob);
        assert_eq!(blob[FIELD], sum.to_le_bytes());
        assert_eq!(tile_checksum(&blob), sum);
        blob[FIELD].fill(0);
        assert_eq!(crc32fast::hash(&blob), sum);
        blob[299] ^= 1;
        assert_ne!(tile_checksum(&blob), sum);
        assert_eq!(tile_checksum(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn bytes_too_short_for_a_head_are_summed_as_they_are() {
        for length in 0..HEAD {
            let blob = &[0xA5; HEAD][..length];
            assert_eq!(tile_checksum(blob), crc32fast::hash(blob));
        }
    }
}
