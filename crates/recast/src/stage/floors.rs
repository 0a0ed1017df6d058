//! Stages 2 to 6 in one sweep, triangles -> `CompactField<Compacted>`: each row is rasterized, filtered together with
//! its neighbours, and compacted, and its spans are forgotten two rows on.
//! Units: as in the stages. Cost: that of the stages; memory for three rows of spans instead of all.
//! Source: ours; what is computed is defined by [`super::rasterize`], [`super::filter_low_hanging`],
//! [`super::filter_ledges`], [`super::filter_low_ceilings`] and [`super::compact`], and equal to it.

mod ledges;
mod openings;

use super::Context;
use super::rasterize::{CutRows, Lines, Packed, RowBuffers, RowSink, Rows, Source, find_rows};
use crate::area::AreaId;
use crate::bands;
use crate::data::Grid;
use crate::data::compact::CompactParts;
use crate::error::Error;
use crate::in_order;
use crate::settings::Config;
use ledges::Window;
use openings::RowSpans;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Parameters of the group: those of its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Params {
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
    rows: RowBuffers,
    window: [RowSpans; 3],
    /// The openings of a row that are known to be no ledges.
    level: Vec<bool>,
}

/// Scratch memory of the group.
#[derive(Default)]
struct Buffers {
    /// First and last row of each triangle.
    reached: Vec<(u32, u32)>,
    /// One a thread.
    bands: Vec<BandBuffers>,
    /// Lists of bands that were taken.
    spare: Vec<Floors>,
}

/// The walkable floors of some rows, without neighbours.
#[derive(Default)]
struct Floors {
    /// Ends of columns.
    ends: Vec<u32>,
    floor: Vec<i32>,
    clearance: Vec<u16>,
    area: Vec<AreaId>,
}

impl Floors {
    /// None, with room for as many as columns.
    fn with_capacity(columns: usize) -> Floors {
        let mut floors = Floors {
            ends: Vec::with_capacity(columns + 1),
            floor: Vec::with_capacity(columns),
            clearance: Vec::with_capacity(columns),
            area: Vec::with_capacity(columns),
        };
        floors.ends.push(0);
        floors
    }

    /// Forgets all floors.
    fn clear(&mut self) {
        let Floors { ends, floor, clearance, area } = self;
        ends.clear();
        ends.push(0);
        floor.clear();
        clearance.clear();
        area.clear();
    }

    /// Adds the floors of the rows that follow.
    fn append(&mut self, other: &Floors) {
        let base = self.floor.len() as u32;
        self.ends.extend(other.ends[1..].iter().map(|end| end + base));
        self.floor.extend_from_slice(&other.floor);
        self.clearance.extend_from_slice(&other.clearance);
        self.area.extend_from_slice(&other.area);
    }

    /// Adds a row without floors.
    fn push_empty_row(&mut self, width: usize) {
        self.ends.resize(self.ends.len() + width, self.floor.len() as u32);
    }

    /// Adds the floors of a row that are no ledges.
    fn push_row(&mut self, window: Window<'_>, params: &Params, level: &mut Vec<bool>) {
        let here = window.here;
        let width = here.bottoms.len();
        // At the edge of the grid all is ledge.
        self.ends.push(self.floor.len() as u32);
        if width < 2 {
            return;
        }
        window.mark_level(params, level);
        let mut x = 1;
        while x + 1 < width {
            let first = here.ends[x] as usize;
            let uneven = (first + count_while(&level[first..], |&level| level)) as u32;
            let columns = count_while(&here.ends[x + 1..width], |&end| end <= uneven);
            if columns > 0 {
                self.push_columns(here, x..x + columns);
                x += columns;
                continue;
            }
            let openings = here.ends[x] as usize..here.ends[x + 1] as usize;
            for (opening, &is_level) in openings.clone().zip(&level[openings]) {
                let ledge = || !here.area[opening].is_walkable() || window.is_ledge(x, opening, params);
                if is_level || !ledge() {
                    self.floor.push(here.floor[opening]);
                    self.clearance.push(clearance(here.floor[opening], here.ceiling[opening]));
                    self.area.push(here.area[opening]);
                }
            }
            self.ends.push(self.floor.len() as u32);
            x += 1;
        }
        self.ends.push(self.floor.len() as u32);
    }

    /// Adds all openings of some columns.
    fn push_columns(&mut self, row: &RowSpans, columns: Range<usize>) {
        let base = self.floor.len() as u32;
        let first = row.ends[columns.start];
        self.ends.extend(row.ends[columns.start + 1..=columns.end].iter().map(|end| end - first + base));
        let openings = first as usize..row.ends[columns.end] as usize;
        let (floor, ceiling) = (&row.floor[openings.clone()], &row.ceiling[openings.clone()]);
        self.floor.extend_from_slice(floor);
        self.clearance.extend(floor.iter().zip(ceiling).map(|(&floor, &ceiling)| clearance(floor, ceiling)));
        self.area.extend_from_slice(&row.area[openings]);
    }
}

