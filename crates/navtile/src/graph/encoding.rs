//! The graph as bytes: counts, then one flat array after the other, all little-endian.

use super::rules::{self, refuse};
use super::{Anchor, GraphError, IslandGraph, TileNode};
use crate::layout::Portal;
use crate::tile::TileCoord;
use bytemuck::{Pod, Zeroable};

/// The first bytes: the number of elements of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Counts {
    nodes: u64,
    islands: u64,
    portals: u64,
    anchors: u64,
}

/// A node: 40 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Row {
    x: i32,
    z: i32,
    layer: i32,
    islands: u32,
    portals: u32,
    anchors: u32,
    input_hash: [u8; 16],
}

const _: () = {
    assert!(size_of::<Counts>() == 32);
    assert!(size_of::<Row>() == 40);
    assert!(size_of::<Portal>() == 24);
    assert!(size_of::<Anchor>() == 16);
};

impl IslandGraph {
    /// The graph as the bytes stored in a file.
    pub fn encode(&self) -> Vec<u8> {
        let total = |count: fn(&TileNode) -> usize| self.nodes.iter().map(count).sum::<usize>() as u64;
        let counts = Counts {
            nodes: self.nodes.len() as u64,
            islands: total(|node| node.islands.len()),
            portals: total(|node| node.portals.len()),
            anchors: total(|node| node.anchors.len()),
        };
        let mut bytes = bytemuck::bytes_of(&counts).to_vec();
        for node in &self.nodes {
            // Polygons of a tile number less than 2^32, and so do islands and portals.
            let row = Row {
                x: node.coord.x,
                z: node.coord.z,
                layer: node.coord.layer,
                islands: node.islands.len() as u32,
                portals: node.portals.len() as u32,
                anchors: node.anchors.len() as u32,
                input_hash: node.input_hash,
            };
            bytes.extend_from_slice(bytemuck::bytes_of(&row));
        }
        self.nodes.iter().for_each(|node| bytes.extend_from_slice(bytemuck::cast_slice(&node.islands)));
        self.nodes.iter().for_each(|node| bytes.extend_from_slice(bytemuck::cast_slice(&node.portals)));
        self.nodes.iter().for_each(|node| bytes.extend_from_slice(bytemuck::cast_slice(&node.anchors)));
        bytes
    }

    /// The graph from `bytes`, which must be consumed completely, with every rule of docs/format.md checked.
    /// Memory in proportion to them.
    pub fn decode(bytes: &[u8]) -> Result<IslandGraph, GraphError> {
        let length = bytes.len();
        let Some((head, rest)) = bytes.split_at_checked(size_of::<Counts>()) else {
            return refuse("graph-length", None, "at least 32 bytes", format_args!("{length} bytes"));
        };
        let counts: Counts = bytemuck::pod_read_unaligned(head);
        let sizes = [
            (counts.nodes, size_of::<Row>()),
            (counts.islands, size_of::<u64>()),
            (counts.portals, size_of::<Portal>()),
            (counts.anchors, size_of::<Anchor>()),
        ];
        let expected = sizes.iter().map(|(count, size)| u128::from(*count) * *size as u128).sum::<u128>();
        if expected != rest.len() as u128 {
            let expected = format_args!("{expected} bytes after the counts");
            return refuse("graph-length", None, expected, rest.len());
        }
        // All rows are within the bytes, so their size fits.
        let (rows, rest) = rest.split_at(counts.nodes as usize * size_of::<Row>());
        let (islands, rest) = rest.split_at(counts.islands as usize * size_of::<u64>());
        let (portals, anchors) = rest.split_at(counts.portals as usize * size_of::<Portal>());
        let rows: Vec<Row> = values(rows);
        let sums: [u64; 3] = rows.iter().fold([0; 3], |sums, row| {
            let own = [row.islands, row.portals, row.anchors];
            std::array::from_fn(|index| sums[index] + u64::from(own[index]))
        });
        if sums != [counts.islands, counts.portals, counts.anchors] {
            let expected = [counts.islands, counts.portals, counts.anchors];
            let expected = format_args!("nodes with {expected:?} islands, portals and anchors");
            return refuse("graph-counts", None, expected, format_args!("{sums:?}"));
        }
        let coord = |row: &Row| TileCoord { x: row.x, z: row.z, layer: row.layer };
        if let Some([_, second]) = rows.array_windows().find(|[a, b]| coord(a) >= coord(b)) {
            let expected = "nodes sorted by x, z and layer, each once";
            return refuse("graph-order", Some(coord(second)), expected, "one before it that is not smaller");
        }
        let (mut islands, mut portals, mut anchors) =
            (values::<u64>(islands), values::<Portal>(portals), values::<Anchor>(anchors));
        let mut nodes = Vec::with_capacity(rows.len());
        // From the end, so that each node takes the tail of the lists.
        for row in rows.iter().rev() {
            let node = TileNode {
                coord: coord(row),
                input_hash: row.input_hash,
                islands: islands.split_off(islands.len() - row.islands as usize),
                portals: portals.split_off(portals.len() - row.portals as usize),
                anchors: anchors.split_off(anchors.len() - row.anchors as usize),
            };
            nodes.push(node);
        }
        nodes.reverse();
        rules::check(&nodes)?;
        Ok(IslandGraph { nodes })
    }
}

fn values<T: Pod>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}
