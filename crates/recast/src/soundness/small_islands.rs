//! Finds the islands of connected regions that are too small to keep.

use crate::data::compact::state::Eroded;
use crate::data::regions::runs_to;
use crate::data::{CompactField, Direction, RegionId};
use navmath::sort::SharedSort;

/// For each region, with its number of spans in `cells`: true if it belongs to an island of fewer than
/// `min_cells` spans that does not continue beyond the tile's border. Entry 0 is for no region.
///
/// An island is all ground connected by steps, also around holes and out of them. Regions of a small island
/// are small themselves, so only their spans are searched.
pub(crate) fn small_islands(
    field: &CompactField<Eroded>,
    labels: &[RegionId],
    ends: &[u32],
    cells: &[u32],
    min_cells: u32,
) -> Vec<bool> {
    let mut small: Vec<bool> = cells.iter().map(|&cells| cells > 0 && cells < min_cells).collect();
    if !small.contains(&true) {
        return small;
    }
    let mut links = find_links(field, labels, ends, &mut small);
    links.shared_sort();
    links.dedup();
    let mut visited = vec![false; small.len()];
    for root in 1..small.len() {
        if visited[root] || cells[root] == 0 || cells[root] >= min_cells {
            continue;
        }
        visited[root] = true;
        let (mut island, mut next) = (vec![root], 0);
        while let Some(&at) = island.get(next) {
            next += 1;
            let first = links.partition_point(|link| link.0 < at);
            for &(_, other) in links[first..].iter().take_while(|link| link.0 == at) {
                if !std::mem::replace(&mut visited[other], true) {
                    island.push(other);
                }
            }
        }
        let total: u64 = island.iter().map(|&region| u64::from(cells[region])).sum();
        let is_small = total < u64::from(min_cells) && island.iter().all(|&region| small[region]);
        island.into_iter().for_each(|region| small[region] = is_small);
    }
    small
}

/// Pairs of neighbouring small regions, in both orders. Regions next to a large one, or next to the tile's
/// border, are unmarked as small.
fn find_links(
    field: &CompactField<Eroded>,
    labels: &[RegionId],
    ends: &[u32],
    small: &mut [bool],
) -> Vec<(usize, usize)> {
    let is_few = small.to_vec();
    let mut links = Vec::new();
    for (label, spans) in runs_to(labels, ends).filter(|(label, _)| is_few[label.index()]) {
        for span in spans {
            for direction in Direction::ALL {
                let Some(beside) = field.neighbour(span, direction) else { continue };
                let other = labels[beside];
                if other.is_inner() && is_few[other.index()] {
                    if other != label && links.last() != Some(&(label.index(), other.index())) {
                        links.push((label.index(), other.index()));
                    }
                } else if !other.is_none() {
                    small[label.index()] = false;
                }
            }
        }
    }
    links
}
