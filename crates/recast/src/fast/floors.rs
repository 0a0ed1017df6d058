//! Stages 2 to 6 in one sweep over rows, triangles -> walkable floors: each row is rasterized, filtered
//! together with the adjacent rows, and compacted, and its spans are freed two rows later.

use super::openings::RowOpenings;
use super::strips::{self, StripBuffers, Triangles};
use super::sweep::{FloorList, FloorSweep};
use super::{Params, bands, in_order};
use crate::data::Grid;
use crate::data::column_spans::ColumnSpans;
use crate::data::compact::CompactArrays;
use crate::data::fragment::Fragment;
use crate::error::Error;
use crate::source::{Cut, Source};
use crate::stage::Context;
use navtile::area::AreaId;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// A tile's scratch memory is reused for the next tile. For a level in one piece, with more columns than
/// this, it is freed: it would only add to the memory of the regions, where usage peaks.
const KEPT_COLUMNS: usize = 1 << 18;

/// Scratch memory for one band of rows.
#[derive(Default)]
struct BandBuffers {
    strips: StripBuffers,
    window: [RowOpenings; 3],
    /// True for the openings of a row that are certainly not ledges.
    level: Vec<bool>,
}

/// Scratch memory of the sweep.
#[derive(Default)]
struct Buffers {
    /// First and last row of each triangle.
    reached: Vec<(u32, u32)>,
    /// One per thread.
    bands: Vec<BandBuffers>,
    /// Lists of bands, emptied for reuse.
    spare: Vec<FloorList>,
}

/// The floors that the sweep finds in a tile.
pub struct SweptFloors {
    /// The floors, without neighbours so far.
    pub parts: CompactArrays,
    /// Number of spans that were rasterized.
    pub count: usize,
    /// All spans, if they are kept.
    pub spans: Option<ColumnSpans>,
}

/// Finds the floors of a tile. Bands of rows are shared among threads. Rows with known floors are copied.
pub fn floors(
    (source, areas, grid): (Source<'_>, &[AreaId], &Grid),
    params: &Params,
    context: &mut Context,
) -> Result<SweptFloors, Error> {
    let bands = bands::split(grid, context.threads);
    floors_in((source, areas, grid), &bands, params, context)
}

/// Like [`floors`], in these bands.
fn floors_in(
    (source, areas, grid): (Source<'_>, &[AreaId], &Grid),
    bands: &[Range<u32>],
    params: &Params,
    context: &mut Context,
) -> Result<SweptFloors, Error> {
    let threads = context.threads;
    let Buffers { reached, bands: buffers, spare } = context.scratch.of();
    let lines = strips::lines(source, grid);
    if matches!(source.cut, Cut::Nothing) {
        strips::find_rows(source, &lines, reached);
    }
    let triangles = Triangles { source, areas, grid, lines: &lines, reached };
    let workers = threads.min(bands.len());
    buffers.resize_with(buffers.len().max(workers), BandBuffers::default);
    let mut floors = FloorList::with_capacity(grid.columns());
    let mut count = 0;
    if let Some(known) = source.known() {
        let [start, end] = known.changed;
        floors.append_rows(known.parts, 0..start);
        (floors, count) = sweep(&triangles, start..end, params, &mut buffers[0], floors);
        floors.append_rows(known.parts, end..grid.depth);
        count += known.spans as u64;
    } else if let [band] = bands {
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
    if grid.columns() > KEPT_COLUMNS {
        *context.scratch.of() = Buffers::default();
    }
    let spans = navmath::limit::to_u32("spans", count as usize, "enlarge the cell size or bake in tiles")?;
    let kept = match source.cut {
        _ if !params.keep_spans => None,
        Cut::Merging(columns) => Some(ColumnSpans::of_columns(&columns, grid)),
        Cut::Nothing | Cut::Triangles(_) => Some(floors.spans),
    };
    let parts = CompactArrays {
        grid: *grid,
        walkable_height: params.walkable_height,
        walkable_climb: params.walkable_climb,
        offsets: floors.offsets,
        floor: floors.floor,
        clearance: floors.clearance,
        area: floors.area,
        neighbours: Vec::new(),
    };
    Ok(SweptFloors { parts, count: spans as usize, spans: kept })
}

/// Adds the floors of a band of rows to a list, and returns its number of spans. The adjacent rows are
/// rasterized too.
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
    let keep_spans = params.keep_spans && !matches!(source.cut, Cut::Merging(_));
    window[around.start as usize % 3].start(grid.width as usize, keep_spans);
    let mut sweep = FloorSweep { params, window, level, floors, rows, grid, spans: 0, keep_spans };
    match source.cut {
        Cut::Nothing => triangles.rasterize(around, strips, &mut sweep),
        Cut::Triangles(field) => {
            let column = |x, z, column: &mut Vec<Fragment>| column.extend(field.column(grid, x, z, areas));
            strips::merge_cut(column, grid, around, strips, &mut sweep);
        }
        Cut::Merging(kept) => {
            let column = |x, z, column: &mut Vec<Fragment>| {
                column.extend_from_slice(kept.column(grid.column(x, z)));
            };
            strips::merge_cut(column, grid, around, strips, &mut sweep);
        }
    }
    (sweep.floors, sweep.spans)
}

#[cfg(test)]
mod tests;
