//! The ledge filter on rows of openings: open ground in stretches of columns, the rest opening by opening.

use super::Params;
use super::openings::{ColumnOpenings, RowSpans};
use std::ops::Range;

/// A row of openings and those beside it.
#[derive(Clone, Copy)]
pub(super) struct Window<'a> {
    pub(super) above: &'a RowSpans,
    pub(super) here: &'a RowSpans,
    pub(super) below: &'a RowSpans,
}

impl Window<'_> {
    /// Marks openings from which there is no step of more than the climb, nor between the floors beside it. Stretches of
    /// columns are looked at that have as many openings as those beside them, and only the openings in the same place
    /// of their columns are compared; what else there is may be marked or not.
    ///
    /// If one can step to those four, others do not matter: one below them has a ceiling lower than an agent is high,
    /// and one above them begins higher than that, where the climb is not more than the height.
    pub(super) fn mark_level(&self, params: &Params, level: &mut Vec<bool>) {
        let ends = self.here.ends.as_slice();
        level.clear();
        level.resize(self.here.count, false);
        if params.walkable_climb > params.walkable_height {
            return;
        }
        let width = self.here.bottoms.len();
        let mut x = 1;
        while x + 1 < width {
            let count = ends[x + 1] - ends[x];
            let alike = if count == ends[x] - ends[x - 1] { self.alike(x, count) } else { 0 };
            if count > 0 && alike > 0 {
                self.mark_stretch(x..x + alike, params, level);
            }
            x += alike.max(1);
        }
    }

    /// How many columns from `x` on, short of the last one, have `count` openings in a row with those beside them.
    fn alike(&self, x: usize, count: u32) -> usize {
        const CHUNK: usize = 8;
        let last = self.here.bottoms.len();
        let (here, right) = (&self.here.ends[x + 1..last], &self.here.ends[x + 2..=last]);
        let (above, below) = (&self.above.ends[x + 1..last], &self.below.ends[x + 1..last]);
        let to_above = self.above.ends[x].wrapping_sub(self.here.ends[x]);
        let to_below = self.below.ends[x].wrapping_sub(self.here.ends[x]);
        let differs = |column: usize| {
            let here = here[column];
            (above[column].wrapping_sub(here) ^ to_above)
                | (below[column].wrapping_sub(here) ^ to_below)
                | ((right[column] - here) ^ count)
        };
        let mut columns = 0;
        while columns + CHUNK <= here.len()
            && (columns..columns + CHUNK).fold(0, |all, column| all | differs(column)) == 0
        {
            columns += CHUNK;
        }
        while columns < here.len() && differs(columns) == 0 {
            columns += 1;
        }
        columns
    }

    fn mark_stretch(&self, columns: Range<usize>, params: &Params, level: &mut [bool]) {
        let Window { above, here, below } = *self;
        let first = |row: &RowSpans| row.ends[columns.start] as usize;
        let start = first(here);
        let length = here.ends[columns.end] as usize - start;
        let count = here.ends[columns.start + 1] as usize - start;
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

    /// Whether an opening is a ledge.
    pub(super) fn is_ledge(&self, x: usize, opening: usize, params: &Params) -> bool {
        let mut steps = Steps::from(self.here.floor[opening], self.here.ceiling[opening], params);
        steps.fall(self.here.column(x - 1), params)
            || steps.fall(self.here.column(x + 1), params)
            || steps.fall(self.above.column(x), params)
            || steps.fall(self.below.column(x), params)
            || steps.highest - steps.lowest > params.walkable_climb
    }
}

/// The floors that can be stepped to from one, as the ledge filter has it. Beside an opening an agent fits in, another
/// one does not count if either ends less than the agent's height above the other's floor.
struct Steps {
    floor: i32,
    /// Openings that end below this do not count.
    least_ceiling: i32,
    /// Nor do those that begin above this.
    most_floor: i32,
    lowest: i32,
    highest: i32,
}

impl Steps {
    #[inline]
    fn from(floor: i32, ceiling: i32, params: &Params) -> Steps {
        Steps {
            floor,
            least_ceiling: floor + params.walkable_height,
            most_floor: ceiling - params.walkable_height,
            lowest: floor,
            highest: floor,
        }
    }

    /// Whether an agent could fall off into a column beside; takes note of the steps there.
    #[inline]
    fn fall(&mut self, beside: ColumnOpenings<'_>, params: &Params) -> bool {
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
