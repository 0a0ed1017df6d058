//! Keeps the decision about islands up to date while tiles change one by one: the result is that of judging
//! the whole graph again, at a cost in proportion to the changes.
//!
//! Only the islands of a changed tile, and islands next to it before or after the change, can change their
//! state. From each of them a search follows the joined islands until it has seen enough cells, and continues
//! through islands that were dropped so far. A dropped island has few cells, so both searches stay short.

use super::surviving_islands::prune_hash;
use super::{GraphGrid, IslandGraph, TileNode};
use crate::layout::side;
use crate::seam::match_lines;
use crate::tile::{Tile, TileCoord};
use navmath::sort::SharedSort;
use std::collections::{BTreeMap, BTreeSet};

/// A local island of a tile.
type LocalIsland = (TileCoord, u32);

/// All tiles of a bake that change at run time, and the decision which of their islands stay: those of at
/// least a given number of cells and, if there are seeds, only those of them that can be reached. All tiles
/// are in one layer.
#[derive(Clone, Debug)]
pub struct LiveIslands {
    grid: GraphGrid,
    min_cells: u64,
    tiles: BTreeMap<TileCoord, LiveTile>,
    /// Islands to judge again.
    waiting: BTreeSet<LocalIsland>,
    /// Tiles that changed, or whose kept islands changed, since they were last reported.
    changed: BTreeSet<TileCoord>,
}

#[derive(Clone, Debug)]
struct LiveTile {
    node: TileNode,
    keep: Vec<bool>,
    /// For each side, the pairs of an own island and an island beyond that are joined over it; sorted.
    beside: [Vec<(u32, u32)>; 4],
}

impl LiveIslands {
    /// The islands of a graph; islands of at least `min_cells` cells stay. Every tile counts as changed.
    pub fn new(graph: &IslandGraph, grid: GraphGrid, min_cells: u64) -> LiveIslands {
        let mut live = LiveIslands {
            grid,
            min_cells,
            tiles: BTreeMap::new(),
            waiting: BTreeSet::new(),
            changed: BTreeSet::new(),
        };
        for node in graph.nodes() {
            live.put(node.clone());
        }
        live
    }

    /// The node of a tile.
    pub fn node(&self, coord: TileCoord) -> Option<&TileNode> {
        self.tiles.get(&coord).map(|tile| &tile.node)
    }

    /// The graph of all tiles.
    pub fn graph(&self) -> IslandGraph {
        IslandGraph::new(self.tiles.values().map(|tile| tile.node.clone()).collect())
    }

    /// Coordinates of all tiles, in canonical order.
    pub fn coords(&self) -> impl Iterator<Item = TileCoord> {
        self.tiles.keys().copied()
    }

    /// Adds a tile. It replaces the tile at its coordinate if there is one.
    pub fn put(&mut self, node: TileNode) {
        let coord = node.coord;
        self.remove(coord);
        self.waiting.extend((0..node.islands.len() as u32).map(|island| (coord, island)));
        let keep = vec![false; node.islands.len()];
        self.tiles.insert(coord, LiveTile { node, keep, beside: Default::default() });
        if self.grid.tile_cells > 0 {
            for on in side::X_MIN..=side::Z_MIN {
                self.join(coord, on);
            }
        }
    }

    /// Removes a tile, if there is one.
    pub fn remove(&mut self, coord: TileCoord) {
        self.changed.insert(coord);
        let Some(gone) = self.tiles.remove(&coord) else { return };
        for (on, pairs) in (side::X_MIN..).zip(gone.beside) {
            let Some(other) = beyond(coord, on) else { continue };
            self.waiting.extend(pairs.iter().map(|&(_, island)| (other, island)));
            if let Some(tile) = self.tiles.get_mut(&other) {
                tile.beside[usize::from(Tile::opposite(on))].clear();
            }
        }
        self.waiting.retain(|(tile, _)| *tile != coord);
    }

    /// Finds the pairs over a side of a tile.
    fn join(&mut self, coord: TileCoord, on: u8) {
        let Some(other) = beyond(coord, on).filter(|other| self.tiles.contains_key(other)) else { return };
        // From the smaller coordinate, as when the whole graph is joined.
        let (first, second, from) = match on {
            side::X_MAX | side::Z_MAX => (coord, other, on),
            _ => (other, coord, Tile::opposite(on)),
        };
        let (ours, theirs) = (&self.tiles[&first].node.portals, &self.tiles[&second].node.portals);
        let matches = match_lines(ours, &self.grid.place(first), from, theirs, &self.grid.place(second));
        let mut pairs: Vec<(u32, u32)> = matches
            .iter()
            .map(|pair| (ours[pair.a as usize].polygon, theirs[pair.b as usize].polygon))
            .collect();
        pairs.shared_sort();
        pairs.dedup();
        let mut swapped: Vec<(u32, u32)> = pairs.iter().map(|&(own, beyond)| (beyond, own)).collect();
        swapped.shared_sort();
        let (own, across) = if first == coord { (pairs, swapped) } else { (swapped, pairs) };
        self.waiting.extend(across.iter().map(|&(island, _)| (other, island)));
        self.set_pairs(coord, on, own);
        self.set_pairs(other, Tile::opposite(on), across);
    }

