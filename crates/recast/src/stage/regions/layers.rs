//! Joining monotone regions into layers: neighbours of one area join as long as nothing comes to lie above itself.

use super::{Params, find_stacks};
use crate::area::AreaId;
use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, RegionId};
use crate::stage::row_sweep::renumber;
use std::collections::VecDeque;

#[derive(Clone, Default)]
struct SweptRegion {
    spans: u32,
    area: AreaId,
    /// The layer it joined; 0 for none yet, or dropped.
    layer: u32,
    at_border: bool,
    neighbours: Vec<u32>,
    /// Regions above or below it somewhere.
    stacked: Vec<u32>,
}

fn add_unique(list: &mut Vec<u32>, value: u32) {
    if !list.contains(&value) {
        list.push(value);
    }
}

/// Joins the `count` regions in `labels` into layers, drops small ones, renumbers; returns their number.
pub(super) fn join_layers(
    field: &CompactField<Eroded>,
    labels: &mut [RegionId],
    count: u32,
    params: &Params,
) -> u32 {
    let mut regions = survey(field, labels, count);
    let mut layer = 0;
    let mut barred = vec![0; regions.len()];
    for root in 1..regions.len() {
        if regions[root].layer == 0 {
            layer += 1;
            grow_layer(&mut regions, root, layer, &mut barred);
        }
    }
    let mut dropped = vec![false; layer as usize + 1];
    for region in &regions {
        if region.spans > 0 && region.spans < params.min_cells && !region.at_border {
            dropped[region.layer as usize] = true;
        }
    }
    let mut renumbered = vec![RegionId::NONE; layer as usize + 1];
    let mut kept = 0;
    for region in regions.iter().skip(1) {
        let slot = region.layer as usize;
        if !dropped[slot] && renumbered[slot].is_none() {
            kept += 1;
            renumbered[slot] = RegionId::inner(kept);
        }
    }
    let finally: Vec<RegionId> = regions.iter().map(|region| renumbered[region.layer as usize]).collect();
    renumber(labels, &finally);
    kept
}

/// Sizes, neighbours and overlaps of all regions. Neighbours are listed in the order of spans and directions: layers
/// grow in it.
fn survey(field: &CompactField<Eroded>, labels: &[RegionId], count: u32) -> Vec<SweptRegion> {
    let mut regions = vec![SweptRegion::default(); count as usize + 1];
    // By direction, the two regions that were last seen beside each other.
    let mut met = [(RegionId::NONE, RegionId::NONE); 4];
    for (span, &own) in labels.iter().enumerate().filter(|(_, label)| label.is_inner()) {
        let region = &mut regions[own.index()];
        region.spans += 1;
        region.area = field.area[span];
        for direction in Direction::ALL {
            let Some(beside) = field.neighbour(span, direction) else { continue };
            let pair = (own, labels[beside]);
            if pair.1 != own && std::mem::replace(&mut met[direction as usize], pair) != pair {
                region.at_border |= pair.1.is_border();
                if pair.1.is_inner() {
                    add_unique(&mut region.neighbours, pair.1.index() as u32);
                }
            }
        }
    }
    for (lower, upper) in find_stacks(field, labels) {
        regions[lower.index()].stacked.push(upper.index() as u32);
        regions[upper.index()].stacked.push(lower.index() as u32);
    }
    regions
}

/// Gathers, breadth first from `root`, all regions that can join its layer; `root` keeps the sums. `barred` is, for each
/// region, the last layer that it lies above or below of.
fn grow_layer(regions: &mut [SweptRegion], root: usize, layer: u32, barred: &mut [u32]) {
    regions[root].layer = layer;
    let mut queue = VecDeque::from([root]);
    regions[root].stacked.iter().for_each(|&other| barred[other as usize] = layer);
    while let Some(at) = queue.pop_front() {
        for index in 0..regions[at].neighbours.len() {
            let next = regions[at].neighbours[index] as usize;
            let joins =
                regions[next].layer == 0 && regions[next].area == regions[at].area && barred[next] != layer;
            if !joins {
                continue;
            }
            queue.push_back(next);
            regions[next].layer = layer;
            regions[next].stacked.iter().for_each(|&other| barred[other as usize] = layer);
            regions[root].spans += std::mem::take(&mut regions[next].spans);
            regions[root].at_border |= regions[next].at_border;
        }
    }
}
