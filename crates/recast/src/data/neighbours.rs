//! The neighbours of floors, kept as differences between indices. On open ground floor after floor has the same four,
//! which stages can so take in one piece; and a block of floors has few that differ, so that a floor names its own by
//! a byte.

mod parts;

use super::alike::alike;
use super::{Direction, NO_NEIGHBOUR};
use parts::Parts;
use rayon::prelude::*;
use std::ops::Range;

const SIDE_BITS: usize = 16;

/// How far the neighbours of a floor lie in the list of floors: 16 bits by [`Direction`], zero for none. Those towards
/// smaller x and z lie before it, the others behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Steps(u64);

impl Steps {
    /// A neighbour in one direction, so many floors away.
    #[inline]
    pub(crate) fn one(direction: Direction, distance: u16) -> Steps {
        Steps(u64::from(distance) << (SIDE_BITS * direction as usize))
    }

    /// Adds the steps of `other`, in directions where there are none, if `really`. Free of branches.
    #[inline]
    pub(crate) fn add_if(&mut self, other: Steps, really: bool) {
        self.0 |= if really { other.0 } else { 0 };
    }

    /// From the indices of the neighbours of the floor `span`, if none is too far, or where none can be.
    fn from_list(span: u32, list: &[u32; 4]) -> Option<Steps> {
        let mut steps = Steps::default();
        for (direction, &other) in Direction::ALL.into_iter().zip(list) {
            if other != NO_NEIGHBOUR {
                let (first, last) = if is_backward(direction) { (other, span) } else { (span, other) };
                steps.add_if(Steps::one(direction, u16::try_from(last.checked_sub(first)?).ok()?), true);
            }
        }
        Some(steps)
    }

    #[inline]
    fn side(self, direction: usize) -> u16 {
        (self.0 >> (SIDE_BITS * direction)) as u16
    }

    /// What is to be added to a floor's index for each of its neighbours.
    fn differences(self) -> Differences {
        Differences(Direction::ALL.map(|direction| {
            let step = u32::from(self.side(direction as usize));
            if is_backward(direction) { step.wrapping_neg() } else { step }
        }))
    }
}

/// Whether neighbours in this direction come first in the list of floors.
#[inline]
fn is_backward(direction: Direction) -> bool {
    matches!(direction, Direction::XMin | Direction::ZMin)
}

/// Consecutive floors whose eight neighbours all lie at the same distances in the list of floors: nearly all of open
/// ground. From floor `span` the neighbours are `span - left`, `span + right`, `span - above` and `span + below`, those
/// across a corner are the sums; and none of these, left and right apart, is of the run itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    start: u32,
    end: u32,
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) above: usize,
    pub(crate) below: usize,
}

/// Some consecutive floors: part of a run, or such as must be looked at one by one.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) spans: Range<usize>,
    pub(crate) run: Option<Run>,
}

/// Where the neighbours of a floor lie: what is to be added to its index, by [`Direction`]; zero for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Differences([u32; 4]);

impl Differences {
    /// The neighbour of the floor `span`, if it has one.
    #[inline]
    pub(crate) fn lead(&self, span: usize, direction: Direction) -> Option<usize> {
        let difference = self.0[direction as usize];
        (difference != 0).then(|| (span as u32).wrapping_add(difference) as usize)
    }

    /// The neighbours of the floor `span`, itself in place of one that it lacks.
    #[inline]
    pub(crate) fn lead_or_stay(&self, span: usize) -> [usize; 4] {
        self.0.map(|difference| (span as u32).wrapping_add(difference) as usize)
    }

    /// Whether the neighbour is the floor that comes before in the list.
    #[inline]
    pub(crate) fn leads_to_last(&self, direction: Direction) -> bool {
        self.0[direction as usize] == u32::MAX
    }

    /// Whether the neighbour is the floor that comes next in the list.
    #[inline]
    pub(crate) fn leads_to_next(&self, direction: Direction) -> bool {
        self.0[direction as usize] == 1
    }
}

/// Floors that share a list of what their neighbours can be: as many as a byte tells apart, so that it always has room.
const BLOCK: usize = 256;
/// Blocks that are taken together when neighbours are put together, by one thread. Tests have small fields.
const SHARE: usize = if cfg!(test) { 2 } else { 256 };

/// Where the neighbours of some floors of a block lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Around {
    differences: Differences,
    /// Whether those across a corner are the sums of two of them, as in a [`Run`].
    even: bool,
}

