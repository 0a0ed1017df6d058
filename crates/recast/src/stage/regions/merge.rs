//! Drops small islands of regions, merges small regions into neighbours, joins them, and renumbers. Cost:
//! each pass examines the surroundings of every region once; a merge visits the surroundings of the region
//! that is merged, and the regions that have it in theirs (`data/surroundings.rs`).

use super::Params;
use super::layers::join_layers;
use crate::data::compact::state::Eroded;
use crate::data::region_blocks::{Blocks, RegionBlocks};
use crate::data::regions::{run_ends, runs_to};
use crate::data::surroundings::Surroundings;
use crate::data::{CompactField, Direction, RegionId};
use crate::soundness::small_islands::small_islands;
use navtile::area::AreaId;
use std::collections::BTreeSet;

#[derive(Default)]
struct Summary {
    /// Its own id; or that of the region that it was merged into, which may have been merged since; or none
    /// if it was dropped.
    id: RegionId,
    spans: u32,
    area: AreaId,
    /// True if it is above itself somewhere.
    overlaps: bool,
    /// The blocks in which regions are above or below it.
    blocks: BTreeSet<u32>,
}

/// Merges, drops and joins regions and renumbers them from 1. Returns the number of spans of each remaining
/// region, in the form of [`RegionField::cells`](crate::data::RegionField::cells).
pub(super) fn merge_and_filter(
    field: &CompactField<Eroded>,
    by_region: RegionBlocks,
    labels: &mut [RegionId],
    params: &Params,
) -> Vec<u32> {
    let ends = run_ends(labels);
    let (mut regions, mut around) = survey(field, labels, &ends, by_region);
    let cells: Vec<u32> = regions.iter().map(|region| region.spans).collect();
    let small = small_islands(field, labels, &ends, &cells, params.min_cells);
    for (region, _) in regions.iter_mut().zip(small).filter(|(_, small)| *small) {
        (region.id, region.spans) = (RegionId::NONE, 0);
    }
    let mut met = vec![Met::default(); regions.len()];
    while merge_small(&mut regions, &mut around, params.merge_cells, &mut met) {}
    follow_merges(&mut regions);
    let mut renumbered = vec![RegionId::NONE; regions.len()];
    let mut kept = 0;
    for region in &regions {
        let slot = region.id.index();
        if region.id.is_inner() && renumbered[slot].is_none() {
            kept += 1;
            renumbered[slot] = RegionId::inner(kept);
        }
    }
    let finally: Vec<RegionId> = regions.iter().map(|region| renumbered[region.id.index()]).collect();
    let mut cells = relabel(labels, &ends, &finally, kept);
    if params.join && kept > 1 {
        let mut blocks = vec![Blocks::new(); kept as usize + 1];
        for (region, label) in regions.into_iter().zip(finally) {
            blocks[label.index()].extend(region.blocks);
        }
        blocks[0].clear();
        let (layers, count) = join_layers(field, labels, blocks);
        cells = relabel(labels, &ends, &layers, count);
    }
    cells
}

/// Replaces the labels of regions in their runs by those in a list, by index. Returns the number of spans of
/// each of the `count` new regions.
fn relabel(labels: &mut [RegionId], ends: &[u32], regions: &[RegionId], count: u32) -> Vec<u32> {
    let mut cells = vec![0; count as usize + 1];
    let mut start = 0;
    for &end in ends {
        let label = labels[start];
        if !label.is_border() {
            let label = regions[label.index()];
            labels[start..end as usize].fill(label);
            cells[label.index()] += end - start as u32;
        }
        start = end as usize;
    }
    cells[0] = 0;
    cells
}

/// Sizes and surroundings of all regions, including the outside and the border; the first entry is for no
/// region.
fn survey(
    field: &CompactField<Eroded>,
    labels: &[RegionId],
    ends: &[u32],
    by_region: RegionBlocks,
) -> (Vec<Summary>, Surroundings) {
    let id = |index| if index == 0 { RegionId::NONE } else { RegionId::inner(index) };
    let stacked = by_region.blocks.into_iter().zip(by_region.overlaps);
    let mut regions: Vec<Summary> = (0..)
        .zip(stacked)
        .map(|(index, (blocks, overlaps))| Summary {
            id: id(index),
            overlaps,
            blocks: blocks.into_iter().collect(),
            ..Summary::default()
        })
        .collect();
    let mut around = Surroundings::new(regions.len());
    for (label, spans) in runs_to(labels, ends).filter(|(label, _)| label.is_inner()) {
        let region = &mut regions[label.index()];
        // At most the number of spans.
        region.spans += spans.len() as u32;
        for span in spans {
            if !around.is_empty(label.index()) {
                break;
            }
            region.area = field.area[span];
            let edge =
                Direction::ALL.into_iter().find(|&direction| beyond(field, labels, span, direction) != label);
            if let Some(edge) = edge {
                around.set(label.index(), &walk_around(field, labels, span, edge));
            }
        }
    }
    (regions, around)
}

