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

use crate::area::AreaId;
use crate::data::span::state::Rasterized;
use crate::data::{Grid, SpanField};
use crate::error::Error;
use crate::input::PreparedLevel;
use crate::scratch::Scratch;
pub(crate) use columns::FragmentBand;
pub use columns::{Fragment, merge_column};
pub(crate) use cut::RowCutter;
pub(crate) use fragments::CutRows;
pub use fragments::{FragmentField, run_cut};
pub(crate) use lines::Lines;
pub(crate) use packed::Packed;
pub(crate) use rows::{RowBuffers, RowSink, Rows, find_rows};

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Tops of merged spans that differ by no more than this, in cells, count as one surface, and the higher
    /// area id wins. Default: the agent's climb, as in RecastDemo.
    pub merge_threshold: i32,
}

/// Scratch memory of the stage.
#[derive(Default)]
pub struct Buffers {
    /// First and last row of each triangle.
    pub(crate) reached: Vec<(u32, u32)>,
    pub(crate) rows: RowBuffers,
}

/// Rasterizes all triangles of `level`, with `areas` from the stage before, onto `grid`.
pub fn run(
    level: &PreparedLevel,
    areas: &[AreaId],
    grid: &Grid,
    params: &Params,
    scratch: &mut Scratch,
) -> Result<SpanField<Rasterized>, Error> {
    rasterize(level, Triangles { ids: None, areas }, grid, params, scratch)
}

/// As [`run`], for some triangles of the level only: `ids` name them, and `areas` holds the area of each.
pub fn run_some(
    level: &PreparedLevel,
    ids: &[u32],
    areas: &[AreaId],
    grid: &Grid,
    params: &Params,
    scratch: &mut Scratch,
) -> Result<SpanField<Rasterized>, Error> {
    debug_assert_eq!(ids.len(), areas.len());
    rasterize(level, Triangles { ids: Some(ids), areas }, grid, params, scratch)
}

/// The triangles of a level, or some of them, in a row.
#[derive(Clone, Copy)]
pub(crate) struct Triangles<'a> {
    /// Their numbers; all in order if there are none.
    pub(crate) ids: Option<&'a [u32]>,
    /// The area of each.
    pub(crate) areas: &'a [AreaId],
}

impl Triangles<'_> {
    #[inline]
    fn corners(&self, level: &PreparedLevel, index: usize) -> [[f32; 3]; 3] {
        level.corners(self.ids.map_or(index, |ids| ids[index] as usize))
    }
}

fn rasterize(
    level: &PreparedLevel,
    triangles: Triangles<'_>,
    grid: &Grid,
    params: &Params,
    scratch: &mut Scratch,
) -> Result<SpanField<Rasterized>, Error> {
    let Buffers { reached, rows, .. } = &mut scratch.rasterize;
    let lines = Lines::new(grid, level.lattice.cell_size).clipped(level.size[0], level.size[2]);
    find_rows(level, triangles, &lines, reached);
    let mut spans = Spans::new(grid);
    let merge_threshold = params.merge_threshold;
    Rows { level, triangles, grid, lines: &lines, reached, merge_threshold }.run(
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
