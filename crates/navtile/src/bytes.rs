//! Aligned immutable bytes that tiles are read from in place: one buffer per tile, or one for all tiles of a
//! file.

use bytemuck::{Pod, Zeroable};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

/// Sixteen bytes at a sixteen-byte boundary: buffers consist of these, so that every section can be read in
/// place.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(16))]
struct Block([u8; BLOCK]);

const BLOCK: usize = 16;

/// Immutable bytes in aligned memory, for example a whole file. Cloning shares them. Nothing can change them,
/// so what was verified stays valid.
///
/// [`NavFile::open_shared`](crate::NavFile::open_shared) takes tiles out of them without a copy. The memory
/// stays allocated as long as anything shares it: one tile of a file keeps the whole file in memory.
#[derive(Clone)]
pub struct SharedBytes {
    blocks: Arc<[Block]>,
    /// The range of bytes within the blocks; starts at a block boundary.
    place: Range<usize>,
}

impl SharedBytes {
    /// Reads a regular file straight to where its bytes stay. Refuses anything else, because a device may
    /// never end; [`SharedBytes::read_from`] accepts readers that the caller knows to end.
    pub fn read(path: impl AsRef<Path>) -> io::Result<SharedBytes> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
        }
        let length = usize::try_from(metadata.len()).map_err(|_| ErrorKind::FileTooLarge)?;
        SharedBytes::read_from(file, length)
    }

    /// Reads `reader` to its end. Allocates `expected` bytes up front and reads into them. If the reader has
    /// more, they are copied once; it may also have fewer.
    pub fn read_from(mut reader: impl Read, expected: usize) -> io::Result<SharedBytes> {
        let mut result = Ok(0);
        let mut bytes = SharedBytes::filled(expected, |buffer| result = fill(&mut reader, buffer));
        let length = result?;
        let mut more = Vec::new();
        if length == expected {
            reader.read_to_end(&mut more)?;
        }
        if !more.is_empty() {
            return Ok(SharedBytes::from(&[&bytes, &more[..]].concat()[..]));
        }
        bytes.place.end = length;
        Ok(bytes)
    }

    /// Makes `length` zero bytes and lets `fill` write them.
    pub(crate) fn filled(length: usize, fill: impl FnOnce(&mut [u8])) -> SharedBytes {
        let mut blocks: Arc<[Block]> = std::iter::repeat_n(Block::zeroed(), length.div_ceil(BLOCK)).collect();
        // The blocks are not shared yet, so this copies nothing.
        fill(&mut bytemuck::cast_slice_mut(Arc::make_mut(&mut blocks))[..length]);
        SharedBytes { blocks, place: 0..length }
    }

    /// The bytes in `range`: shared if they start at a boundary, else a copy. `None` if there are no such
    /// bytes.
    #[cfg(feature = "file")]
    pub(crate) fn part(&self, range: Range<usize>) -> Option<SharedBytes> {
        let bytes = self.get(range.clone())?;
        let start = self.place.start + range.start;
        Some(match start.is_multiple_of(BLOCK) {
            true => SharedBytes { blocks: Arc::clone(&self.blocks), place: start..start + range.len() },
            false => SharedBytes::from(bytes),
        })
    }
}

/// Reads until `buffer` is full or the reader ends; returns the number of bytes read.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match reader.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// Copies the bytes.
impl From<&[u8]> for SharedBytes {
    fn from(bytes: &[u8]) -> SharedBytes {
        // Aligned bytes are copied as a whole. Bytes in memory and in file maps nearly always are aligned.
        match bytemuck::try_cast_slice::<u8, Block>(bytes) {
            Ok(blocks) => SharedBytes { blocks: Arc::from(blocks), place: 0..bytes.len() },
            Err(_) => SharedBytes::filled(bytes.len(), |buffer| buffer.copy_from_slice(bytes)),
        }
    }
}

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.blocks)[self.place.clone()]
    }
}

impl std::fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedBytes").field("bytes", &self.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Yields one byte at a time, and is interrupted before each.
    struct Slow<'a>(&'a [u8], bool);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::Interrupted.into());
            }
            let count = buffer.len().min(1);
            self.0.read(&mut buffer[..count])
        }
    }

    #[test]
    fn what_is_read_is_what_there_was() {
        let bytes: Vec<u8> = (0..100).collect();
        for length in [0, 1, 15, 16, 17, 99, 100] {
            for expected in [0, length / 2, length, length + 1, 200] {
                let read = SharedBytes::read_from(&bytes[..length], expected).unwrap();
                assert_eq!(read[..], bytes[..length]);
                let slow = SharedBytes::read_from(Slow(&bytes[..length], false), expected).unwrap();
                assert_eq!(slow[..], bytes[..length]);
            }
            let copy = SharedBytes::from(&bytes[..length]);
            assert_eq!(copy[..], bytes[..length]);
            assert!(copy.as_ptr().cast::<Block>().is_aligned());
        }
    }

    #[test]
    fn a_file_is_read_and_a_missing_one_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        std::fs::write(&path, [7; 1000]).unwrap();
        assert_eq!(SharedBytes::read(&path).unwrap()[..], [7; 1000]);
        let missing = SharedBytes::read(folder.path().join("nothing")).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        assert_eq!(SharedBytes::read(&folder).unwrap_err().kind(), ErrorKind::IsADirectory);
    }

    #[test]
    fn parts_are_shared_where_they_can_be() {
        let bytes: Vec<u8> = (0..100).collect();
        let shared = SharedBytes::from(&bytes[..]);
        for (start, is_shared) in [(0, true), (16, true), (17, false), (96, true)] {
            let part = shared.part(start..98).unwrap();
            assert_eq!(part[..], bytes[start..98]);
            assert_eq!(part.as_ptr() == shared[start..].as_ptr(), is_shared, "{start}");
            assert!(part.as_ptr().cast::<Block>().is_aligned());
            // A part of a part.
            let inner = part.part(1..2).unwrap();
            assert_eq!(inner[..], [bytes[start + 1]]);
        }
        // The last block has spare bytes after the end, which must stay invisible.
        assert!(shared.part(96..101).is_none() && shared.part(101..101).is_none());
        assert!(shared.part(usize::MAX..usize::MAX).is_none());
    }

    #[test]
    fn copies_are_aligned_wherever_the_bytes_stand() {
        let bytes: Vec<u8> = (0..100).collect();
        for start in 0..32 {
            let copy = SharedBytes::from(&bytes[start..start + 64]);
            assert_eq!(copy[..], bytes[start..start + 64]);
            assert!(copy.as_ptr().cast::<Block>().is_aligned());
        }
    }
}