/// Some floors in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    /// The first of the block's own lists.
    first: u32,
    /// Which of them each floor has.
    codes: [u8; BLOCK],
}

impl Block {
    const EMPTY: Block = Block { first: 0, codes: [0; BLOCK] };
}

/// The neighbours of all floors of a field, by [`Direction`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    count: usize,
    blocks: Vec<Block>,
    arounds: Vec<Around>,
    runs: Vec<Run>,
}

impl Neighbours {
    /// From the index of each neighbour, or [`NO_NEIGHBOUR`]. A floor is not its own neighbour.
    pub fn from_lists(lists: &[[u32; 4]]) -> Neighbours {
        let steps: Option<Vec<Steps>> =
            (0u32..).zip(lists).map(|(span, list)| Steps::from_list(span, list)).collect();
        match steps {
            Some(steps) => Neighbours::from_steps(&steps, 1),
            None => Neighbours::from_far_lists(lists),
        }
    }

    /// As [`Neighbours::from_lists`], where neighbours are too far away for steps: without runs.
    fn from_far_lists(lists: &[[u32; 4]]) -> Neighbours {
        let mut parts = Parts::default();
        let mut blocks = vec![Block::EMPTY; lists.len().div_ceil(BLOCK)];
        for (index, (lists, block)) in lists.chunks(BLOCK).zip(&mut blocks).enumerate() {
            parts.start(block);
            for (floor, (list, code)) in lists.iter().zip(&mut block.codes).enumerate() {
                let span = (index * BLOCK + floor) as u32;
                let difference =
                    |other: u32| if other == NO_NEIGHBOUR { 0 } else { other.wrapping_sub(span) };
                *code = parts.code(Around { differences: Differences(list.map(difference)), even: false });
            }
        }
        parts.finish(lists.len(), blocks)
    }

    /// From steps.
    pub(crate) fn from_steps(steps: &[Steps], threads: usize) -> Neighbours {
        Neighbours::from_shares(steps.len(), threads, |_, parts, start, blocks| {
            parts.add(steps, 0, start, blocks);
        })
    }

    /// From steps that are found by the way, so that those of all floors are never there at once. `find` is asked for
    /// those of a range of floors, and of the rows beside them, and tells the first floor of those that it found.
    pub(crate) fn from_found(
        count: usize,
        threads: usize,
        find: impl Fn(Range<usize>, &mut Vec<Steps>) -> usize + Sync,
    ) -> Neighbours {
        Neighbours::from_shares(count, threads, |steps, parts, start, blocks| {
            let end = (start + blocks.len()) * BLOCK;
            let first = find(start * BLOCK..end.min(count), steps);
            parts.add(steps, first, start, blocks);
        })
    }

    /// From shares of the blocks, by so many threads. `add` gets a list to use, what to add to, the number of the first
    /// block, and the blocks.
    fn from_shares(
        count: usize,
        threads: usize,
        add: impl Fn(&mut Vec<Steps>, &mut Parts, usize, &mut [Block]) + Sync,
    ) -> Neighbours {
        let mut blocks = vec![Block::EMPTY; count.div_ceil(BLOCK)];
        let mut parts = Parts::default();
        if threads > 1 {
            let work =
                blocks.par_chunks_mut(SHARE).enumerate().map_init(Vec::new, |steps, (share, blocks)| {
                    let mut parts = Parts::default();
                    add(steps, &mut parts, share * SHARE, blocks);
                    parts
                });
            let shares: Vec<Parts> = work.collect();
            for (share, blocks) in shares.iter().zip(blocks.chunks_mut(SHARE)) {
                parts.append(share, blocks);
            }
        } else {
            // In the same shares, so that the same runs are found.
            let mut steps = Vec::new();
            for (share, blocks) in blocks.chunks_mut(SHARE).enumerate() {
                add(&mut steps, &mut parts, share * SHARE, blocks);
            }
        }
        parts.finish(count, blocks)
    }

    /// Whether all differences between indices up to this one can be steps.
    pub(crate) fn fits(difference: usize) -> bool {
        difference <= usize::from(u16::MAX)
    }

