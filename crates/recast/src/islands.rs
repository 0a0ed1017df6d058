//! The sizes of a tile's islands, in walkable cells like those of regions, so that they do not depend on how
//! a level is cut into tiles. The area of polygons would depend on it, because simplification rounds corners
//! off.

use crate::data::{Direction, PolyMesh, RegionField};
use crate::stage::emit::Emitted;
use navmath::sort::SharedSort;
use navtile::graph::local_islands;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The local islands that the regions of a tile belong to.
pub(crate) struct RegionIslands {
    /// The island of each region, by region id; `None` if no polygon came from it, nor from regions connected
    /// to it.
    pub(crate) of_region: Vec<Option<u32>>,
    /// Number of islands.
    count: usize,
}

impl RegionIslands {
    /// A region belongs to the island of the polygons that came from it. Removing a vertex may merge all
    /// polygons of a region into those of others; such a region, which no polygon names, belongs to the
    /// island of a neighbouring region. If the polygons of a region are on several islands, the region
    /// belongs to the island with most of their ground.
    pub(crate) fn new(emitted: &Emitted, mesh: &PolyMesh, regions: &RegionField) -> RegionIslands {
        let local = local_islands(&emitted.tile);
        let region_cells = &regions.cells;
        let named = islands_of_regions(&local, emitted, mesh, region_cells.len());
        let is_lost = |&region: &usize| region_cells[region] > 0 && named[region].is_none();
        let lost: Vec<usize> = (1..region_cells.len()).filter(is_lost).collect();
        let beside = if lost.is_empty() { Vec::new() } else { beside(regions) };
        let mut of_region = named.clone();
        for region in lost {
            // None if no region connected to it has an island.
            of_region[region] = reachable(&beside, region).into_iter().find_map(|at| named[at]);
        }
        RegionIslands { of_region, count: local.iter().max().map_or(0, |&last| last as usize + 1) }
    }

    /// The cells of each island: those of its regions.
    pub(crate) fn cells(&self, regions: &RegionField) -> Vec<u64> {
        let mut cells = vec![0u64; self.count];
        for (island, &region_cells) in self.of_region.iter().zip(&regions.cells) {
            if let Some(island) = island {
                cells[*island as usize] += u64::from(region_cells);
            }
        }
        cells
    }
}

/// The island of each of `count` regions that polygons name.
fn islands_of_regions(local: &[u32], emitted: &Emitted, mesh: &PolyMesh, count: usize) -> Vec<Option<u32>> {
    let mut ground: BTreeMap<(usize, u32), i128> = BTreeMap::new();
    for (&island, &source) in local.iter().zip(&emitted.sources) {
        let polygon = &mesh.polygons[source as usize];
        *ground.entry((polygon.first_region.index(), island)).or_default() += mesh.polygon_area2(polygon);
    }
    let mut most = vec![None; count];
    for ((region, island), area) in ground {
        most[region] = most[region].max(Some((area, Reverse(island))));
    }
    most.into_iter().map(|most| most.map(|(_, Reverse(island))| island)).collect()
}

/// Pairs of neighbouring regions, each in both orders, sorted.
pub fn beside(regions: &RegionField) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (span, region) in regions.region.iter().enumerate().filter(|(_, region)| region.is_inner()) {
        for direction in Direction::ALL {
            let other = regions.field.neighbour(span, direction).map(|other| regions.region[other]);
            if let Some(other) = other.filter(|other| other.is_inner() && other != region) {
                pairs.push((region.index(), other.index()));
            }
        }
    }
    pairs.shared_sort();
    pairs.dedup();
    pairs
}

/// The regions that can be reached from `start` without leaving regions, the nearest first; distance is
/// counted in regions.
pub fn reachable(beside: &[(usize, usize)], start: usize) -> Vec<usize> {
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
