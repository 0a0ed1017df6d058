//! The sweep over the rows of a band: takes openings, and returns the floors that are not ledges.

use super::Params;
use super::ledges::RowWindow;
use super::openings::{RowOpenings, RowSpans};
use crate::data::Grid;
use crate::data::column_spans::ColumnSpans;
use crate::data::compact::CompactArrays;
use crate::lists::leading;
use navtile::area::AreaId;
use std::ops::Range;

/// The walkable floors of some rows.
#[derive(Default)]
pub(super) struct FloorList {
    /// Floors of column c are those from `offsets[c]` to `offsets[c + 1]`.
    pub(super) offsets: Vec<u32>,
    pub(super) floor: Vec<i32>,
    pub(super) clearance: Vec<u16>,
    pub(super) area: Vec<AreaId>,
    /// All spans inside the border, if they are kept.
    pub(super) spans: ColumnSpans,
}

impl FloorList {
    /// An empty list, with room for one floor per column.
    pub(super) fn with_capacity(columns: usize) -> FloorList {
        let mut floors = FloorList {
            offsets: Vec::with_capacity(columns + 1),
            floor: Vec::with_capacity(columns),
            clearance: Vec::with_capacity(columns),
            area: Vec::with_capacity(columns),
            spans: ColumnSpans::default(),
        };
        floors.offsets.push(0);
        floors.spans.offsets.push(0);
        floors
    }

    pub(super) fn clear(&mut self) {
        self.offsets.clear();
        self.offsets.push(0);
        self.floor.clear();
        self.clearance.clear();
        self.area.clear();
        self.spans.offsets.clear();
        self.spans.offsets.push(0);
        self.spans.spans.clear();
    }

    /// Adds the floors of the rows that follow.
    pub(super) fn append(&mut self, other: &FloorList) {
        let base = self.floor.len() as u32;
        self.offsets.extend(other.offsets[1..].iter().map(|offset| offset + base));
        self.floor.extend_from_slice(&other.floor);
        self.clearance.extend_from_slice(&other.clearance);
        self.area.extend_from_slice(&other.area);
        let base = self.spans.spans.len() as u32;
        self.spans.offsets.extend(other.spans.offsets[1..].iter().map(|offset| offset + base));
        self.spans.spans.extend_from_slice(&other.spans.spans);
    }

    /// Adds the spans of a row's columns within a border.
    fn push_spans(&mut self, row: &RowSpans, border: usize) {
        let columns = border..row.ends.len() - border;
        let first = columns.start.checked_sub(1).map_or(0, |before| row.ends[before]);
        let base = self.spans.spans.len() as u32;
        let ends = &row.ends[columns];
        self.spans.offsets.extend(ends.iter().map(|end| end - first + base));
        let end = ends.last().map_or(first, |&end| end);
        self.spans.spans.extend_from_slice(&row.spans[first as usize..end as usize]);
    }

    /// Adds the known floors of some rows.
    pub(super) fn append_rows(&mut self, known: &CompactArrays, rows: Range<u32>) {
        let [start, end] = [rows.start, rows.end].map(|row| row as usize * known.grid.width as usize);
        let [first, last] = [start, end].map(|column| known.offsets[column]);
        let here = self.floor.len() as u32;
        self.offsets.extend(known.offsets[start + 1..=end].iter().map(|offset| offset - first + here));
        let floors = first as usize..last as usize;
        self.floor.extend_from_slice(&known.floor[floors.clone()]);
        self.clearance.extend_from_slice(&known.clearance[floors.clone()]);
        self.area.extend_from_slice(&known.area[floors]);
    }

    /// Ends columns without floors.
    fn push_empty_columns(&mut self, count: usize) {
        self.offsets.resize(self.offsets.len() + count, self.floor.len() as u32);
    }

