//! Targets about verification: plain checkers of all rules must accept and refuse the same inputs.

use super::reader_bound;
use super::tiles::use_graph;
use crate::base;
use crate::brute;
use crate::common::drawn::{everything, jittered, pentagon, row, star, storeys};
use crate::common::graphs::{RawGraph, RawNode, sound, spoil_graph};
use crate::common::parts::Parts;
use crate::common::spoil::{bytes_of, change, mend_bounds};
use crate::judge;
use crate::memory::bounded;
use crate::script::Dice;
use navtile::graph::GraphGrid;
use navtile::limits::POLYGON_LIMIT;
use navtile::{IslandGraph, Tile};
use std::sync::LazyLock;

/// Tiles of more edges take too long to judge.
const ORDINARY: usize = 400;

/// Sound tiles taken apart: drawn, jittered, stars, baked; last one with the most storeys there may be.
fn sound_tiles() -> &'static [Parts] {
    static TILES: LazyLock<Vec<Parts>> = LazyLock::new(|| {
        let mut contents = vec![everything(), storeys(4), row(30), pentagon(), base::drawn(0, 0)];
        for seed in 0..8u8 {
            let mut dice = Dice::new(&[seed]);
            contents.push(jittered(2 + dice.roll(6), &mut dice, u32::from(seed) % 4));
            let reaches: Vec<(i32, i32)> = (0..16).map(|_| (1 + dice.roll(59), dice.roll(900))).collect();
            contents.push(star(&reaches));
        }
        let baked = base::all().iter().flat_map(|base| &base.tiles).map(Parts::of_tile);
        let mut tiles: Vec<Parts> = contents.iter().map(Parts::of).chain(baked).collect();
        tiles.retain(|parts| parts.edges.len() < ORDINARY);
        tiles.push(Parts::of(&storeys(256)));
        tiles
    });
    &TILES
}

/// Changes a sound tile in one respect or a few; in most cases, everything that follows from the change is
/// adjusted. The tile is accepted if the plain checker finds no fault. Otherwise it is refused for a rule
/// that the checker finds broken, in the same words. The runtime's answers about an accepted tile equal those
/// of a search of all polygons.
pub fn tile_rules(data: &[u8]) {
    rule_that_is_broken(data);
}

/// Runs `tile_rules`, and returns the rule that the tile breaks if it breaks exactly one.
pub fn rule_that_is_broken(data: &[u8]) -> Option<&'static str> {
    let mut dice = Dice::new(data);
    let bytes = spoiled(&mut dice);
    let errors = judge::judge(&bytes);
    match Tile::from_bytes(&bytes) {
        Ok(tile) => {
            assert!(errors.is_empty(), "accepted in spite of {errors:?}");
            brute::compare(&tile, dice.roll(1 << 30) as u64);
        }
        Err(error) => assert!(errors.contains(&error), "refused for {error}, not for one of {errors:?}"),
    }
    let [error] = &errors[..] else { return None };
    Some(error.rule)
}

/// The bytes of a changed tile.
fn spoiled(dice: &mut Dice) -> Vec<u8> {
    let tiles = sound_tiles();
    // The tall one is slow.
    let tall = dice.roll(64) == 0;
    let chosen = if tall { tiles.len() - 1 } else { dice.roll(tiles.len() as u32 - 1) as usize };
    let mut parts = tiles[chosen].clone();
    // And a million polygons are slower.
    if dice.roll(1024) == 0 {
        let last = parts.polygons[parts.polygons.len() - 1];
        parts.polygons.resize(POLYGON_LIMIT + dice.roll(2) as usize, last);
        return parts.bytes();
    }
    change(&mut parts, dice);
    if dice.roll(2) == 0 {
        mend_bounds(&mut parts);
    }
    bytes_of(&parts, dice)
}

/// Sound island graphs: one drawn, and those of baked scenes.
fn sound_graphs() -> &'static [RawGraph] {
    static GRAPHS: LazyLock<Vec<RawGraph>> = LazyLock::new(|| {
        let files = base::all().iter().map(|base| navtile::NavFile::open(&base.file).expect("it is sound"));
        let baked = files.filter_map(|file| file.graph()).map(|graph| raw(&graph.expect("it is sound")));
        std::iter::once(sound()).chain(baked).collect()
    });
    &GRAPHS
}

fn raw(graph: &IslandGraph) -> RawGraph {
    let nodes = graph.nodes().iter().map(|node| RawNode {
        coord: [node.coord().x, node.coord().z, node.coord().layer],
        input_hash: node.input_hash(),
        islands: node.islands().to_vec(),
        portals: node.portals().to_vec(),
        anchors: node.anchors().to_vec(),
    });
    RawGraph { nodes: nodes.collect(), more: [0; 4] }
}

/// A sound island graph, changed in a few places and put in order again in half of all cases. It is accepted
/// exactly if a plain checker finds no fault, and otherwise refused for a rule that the checker finds broken
/// at the same tile. An accepted graph is written back unchanged, and joined and judged within bounds.
pub fn graph_mutations(data: &[u8]) {
    let mut dice = Dice::new(data);
    let graphs = sound_graphs();
    let mut graph = graphs[dice.roll(graphs.len() as u32) as usize].clone();
    for _ in 0..=dice.roll(3) {
        spoil_graph(&mut graph, &mut dice);
    }
    if dice.roll(2) == 0 {
        graph.sort();
    }
    let bytes = graph.bytes();
    let faults = judge::graph::judge(&graph);
    match IslandGraph::decode(&bytes) {
        Ok(read) => {
            assert!(faults.is_empty(), "accepted in spite of {faults:?}");
            assert_eq!(read.encode(), bytes);
            for tile_cells in [0, 16] {
                bounded(reader_bound(&bytes, 10), || use_graph(&read, &GraphGrid { tile_cells, climb: 512 }));
            }
        }
        Err(error) => {
            let coord = error.tile.map(|coord| [coord.x, coord.z, coord.layer]);
            let known = faults.contains(&(error.rule, coord));
            assert!(known, "refused for {error}, not for one of {faults:?}");
        }
    }
}
