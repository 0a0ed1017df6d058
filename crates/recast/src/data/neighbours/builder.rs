//! Building [`Neighbours`]: the dictionaries of blocks, and the runs among the floors.

use super::{BLOCK, Block, Differences, Entry, Neighbours, Run, Steps};
use crate::data::Direction;
use crate::lists::{leading, leading_equal};
use std::ops::Range;

/// Mask of the steps along x in [`Steps`].
const ALONG_X: u64 = 0x0000_ffff_0000_ffff;
/// Least number of floors that is worth a run.
const LEAST_RUN: usize = 8;
/// Number of entries, from the end of a dictionary, that are searched for an equal one; older entries are
/// listed again. A dictionary always has room: it needs no more entries than its block has floors.
const RECENT: usize = 4;

/// Neighbours under construction, stored as [`Steps`], or as [`Differences`] if they are too far away for
/// steps.
#[derive(Default)]
pub(super) struct Builder<T> {
    /// Start of the dictionary of the current block.
    first: usize,
    /// The contents of each [`Entry`].
    dictionary: Vec<(T, bool)>,
    runs: Vec<Run>,
}

impl Builder<Steps> {
    /// Adds some blocks, `start` being the number of the first, and finds the runs among their floors.
    /// `steps` starts with floor `base`; it has the steps of the blocks' own floors and of all floors next to
    /// these.
    pub(super) fn add(&mut self, steps: &[Steps], base: usize, start: usize, blocks: &mut [Block]) {
        let start = start * BLOCK - base;
        let own = &steps[..steps.len().min(start + blocks.len() * BLOCK)];
        let mut at = start;
        while at < own.len() {
            let end = at + leading_equal(&own[at..]);
            let own_steps = own[at];
            let known = self.runs.len();
            if end - at >= LEAST_RUN {
                push_runs(steps, base, at..end, &mut self.runs);
            }
            for index in known..self.runs.len() {
                let [first, last] =
                    [self.runs[index].start, self.runs[index].end].map(|floor| floor as usize - base);
                self.set((own_steps, false), at - start..first - start, blocks);
                self.set((own_steps, true), first - start..last - start, blocks);
                at = last;
            }
            self.set((own_steps, false), at - start..end - start, blocks);
            at = end;
        }
    }
}

impl<T: Copy + PartialEq> Builder<T> {
    /// The code of an entry within the current block.
    #[inline]
    fn code(&mut self, entry: (T, bool)) -> u8 {
        let recent = self.first.max(self.dictionary.len().saturating_sub(RECENT));
        let known = self.dictionary[recent..].iter().rposition(|other| *other == entry);
        let place = known.map_or(self.dictionary.len(), |known| recent + known);
        if known.is_none() {
            self.dictionary.push(entry);
        }
        (place - self.first) as u8
    }

    /// Sets the codes of the next floors, counted from the first of the blocks.
    #[inline]
    pub(super) fn set(&mut self, entry: (T, bool), floors: Range<usize>, blocks: &mut [Block]) {
        let mut at = floors.start;
        while at < floors.end {
            let block = &mut blocks[at / BLOCK];
            if at.is_multiple_of(BLOCK) {
                self.first = self.dictionary.len();
                block.first = self.first as u32;
            }
            let first = at % BLOCK;
            let count = (floors.end - at).min(BLOCK - first);
            block.codes[first..first + count].fill(self.code(entry));
            at += count;
        }
    }

    /// Appends the entries and runs of the blocks that follow.
    pub(super) fn append(&mut self, other: &Builder<T>, blocks: &mut [Block]) {
        blocks.iter_mut().for_each(|block| block.first += self.dictionary.len() as u32);
        self.dictionary.extend_from_slice(&other.dictionary);
        self.runs.extend_from_slice(&other.runs);
    }

    pub(super) fn finish(
        mut self,
        count: usize,
        blocks: Vec<Block>,
        differences: impl Fn(T) -> Differences,
    ) -> Neighbours {
        self.runs.shrink_to_fit();
        let entry = |(place, in_run): (T, bool)| Entry { differences: differences(place), in_run };
        let dictionary = self.dictionary.into_iter().map(entry).collect();
        Neighbours { count, blocks, dictionary, runs: self.runs }
    }
}

/// Finds the runs among floors with equal steps: left and right neighbours must have these steps too, and the
/// floors above and below must have left and right neighbours at the same distances. `base` is the floor of
/// the first steps.
fn push_runs(steps: &[Steps], base: usize, equal: Range<usize>, runs: &mut Vec<Run>) {
    let own = steps[equal.start];
    let distances = Direction::ALL.map(|direction| usize::from(own.distance(direction)));
    if distances.contains(&0) {
        return;
    }
    let [left, below, right, above] = distances;
    let first = (equal.start + left).max((above + left).saturating_sub(base));
    let last = equal.end.min(steps.len().saturating_sub(below)).saturating_sub(right);
    let mut at = first;
    while at + LEAST_RUN <= last {
        let (up, down) = (&steps[at - above..][..last - at], &steps[at + below..][..last - at]);
        let is_like = |other: Steps| (other.0 ^ own.0) & ALONG_X == 0;
        let length = leading(last - at, |index| is_like(up[index]) & is_like(down[index]));
        if length >= LEAST_RUN && length + right <= above && length + left <= below {
            let [start, end] = [at, at + length].map(|floor| (base + floor) as u32);
            runs.push(Run { start, end, left, right, above, below });
        }
        at += length + 1;
    }
}
