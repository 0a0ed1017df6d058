//! The neighbours of floors, kept as differences between indices: two bytes a side, and the same four numbers for floor
//! after floor of open ground, which stages can so take in one piece.

use super::{Direction, NO_NEIGHBOUR};
use std::ops::Range;

/// In place of a difference: the neighbour is listed apart.
const FAR: u16 = u16::MAX;
const SIDE_BITS: usize = 16;
/// The sides along x.
const ALONG_X: u64 = 0x0000_ffff_0000_ffff;

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

    #[inline]
    fn side(self, direction: usize) -> u16 {
        (self.0 >> (SIDE_BITS * direction)) as u16
    }

    /// The neighbours of the floor `span`.
    #[inline]
    fn around(self, span: u32) -> [u32; 4] {
        Direction::ALL.map(|direction| {
            let other = self.lead(span, direction);
            if other == span { NO_NEIGHBOUR } else { other }
        })
    }

    /// Where the step in one direction leads from the floor `span`: to itself if there is none.
    #[inline]
    fn lead(self, span: u32, direction: Direction) -> u32 {
        let step = u32::from(self.side(direction as usize));
        if is_backward(direction) { span.wrapping_sub(step) } else { span.wrapping_add(step) }
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

/// Floors that are worth being taken as a run.
const LEAST_RUN: usize = 8;

/// Some consecutive floors: part of a run, or such as must be looked at one by one.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) spans: Range<usize>,
    pub(crate) run: Option<Run>,
}

/// The neighbours of all floors of a field, by [`Direction`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    steps: Vec<Steps>,
    /// Neighbours whose distance does not fit in 16 bits, by floor and direction, in order. Rows have tens of thousands
    /// of floors before there are any.
    far: Vec<((u32, u8), u32)>,
    runs: Vec<Run>,
}

impl Neighbours {
    /// From the index of each neighbour, or [`NO_NEIGHBOUR`].
    pub fn from_lists(lists: &[[u32; 4]]) -> Neighbours {
        let mut far = Vec::new();
        let mut steps = vec![Steps::default(); lists.len()];
        for ((span, around), steps) in (0u32..).zip(lists).zip(&mut steps) {
            for (direction, &other) in Direction::ALL.into_iter().zip(around) {
                if other == NO_NEIGHBOUR {
                    continue;
                }
                let step =
                    if is_backward(direction) { span.checked_sub(other) } else { other.checked_sub(span) };
                let step = step.and_then(|step| u16::try_from(step).ok()).filter(|&step| step != 0);
                let step = step.unwrap_or(FAR);
                if step == FAR {
                    far.push(((span, direction as u8), other));
                }
                steps.add_if(Steps::one(direction, step), true);
            }
        }
        let runs = if far.is_empty() { find_runs(&steps) } else { Vec::new() };
        Neighbours { steps, far, runs }
    }

    /// From steps none of which is too far for 16 bits.
    pub(crate) fn from_steps(steps: Vec<Steps>) -> Neighbours {
        let runs = find_runs(&steps);
        Neighbours { steps, far: Vec::new(), runs }
    }

    /// Whether all differences between indices up to this one fit.
    pub(crate) fn fits(difference: usize) -> bool {
        difference < usize::from(FAR)
    }

    /// Number of floors.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are no floors.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The neighbours of a floor, as indices, or [`NO_NEIGHBOUR`].
    #[inline]
    pub fn of(&self, span: usize) -> [u32; 4] {
        let around = self.steps[span].around(span as u32);
        if self.far.is_empty() { around } else { self.with_far(span, around) }
    }

    /// As [`Neighbours::of`], but a floor itself in place of a neighbour that it lacks.
    #[inline]
    pub(crate) fn of_or_self(&self, span: usize) -> [u32; 4] {
        let steps = self.steps[span];
        if !self.far.is_empty() {
            return self.of(span).map(|other| if other == NO_NEIGHBOUR { span as u32 } else { other });
        }
        Direction::ALL.map(|direction| steps.lead(span as u32, direction))
    }

    /// The neighbours of all floors, as [`Neighbours::of`].
    pub fn to_lists(&self) -> Vec<[u32; 4]> {
        (0..self.len()).map(|span| self.of(span)).collect()
    }

    #[cold]
    fn with_far(&self, span: usize, mut around: [u32; 4]) -> [u32; 4] {
        for (direction, other) in around.iter_mut().enumerate() {
            if self.steps[span].side(direction) == FAR {
                *other = self.find_far(span, direction);
            }
        }
        around
    }

    #[cold]
    fn find_far(&self, span: usize, direction: usize) -> u32 {
        let key = (span as u32, direction as u8);
        self.far.binary_search_by_key(&key, |far| far.0).map_or(NO_NEIGHBOUR, |found| self.far[found].1)
    }

    /// The neighbour of a floor in one direction, as an index, or [`NO_NEIGHBOUR`].
    #[inline]
    pub(crate) fn one(&self, span: usize, direction: Direction) -> u32 {
        let step = self.steps[span].side(direction as usize);
        let distance = u32::from(step);
        match step {
            0 => NO_NEIGHBOUR,
            FAR => self.find_far(span, direction as usize),
            _ if is_backward(direction) => span as u32 - distance,
            _ => span as u32 + distance,
        }
    }

    /// The floors `spans` in pieces, in order. Runs are cut so that all neighbours are among the floors `at_hand`.
    pub(crate) fn pieces(&self, spans: Range<usize>, at_hand: &Range<usize>) -> Vec<Piece> {
        let first = self.runs.partition_point(|run| run.end as usize <= spans.start);
        let mut pieces = Vec::new();
        let mut at = spans.start;
        for run in &self.runs[first..] {
            let start = (run.start as usize).max(at).max(at_hand.start + run.above + run.left);
            let end =
                (run.end as usize).min(spans.end).min(at_hand.end.saturating_sub(run.below + run.right));
            if run.start as usize >= spans.end {
                break;
            }
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

fn find_runs(steps: &[Steps]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < steps.len() {
        let alike = steps[start..].iter().take_while(|&&other| other == steps[start]).count();
        if alike >= LEAST_RUN {
            push_runs(steps, start..start + alike, &mut runs);
        }
        start += alike;
    }
    runs
}

/// Finds the runs among floors with the same steps: left and right neighbours must be alike too, and those above and
/// below have left and right neighbours at the same distance.
fn push_runs(steps: &[Steps], alike: Range<usize>, runs: &mut Vec<Run>) {
    let own = steps[alike.start];
    let sides = [0, 1, 2, 3].map(|direction| usize::from(own.side(direction)));
    if sides.iter().any(|&side| side == 0 || side == usize::from(FAR)) {
        return;
    }
    let [left, below, right, above] = sides;
    let first = (alike.start + left).max(above + left);
    let last = alike.end.min(steps.len().saturating_sub(below)).saturating_sub(right);
    if first + LEAST_RUN > last {
        return;
    }
    let (up, down) = (&steps[first - above..last - above], &steps[first + below..last + below]);
    let mut start = first;
    let mut push = |start: usize, end: usize| {
        let length = end - start;
        if length >= LEAST_RUN && length + right <= above && length + left <= below {
            runs.push(Run { start: start as u32, end: end as u32, left, right, above, below });
        }
    };
    for (span, (up, down)) in (first..).zip(up.iter().zip(down)) {
        if ((up.0 ^ own.0) | (down.0 ^ own.0)) & ALONG_X != 0 {
            push(start, span);
            start = span + 1;
        }
    }
    push(start, last);
}

#[cfg(test)]
mod tests;
