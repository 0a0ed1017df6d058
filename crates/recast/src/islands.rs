//! The sizes of a tile's islands, in walkable cells like those of regions, so that they do not depend on how a level is
//! cut into tiles. The area of polygons would: simplification rounds corners off.

use crate::data::{Direction, PolyMesh, RegionField};
use crate::stage::emit::Emitted;
use navtile::graph::local_islands;

/// The cells of each local island of a tile: those of the regions that its polygons came from.
pub(crate) fn cells(emitted: &Emitted, mesh: &PolyMesh, regions: &RegionField) -> Vec<u64> {
    let local = local_islands(&emitted.tile);
    let mut pairs: Vec<(usize, u32)> = Vec::with_capacity(local.len());
    for (&island, &source) in local.iter().zip(&emitted.sources) {
        if let Some(region) = mesh.polygons[source as usize].region {
            pairs.push((region.index(), island));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let region_cells = regions.count_spans();
    // Where removing a vertex merged polygons of several regions, some may be left without one of their own.
    let has_polygons = |region: usize| pairs.binary_search_by_key(&region, |pair| pair.0).is_ok();
    let without: Vec<usize> =
        (1..region_cells.len()).filter(|&region| region_cells[region] > 0 && !has_polygons(region)).collect();
    if !without.is_empty() {
        let beside = beside(regions);
        let found: Vec<(usize, u32)> = without
            .into_iter()
            .filter_map(|region| Some((region, island_beside(region, &beside, &pairs)?)))
            .collect();
        pairs.extend(found);
    }
    let mut cells = vec![0u64; local.iter().max().map_or(0, |&last| last as usize + 1)];
    for (region, island) in pairs {
        cells[island as usize] += u64::from(region_cells[region]);
    }
    cells
}

/// Pairs of neighbouring regions, each in both orders, sorted.
pub(crate) fn beside(regions: &RegionField) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (span, region) in regions.region.iter().enumerate().filter(|(_, region)| region.is_inner()) {
        for direction in Direction::ALL {
            let other = regions.field.neighbour(span, direction).map(|other| regions.region[other]);
            if let Some(other) = other.filter(|other| other.is_inner() && other != region) {
                pairs.push((region.index(), other.index()));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The regions that can be reached from `start` without leaving regions, the nearest first, counted in regions.
pub(crate) fn reachable(beside: &[(usize, usize)], start: usize) -> Vec<usize> {
    let mut reached = vec![start];
    let mut next = 0;
    while next < reached.len() {
        let at = reached[next];
        let first = beside.partition_point(|pair| pair.0 < at);
        for &(_, other) in beside[first..].iter().take_while(|pair| pair.0 == at) {
            if !reached.contains(&other) {
                reached.push(other);
            }
        }
        next += 1;
    }
    reached
}

/// The island of the nearest region that has polygons; `None` if no region connected to it has any. Of several islands
/// of one region it is the first.
fn island_beside(region: usize, beside: &[(usize, usize)], pairs: &[(usize, u32)]) -> Option<u32> {
    reachable(beside, region).into_iter().find_map(|at| {
        let first = pairs.partition_point(|pair| pair.0 < at);
        pairs.get(first).filter(|pair| pair.0 == at).map(|pair| pair.1)
    })
}
