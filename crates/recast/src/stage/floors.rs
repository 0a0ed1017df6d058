//! Stages 2 to 6 in one sweep, triangles -> `CompactField<Compacted>`: each row is rasterized, filtered together with
//! its neighbours, and compacted, and its spans are forgotten two rows on.
//! Units: as in the stages. Cost: that of the stages; memory for three rows of spans instead of all.
//! Source: ours; what is computed is defined by [`super::rasterize`], [`super::filter_low_hanging`],
//! [`super::filter_ledges`], [`super::filter_low_ceilings`] and [`super::compact`], and equal to it.

use super::rasterize::{
    CutRows, FragmentField, Lines, Packed, RowBuffers, RowSink, Rows, Triangles, find_rows,
};
use crate::area::AreaId;
use crate::bands;
use crate::data::Grid;
use crate::data::compact::CompactParts;
use crate::data::span::OPEN_SKY;
use crate::error::Error;
use crate::input::PreparedLevel;
use rayon::prelude::*;
use std::ops::Range;

/// Parameters of the group: those of its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Params {
    pub(crate) merge_threshold: i32,
    /// Clearance the agent needs, cells.
    pub(crate) walkable_height: i32,
    /// Highest step, cells.
    pub(crate) walkable_climb: i32,
}

/// Scratch memory for one band of rows.
#[derive(Default)]
struct BandBuffers {
    rows: RowBuffers,
    window: [RowSpans; 3],
}

/// Scratch memory of the group.
#[derive(Default)]
pub(crate) struct Buffers {
    /// First and last row of each triangle.
    reached: Vec<(u32, u32)>,
    bands: Vec<BandBuffers>,
}

/// What is free above a span, if an agent fits in.
#[derive(Clone, Copy)]
struct Opening {
    floor: i32,
    ceiling: i32,
    /// The area of its floor; low-hanging obstacles are walkable.
    area: AreaId,
}

/// Lower than any floor, and further than any climb.
const ABYSS: i32 = i32::MIN / 2;

/// Where the openings of a column end, and what lies below them.
#[derive(Clone, Copy)]
struct Column {
    /// End of its openings in [`RowSpans::openings`], where those of the next column begin.
    end: u32,
    /// Bottom of its first span: below is nothing to land on.
    bottom: i32,
}

/// The openings of one row.
#[derive(Default)]
struct RowSpans {
    /// One for each column, after one of no meaning.
    columns: Vec<Column>,
    openings: Vec<Opening>,
    /// Spans, those under low ceilings included.
    spans: u32,
}

impl RowSpans {
    fn clear(&mut self) {
        self.columns.clear();
        self.columns.push(Column { end: 0, bottom: OPEN_SKY });
        self.openings.clear();
        self.spans = 0;
    }

    /// Adds a column, filtering low-hanging obstacles and low ceilings.
    #[inline]
    fn push_column(&mut self, spans: &[Packed], params: &Params) {
        self.spans += spans.len() as u32;
        if let [span] = spans {
            self.openings.push(Opening { floor: span.top(), ceiling: OPEN_SKY, area: span.area() });
        } else {
            let mut below = (ABYSS, AreaId::NULL);
            for (index, span) in spans.iter().enumerate() {
                let (floor, mut area) = (span.top(), span.area());
                if area.is_walkable() {
                    below = (floor, area);
                } else {
                    if floor - below.0 <= params.walkable_climb {
                        area = below.1;
                    }
                    below = (ABYSS, AreaId::NULL);
                }
                let ceiling = spans.get(index + 1).map_or(OPEN_SKY, |span| span.bottom());
                if ceiling - floor >= params.walkable_height {
                    self.openings.push(Opening { floor, ceiling, area });
                }
            }
        }
        let bottom = spans.first().map_or(OPEN_SKY, |span| span.bottom());
        self.columns.push(Column { end: self.openings.len() as u32, bottom });
    }

