//! Island graphs as the numbers that docs/format.md describes, to corrupt and to write without any checks.

use super::spoil::spoil;
use super::{Dice, WIDTH};
use navtile::graph::Anchor;
use navtile::layout::Portal;

#[derive(Clone)]
pub(crate) struct RawNode {
    /// x, z, layer.
    pub(crate) coord: [i32; 3],
    pub(crate) input_hash: [u8; 16],
    pub(crate) islands: Vec<u64>,
    pub(crate) portals: Vec<Portal>,
    pub(crate) anchors: Vec<Anchor>,
}

#[derive(Clone)]
pub(crate) struct RawGraph {
    pub(crate) nodes: Vec<RawNode>,
    /// Numbers of nodes, islands, portals and anchors that the first bytes state, minus the actual numbers.
    pub(crate) more: [i32; 4],
}

impl RawGraph {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let total = |of: fn(&RawNode) -> usize| self.nodes.iter().map(of).sum::<usize>();
        let counts = [
            self.nodes.len(),
            total(|node| node.islands.len()),
            total(|node| node.portals.len()),
            total(|node| node.anchors.len()),
        ];
        let mut bytes = Vec::new();
        for (count, more) in counts.into_iter().zip(self.more) {
            bytes.extend((count as i64 + i64::from(more)).to_le_bytes());
        }
        for node in &self.nodes {
            node.coord.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
            for count in [node.islands.len(), node.portals.len(), node.anchors.len()] {
                bytes.extend((count as u32).to_le_bytes());
            }
            bytes.extend(node.input_hash);
        }
        self.nodes.iter().for_each(|node| bytes.extend_from_slice(bytemuck::cast_slice(&node.islands)));
        self.nodes.iter().for_each(|node| bytes.extend_from_slice(bytemuck::cast_slice(&node.portals)));
        self.nodes.iter().for_each(|node| bytes.extend_from_slice(bytemuck::cast_slice(&node.anchors)));
        bytes
    }

    /// Sorts every list as the format requires.
    pub(crate) fn sort(&mut self) {
        for node in &mut self.nodes {
            node.portals.sort_by_key(|p| (p.side, p.start, p.start_height, p.end, p.end_height, p.polygon));
            node.anchors.sort_by_key(|a| (a.connection, a.island, a.end, a.both_ways, a.reserved));
        }
        self.nodes.sort_by_key(|node| node.coord);
    }
}

/// A level portal of an island.
pub(crate) fn portal(island: u32, side: u8, [start, end]: [i32; 2], height: i32) -> Portal {
    let (start_height, end_height) = (height, height);
    Portal { polygon: island, edge: 0, side, reserved: 0, start, end, start_height, end_height }
}

/// An end of a connection that leads in both directions.
pub(crate) fn anchor(connection: u64, island: u32, end: u8) -> Anchor {
    Anchor { connection, island, end, both_ways: 1, reserved: 0 }
}

/// Four tiles, two of them above each other, with a bit of everything.
pub(crate) fn sound() -> RawGraph {
    let node = |coord: [i32; 3], islands: usize| RawNode {
        coord,
        input_hash: [coord[0] as u8; 16],
        islands: (0..islands as u64).map(|island| 30 - island).collect(),
        portals: (0..islands as u32)
            .flat_map(|island| (0..4).map(move |side| (island, side)))
            .map(|(island, on)| {
                portal(island, on, [256 * island as i32, WIDTH], 700 * (island as i32 + coord[2]))
            })
            .collect(),
        anchors: (0..islands as u32)
            .map(|island| anchor(7 + u64::from(island), island, (island % 2) as u8))
            .collect(),
    };
    let nodes = vec![node([0, 0, 0], 3), node([0, 0, 1], 2), node([1, 0, 0], 4), node([1, 1, 0], 1)];
    let mut graph = RawGraph { nodes, more: [0; 4] };
    graph.sort();
    graph
}

/// Changes a graph that has nodes: one of its numbers, one more portal, one less island, or the counts.
pub(crate) fn spoil_graph(graph: &mut RawGraph, dice: &mut Dice) {
    let index = dice.roll(graph.nodes.len() as u32) as usize;
    let node = &mut graph.nodes[index];
    let pick = |count: usize, dice: &mut Dice| dice.roll(count.max(1) as u32) as usize;
    match dice.roll(8) {
        0 => spoil(bytemuck::cast_slice_mut(&mut node.coord), dice),
        1 => spoil(bytemuck::cast_slice_mut(&mut node.islands), dice),
        2 | 3 => spoil(bytemuck::cast_slice_mut(&mut node.portals), dice),
        4 => {
            let at = pick(node.anchors.len(), dice);
            node.anchors
                .get_mut(at)
                .into_iter()
                .for_each(|anchor| spoil(bytemuck::bytes_of_mut(anchor), dice));
        }
        5 => {
            // A portal that partly overlaps an existing one, at nearly its height.
            let at = pick(node.portals.len(), dice);
            let Some(mut copy) = node.portals.get(at).copied() else { return };
            copy.start = copy.start.wrapping_add(dice.roll(3) * 100);
            copy.start_height = copy.start_height.wrapping_add(dice.roll(2));
            node.portals.push(copy);
        }
        6 => drop(node.islands.pop()),
        _ => graph.more[pick(4, dice)] += dice.roll(3) - 1,
    }
}
