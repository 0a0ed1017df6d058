//! Rasterizes strip by strip: the triangles that reach some rows are cut there, and the columns of these rows
//! are merged, one after the other, before the next strip begins. Only the fragments of one strip are held at
//! a time.

use super::lines::GridLines;
use super::slices::{Quantiser, SortedTriangle};
use super::sweep::FloorSweep;
use crate::data::Grid;
use crate::data::fragment::{Fragment, FragmentField, TriangleFragment};
use crate::error::Error;
use crate::lists::{bucket_sort, count_item, leading, sort_counted, start_counting};
use crate::source::Source;
use crate::stage::rasterize::cut::Lines;
use navtile::area::AreaId;
use std::ops::Range;

/// Rows in a strip: more than four, so that most small triangles are within one strip and are cut at once.
pub(crate) const STRIP: usize = 8;

/// The rows of a triangle that reaches no row.
const NO_ROWS: (u32, u32) = (1, 0);

/// The lines of a level's grid.
pub(super) fn lines(source: Source<'_>, grid: &Grid) -> GridLines {
    let level = source.level;
    let lines = Lines::new(grid, level.lattice.cell_size).clipped(level.size[0], level.size[2]);
    GridLines::new(&lines, grid)
}

/// Like [`FragmentField::cut`].
pub fn cut(source: Source<'_>, grid: &Grid) -> Result<FragmentField, Error> {
    let lines = lines(source, grid);
    let quantiser = Quantiser::new(source.level.height, grid.cell_height);
    let mut gathered = Vec::new();
    for triangle in 0..source.len() {
        let corners = source.corners(triangle);
        let Some((first, last)) = lines.rows(&corners) else { continue };
        SortedTriangle::new(&corners).for_each_cell(
            first..last + 1,
            &lines,
            &quantiser,
            |x, z, bottom, top| {
                let fragment = TriangleFragment { bottom, top, triangle: triangle as u32 };
                gathered.push((grid.column(x, z) as u32, fragment));
            },
        );
    }
    FragmentField::from_gathered(grid, &gathered)
}

/// First and last row that each triangle reaches; the last is smaller if it reaches no row.
pub(super) fn find_rows(source: Source<'_>, lines: &GridLines, rows: &mut Vec<(u32, u32)>) {
    rows.clear();
    rows.extend((0..source.len()).map(|triangle| lines.rows(&source.corners(triangle)).unwrap_or(NO_ROWS)));
}

/// A triangle that reaches the current strip.
#[derive(Clone, Copy)]
struct ActiveTriangle {
    corners: SortedTriangle,
    area: AreaId,
    rows: (u32, u32),
}

/// Scratch memory for one band of rows.
#[derive(Default)]
pub(super) struct StripBuffers {
    /// Triangles that start in strip s of the band are `entering[first_entering[s]..first_entering[s + 1]]`.
    first_entering: Vec<u32>,
    entering: Vec<u32>,
    active: Vec<ActiveTriangle>,
    /// The fragments of a strip, with their columns.
    gathered: Vec<(u32, Fragment)>,
    /// Fragments of column c are `fragments[offsets[c]..offsets[c + 1]]`.
    offsets: Vec<u32>,
    fragments: Vec<Fragment>,
}

/// The triangles to rasterize, and the grid.
#[derive(Clone, Copy)]
pub(super) struct Triangles<'a> {
    pub(super) source: Source<'a>,
    /// The area of each triangle.
    pub(super) areas: &'a [AreaId],
    pub(super) grid: &'a Grid,
    pub(super) lines: &'a GridLines,
    /// First and last row of each triangle, from [`find_rows`].
    pub(super) reached: &'a [(u32, u32)],
}

