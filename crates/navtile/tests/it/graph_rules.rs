//! Island graphs are accepted if a plain checker finds nothing, and refused for a rule that it finds broken.

use crate::common::graphs::{RawGraph, RawNode, anchor, portal, sound, spoil_graph};
use crate::common::{Dice, SIZE, WIDTH, square, tile};
use crate::file_support::{at, rule};

use crate::judge::graph::{judge, may_be_of};
use navtile::content::Beyond;
use navtile::graph::{Anchor, GRAPH_RULES, GraphError, GraphGrid, TileNode, local_islands, prune_hash};
use navtile::layout::{COORD_LIMIT, Portal, side};
use navtile::limits::POLYGON_LIMIT;
use navtile::{FileWriter, IslandGraph, Tile, TileContent, TileCoord};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

fn decoded(graph: &RawGraph) -> Result<IslandGraph, GraphError> {
    IslandGraph::decode(&graph.bytes())
}

fn coord_of(error: &GraphError) -> Option<[i32; 3]> {
    error.tile.map(|TileCoord { x, z, layer }| [x, z, layer])
}

/// Storeys that share a side: more than are allowed above each other.
fn storeys(island: u32) -> impl Iterator<Item = Portal> {
    (0..=256).map(move |storey| portal(island, side::X_MAX, [0, 9], storey))
}

/// Changes that break a rule, with its name.
fn broken() -> Vec<(&'static str, RawGraph)> {
    let with = |change: &dyn Fn(&mut RawGraph)| {
        let mut graph = sound();
        change(&mut graph);
        graph
    };
    let first = |change: &dyn Fn(&mut Portal)| with(&|graph| change(&mut graph.nodes[0].portals[0]));
    vec![
        ("graph-length", with(&|graph| graph.more = [0, 1, 0, 0])),
        ("graph-counts", with(&|graph| graph.more = [0, -3, 1, 0])),
        ("graph-order", with(&|graph| graph.nodes.swap(0, 1))),
        ("graph-order", with(&|graph| graph.nodes[1].coord = [0, 0, 0])),
        ("graph-islands", with(&|graph| graph.nodes[0].islands[1] = 1 << 32)),
        ("graph-islands", with(&|graph| graph.nodes[0].islands.resize((1 << 20) + 1, 1))),
        ("graph-portal-island", first(&|portal| portal.polygon = 3)),
        ("graph-portal-side", first(&|portal| portal.side = 4)),
        ("graph-portal-range", first(&|portal| portal.end = portal.start)),
        ("graph-portal-range", first(&|portal| portal.end = COORD_LIMIT + 1)),
        ("graph-portal-range", first(&|portal| portal.start = -COORD_LIMIT - 1)),
        ("graph-portal-range", first(&|portal| portal.start_height = i32::MIN)),
        ("graph-portal-range", first(&|portal| portal.end_height = i32::MAX)),
        ("graph-portal-reserved", first(&|portal| portal.edge = 1)),
        ("graph-portal-reserved", first(&|portal| portal.reserved = 1)),
        ("graph-portal-order", with(&|graph| graph.nodes[0].portals.swap(0, 1))),
        (
            "graph-portal-overlap",
            with(&|graph| {
                let last = *graph.nodes[0].portals.last().unwrap();
                graph.nodes[0].portals.push(Portal { start: last.start + 1, ..last });
            }),
        ),
        ("graph-portal-stack", with(&|graph| graph.nodes[0].portals = storeys(0).collect())),
        (
            "graph-portal-stack",
            with(&|graph| {
                let mut storeys = storeys(0);
                graph.nodes[0].portals = storeys.by_ref().take(200).collect();
                graph.nodes[1].portals = storeys.collect();
            }),
        ),
        ("graph-anchor", with(&|graph| graph.nodes[0].anchors[0].island = 3)),
        ("graph-anchor", with(&|graph| graph.nodes[0].anchors[0].end = 2)),
        ("graph-anchor", with(&|graph| graph.nodes[0].anchors[0].both_ways = 2)),
        ("graph-anchor", with(&|graph| graph.nodes[0].anchors[0].reserved = 1)),
        ("graph-anchor-order", with(&|graph| graph.nodes[0].anchors.swap(0, 1))),
        ("graph-connection", with(&|graph| graph.nodes[2].anchors[1].both_ways = 0)),
    ]
}

