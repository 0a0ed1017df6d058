//! How large the island was that a floor without a region belonged to. Cost: regions once more, and O(spans).

use crate::data::{Direction, RegionField};
use crate::settings::{Config, Partition};
use crate::stage::{Context, distance_field, regions};

/// The size, in cells, of what was too small around `span`; `None` if it never was in a region.
///
/// Regions are made again without dropping any. Watershed and sweep drop islands of regions that touch each other,
/// layers are dropped one by one.
pub(super) fn dropped_cells(field: &RegionField, span: usize, config: &Config) -> Option<u32> {
    let params = regions::Params { min_cells: 0, merge_cells: 0 };
    let context = &mut Context::new();
    let eroded = field.field.clone();
    let all = match config.settings.partition {
        Partition::Watershed => {
            regions::watershed(distance_field::run(eroded, &(), context).ok()?, &params, context)
        }
        Partition::Monotone => regions::monotone(eroded, &params, context),
        Partition::Layers => regions::layers(eroded, &params, context),
    };
    let all = all.ok()?;
    let own = all.region[span].index();
    if own == 0 {
        return None;
    }
    let sizes = all.count_spans();
    if config.settings.partition == Partition::Layers {
        return Some(sizes[own]);
    }
    let whole: u32 = island(&all, own).into_iter().map(|region| sizes[region]).sum();
    // An island within another is measured by itself.
    Some(if whole < config.region_min_cells { whole } else { sizes[own] })
}

/// The regions that can be reached from `start` without leaving regions.
fn island(all: &RegionField, start: usize) -> Vec<usize> {
    let mut touching: Vec<Vec<usize>> = vec![Vec::new(); all.count as usize + 1];
    for span in 0..all.region.len() {
        let region = all.region[span].index();
        for direction in Direction::ALL {
            let Some(beside) = all.field.neighbour(span, direction) else { continue };
            let other = all.region[beside].index();
            if region != 0 && other != 0 && other != region && !touching[region].contains(&other) {
                touching[region].push(other);
            }
        }
    }
    let mut reached = vec![start];
    let mut next = 0;
    while next < reached.len() {
        for &other in &touching[reached[next]] {
            if !reached.contains(&other) {
                reached.push(other);
            }
        }
        next += 1;
    }
    reached
}
