//! Stage 2, rasterize: triangles -> SpanField.
//! Units: metres in, cells out. Cost: O(triangles + columns touched), sorts of a few fragments a column.
//! Figure: docs/figures/02-rasterize.svg.
//! Source: M. Mononen, Recast (RecastRasterization.cpp), for what a fragment and a merge are. Deviations: rows
//! and columns are cut from the original edges, never from what the previous cell left over, so a fragment
//! depends on its triangle and its lattice cell alone; and a column's fragments are merged in sorted order, so
//! the spans are a function of the set of triangles.
//!
//! Rows are rasterized one after the other: only the fragments of one row are held at a time.

mod columns;
mod cut;
mod fragments;
mod lines;
mod packed;
mod quantise;
mod row;
mod rows;
mod slices;
mod source;

use super::Context;
use crate::area::AreaId;
use crate::data::span::state::Rasterized;
use crate::data::{Grid, SpanField};
use crate::error::Error;
use crate::settings::Config;
pub use columns::{Fragment, merge_column};
pub(crate) use cut::RowCutter;
pub(crate) use fragments::CutRows;
pub use fragments::FragmentField;
pub(crate) use lines::Lines;
pub(crate) use packed::Packed;
pub(crate) use rows::{RowBuffers, RowSink, Rows, find_rows};
pub use source::Source;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Tops of merged spans that differ by no more than this, in cells, count as one surface, and the higher
    /// area id wins. Default: the agent's climb, as in RecastDemo.
    pub merge_threshold: i32,
}

/// Scratch memory of the stage.
#[derive(Default)]
struct Buffers {
    /// First and last row of each triangle.
    reached: Vec<(u32, u32)>,
    rows: RowBuffers,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { merge_threshold: config.walkable_climb }
    }
}

/// Rasterizes the triangles of `source`, with `areas` from the stage before, onto `grid`.
pub fn run(
    (source, areas, grid): (Source<'_>, &[AreaId], &Grid),
    params: &Params,
    context: &mut Context,
) -> Result<SpanField<Rasterized>, Error> {
    debug_assert_eq!(source.len(), areas.len());
    let Buffers { reached, rows } = context.scratch.of::<Buffers>();
    let merge_threshold = params.merge_threshold;
    let mut spans = Spans::new(grid);
    if let Some(field) = source.fragments {
        CutRows { field, areas, grid, merge_threshold }.run(0..grid.depth, rows, &mut spans);
        return spans.finish(grid);
    }
    let level = source.level;
    let lines = Lines::new(grid, level.lattice.cell_size).clipped(level.size[0], level.size[2]);
    find_rows(source, &lines, reached);
    Rows { source, areas, grid, lines: &lines, reached, merge_threshold }.run(
        0..grid.depth,
        rows,
        &mut spans,
    );
    spans.finish(grid)
}

/// Gathers all spans.
struct Spans {
    offsets: Vec<u32>,
    min: Vec<i32>,
    max: Vec<i32>,
    area: Vec<AreaId>,
}

impl Spans {
    fn new(grid: &Grid) -> Spans {
        let mut offsets = Vec::with_capacity(grid.columns() + 1);
        offsets.push(0);
        Spans { offsets, min: Vec::new(), max: Vec::new(), area: Vec::new() }
    }

    fn finish(self, grid: &Grid) -> Result<SpanField<Rasterized>, Error> {
        navmath::limit::to_u32("spans", self.min.len(), "enlarge the cell size or bake in tiles")?;
        Ok(SpanField::from_parts(*grid, self.offsets, self.min, self.max, self.area))
    }
}

impl RowSink for Spans {
    fn column(&mut self, _: u32, spans: &[Packed]) {
        for span in spans {
            self.min.push(span.bottom());
            self.max.push(span.top());
            self.area.push(span.area());
        }
        self.offsets.push(self.min.len() as u32);
    }

    fn empty_columns(&mut self, _: u32, count: usize) {
        self.offsets.resize(self.offsets.len() + count, self.min.len() as u32);
    }
}

/// Clips a height range in metres to the bounds and quantises it to cells; `None` if it lies outside.
#[inline]
pub(crate) fn quantise(low: f32, high: f32, height: f32, cell_height: f32) -> Option<(i32, i32)> {
    if high < 0.0 || low > height {
        return None;
    }
    let cells_per_metre = 1.0 / cell_height;
    let (low, high) = (low.max(0.0) * cells_per_metre, high.min(height) * cells_per_metre);
    // Neither is negative, so truncation is floor; and heights are few enough to be exact in f32.
    let (min, max) = (low as i32, high as i32);
    let max = max + i32::from((max as f32) < high);
    Some((min, max.max(min + 1)))
}

#[cfg(test)]
mod tests;
