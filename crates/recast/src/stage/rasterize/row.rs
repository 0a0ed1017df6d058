//! The fragments of one row, by column.

use super::lines::LANES;
use super::packed::{FEW, Packed, merge_few, merge_many, merge_packed};
use super::quantise::{Fragments, NOTHING};
use super::rows::RowSink;

/// Fragments of a column that have a place of their own; further ones go to a list of the row.
const SLOTS: usize = 2 * FEW;

/// The fragments of one row.
#[derive(Default)]
pub(super) struct RowFragments {
    width: usize,
    /// Fragments of each column of the row; some columns more than it has, so that several are taken at once.
    counts: Vec<u32>,
    /// The first few fragments of each column.
    slots: Vec<[Packed; SLOTS]>,
    /// Further fragments, with their columns.
    overflow: Vec<(u32, Packed)>,
    /// The fragments of one column.
    pub(super) column: Vec<Packed>,
}

impl RowFragments {
    /// Makes place for rows of so many columns; all are empty.
    pub(super) fn begin(&mut self, width: usize) {
        self.width = width;
        self.counts.clear();
        self.counts.resize(width + LANES, 0);
        self.slots.resize((width + LANES).max(self.slots.len()), [Packed::default(); SLOTS]);
        self.overflow.clear();
    }

    /// Adds a fragment to each of `count` columns from `first` on, but for those that are nothing.
    #[inline(always)]
    pub(super) fn push(&mut self, first: usize, count: usize, fragments: &Fragments) {
        let (counts, slots) = (&mut self.counts[first..][..LANES], &mut self.slots[first..][..LANES]);
        let fullest = counts[0].max(counts[1]).max(counts[2].max(counts[3]));
        if fullest >= SLOTS as u32 {
            self.push_overflow(first, count, fragments);
            return;
        }
        for lane in 0..LANES {
            // What is beyond the last of a column may be overwritten, and does not count.
            let fragment = fragments.get(lane);
            slots[lane][counts[lane] as usize % SLOTS] = fragment;
            counts[lane] += u32::from((lane < count) & (fragment != NOTHING));
        }
    }

    /// Adds a fragment to each of the columns from `first` on, but for those that are nothing.
    #[inline(always)]
    pub(super) fn push_run(&mut self, first: usize, fragments: &[Packed]) {
        let columns = first..first + fragments.len();
        let places = self.counts[columns.clone()].iter_mut().zip(&mut self.slots[columns]);
        for (step, (&fragment, (count, slots))) in fragments.iter().zip(places).enumerate() {
            if fragment == NOTHING {
                continue;
            }
            match slots.get_mut(*count as usize) {
                Some(slot) => *slot = fragment,
                None => self.overflow.push(((first + step) as u32, fragment)),
            }
            *count += 1;
        }
    }

    #[inline(never)]
    fn push_overflow(&mut self, first: usize, count: usize, fragments: &Fragments) {
        for lane in 0..count.min(LANES) {
            let (column, fragment) = (first + lane, fragments.get(lane));
            if fragment == NOTHING {
                continue;
            }
            let place = self.counts[column] as usize;
            match self.slots[column].get_mut(place) {
                Some(slot) => *slot = fragment,
                None => self.overflow.push((column as u32, fragment)),
            }
            self.counts[column] += 1;
        }
    }

    /// Hands the spans of each column of the row to `sink`, and forgets its fragments.
    pub(super) fn merge(&mut self, row: u32, threshold: i32, sink: &mut impl RowSink) {
        let RowFragments { width, counts, slots, overflow, column } = self;
        overflow.sort_unstable();
        let mut rest = overflow.as_slice();
        let counts = &mut counts[..*width];
        let mut x = 0;
        while let Some(&count) = counts.get(x) {
            let count = count as usize;
            if count == 0 {
                let left = &counts[x..];
                let empty = left.iter().position(|&count| count != 0).unwrap_or(left.len());
                sink.empty_columns(row, empty);
                x += empty;
                continue;
            }
            let fragments = &mut slots[x];
            let spans = match fragments.first_chunk_mut() {
                Some(few) if count <= FEW => merge_few(few, count, threshold),
                _ if count <= SLOTS => merge_many(fragments, count, threshold),
                _ => {
                    let (own, after) = rest.split_at(count - SLOTS);
                    debug_assert!(own.iter().all(|(column, _)| *column as usize == x));
                    rest = after;
                    column.clear();
                    column.extend_from_slice(fragments);
                    column.extend(own.iter().map(|(_, fragment)| fragment));
                    let spans = merge_packed(column, threshold);
                    sink.column(row, &column[..spans]);
                    x += 1;
                    continue;
                }
            };
            sink.column(row, &fragments[..spans]);
            x += 1;
        }
        counts.fill(0);
        overflow.clear();
    }
}
