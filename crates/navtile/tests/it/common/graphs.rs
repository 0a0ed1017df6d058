//! Island graphs as the numbers that docs/format.md describes, to spoil and to write without any rule in the way.

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
    /// Numbers of nodes, islands, portals and anchors that the first bytes state, less those there are.
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

    /// Sorts every list as the format asks for.
    pub(crate) fn sort(&mut self) {
        for node in &mut self.nodes {
            node.portals.sort_by_key(|p| (p.side, p.start, p.start_height, p.end, p.end_height, p.polygon));
            node.anchors.sort_by_key(|a| (a.connection, a.island, a.end, a.both_ways, a.reserved));
        }
        self.nodes.sort_by_key(|node| node.coord);
    }
}
