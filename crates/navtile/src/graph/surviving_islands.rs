//! Decides which islands stay: large enough ones that can be reached.

use super::{GraphGrid, GraphIslands, IslandGraph};
use navmath::sort::SharedSort;

/// The local islands of each node that stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurvivingIslands {
    /// The islands that were judged.
    pub islands: GraphIslands,
    /// True for each island that stays.
    pub keep: Vec<bool>,
}

impl SurvivingIslands {
    /// Returns true if a local island stays; false if there is no such island.
    pub fn keeps(&self, node: usize, local: u32) -> bool {
        self.islands.find(node, local).is_some_and(|island| self.stays(island))
    }

    /// Returns true if any island of a node stays.
    pub fn keeps_any(&self, node: usize) -> bool {
        self.of_node(node).any(|stays| stays)
    }

    /// Hash of the islands dropped from a node; zeros if nothing is dropped.
    pub fn prune_hash(&self, node: usize) -> [u8; 8] {
        prune_hash(self.of_node(node))
    }

    /// For each local island of a node, true if it stays.
    fn of_node(&self, node: usize) -> impl Iterator<Item = bool> {
        self.islands.island_of.get(node).into_iter().flatten().map(|&island| self.stays(island))
    }

    fn stays(&self, island: u32) -> bool {
        self.keep.get(island as usize).is_some_and(|keep| *keep)
    }
}

/// Hash of the kept local islands of a tile; zeros if all stay.
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
    /// Decides which islands stay: those of at least `min_cells` cells. If there are `seeds` (index of a
    /// node, local island), also requires that an island can be reached from a seed, through seams and along
    /// off-mesh connections. Connections lead only from and to islands that stay. A seed that is not in the
    /// graph reaches nothing.
    pub fn judge(
        &self,
        grid: &GraphGrid,
        min_cells: u64,
        seeds: Option<&[(usize, u32)]>,
    ) -> SurvivingIslands {
        let islands = self.islands(grid);
        let large: Vec<bool> = islands.cells.iter().map(|&cells| cells >= min_cells).collect();
        let keep = match seeds {
            None => large,
            Some(seeds) => self.reached(&islands, &large, seeds),
        };
        SurvivingIslands { islands, keep }
    }

    fn reached(&self, islands: &GraphIslands, large: &[bool], seeds: &[(usize, u32)]) -> Vec<bool> {
        let connections = Connections::new(self, islands);
        let mut taken = vec![false; connections.sides];
        let mut reached = vec![false; large.len()];
        let mut waiting: Vec<u32> =
            seeds.iter().filter_map(|&(node, local)| islands.find(node, local)).collect();
        while let Some(island) = waiting.pop() {
            if !large[island as usize] || std::mem::replace(&mut reached[island as usize], true) {
                continue;
            }
            for from in connections.from(island) {
                if !std::mem::replace(&mut taken[from as usize], true) {
                    waiting.extend(connections.across(from));
                }
            }
        }
        reached
    }
}

/// Off-mesh connections between islands, each with a node of its own in the middle:
///
/// ```text
///     start ──┐         ┌──► end
///     start ──┼──► o ───┼──► end
///     start ──┘         └──► end
/// ```
///
/// K starts and K ends are 2 K edges; direct edges between all pairs would be K x K. A search visits each
/// side of a connection once, so it is linear in the anchors.
struct Connections {
    /// Number of sides: two for each connection, its starts and its ends.
    sides: usize,
    /// Pairs of an island and a side of a connection that leads from it; sorted.
    departures: Vec<(u32, u32)>,
    /// Pairs of a side of a connection and an island at that side; sorted.
    arrivals: Vec<(u32, u32)>,
}

impl Connections {
    fn new(graph: &IslandGraph, islands: &GraphIslands) -> Connections {
        let anchors = graph.nodes.iter().flat_map(|node| &node.anchors);
        let mut known: Vec<u64> = anchors.map(|anchor| anchor.connection).collect();
        known.shared_sort();
        known.dedup();
        let (mut departures, mut arrivals) = (Vec::new(), Vec::new());
        for (index, node) in graph.nodes.iter().enumerate() {
            for anchor in &node.anchors {
                let Some(island) = islands.find(index, anchor.island) else { continue };
                let number = known.partition_point(|connection| *connection < anchor.connection);
                let side = 2 * number as u32 + u32::from(anchor.end);
                arrivals.push((side, island));
                if anchor.end == 0 || anchor.both_ways != 0 {
                    departures.push((island, side));
                }
            }
        }
        departures.shared_sort();
        arrivals.shared_sort();
        Connections { sides: 2 * known.len(), departures, arrivals }
    }

    /// The sides of connections that lead from an island.
    fn from(&self, island: u32) -> impl Iterator<Item = u32> {
        of(&self.departures, island)
    }

    /// The islands on the other side of a connection.
    fn across(&self, from: u32) -> impl Iterator<Item = u32> {
        of(&self.arrivals, from ^ 1)
    }
}

/// The second numbers of all pairs with this first number. `pairs` is sorted.
fn of(pairs: &[(u32, u32)], first: u32) -> impl Iterator<Item = u32> {
    let start = pairs.partition_point(|pair| pair.0 < first);
    pairs[start..].iter().take_while(move |pair| pair.0 == first).map(|pair| pair.1)
}
