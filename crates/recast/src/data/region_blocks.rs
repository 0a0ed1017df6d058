//! Finds regions above each other. A list of all pairs would take the square of the number of storeys;
//! instead each region lists its blocks:
//!
//! ```text
//!    columns   1  2  3  4  5  6  7     A block is two or more consecutive columns with the same regions.
//!    above           b  b  b  c  c     A region is above or below another one if they have a block in
//!    below     a  a  a  a  a  a  a     common: b has block 0, c block 1, a both.
//!    block           0  0  0  1  1
//! ```

use super::compact::state::Eroded;
use super::{CompactField, RegionId};

/// The blocks of columns that a region is in, ascending.
pub(crate) type Blocks = Vec<u32>;

/// The blocks of all regions.
pub(crate) struct RegionBlocks {
    /// Blocks of each region; the first entry is for no region.
    pub(crate) blocks: Vec<Blocks>,
    /// True if the region is above itself somewhere.
    pub(crate) overlaps: Vec<bool>,
    /// Number of blocks.
    pub(crate) count: u32,
}

/// Finds the blocks of `count` regions. Cost: O(spans).
pub(crate) fn find_blocks(field: &CompactField<Eroded>, labels: &[RegionId], count: u32) -> RegionBlocks {
    let regions = count as usize + 1;
    let mut by_region =
        RegionBlocks { blocks: vec![Blocks::new(); regions], overlaps: vec![false; regions], count: 0 };
    let mut last: &[RegionId] = &[];
    field.offsets.for_each_stacked(|spans| {
        let column = &labels[spans];
        // Most columns have the same regions as the previous one.
        if std::mem::replace(&mut last, column) == column {
            return;
        }
        let inner = || column.iter().filter(|label| label.is_inner());
        if inner().nth(1).is_none() {
            return;
        }
        for label in inner() {
            let blocks = &mut by_region.blocks[label.index()];
            if blocks.last() == Some(&by_region.count) {
                by_region.overlaps[label.index()] = true;
            } else {
                blocks.push(by_region.count);
            }
        }
        by_region.count += 1;
    });
    by_region
}
