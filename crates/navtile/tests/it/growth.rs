//! Joining and judging island graphs takes work and memory in proportion to their bytes, for any content:
//! each family is twice as long the second time. Allocated bytes are counted, not time.

use crate::allocations::allocations_of;
use crate::common::graphs::{RawGraph, RawNode};
use navtile::IslandGraph;
use navtile::graph::{Anchor, GraphGrid};
use navtile::layout::{Portal, side};

/// Allocated bytes for each byte of a graph, over all lists that are made from it one after another; growing
/// lists count again at each size.
const MOST: usize = 24;

fn node(x: i32, layer: i32) -> RawNode {
    let (portals, anchors) = (Vec::new(), Vec::new());
    RawNode { coord: [x, 0, layer], input_hash: [0; 16], islands: vec![9], portals, anchors }
}

fn portal(side: u8, at: usize, height: usize) -> Portal {
    let (start, height) = (64 * at as i32, 100 * height as i32);
    Portal {
        polygon: 0,
        edge: 0,
        side,
        reserved: 0,
        start,
        end: start + 64,
        start_height: height,
        end_height: height,
    }
}

/// Reads graphs of a family, joins and judges them.
fn grows_with_its_bytes(family: impl Fn(usize) -> Vec<RawNode>) {
    for count in [4_000, 8_000] {
        let mut graph = RawGraph { nodes: family(count), more: [0; 4] };
        graph.sort();
        let bytes = graph.bytes();
        let (kept, _, taken) = allocations_of(|| {
            let read = IslandGraph::decode(&bytes).unwrap();
            read.judge(&GraphGrid { tile_cells: 16, climb: 1 << 30 }, 1, Some(&[(0, 0)]))
        });
        assert!(kept.keeps_any(0));
        assert!(taken <= MOST * bytes.len(), "{taken} bytes for a graph of {} of {count}", bytes.len());
    }
}

#[test]
fn connections_of_many_starts_and_ends() {
    grows_with_its_bytes(|count| {
        let mut start = node(0, 0);
        for index in 0..count {
            let end = (index % 2) as u8;
            start.anchors.push(Anchor { connection: 7, island: 0, end, both_ways: 1, reserved: 0 });
        }
        vec![start]
    });
}

#[test]
fn connections_between_many_islands() {
    grows_with_its_bytes(|count| {
        let end = |index: usize| {
            let anchor =
                Anchor { connection: 7, island: 0, end: (index % 2) as u8, both_ways: 1, reserved: 0 };
            RawNode { anchors: vec![anchor; 3], ..node(2 * index as i32, 0) }
        };
        (0..count).map(end).collect()
    });
}

#[test]
fn seams_of_the_most_storeys_there_may_be() {
    grows_with_its_bytes(|count| {
        let side_of = |x: i32, on: u8| {
            let portals = (0..count / 2).map(|index| portal(on, index / 256, index % 256)).collect();
            RawNode { portals, ..node(x, 0) }
        };
        vec![side_of(0, side::X_MAX), side_of(1, side::X_MIN)]
    });
}

#[test]
fn many_layers() {
    grows_with_its_bytes(|count| (0..count).map(|index| node((index % 2) as i32, index as i32)).collect());
}
