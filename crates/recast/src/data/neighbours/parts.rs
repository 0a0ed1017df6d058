//! How the neighbours of all floors are put together: lists by block, and the runs among the floors.

use super::{Around, BLOCK, Block, Neighbours, Run, Steps};
use crate::data::alike::alike;
use std::ops::Range;

/// Of [`Steps`], those along x.
const ALONG_X: u64 = 0x0000_ffff_0000_ffff;
/// Floors that are worth being taken as a run.
const LEAST_RUN: usize = 8;

/// Neighbours while they are put together.
#[derive(Default)]
pub(super) struct Parts {
    /// The first list of the block at hand.
    first: usize,
    arounds: Vec<Around>,
    runs: Vec<Run>,
    /// Steps that floors of the block outside runs lately had, with their code. The first of a block takes all places.
    lately: [(Steps, u8); LATELY],
    /// The place that was taken last, if the block has any.
    place: Option<usize>,
}

/// How many lists that came last are looked for; others are kept once more. A block has room for as many as it has
/// floors.
const LATELY: usize = 4;

impl Parts {
    pub(super) fn start(&mut self, block: &mut Block) {
        self.first = self.arounds.len();
        block.first = self.first as u32;
        self.place = None;
    }

    /// Adds what is around a floor to the lists of the block at hand; its code.
    fn push(&mut self, around: Around) -> u8 {
        self.arounds.push(around);
        (self.arounds.len() - 1 - self.first) as u8
    }

    /// The code, within the block at hand, of what is around a floor.
    pub(super) fn code(&mut self, around: Around) -> u8 {
        let lately = self.first.max(self.arounds.len().saturating_sub(LATELY));
        match self.arounds[lately..].iter().rposition(|other| *other == around) {
            Some(known) => (lately + known - self.first) as u8,
            None => self.push(around),
        }
    }

    /// As [`Parts::code`], for a floor with these steps that is not part of a run.
    #[inline]
    fn code_of(&mut self, steps: Steps) -> u8 {
        if self.place.is_some()
            && let Some((_, code)) = self.lately.iter().find(|(other, _)| *other == steps)
        {
            return *code;
        }
        let known = (steps, self.push(Around { differences: steps.differences(), even: false }));
        match &mut self.place {
            Some(place) => {
                *place = (*place + 1) % LATELY;
                self.lately[*place] = known;
            }
            None => (self.lately, self.place) = ([known; LATELY], Some(0)),
        }
        known.1
    }

    /// Adds some blocks, of which `start` is the number of the first, and finds the runs among their floors. `steps` are
    /// those of the floors from `base` on: of the blocks' own, and of all that lie beside those.
    pub(super) fn add(&mut self, steps: &[Steps], base: usize, start: usize, blocks: &mut [Block]) {
        let start = start * BLOCK - base;
        let steps_at_hand = &steps[..steps.len().min(start + blocks.len() * BLOCK)];
        let mut at = start;
        while at < steps_at_hand.len() {
            let own = steps[at];
            if steps_at_hand.get(at + 1) != Some(&own) {
                let block = self.block_of(at - start, blocks);
                block.codes[(at - start) % BLOCK] = self.code_of(own);
                at += 1;
                continue;
            }
            let end = at + alike(&steps_at_hand[at..]);
            let known = self.runs.len();
            if end - at >= LEAST_RUN {
                push_runs(steps, base, at..end, &mut self.runs);
            }
            for run in known..self.runs.len() {
                let (first, last) =
                    (self.runs[run].start as usize - base, self.runs[run].end as usize - base);
                self.set(own, false, at - start..first - start, blocks);
                self.set(own, true, first - start..last - start, blocks);
                at = last;
            }
            self.set(own, false, at - start..end - start, blocks);
            at = end;
        }
    }

    /// Gives some floors, counted from the first of the blocks, their codes.
    fn set(&mut self, steps: Steps, even: bool, floors: Range<usize>, blocks: &mut [Block]) {
        let mut at = floors.start;
        while at < floors.end {
            let block = self.block_of(at, blocks);
            let code = if even {
                self.code(Around { differences: steps.differences(), even })
            } else {
                self.code_of(steps)
            };
            let first = at % BLOCK;
            let count = (floors.end - at).min(BLOCK - first);
            block.codes[first..first + count].fill(code);
            at += count;
        }
    }

    /// The block of a floor, which starts it if it is its first.
    #[inline]
    fn block_of<'a>(&mut self, floor: usize, blocks: &'a mut [Block]) -> &'a mut Block {
        let block = &mut blocks[floor / BLOCK];
        if floor.is_multiple_of(BLOCK) {
            self.start(block);
        }
        block
    }

    /// Adds the parts of the blocks that follow.
    pub(super) fn append(&mut self, other: &Parts, blocks: &mut [Block]) {
        blocks.iter_mut().for_each(|block| block.first += self.arounds.len() as u32);
        self.arounds.extend_from_slice(&other.arounds);
        self.runs.extend_from_slice(&other.runs);
    }

    pub(super) fn finish(mut self, count: usize, blocks: Vec<Block>) -> Neighbours {
        self.arounds.shrink_to_fit();
        self.runs.shrink_to_fit();
        Neighbours { count, blocks, arounds: self.arounds, runs: self.runs }
    }
}

/// Floors that are held against others without a way out in between, so that many are compared at once.
const TOGETHER: usize = 8;

/// Finds the runs among floors with the same steps: left and right neighbours must be alike too, and those above and
/// below have left and right neighbours at the same distance. `base` is the floor of the first steps.
fn push_runs(steps: &[Steps], base: usize, alike: Range<usize>, runs: &mut Vec<Run>) {
    let own = steps[alike.start];
    let sides = [0, 1, 2, 3].map(|direction| usize::from(own.side(direction)));
    if sides.contains(&0) {
        return;
    }
    let [left, below, right, above] = sides;
    let first = (alike.start + left).max((above + left).saturating_sub(base));
    let last = alike.end.min(steps.len().saturating_sub(below)).saturating_sub(right);
    if first + LEAST_RUN > last {
        return;
    }
    let (up, down) = (&steps[first - above..last - above], &steps[first + below..last + below]);
    let mut start = first;
    let mut push = |start: usize, end: usize| {
        let length = end - start;
        if length >= LEAST_RUN && length + right <= above && length + left <= below {
            let [start, end] = [start, end].map(|floor| (base + floor) as u32);
            runs.push(Run { start, end, left, right, above, below });
        }
    };
    let odd = |up: Steps, down: Steps| (up.0 ^ own.0) | (down.0 ^ own.0);
    let ((ups, up_rest), (downs, down_rest)) = (up.as_chunks::<TOGETHER>(), down.as_chunks::<TOGETHER>());
    let mut look = |first: usize, up: &[Steps], down: &[Steps]| {
        for (span, (&up, &down)) in (first..).zip(up.iter().zip(down)) {
            if odd(up, down) & ALONG_X != 0 {
                push(start, span);
                start = span + 1;
            }
        }
    };
    for (span, (up, down)) in (first..).step_by(TOGETHER).zip(ups.iter().zip(downs)) {
        if up.iter().zip(down).fold(0, |bits, (&up, &down)| bits | odd(up, down)) & ALONG_X != 0 {
            look(span, up, down);
        }
    }
    look(first + ups.len() * TOGETHER, up_rest, down_rest);
    push(start, last);
}
