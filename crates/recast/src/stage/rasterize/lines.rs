//! The lines between the rows and columns of a grid, and where numbers lie among them.

use crate::data::Grid;

/// Lines along one axis, metres from the lattice's zero, ascending. A line is a function of its place on the lattice
/// alone, so that two tiles that share it cut at the same float.
struct Axis {
    /// One more than there are cells, and then [`LANES`] that lie beyond everything.
    lines: Vec<f32>,
    cells: usize,
    cells_per_metre: f32,
    /// Whether the line nearest to a number is found by computing.
    is_even: bool,
}

/// Columns that are cut side by side.
pub(super) const LANES: usize = 4;

/// Added to a number from 0 to 2^22, this leaves its nearest integer in the lowest bits.
pub(super) const INTEGERS: f32 = 8_388_608.0;
/// These bits.
pub(super) const INTEGER_BITS: u32 = 0x007f_ffff;

impl Axis {
    /// Each line is computed in f64 and rounded once: a wall modelled on a line lies on it in f32 too.
    fn new(base: i32, cells: u32, cell_size: f64, cells_per_metre: f32) -> Axis {
        let line = |step: i64| ((i64::from(base) + step) as f64 * cell_size) as f32;
        let mut lines: Vec<f32> = Vec::with_capacity(cells as usize + 1 + LANES);
        lines.extend((0..=i64::from(cells)).map(line));
        // What is computed of a number never falls as the number rises. So one that is nearest to a line's number
        // lies between the lines beside it, if each line is well within half a cell of its own number.
        let start = lines[0];
        let strays = |(step, &line): (usize, &f32)| {
            let exact = (line - start) * cells_per_metre;
            // What is not a number strays.
            let is_near = (exact - step as f32).abs() < 0.25;
            u32::from(!is_near)
        };
        let is_even = lines.iter().enumerate().map(strays).fold(0, |all, strays| all | strays) == 0;
        lines.resize(lines.len() + LANES, f32::INFINITY);
        let cells = cells as usize;
        Axis { lines, cells, cells_per_metre, is_even: is_even && cells < 1 << 22 }
    }

    /// The line nearest to a number, or one of the two.
    #[inline(always)]
    fn nearest(&self, value: f32) -> usize {
        let exact = (value - self.lines[0]) * self.cells_per_metre;
        let exact = if exact > 0.0 { exact } else { 0.0 };
        let most = self.cells as f32;
        let exact = if exact < most { exact } else { most };
        ((exact + INTEGERS).to_bits() & INTEGER_BITS) as usize
    }

    /// How many lines lie before a number.
    #[inline(always)]
    fn before(&self, value: f32) -> i32 {
        if !self.is_even {
            return self.lines[..=self.cells].partition_point(|&line| line < value) as i32;
        }
        let line = self.nearest(value);
        line as i32 + i32::from(self.lines[line] < value)
    }

    /// How many lines lie before a number or on it.
    #[inline(always)]
    fn upto(&self, value: f32) -> i32 {
        if !self.is_even {
            return self.lines[..=self.cells].partition_point(|&line| line <= value) as i32;
        }
        let line = self.nearest(value);
        line as i32 + i32::from(self.lines[line] <= value)
    }

    /// First and last cell that the range from `low` to `high` reaches over more than its border; a range without
    /// extent belongs to the cell it lies in, or to the one after the line it lies on. Cells before the first line
    /// are -1, cells after the last are the number of cells.
    #[inline(always)]
    fn reached(&self, low: f32, high: f32) -> (i32, i32) {
        let first = self.upto(low) - 1;
        (first, first.max(self.before(high) - 1))
    }
}

/// The lines between rows and columns of a grid.
pub(crate) struct Lines {
    x: Axis,
    z: Axis,
    base_x: i32,
    base_z: i32,
    /// First and last column that may be filled.
    columns: (i32, i32),
    /// First and last row that may be filled.
    rows: (i32, i32),
}