    #[inline]
    fn column(&self, x: usize) -> ColumnOpenings<'_> {
        let Column { end, bottom } = self.columns[x + 1];
        ColumnOpenings { bottom, openings: &self.openings[self.columns[x].end as usize..end as usize] }
    }
}

/// The openings of one column, and the bottom of its first span.
#[derive(Clone, Copy)]
struct ColumnOpenings<'a> {
    bottom: i32,
    openings: &'a [Opening],
}

/// The walkable floors of some rows, without neighbours.
struct Floors {
    /// Ends of columns.
    ends: Vec<u32>,
    floor: Vec<i32>,
    clearance: Vec<u16>,
    area: Vec<AreaId>,
}

impl Floors {
    /// Adds a row without floors.
    fn push_empty_row(&mut self, width: usize) {
        self.ends.resize(self.ends.len() + width, self.floor.len() as u32);
    }

    /// Adds the floors of the row `here` that are no ledges.
    fn push_row(&mut self, [above, here, below]: [&RowSpans; 3], params: &Params) {
        let width = here.columns.len() - 1;
        // At the edge of the grid all is ledge.
        self.ends.push(self.floor.len() as u32);
        if width < 2 {
            return;
        }
        let mut left;
        let mut middle = here.column(0);
        let mut right = here.column(1);
        for x in 1..width - 1 {
            (left, middle, right) = (middle, right, here.column(x + 1));
            for opening in middle.openings {
                if !opening.area.is_walkable() {
                    continue;
                }
                let mut steps = Steps::from(*opening, params);
                let is_ledge = steps.fall(left, params)
                    || steps.fall(right, params)
                    || steps.fall(above.column(x), params)
                    || steps.fall(below.column(x), params)
                    || steps.highest - steps.lowest > params.walkable_climb;
                if !is_ledge {
                    let clearance = opening.ceiling - opening.floor;
                    self.floor.push(opening.floor);
                    self.clearance.push(u16::try_from(clearance).unwrap_or(u16::MAX));
                    self.area.push(opening.area);
                }
            }
            self.ends.push(self.floor.len() as u32);
        }
        self.ends.push(self.floor.len() as u32);
    }
}

/// The floors that can be stepped to from one, as the ledge filter has it. Beside an opening an agent fits in, another
/// one does not count if either ends less than the agent's height above the other's floor.
struct Steps {
    floor: i32,
    /// Openings that end below this do not count.
    least_ceiling: i32,
    /// Nor do those that begin above this.
    most_floor: i32,
    lowest: i32,
    highest: i32,
}

impl Steps {
    #[inline]
    fn from(here: Opening, params: &Params) -> Steps {
        Steps {
            floor: here.floor,
            least_ceiling: here.floor + params.walkable_height,
            most_floor: here.ceiling - params.walkable_height,
            lowest: here.floor,
            highest: here.floor,
        }
    }

    /// Whether an agent could fall off into a column beside; takes note of the steps there.
    #[inline]
    fn fall(&mut self, beside: ColumnOpenings<'_>, params: &Params) -> bool {
        if beside.bottom >= self.least_ceiling {
            return true;
        }
        for opening in beside.openings {
            if opening.ceiling < self.least_ceiling {
                continue;
            }
            if opening.floor > self.most_floor {
                break;
            }
            let step = opening.floor - self.floor;
            if step < -params.walkable_climb {
                return true;
            }
            if step <= params.walkable_climb {
                self.lowest = self.lowest.min(opening.floor);
                self.highest = self.highest.max(opening.floor);
            }
        }
        false
    }
}

/// One band of rows under way: the last three rows of spans, and what was made of the rows before.
struct Sweep<'a> {
    params: &'a Params,
    window: &'a mut [RowSpans; 3],
    floors: Floors,
    rows: Range<u32>,
    depth: u32,
    width: u32,
    spans: u64,
}

