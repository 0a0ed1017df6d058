//! Joins monotone regions into layers: neighbours with the same area are joined as long as nothing is above
//! itself.

use crate::data::compact::state::Eroded;
use crate::data::region_blocks::Blocks;
use crate::data::regions::{renumber, run_ends, runs_to};
use crate::data::sides::boundary_sides;
use crate::data::{CompactField, RegionId};
use crate::lists::leading;
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

/// Joins the regions in `labels`, whose blocks are given, into layers. Returns the layer of each region, in
/// the form of the labels, and the number of layers.
pub(super) fn join_layers(
    field: &CompactField<Eroded>,
    labels: &[RegionId],
    blocks: Vec<Blocks>,
) -> (Vec<RegionId>, u32) {
    let block_count = blocks.iter().flatten().max().map_or(0, |&last| last as usize + 1);
    let mut regions = survey(field, labels, blocks);
    let mut layer = 0;
    let mut taken_by = vec![0; block_count];
    for root in 1..regions.len() {
        if regions[root].layer == 0 {
            layer += 1;
            grow_layer(&mut regions, root, layer, &mut taken_by);
        }
    }
    let layer_of =
        |region: &SweptRegion| if region.layer == 0 { RegionId::NONE } else { RegionId::inner(region.layer) };
    (regions.iter().map(layer_of).collect(), layer)
}

/// Drops the layers of small islands and renumbers the others in order; returns their number.
pub(super) fn drop_small(
    field: &CompactField<Eroded>,
    labels: &mut [RegionId],
    count: u32,
    min_cells: u32,
) -> u32 {
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
    let sides = boundary_sides(&field.neighbours, labels);
    // By direction, the two neighbouring regions that were seen last.
    let mut met = [(RegionId::NONE, RegionId::NONE); 4];
    let mut last = (RegionId::NONE, [RegionId::NONE; 4]);
    let mut span = 0;
    loop {
        span += leading(sides.len() - span, |index| sides[span + index] == 0);
        let Some(&own) = labels.get(span) else { break };
        let around = field.neighbours.of_or_self(span).map(|beside| labels[beside as usize]);
        span += 1;
        // Along a straight border nothing new is met.
        if std::mem::replace(&mut last, (own, around)) == (own, around) {
            continue;
        }
        let region = &mut regions[own.index()];
        region.area = field.area[span - 1];
        for (met, beside) in met.iter_mut().zip(around) {
            let pair = (own, beside);
            if beside == own || !beside.is_inner() {
                continue;
            }
            let new = std::mem::replace(met, pair) != pair;
            let beside = beside.index() as u32;
            if new && region.neighbours.last() != Some(&beside) {
                region.neighbours.push(beside);
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
