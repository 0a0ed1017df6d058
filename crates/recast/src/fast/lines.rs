//! Positions among the lines of a grid, computed instead of searched.

use super::lanes::{LANES, Lanes};
use crate::data::Grid;
use crate::stage::rasterize::cut::Lines;

/// Like [`Lines`], but with computed positions (see [`AxisLines`]).
pub(super) struct GridLines {
    pub(super) x: AxisLines,
    pub(super) z: AxisLines,
    /// First and last column that may be filled; the last is smaller if there is no such column.
    pub(super) columns: (i32, i32),
    rows: (i32, i32),
}

impl GridLines {
    pub(super) fn new(lines: &Lines, grid: &Grid) -> GridLines {
        let cells_per_metre = 1.0 / grid.cell_size;
        GridLines {
            x: AxisLines::new(&lines.x, cells_per_metre),
            z: AxisLines::new(&lines.z, cells_per_metre),
            columns: lines.columns,
            rows: lines.rows,
        }
    }

    /// First and last row of the grid that a triangle reaches; `None` if it reaches no row or no column. May
    /// return rows for a triangle that only touches the grid.
    #[inline(always)]
    pub(super) fn rows(&self, corners: &[[f32; 3]; 3]) -> Option<(u32, u32)> {
        let [x, z] = [0, 2].map(|axis| {
            let [a, b, c] = corners.map(|corner| corner[axis]);
            (smaller(smaller(a, b), c), larger(larger(a, b), c))
        });
        let rows = self.z.reached(z.0, z.1);
        // The column after a line counts as soon as the triangle touches the line, because a slice that is a
        // point belongs to it.
        let columns = (self.x.reached(x.0, x.0).0, self.x.reached(x.1, x.1).0);
        let (first, last) = (rows.0.max(self.rows.0), rows.1.min(self.rows.1));
        let meets = (first <= last) & (columns.0.max(self.columns.0) <= columns.1.min(self.columns.1));
        meets.then_some((first as u32, last as u32))
    }
}

/// The smaller of two numbers, neither of them NaN: one instruction, which `f32::min` is not.
#[inline(always)]
pub(super) fn smaller(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The larger of two numbers, neither of them NaN.
#[inline(always)]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// Lines along one axis.
///
/// To count the lines before a number, the line nearest to it is computed, `(value - start) *
/// cells_per_metre` rounded, and compared with the number. This is exact if the lines are regular: each is
/// within a quarter of a cell of its product. The product never decreases as the number grows, so all numbers
/// between two lines have products between those of the lines, and rounding finds one of the two. Lines so
/// far from the lattice's zero that f32 spaces them unevenly are searched instead.
pub(super) struct AxisLines {
    /// The lines, followed by infinite ones, so that the lines of four cells can be loaded from any start.
    lines: Vec<f32>,
    cells: usize,
    cells_per_metre: f32,
    is_regular: bool,
}

/// Adding this to a number from 0 to 2^22 leaves its nearest integer in the lowest bits.
const ROUNDER: f32 = 8_388_608.0;
/// The bits of that integer.
const ROUNDED_BITS: u32 = 0x007f_ffff;

impl AxisLines {
    fn new(lines: &[f32], cells_per_metre: f32) -> AxisLines {
        let is_near = |(step, &line): (usize, &f32)| {
            let product = (line - lines[0]) * cells_per_metre;
            (product - step as f32).abs() < 0.25
        };
        let cells = lines.len() - 1;
        let is_regular = lines.iter().enumerate().fold(cells < 1 << 22, |all, line| all & is_near(line));
        let mut lines = lines.to_vec();
        lines.resize(cells + 1 + LANES, f32::INFINITY);
        AxisLines { lines, cells, cells_per_metre, is_regular }
    }

    /// The lines from this one on.
    #[inline(always)]
    pub(super) fn from(&self, line: usize) -> &[f32] {
        &self.lines[line..][..LANES + 1]
    }

    /// A line, in each lane.
    #[inline(always)]
    pub(super) fn splat(&self, line: usize) -> Lanes {
        Lanes::splat(self.lines[line])
    }

    /// The line nearest to a number; of two equally near lines, either.
    #[inline(always)]
    fn nearest(&self, value: f32) -> usize {
        let product = larger(0.0, (value - self.lines[0]) * self.cells_per_metre);
        ((smaller(self.cells as f32, product) + ROUNDER).to_bits() & ROUNDED_BITS) as usize
    }

    /// Number of lines before a number.
    #[inline(always)]
    fn count_before(&self, value: f32) -> i32 {
        if !self.is_regular {
            return self.lines[..=self.cells].partition_point(|&line| line < value) as i32;
        }
        let line = self.nearest(value);
        line as i32 + i32::from(self.lines[line] < value)
    }

    /// Number of lines before a number or on it.
    #[inline(always)]
    fn count_up_to(&self, value: f32) -> i32 {
        if !self.is_regular {
            return self.lines[..=self.cells].partition_point(|&line| line <= value) as i32;
        }
        let line = self.nearest(value);
        line as i32 + i32::from(self.lines[line] <= value)
    }

    /// See [`crate::stage::rasterize::cut::reached`].
    #[inline(always)]
    pub(super) fn reached(&self, low: f32, high: f32) -> (i32, i32) {
        let first = self.count_up_to(low) - 1;
        (first, first.max(self.count_before(high) - 1))
    }

    /// First and last of the cells that at least one range reaches: the union of [`AxisLines::reached`] over
    /// all ranges.
    ///
    /// The ends of the union of the ranges are not enough. A range without extent that is on a line belongs
    /// to the cell after the line, even if all other ranges end at that line.
    #[inline(always)]
    pub(super) fn reached_by_any(&self, ranges: impl Iterator<Item = (f32, f32)>) -> (i32, i32) {
        let empty = (f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY);
        let (lowest, highest_low, highest) =
            ranges.fold(empty, |(lowest, highest_low, highest), (low, high)| {
                (smaller(lowest, low), larger(highest_low, low), larger(highest, high))
            });
        let last = self.count_up_to(highest_low).max(self.count_before(highest));
        (self.count_up_to(lowest) - 1, last - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::rasterize::cut::reached;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn computed_places_are_those_that_searching_finds(
            base in prop_oneof![-40i32..40, -520_000i32..520_000, any::<i32>().prop_map(|base| base / 2)],
            cells in 1u32..70,
            cell_size in prop::sample::select(vec![0.3f64, 0.25, 1e-6, 1e6]),
            at in prop::array::uniform2(-3.0f64..75.0),
            on_line in any::<bool>(),
        ) {
            let lines: Vec<f32> =
                (0..=cells).map(|step| ((i64::from(base) + i64::from(step)) as f64 * cell_size) as f32).collect();
            let axis = AxisLines::new(&lines, 1.0 / cell_size as f32);
            // Lines near the lattice's zero are found by computing.
            prop_assert!(axis.is_regular || base.unsigned_abs() > 40);
            let [a, b] = at.map(|at| {
                let at = if on_line { at.round() } else { at };
                ((f64::from(base) + at) * cell_size) as f32
            });
            let (low, high) = (a.min(b), a.max(b));
            prop_assert_eq!(axis.count_before(low), lines.iter().filter(|&&line| line < low).count() as i32);
            prop_assert_eq!(axis.reached(low, high), reached(&lines, low, high));
        }
    }
}
