//! Stages 2 to 6 in one sweep over rows, triangles -> walkable floors: each row is rasterized, filtered together with
//! the rows beside it, and compacted, and its spans are forgotten two rows on.

use super::bands;
use super::in_order;
use super::ledges::RowWindow;
use super::openings::RowOpenings;
use super::strips::{self, StripBuffers, Triangles};
use crate::area::AreaId;
use crate::data::Grid;
use crate::data::compact::CompactParts;
use crate::error::Error;
use crate::lists::leading;
use crate::settings::Config;
use crate::stage::Context;
use crate::stage::rasterize::{Fragment, Source, merge_column};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Parameters of the sweep: those of its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Params {
    /// As [`crate::stage::rasterize::Params::merge_threshold`].
    pub(crate) merge_threshold: i32,
    /// Clearance the agent needs, cells.
    pub(crate) walkable_height: i32,
    /// Highest step, cells.
    pub(crate) walkable_climb: i32,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params {
            merge_threshold: config.walkable_climb,
            walkable_height: config.walkable_height,
            walkable_climb: config.walkable_climb,
        }
    }
}

/// Scratch memory for one band of rows.
#[derive(Default)]
struct BandBuffers {
    strips: StripBuffers,
    window: [RowOpenings; 3],
    /// Which openings of a row are surely no ledges.
    level: Vec<bool>,
}

/// Scratch memory of the sweep.
#[derive(Default)]
struct Buffers {
    /// First and last row of each triangle.
    reached: Vec<(u32, u32)>,
    /// One per thread.
    bands: Vec<BandBuffers>,
    /// Lists of bands whose floors were taken out of them.
    spare: Vec<FloorList>,
}