    fn set_pairs(&mut self, coord: TileCoord, on: u8, pairs: Vec<(u32, u32)>) {
        if let Some(tile) = self.tiles.get_mut(&coord) {
            tile.beside[usize::from(on)] = pairs;
        }
    }

    /// Judges all islands again whose state may have changed. Returns the tiles that were put or removed
    /// since the last call, and those whose kept islands changed.
    pub fn settle(&mut self) -> BTreeSet<TileCoord> {
        let mut decided: BTreeMap<LocalIsland, bool> = BTreeMap::new();
        for start in std::mem::take(&mut self.waiting) {
            if decided.contains_key(&start) || !self.is_there(start) {
                continue;
            }
            let (seen, stays) = self.search(start, &decided);
            for (coord, island) in seen {
                decided.insert((coord, island), stays);
                self.set_keep(coord, island, stays);
            }
        }
        std::mem::take(&mut self.changed)
    }

    /// Like [`LiveIslands::settle`], but keeps only what can be reached from these islands. Cost: the same as
    /// judging the whole graph.
    pub fn settle_reachable(&mut self, seeds: &[(TileCoord, u32)]) -> BTreeSet<TileCoord> {
        self.waiting.clear();
        let graph = self.graph();
        let seeds: Vec<(usize, u32)> =
            seeds.iter().filter_map(|&(coord, island)| Some((graph.find(coord)?, island))).collect();
        let verdict = graph.judge(&self.grid, self.min_cells, Some(&seeds));
        for (index, node) in graph.nodes().iter().enumerate() {
            for island in 0..node.islands.len() as u32 {
                self.set_keep(node.coord, island, verdict.keeps(index, island));
            }
        }
        std::mem::take(&mut self.changed)
    }

    fn is_there(&self, (coord, island): LocalIsland) -> bool {
        self.tiles.get(&coord).is_some_and(|tile| (island as usize) < tile.keep.len())
    }

    fn set_keep(&mut self, coord: TileCoord, island: u32, stays: bool) {
        if let Some(tile) = self.tiles.get_mut(&coord)
            && std::mem::replace(&mut tile.keep[island as usize], stays) != stays
        {
            self.changed.insert(coord);
        }
    }

    /// Islands that are joined to the given one, itself included, and true if they stay. If they stay, the
    /// list may be incomplete; islands left out already stay.
    fn search(
        &self,
        start: LocalIsland,
        decided: &BTreeMap<LocalIsland, bool>,
    ) -> (BTreeSet<LocalIsland>, bool) {
        let mut seen = BTreeSet::from([start]);
        let (mut dropped, mut kept) = (Vec::new(), Vec::new());
        let (mut cells, mut enough) = (0u64, self.min_cells == 0);
        let mut next = Some(start);
        while let Some((coord, island)) = next {
            let tile = &self.tiles[&coord];
            cells = cells.saturating_add(tile.node.islands[island as usize]);
            enough |= cells >= self.min_cells || decided.get(&(coord, island)).is_some_and(|stays| *stays);
            for (on, pairs) in (side::X_MIN..).zip(&tile.beside) {
                let Some(other) = beyond(coord, on) else { continue };
                let first = pairs.partition_point(|pair| pair.0 < island);
                for &(_, across) in pairs[first..].iter().take_while(|pair| pair.0 == island) {
                    let across = (other, across);
                    if seen.insert(across) {
                        let stays = self.tiles[&other].keep[across.1 as usize];
                        if stays { kept.push(across) } else { dropped.push(across) }
                    }
                }
            }
            // Islands that already stay are searched only until enough cells are found.
            next = dropped.pop().or_else(|| if enough { None } else { kept.pop() });
        }
        // The remaining islands already stay and were not searched.
        for left in kept {
            seen.remove(&left);
        }
        (seen, enough)
    }

    /// Returns true if a local island stays; false if there is no such island.
    pub fn keeps(&self, coord: TileCoord, island: u32) -> bool {
        self.tiles.get(&coord).and_then(|tile| tile.keep.get(island as usize)).is_some_and(|keep| *keep)
    }

    /// Returns true if any island of a tile stays.
    pub fn keeps_any(&self, coord: TileCoord) -> bool {
        self.tiles.get(&coord).is_some_and(|tile| tile.keep.contains(&true))
    }

    /// Hash of the islands dropped from a tile; zeros if nothing is dropped.
    pub fn prune_hash(&self, coord: TileCoord) -> [u8; 8] {
        prune_hash(self.tiles.get(&coord).into_iter().flat_map(|tile| tile.keep.iter().copied()))
    }
}

