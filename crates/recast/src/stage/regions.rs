//! Stage 10, regions: DistanceField or `CompactField<Eroded>` -> RegionField.
//! Units: cells. Cost: O(spans), and what few regions cost that are merged. Figure: docs/figures/10-regions.svg.
//! Source: M. Mononen, Recast (RecastRegion.cpp): rcBuildRegions (watershed, after L. Vincent and P. Soille,
//! 1991), rcBuildRegionsMonotone, rcBuildLayerRegions. Deviations: outlines of any length are walked; regions of a
//! bordered tile are numbered from 1, not from 5; watershed regions that lie above themselves are split.
//!
//! Cuts the walkable surface into pieces that can be outlined: each of one area, and no two of its spans one
//! above the other.

mod layers;
mod merge;
mod split;
mod watershed;

use super::row_sweep::{NONE, sweep_rows};
use crate::data::compact::state::Eroded;
use crate::data::{CompactField, DistanceField, RegionField, RegionId};
use std::ops::Range;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Islands of regions with fewer spans are dropped, unless they touch the tile's border. Default 64: 8 cells
    /// on a side, which is little more than one agent.
    pub min_cells: u32,
    /// Regions of up to this many spans are merged into a neighbour where possible. Default 400: 20 cells on a
    /// side.
    pub merge_cells: u32,
}

/// Regions by watershed: floods the distance field from its peaks down.
pub fn watershed(distance: DistanceField, params: &Params) -> RegionField {
    watershed_on(distance, params, 1)
}

/// As [`watershed`]; so many threads look where regions grow.
pub(crate) fn watershed_on(distance: DistanceField, params: &Params, threads: usize) -> RegionField {
    let DistanceField { field, distance, max_distance } = distance;
    let (mut labels, count) = watershed::flood_all(&field, distance, max_distance, threads);
    let stacked = stacked_columns(&field);
    let count = split::split_overlaps(&field, &stacked, &mut labels, count);
    merged(field, &stacked, labels, count, params)
}

/// Monotone regions: one sweep over rows. No holes, but long thin pieces.
pub fn monotone(field: CompactField<Eroded>, params: &Params) -> RegionField {
    let mut labels = paint_border(&field);
    let count = sweep(&field, &mut labels);
    let stacked = stacked_columns(&field);
    merged(field, &stacked, labels, count, params)
}

/// Merges and drops regions.
fn merged(
    field: CompactField<Eroded>,
    stacked: &[Range<u32>],
    mut labels: Vec<RegionId>,
    count: u32,
    params: &Params,
) -> RegionField {
    let sizes = merge::merge_and_filter(&field, stacked, &mut labels, count, params);
    RegionField { field, region: labels, count: sizes.len() as u32 - 1, sizes }
}

/// Layers: monotone regions joined as long as nothing lies above itself.
pub fn layers(field: CompactField<Eroded>, params: &Params) -> RegionField {
    let mut labels = paint_border(&field);
    let count = sweep(&field, &mut labels);
    let count = layers::join_layers(&field, &mut labels, count, params);
    RegionField { field, region: labels, count, sizes: Vec::new() }
}

/// Labels every walkable span within the border, row by row; returns the number of regions.
fn sweep(field: &CompactField<Eroded>, labels: &mut [RegionId]) -> u32 {
    let (region_of, count) = sweep_rows(field, |span, beside| field.area[span] == field.area[beside]);
    for (label, region) in labels.iter_mut().zip(region_of).filter(|(_, region)| *region != NONE) {
        *label = RegionId::inner(region + 1);
    }
    count
}

/// Labels of all spans: the four strips of the tile's border, nothing elsewhere.
fn paint_border(field: &CompactField<Eroded>) -> Vec<RegionId> {
    let mut labels = vec![RegionId::NONE; field.len()];
    for_border(field, |span, label| labels[span] = label);
    labels
}

/// Calls `paint` with every walkable span of the four strips of the tile's border, and its label; later strips are
/// painted over earlier ones.
fn for_border(field: &CompactField<Eroded>, mut paint: impl FnMut(usize, RegionId)) {
    let grid = &field.grid;
    let (width, depth, border) = (grid.width, grid.depth, grid.border);
    let (along_x, along_z) = (border.min(width), border.min(depth));
    let strips = [
        (0..along_x, 0..depth),
        (width - along_x..width, 0..depth),
        (0..width, 0..along_z),
        (0..width, depth - along_z..depth),
    ];
    for (id, (columns, rows)) in (1..).zip(strips).filter(|(_, (columns, _))| !columns.is_empty()) {
        for z in rows {
            // Columns of a row stand one after the other, and so do their spans.
            let first = field.offsets.first(grid.column(columns.start, z));
            let last = field.offsets.first(grid.column(columns.end - 1, z) + 1);
            for (span, area) in (first..).zip(&field.area[first..last]) {
                if area.is_walkable() {
                    paint(span, RegionId::border(id));
                }
            }
        }
    }
}

/// The spans of columns that have several, column by column.
fn stacked_columns(field: &CompactField<Eroded>) -> Vec<Range<u32>> {
    let mut columns = Vec::new();
    field.offsets.for_stacked(|start, end| columns.push(start..end));
    columns
}

#[cfg(test)]
mod tests;
