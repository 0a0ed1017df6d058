//! Rasterizing row by row: the triangles that reach a row are cut there, and their fragments are merged column by
//! column before the next row begins.

use super::Triangles;
use super::cut::{Lines, RowCutter, Run};
use super::packed::{Packed, merge_packed};
use crate::area::AreaId;
use crate::data::Grid;
use crate::input::{PreparedLevel, canonical_corners};
use std::ops::Range;

/// Fragments of a column that have a place of their own; further ones go to a list of the row.
const SLOTS: usize = 8;

/// Rows of a triangle that reaches none.
const NOWHERE: (u32, u32) = (1, 0);

/// Takes the spans of a grid, or of some rows of it, in order.
pub(crate) trait RowSink {
    /// The spans of the next column of `row`.
    fn column(&mut self, row: u32, spans: &[Packed]);

    /// All columns of `row` were taken.
    fn row_done(&mut self, row: u32) {
        let _ = row;
    }
}

/// A triangle that reaches the current row.
#[derive(Clone, Copy)]
struct Active {
    corners: [[f32; 3]; 3],
    last_row: u32,
    area: AreaId,
}

/// Scratch memory for one band of rows.
#[derive(Default)]
pub(crate) struct RowBuffers {
    /// Triangles that come in at row r of the band are `entering[offsets[r]..offsets[r + 1]]`.
    offsets: Vec<u32>,
    entering: Vec<u32>,
    cutter: RowCutter,
    active: Vec<Active>,
    /// Fragments of each column of the row.
    counts: Vec<u32>,
    /// The first few fragments of each column.
    slots: Vec<[Packed; SLOTS]>,
    /// Further fragments, with their columns.
    overflow: Vec<(u32, Packed)>,
    /// Bottoms and tops of the fragments of a run.
    cells: Vec<[i32; 2]>,
    /// The fragments of one column.
    pub(super) column: Vec<Packed>,
}

/// Triangles, and the grid they are rasterized on.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) level: &'a PreparedLevel,
    pub(crate) triangles: Triangles<'a>,
    pub(crate) grid: &'a Grid,
    pub(crate) lines: &'a Lines,
    /// First and last row of each triangle, from [`find_rows`].
    pub(crate) reached: &'a [(u32, u32)],
    pub(crate) merge_threshold: i32,
}

/// First and last row that each triangle reaches; crossed if none.
pub(crate) fn find_rows(
    level: &PreparedLevel,
    triangles: Triangles<'_>,
    grid: &Grid,
    lines: &Lines,
    rows: &mut Vec<(u32, u32)>,
) {
    let last_row = i64::from(grid.depth) - 1;
    rows.clear();
    rows.extend((0..triangles.areas.len()).map(|triangle| {
        let corners = triangles.corners(level, triangle);
        let (first, last) = lines.rows(&corners);
        let (first, last) = (first.max(0), last.min(last_row));
        let meets = first <= last && lines.meets_columns(&corners);
        if meets { (first as u32, last as u32) } else { NOWHERE }
    }));
}