fn beyond(field: &CompactField<Eroded>, labels: &[RegionId], span: usize, direction: Direction) -> RegionId {
    field.neighbour(span, direction).map_or(RegionId::NONE, |other| labels[other])
}

/// The regions around a region, met on one walk along its outline, without repeated neighbours in the list.
fn walk_around(
    field: &CompactField<Eroded>,
    labels: &[RegionId],
    span: usize,
    edge: Direction,
) -> Vec<RegionId> {
    let (mut at, mut direction) = (span, edge);
    let mut around = vec![beyond(field, labels, at, direction)];
    // Each span is left at most once by each side. If clearances make neighbours one-sided, the walk may
    // never return; then it ends here.
    let mut neighbours = field.neighbours.of(at);
    for _ in 0..4 * field.len() {
        let next = neighbours[direction as usize] as usize;
        let outside = labels.get(next).copied().unwrap_or(RegionId::NONE);
        if outside != labels[at] {
            if around.last() != Some(&outside) {
                around.push(outside);
            }
            direction = direction.next();
        } else {
            at = next;
            neighbours = field.neighbours.of(at);
            direction = direction.previous();
        }
        if at == span && direction == edge {
            break;
        }
    }
    remove_repeats(&mut around);
    around
}

/// Removes consecutive equal entries from a cyclic list.
fn remove_repeats(around: &mut Vec<RegionId>) {
    around.dedup();
    while around.len() > 1 && around.first() == around.last() {
        around.pop();
    }
}

/// One pass over all regions: each region that is small, or enclosed, is merged into its smallest fitting
/// neighbour. Returns true if any was.
fn merge_small(
    regions: &mut [Summary],
    around: &mut Surroundings,
    merge_cells: u32,
    met: &mut [Met],
) -> bool {
    let mut merged = false;
    for index in 1..regions.len() {
        let region = &regions[index];
        if region.id.is_none() || region.overlaps || region.spans == 0 {
            continue;
        }
        if region.spans > merge_cells && around.of(index).any(|other| other.is_none()) {
            continue;
        }
        let best = best_neighbour(regions, around, index, met);
        for other in around.of(index).map(RegionId::index).chain(around.naming(index)) {
            met[other] = Met::default();
        }
        merged |= best.is_some_and(|target| merge(regions, around, index, target));
    }
    merged
}

/// Number of times that a region is around another.
#[derive(Clone, Copy, Default)]
struct Met {
    here: u32,
    there: u32,
}

/// The smallest neighbour that a region can be merged into: it must have the same area and one common stretch
/// of outline, and never be stacked with it. `met` is all zero before; afterwards the entries of regions
/// around this one may differ.
fn best_neighbour(
    regions: &[Summary],
    around: &Surroundings,
    index: usize,
    met: &mut [Met],
) -> Option<usize> {
    around.of(index).for_each(|other| met[other.index()].here += 1);
    around.naming(index).for_each(|other| met[other].there += 1);
    let region = &regions[index];
    let mut best: Option<(u32, usize)> = None;
    for other in around.of(index).filter(|other| other.is_inner()).map(RegionId::index) {
        let (candidate, Met { here, there }) = (&regions[other], met[other]);
        let fits = best.is_none_or(|(spans, _)| candidate.spans < spans)
            && !candidate.id.is_none()
            && !candidate.overlaps
            && candidate.area == region.area
            && here <= 1
            && there <= 1
            && candidate.blocks.is_disjoint(&region.blocks);
        if fits {
            best = Some((candidate.spans, other));
        }
    }
    best.map(|(_, target)| target).filter(|&target| target != index)
}

/// Merges region `index` into `target`. Returns false if they are not neighbours.
fn merge(regions: &mut [Summary], around: &mut Surroundings, index: usize, target: usize) -> bool {
    if !around.merge(index, target) {
        return false;
    }
    let mut blocks = std::mem::take(&mut regions[index].blocks);
    let into = &mut regions[target].blocks;
    if into.len() < blocks.len() {
        std::mem::swap(into, &mut blocks);
    }
    into.extend(blocks);
    regions[target].spans += std::mem::take(&mut regions[index].spans);
    regions[index].id = regions[target].id;
    true
}

/// Gives each region that was merged the id of the region that contains it now.
fn follow_merges(regions: &mut [Summary]) {
    for index in 1..regions.len() {
        let mut last = index;
        while !regions[last].id.is_none() && regions[last].id.index() != last {
            last = regions[last].id.index();
        }
        let (id, mut at) = (regions[last].id, index);
        while at != last {
            at = std::mem::replace(&mut regions[at].id, id).index();
        }
    }
}
