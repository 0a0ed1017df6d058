//! Rasterizing row by row: the triangles that reach a row are cut there, and their fragments are merged column by
//! column before the next row begins.

use super::Triangles;
use super::cut::{Lines, RowCutter, Run};
use super::packed::{Packed, merge_packed};
use super::slices::Slices;
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

    /// So many columns of `row` without spans are next.
    fn empty_columns(&mut self, row: u32, count: usize);

    /// All columns of `row` were taken.
    fn row_done(&mut self, row: u32) {
        let _ = row;
    }
}

/// A triangle that reaches the current row.
#[derive(Clone, Copy)]
struct Active {
    slices: Slices,
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
    /// The fragments of a run.
    fragments: Vec<Packed>,
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
                let slices = Slices::new(&corners, row, self.lines);
                buffers.active.push(Active { slices, last_row, area });
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
        let RowBuffers { cutter, active, counts, slots, overflow, fragments, .. } = buffers;
        let quantiser = Quantiser::new(self.level.height, self.grid.cell_height);
        let mut index = 0;
        while let Some(triangle) = active.get_mut(index) {
            if let Some(run) = cutter.cut_run(&mut triangle.slices, row, self.lines) {
                if run.low.len() <= ONE_BY_ONE || triangle.slices.is_flat {
                    let columns = run.low.len();
                    let heights = run.low.iter().zip(run.high);
                    let heights = heights.take(if triangle.slices.is_flat { 1 } else { columns });
                    fragments.clear();
                    fragments
                        .extend(heights.map(|(&low, &high)| quantiser.fragment(low, high, triangle.area)));
                    if triangle.slices.is_flat {
                        fragments.resize(columns, fragments[0]);
                    }
                } else {
                    quantiser.run(&run, triangle.area, fragments);
                }
                let columns = run.first as usize..run.first as usize + run.low.len();
                let places = counts[columns.clone()].iter_mut().zip(&mut slots[columns]);
                for (step, (&fragment, (count, slots))) in fragments.iter().zip(places).enumerate() {
                    if fragment == NOTHING {
                        continue;
                    }
                    match slots.get_mut(*count as usize) {
                        Some(slot) => *slot = fragment,
                        None => overflow.push((run.first + step as u32, fragment)),
                    }
                    *count += 1;
                }
            }
            if triangle.last_row > row {
                index += 1;
            } else {
                active.swap_remove(index);
            }
        }
    }

    /// Hands the spans of each column of the row to `sink`, and forgets its fragments.
    fn merge_row(&self, row: u32, buffers: &mut RowBuffers, sink: &mut impl RowSink) {
        let RowBuffers { counts, slots, overflow, column, .. } = buffers;
        overflow.sort_unstable();
        let mut rest = overflow.as_slice();
        let mut x = 0;
        while let Some(&count) = counts.get(x) {
            let count = count as usize;
            if count == 0 {
                let left = &counts[x..];
                let empty = left.iter().position(|&count| count != 0).unwrap_or(left.len());
                sink.empty_columns(row, empty);
                x += empty;
                continue;
            }
            let fragments = if count <= SLOTS {
                &mut slots[x][..count]
            } else {
                let (own, after) = rest.split_at(count - SLOTS);
                debug_assert!(own.iter().all(|(column, _)| *column as usize == x));
                rest = after;
                column.clear();
                column.extend_from_slice(&slots[x]);
                column.extend(own.iter().map(|(_, fragment)| fragment));
                column.as_mut_slice()
            };
            let spans = merge_packed(fragments, self.merge_threshold);
            sink.column(row, &fragments[..spans]);
            x += 1;
        }
        counts.fill(0);
    }
}

/// In place of a fragment, whose top lies above zero: there is none within the bounds.
const NOTHING: Packed = Packed::NOTHING;

/// Columns of a run that are quantised one by one.
const ONE_BY_ONE: usize = 4;

/// As [`quantise`](super::quantise), for many columns.
struct Quantiser {
    height: f32,
    cells_per_metre: f32,
    /// Whether heights, in cells, are small enough to be rounded by adding to them.
    is_small: bool,
}

impl Quantiser {
    fn new(height: f32, cell_height: f32) -> Quantiser {
        let cells_per_metre = 1.0 / cell_height;
        Quantiser { height, cells_per_metre, is_small: height * cells_per_metre < INTEGERS / 2.0 }
    }

    /// The fragment between two heights, or [`NOTHING`] if they lie outside the bounds.
    #[inline]
    fn fragment(&self, low: f32, high: f32, area: AreaId) -> Packed {
        if self.is_small { self.small(low, high, area) } else { self.any(low, high, area) }
    }

    /// As [`Quantiser::fragment`], for each column of a run. Free of branches.
    fn run(&self, run: &Run<'_>, area: AreaId, fragments: &mut Vec<Packed>) {
        fragments.clear();
        let heights = run.low.iter().zip(run.high);
        if self.is_small {
            fragments.extend(heights.map(|(&low, &high)| self.small(low, high, area)));
        } else {
            fragments.extend(heights.map(|(&low, &high)| self.any(low, high, area)));
        }
    }

    /// Bottom and top in fractions of cells.
    #[inline]
    fn exact(&self, low: f32, high: f32) -> (f32, f32) {
        let low = if low > 0.0 { low } else { 0.0 } * self.cells_per_metre;
        let high = if high < self.height { high } else { self.height } * self.cells_per_metre;
        (low, high)
    }

    #[inline]
    fn finish(&self, [low, high]: [f32; 2], min: i32, max: i32, area: AreaId) -> Packed {
        let inside = (high >= 0.0) & (low <= self.height);
        Packed::if_inside(inside, min, max.max(min + 1), area)
    }

    #[inline]
    fn small(&self, low: f32, high: f32, area: AreaId) -> Packed {
        // What lies outside the bounds is no number here, and is not used.
        let nearest = |cells: f32| {
            let shifted = cells + INTEGERS;
            ((shifted.to_bits() & 0x007f_ffff) as i32, shifted - INTEGERS)
        };
        let (exact_low, exact_high) = self.exact(low, high);
        let (integer, rounded) = nearest(exact_low);
        let min = integer - i32::from(rounded > exact_low);
        let (integer, rounded) = nearest(exact_high);
        let max = integer + i32::from(rounded < exact_high);
        self.finish([low, high], min, max, area)
    }

    #[inline]
    fn any(&self, low: f32, high: f32, area: AreaId) -> Packed {
        let (exact_low, exact_high) = self.exact(low, high);
        let (min, max) = (exact_low as i32, exact_high as i32);
        self.finish([low, high], min, max + i32::from((max as f32) < exact_high), area)
    }
}

/// Added to a number from 0 to 2^22, this leaves its nearest integer in the lowest bits.
const INTEGERS: f32 = 8_388_608.0;

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
            let mut fragments = Vec::new();
            let area = AreaId::GROUND;
            let quantiser = Quantiser::new(height, cell_height);
            quantiser.run(&Run { first: 0, low: &[low], high: &[high] }, area, &mut fragments);
            prop_assert_eq!(fragments[0], quantiser.fragment(low, high, area));
            match quantise(low, high, height, cell_height) {
                Some((min, max)) => prop_assert_eq!(Packed::new(min, max, area), fragments[0]),
                None => prop_assert_eq!(NOTHING, fragments[0]),
            }
        }
    }
}
