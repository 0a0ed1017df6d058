//! Where the spans of each column begin, in little more than a byte a column.

use std::ops::Range;

/// Columns that share a first span. The spans of so many are nearly always few enough for a byte.
const BLOCK: usize = 8;
/// Fewer offsets are left as they are: for a small tile it would be more work than use.
const LEAST_NARROW: usize = 1 << 14;

/// Some columns in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    /// First span of the first column.
    first: u32,
    /// How many spans further each column begins.
    within: [u8; BLOCK],
}

/// The index of each column's first span; one more than columns, so that a column ends where the next one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets {
    count: usize,
    blocks: Vec<Block>,
    /// All of them, in place of blocks, where they are few, or there is one that no byte holds: columns of dozens of
    /// floors side by side.
    wide: Vec<u32>,
}

impl Offsets {
    /// From the index of each column's first span.
    pub fn new(offsets: Vec<u32>) -> Offsets {
        let count = offsets.len();
        if count < LEAST_NARROW {
            return Offsets { count, blocks: Vec::new(), wide: offsets };
        }
        let mut blocks = Vec::with_capacity(count.div_ceil(BLOCK));
        let (whole, rest) = offsets.as_chunks::<BLOCK>();
        // Bits of what is kept, column by column of a block, so that no step waits for another.
        let mut bits = [0; BLOCK];
        let mut block = |offsets: &[u32; BLOCK]| {
            let first = offsets[0];
            let mut within = [0; BLOCK];
            for ((within, bits), offset) in within.iter_mut().zip(&mut bits).zip(offsets) {
                let further = offset.wrapping_sub(first);
                *bits |= further;
                *within = further as u8;
            }
            Block { first, within }
        };
        blocks.extend(whole.iter().map(&mut block));
        if let Some(&last) = rest.last() {
            let mut filled = [last; BLOCK];
            filled[..rest.len()].copy_from_slice(rest);
            blocks.push(block(&filled));
        }
        let most = bits.iter().fold(0, |all, bits| all | bits);
        let narrow = most <= u32::from(u8::MAX);
        if narrow {
            Offsets { count, blocks, wide: Vec::new() }
        } else {
            Offsets { count, blocks: Vec::new(), wide: offsets }
        }
    }

    /// How many there are: one more than columns.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none; a field has at least one.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// First span of a column; of the number of columns, the number of spans.
    #[inline]
    pub fn first(&self, column: usize) -> usize {
        match self.blocks.get(column / BLOCK) {
            Some(block) => block.first as usize + usize::from(block.within[column % BLOCK]),
            None => self.wide[column] as usize,
        }
    }

    /// The spans of a column.
    #[inline]
    pub fn column(&self, column: usize) -> Range<usize> {
        if let Some(&[start, end]) = self.wide.get(column..).and_then(<[u32]>::first_chunk) {
            return start as usize..end as usize;
        }
        match self.blocks.get(column / BLOCK) {
            Some(&Block { first, within }) if column % BLOCK < BLOCK - 1 => {
                let [start, end] =
                    [0, 1].map(|next| first as usize + usize::from(within[column % BLOCK + next]));
                start..end
            }
            _ => self.first(column)..self.first(column + 1),
        }
    }

    /// The last column that begins at this span or before, so that of a span the one it is in.
    pub fn column_of(&self, span: usize) -> usize {
        partition_point(self.count, |column| self.first(column) <= span).saturating_sub(1)
    }

    /// All of them, in order.
    pub fn to_vec(&self) -> Vec<u32> {
        self.iter().collect()
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.count).map(|column| self.first(column) as u32)
    }

    /// Calls `visit` with the first span and the end of each column that has several spans, in order.
    pub(crate) fn for_stacked(&self, mut visit: impl FnMut(u32, u32)) {
        if self.blocks.is_empty() {
            let (starts, ends) =
                (&self.wide[..self.count.saturating_sub(1)], &self.wide[1.min(self.count)..]);
            // In pieces without a way out in between, so that many are compared at once.
            for (starts, ends) in starts.chunks(32).zip(ends.chunks(32)) {
                let counts = starts.iter().zip(ends).map(|(start, end)| end.wrapping_sub(*start));
                if counts.fold(0, |bits, count| bits | count) > 1 {
                    let own = starts.iter().zip(ends).filter(|(start, end)| **end > **start + 1);
                    own.for_each(|(&start, &end)| visit(start, end));
                }
            }
            return;
        }
        for (index, block) in self.blocks.iter().enumerate() {
            // The counts of all columns of the block but the last, in a byte each: none is negative.
            let starts = u64::from_le_bytes(block.within);
            let last = block.within[BLOCK - 1];
            let counts = (starts >> 8 | u64::from(last) << 56).wrapping_sub(starts);
            let end = block.first + u32::from(last);
            let next = self.blocks.get(index + 1).map_or(end, |next| next.first);
            if counts & 0xfefe_fefe_fefe_fefe != 0 || next > end + 1 {
                let mut start = block.first;
                for end in
                    block.within[1..].iter().map(|&within| block.first + u32::from(within)).chain([next])
                {
                    if end > start + 1 {
                        visit(start, end);
                    }
                    start = end;
                }
            }
        }
    }
}

/// How many of the numbers below `count`, from the first on, are `before`; none that follows the first other one may be.
pub(crate) fn partition_point(count: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn offsets_come_back(
            counts in prop::collection::vec(prop_oneof![0u32..3, 0u32..40], 0..60),
            many in prop::option::of(200u32..300),
            ahead in prop_oneof![Just(0), Just(LEAST_NARROW)],
        ) {
            let counts: Vec<u32> = std::iter::repeat_n(1, ahead).chain(counts).chain(many).collect();
            let mut offsets = vec![0];
            offsets.extend(counts.iter().scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            }));
            let narrow = Offsets::new(offsets.clone());
            prop_assert_eq!(narrow.to_vec(), offsets.clone());
            prop_assert_eq!(narrow.len(), offsets.len());
            for span in ahead..offsets[counts.len()] as usize + 2 {
                let column = offsets.partition_point(|&first| first as usize <= span) - 1;
                prop_assert_eq!(narrow.column_of(span), column);
            }
            for column in ahead..counts.len() {
                let spans = offsets[column] as usize..offsets[column + 1] as usize;
                prop_assert_eq!(narrow.column(column), spans);
            }
            let mut stacked = Vec::new();
            narrow.for_stacked(|start, end| stacked.push((start, end)));
            let several = offsets.windows(2).filter(|pair| pair[1] - pair[0] > 1);
            prop_assert_eq!(stacked, several.map(|pair| (pair[0], pair[1])).collect::<Vec<_>>());
        }
    }

    #[test]
    fn columns_take_little_more_than_a_byte() {
        let offsets = Offsets::new((0..=LEAST_NARROW as u32).map(|column| column * 3).collect());
        assert_eq!((offsets.blocks.len(), offsets.wide.len()), (LEAST_NARROW / 8 + 1, 0));
        assert_eq!(size_of::<Block>(), 12);
    }
}