impl RowSink for Sweep<'_> {
    #[inline]
    fn column(&mut self, row: u32, spans: &[Packed]) {
        self.window[row as usize % 3].push_column(spans, self.params);
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
            let window = [row + 2, row, row + 1].map(|row| &self.window[row as usize % 3]);
            self.floors.push_row(window, self.params);
        }
    }
}

/// What a tile is rasterized from.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// Triangles.
    Triangles(&'a PreparedLevel, Triangles<'a>),
    /// Triangles that are cut into columns already, and the area of each.
    Cut(&'a FragmentField, &'a [AreaId]),
}

/// The floors of a tile, whose neighbours are not known yet, and how many spans were rasterized. Bands of rows are done
/// by as many threads.
pub(crate) fn run(
    source: Source<'_>,
    grid: &Grid,
    params: &Params,
    threads: usize,
    buffers: &mut Buffers,
) -> Result<(CompactParts, usize), Error> {
    let Buffers { reached, bands: buffers } = buffers;
    let merge_threshold = params.merge_threshold;
    let lines;
    let source = match source {
        Source::Triangles(level, triangles) => {
            lines = Lines::new(grid, level.lattice.cell_size).clipped(level.size[0], level.size[2]);
            find_rows(level, triangles, grid, &lines, reached);
            Band::Triangles(Rows { level, triangles, grid, lines: &lines, reached, merge_threshold })
        }
        Source::Cut(field, areas) => Band::Cut(CutRows { field, areas, grid, merge_threshold }),
    };
    let bands = bands::split(grid, threads);
    buffers.resize_with(buffers.len().max(bands.len()), BandBuffers::default);
    let mut swept: Vec<(Floors, u64)> = match bands.as_slice() {
        [band] => vec![source.sweep(band.clone(), grid, params, &mut buffers[0])],
        bands => {
            let work = bands.par_iter().zip(buffers.par_iter_mut());
            work.map(|(band, buffers)| source.sweep(band.clone(), grid, params, buffers)).collect()
        }
    };
    let count: usize = swept.iter().map(|(_, spans)| *spans as usize).sum();
    let spans = navmath::limit::to_u32("spans", count, "enlarge the cell size or bake in tiles")?;
    let rest = swept.split_off(1);
    let (mut floors, _) = swept.remove(0);
    for (band, _) in rest {
        let base = floors.floor.len() as u32;
        floors.ends.extend(band.ends[1..].iter().map(|end| base + end));
        floors.floor.extend_from_slice(&band.floor);
        floors.clearance.extend_from_slice(&band.clearance);
        floors.area.extend_from_slice(&band.area);
    }
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

/// As [`Source`], prepared.
enum Band<'a> {
    Triangles(Rows<'a>),
    Cut(CutRows<'a>),
}

impl Band<'_> {
    /// The floors of a band of rows, and how many spans it has. The rows beside it are rasterized too.
    fn sweep(
        &self,
        rows: Range<u32>,
        grid: &Grid,
        params: &Params,
        buffers: &mut BandBuffers,
    ) -> (Floors, u64) {
        let columns = rows.len() * grid.width as usize;
        let around = rows.start.saturating_sub(1)..(rows.end + 1).min(grid.depth);
        let BandBuffers { rows: buffers, window } = buffers;
        window[around.start as usize % 3].clear();
        let mut floors = Floors {
            ends: Vec::with_capacity(columns + 1),
            floor: Vec::with_capacity(columns),
            clearance: Vec::with_capacity(columns),
            area: Vec::with_capacity(columns),
        };
        floors.ends.push(0);
        let mut sweep =
            Sweep { params, window, floors, rows, depth: grid.depth, width: grid.width, spans: 0 };
        match self {
            Band::Triangles(source) => source.run(around, buffers, &mut sweep),
            Band::Cut(source) => source.run(around, buffers, &mut sweep),
        }
        (sweep.floors, sweep.spans)
    }
}

#[cfg(test)]
mod tests;
