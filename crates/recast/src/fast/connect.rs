//! The second half of stage 6, compact: neighbours of all floors. Defined by [`compact::find_neighbours`].
//!
//! Lemma: if the climb is at most half the height, a floor has at most one neighbour on each side, and every
//! step leads in both directions. Two floors of a column that both share the height with a third are further
//! apart than the height, so no floor is within a climb of both. So each pair of columns is searched once for
//! both, and the result is final.

use crate::data::compact::CompactArrays;
use crate::data::compact::state::Compacted;
use crate::data::neighbours::Steps;
use crate::data::{CompactField, Direction, Neighbours};
use crate::error::Error;
use crate::lists::{leading, partition_point};
use crate::stage::Context;
use crate::stage::compact::{self, Params, Storey};
use std::ops::Range;

/// Connects the floors of a field, in shares on the threads of the context.
pub fn connect(
    mut parts: CompactArrays,
    params: &Params,
    context: &mut Context,
) -> Result<CompactField<Compacted>, Error> {
    let (width, depth) = (parts.grid.width as usize, parts.grid.depth as usize);
    let first_of = |row: usize| parts.offsets[row * width] as usize;
    let fits = |row: usize| Steps::fit(first_of((row + 2).min(depth)) - first_of(row));
    if 2 * params.walkable_climb > params.walkable_height || !(0..depth).all(fits) {
        parts.neighbours = compact::find_neighbours(&parts, params);
        return Ok(CompactField::from_arrays(parts));
    }
    let neighbours = Neighbours::from_found(parts.floor.len(), context.threads, |floors, steps| {
        find_steps(&parts, params, floors, steps)
    });
    Ok(CompactField::connected(parts, neighbours))
}

/// Finds the steps of some floors and of the adjacent rows; returns the first floor that the steps cover.
fn find_steps(parts: &CompactArrays, params: &Params, floors: Range<usize>, steps: &mut Vec<Steps>) -> usize {
    let (width, depth) = (parts.grid.width as usize, parts.grid.depth as usize);
    let first_of = |row: usize| parts.offsets[row * width] as usize;
    // The last row that begins at this floor or before.
    let row_of = |floor: usize| partition_point(depth, |row| first_of(row) <= floor).saturating_sub(1);
    let last = row_of(floors.end - 1);
    let rows = row_of(floors.start).saturating_sub(1)..(last + 2).min(depth);
    let first = first_of(rows.start);
    steps.clear();
    steps.resize(first_of(rows.end) - first, Steps::default());
    Connector { parts, params, first, steps }.connect_rows(rows);
    first
}

/// Connects the floors of some rows.
struct Connector<'a> {
    parts: &'a CompactArrays,
    params: &'a Params,
    /// First floor of the rows.
    first: usize,
    /// The steps of the floors of these rows only.
    steps: &'a mut [Steps],
}

/// Two lists of the offsets of columns: a row and the one after it, or a row and itself shifted by one
/// column. Neighbouring columns of the grid have the same index in both.
#[derive(Clone, Copy)]
struct ColumnPairs<'a> {
    before: &'a [u32],
    after: &'a [u32],
    /// From the later column to the earlier one, and back.
    back: Direction,
    forth: Direction,
}

/// The largest number of floors that are processed together.
const CHUNK: usize = 64;

impl Connector<'_> {
    fn connect_rows(&mut self, rows: Range<usize>) {
        let width = self.parts.grid.width as usize;
        let row = |row: usize| &self.parts.offsets[row * width..=(row + 1) * width];
        for z in rows.clone() {
            let here = row(z);
            let (before, after) = (&here[..width], &here[1..]);
            self.connect(ColumnPairs { before, after, back: Direction::XMin, forth: Direction::XMax });
            if z > rows.start {
                let before = row(z - 1);
                self.connect(ColumnPairs {
                    before,
                    after: here,
                    back: Direction::ZMin,
                    forth: Direction::ZMax,
                });
            }
        }
    }

    /// Connects pairs of columns. If several consecutive columns have equal numbers of floors on both sides,
    /// floors that face each other are at one distance in the list of floors, and are processed together.
    fn connect(&mut self, pairs: ColumnPairs<'_>) {
        let ColumnPairs { before, after, .. } = pairs;
        let columns = before.len() - 1;
        let mut x = 0;
        while x < columns {
            let distance = after[x] - before[x];
            let count = columns - x;
            let (before_ends, after_ends) = (&before[x + 1..][..count], &after[x + 1..][..count]);
            let end = x + leading(count, |index| after_ends[index] - before_ends[index] == distance);
            while x < end {
                let stretch = x..end.min(x + CHUNK);
                let floors = before[stretch.start] as usize..before[stretch.end] as usize;
                // This completes columns with one floor; in others a floor without a step may have a step to
                // another floor.
                if !self.connect_stretch(floors, distance, pairs) {
                    for x in stretch.clone().filter(|&x| before[x + 1] - before[x] > 1) {
                        self.connect_columns(x, pairs);
                    }
                }
                x = stretch.end;
            }
            if x < columns {
                self.connect_columns(x, pairs);
                x += 1;
            }
        }
    }

    /// Connects all floors of two columns.
    fn connect_columns(&mut self, x: usize, pairs: ColumnPairs<'_>) {
        let ColumnPairs { before, after, back, forth } = pairs;
        let others = before[x] as usize..before[x + 1] as usize;
        if others.is_empty() {
            return;
        }
        for floor in after[x] as usize..after[x + 1] as usize {
            let storey = Storey::of(self.parts, floor);
            for other in others.clone() {
                if storey.meets(Storey::of(self.parts, other), self.params) {
                    let distance = (floor - other) as u16;
                    self.steps[floor - self.first].add_if(Steps::one(back, distance), true);
                    self.steps[other - self.first].add_if(Steps::one(forth, distance), true);
                }
            }
        }
    }

    /// Connects each of some floors with the floor at a distance after it, if they meet; returns true if all
    /// do.
    fn connect_stretch(&mut self, floors: Range<usize>, distance: u32, pairs: ColumnPairs<'_>) -> bool {
        let CompactArrays { floor, clearance, .. } = self.parts;
        let params = *self.params;
        let mut all = true;
        let mut start = floors.start;
        while start < floors.end {
            let count = (floors.end - start).min(CHUNK);
            let other = start + distance as usize;
            let own = floor[start..][..count].iter().zip(&clearance[start..][..count]);
            let others = floor[other..][..count].iter().zip(&clearance[other..][..count]);
            let mut meets = [0u32; CHUNK];
            let mut missing = 0;
            for ((a, b), meets) in own.zip(others).zip(&mut meets) {
                let met = Storey::new(*a.0, *a.1).meets(Storey::new(*b.0, *b.1), &params);
                *meets = if met { u32::MAX } else { 0 };
                missing |= !*meets;
            }
            all &= missing == 0;
            for (first, direction) in [(other, pairs.back), (start, pairs.forth)] {
                let step = Steps::one(direction, distance as u16);
                let steps = &mut self.steps[first - self.first..][..count];
                if missing == 0 {
                    // No masks, which are half of the work.
                    steps.iter_mut().for_each(|steps| steps.add_if(step, true));
                } else {
                    steps.iter_mut().zip(&meets).for_each(|(steps, &meets)| steps.add_if(step, meets != 0));
                }
            }
            start += count;
        }
        all
    }
}
