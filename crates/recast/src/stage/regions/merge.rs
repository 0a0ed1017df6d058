//! Dropping small islands of regions, merging small regions into neighbours, renumbering.

use super::small_islands::small_islands;
use super::{Params, Stack};
use crate::area::AreaId;
use crate::data::compact::state::Eroded;
use crate::data::regions::runs;
use crate::data::{CompactField, Direction, RegionId};
use crate::stage::row_sweep::renumber;

struct Summary {
    /// Current id: its own, that of the region it was merged into, or none once dropped.
    id: RegionId,
    spans: u32,
    area: AreaId,
    /// Whether it lies above itself somewhere.
    overlaps: bool,
    /// The regions around its outline, in order, the outside and the border included.
    around: Vec<RegionId>,
    /// Regions above or below it somewhere.
    floors: Vec<RegionId>,
}

/// Merges and drops regions, renumbers them from 1 and returns how many are left. `stacks` are the regions above each
/// other.
pub(super) fn merge_and_filter(
    field: &CompactField<Eroded>,
    stacks: &[Stack],
    labels: &mut [RegionId],
    count: u32,
    params: &Params,
) -> u32 {
    let mut regions = survey(field, labels, count);
    for &(lower, upper) in stacks {
        regions[lower.index()].floors.push(upper);
        if lower == upper {
            regions[lower.index()].overlaps = true;
        } else {
            regions[upper.index()].floors.push(lower);
        }
    }
    let cells: Vec<u32> = regions.iter().map(|region| region.spans).collect();
    let small = small_islands(field, labels, &cells, params.min_cells);
    for (region, _) in regions.iter_mut().zip(small).filter(|(_, small)| *small) {
        (region.id, region.spans) = (RegionId::NONE, 0);
    }
    while merge_small(&mut regions, params.merge_cells) {}
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
            floors: Vec::new(),
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
    regions
}

fn add_unique(list: &mut Vec<RegionId>, value: RegionId) {
    if !list.contains(&value) {
        list.push(value);
    }
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
    a.area == b.area && a.around.iter().filter(|&&id| id == b.id).count() <= 1 && !a.floors.contains(&b.id)
}

/// Merges region `index` into `target` and updates all others. False if they turn out not to be neighbours.
fn merge(regions: &mut [Summary], index: usize, target: usize) -> bool {
    let (old, new) = (regions[index].id, regions[target].id);
    let opened = |around: &[RegionId], at: RegionId| -> Option<Vec<RegionId>> {
        let gap = around.iter().position(|&id| id == at)?;
        let after = around[gap + 1..].iter().chain(&around[..gap]);
        Some(after.copied().collect())
    };
    let Some(mut around) = opened(&regions[target].around, old) else { return false };
    let Some(inserted) = opened(&regions[index].around, new) else { return false };
    around.extend(inserted);
    remove_repeats(&mut around);
    regions[target].around = around;
    for floor in std::mem::take(&mut regions[index].floors) {
        add_unique(&mut regions[target].floors, floor);
        regions[index].floors.push(floor);
    }
    regions[target].spans += std::mem::take(&mut regions[index].spans);
    regions[index].around.clear();
    for region in regions.iter_mut().filter(|region| !region.id.is_none()) {
        if region.id == old {
            region.id = new;
        }
        let mut changed = false;
        for id in region.around.iter_mut().filter(|id| **id == old) {
            *id = new;
            changed = true;
        }
        for id in region.floors.iter_mut().filter(|id| **id == old) {
            *id = new;
        }
        if changed {
            remove_repeats(&mut region.around);
        }
    }
    true
}
