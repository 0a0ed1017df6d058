//! Which islands stay: those that are large enough, and those that can be reached.

use super::{GraphGrid, GraphIslands, IslandGraph};
use std::collections::BTreeMap;

/// Which local islands of each node stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptIslands {
    /// The islands it was made over.
    pub islands: GraphIslands,
    /// For each island, whether it stays.
    pub keep: Vec<bool>,
}

impl KeptIslands {
    /// Whether a local island stays.
    pub fn keeps(&self, node: usize, local: u32) -> bool {
        self.keep[self.islands.island_of[node][local as usize] as usize]
    }

    /// Whether anything of a node stays.
    pub fn keeps_any(&self, node: usize) -> bool {
        self.islands.island_of[node].iter().any(|&island| self.keep[island as usize])
    }

    /// Hash of what is dropped from a node; zeros if nothing is.
    pub fn prune_hash(&self, node: usize) -> [u8; 8] {
        prune_hash(self.islands.island_of[node].iter().map(|&island| self.keep[island as usize]))
    }
}

/// Hash of which local islands of a tile stay; zeros if all do.
pub fn prune_hash(keep: impl Iterator<Item = bool>) -> [u8; 8] {
    let flags: Vec<u8> = keep.map(u8::from).collect();
    let mut hash = [0; 8];
    if flags.contains(&0) {
        let digest = navmath::Hasher::new().write_u8s(b"prune").write_u8s(&flags).finish();
        hash.copy_from_slice(&digest.0[..8]);
        // Zeros mean that nothing was dropped.
        hash[0] |= 1;
    }
    hash
}

impl IslandGraph {
    /// Decides which islands stay: those of at least `min_cells` cells; of them, if there are `seeds` (index of a
    /// node, local island), those that can be reached from one, through seams and along off-mesh connections.
    /// Connections lead from what stays only to what stays.
    pub fn judge(&self, grid: &GraphGrid, min_cells: u64, seeds: Option<&[(usize, u32)]>) -> KeptIslands {
        let islands = self.islands(grid);
        let large: Vec<bool> = islands.cells.iter().map(|&cells| cells >= min_cells).collect();
        let keep = match seeds {
            None => large,
            Some(seeds) => self.reached(&islands, &large, seeds),
        };
        KeptIslands { islands, keep }
    }

    fn reached(&self, islands: &GraphIslands, large: &[bool], seeds: &[(usize, u32)]) -> Vec<bool> {
        let leads = self.connections(islands);
        let mut reached = vec![false; large.len()];
        let mut waiting: Vec<u32> =
            seeds.iter().map(|&(node, local)| islands.island_of[node][local as usize]).collect();
        while let Some(island) = waiting.pop() {
            if large[island as usize] && !std::mem::replace(&mut reached[island as usize], true) {
                waiting.extend(leads.get(&island).into_iter().flatten());
            }
        }
        reached
    }

    /// For each island, those that an off-mesh connection leads to from it.
    fn connections(&self, islands: &GraphIslands) -> BTreeMap<u32, Vec<u32>> {
        let mut ends: BTreeMap<u64, [Vec<u32>; 2]> = BTreeMap::new();
        let mut both = BTreeMap::new();
        for (node, island_of) in self.nodes.iter().zip(&islands.island_of) {
            for anchor in &node.anchors {
                let slot = &mut ends.entry(anchor.connection).or_default()[usize::from(anchor.end & 1)];
                slot.push(island_of[anchor.island as usize]);
                both.insert(anchor.connection, anchor.both_ways != 0);
            }
        }
        let mut leads: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (connection, [starts, ends]) in ends {
            for &start in &starts {
                for &end in &ends {
                    leads.entry(start).or_default().push(end);
                    if both.get(&connection) == Some(&true) {
                        leads.entry(end).or_default().push(start);
                    }
                }
            }
        }
        leads
    }
}
