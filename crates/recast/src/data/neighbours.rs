//! The neighbours of all floors, stored compactly and fast to scan: a dictionary code with an index of runs.
//!
//! Four indices would take 16 bytes per floor. But on open ground the *difference* between a floor's index
//! and that of its neighbour is the same for floor after floor:
//!
//! ```text
//!   row z - 1    .. 40 41 42 43 44 ..      floor 61:  left -1, below +20, right +1, above -20
//!   row z        .. 60 61 62 63 64 ..      floor 62:  the same
//!   row z + 1    .. 80 81 82 83 84 ..      floor 63:  the same
//! ```
//!
//! - *Dictionary code*: floors are stored in blocks of 256. A block lists the sets of four differences that
//!   occur in it, and each floor selects one of them by a byte, which is always enough.
//! - *Run-length index*: consecutive floors whose eight neighbours all have the same differences are listed
//!   as a `Run`. Passes over all floors read a run as contiguous slices, without any lookup. On open ground
//!   nine floors of ten are in runs, including columns of several storeys.
//!
//! On nav_test at 0.1 m this takes 2 to 3 bytes per floor, and runs save a sixth of the instructions of a
//! whole bake.

mod builder;

use super::Direction;
use builder::Builder;
use rayon::prelude::*;
use std::ops::Range;

/// Represents a missing neighbour in a list of indices.
pub const NO_NEIGHBOUR: u32 = u32::MAX;

const DISTANCE_BITS: usize = 16;

/// Distances in the list of floors to the neighbours of one floor, during the search for them: 16 bits by
/// [`Direction`], zero for a missing neighbour. Neighbours towards smaller x and z come before the floor, the
/// others after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Steps(u64);

impl Steps {
    /// A neighbour in one direction.
    #[inline]
    pub(crate) fn one(direction: Direction, distance: u16) -> Steps {
        Steps(u64::from(distance) << (DISTANCE_BITS * direction as usize))
    }

    /// Returns true if all distances up to this one can be stored as steps.
    pub(crate) fn fit(distance: usize) -> bool {
        distance <= usize::from(u16::MAX)
    }

    /// Adds the steps of `other` in directions that have no step yet, if `really`. Branchless.
    #[inline]
    pub(crate) fn add_if(&mut self, other: Steps, really: bool) {
        self.0 |= if really { other.0 } else { 0 };
    }

    /// Builds the steps of `floor` from the indices of its neighbours; `None` if one is too far away or on
    /// the wrong side.
    fn from_list(floor: u32, list: &[u32; 4]) -> Option<Steps> {
        let mut steps = Steps::default();
        for (direction, &other) in Direction::ALL.into_iter().zip(list) {
            if other != NO_NEIGHBOUR {
                let (first, last) = if is_backward(direction) { (other, floor) } else { (floor, other) };
                steps.add_if(Steps::one(direction, u16::try_from(last.checked_sub(first)?).ok()?), true);
            }
        }
        Some(steps)
    }

    #[inline]
    fn distance(self, direction: Direction) -> u16 {
        (self.0 >> (DISTANCE_BITS * direction as usize)) as u16
    }

    fn differences(self) -> Differences {
        Differences(Direction::ALL.map(|direction| {
            let distance = u32::from(self.distance(direction));
            if is_backward(direction) { distance.wrapping_neg() } else { distance }
        }))
    }
}

/// Returns true if neighbours in this direction come first in the list of floors.
#[inline]
fn is_backward(direction: Direction) -> bool {
    matches!(direction, Direction::XMin | Direction::ZMin)
}

/// The numbers to add to the index of a floor to get its neighbours, wrapping, by [`Direction`]; zero for a
/// missing neighbour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Differences([u32; 4]);

/// The neighbours of some floors of a block: an entry of the dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    differences: Differences,
    /// True for the floors of a [`Run`]: their neighbours across a corner are sums of two differences.
    in_run: bool,
}

/// Consecutive floors whose eight neighbours all have the same distances in the list of floors. The
/// neighbours of floor `span` are `span - left`, `span + right`, `span - above` and `span + below`; those
/// across a corner are the sums. Apart from the left and right neighbours, none of them is in the run itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    start: u32,
    end: u32,
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) above: usize,
    pub(crate) below: usize,
}