/// A tile of islands: squares apart from each other, some at the border.
fn squares(places: &[(i32, i32)]) -> Tile {
    at(squares_content(places), 0, 0)
}

fn squares_content(places: &[(i32, i32)]) -> TileContent {
    let polygons: Vec<_> = places.iter().map(|&(x, z)| square(x, z, WIDTH / 8, move |_, _| 10 * x)).collect();
    tile(&polygons)
}

fn graph_of(tile: &Tile, islands: usize) -> IslandGraph {
    IslandGraph::new(vec![TileNode::new(tile, [5; 16], vec![9; islands], Vec::new())])
}

/// Tiles that a graph does not describe, with the rule.
fn disagreements() -> Vec<(&'static str, GraphError)> {
    let all = [(0, 1), (7, 2), (3, 0), (4, 4)];
    let whole = squares(&all);
    let graph = graph_of(&whole, 4);
    graph.check_tile(&whole, [5; 16], [0; 8]).unwrap();
    let other = squares(&[(0, 2), (7, 2), (3, 0), (4, 4)]);
    let fewer = squares(&all[..3]);
    let moved = at(squares_content(&all), 1, 0);
    let joined = at(squares_content(&[(0, 1), (7, 2), (3, 0), (4, 4), (4, 5)]), 0, 0);
    joined_is_sound(&graph, &joined);
    let dropped = |islands: [bool; 4]| prune_hash(islands.into_iter());
    let numbers = local_islands(&whole);
    assert_eq!(numbers, [0, 1, 2, 3]);
    vec![
        ("graph-tile", graph.check_tile(&moved, [5; 16], [0; 8])),
        ("graph-tile-input", graph.check_tile(&whole, [6; 16], [0; 8])),
        ("graph-tile-islands", graph.check_tile(&fewer, [5; 16], [0; 8])),
        (
            "graph-tile-islands",
            graph_of(&fewer, 3).check_tile(&whole, [5; 16], dropped([false, true, true, true])),
        ),
        ("graph-tile-portals", graph.check_tile(&other, [5; 16], [0; 8])),
        (
            "graph-tile-portals",
            graph.check_tile(&squares(&[(0, 2)]), [5; 16], dropped([false, true, false, false])),
        ),
        ("graph-tile-pruned", graph.check_tile(&whole, [5; 16], dropped([true, true, true, false]))),
    ]
    .into_iter()
    .map(|(rule, checked)| (rule, checked.expect_err(rule)))
    .collect()
}

/// The graph does not notice another shape of an island without portals, because it does not store it.
fn joined_is_sound(graph: &IslandGraph, tile: &Tile) {
    graph.check_tile(tile, [5; 16], [0; 8]).unwrap();
}

#[test]
fn each_rule_of_a_graph_refuses_what_breaks_it() {
    decoded(&sound()).unwrap();
    let cases = broken();
    for (index, (rule, graph)) in cases.iter().enumerate() {
        let error = decoded(graph).expect_err(rule);
        assert_eq!(error.rule, *rule, "case {index}: {error}");
        assert!(!error.expected.is_empty() && !error.found.is_empty());
        let place =
            error.tile.map(|tile| format!("{rule} at tile ({}, {}, {}): ", tile.x, tile.z, tile.layer));
        assert!(error.to_string().contains(&place.unwrap_or_else(|| format!("{rule}: "))), "{error}");
    }
    let short = IslandGraph::decode(&sound().bytes()[..31]).unwrap_err();
    assert_eq!(short.rule, "graph-length");
    let between = disagreements();
    for (index, (rule, error)) in between.iter().enumerate() {
        assert_eq!(error.rule, *rule, "case {index}: {error}");
    }
    let tested: BTreeSet<&str> =
        cases.iter().map(|case| case.0).chain(between.iter().map(|case| case.0)).collect();
    assert_eq!(tested, BTreeSet::from(GRAPH_RULES));
}

