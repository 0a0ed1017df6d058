//! The ledge filter on rows of openings: many columns at a time on open ground, opening by opening elsewhere.
//! Defined by [`crate::stage::filter_ledges`].

use super::Params;
use super::openings::{ColumnOpenings, RowOpenings};
use crate::lists::leading;
use std::ops::Range;

/// A row of openings with the rows above and below.
#[derive(Clone, Copy)]
pub(super) struct RowWindow<'a> {
    pub(super) above: &'a RowOpenings,
    pub(super) here: &'a RowOpenings,
    pub(super) below: &'a RowOpenings,
}

impl RowWindow<'_> {
    /// Marks openings that are level, and so certainly not ledges. The others may be ledges or not.
    ///
    /// Examines stretches of columns that have `n` openings each, like the four columns next to each of them.
    /// Opening `i` of a column is compared with opening `i` of those four. It is level if an agent can step
    /// to all four, and the five floors are within a climb of each other.
    ///
    /// Lemma: if the climb is at most the height, a level opening is not a ledge, regardless of the other
    /// openings in the next columns. Take a neighbouring opening other than the `i`th. If it is below, its
    /// ceiling is below the `i`th floor, which is at most a climb, so at most the height, above the level
    /// floor: an agent cannot pass. If it is above, it begins above the `i`th ceiling, which is at least the
    /// height above the level floor: further than a climb. So an agent can step to neither, and the `i`th
    /// ones leave no drop and too little slope for a ledge.
    pub(super) fn mark_level(&self, params: &Params, level: &mut Vec<bool>) {
        let offsets = self.here.offsets.as_slice();
        level.clear();
        level.resize(self.here.count, false);
        if params.walkable_climb > params.walkable_height {
            return;
        }
        let width = self.here.bottoms.len();
        let mut x = 1;
        while x + 1 < width {
            let count = offsets[x + 1] - offsets[x];
            let columns = if count == offsets[x] - offsets[x - 1] { self.count_alike(x, count) } else { 0 };
            if count > 0 && columns > 0 {
                self.mark_stretch(x..x + columns, params, level);
            }
            x += columns.max(1);
        }
    }

    /// Number of columns from `x` on, without the last one, that have `count` openings, like the columns next
    /// to them.
    fn count_alike(&self, x: usize, count: u32) -> usize {
        let most = self.here.bottoms.len() - x - 1;
        let (here, right) = (&self.here.offsets[x + 1..][..most], &self.here.offsets[x + 2..][..most]);
        let (above, below) = (&self.above.offsets[x + 1..][..most], &self.below.offsets[x + 1..][..most]);
        let to_above = self.above.offsets[x].wrapping_sub(self.here.offsets[x]);
        let to_below = self.below.offsets[x].wrapping_sub(self.here.offsets[x]);
        leading(most, |column| {
            let own = here[column];
            (above[column].wrapping_sub(own) == to_above)
                & (below[column].wrapping_sub(own) == to_below)
                & (right[column] - own == count)
        })
    }

    fn mark_stretch(&self, columns: Range<usize>, params: &Params, level: &mut [bool]) {
        let RowWindow { above, here, below } = *self;
        let first = |row: &RowOpenings| row.offsets[columns.start] as usize;
        let start = first(here);
        let length = here.offsets[columns.end] as usize - start;
        let count = here.offsets[columns.start + 1] as usize - start;
        fn part(values: &[i32], start: usize, length: usize) -> &[i32] {
            &values[start..start + length]
        }
        let beside =
            [(here, start - count), (here, start + count), (above, first(above)), (below, first(below))];
        let [left, right, up, down] = beside.map(|(row, start)| part(&row.floor, start, length));
        let [left_top, right_top, up_top, down_top] =
            beside.map(|(row, start)| part(&row.ceiling, start, length));
        let (floor, ceiling) = (part(&here.floor, start, length), part(&here.ceiling, start, length));
        let (area, level) = (&here.area[start..][..length], &mut level[start..][..length]);
        for index in 0..length {
            let floor = floor[index];
            let highest = left[index].max(right[index]).max(up[index].max(down[index]));
            let lowest = left[index].min(right[index]).min(up[index].min(down[index]));
            let lowest_top = left_top[index].min(right_top[index]).min(up_top[index].min(down_top[index]));
            level[index] = (highest.max(floor) - lowest.min(floor) <= params.walkable_climb)
                & (lowest_top - floor >= params.walkable_height)
                & (ceiling[index] - highest >= params.walkable_height)
                & area[index].is_walkable();
        }
    }

    /// Returns true if an opening of column `x` is a ledge.
    pub(super) fn is_ledge(&self, x: usize, opening: usize, params: &Params) -> bool {
        let mut steps = StepRange::from(self.here.floor[opening], self.here.ceiling[opening], params);
        steps.falls(self.here.column(x - 1), params)
            || steps.falls(self.here.column(x + 1), params)
            || steps.falls(self.above.column(x), params)
            || steps.falls(self.below.column(x), params)
            || steps.highest - steps.lowest > params.walkable_climb
    }
}

/// The range of floors that an agent can step to from one floor, by the rule of the ledge filter. A
/// neighbouring opening does not count if it or this one ends less than the agent's height above the other's
/// floor.
struct StepRange {
    floor: i32,
    /// Openings that end below this height do not count.
    least_ceiling: i32,
    /// Openings that begin above this height do not count.
    most_floor: i32,
    lowest: i32,
    highest: i32,
}

impl StepRange {
    #[inline]
    fn from(floor: i32, ceiling: i32, params: &Params) -> StepRange {
        StepRange {
            floor,
            least_ceiling: floor + params.walkable_height,
            most_floor: ceiling - params.walkable_height,
            lowest: floor,
            highest: floor,
        }
    }

    /// Returns true if an agent could fall into a neighbouring column; else extends the range by the steps
    /// there.
    #[inline]
    fn falls(&mut self, beside: ColumnOpenings<'_>, params: &Params) -> bool {
        if beside.bottom >= self.least_ceiling {
            return true;
        }
        for (&floor, &ceiling) in beside.floor.iter().zip(beside.ceiling) {
            if ceiling < self.least_ceiling {
                continue;
            }
            if floor > self.most_floor {
                break;
            }
            let step = floor - self.floor;
            if step < -params.walkable_climb {
                return true;
            }
            if step <= params.walkable_climb {
                self.lowest = self.lowest.min(floor);
                self.highest = self.highest.max(floor);
            }
        }
        false
    }
}