impl Lines {
    pub(crate) fn new(grid: &Grid, cell_size: f64) -> Lines {
        let cells_per_metre = 1.0 / grid.cell_size;
        Lines {
            x: Axis::new(grid.base_x, grid.width, cell_size, cells_per_metre),
            z: Axis::new(grid.base_z, grid.depth, cell_size, cells_per_metre),
            base_x: grid.base_x,
            base_z: grid.base_z,
            columns: (0, grid.width as i32 - 1),
            rows: (0, grid.depth as i32 - 1),
        }
    }

    /// These lines, with nothing filled beyond a level of `width` by `depth` columns from the lattice's zero. A
    /// tile at its edge must see no more of it than the whole level, baked in one, does.
    pub(crate) fn clipped(mut self, width: u32, depth: u32) -> Lines {
        let clip = |(first, last): (i32, i32), base: i32, count: u32| {
            let start = -i64::from(base);
            let end = i64::from(count) - 1 + start;
            (i64::from(first).max(start), i64::from(last).min(end))
        };
        // Both within the grid, or crossed: then it does not matter by how much.
        let narrow = |(first, last): (i64, i64)| match first <= last {
            true => (first as i32, last as i32),
            false => (0, -1),
        };
        self.columns = narrow(clip(self.columns, self.base_x, width));
        self.rows = narrow(clip(self.rows, self.base_z, depth));
        self
    }

    /// First and last row of the grid that a triangle reaches, if it reaches any, and columns as well.
    #[inline(always)]
    pub(crate) fn rows(&self, corners: &[[f32; 3]; 3]) -> Option<(u32, u32)> {
        let [a, b, c] = corners.map(|corner| corner[2]);
        let (first, last) = self.z.reached(least(least(a, b), c), most(most(a, b), c));
        let (first, last) = (first.max(self.rows.0), last.min(self.rows.1));
        let [a, b, c] = corners.map(|corner| corner[0]);
        let columns = self.columns(least(least(a, b), c), most(most(a, b), c));
        let meets = (first <= last) & (columns.0.max(self.columns.0) <= columns.1.min(self.columns.1));
        meets.then_some((first as u32, last as u32))
    }

    /// First and last column that the range from `low` to `high` reaches, as if there were no end to them.
    #[inline(always)]
    pub(super) fn columns(&self, low: f32, high: f32) -> (i32, i32) {
        self.x.reached(low, high)
    }

    /// First and last column that may be filled.
    #[inline(always)]
    pub(super) fn filled_columns(&self) -> (i32, i32) {
        self.columns
    }

    /// The first line of a row; that after the last row if it is one more.
    #[inline(always)]
    pub(super) fn row_start(&self, row: u32) -> f32 {
        self.z.lines[row as usize]
    }

    /// The lines from that before `column` on; some beyond the last are infinite.
    #[inline(always)]
    pub(super) fn lines_from(&self, column: usize) -> &[f32] {
        &self.x.lines[column..]
    }

    /// How many lines lie before x, and how many before it or on it.
    #[inline(always)]
    pub(super) fn place(&self, x: f32) -> (i32, i32) {
        (self.x.before(x), self.x.upto(x))
    }
}

/// The smaller of two numbers that are not NaN; one instruction, which `f32::min` is not. The first if the second is NaN.
#[inline(always)]
pub(super) fn least(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The larger of two numbers that are not NaN; the first if the second is NaN.
#[inline(always)]
pub(super) fn most(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_those_that_counting_finds(
            base in prop_oneof![-40i32..40, -520_000i32..520_000, any::<i32>().prop_map(|base| base / 2)],
            cells in 1u32..70,
            cell_size in prop::sample::select(vec![0.3f64, 0.25, 1e-6, 1e6]),
            at in -3.0f64..75.0,
            on_line in any::<bool>(),
        ) {
            let axis = Axis::new(base, cells, cell_size, 1.0 / cell_size as f32);
            let at = if on_line { at.round() } else { at };
            let value = ((f64::from(base) + at) * cell_size) as f32;
            let lines = &axis.lines[..=cells as usize];
            // Lines near the lattice's zero are found by computing.
            prop_assert!(axis.is_even || base.unsigned_abs() > 40);
            prop_assert_eq!(axis.before(value), lines.iter().filter(|&&line| line < value).count() as i32);
            prop_assert_eq!(axis.upto(value), lines.iter().filter(|&&line| line <= value).count() as i32);
        }
    }
}
