//! Triangles in a file without a name, by the block of tiles that they reach: written in the order of
//! arrival, read block by block. A triangle that reaches several blocks is in each.

use recast::AreaId;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;

/// Bytes of a triangle: its number, its corners, its area.
const RECORD: usize = 48;
/// Records of a page: the triangles of a block that are written together.
const PAGE: u64 = 256;
/// Bytes of memory for each block, while triangles are added.
pub(super) const BLOCK_MEMORY: u64 = PAGE * RECORD as u64;

/// A triangle of the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Binned {
    /// Its place among all triangles of the level: chunk by chunk, in their order.
    pub(super) number: u64,
    /// Metres from the lattice's origin.
    pub(super) corners: [[f32; 3]; 3],
    pub(super) area: AreaId,
}

/// Triangles by block.
pub(super) struct Bins {
    file: File,
    /// Pages in the file.
    pages: u64,
    blocks: Vec<Bin>,
}

/// The triangles of one block.
#[derive(Clone, Default)]
struct Bin {
    /// Full pages, by their place in the file.
    pages: Vec<u64>,
    /// Records that do not fill a page.
    rest: Vec<u8>,
}

impl Bins {
    /// Starts without triangles, for this number of blocks.
    pub(super) fn new(file: File, blocks: usize) -> Bins {
        Bins { file, pages: 0, blocks: vec![Bin::default(); blocks] }
    }

    /// Adds a triangle to a block.
    pub(super) fn add(&mut self, block: usize, triangle: &Binned) -> io::Result<()> {
        let bin = &mut self.blocks[block];
        bin.rest.extend(triangle.number.to_le_bytes());
        triangle.corners.as_flattened().iter().for_each(|value| bin.rest.extend(value.to_le_bytes()));
        bin.rest.extend(u32::from(triangle.area.0).to_le_bytes());
        if bin.rest.len() as u64 == BLOCK_MEMORY {
            self.file.seek(SeekFrom::Start(self.pages * BLOCK_MEMORY))?;
            self.file.write_all(&bin.rest)?;
            bin.rest.clear();
            bin.pages.push(self.pages);
            self.pages += 1;
        }
        Ok(())
    }

    /// Number of triangles of a block.
    pub(super) fn count(&self, block: usize) -> u64 {
        let bin = &self.blocks[block];
        bin.pages.len() as u64 * PAGE + (bin.rest.len() / RECORD) as u64
    }

    /// Passes on the triangles of a block, in the order of arrival.
    pub(super) fn each(&self, block: usize, take: &mut dyn FnMut(Binned)) -> io::Result<()> {
        let bin = &self.blocks[block];
        let mut page = vec![0; BLOCK_MEMORY as usize];
        for place in &bin.pages {
            (&self.file).seek(SeekFrom::Start(place * BLOCK_MEMORY))?;
            (&self.file).read_exact(&mut page)?;
            page.chunks_exact(RECORD).for_each(|record| take(Binned::of(record)));
        }
        bin.rest.chunks_exact(RECORD).for_each(|record| take(Binned::of(record)));
        Ok(())
    }

    /// Frees memory that only more triangles would need.
    pub(super) fn shrink(&mut self) {
        for bin in &mut self.blocks {
            bin.rest = mem::take(&mut bin.rest).into_boxed_slice().into_vec();
        }
    }
}

impl Binned {
    /// A triangle from its record, which has [`RECORD`] bytes.
    fn of(record: &[u8]) -> Binned {
        let word = |index: usize| {
            let mut bytes = [0; 4];
            bytes.copy_from_slice(&record[4 * index..4 * index + 4]);
            u32::from_le_bytes(bytes)
        };
        let corner = |first: usize| [0, 1, 2].map(|axis| f32::from_bits(word(2 + first + axis)));
        Binned {
            number: u64::from(word(0)) | u64::from(word(1)) << 32,
            corners: [corner(0), corner(3), corner(6)],
            // Written from a byte.
            area: AreaId(word(11) as u8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_come_out_as_they_went_in() {
        let triangle = |number: u64| Binned {
            number: number << 20,
            corners: [0, 1, 2].map(|corner| [number as f32, -0.5, corner as f32]),
            area: AreaId(number as u8),
        };
        let mut bins = Bins::new(tempfile::tempfile().unwrap(), 3);
        let block = |number: u64| if number.is_multiple_of(7) { 2 } else { 0 };
        for number in 0..2000 {
            bins.add(block(number), &triangle(number)).unwrap();
        }
        bins.shrink();
        for wanted in 0..3 {
            let mut found = Vec::new();
            bins.each(wanted, &mut |triangle| found.push(triangle)).unwrap();
            let expected: Vec<Binned> =
                (0..2000).filter(|number| block(*number) == wanted).map(triangle).collect();
            assert_eq!(found, expected);
            assert_eq!(bins.count(wanted), expected.len() as u64);
        }
    }
}
