//! The island graph: the connected parts of each tile, and the portals through which they leave it, before
//! anything was dropped. Islands extend over several tiles, so the decision which of them are large enough,
//! or can be reached, is made here over all tiles, without their polygons. A file stores the graph so that a
//! later bake can decide again after some tiles changed.
//!
//! - [`TileNode`]: one tile's part of the graph.
//! - [`IslandGraph`]: all tiles, their islands joined across seams.
//! - [`SurvivingIslands`]: the islands that stay.
//! - [`LiveIslands`]: the same, kept up to date while tiles change.

mod agreement;
mod encoding;
mod live;
mod node;
mod rules;
mod surviving_islands;
#[cfg(test)]
mod tests;

pub use live::LiveIslands;
pub use node::{Anchor, TileNode, local_islands};
pub use rules::{GRAPH_RULES, GraphError};
pub use surviving_islands::{SurvivingIslands, prune_hash};

use crate::layout::{Portal, side};
use crate::seam::{SeamPlace, each_match};
use crate::tile::{Tile, TileCoord};
use navmath::FIXED_ONE;
use navmath::Sets;
use navmath::sort::SharedSort;
use std::ops::Range;

/// The parameters of the tile grid that the graph needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphGrid {
    /// Cells along a side of a tile; 0 for a solo bake, which has no seams.
    pub tile_cells: u32,
    /// The agent's climb, 1/256 cell height.
    pub climb: i64,
}

impl GraphGrid {
    /// The grid of an agent that climbs `climb` metres, in cells of `cell_height` metres.
    pub fn new(tile_cells: u32, climb: f64, cell_height: f64) -> GraphGrid {
        // Tiles store the climb in f32, and links are made with that value.
        let climb = (f64::from(climb as f32) / cell_height * f64::from(FIXED_ONE)).round() as i64;
        GraphGrid { tile_cells, climb }
    }

    fn place(&self, coord: TileCoord) -> SeamPlace {
        let base = |tile: i32| i64::from(tile) * i64::from(self.tile_cells);
        let base_cell = [base(coord.x), 0, base(coord.z)];
        SeamPlace { base_cell, width: self.tile_cells, depth: self.tile_cells, climb: self.climb }
    }
}

/// All tiles of a bake, including those without polygons.
///
/// ```
/// use navtile::graph::{GraphGrid, IslandGraph, TileNode};
/// # let square_tile = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/square_tile.rs"));
///
/// // Three tiles in a row, each with an island of 16 cells; and one further away.
/// let nodes = [0, 1, 2, 9].map(|column| TileNode::new(&square_tile(column), [0; 16], vec![16], Vec::new()));
/// let graph = IslandGraph::new(nodes.to_vec());
/// let grid = GraphGrid::new(4, 0.5, 0.25);
/// assert_eq!(graph.islands(&grid).cells, [48, 16]);
/// // Only the first three tiles keep anything if islands need 20 cells.
/// let verdict = graph.judge(&grid, 20, None);
/// assert!(verdict.keeps(2, 0) && !verdict.keeps(3, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IslandGraph {
    nodes: Vec<TileNode>,
}

/// The islands of a graph: local ones, joined across seams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphIslands {
    /// For each node, the island of each of its local islands.
    pub island_of: Vec<Vec<u32>>,
    /// Number of cells (walkable spans) of each island; largest first.
    pub cells: Vec<u64>,
}

impl GraphIslands {
    /// The island that a local island of a node belongs to; `None` if there is no such node or island.
    pub fn find(&self, node: usize, local: u32) -> Option<u32> {
        self.island_of.get(node)?.get(local as usize).copied()
    }
}

impl IslandGraph {
    /// The graph of these nodes, in any order; of two at the same coordinate the later one counts.
    pub fn new(mut nodes: Vec<TileNode>) -> IslandGraph {
        nodes.shared_sort_by_key(|node| node.coord);
        nodes.reverse();
        nodes.dedup_by_key(|node| node.coord);
        nodes.reverse();
        IslandGraph { nodes }
    }

    /// Nodes in canonical order of tiles (x, z, layer).
    pub fn nodes(&self) -> &[TileNode] {
        &self.nodes
    }

    /// Its nodes, in the same order.
    pub fn into_nodes(self) -> Vec<TileNode> {
        self.nodes
    }

    /// Index of the node at a coordinate.
    pub fn find(&self, coord: TileCoord) -> Option<usize> {
        self.nodes.binary_search_by_key(&coord, |node| node.coord).ok()
    }

    /// Checks every rule of docs/format.md about a graph by itself. A graph that was read, or made from baked
    /// tiles, passes.
    pub fn check(&self) -> Result<(), GraphError> {
        rules::check(&self.nodes)
    }

    /// Joins local islands across all seams; tiles above each other are matched together. Cost: O(portals log
    /// portals) time, and memory for the portals of a tile in addition to the result.
    pub fn islands(&self, grid: &GraphGrid) -> GraphIslands {
        let mut first = Vec::with_capacity(self.nodes.len());
        let mut count = 0;
        for node in &self.nodes {
            first.push(count);
            count += node.islands.len() as u32;
        }
        let mut sets = Sets::new(count);
        if grid.tile_cells > 0 {
            let mut start = 0;
            for column in self.nodes.chunk_by(TileNode::shares_column) {
                let column = start..start + column.len();
                start = column.end;
                for own in [side::X_MAX, side::Z_MAX] {
                    self.join_seam(grid, column.clone(), own, &first, &mut sets);
                }
            }
        }
        let cells = self.nodes.iter().flat_map(|node| &node.islands).map(|&cells| u128::from(cells));
        let (numbers, cells) = sets.ranked(cells);
        let mut numbers = numbers.into_iter();
        GraphIslands {
            island_of: self
                .nodes
                .iter()
                .map(|node| numbers.by_ref().take(node.islands.len()).collect())
                .collect(),
            cells: cells.into_iter().map(|cells| u64::try_from(cells).unwrap_or(u64::MAX)).collect(),
        }
    }

    /// Joins the islands of a column of tiles, which are above each other, with those beyond one of its
    /// sides.
    fn join_seam(&self, grid: &GraphGrid, column: Range<usize>, own: u8, first: &[u32], sets: &mut Sets) {
        let Some(beyond) = self.nodes[column.start].coord.across(own) else { return };
        let start = self.nodes.partition_point(|other| other.coord < *beyond.start());
        let end = self.nodes.partition_point(|other| other.coord <= *beyond.end());
        if start == end {
            return;
        }
        let (here, there) = (self.nodes[column.start].coord, self.nodes[start].coord);
        let ours = self.side(column, own, first);
        let theirs = self.side(start..end, Tile::opposite(own), first);
        each_match(&ours, &grid.place(here), own, &theirs, &grid.place(there), |pair| {
            sets.join(ours[pair.a as usize].polygon, theirs[pair.b as usize].polygon);
        });
    }

    /// The portals of one side of tiles that are above each other, with the number of the island among all
    /// islands in place of the polygon.
    fn side(&self, column: Range<usize>, on: u8, first: &[u32]) -> Vec<Portal> {
        let of_node = |index: usize| {
            let portals = self.nodes[index].portals.iter().filter(move |portal| portal.side == on);
            portals.map(move |portal| Portal { polygon: first[index] + portal.polygon, ..*portal })
        };
        column.flat_map(of_node).collect()
    }
}
