//! Stage 2, rasterize: triangles -> SpanField.
//! Units: metres in, cells out. Cost: O(triangles + columns touched), sorts of a few fragments a column.
//! Figure: docs/figures/02-rasterize.svg.
//! Source: M. Mononen, Recast (RecastRasterization.cpp), for what a fragment and a merge are. Deviations: rows
//! and columns are cut from the original edges, never from what the previous cell left over, so a fragment
//! depends on its triangle and its lattice cell alone; and a column's fragments are merged in sorted order, so
//! the spans are a function of the set of triangles.
//!
//! Fragments are gathered by bands of rows, which bounds their memory, and counting-sorted into columns.

mod columns;
mod cut;
mod fragments;

use crate::area::AreaId;
use crate::data::span::state::Rasterized;
use crate::data::{Grid, SpanField};
use crate::error::Error;
use crate::input::{PreparedLevel, canonical_corners};
use crate::scratch::Scratch;
pub(crate) use columns::FragmentBand;
pub use columns::{Fragment, merge_column};
pub(crate) use cut::{Lines, RowCutter};
pub use fragments::{FragmentField, run_cut};

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
    band: FragmentBand,
    cutter: RowCutter,
    band_offsets: Vec<u32>,
    band_triangles: Vec<u32>,
    column: Vec<Fragment>,
}

/// Rows gathered at a time: enough that most triangles fall into one band, few enough that the fragments of a
/// band stay in the cache.
const BAND_ROWS: u32 = 32;

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
struct Triangles<'a> {
    ids: Option<&'a [u32]>,
    areas: &'a [AreaId],
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
    let buffers = &mut scratch.rasterize;
    let lines = Lines::new(grid, level.lattice.cell_size).clipped(level.size[0], level.size[2]);
    bin_triangles(level, triangles, grid, &lines, buffers);
    let mut offsets = Vec::with_capacity(grid.columns() + 1);
    offsets.push(0);
    let (mut min, mut max, mut area) = (Vec::new(), Vec::new(), Vec::new());
    for band in 0..grid.depth.div_ceil(BAND_ROWS) {
        let rows = band * BAND_ROWS..((band + 1) * BAND_ROWS).min(grid.depth);
        buffers.band.begin(rows.len() * grid.width as usize);
        let range =
            buffers.band_offsets[band as usize] as usize..buffers.band_offsets[band as usize + 1] as usize;
        for &triangle in &buffers.band_triangles[range] {
            let corners = canonical_corners(triangles.corners(level, triangle as usize));
            let (first, last) = lines.rows(&corners);
            let tag = triangles.areas[triangle as usize];
            for row in first.max(i64::from(rows.start))..=last.min(i64::from(rows.end) - 1) {
                let first_column = (row as u32 - rows.start) as usize * grid.width as usize;
                let fragments = &mut buffers.band;
                buffers.cutter.cut(&corners, row as u32, &lines, |x, low, high| {
                    if let Some((low, high)) = quantise(low, high, level.height, grid.cell_height) {
                        fragments
                            .push(first_column + x as usize, Fragment { min: low, max: high, area: tag });
                    }
                });
            }
        }
        buffers.band.merge_columns(params.merge_threshold, |spans| {
            for span in spans {
                min.push(span.min);
                max.push(span.max);
                area.push(span.area);
            }
            offsets.push(min.len() as u32);
        });
    }
    navmath::limit::to_u32("spans", min.len(), "enlarge the cell size or bake in tiles")?;
    Ok(SpanField::from_parts(*grid, offsets, min, max, area))
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

/// Counting-sorts triangles into the bands of rows they touch.
fn bin_triangles(
    level: &PreparedLevel,
    triangles: Triangles<'_>,
    grid: &Grid,
    lines: &Lines,
    buffers: &mut Buffers,
) {
    let bands = grid.depth.div_ceil(BAND_ROWS) as usize;
    let touched = |triangle: usize| {
        let corners = triangles.corners(level, triangle);
        let (first, last) = lines.rows(&corners);
        let (first, last) = (first.max(0), last.min(i64::from(grid.depth) - 1));
        let meets = first <= last && lines.meets_columns(&corners);
        let band = |row: i64| (row / i64::from(BAND_ROWS)) as usize;
        if meets { band(first)..band(last) + 1 } else { 0..0 }
    };
    let offsets = &mut buffers.band_offsets;
    offsets.clear();
    offsets.resize(bands + 1, 0);
    for triangle in 0..triangles.areas.len() {
        touched(triangle).for_each(|band| offsets[band + 1] += 1);
    }
    for band in 0..bands {
        offsets[band + 1] += offsets[band];
    }
    buffers.band_triangles.clear();
    buffers.band_triangles.resize(offsets[bands] as usize, 0);
    let mut next = offsets.clone();
    for triangle in 0..triangles.areas.len() {
        for band in touched(triangle) {
            buffers.band_triangles[next[band] as usize] = triangle as u32;
            next[band] += 1;
        }
    }
}

#[cfg(test)]
mod tests;