impl Triangles<'_> {
    /// Rasterizes a band of rows into `sweep`.
    pub(super) fn rasterize(&self, band: Range<u32>, buffers: &mut StripBuffers, sweep: &mut FloorSweep<'_>) {
        self.sort_by_strip(&band, buffers);
        let quantiser = Quantiser::new(self.source.level.height, self.grid.cell_height);
        let StripBuffers { first_entering, entering, active, gathered, offsets, fragments } = buffers;
        let width = self.grid.width as usize;
        active.clear();
        for (strip, start) in band.clone().step_by(STRIP).enumerate() {
            let rows = start..(start + STRIP as u32).min(band.end);
            let entering = &entering[first_entering[strip] as usize..first_entering[strip + 1] as usize];
            active.extend(entering.iter().map(|&triangle| self.active(triangle as usize)));
            gathered.clear();
            start_counting(rows.len() * width, offsets);
            for ActiveTriangle { corners, area, rows: (first, last) } in &*active {
                let rows = rows.start.max(*first)..rows.end.min(last + 1);
                corners.for_each_cell(rows, self.lines, &quantiser, |x, z, bottom, top| {
                    let column = self.grid.column(x, z - start);
                    count_item(column, offsets);
                    gathered.push((column as u32, Fragment::new(bottom, top, *area)));
                });
            }
            active.retain(|triangle| triangle.rows.1 >= rows.end);
            let items = gathered.iter().map(|&(column, fragment)| (column as usize, fragment));
            sort_counted(items, offsets, fragments);
            for row in rows {
                let first = (row - start) as usize * width;
                merge_row(row, &offsets[first..=first + width], fragments, sweep);
            }
        }
    }

    fn active(&self, triangle: usize) -> ActiveTriangle {
        ActiveTriangle {
            corners: SortedTriangle::new(&self.source.corners(triangle)),
            area: self.areas[triangle],
            rows: self.reached[triangle],
        }
    }

    /// Sorts triangles by the first strip of the band that they reach.
    fn sort_by_strip(&self, band: &Range<u32>, buffers: &mut StripBuffers) {
        let strip = |&(first, last): &(u32, u32)| {
            let meets = (first <= last) & (first < band.end) & (last >= band.start);
            meets.then(|| (first.max(band.start) - band.start) as usize / STRIP)
        };
        let entering = (0u32..).zip(self.reached);
        let entering = entering.filter_map(|(triangle, rows)| Some((strip(rows)?, triangle)));
        let strips = band.len().div_ceil(STRIP);
        bucket_sort(strips, entering, &mut buffers.first_entering, &mut buffers.entering);
    }
}

/// Merges the columns of a row: the fragments of column x are those from `offsets[x]` to `offsets[x + 1]`.
fn merge_row(row: u32, offsets: &[u32], fragments: &mut [Fragment], sweep: &mut FloorSweep<'_>) {
    let (mut start, ends) = (offsets[0], &offsets[1..]);
    let (params, openings) = (sweep.params, sweep.openings(row));
    openings.reserve((offsets[ends.len()] - start) as usize);
    let mut x = 0;
    while let Some(&end) = ends.get(x) {
        let left = &ends[x..];
        let columns = match end - start {
            0 => {
                let empty = leading(left.len(), |index| left[index] == start);
                openings.push_empty(empty);
                empty
            }
            1 => {
                let single = leading(left.len(), |index| left[index] == end + index as u32);
                openings.push_single(&fragments[start as usize..][..single]);
                single
            }
            _ => {
                openings.push_column(&mut fragments[start as usize..end as usize], params);
                1
            }
        };
        x += columns;
        start = ends[x - 1];
    }
    sweep.finish_row(row);
}

/// Merges the columns of a band of rows that are already cut. `fragments` adds the fragments of a column to
/// an empty list.
pub(super) fn merge_cut(
    fragments: impl Fn(u32, u32, &mut Vec<Fragment>),
    grid: &Grid,
    band: Range<u32>,
    buffers: &mut StripBuffers,
    sweep: &mut FloorSweep<'_>,
) {
    let column = &mut buffers.fragments;
    for row in band {
        let (params, openings) = (sweep.params, sweep.openings(row));
        for x in 0..grid.width {
            column.clear();
            fragments(x, row, column);
            openings.reserve(column.len());
            openings.push_column(column, params);
        }
        sweep.finish_row(row);
    }
}
