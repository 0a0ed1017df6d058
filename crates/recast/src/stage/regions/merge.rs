//! Dropping small islands of regions, merging small regions into neighbours, renumbering. Cost: each pass looks at the
//! surroundings of every region; a merge costs what both regions and those that have the merged one beside them list around
//! them, whatever the number of regions.

use super::Params;
use super::blocks::{Blocks, RegionBlocks, add_blocks, share_block};
use super::small_islands::small_islands;
use crate::area::AreaId;
use crate::data::compact::state::Eroded;
use crate::data::regions::runs;
use crate::data::{CompactField, Direction, RegionId};
use crate::stage::row_sweep::renumber;

struct Summary {
    /// Its own, that of the region it was merged into, which may have been merged since, or none once dropped.
    id: RegionId,
    spans: u32,
    area: AreaId,
    /// Whether it lies above itself somewhere.
    overlaps: bool,
    /// The regions around its outline, in order, the outside and the border included.
    around: Vec<RegionId>,
    /// Where regions lie above or below it.
    blocks: Blocks,
    /// Regions that have it around them, ascending; perhaps some that no longer do.
    beside: Vec<u32>,
}

/// Merges and drops regions, renumbers them from 1 and returns how many are left.
pub(super) fn merge_and_filter(
    field: &CompactField<Eroded>,
    by_region: RegionBlocks,
    labels: &mut [RegionId],
    count: u32,
    params: &Params,
) -> u32 {
    let mut regions = survey(field, labels, count);
    for (region, (blocks, overlaps)) in
        regions.iter_mut().zip(by_region.blocks.into_iter().zip(by_region.overlaps))
    {
        (region.blocks, region.overlaps) = (blocks, overlaps);
    }
    let cells: Vec<u32> = regions.iter().map(|region| region.spans).collect();
    let small = small_islands(field, labels, &cells, params.min_cells);
    for (region, _) in regions.iter_mut().zip(small).filter(|(_, small)| *small) {
        (region.id, region.spans) = (RegionId::NONE, 0);
    }
    while merge_small(&mut regions, params.merge_cells) {}
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
    renumber(labels, &finally);
    kept
}

/// Sizes and surroundings of all regions; the first stands for no region.
fn survey(field: &CompactField<Eroded>, labels: &[RegionId], count: u32) -> Vec<Summary> {
    let id = |index| if index == 0 { RegionId::NONE } else { RegionId::inner(index) };
    let mut regions: Vec<Summary> = (0..=count)
        .map(|index| Summary {
            id: id(index),
            spans: 0,
            area: AreaId::NULL,
            overlaps: false,
            around: Vec::new(),
            blocks: Blocks::new(),
            beside: Vec::new(),
        })
        .collect();
    for (label, spans) in runs(labels).filter(|(label, _)| label.is_inner()) {
        let region = &mut regions[label.index()];
        // Not more than there are spans.
        region.spans += spans.len() as u32;
        for span in spans {
            if !region.around.is_empty() {
                break;
            }
            region.area = field.area[span];
            let edge =
                Direction::ALL.into_iter().find(|&direction| beyond(field, labels, span, direction) != label);
            if let Some(edge) = edge {
                region.around = walk_around(field, labels, span, edge);
            }
        }
    }
    for index in 1..=count {
        let around = std::mem::take(&mut regions[index as usize].around);
        for other in around.iter().filter(|other| other.is_inner()) {
            let beside = &mut regions[other.index()].beside;
            if beside.last() != Some(&index) {
                beside.push(index);
            }
        }
        regions[index as usize].around = around;
    }
    regions
}

fn beyond(field: &CompactField<Eroded>, labels: &[RegionId], span: usize, direction: Direction) -> RegionId {
    field.neighbour(span, direction).map_or(RegionId::NONE, |other| labels[other])
}

/// The regions met while walking around a region's outline once, without repeating neighbours in the list.
fn walk_around(
    field: &CompactField<Eroded>,
    labels: &[RegionId],
    span: usize,
    edge: Direction,
) -> Vec<RegionId> {
    let (mut at, mut direction) = (span, edge);
    let mut around = vec![beyond(field, labels, at, direction)];
    // Each span is left at most once by each side. Where clearances make neighbours one-sided the walk may
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

/// Removes neighbours that equal each other from a cyclic list.
fn remove_repeats(around: &mut Vec<RegionId>) {
    around.dedup();
    while around.len() > 1 && around.first() == around.last() {
        around.pop();
    }
}

/// One pass over all regions: each that is small, or enclosed, is merged into its smallest fitting neighbour. Returns
/// whether any was.
fn merge_small(regions: &mut [Summary], merge_cells: u32) -> bool {
    let mut merged = false;
    for index in 1..regions.len() {
        let region = &regions[index];
        if region.id.is_none() || region.overlaps || region.spans == 0 {
            continue;
        }
        if region.spans > merge_cells && region.around.iter().any(|other| other.is_none()) {
            continue;
        }
        let mut best: Option<(u32, usize)> = None;
        for other in region.around.iter().filter(|other| other.is_inner()) {
            let candidate = &regions[other.index()];
            let fits = !candidate.id.is_none()
                && !candidate.overlaps
                && can_merge(region, candidate)
                && can_merge(candidate, region);
            if fits && best.is_none_or(|(spans, _)| candidate.spans < spans) {
                best = Some((candidate.spans, candidate.id.index()));
            }
        }
        let Some((_, target)) = best.filter(|&(_, target)| target != region.id.index()) else { continue };
        merged |= merge(regions, index, target);
    }
    merged
}

/// Whether `b` can be merged into `a`, judged from `a`: one area, one stretch of shared outline, never stacked.
fn can_merge(a: &Summary, b: &Summary) -> bool {
    a.area == b.area
        && a.around.iter().filter(|&&id| id == b.id).count() <= 1
        && !share_block(&a.blocks, &b.blocks)
}

/// Merges region `index` into `target` and updates those beside it. False if they turn out not to be neighbours.
fn merge(regions: &mut [Summary], index: usize, target: usize) -> bool {
    let (old, new) = (regions[index].id, regions[target].id);
    let opened = |around: &[RegionId], at: RegionId| -> Option<Vec<RegionId>> {
        let gap = around.iter().position(|&id| id == at)?;
        let after = around[gap + 1..].iter().chain(&around[..gap]);
        Some(after.copied().collect())
    };
    let Some(mut around) = opened(&regions[target].around, old) else { return false };
    let Some(inserted) = opened(&regions[index].around, new) else { return false };
    for other in inserted.iter().filter(|other| other.is_inner()) {
        add_beside(&mut regions[other.index()].beside, target as u32);
    }
    around.extend(inserted);
    remove_repeats(&mut around);
    regions[target].around = around;
    let blocks = std::mem::take(&mut regions[index].blocks);
    add_blocks(&mut regions[target].blocks, blocks);
    regions[target].spans += std::mem::take(&mut regions[index].spans);
    regions[index].around.clear();
    regions[index].id = new;
    for other in std::mem::take(&mut regions[index].beside) {
        let around = &mut regions[other as usize].around;
        let mut changed = false;
        for id in around.iter_mut() {
            #[cfg(test)]
            crate::meshing::steps::step();
            if *id == old {
                *id = new;
                changed = true;
            }
        }
        if changed {
            remove_repeats(around);
            add_beside(&mut regions[target].beside, other);
        }
    }
    true
}

fn add_beside(beside: &mut Vec<u32>, index: u32) {
    if let Err(place) = beside.binary_search(&index) {
        beside.insert(place, index);
    }
}

/// Gives each region that was merged the id of the one it is in now.
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
