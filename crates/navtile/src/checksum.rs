//! The checksum of a blob: CRC-32 (IEEE) over all of it, its own field taken as zero. O(bytes).

use crate::layout::Header;
use std::mem::offset_of;

/// Where the checksum stands in the header, bytes.
pub(crate) const CHECKSUM_OFFSET: usize = offset_of!(Header, checksum);

/// The checksum that `blob` should carry in its header; whatever it carries there now is taken as zero.
/// Bytes too short to hold the field are summed as they are.
pub fn tile_checksum(blob: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    let end = CHECKSUM_OFFSET + size_of::<u32>();
    if blob.len() < end {
        hasher.update(blob);
    } else {
        hasher.update(&blob[..CHECKSUM_OFFSET]);
        hasher.update(&[0; size_of::<u32>()]);
        hasher.update(&blob[end..]);
    }
    hasher.finalize()
}

/// Writes the checksum into a blob at least as long as a header.
pub(crate) fn seal(blob: &mut [u8]) {
    let sum = tile_checksum(blob);
    blob[CHECKSUM_OFFSET..CHECKSUM_OFFSET + size_of::<u32>()].copy_from_slice(&sum.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_itself_does_not_count() {
        let mut blob = vec![7u8; 300];
        let sum = tile_checksum(&blob);
        seal(&mut blob);
        assert_eq!(tile_checksum(&blob), sum);
        blob[299] ^= 1;
        assert_ne!(tile_checksum(&blob), sum);
        assert_eq!(tile_checksum(b"123456789"), 0xCBF4_3926);
    }
}
