//! Joins monotone regions into layers: neighbours with the same area are joined as long as nothing is above
//! itself.

use super::Params;
use crate::data::compact::state::Eroded;
use crate::data::region_blocks::{Blocks, find_blocks};
use crate::data::regions::{renumber, run_ends, runs_to};
use crate::data::{CompactField, Direction, RegionId};
use crate::soundness::small_islands::small_islands;
use navtile::area::AreaId;
use std::collections::VecDeque;

#[derive(Default)]
struct SweptRegion {
    area: AreaId,
    /// The layer that it joined; 0 for no layer yet.
    layer: u32,
    neighbours: Vec<u32>,
    blocks: Blocks,
}

/// Joins the `count` regions in `labels` into layers, drops small ones, renumbers; returns the number of
/// layers.
pub(super) fn join_layers(
    field: &CompactField<Eroded>,
    labels: &mut [RegionId],
    count: u32,
    params: &Params,
) -> u32 {
    let by_region = find_blocks(field, labels, count);
    let mut regions = survey(field, labels, by_region.blocks);
    let mut layer = 0;
    let mut taken_by = vec![0; by_region.count as usize];
    for root in 1..regions.len() {
        if regions[root].layer == 0 {
            layer += 1;
            grow_layer(&mut regions, root, layer, &mut taken_by);
        }
    }
    let layer_of =
        |region: &SweptRegion| if region.layer == 0 { RegionId::NONE } else { RegionId::inner(region.layer) };
    renumber(labels, &regions.iter().map(layer_of).collect::<Vec<_>>());
    drop_small(field, labels, layer, params.min_cells)
}

/// Drops the layers of small islands and renumbers the others in order; returns their number.
fn drop_small(field: &CompactField<Eroded>, labels: &mut [RegionId], count: u32, min_cells: u32) -> u32 {
    let mut cells = vec![0; count as usize + 1];
    let ends = run_ends(labels);
    for (label, spans) in runs_to(labels, &ends).filter(|(label, _)| label.is_inner()) {
        cells[label.index()] += spans.len() as u32;
    }
    let small = small_islands(field, labels, &ends, &cells, min_cells);
    let mut kept = 0;
    let number = |(&cells, small): (&u32, bool)| {
        if small || cells == 0 {
            return RegionId::NONE;
        }
        kept += 1;
        RegionId::inner(kept)
    };
    let numbers: Vec<RegionId> = cells.iter().zip(small).map(number).collect();
    renumber(labels, &numbers);
    kept
}

/// All regions, with their areas and neighbours. Neighbours are listed in the order of spans and directions,
/// in which layers grow.
fn survey(field: &CompactField<Eroded>, labels: &[RegionId], blocks: Vec<Blocks>) -> Vec<SweptRegion> {
    let region = |blocks| SweptRegion { blocks, ..SweptRegion::default() };
    let mut regions: Vec<SweptRegion> = blocks.into_iter().map(region).collect();
    // By direction, the two neighbouring regions that were seen last.
    let mut met = [(RegionId::NONE, RegionId::NONE); 4];
    for (span, &own) in labels.iter().enumerate().filter(|(_, label)| label.is_inner()) {
        let region = &mut regions[own.index()];
        region.area = field.area[span];
        for direction in Direction::ALL {
            let Some(beside) = field.neighbour(span, direction) else { continue };
            let pair = (own, labels[beside]);
            if pair.1 == own || !pair.1.is_inner() {
                continue;
            }
            let new = std::mem::replace(&mut met[direction as usize], pair) != pair;
            if new && region.neighbours.last() != Some(&(pair.1.index() as u32)) {
                region.neighbours.push(pair.1.index() as u32);
            }
        }
    }
    // Once each: the first time counts.
    let mut listed_by = vec![0; regions.len()];
    for (index, region) in (1..).zip(&mut regions[1..]) {
        region.neighbours.retain(|&other| std::mem::replace(&mut listed_by[other as usize], index) != index);
    }
    regions
}

/// Gathers, breadth first from `root`, all regions that can join its layer. `taken_by` has, for each block,
/// the last layer with a region there.
fn grow_layer(regions: &mut [SweptRegion], root: usize, layer: u32, taken_by: &mut [u32]) {
    regions[root].layer = layer;
    let mut queue = VecDeque::from([root]);
    regions[root].blocks.iter().for_each(|&block| taken_by[block as usize] = layer);
    while let Some(at) = queue.pop_front() {
        for index in 0..regions[at].neighbours.len() {
            let next = regions[at].neighbours[index] as usize;
            let free = || regions[next].blocks.iter().all(|&block| taken_by[block as usize] != layer);
            let joins = regions[next].layer == 0 && regions[next].area == regions[at].area && free();
            if !joins {
                continue;
            }
            queue.push_back(next);
            regions[next].layer = layer;
            regions[next].blocks.iter().for_each(|&block| taken_by[block as usize] = layer);
        }
    }
}