/// The floors of a tile, whose neighbours are not known yet, and how many spans were rasterized. Bands of rows are shared
/// among threads.
pub(crate) fn floors(
    (source, areas, grid): (Source<'_>, &[AreaId], &Grid),
    params: &Params,
    context: &mut Context,
) -> Result<(CompactParts, usize), Error> {
    let threads = context.threads;
    let Buffers { reached, bands: buffers, spare } = context.scratch.of();
    let lines = strips::lines(source, grid);
    if source.fragments.is_none() {
        strips::find_rows(source, &lines, reached);
    }
    let triangles = Triangles { source, areas, grid, lines: &lines, reached };
    let bands = bands::split(grid, threads);
    let workers = threads.min(bands.len());
    buffers.resize_with(buffers.len().max(workers), BandBuffers::default);
    let mut floors = FloorList::with_capacity(grid.columns());
    let mut count = 0;
    if let [band] = bands.as_slice() {
        (floors, count) = sweep(&triangles, band.clone(), params, &mut buffers[0], floors);
    } else {
        let spare = Mutex::new(spare);
        let spare = || spare.lock().unwrap_or_else(PoisonError::into_inner);
        in_order::run(
            &mut buffers[..workers],
            bands.len(),
            |buffers, band| {
                let mut floors = spare().pop().unwrap_or_default();
                floors.clear();
                sweep(&triangles, bands[band].clone(), params, buffers, floors)
            },
            |(band, spans)| {
                floors.append(&band);
                count += spans;
                spare().push(band);
            },
        );
    }
    let spans = navmath::limit::to_u32("spans", count as usize, "enlarge the cell size or bake in tiles")?;
    let parts = CompactParts {
        grid: *grid,
        walkable_height: params.walkable_height,
        walkable_climb: params.walkable_climb,
        offsets: floors.offsets,
        floor: floors.floor,
        clearance: floors.clearance,
        area: floors.area,
        neighbours: Vec::new(),
    };
    Ok((parts, spans as usize))
}

/// The floors of a band of rows, added to an empty list, and how many spans it has. The rows beside it are rasterized
/// too.
fn sweep(
    triangles: &Triangles<'_>,
    rows: Range<u32>,
    params: &Params,
    buffers: &mut BandBuffers,
    floors: FloorList,
) -> (FloorList, u64) {
    let Triangles { source, areas, grid, .. } = *triangles;
    let around = rows.start.saturating_sub(1)..(rows.end + 1).min(grid.depth);
    let BandBuffers { strips, window, level } = buffers;
    window[around.start as usize % 3].clear();
    let mut sweep = FloorSweep { params, window, level, floors, rows, grid, spans: 0 };
    match source.fragments {
        None => triangles.rasterize(around, strips, &mut sweep),
        Some(field) => strips::merge_cut(field, areas, grid, around, strips, &mut sweep),
    }
    (sweep.floors, sweep.spans)
}

/// The walkable floors of some rows.
#[derive(Default)]
struct FloorList {
    /// Floors of column c are those from `offsets[c]` to `offsets[c + 1]`.
    offsets: Vec<u32>,
    floor: Vec<i32>,
    clearance: Vec<u16>,
    area: Vec<AreaId>,
}

impl FloorList {
    /// None, with room for one per column.
    fn with_capacity(columns: usize) -> FloorList {
        let mut floors = FloorList {
            offsets: Vec::with_capacity(columns + 1),
            floor: Vec::with_capacity(columns),
            clearance: Vec::with_capacity(columns),
            area: Vec::with_capacity(columns),
        };
        floors.offsets.push(0);
        floors
    }

    fn clear(&mut self) {
        self.offsets.clear();
        self.offsets.push(0);
        self.floor.clear();
        self.clearance.clear();
        self.area.clear();
    }

    /// Adds the floors of the rows that follow.
    fn append(&mut self, other: &FloorList) {
        let base = self.floor.len() as u32;
        self.offsets.extend(other.offsets[1..].iter().map(|offset| offset + base));
        self.floor.extend_from_slice(&other.floor);
        self.clearance.extend_from_slice(&other.clearance);
        self.area.extend_from_slice(&other.area);
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

    /// Adds the openings of a row that are no ledges.
    fn push_row(&mut self, window: RowWindow<'_>, params: &Params, level: &mut Vec<bool>) {
        let here = window.here;
        let width = here.bottoms.len();
        window.mark_level(params, level);
        // At the edge of the grid all is ledge.
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
            for opening in first..here.offsets[x + 1] as usize {
                let ledge = || !here.area[opening].is_walkable() || window.is_ledge(x, opening, params);
                if level[opening] || !ledge() {
                    self.floor.push(here.floor[opening]);
                    self.clearance.push(clearance(here.floor[opening], here.ceiling[opening]));
                    self.area.push(here.area[opening]);
                }
            }
            self.push_empty_columns(1);
            x += 1;
        }
        self.push_empty_columns(width.saturating_sub(x));
    }
}

/// The space above a floor, as far as a compact field keeps it.
#[inline]
fn clearance(floor: i32, ceiling: i32) -> u16 {
    (ceiling - floor).min(i32::from(u16::MAX)) as u16
}

/// A band of rows under way: the last three rows of openings, and the floors of the rows before.
pub(super) struct FloorSweep<'a> {
    params: &'a Params,
    /// Row z is `window[z % 3]`.
    window: &'a mut [RowOpenings; 3],
    level: &'a mut Vec<bool>,
    floors: FloorList,
    /// The band; rows beside it are only looked at.
    rows: Range<u32>,
    grid: &'a Grid,
    spans: u64,
}

impl FloorSweep<'_> {
    /// Takes the fragments of the next column of a row.
    #[inline(always)]
    pub(super) fn push_column(&mut self, row: u32, fragments: &mut [Fragment]) {
        let spans = merge_column(fragments, self.params.merge_threshold);
        self.window[row as usize % 3].push_column(spans, self.params);
    }

    /// Takes columns without fragments.
    pub(super) fn push_empty_columns(&mut self, row: u32, count: usize) {
        self.window[row as usize % 3].push_empty(count);
    }

    /// A row is complete, and with it all that the row before needs.
    pub(super) fn finish_row(&mut self, row: u32) {
        if self.rows.contains(&row) {
            self.spans += u64::from(self.window[row as usize % 3].spans);
        }
        if row > 0 && self.rows.contains(&(row - 1)) {
            self.filter(row - 1);
        }
        if row + 1 == self.grid.depth && self.rows.contains(&row) {
            self.filter(row);
        }
        self.window[(row as usize + 1) % 3].clear();
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

#[cfg(test)]
mod tests;