/// How many items from the first on are so. Mostly few; else many are looked at without a way out in between.
#[inline]
fn count_while<T>(items: &[T], is_so: impl Fn(&T) -> bool) -> usize {
    const TOGETHER: usize = 16;
    let few = items.len().min(TOGETHER);
    if let Some(other) = items[..few].iter().position(|item| !is_so(item)) {
        return other;
    }
    let (pieces, _) = items[few..].as_chunks::<TOGETHER>();
    let all = |piece: &[T; TOGETHER]| piece.iter().fold(true, |all, item| all & is_so(item));
    let whole = few + pieces.iter().take_while(|piece| all(piece)).count() * TOGETHER;
    whole + items[whole..].iter().take_while(|item| is_so(item)).count()
}

/// The space above a floor, as far as a compact field keeps it.
#[inline]
fn clearance(floor: i32, ceiling: i32) -> u16 {
    (ceiling - floor).min(i32::from(u16::MAX)) as u16
}

/// One band of rows under way: the last three rows of spans, and what was made of the rows before.
struct Sweep<'a> {
    params: &'a Params,
    window: &'a mut [RowSpans; 3],
    level: &'a mut Vec<bool>,
    floors: Floors,
    rows: Range<u32>,
    depth: u32,
    width: u32,
    spans: u64,
}

impl RowSink for Sweep<'_> {
    #[inline(always)]
    fn column(&mut self, row: u32, spans: &[Packed]) {
        self.window[row as usize % 3].push_column(spans, self.params);
    }

    fn empty_columns(&mut self, row: u32, count: usize) {
        self.window[row as usize % 3].push_empty(count);
    }

    /// A row of spans is complete: so is what the row before needs.
    fn row_done(&mut self, row: u32) {
        if self.rows.contains(&row) {
            self.spans += u64::from(self.window[row as usize % 3].spans);
        }
        if row > 0 && self.rows.contains(&(row - 1)) {
            self.filter(row - 1);
        }
        if row + 1 == self.depth && self.rows.contains(&row) {
            self.filter(row);
        }
        self.window[(row as usize + 1) % 3].clear();
    }
}

impl Sweep<'_> {
    fn filter(&mut self, row: u32) {
        if row == 0 || row + 1 == self.depth {
            self.floors.push_empty_row(self.width as usize);
        } else {
            let [above, here, below] = [row + 2, row, row + 1].map(|row| &self.window[row as usize % 3]);
            self.floors.push_row(Window { above, here, below }, self.params, self.level);
        }
    }
}

/// The floors of a tile, whose neighbours are not known yet, and how many spans were rasterized. Bands of rows are done
/// by as many threads.
pub(crate) fn run(
    (source, areas, grid): (Source<'_>, &[AreaId], &Grid),
    params: &Params,
    context: &mut Context,
) -> Result<(CompactParts, usize), Error> {
    let threads = context.threads;
    let Buffers { reached, bands: buffers, spare } = context.scratch.of::<Buffers>();
    let merge_threshold = params.merge_threshold;
    let lines;
    let source = match source.fragments {
        None => {
            let level = source.level;
            lines = Lines::new(grid, level.lattice.cell_size).clipped(level.size[0], level.size[2]);
            find_rows(source, &lines, reached);
            Band::Triangles(Rows { source, areas, grid, lines: &lines, reached, merge_threshold })
        }
        Some(field) => Band::Cut(CutRows { field, areas, grid, merge_threshold }),
    };
    let bands = bands::split(grid, threads);
    let workers = threads.min(bands.len());
    buffers.resize_with(buffers.len().max(workers), BandBuffers::default);
    let mut floors = Floors::with_capacity(grid.columns());
    let mut count = 0;
    if let [band] = bands.as_slice() {
        (floors, count) = source.sweep(band.clone(), grid, params, &mut buffers[0], floors);
    } else {
        let spare = Mutex::new(spare);
        let spare = || spare.lock().unwrap_or_else(PoisonError::into_inner);
        in_order::run(
            &mut buffers[..workers],
            bands.len(),
            |buffers, band| {
                let mut floors = spare().pop().unwrap_or_default();
                floors.clear();
                source.sweep(bands[band].clone(), grid, params, buffers, floors)
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
        offsets: floors.ends,
        floor: floors.floor,
        clearance: floors.clearance,
        area: floors.area,
        neighbours: Vec::new(),
    };
    Ok((parts, spans as usize))
}

/// The triangles of a source, prepared.
enum Band<'a> {
    Triangles(Rows<'a>),
    Cut(CutRows<'a>),
}

impl Band<'_> {
    /// The floors of a band of rows, into lists that are empty, and how many spans it has. The rows beside it are
    /// rasterized too.
    fn sweep(
        &self,
        rows: Range<u32>,
        grid: &Grid,
        params: &Params,
        buffers: &mut BandBuffers,
        floors: Floors,
    ) -> (Floors, u64) {
        let around = rows.start.saturating_sub(1)..(rows.end + 1).min(grid.depth);
        let BandBuffers { rows: buffers, window, level } = buffers;
        window[around.start as usize % 3].clear();
        let mut sweep =
            Sweep { params, window, level, floors, rows, depth: grid.depth, width: grid.width, spans: 0 };
        match self {
            Band::Triangles(source) => source.run(around, buffers, &mut sweep),
            Band::Cut(source) => source.run(around, buffers, &mut sweep),
        }
        (sweep.floors, sweep.spans)
    }
}

#[cfg(test)]
mod tests;