#[test]
fn a_node_at_the_limits_is_accepted() {
    let islands = vec![u32::MAX.into(); POLYGON_LIMIT];
    let node = RawNode { coord: [0; 3], input_hash: [0; 16], islands, portals: vec![], anchors: vec![] };
    decoded(&RawGraph { nodes: vec![node], more: [0; 4] }).unwrap();
}

#[test]
fn islands_that_may_stay_are_counted() {
    // One island of the node is in the tile, one was dropped, and one may be either.
    let tile = squares(&[(0, 1), (4, 4), (4, 6)]);
    let graph = graph_of(&squares(&[(0, 1), (7, 2), (4, 4)]), 3);
    let dropped = prune_hash([true, false, true].into_iter());
    let error = graph.check_tile(&tile, [5; 16], dropped).unwrap_err();
    assert_eq!((error.rule, &*error.found), ("graph-tile-islands", "2"), "{error}");
    let two = graph_of(&squares(&[(0, 1), (4, 4), (2, 2), (7, 2)]), 4);
    let tile = squares(&[(0, 1), (4, 4), (4, 6), (2, 6)]);
    let dropped = prune_hash([true, true, true, false].into_iter());
    let error = two.check_tile(&tile, [5; 16], dropped).unwrap_err();
    assert_eq!((error.rule, &*error.found), ("graph-tile-islands", "3"), "{error}");
}

#[test]
fn an_island_has_all_its_portals_or_none() {
    // A square in the corner, on two sides of the tile.
    let graph = graph_of(&squares(&[(0, 0), (4, 4)]), 2);
    let mut content = squares_content(&[(0, 0), (4, 4)]);
    let edges = &mut content.polygons[0].edges;
    let at_z = edges.iter_mut().find(|edge| edge.beyond == Beyond::Portal(side::Z_MIN)).unwrap();
    at_z.beyond = Beyond::Wall;
    let dropped = prune_hash([false, true].into_iter());
    let error = graph.check_tile(&at(content, 0, 0), [5; 16], dropped).unwrap_err();
    assert_eq!(error.rule, "graph-tile-portals", "{error}");
}

