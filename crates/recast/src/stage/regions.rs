//! Stage 10, regions: DistanceField or `CompactField<Eroded>` -> RegionField.
//! Units: cells. Cost: O(spans), and the cost of merging (`merge`). Figure: docs/figures/10-regions.svg.
//! Source: M. Mononen, Recast (RecastRegion.cpp): rcBuildRegions (watershed, after L. Vincent and P. Soille,
//! 1991), rcBuildRegionsMonotone, rcBuildLayerRegions. Deviations: outlines of any length are walked; regions
//! of a bordered tile are numbered from 1, not from 5; watershed regions that overlap themselves are split;
//! watershed reaches ground that is nowhere wider than two cells; small islands are islands of all connected
//! ground.
//!
//! Cuts the walkable surface into pieces that can be outlined: each has one area, and no two of its spans are
//! above each other. A bake joins the pieces of each partition as far as that holds for the result.

mod layers;
mod merge;
pub(crate) mod row_sweep;
mod watershed;

use super::Context;
use crate::data::compact::state::Eroded;
use crate::data::region_blocks::{RegionBlocks, find_blocks};
use crate::data::regions::renumber;
use crate::data::{CompactField, DistanceField, RegionField, RegionId};
use crate::error::Error;
use crate::settings::Config;
use crate::soundness::overlaps::split_overlaps;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Islands of regions with fewer spans are dropped, unless they touch the tile's border. Default 64: 8
    /// cells on a side, which is little more than one agent.
    pub min_cells: u32,
    /// Regions of up to this many spans are merged into a neighbour where possible. Default 400: 20 cells on
    /// a side.
    pub merge_cells: u32,
    /// Join the regions of one area that watershed and monotone find, as long as nothing is above itself, as
    /// a bake does. Otherwise outlines have corners that nothing but the border of two regions needs, and no
    /// polygon is on both sides. Regions remain where ground passes itself on another storey: the partition
    /// decides where it is cut there. Layers are joined already.
    pub join: bool,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { min_cells: config.region_min_cells, merge_cells: config.region_merge_cells, join: true }
    }
}

/// Regions by watershed: floods the distance field from its peaks down.
pub fn watershed(
    distance: DistanceField,
    params: &Params,
    context: &mut Context,
) -> Result<RegionField, Error> {
    let DistanceField { field, distance, max_distance } = distance;
    let (mut labels, count) = watershed::flood_all(&field, distance, max_distance, context.threads);
    let mut by_region = find_blocks(&field, &labels, count);
    let pieces = split_overlaps(&field, &by_region.overlaps, &mut labels, count);
    if pieces > count {
        by_region = find_blocks(&field, &labels, pieces);
    }
    Ok(merged(field, by_region, labels, params))
}

/// Monotone regions: one sweep over rows. They have no holes, but are long and thin.
pub fn monotone(field: CompactField<Eroded>, params: &Params, _: &mut Context) -> Result<RegionField, Error> {
    let (labels, count) = sweep(&field);
    let by_region = find_blocks(&field, &labels, count);
    Ok(merged(field, by_region, labels, params))
}

/// Merges, drops and joins regions.
fn merged(
    field: CompactField<Eroded>,
    by_region: RegionBlocks,
    mut labels: Vec<RegionId>,
    params: &Params,
) -> RegionField {
    let cells = merge::merge_and_filter(&field, by_region, &mut labels, params);
    RegionField { field, region: labels, count: cells.len() as u32 - 1, cells }
}

/// Layers: monotone regions, joined as long as nothing is above itself.
pub fn layers(field: CompactField<Eroded>, params: &Params, _: &mut Context) -> Result<RegionField, Error> {
    let (mut labels, count) = sweep(&field);
    let by_region = find_blocks(&field, &labels, count);
    let (layers, count) = layers::join_layers(&field, &labels, by_region.blocks);
    renumber(&mut labels, &layers);
    let count = layers::drop_small(&field, &mut labels, count, params.min_cells);
    Ok(RegionField::new(field, labels, count))
}

/// The labels of all spans, including the tile's border, and the number of regions. Regions are found row by
/// row.
fn sweep(field: &CompactField<Eroded>) -> (Vec<RegionId>, u32) {
    let mut labels = vec![RegionId::NONE; field.len()];
    for_border(field, |span, label| labels[span] = label);
    let same_area = |span: usize, beside: usize| field.area[span] == field.area[beside];
    let count = row_sweep::sweep(field, same_area, &mut labels);
    (labels, count)
}

/// Calls `paint` with every walkable span of the four strips of the tile's border, and its label; later
/// strips overwrite earlier ones.
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
            // Columns of a row are consecutive, and so are their spans.
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

#[cfg(test)]
mod tests;