/// Consecutive floors: part of a run, or floors that must be examined one by one.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    pub(crate) spans: Range<usize>,
    pub(crate) run: Option<Run>,
}

/// Floors that share a dictionary: a byte numbers 256 entries, so a dictionary always has room.
const BLOCK: usize = 256;
/// Blocks that one thread builds at a time; fewer in tests, whose fields are small.
const SHARE: usize = if cfg!(test) { 2 } else { 256 };

/// The codes of consecutive floors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    /// Start of the block's own part of the dictionary.
    first: u32,
    /// Index of each floor's entry in that part.
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
    dictionary: Vec<Entry>,
    runs: Vec<Run>,
}

impl Neighbours {
    /// Builds the neighbours from indices, or [`NO_NEIGHBOUR`], by direction. A floor must not be its own
    /// neighbour.
    pub fn from_lists(lists: &[[u32; 4]]) -> Neighbours {
        Neighbours::from_floors(lists.len(), |floor| lists[floor])
    }

    /// Like [`Neighbours::from_lists`], from the list of each floor.
    pub(crate) fn from_floors(count: usize, list: impl Fn(usize) -> [u32; 4]) -> Neighbours {
        let steps: Option<Vec<Steps>> =
            (0..count).map(|floor| Steps::from_list(floor as u32, &list(floor))).collect();
        match steps {
            Some(steps) => Neighbours::from_steps(&steps, 1),
            None => Neighbours::from_far_lists(count, list),
        }
    }

    /// Like [`Neighbours::from_floors`], for neighbours that are too far away for steps. Finds no runs.
    fn from_far_lists(count: usize, list: impl Fn(usize) -> [u32; 4]) -> Neighbours {
        let mut builder = Builder::default();
        let mut blocks = vec![Block::EMPTY; count.div_ceil(BLOCK)];
        for floor in 0..count {
            let difference = |other: u32| match other {
                NO_NEIGHBOUR => 0,
                other => other.wrapping_sub(floor as u32),
            };
            let differences = Differences(list(floor).map(difference));
            builder.set((differences, false), floor..floor + 1, &mut blocks);
        }
        builder.finish(count, blocks, |differences| differences)
    }

    /// Builds the neighbours from the steps of all floors.
    fn from_steps(steps: &[Steps], threads: usize) -> Neighbours {
        Neighbours::from_shares(steps.len(), threads, |_, builder, start, blocks| {
            builder.add(steps, 0, start, blocks);
        })
    }

    /// Builds the neighbours from steps that are searched a share at a time, so that the steps of all floors
    /// are never held at once. `find` finds the steps of a range of floors and of the adjacent rows, and
    /// returns the first floor that it covers.
    pub(crate) fn from_found(
        count: usize,
        threads: usize,
        find: impl Fn(Range<usize>, &mut Vec<Steps>) -> usize + Sync,
    ) -> Neighbours {
        Neighbours::from_shares(count, threads, |steps, builder, start, blocks| {
            let end = (start + blocks.len()) * BLOCK;
            let first = find(start * BLOCK..end.min(count), steps);
            builder.add(steps, first, start, blocks);
        })
    }

    /// Builds the neighbours from shares of the blocks, on several threads. `add` gets a list to use, the
    /// builder to add to, the number of the first block, and the blocks.
    fn from_shares(
        count: usize,
        threads: usize,
        add: impl Fn(&mut Vec<Steps>, &mut Builder<Steps>, usize, &mut [Block]) + Sync,
    ) -> Neighbours {
        let mut blocks = vec![Block::EMPTY; count.div_ceil(BLOCK)];
        let mut builder = Builder::default();
        if threads > 1 {
            let work =
                blocks.par_chunks_mut(SHARE).enumerate().map_init(Vec::new, |steps, (share, blocks)| {
                    let mut builder = Builder::default();
                    add(steps, &mut builder, share * SHARE, blocks);
                    builder
                });
            let shares: Vec<Builder<Steps>> = work.collect();
            for (share, blocks) in shares.iter().zip(blocks.chunks_mut(SHARE)) {
                builder.append(share, blocks);
            }
        } else {
            // Use equal shares here too, so that the runs are equal to those of several threads.
            let mut steps = Vec::new();
            for (share, blocks) in blocks.chunks_mut(SHARE).enumerate() {
                add(&mut steps, &mut builder, share * SHARE, blocks);
            }
        }
        builder.finish(count, blocks, Steps::differences)
    }

