//! Searches that take turns: which of several places hang together over the rest of an island, at the cost of the
//! smaller parts.
//! Source: S. Even, Y. Shiloach, An on-line edge-deletion problem (1981).

use super::Inner;
use super::labels::{Labels, Local, Part};
use super::seams::Seam;
use navmath::Sets;
use std::collections::HashMap;

impl Labels {
    /// What a tile's parts meet in other tiles, sorted by the part's number, each once.
    pub(super) fn crossings(&self, inner: &Inner, slot: u32) -> Vec<(u32, Part)> {
        let mut crossings = Vec::new();
        let Some(labels) = self.tile(slot) else { return crossings };
        self.visit_crossings(inner, slot, &labels.local, |here, there, _| crossings.push((here, there)));
        crossings.sort_unstable();
        crossings.dedup();
        crossings
    }

    /// The same as they come, some more than once, of a tile with these local numbers; each with the island beyond.
    pub(super) fn visit_crossings(
        &self,
        inner: &Inner,
        slot: u32,
        local: &Local,
        mut visit: impl FnMut(u32, Part, u64),
    ) {
        let Some(occupied) = inner.occupied(slot) else { return };
        let mut meet = |here: u32, other_slot: u32, there: u32| {
            let Some(here) = local.of(here) else { return };
            let Some(other) = self.tile(other_slot).filter(|_| other_slot != slot) else { return };
            if let Some((there, island)) = other.of(there) {
                visit(here, (other_slot, there), island);
            }
        };
        let portals = occupied.entry.tile.portals();
        for link in occupied.seams.iter().flat_map(Seam::links) {
            meet(portals[link.portal as usize].polygon, link.to.slot(), link.to.polygon());
        }
        for (number, joint) in (occupied.entry.polygon_count()..).zip(occupied.joints.iter()) {
            if let Some(joint) = joint {
                meet(number, joint.polygon.slot(), joint.polygon.polygon());
            }
        }
        for landing in occupied.landings.iter() {
            meet(landing.polygon, landing.link.slot(), landing.link.polygon());
        }
    }

    /// Searches from several parts at once, each within its own island, one step each in turn, until all that are
    /// still going have met. `known` keeps what was learnt of tiles between searches.
    pub(super) fn race(&self, inner: &Inner, known: &mut Crossings, seeds: &[Part]) -> Race {
        let mut found: Vec<Vec<Part>> = Vec::new();
        let mut owners: HashMap<Part, usize> = HashMap::new();
        let mut sets = Sets::new(seeds.len() as u32);
        for (number, seed) in seeds.iter().enumerate() {
            owners.insert(*seed, number);
            found.push(vec![*seed]);
        }
        let mut next = vec![0usize; seeds.len()];
        let mut going: Vec<usize> = (0..seeds.len()).collect();
        while let Some(first) = going.first() {
            let first = sets.root(*first as u32);
            if going.iter().all(|number| sets.root(*number as u32) == first) {
                break;
            }
            for number in &going {
                let part = found[*number][next[*number]];
                next[*number] += 1;
                let tile = known.entry(part.0).or_insert_with(|| self.crossings(inner, part.0));
                let start = tile.partition_point(|crossing| crossing.0 < part.1);
                let island = self.island(part);
                for (_, other) in tile[start..].iter().take_while(|crossing| crossing.0 == part.1) {
                    if self.island(*other) != island {
                        continue;
                    }
                    match owners.get(other) {
                        Some(owner) => sets.join(*owner as u32, *number as u32),
                        None => {
                            owners.insert(*other, *number);
                            found[*number].push(*other);
                        }
                    }
                }
            }
            going.retain(|number| next[*number] < found[*number].len());
        }
        // Those still going are as one; if none is, all are whole, and the first may keep its name.
        let kept = going.first().copied().unwrap_or(0);
        let root = sets.root(kept as u32);
        let mut others: HashMap<u32, Vec<Part>> = HashMap::new();
        let mut order = Vec::new();
        for (number, parts) in found.into_iter().enumerate() {
            let of = sets.root(number as u32);
            if of != root {
                if of == number as u32 {
                    order.push(of);
                }
                others.entry(of).or_default().extend(parts);
            }
        }
        Race { kept, others: order.into_iter().filter_map(|of| others.remove(&of)).collect() }
    }
}

/// What parts of tiles meet, by slot.
pub(super) type Crossings = HashMap<u32, Vec<(u32, Part)>>;

/// How a race ended.
pub(super) struct Race {
    /// The seed of the search that is the largest, or was stopped.
    pub(super) kept: usize,
    /// All parts of each of the others.
    pub(super) others: Vec<Vec<Part>>,
}