impl Rows<'_> {
    /// Rasterizes a band of rows into `sink`.
    pub(crate) fn run(&self, rows: Range<u32>, buffers: &mut RowBuffers, sink: &mut impl RowSink) {
        let width = self.grid.width as usize;
        self.sort_by_row(&rows, buffers);
        buffers.active.clear();
        buffers.counts.clear();
        buffers.counts.resize(width, 0);
        buffers.slots.resize(width.max(buffers.slots.len()), [Packed::default(); SLOTS]);
        for (step, row) in rows.enumerate() {
            let entering = buffers.offsets[step] as usize..buffers.offsets[step + 1] as usize;
            for &triangle in &buffers.entering[entering] {
                let corners = canonical_corners(self.triangles.corners(self.level, triangle as usize));
                let last_row = self.reached[triangle as usize].1;
                let area = self.triangles.areas[triangle as usize];
                buffers.active.push(Active { corners, last_row, area });
            }
            self.cut_row(row, buffers);
            self.merge_row(row, buffers, sink);
            sink.row_done(row);
        }
    }

    /// Counting-sorts triangles by the first row of the band that they reach.
    fn sort_by_row(&self, rows: &Range<u32>, buffers: &mut RowBuffers) {
        let entry = |&(first, last): &(u32, u32)| {
            let meets = first <= last && first < rows.end && last >= rows.start;
            meets.then(|| (first.max(rows.start) - rows.start) as usize)
        };
        let RowBuffers { offsets, entering, .. } = buffers;
        offsets.clear();
        offsets.resize(rows.len() + 1, 0);
        self.reached.iter().filter_map(entry).for_each(|row| offsets[row] += 1);
        let mut sum = 0;
        for offset in offsets.iter_mut() {
            sum += *offset;
            *offset = sum;
        }
        entering.clear();
        entering.resize(sum as usize, 0);
        // Placing a triangle before its row's end moves the end to the row's start.
        for (triangle, reached) in (0u32..).zip(self.reached) {
            if let Some(row) = entry(reached) {
                offsets[row] -= 1;
                entering[offsets[row] as usize] = triangle;
            }
        }
    }

    /// Cuts all active triangles in a row; those that end there are active no more.
    fn cut_row(&self, row: u32, buffers: &mut RowBuffers) {
        buffers.overflow.clear();
        let RowBuffers { cutter, active, counts, slots, overflow, cells, .. } = buffers;
        let (height, cell_height) = (self.level.height, self.grid.cell_height);
        active.retain(|triangle| {
            if let Some(run) = cutter.cut_run(&triangle.corners, row, self.lines) {
                quantise_run(&run, height, cell_height, cells);
                let columns = run.first as usize..run.first as usize + run.low.len();
                let places = counts[columns.clone()].iter_mut().zip(&mut slots[columns]);
                for (step, (&[bottom, top], (count, slots))) in cells.iter().zip(places).enumerate() {
                    if top == OUTSIDE {
                        continue;
                    }
                    let fragment = Packed::new(bottom, top, triangle.area);
                    match slots.get_mut(*count as usize) {
                        Some(slot) => *slot = fragment,
                        None => overflow.push((run.first + step as u32, fragment)),
                    }
                    *count += 1;
                }
            }
            triangle.last_row > row
        });
    }

    /// Hands the spans of each column of the row to `sink`, and forgets its fragments.
    fn merge_row(&self, row: u32, buffers: &mut RowBuffers, sink: &mut impl RowSink) {
        let RowBuffers { counts, slots, overflow, column, .. } = buffers;
        overflow.sort_unstable();
        let mut rest = overflow.as_slice();
        for ((count, slots), x) in counts.iter_mut().zip(slots).zip(0u32..) {
            let fragments = std::mem::take(count) as usize;
            match slots.get_mut(..fragments) {
                Some(fragments) => {
                    let spans = merge_packed(fragments, self.merge_threshold);
                    sink.column(row, &fragments[..spans]);
                }
                None => {
                    let (own, after) = rest.split_at(fragments - SLOTS);
                    debug_assert!(own.iter().all(|(column, _)| *column == x));
                    rest = after;
                    column.clear();
                    column.extend_from_slice(slots);
                    column.extend(own.iter().map(|(_, fragment)| fragment));
                    let spans = merge_packed(column, self.merge_threshold);
                    sink.column(row, &column[..spans]);
                }
            }
        }
    }
}

/// In place of a top, which lies above zero: outside the bounds.
const OUTSIDE: i32 = 0;

/// As [`quantise`], for each column of a run: bottom and top, which is [`OUTSIDE`] where there is no fragment. Free of
/// branches.
fn quantise_run(run: &Run<'_>, height: f32, cell_height: f32, cells: &mut Vec<[i32; 2]>) {
    /// Added to a number from 0 to 2^22, this leaves its nearest integer in the lowest bits.
    const INTEGERS: f32 = 8_388_608.0;
    let cells_per_metre = 1.0 / cell_height;
    let bottom_of = |low: f32| if low > 0.0 { low } else { 0.0 } * cells_per_metre;
    let top_of = |high: f32| if high < height { high } else { height } * cells_per_metre;
    let finish = |low: f32, high: f32, min: i32, max: i32| {
        let inside = (high >= 0.0) & (low <= height);
        [min, if inside { max.max(min + 1) } else { OUTSIDE }]
    };
    cells.clear();
    let heights = run.low.iter().zip(run.high);
    if height * cells_per_metre < INTEGERS / 2.0 {
        // What lies outside the bounds is no number here, and is not used.
        let nearest = |cells: f32| {
            let shifted = cells + INTEGERS;
            ((shifted.to_bits() & 0x007f_ffff) as i32, shifted - INTEGERS)
        };
        cells.extend(heights.map(|(&low, &high)| {
            let (exact_low, exact_high) = (bottom_of(low), top_of(high));
            let (integer, rounded) = nearest(exact_low);
            let min = integer - i32::from(rounded > exact_low);
            let (integer, rounded) = nearest(exact_high);
            let max = integer + i32::from(rounded < exact_high);
            finish(low, high, min, max)
        }));
    } else {
        cells.extend(heights.map(|(&low, &high)| {
            let (exact_low, exact_high) = (bottom_of(low), top_of(high));
            let (min, max) = (exact_low as i32, exact_high as i32);
            finish(low, high, min, max + i32::from((max as f32) < exact_high))
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantise;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_ways_to_quantise_agree(
            low in -3.0f32..9.0,
            rise in 0.0f32..9.0,
            height in 0.5f32..8.0,
            cell_height in prop::sample::select(vec![0.05f32, 0.2, 0.3, 0.7, 1e-6]),
            on_line in any::<bool>(),
        ) {
            let low = if on_line { (low / cell_height).round() * cell_height } else { low };
            let high = low + rise;
            let mut cells = Vec::new();
            quantise_run(&Run { first: 0, low: &[low], high: &[high] }, height, cell_height, &mut cells);
            match quantise(low, high, height, cell_height) {
                Some((min, max)) => prop_assert_eq!([min, max], cells[0]),
                None => prop_assert_eq!(cells[0][1], OUTSIDE),
            }
        }
    }
}
