//! Joins regions into layers: first along the surface, then layers that are near in height. Nothing in a
//! layer is above anything else in it. Cost: O(spans + layers²) expected.

use super::{NONE, Params};
use recast::data::compact::state::Eroded;
use recast::data::{CompactField, Direction};
use std::collections::{HashSet, VecDeque};

/// Lowest and highest floor, cells.
pub(super) type Bounds = [i32; 2];

/// The layers that regions were joined into.
pub(super) struct Layers {
    /// By region.
    pub(super) layer_of_region: Vec<u32>,
    /// By layer.
    pub(super) bounds: Vec<Bounds>,
}

/// The surroundings of a region.
#[derive(Clone)]
struct RegionSurvey {
    bounds: Bounds,
    /// In the order of discovery.
    neighbours: Vec<u32>,
    /// Regions above or below it somewhere.
    stacked: Vec<u32>,
}

/// A layer under construction.
struct LayerDraft {
    bounds: Bounds,
    /// Regions of the layer; empty once it was joined to another.
    members: Vec<u32>,
}

/// Joins the `count` regions in `region_of` into layers.
pub(super) fn group_regions(
    field: &CompactField<Eroded>,
    region_of: &[u32],
    count: u32,
    params: &Params,
) -> Layers {
    let regions = survey(field, region_of, count);
    let mut layer_of = vec![NONE; regions.len()];
    let mut groups = Vec::new();
    for root in 0..regions.len() {
        if layer_of[root] == NONE {
            let group = grow(&regions, root as u32, groups.len() as u32, &mut layer_of, params);
            groups.push(group);
        }
    }
    let reach = i64::from(field.walkable_height) * 4;
    join_near(&regions, &mut groups, &mut layer_of, reach, params);
    renumber(groups, layer_of)
}

fn joined(a: Bounds, b: Bounds) -> Bounds {
    [a[0].min(b[0]), a[1].max(b[1])]
}

fn too_tall(bounds: Bounds, params: &Params) -> bool {
    bounds[1].abs_diff(bounds[0]) > params.max_range
}

/// Heights, neighbours and overlaps of all regions. The sets are only queried, never iterated.
fn survey(field: &CompactField<Eroded>, region_of: &[u32], count: u32) -> Vec<RegionSurvey> {
    let unknown = RegionSurvey { bounds: [i32::MAX, i32::MIN], neighbours: Vec::new(), stacked: Vec::new() };
    let mut regions = vec![unknown; count as usize];
    let (mut touching, mut over) = (HashSet::new(), HashSet::new());
    let mut column_regions: Vec<u32> = Vec::new();
    for column in 0..field.grid.columns() {
        column_regions.clear();
        for span in field.column(column).filter(|&span| region_of[span] != NONE) {
            let id = region_of[span];
            let region = &mut regions[id as usize];
            region.bounds = joined(region.bounds, [field.floor[span]; 2]);
            column_regions.push(id);
            for beside in Direction::ALL.into_iter().filter_map(|d| field.neighbour(span, d)) {
                let other = region_of[beside];
                if other != NONE && other != id && touching.insert((id, other)) {
                    region.neighbours.push(other);
                }
            }
        }
        for (index, &lower) in column_regions.iter().enumerate() {
            for &upper in column_regions[index + 1..].iter().filter(|&&upper| upper != lower) {
                for (one, other) in [(lower, upper), (upper, lower)] {
                    if over.insert((one, other)) {
                        regions[one as usize].stacked.push(other);
                    }
                }
            }
        }
    }
    regions
}

/// Gathers, breadth first from `root`, all regions that can join its layer.
fn grow(
    regions: &[RegionSurvey],
    root: u32,
    layer: u32,
    layer_of: &mut [u32],
    params: &Params,
) -> LayerDraft {
    let mut group = LayerDraft { bounds: regions[root as usize].bounds, members: vec![root] };
    let mut stacked: HashSet<u32> = regions[root as usize].stacked.iter().copied().collect();
    layer_of[root as usize] = layer;
    let mut queue = VecDeque::from([root]);
    while let Some(at) = queue.pop_front() {
        for &next in &regions[at as usize].neighbours {
            let region = &regions[next as usize];
            let bounds = joined(group.bounds, region.bounds);
            if layer_of[next as usize] != NONE || stacked.contains(&next) || too_tall(bounds, params) {
                continue;
            }
            layer_of[next as usize] = layer;
            group.bounds = bounds;
            group.members.push(next);
            stacked.extend(&region.stacked);
            queue.push_back(next);
        }
    }
    group
}

/// Joins layers with overlapping heights, each extended by `reach` cells, if no part of one is above another.
/// Each layer in turn takes the first one that fits, then searches again from the start, because it may now
/// reach further.
fn join_near(
    regions: &[RegionSurvey],
    groups: &mut [LayerDraft],
    layer_of: &mut [u32],
    reach: i64,
    params: &Params,
) {
    // The last layer that was found to overlap each layer. Joining does not change the regions of a third
    // layer, so this stays true.
    let mut overlaps = vec![NONE; groups.len()];
    for at in 0..groups.len() {
        if groups[at].members.is_empty() {
            continue;
        }
        mark_overlaps(regions, &groups[at].members, layer_of, at as u32, &mut overlaps);
        let fits = |groups: &[LayerDraft], overlaps: &[u32], other: usize| {
            let (a, b) = (groups[at].bounds, groups[other].bounds);
            let near =
                i64::from(a[0]) <= i64::from(b[1]) + reach && i64::from(b[0]) <= i64::from(a[1]) + reach;
            other != at
                && !groups[other].members.is_empty()
                && near
                && !too_tall(joined(a, b), params)
                && overlaps[other] != at as u32
        };
        while let Some(other) = (0..groups.len()).find(|&other| fits(groups, &overlaps, other)) {
            let members = std::mem::take(&mut groups[other].members);
            mark_overlaps(regions, &members, layer_of, at as u32, &mut overlaps);
            for &member in &members {
                layer_of[member as usize] = at as u32;
            }
            groups[at].bounds = joined(groups[at].bounds, groups[other].bounds);
            groups[at].members.extend(members);
        }
    }
}

/// Notes in `overlaps` that `layer` overlaps all layers with a region above or below one of `members`.
fn mark_overlaps(
    regions: &[RegionSurvey],
    members: &[u32],
    layer_of: &[u32],
    layer: u32,
    overlaps: &mut [u32],
) {
    for &stacked in members.iter().flat_map(|&member| &regions[member as usize].stacked) {
        overlaps[layer_of[stacked as usize] as usize] = layer;
    }
}

/// Numbers the remaining layers in order.
fn renumber(groups: Vec<LayerDraft>, mut layer_of: Vec<u32>) -> Layers {
    let mut bounds = Vec::new();
    for group in groups.iter().filter(|group| !group.members.is_empty()) {
        for &member in &group.members {
            layer_of[member as usize] = bounds.len() as u32;
        }
        bounds.push(group.bounds);
    }
    Layers { layer_of_region: layer_of, bounds }
}
