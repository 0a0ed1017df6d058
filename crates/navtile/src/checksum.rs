//! The checksum of a blob: CRC-32 (IEEE) over the whole blob, with its own field taken as zero. O(bytes).

use crate::layout::Header;
use std::mem::offset_of;
use std::ops::Range;

/// Byte range of the checksum in the header.
const FIELD: Range<usize> = offset_of!(Header, checksum)..offset_of!(Header, checksum) + size_of::<u32>();

/// Shorter byte strings are not blobs.
const LEAST: usize = 32;

/// The checksum that `blob` should carry in its header; the current content of that field is taken as zero.
/// Byte strings shorter than 32 bytes are not blobs and are summed as they are.
pub fn tile_checksum(blob: &[u8]) -> u32 {
    if blob.len() < LEAST {
        return navmath::crc32(blob);
    }
    navmath::crc32_of_parts(&[&blob[..FIELD.start], &[0; size_of::<u32>()], &blob[FIELD.end..]])
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
        for length in 0..LEAST {
            let blob = &[0xA5; LEAST][..length];
            assert_eq!(tile_checksum(blob), crc32fast::hash(blob));
        }
    }
}
