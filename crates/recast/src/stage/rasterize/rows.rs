//! Rasterizing row by row: the triangles that reach a row are cut there, and their fragments are merged column by
//! column before the next row begins.

use super::Source;
use super::cut::{Piece, RowCutter};
use super::lines::{LANES, Lines};
use super::packed::Packed;
use super::quantise::{Fragments, Quantiser};
use super::row::RowFragments;
use super::slices::{Parts, Slices};
use crate::area::AreaId;
use crate::data::Grid;
use std::ops::Range;

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

/// Triangles that reach the current row.
#[derive(Clone, Default)]
struct Group {
    slices: Slices,
    last_row: [u32; LANES],
    area: [AreaId; LANES],
}

/// All triangles that reach the current row, in groups.
#[derive(Default)]
struct Active {
    groups: Vec<Group>,
    count: usize,
}

impl Active {
    /// Adds a triangle, which is to be cut from `row` on.
    fn push(&mut self, corners: &[[f32; 3]; 3], row: u32, last_row: u32, area: AreaId, lines: &Lines) {
        let (index, place) = (self.count / LANES, self.count % LANES);
        if index == self.groups.len() {
            self.groups.push(Group::default());
        }
        let group = &mut self.groups[index];
        group.slices.set(place, corners, row, lines);
        group.last_row[place] = last_row;
        group.area[place] = area;
        self.count += 1;
    }

    /// Drops triangles that do not go on after `row`: the last takes their place.
    fn drop_ended(&mut self, row: u32) {
        let mut index = 0;
        while index < self.count {
            if self.groups[index / LANES].last_row[index % LANES] > row {
                index += 1;
                continue;
            }
            self.count -= 1;
            let (before, last) = self.groups.split_at_mut(self.count / LANES);
            let (last, from) = (&mut last[0], self.count % LANES);
            match before.get_mut(index / LANES) {
                Some(group) => group.take(index % LANES, last, from),
                None => {
                    let copy = last.clone();
                    last.take(index % LANES, &copy, from);
                }
            }
        }
    }
}

impl Group {
    /// Moves a triangle from a place of another group to one of this.
    fn take(&mut self, place: usize, other: &Group, from: usize) {
        self.slices.take(place, &other.slices, from);
        self.last_row[place] = other.last_row[from];
        self.area[place] = other.area[from];
    }
}

/// Scratch memory for one band of rows.
#[derive(Default)]
pub(crate) struct RowBuffers {
    /// Triangles that come in at row r of the band are `entering[offsets[r]..offsets[r + 1]]`.
    offsets: Vec<u32>,
    entering: Vec<u32>,
    cutter: RowCutter,
    active: Active,
    /// What a group has in the row.
    parts: Parts,
    /// The fragments of a part that reaches many columns.
    run: Vec<Packed>,
    /// Other parts of triangles in the row, and their fragments.
    pieces: Vec<Piece>,
    fragments: Vec<Fragments>,
    pub(super) row: RowFragments,
}

/// Triangles, and the grid they are rasterized on.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) source: Source<'a>,
    /// The area of each triangle.
    pub(crate) areas: &'a [AreaId],
    pub(crate) grid: &'a Grid,
    pub(crate) lines: &'a Lines,
    /// First and last row of each triangle, from [`find_rows`].
    pub(crate) reached: &'a [(u32, u32)],
    pub(crate) merge_threshold: i32,
}

/// First and last row that each triangle reaches; crossed if none.
pub(crate) fn find_rows(source: Source<'_>, lines: &Lines, rows: &mut Vec<(u32, u32)>) {
    rows.clear();
    let of = |triangle| lines.rows(&source.corners(triangle)).unwrap_or(NOWHERE);
    rows.extend((0..source.len()).map(of));
}

impl Rows<'_> {
    /// Rasterizes a band of rows into `sink`.
    pub(crate) fn run(&self, rows: Range<u32>, buffers: &mut RowBuffers, sink: &mut impl RowSink) {
        self.sort_by_row(&rows, buffers);
        buffers.active.count = 0;
        buffers.row.begin(self.grid.width as usize);
        for (step, row) in rows.enumerate() {
            let entering = buffers.offsets[step] as usize..buffers.offsets[step + 1] as usize;
            for &triangle in &buffers.entering[entering] {
                let corners = self.source.corners(triangle as usize);
                let last_row = self.reached[triangle as usize].1;
                let area = self.areas[triangle as usize];
                buffers.active.push(&corners, row, last_row, area, self.lines);
            }
            self.cut_row(row, buffers);
            buffers.row.merge(row, self.merge_threshold, sink);
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
        let RowBuffers { cutter, active, parts, pieces, fragments, run: of_run, row: columns, .. } = buffers;
        let quantiser = Quantiser::new(self.source.level.height, self.grid.cell_height);
        pieces.clear();
        for (group, first) in active.groups.iter_mut().zip((0..active.count).step_by(LANES)) {
            group.slices.next(row, self.lines, parts);
            for place in 0..(active.count - first).min(LANES) {
                let (is_flat, area) = (group.slices.is_flat(place), group.area[place]);
                if let Some(run) = cutter.cut_pieces(parts, place, is_flat, self.lines, area, pieces) {
                    quantiser.run(&run, area, of_run);
                    columns.push_run(run.first, of_run);
                }
            }
        }
        active.drop_ended(row);
        fragments.clear();
        fragments.extend(pieces.iter().map(|piece| quantiser.fragments(piece)));
        for (piece, fragments) in pieces.iter().zip(fragments) {
            columns.push(piece.first as usize, piece.count as usize, fragments);
        }
    }
}
