//! Graphs of made-up tiles: joining over seams, judging, and a round trip through bytes.

use super::*;
use crate::layout::Portal;
use proptest::prelude::*;

const CELLS: u32 = 16;
const SIDE: i32 = CELLS as i32 * FIXED_ONE;

fn grid() -> GraphGrid {
    GraphGrid { tile_cells: CELLS, climb: 4 * i64::from(FIXED_ONE) }
}

fn portal(island: u32, side: u8, height: i32) -> Portal {
    Portal {
        polygon: island,
        edge: 0,
        side,
        reserved: 0,
        start: 0,
        end: SIDE,
        start_height: height,
        end_height: height,
    }
}

/// A tile whose islands reach the given sides.
fn node(x: i32, z: i32, cells: &[u64], sides: &[(u32, u8)]) -> TileNode {
    let mut portals: Vec<Portal> =
        sides.iter().map(|&(island, side)| portal(island, side, island as i32 * 5000)).collect();
    portals.sort_by_key(node::key);
    TileNode {
        coord: TileCoord { x, z, layer: 0 },
        input_hash: [7; 16],
        islands: cells.to_vec(),
        portals,
        anchors: Vec::new(),
    }
}

fn anchored(mut node: TileNode, anchors: &[(u64, u32, u8, u8)]) -> TileNode {
    node.anchors = anchors
        .iter()
        .map(|&(connection, island, end, both_ways)| Anchor {
            connection,
            island,
            end,
            both_ways,
            reserved: 0,
        })
        .collect();
    node.anchors.sort_unstable();
    node
}

#[test]
fn islands_count_over_tiles() {
    // Two storeys that continue to the right; the upper one ends there.
    let graph = IslandGraph::new(vec![
        node(1, 0, &[30, 4], &[(0, side::X_MIN), (1, side::X_MIN)]),
        node(0, 0, &[20, 3, 6], &[(0, side::X_MAX), (1, side::X_MAX)]),
    ]);
    let islands = graph.islands(&grid());
    assert_eq!(islands.cells, [50, 7, 6]);
    assert_eq!(islands.island_of, [vec![0, 1, 2], vec![0, 1]]);
    let kept = graph.judge(&grid(), 7, None);
    assert_eq!(kept.keep, [true, true, false]);
    assert!(kept.keeps(0, 1) && !kept.keeps(0, 2) && kept.keeps_any(0));
    assert_ne!(kept.prune_hash(0), [0; 8]);
    assert_eq!(kept.prune_hash(1), [0; 8]);
}

#[test]
fn islands_go_on_in_the_lowest_and_the_highest_layer() {
    for layer in [i32::MIN, i32::MAX] {
        let nodes = [node(0, 0, &[5], &[(0, side::X_MAX)]), node(1, 0, &[6], &[(0, side::X_MIN)])];
        let nodes = nodes.map(|node| TileNode { coord: TileCoord { layer, ..node.coord }, ..node });
        assert_eq!(IslandGraph::new(nodes.into()).islands(&grid()).cells, [11], "layer {layer}");
    }
}

#[test]
fn the_hash_of_what_is_dropped_is_odd_so_that_it_is_not_that_of_nothing() {
    let hashes: Vec<[u8; 8]> = (1..9).map(|kept| prune_hash((0..9).map(|island| island < kept))).collect();
    assert!(hashes.iter().all(|hash| hash[0] & 1 == 1), "{hashes:?}");
    assert!(hashes.iter().any(|hash| hash[0] > 1), "{hashes:?}");
    assert_eq!(prune_hash([true; 9].into_iter()), [0; 8]);
}

#[test]
fn a_node_says_what_it_holds() {
    let node = anchored(node(3, -2, &[5], &[(0, side::X_MIN)]), &[(9, 0, 1, 0)]);
    assert_eq!(node.coord(), TileCoord { x: 3, z: -2, layer: 0 });
    assert_eq!((node.input_hash(), node.islands()), ([7; 16], &[5][..]));
    assert_eq!(node.portals(), [portal(0, side::X_MIN, 0)]);
    assert_eq!(node.anchors().iter().map(|anchor| anchor.connection).collect::<Vec<_>>(), [9]);
}