/// The tile beyond a side, in the same layer.
fn beyond(coord: TileCoord, on: u8) -> Option<TileCoord> {
    Some(TileCoord { layer: coord.layer, ..*coord.across(on)?.start() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Portal;
    use proptest::prelude::*;

    const SIDE: i32 = 4;

    /// A tile with two islands. Bits `side` of `joins` give the first island portals on these sides, the next
    /// four bits the second island, which is 300 steps higher. In every other column all portals are 300
    /// steps lower, so that the first island leads to the second.
    fn node(x: i32, z: i32, joins: u8, cells: [u64; 2]) -> TileNode {
        let portal = |island: u32, on: u8| Portal {
            polygon: island,
            edge: 0,
            side: on,
            reserved: 0,
            start: 0,
            end: 1024,
            start_height: 300 * (island as i32 ^ x & 1),
            end_height: 300 * (island as i32 ^ x & 1),
        };
        let mut portals = Vec::new();
        for on in 0..4 {
            // By height, as portals are sorted.
            for island in if x & 1 == 0 { [0, 1] } else { [1, 0] } {
                if joins >> (4 * island + u32::from(on)) & 1 == 1 {
                    portals.push(portal(island, on));
                }
            }
        }
        let coord = TileCoord { x, z, layer: 0 };
        TileNode { coord, input_hash: [joins; 16], islands: cells.to_vec(), portals, anchors: Vec::new() }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn it_keeps_what_the_whole_graph_would(
            start in prop::collection::vec((any::<u8>(), 1..9u64, 1..9u64), 16),
            changes in prop::collection::vec((0..SIDE, 0..SIDE, any::<u8>(), 1..9u64, 1..9u64, 0..5u8), 1..30),
            min_cells in 0..40u64,
        ) {
            let grid = GraphGrid { tile_cells: 4, climb: 100 };
            let at = |index: usize| (index as i32 % SIDE, index as i32 / SIDE);
            let nodes = start.iter().enumerate().map(|(index, &(joins, a, b))| {
                let (x, z) = at(index);
                node(x, z, joins, [a, b])
            });
            let graph = IslandGraph::new(nodes.collect());
            let mut live = LiveIslands::new(&graph, grid, min_cells);
            let mut known = BTreeMap::new();
            let mut nodes: BTreeMap<TileCoord, TileNode> =
                graph.nodes().iter().map(|node| (node.coord, node.clone())).collect();
            for (x, z, joins, a, b, what) in [(0, 0, 0, 1, 1, 9)].into_iter().chain(changes) {
                let coord = TileCoord { x, z, layer: 0 };
                match what {
                    9 => {}
                    0 => {
                        live.remove(coord);
                        nodes.remove(&coord);
                    }
                    _ => {
                        live.put(node(x, z, joins, [a, b]));
                        nodes.insert(coord, node(x, z, joins, [a, b]));
                    }
                }
                prop_assert_eq!(live.node(coord), nodes.get(&coord));
                if what == 4 {
                    // Several changes at once.
                    continue;
                }
                let reported = live.settle();
                let graph = live.graph();
                prop_assert!(graph.nodes().iter().eq(nodes.values()));
                let whole = graph.judge(&grid, min_cells, None);
                for (index, node) in graph.nodes().iter().enumerate() {
                    let keep = [0, 1].map(|island| live.keeps(node.coord, island));
                    prop_assert_eq!(keep, [0, 1].map(|island| whole.keeps(index, island)));
                    prop_assert_eq!(live.keeps_any(node.coord), whole.keeps_any(index));
                    prop_assert_eq!(live.prune_hash(node.coord), whole.prune_hash(index));
                    let before = known.insert(node.coord, (keep, node.input_hash));
                    if before != Some((keep, node.input_hash)) {
                        prop_assert!(reported.contains(&node.coord), "{:?} changed", node.coord);
                    }
                }
            }
        }
    }

    #[test]
    fn tiles_without_a_size_are_not_joined() {
        let graph = IslandGraph::new(vec![node(0, 0, 0xFF, [5, 5]), node(1, 0, 0xFF, [6, 6])]);
        let mut live = LiveIslands::new(&graph, GraphGrid { tile_cells: 0, climb: 100 }, 8);
        live.settle();
        assert!(live.coords().all(|coord| !live.keeps_any(coord)));
    }

    #[test]
    fn only_what_can_be_reached_stays() {
        let side_bit = |on: u8| 1 << on;
        let nodes = vec![
            node(0, 0, side_bit(side::X_MAX), [9, 9]),
            // Its second island is at the height of the first island of the tile before it.
            node(1, 0, side_bit(side::X_MIN) << 4, [9, 9]),
            node(3, 0, 0, [9, 9]),
        ];
        let graph = IslandGraph::new(nodes);
        let mut live = LiveIslands::new(&graph, GraphGrid { tile_cells: 4, climb: 100 }, 1);
        live.settle();
        let at = |x: i32| TileCoord { x, z: 0, layer: 0 };
        let changed = live.settle_reachable(&[(at(0), 0), (at(2), 0)]);
        assert_eq!(changed, BTreeSet::from([0, 1, 3].map(at)));
        let keeps = |x: i32| [0, 1].map(|island| live.keeps(at(x), island));
        assert_eq!([0, 1, 3].map(keeps), [[true, false], [false, true], [false, false]]);
        assert!(!live.keeps_any(at(3)) && live.keeps_any(at(1)));
        assert!(live.settle_reachable(&[(at(0), 0)]).is_empty(), "nothing has changed");
    }
}