#[test]
fn a_file_is_not_written_with_a_graph_that_would_be_refused() {
    let tile = squares(&[(0, 1), (7, 2)]);
    let ends = [Anchor { both_ways: 0, ..anchor(7, 0, 0) }, anchor(7, 1, 1)];
    let graph = IslandGraph::new(vec![TileNode::new(&tile, [5; 16], vec![9; 2], ends.to_vec())]);
    let writer = FileWriter::new(Cursor::new(Vec::new()), &crate::file_support::meta(), 0).unwrap();
    match writer.finish(Some(&graph)) {
        Err(navtile::WriteFileError::File(error)) => assert_eq!(rule(error), "graph-connection"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was written"),
    }
}

#[test]
fn layers_meet_all_layers_beyond() {
    let node = |coord: [i32; 3], portals: Vec<Portal>| {
        let islands = vec![1; portals.len()];
        RawNode { coord, input_hash: [0; 16], islands, portals, anchors: Vec::new() }
    };
    // Of two layers, the second has the portals that start first, and more of them than are compared one by
    // one.
    let place = |at: i32| [100 * at, 100 * at + 100];
    let some = |on: u8, layer: i32| -> Vec<Portal> {
        (0..12).map(|at| portal(at as u32, on, place(2 * at + 1 - layer), 0)).collect()
    };
    let both: Vec<Portal> = (0..24).map(|at| portal(at as u32, side::X_MIN, place(at), 0)).collect();
    let islands = |beyond: Vec<Portal>| {
        let layers = (0..2).map(|layer| node([0, 0, layer], some(side::X_MAX, layer)));
        let graph = RawGraph { nodes: layers.chain([node([1, 0, 0], beyond)]).collect(), more: [0; 4] };
        decoded(&graph).unwrap().islands(&GraphGrid { tile_cells: SIZE as u32, climb: 512 }).cells
    };
    assert_eq!(islands(both), [2; 24]);
    // Each between two of them, so that none has an equal partner.
    let between = |at: i32| portal(at as u32, side::X_MIN, [100 * at + 50, 100 * at + 150], 0);
    assert_eq!(islands((0..23).map(between).collect()), [47]);
}

/// The rule that the reader reports, if the judge also finds it broken at the same tile; `sound` if there is
/// no fault.
fn verdict(graph: &RawGraph) -> &'static str {
    let faults = judge(graph);
    match decoded(graph) {
        Ok(read) => {
            assert!(faults.is_empty(), "accepted in spite of {faults:?}");
            assert_eq!(read.encode(), graph.bytes());
            let grid = GraphGrid { tile_cells: SIZE as u32, climb: 512 };
            let kept = read.judge(&grid, 20, Some(&[(0, 0), (9, 9)]));
            assert_eq!(kept.islands.island_of.len(), graph.nodes.len());
            "sound"
        }
        Err(error) => {
            let same = |fault: &(&str, _)| fault.0 == error.rule && fault.1 == coord_of(&error);
            assert!(faults.iter().any(same), "refused for {error}, not for one of {faults:?}");
            error.rule
        }
    }
}

#[test]
fn the_reader_and_the_judge_of_graphs_agree() {
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..6000 {
        let mut dice = Dice(seed);
        let mut graph = sound();
        for _ in 0..=dice.roll(2) {
            spoil_graph(&mut graph, &mut dice);
        }
        if dice.roll(2) == 0 {
            graph.sort();
        }
        *verdicts.entry(verdict(&graph)).or_default() += 1;
    }
    assert!(verdicts["sound"] > 300 && verdicts.len() >= 13, "{verdicts:?}");
}

#[test]
fn tiles_and_graphs_agree_as_the_judge_says() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..4000 {
        let mut dice = Dice(seed);
        // Squares two apart, so that none touch.
        let mut places: Vec<(i32, i32)> = (0..16).map(|at| (at % 4 * 2 + at / 8, at / 4 * 2)).collect();
        let count = 1 + dice.roll(5) as usize;
        let picked: Vec<(i32, i32)> =
            (0..count).map(|_| places.remove(dice.roll(places.len() as u32) as usize)).collect();
        let whole = squares(&picked);
        let mut keep: Vec<bool> = (0..count).map(|_| dice.roll(3) > 0).collect();
        keep[0] = true;
        let hash = prune_hash(keep.iter().copied());
        let left = TileContent::from_tile(&whole).retaining(&keep);
        let left = Tile::from_bytes(&left.write().unwrap().0).unwrap();
        let graph = graph_of(&whole, count);
        // In part of the cases, one of the two does not match the other.
        let (left, stated) = match dice.roll(6) {
            0 => (squares(&places[..count]), hash),
            1 => (squares(&picked[..1]), hash),
            2 => (left, prune_hash([true, false, true].into_iter().take(count))),
            _ => (left, hash),
        };
        let node = TileNode::new(&left, [5; 16], Vec::new(), Vec::new());
        let expected = may_be_of(&graph.nodes()[0], &node, stated);
        let checked = graph.check_tile(&left, [5; 16], stated);
        assert_eq!(checked.is_ok(), expected, "seed {seed}: {checked:?}");
        *(if expected { &mut accepted } else { &mut refused }) += 1;
    }
    assert!(accepted > 1000 && refused > 500, "{accepted} {refused}");
}