    /// Number of floors.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no floors.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    fn around(&self, span: usize) -> &Around {
        let block = &self.blocks[span / BLOCK];
        &self.arounds[block.first as usize + usize::from(block.codes[span % BLOCK])]
    }

    /// Where the neighbours of a floor lie.
    #[inline]
    pub(crate) fn differences(&self, span: usize) -> &Differences {
        &self.around(span).differences
    }

    /// The neighbours of a floor, as indices, or [`NO_NEIGHBOUR`].
    #[inline]
    pub fn of(&self, span: usize) -> [u32; 4] {
        self.around(span).differences.0.map(|difference| lead(span, difference))
    }

    /// As [`Neighbours::of`], and whether the floor lies in open ground, where those across a corner are `a + b - span`
    /// for the neighbours `a` and `b` beside it, whichever of them they are reached by.
    #[inline]
    pub(crate) fn of_and_even(&self, span: usize) -> ([u32; 4], bool) {
        let Around { differences, even } = *self.around(span);
        (differences.0.map(|difference| lead(span, difference)), even)
    }

    /// As [`Neighbours::of`], but a floor itself in place of a neighbour that it lacks.
    #[inline]
    pub(crate) fn of_or_self(&self, span: usize) -> [u32; 4] {
        self.around(span).differences.0.map(|difference| (span as u32).wrapping_add(difference))
    }

    /// The neighbours of a floor as [`Neighbours::of`], and those across the corners, each from the neighbour of the
    /// same place by the direction that comes next; where the floor lies in open ground, without asking the neighbours.
    #[inline]
    pub(crate) fn of_and_across(&self, span: usize) -> ([u32; 4], [u32; 4]) {
        let Around { differences: Differences(differences), even } = *self.around(span);
        if even {
            let [a, b, c, d] = differences;
            let from = |difference: u32| (span as u32).wrapping_add(difference);
            let across = [a.wrapping_add(b), b.wrapping_add(c), c.wrapping_add(d), d.wrapping_add(a)];
            return (differences.map(from), across.map(from));
        }
        let around = differences.map(|difference| lead(span, difference));
        let across = Direction::ALL.map(|direction| match around[direction as usize] {
            NO_NEIGHBOUR => NO_NEIGHBOUR,
            beside => self.one(beside as usize, direction.next()),
        });
        (around, across)
    }

    /// The neighbours of all floors, as [`Neighbours::of`].
    pub fn to_lists(&self) -> Vec<[u32; 4]> {
        (0..self.len()).map(|span| self.of(span)).collect()
    }

    /// The neighbour of a floor in one direction, as an index, or [`NO_NEIGHBOUR`].
    #[inline]
    pub(crate) fn one(&self, span: usize, direction: Direction) -> u32 {
        lead(span, self.around(span).differences.0[direction as usize])
    }

    /// The floors `spans` in pieces whose neighbours all lie at the same distances, in order. Pieces may be shorter
    /// than need be.
    pub(crate) fn stretches(
        &self,
        spans: Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, &Differences)> {
        let mut at = spans.start;
        std::iter::from_fn(move || {
            if at >= spans.end {
                return None;
            }
            let (block, first) = (&self.blocks[at / BLOCK], at % BLOCK);
            let codes = &block.codes[first..BLOCK.min(first + (spans.end - at))];
            let around = &self.arounds[block.first as usize + usize::from(codes[0])];
            let start = at;
            at += alike(codes);
            Some((start..at, &around.differences))
        })
    }

    /// The floors `spans` in pieces, in order. Runs are cut so that all neighbours are among the floors `at_hand`.
    pub(crate) fn pieces(&self, spans: Range<usize>, at_hand: &Range<usize>) -> Vec<Piece> {
        let first = self.runs.partition_point(|run| run.end as usize <= spans.start);
        let runs = &self.runs[first..];
        let count = runs.partition_point(|run| (run.start as usize) < spans.end);
        // One each, one before each, and what is left.
        let mut pieces = Vec::with_capacity(2 * count + 1);
        let mut at = spans.start;
        for run in &runs[..count] {
            let start = (run.start as usize).max(at).max(at_hand.start + run.above + run.left);
            let end =
                (run.end as usize).min(spans.end).min(at_hand.end.saturating_sub(run.below + run.right));
            if start >= end {
                continue;
            }
            if at < start {
                pieces.push(Piece { spans: at..start, run: None });
            }
            pieces.push(Piece { spans: start..end, run: Some(*run) });
            at = end;
        }
        if at < spans.end {
            pieces.push(Piece { spans: at..spans.end, run: None });
        }
        pieces
    }
}

/// Where a difference leads from a floor.
#[inline]
fn lead(span: usize, difference: u32) -> u32 {
    if difference == 0 { NO_NEIGHBOUR } else { (span as u32).wrapping_add(difference) }
}

#[cfg(test)]
mod tests;
