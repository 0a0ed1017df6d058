//! The stored form of a tile: its blob as it is, or as an LZ4 block.

use super::directory::DirectoryEntry;
#[cfg(feature = "lz4")]
use super::directory::{FLAG_LZ4, LARGEST_RATIO};
use crate::verify::TileError;
use std::borrow::Cow;

/// The stored form of tiles that a writer chooses. With either, the same tiles give the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    /// Blobs as they are; the bake writes these.
    #[default]
    Raw,
    /// LZ4 blocks. A tile that would not become shorter is stored as it is, and so is a tile that would
    /// shrink to less than an eighth.
    #[cfg(feature = "lz4")]
    Lz4,
}

/// The stored form of a tile.
pub(super) struct Packed<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    flags: u32,
    raw_length: u32,
}

impl Packed<'_> {
    /// The directory row for these bytes at `offset`, with coordinates and hashes from `about`.
    pub(super) fn entry(&self, about: &DirectoryEntry, offset: u64) -> DirectoryEntry {
        DirectoryEntry {
            flags: self.flags,
            offset,
            length: self.bytes.len() as u64,
            checksum: navmath::crc32(&self.bytes),
            raw_length: self.raw_length,
            ..*about
        }
    }
}

/// Packs a blob.
pub(super) fn pack(blob: &[u8], packing: Packing) -> Packed<'_> {
    match packing {
        Packing::Raw => Packed { bytes: Cow::Borrowed(blob), flags: 0, raw_length: 0 },
        #[cfg(feature = "lz4")]
        Packing::Lz4 => {
            let block = super::lz4::compress(blob);
            let pays = block.len() < blob.len() && block.len() as u64 * LARGEST_RATIO >= blob.len() as u64;
            match u32::try_from(blob.len()) {
                Ok(raw_length) if pays => Packed { bytes: Cow::Owned(block), flags: FLAG_LZ4, raw_length },
                _ => pack(blob, Packing::Raw),
            }
        }
    }
}

/// Unpacks `stored` into the blob. `entry` has been checked, so it asks for at most eight times the number of
/// stored bytes.
pub(super) fn unpack<'a>(entry: &DirectoryEntry, stored: &'a [u8]) -> Result<Cow<'a, [u8]>, TileError> {
    if !entry.is_lz4() {
        return Ok(Cow::Borrowed(stored));
    }
    let expected = format!("an LZ4 block of {} bytes of tile", entry.raw_length);
    let blob = decompress(stored, entry.raw_length as usize);
    blob.map(Cow::Owned).map_err(|found| TileError { rule: "tile-lz4", expected, found })
}

#[cfg(feature = "lz4")]
fn decompress(stored: &[u8], raw_length: usize) -> Result<Vec<u8>, String> {
    super::lz4::decompress(stored, raw_length)
}

#[cfg(not(feature = "lz4"))]
fn decompress(_: &[u8], _: usize) -> Result<Vec<u8>, String> {
    Err("no decoder for it: this program was built without the feature `lz4` of navtile".to_owned())
}

#[cfg(all(test, feature = "lz4"))]
mod tests {
    use super::*;

    #[test]
    fn a_block_as_long_as_its_blob_is_not_kept() {
        // Incompressible bytes, some of them repeated, then other bytes. From some number of repeats on, a
        // block is shorter.
        let fresh: Vec<u8> = (0..64).collect();
        let blobs = (0..32).map(|again| [&fresh[..], &fresh[..again], b"nothing more"].concat());
        let mut as_long = 0;
        for blob in blobs {
            let (block, packed) = (super::super::lz4::compress(&blob), pack(&blob, Packing::Lz4));
            as_long += usize::from(block.len() == blob.len());
            let is_block = packed.flags == FLAG_LZ4;
            assert_eq!(is_block, block.len() < blob.len(), "{} bytes as {}", blob.len(), block.len());
            assert_eq!(*packed.bytes, *if is_block { &block } else { &blob });
        }
        assert!(as_long > 0, "no block is as long as its blob");
    }
}