    /// Adds all openings of some columns.
    fn push_columns(&mut self, row: &RowOpenings, columns: Range<usize>) {
        let (first, base) = (row.offsets[columns.start], self.floor.len() as u32);
        let ends = &row.offsets[columns.start + 1..=columns.end];
        self.offsets.extend(ends.iter().map(|end| end - first + base));
        let openings = first as usize..row.offsets[columns.end] as usize;
        let (floor, ceiling) = (&row.floor[openings.clone()], &row.ceiling[openings.clone()]);
        self.floor.extend_from_slice(floor);
        self.clearance.extend(floor.iter().zip(ceiling).map(|(&floor, &ceiling)| clearance(floor, ceiling)));
        self.area.extend_from_slice(&row.area[openings]);
    }

    /// Adds the openings of a row that are not ledges.
    fn push_row(&mut self, window: RowWindow<'_>, params: &Params, level: &mut Vec<bool>) {
        let here = window.here;
        let width = here.bottoms.len();
        window.mark_level(params, level);
        // At the edge of the grid everything is a ledge.
        self.push_empty_columns(1);
        let mut x = 1;
        while x + 1 < width {
            let first = here.offsets[x] as usize;
            let level_until = (first + leading(level.len() - first, |index| level[first + index])) as u32;
            let ends = &here.offsets[x + 1..width];
            let columns = leading(ends.len(), |index| ends[index] <= level_until);
            if columns > 0 {
                self.push_columns(here, x..x + columns);
                x += columns;
                continue;
            }
            let openings = first..here.offsets[x + 1] as usize;
            for (opening, &is_level) in openings.clone().zip(&level[openings]) {
                let ledge = || !here.area[opening].is_walkable() || window.is_ledge(x, opening, params);
                if is_level || !ledge() {
                    self.floor.push(here.floor[opening]);
                    self.clearance.push(clearance(here.floor[opening], here.ceiling[opening]));
                    self.area.push(here.area[opening]);
                }
            }
            self.offsets.push(self.floor.len() as u32);
            x += 1;
        }
        self.push_empty_columns(width.saturating_sub(x));
    }
}

/// The space above a floor, limited to the range of a compact field.
#[inline]
fn clearance(floor: i32, ceiling: i32) -> u16 {
    (ceiling - floor).min(i32::from(u16::MAX)) as u16
}

/// The state of a sweep over a band of rows: the last three rows of openings, and the floors of all rows
/// before.
pub(super) struct FloorSweep<'a> {
    pub(super) params: &'a Params,
    /// Row z is `window[z % 3]`.
    pub(super) window: &'a mut [RowOpenings; 3],
    pub(super) level: &'a mut Vec<bool>,
    pub(super) floors: FloorList,
    /// The band. Adjacent rows are only read.
    pub(super) rows: Range<u32>,
    pub(super) grid: &'a Grid,
    pub(super) spans: u64,
    pub(super) keep_spans: bool,
}

impl FloorSweep<'_> {
    /// The openings of the current row.
    pub(super) fn openings(&mut self, row: u32) -> &mut RowOpenings {
        &mut self.window[row as usize % 3]
    }

    /// Finishes a row, which completes everything that the previous row needs.
    pub(super) fn finish_row(&mut self, row: u32) {
        if self.rows.contains(&row) {
            self.spans += u64::from(self.openings(row).spans);
            self.keep_spans(row);
        }
        if row > 0 && self.rows.contains(&(row - 1)) {
            self.filter(row - 1);
        }
        if row + 1 == self.grid.depth && self.rows.contains(&row) {
            self.filter(row);
        }
        self.window[(row as usize + 1) % 3].start(self.grid.width as usize, self.keep_spans);
    }

    fn keep_spans(&mut self, row: u32) {
        let border = self.grid.border;
        if (border..self.grid.depth - border).contains(&row)
            && let Some(kept) = self.window[row as usize % 3].kept_spans()
        {
            self.floors.push_spans(kept, border as usize);
        }
    }

    fn filter(&mut self, row: u32) {
        if row == 0 || row + 1 == self.grid.depth {
            self.floors.push_empty_columns(self.grid.width as usize);
        } else {
            let [above, here, below] = [row + 2, row, row + 1].map(|row| &self.window[row as usize % 3]);
            self.floors.push_row(RowWindow { above, here, below }, self.params, self.level);
        }
    }
}