    /// Number of floors.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true if there are no floors.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Memory of the lists, bytes.
    pub(crate) fn memory(&self) -> u64 {
        let lists = [size_of_val(self.blocks.as_slice()), size_of_val(self.dictionary.as_slice())];
        (lists.iter().sum::<usize>() + size_of_val(self.runs.as_slice())) as u64
    }

    #[inline]
    fn entry(&self, floor: usize) -> &Entry {
        let block = &self.blocks[floor / BLOCK];
        &self.dictionary[block.first as usize + usize::from(block.codes[floor % BLOCK])]
    }

    /// The neighbours of a floor, as indices, or [`NO_NEIGHBOUR`].
    #[inline]
    pub fn of(&self, floor: usize) -> [u32; 4] {
        self.entry(floor).differences.0.map(|difference| index(floor, difference))
    }

    /// The neighbour of a floor in one direction, as an index, or [`NO_NEIGHBOUR`].
    #[inline]
    pub fn one(&self, floor: usize, direction: Direction) -> u32 {
        index(floor, self.entry(floor).differences.0[direction as usize])
    }

    /// Like [`Neighbours::of`], but returns the floor itself instead of a missing neighbour, for loops in
    /// which this has no effect. Branchless.
    #[inline]
    pub(crate) fn of_or_self(&self, floor: usize) -> [u32; 4] {
        self.entry(floor).differences.0.map(|difference| (floor as u32).wrapping_add(difference))
    }

    /// Like [`Neighbours::one`], but returns the floor itself instead of a missing neighbour.
    #[inline]
    pub(crate) fn one_or_self(&self, floor: usize, direction: Direction) -> u32 {
        (floor as u32).wrapping_add(self.entry(floor).differences.0[direction as usize])
    }

    /// Like [`Neighbours::of`], and true if the floor is in a run. Then all eight floors around it exist, and
    /// [`across`] returns the floors across its corners.
    #[inline]
    pub(crate) fn of_in_run(&self, floor: usize) -> ([u32; 4], bool) {
        let Entry { differences, in_run } = self.entry(floor);
        (differences.0.map(|difference| index(floor, difference)), *in_run)
    }

    /// The neighbours of all floors, in the form of [`Neighbours::of`].
    pub fn to_lists(&self) -> Vec<[u32; 4]> {
        (0..self.len()).map(|floor| self.of(floor)).collect()
    }

    /// Splits the floors `spans` into stretches, in order. Runs are shortened so that all neighbours are
    /// among the floors `within`.
    pub(crate) fn runs(&self, spans: Range<usize>, within: &Range<usize>) -> Vec<Stretch> {
        let first = self.runs.partition_point(|run| run.end as usize <= spans.start);
        let runs = &self.runs[first..];
        let count = runs.partition_point(|run| (run.start as usize) < spans.end);
        // One for each run, one before each, and one after the last.
        let mut stretches = Vec::with_capacity(2 * count + 1);
        let mut at = spans.start;
        for run in &runs[..count] {
            let start = (run.start as usize).max(at).max(within.start + run.above + run.left);
            let end = (run.end as usize).min(spans.end).min(within.end.saturating_sub(run.below + run.right));
            if start >= end {
                continue;
            }
            if at < start {
                stretches.push(Stretch { spans: at..start, run: None });
            }
            stretches.push(Stretch { spans: start..end, run: Some(*run) });
            at = end;
        }
        if at < spans.end {
            stretches.push(Stretch { spans: at..spans.end, run: None });
        }
        stretches
    }
}

/// The index of the neighbour at a difference from a floor.
#[inline]
fn index(floor: usize, difference: u32) -> u32 {
    if difference == 0 { NO_NEIGHBOUR } else { (floor as u32).wrapping_add(difference) }
}

/// The floor across the corner between two neighbours of a floor of a run.
#[inline]
pub(crate) fn across(floor: u32, [beside, ahead]: [u32; 2]) -> u32 {
    beside.wrapping_add(ahead).wrapping_sub(floor)
}

#[cfg(test)]
mod tests;
