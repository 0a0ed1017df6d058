//! The start of each column's spans, in a byte and a half per column.
//!
//! Eight columns share the index of their first span, in 32 bits, and each has a byte for the number of spans
//! from there to its own first (a frame-of-reference code). A field with more spans than that in eight
//! columns stores 32 bits each. On nav_test at 0.1 m this saves 1.8 MB of the 17 MB that a bake takes at
//! most.

use crate::lists::partition_point;
use std::ops::Range;

/// Columns that share a first span.
const BLOCK: usize = 8;

/// Consecutive columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ColumnBlock {
    /// First span of the first column.
    first: u32,
    /// Number of spans from there to the start of each column.
    within: [u8; BLOCK],
}

impl ColumnBlock {
    /// `None` if a column begins too far from the first.
    #[inline(always)]
    fn new(offsets: &[u32]) -> Option<ColumnBlock> {
        let first = offsets[0];
        let (mut within, mut bits) = ([0; BLOCK], 0);
        for (within, offset) in within.iter_mut().zip(offsets) {
            let further = offset.wrapping_sub(first);
            bits |= further;
            *within = further as u8;
        }
        (bits <= u32::from(u8::MAX)).then_some(ColumnBlock { first, within })
    }
}

/// The index of each column's first span; has one more entry than there are columns, so a column ends where
/// the next begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets(Coding);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Coding {
    Packed { count: usize, blocks: Vec<ColumnBlock> },
    Wide(Vec<u32>),
}

impl Offsets {
    /// Encodes the index of each column's first span.
    pub fn new(offsets: Vec<u32>) -> Offsets {
        Offsets(match packed(&offsets) {
            Some(blocks) => Coding::Packed { count: offsets.len(), blocks },
            None => Coding::Wide(offsets),
        })
    }

    /// Number of offsets: one more than columns.
    pub fn len(&self) -> usize {
        match &self.0 {
            Coding::Packed { count, .. } => *count,
            Coding::Wide(offsets) => offsets.len(),
        }
    }

    /// Returns true if there are no offsets; a field has at least one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory of the offsets, bytes.
    pub(crate) fn memory(&self) -> u64 {
        let bytes = match &self.0 {
            Coding::Packed { blocks, .. } => size_of_val(blocks.as_slice()),
            Coding::Wide(offsets) => size_of_val(offsets.as_slice()),
        };
        bytes as u64
    }

    /// First span of a column. If `column` is the number of columns, returns the number of spans.
    #[inline]
    pub fn first(&self, column: usize) -> usize {
        match &self.0 {
            Coding::Packed { blocks, .. } => {
                let ColumnBlock { first, within } = &blocks[column / BLOCK];
                *first as usize + usize::from(within[column % BLOCK])
            }
            Coding::Wide(offsets) => offsets[column] as usize,
        }
    }

    /// The spans of a column.
    #[inline]
    pub fn column(&self, column: usize) -> Range<usize> {
        self.first(column)..self.first(column + 1)
    }

    /// The last column that begins at or before this span; for a span of the field, the column that contains
    /// it.
    pub fn column_of(&self, span: usize) -> usize {
        partition_point(self.len(), |column| self.first(column) <= span).saturating_sub(1)
    }

    /// All offsets, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).map(|column| self.first(column) as u32)
    }

    /// Calls `visit` with the spans of each column that has several, in order.
    pub(crate) fn for_each_stacked(&self, mut visit: impl FnMut(Range<usize>)) {
        let mut visit_several = |offsets: &[u32]| {
            let several = offsets.windows(2).filter(|pair| pair[1] > pair[0] + 1);
            several.for_each(|pair| visit(pair[0] as usize..pair[1] as usize));
        };
        let blocks = match &self.0 {
            Coding::Packed { blocks, .. } => blocks,
            Coding::Wide(offsets) => return visit_several(offsets),
        };
        for (index, &ColumnBlock { first, within }) in blocks.iter().enumerate() {
            let last = first + u32::from(within[BLOCK - 1]);
            let next = blocks.get(index + 1).map_or(last, |next| next.first);
            // Most blocks have no such column; this is checked for all eight at once.
            let has_several = |pair: &[u8]| pair[1].wrapping_sub(pair[0]) > 1;
            if within.windows(2).fold(next > last + 1, |any, pair| any | has_several(pair)) {
                let mut offsets = [next; BLOCK + 1];
                offsets
                    .iter_mut()
                    .zip(within)
                    .for_each(|(offset, within)| *offset = first + u32::from(within));
                visit_several(&offsets);
            }
        }
    }

    /// All offsets, in order.
    pub fn to_vec(&self) -> Vec<u32> {
        self.iter().collect()
    }
}

/// The blocks of columns; `None` if one has too many spans.
fn packed(offsets: &[u32]) -> Option<Vec<ColumnBlock>> {
    let mut blocks = Vec::with_capacity(offsets.len().div_ceil(BLOCK));
    // The compiler knows the length of whole blocks.
    let (whole, rest) = offsets.as_chunks::<BLOCK>();
    for block in whole {
        blocks.push(ColumnBlock::new(block)?);
    }
    if !rest.is_empty() {
        blocks.push(ColumnBlock::new(rest)?);
    }
    Some(blocks)
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
        ) {
            let counts: Vec<u32> = counts.into_iter().chain(many).collect();
            let mut offsets = vec![0];
            offsets.extend(counts.iter().scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            }));
            let packed = Offsets::new(offsets.clone());
            prop_assert_eq!(packed.to_vec(), offsets.clone());
            prop_assert_eq!(packed.len(), offsets.len());
            for span in 0..offsets[counts.len()] as usize + 2 {
                let column = offsets.partition_point(|&first| first as usize <= span) - 1;
                prop_assert_eq!(packed.column_of(span), column);
            }
            for column in 0..counts.len() {
                let spans = offsets[column] as usize..offsets[column + 1] as usize;
                prop_assert_eq!(packed.column(column), spans);
            }
            let mut stacked = Vec::new();
            packed.for_each_stacked(|spans| stacked.push(spans));
            let several = (0..counts.len()).map(|column| packed.column(column)).filter(|spans| spans.len() > 1);
            prop_assert_eq!(stacked, several.collect::<Vec<_>>());
        }
    }

    #[test]
    fn columns_take_a_byte_and_a_half() {
        let offsets = Offsets::new((0..=800).map(|column| column * 3).collect());
        assert!(matches!(&offsets.0, Coding::Packed { blocks, .. } if blocks.len() == 101));
        assert_eq!(size_of::<ColumnBlock>(), 12);
    }
}