#[test]
fn tiles_apart_or_beyond_the_climb_are_not_joined() {
    let apart =
        IslandGraph::new(vec![node(0, 0, &[5], &[(0, side::X_MAX)]), node(2, 0, &[5], &[(0, side::X_MIN)])]);
    assert_eq!(apart.islands(&grid()).cells, [5, 5]);
    let mut above = node(1, 0, &[5], &[(0, side::X_MIN)]);
    above.portals[0] = portal(0, side::X_MIN, 4 * FIXED_ONE + 1);
    let graph = IslandGraph::new(vec![node(0, 0, &[5], &[(0, side::X_MAX)]), above.clone()]);
    assert_eq!(graph.islands(&grid()).cells, [5, 5]);
    above.portals[0] = portal(0, side::X_MIN, 4 * FIXED_ONE);
    let graph = IslandGraph::new(vec![node(0, 0, &[5], &[(0, side::X_MAX)]), above]);
    assert_eq!(graph.islands(&grid()).cells, [10]);
}

#[test]
fn tiles_without_a_size_are_not_joined() {
    let nodes = vec![node(0, 0, &[5], &[(0, side::X_MAX)]), node(1, 0, &[6], &[(0, side::X_MIN)])];
    let grid = GraphGrid { tile_cells: 0, ..grid() };
    assert_eq!(IslandGraph::new(nodes).islands(&grid).cells, [6, 5]);
}

#[test]
fn nothing_stays_of_a_node_whose_islands_are_all_too_small() {
    let graph = IslandGraph::new(vec![node(0, 0, &[5, 9], &[]), node(5, 0, &[6], &[])]);
    let kept = graph.judge(&grid(), 8, None);
    assert_eq!([0, 1, 2].map(|node| kept.keeps_any(node)), [true, false, false]);
}

#[test]
fn connections_lead_one_way_or_both() {
    let graph = |both_ways| {
        IslandGraph::new(vec![
            anchored(node(0, 0, &[9, 8], &[]), &[(1, 0, 0, both_ways), (2, 1, 0, 0)]),
            anchored(node(5, 5, &[7, 2], &[]), &[(1, 0, 1, both_ways), (2, 1, 1, 0)]),
        ])
    };
    let kept = |both_ways, seed| {
        let graph = graph(both_ways);
        let kept = graph.judge(&grid(), 3, Some(&[seed]));
        [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(node, local)| kept.keeps(node, local))
    };
    assert_eq!(kept(0, (0, 0)), [true, false, true, false]);
    assert_eq!(kept(0, (1, 0)), [false, false, true, false], "one way");
    assert_eq!(kept(1, (1, 0)), [true, false, true, false]);
    assert_eq!(kept(1, (0, 1)), [false, true, false, false], "what is too small is not reached either");
}

#[test]
fn of_two_nodes_at_a_coordinate_the_later_counts() {
    let graph = IslandGraph::new(vec![node(0, 0, &[1], &[]), node(1, 0, &[2], &[]), node(0, 0, &[3], &[])]);
    assert_eq!(graph.nodes().iter().map(|node| node.islands[0]).collect::<Vec<_>>(), [3, 2]);
}

proptest! {
    #[test]
    fn graphs_survive_bytes_and_bytes_never_panic(
        tiles in prop::collection::vec((-3..3i32, -3..3i32, prop::collection::vec(0..99u64, 0..4)), 0..8),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let nodes = tiles.iter().map(|(x, z, cells)| {
            let count = cells.len() as u32;
            let sides: Vec<(u32, u8)> = (0..count).map(|island| (island, (island % 4) as u8)).collect();
            let node = node(*x, *z, cells, &sides);
            if count > 0 { anchored(node, &[(9, count - 1, 1, 1)]) } else { node }
        });
        let graph = IslandGraph::new(nodes.collect());
        let bytes = graph.encode();
        prop_assert_eq!(&IslandGraph::decode(&bytes).unwrap(), &graph);
        let mut changed = bytes.clone();
        for (at, value) in edits {
            let at = at.index(changed.len());
            changed[at] = value;
        }
        if let Ok(graph) = IslandGraph::decode(&changed) {
            let islands = graph.islands(&grid());
            prop_assert_eq!(islands.island_of.len(), graph.nodes().len());
        }
        let end = cut.index(bytes.len());
        prop_assert!(IslandGraph::decode(&bytes[..end]).is_err());
    }
}
