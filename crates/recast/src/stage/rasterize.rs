//! Stage 2, rasterize: triangles -> SpanField.
//! Units: metres in, cells out. Cost: O(triangles + fragments), and a sort of a few fragments per column.
//! Figure: docs/figures/02-rasterize.svg.
//! Source: M. Mononen, Recast (RecastRasterization.cpp), for the definitions of fragment and merge.
//! Deviations: rows and columns are cut from the original edges, never from the remainder of the previous
//! cell, so a fragment depends only on its triangle and its lattice cell; and a column's fragments are merged
//! in sorted order, so the spans are a function of the set of triangles.
//!
//! A triangle is cut into columns (`rasterize/cut.rs`), the heights of each part are rounded to cells, and
//! the fragments of each column are merged to spans. `crate::fast` does the same without storing all
//! fragments.

pub(crate) mod cut;

use super::Context;
use crate::data::fragment::TriangleFragment;
pub use crate::data::fragment::{Fragment, FragmentField};
use crate::data::span::state::Rasterized;
use crate::data::{Grid, SpanField};
use crate::error::Error;
use crate::settings::Config;
use crate::source::Cut;
pub use crate::source::Source;
use cut::Lines;
use navtile::area::AreaId;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Tops of merged spans that differ by no more than this, in cells, count as one surface, and the higher
    /// area id wins. Default: the agent's climb, as in RecastDemo.
    pub merge_threshold: i32,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { merge_threshold: config.walkable_climb }
    }
}

/// Rasterizes the triangles of `source`, with the `areas` of the previous stage, onto a grid.
pub fn run(
    (source, areas, grid): (Source<'_>, &[AreaId], &Grid),
    params: &Params,
    _: &mut Context,
) -> Result<SpanField<Rasterized>, Error> {
    debug_assert_eq!(source.len(), areas.len());
    let cut;
    let fragments = match source.cut {
        Cut::Triangles(fragments) => Some(fragments),
        Cut::Merging(_) => None,
        Cut::Nothing => {
            cut = FragmentField::cut(source, grid)?;
            Some(&cut)
        }
    };
    let (mut offsets, mut min, mut max, mut area) = (vec![0], Vec::new(), Vec::new(), Vec::new());
    let mut column = Vec::new();
    for z in 0..grid.depth {
        for x in 0..grid.width {
            column.clear();
            if let Some(fragments) = fragments {
                column.extend(fragments.column(grid, x, z, areas));
            } else if let Cut::Merging(kept) = source.cut {
                column.extend_from_slice(kept.column(grid.column(x, z)));
            }
            for span in merge_column(&mut column, params.merge_threshold) {
                min.push(span.bottom());
                max.push(span.top());
                area.push(span.area());
            }
            // There are no more spans than fragments, whose number is checked.
            offsets.push(min.len() as u32);
        }
    }
    Ok(SpanField::from_parts(*grid, offsets, min, max, area))
}

/// Clips a height range in metres to the bounds and rounds it outwards to cells; `None` if it is outside.
pub fn quantise(low: f32, high: f32, height: f32, cell_height: f32) -> Option<(i32, i32)> {
    if high < 0.0 || low > height {
        return None;
    }
    let cells_per_metre = 1.0 / cell_height;
    let (low, high) = (low.max(0.0) * cells_per_metre, high.min(height) * cells_per_metre);
    // Neither is negative, so truncation is floor; and heights are small enough to be exact in f32.
    let (bottom, top) = (low as i32, high as i32);
    let top = top + i32::from((top as f32) < high);
    Some((bottom, top.max(bottom + 1)))
}

/// Merges the fragments of one column to spans, in place, and returns them from bottom to top.
///
/// Fragments are taken in the order of (top, bottom, area). Each one absorbs the spans that it overlaps or
/// touches; if the tops differ by at most `threshold` cells, the higher area id wins, else the area of the
/// new top.
#[inline(always)]
pub fn merge_column(fragments: &mut [Fragment], threshold: i32) -> &[Fragment] {
    match fragments {
        // The order of two fragments is unpredictable, so sort them without a branch.
        [a, b] => (*a, *b) = ((*a).min(*b), (*a).max(*b)),
        _ => fragments.sort_unstable(),
    }
    let Some(&(mut span)) = fragments.first() else { return fragments };
    let mut count = 0;
    for index in 1..fragments.len() {
        let below = std::mem::replace(&mut span, fragments[index]);
        if below.top() < span.bottom() {
            fragments[count] = below;
            count += 1;
            continue;
        }
        span = span.merge(below, threshold);
        // Tops only rise, so the spans that the new one can meet are at the end of the list.
        while count > 0 && fragments[count - 1].top() >= span.bottom() {
            count -= 1;
            span = span.merge(fragments[count], threshold);
        }
    }
    fragments[count] = span;
    &fragments[..=count]
}

impl FragmentField {
    /// Cuts the triangles of `source` on a grid.
    pub fn cut(source: Source<'_>, grid: &Grid) -> Result<FragmentField, Error> {
        let level = source.level;
        let lines = Lines::new(grid, level.lattice.cell_size).clipped(level.size[0], level.size[2]);
        let mut gathered = Vec::new();
        for triangle in 0..source.len() {
            cut::cut(&source.corners(triangle), &lines, |x, z, low, high| {
                if let Some((bottom, top)) = quantise(low, high, level.height, grid.cell_height) {
                    let fragment = TriangleFragment { bottom, top, triangle: triangle as u32 };
                    gathered.push((grid.column(x, z) as u32, fragment));
                }
            });
        }
        FragmentField::from_gathered(grid, &gathered)
    }
}

#[cfg(test)]
mod tests;
