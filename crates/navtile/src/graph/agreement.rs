//! Agreement of a graph with the tiles of its file: the rules that both must meet together. A bake that
//! reuses tiles relies on them, because it takes a tile from the file and its islands from the graph.

use super::node::TileNode;
use super::rules::{GraphError, refuse};
use super::surviving_islands::prune_hash;
use super::{IslandGraph, rules};
use crate::layout::Portal;
use crate::tile::Tile;

/// The fate of an island of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Unknown: it has no portal that would identify it.
    Open,
    /// Dropped: the tile lacks its portals.
    Dropped,
    /// Kept, as this island of the tile.
    Stays(u32),
}

impl IslandGraph {
    /// Checks that a tile agrees with its node, except for the islands that were dropped from the tile. The
    /// hashes are those of the tile's directory row. O(polygons + portals log portals).
    ///
    /// If only some islands without portals stay, their number is compared, but not the hash of the kept
    /// islands.
    ///
    /// ```
    /// use navtile::graph::{IslandGraph, TileNode};
    /// # let square_tile = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/square_tile.rs"));
    ///
    /// let tile = square_tile(0);
    /// let graph = IslandGraph::new(vec![TileNode::new(&tile, [7; 16], vec![16], Vec::new())]);
    /// graph.check_tile(&tile, [7; 16], [0; 8])?;
    /// let error = graph.check_tile(&tile, [9; 16], [0; 8]).unwrap_err();
    /// assert_eq!(error.rule, "graph-tile-input");
    /// # Ok::<(), navtile::graph::GraphError>(())
    /// ```
    pub fn check_tile(
        &self,
        tile: &Tile,
        input_hash: [u8; 16],
        prune_hash: [u8; 8],
    ) -> Result<(), GraphError> {
        let coord = tile.coord();
        let Some(index) = self.find(coord) else {
            return refuse("graph-tile", Some(coord), "a node for each tile of the file", "none");
        };
        let node = &self.nodes[index];
        if node.input_hash != input_hash {
            let expected = "the input hash that the directory has";
            return refuse("graph-tile-input", Some(coord), expected, "another one");
        }
        let left = TileNode::new(tile, input_hash, Vec::new(), Vec::new());
        if prune_hash == [0; 8] { whole(node, &left) } else { pruned(node, &left, prune_hash) }
    }
}

/// Checks a tile that lost no islands.
fn whole(node: &TileNode, left: &TileNode) -> rules::Checked {
    let [expected, found] = [left, node].map(|node| node.islands.len());
    if expected != found {
        let expected = format_args!("{expected} islands, as the tile has");
        return refuse("graph-tile-islands", Some(node.coord), expected, found);
    }
    if node.portals != left.portals { refuse_portals(node) } else { Ok(()) }
}

/// Checks a tile that lacks some islands; the remaining islands may have other numbers.
fn pruned(node: &TileNode, left: &TileNode, stated: [u8; 8]) -> rules::Checked {
    let fates = fates(node, left)?;
    let open = fates.iter().filter(|fate| **fate == Fate::Open).count();
    let known = fates.iter().filter(|fate| matches!(fate, Fate::Stays(_))).count();
    // Islands of the tile without portals are islands of the node without portals.
    let Some(unknown) = left.islands.len().checked_sub(known).filter(|unknown| *unknown <= open) else {
        let expected = format_args!("{} islands that may stay, as the tile has", left.islands.len());
        return refuse("graph-tile-islands", Some(node.coord), expected, known + open);
    };
    if 0 < unknown && unknown < open {
        return Ok(());
    }
    let all_open_stay = unknown > 0;
    let stays =
        fates.iter().map(|fate| matches!(fate, Fate::Stays(_)) || (*fate == Fate::Open && all_open_stay));
    if prune_hash(stays) != stated {
        let expected = "the hash of the islands that the tile lacks";
        return refuse("graph-tile-pruned", Some(node.coord), expected, "another one in the directory");
    }
    Ok(())
}

/// The fate of each island, from the remaining portals: an island has all of its portals or none of them.
fn fates(node: &TileNode, left: &TileNode) -> Result<Vec<Fate>, GraphError> {
    let line =
        |portal: &Portal| (portal.side, portal.start, portal.start_height, portal.end, portal.end_height);
    let mut fates = vec![Fate::Open; node.islands.len()];
    let mut taken = vec![None; left.islands.len()];
    // Both lists are sorted by these lines, and no two portals share one.
    let mut lines = left.portals.iter().peekable();
    for portal in &node.portals {
        let found = lines.next_if(|left| line(left) == line(portal));
        let fate = found.map_or(Fate::Dropped, |left| Fate::Stays(left.polygon));
        let known = &mut fates[portal.polygon as usize];
        let is_other = found.is_some_and(|left| {
            taken[left.polygon as usize].replace(portal.polygon).is_some_and(|other| other != portal.polygon)
        });
        if is_other || (*known != Fate::Open && *known != fate) {
            return refuse_portals(node);
        }
        *known = fate;
    }
    if lines.next().is_some() { refuse_portals(node) } else { Ok(fates) }
}

#[cold]
fn refuse_portals<T>(node: &TileNode) -> Result<T, GraphError> {
    refuse(
        "graph-tile-portals",
        Some(node.coord),
        "the portals that the tile has, on the same islands",
        "others",
    )
}
