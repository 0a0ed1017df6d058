//! Sides of polygons and triangles, followed from one row of columns to the next.

use navmath::FIXED_ONE;

/// The first and the last row or column with its centre from `low` to `high`, which are counted in 1/256 cell
/// from the centre of the first of all.
pub(crate) fn centres(low: i32, high: i32) -> [i32; 2] {
    [(low + FIXED_ONE - 1).div_euclid(FIXED_ONE), high.div_euclid(FIXED_ONE)]
}

/// A side of a triangle or polygon, followed from row to row in whole numbers of 2^-32 cell.
#[derive(Clone, Copy)]
pub(crate) struct SideLine {
    x: i64,
    step: i64,
}

impl SideLine {
    const BITS: u32 = 32;
    const ONE: f64 = (1i64 << SideLine::BITS) as f64;
    /// A floor's centre this far outside counts as within, 2^-16 cell: against rounding.
    const HAIR: i64 = 1 << (SideLine::BITS - 16);

    /// The line from one place (x, z) to another farther along, at a row.
    pub(crate) fn new(from: [f64; 2], to: [f64; 2], row: f64) -> SideLine {
        let rows = to[1] - from[1];
        let step = if rows > 0.0 { (to[0] - from[0]) / rows } else { 0.0 };
        let x = from[0] + (row - from[1]) * step;
        SideLine { x: (x * SideLine::ONE) as i64, step: (step * SideLine::ONE) as i64 }
    }

    /// The first column whose centre, a whole number, is right of the line.
    pub(crate) fn first(&self) -> i32 {
        ((self.x + ((1 << SideLine::BITS) - 1 - SideLine::HAIR)) >> SideLine::BITS) as i32
    }

    /// The last column whose centre is left of the line.
    pub(crate) fn last(&self) -> i32 {
        ((self.x + SideLine::HAIR) >> SideLine::BITS) as i32
    }

    pub(crate) fn next_row(&mut self) {
        self.x += self.step;
    }
}
