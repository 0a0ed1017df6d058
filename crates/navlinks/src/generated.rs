//! Generated links in the form that tiles and the island graph store.

use crate::choose::ChosenLink;
use crate::ground::LevelGround;
use crate::link::{GeneratedLink, RunPlace};
use navtile::graph::{Anchor, SurvivingIslands};
use navtile::{IslandGraph, OffMeshConnection, TileCoord};
use recast::PreparedLevel;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn generated(level: &PreparedLevel, ground: &LevelGround, link: &ChosenLink) -> GeneratedLink {
    let profile = &level.config.settings.links[usize::from(link.profile)];
    let cells = [link.start, link.end].map(|floor| ground.position(floor));
    let place = |pair: &[u32; 2]| {
        let [(start_tile, start), (end_tile, end)] = pair.map(|floor| ground.local_island(floor));
        let cells = pair.map(|floor| ground.position(floor));
        RunPlace { cells, tiles: [start_tile, end_tile], islands: [start, end] }
    };
    let run: Vec<RunPlace> = link.run.iter().map(place).collect();
    let [first, middle, last] = [0, (run.len() - 1) / 2, run.len() - 1].map(|at| run[at].cells);
    // The height is that of the middle, where an edge is tied to the ground.
    let end = |end: usize| [first[end][0], middle[end][1], first[end][2]];
    let along = [0, 2].map(|axis| f64::from(last[0][axis] - first[0][axis]) * level.lattice.cell_size);
    let lattice = &level.lattice;
    let world = |cell: [i32; 3]| {
        let middle = [0.5, 0.0, 0.5];
        let size = [lattice.cell_size, lattice.cell_height, lattice.cell_size];
        std::array::from_fn(|axis| lattice.origin[axis] + (f64::from(cell[axis]) + middle[axis]) * size[axis])
    };
    // The mesh's outline is simplified: it may miss a floor at its border by the simplification's error and
    // half a cell.
    let radius = (level.config.contour_max_error.ceil() + 1.0).clamp(2.0, 16.0);
    GeneratedLink {
        connection: OffMeshConnection {
            start: world(end(0)),
            end: world(end(1)),
            radius: f64::from(radius) * lattice.cell_size,
            both_ways: link.both_ways,
            area: profile.area,
            flags: Some(profile.flags.unwrap_or_else(|| level.config.settings.area_flags(profile.area))),
            user_id: profile.kind.user_id(link.profile),
            along,
        },
        cells,
        run,
    }
}

/// Adds links to the graph, as connections between its islands.
pub fn join_links(graph: IslandGraph, links: &[GeneratedLink]) -> IslandGraph {
    join_links_in(graph, links, |_| true)
}

/// Like [`join_links`], but only at the nodes of some tiles.
pub(super) fn join_links_in(
    graph: IslandGraph,
    links: &[GeneratedLink],
    joins: impl Fn(TileCoord) -> bool,
) -> IslandGraph {
    if links.is_empty() {
        return graph;
    }
    let mut anchors: BTreeMap<TileCoord, Vec<Anchor>> = BTreeMap::new();
    for (coord, anchor) in links.iter().flat_map(GeneratedLink::anchors).filter(|(coord, _)| joins(*coord)) {
        anchors.entry(coord).or_default().push(anchor);
    }
    let joined = |node: navtile::graph::TileNode| {
        let own = anchors.remove(&node.coord()).unwrap_or_default();
        node.with_anchors(own)
    };
    IslandGraph::new(graph.into_nodes().into_iter().map(joined).collect())
}

/// The links that start in each tile, if the islands at both ends are kept.
pub fn kept_links<'a>(
    links: &'a [GeneratedLink],
    graph: &IslandGraph,
    kept: &SurvivingIslands,
) -> BTreeMap<TileCoord, Vec<&'a GeneratedLink>> {
    links_of_tiles(links, |coord, island| graph.find(coord).is_some_and(|node| kept.keeps(node, island)))
}

/// Like [`kept_links`]; `stays` returns true for an island of a tile that is kept.
pub fn links_of_tiles(
    links: &[GeneratedLink],
    stays: impl Fn(TileCoord, u32) -> bool,
) -> BTreeMap<TileCoord, Vec<&GeneratedLink>> {
    let mut of_tile: BTreeMap<TileCoord, Vec<&GeneratedLink>> = BTreeMap::new();
    let both_stay = |place: &RunPlace| {
        place.tiles.into_iter().zip(place.islands).all(|(coord, island)| stays(coord, island))
    };
    for link in links.iter().filter(|link| link.own().is_some_and(both_stay)) {
        let tiles: BTreeSet<TileCoord> = link.run.iter().map(|place| place.tiles[0]).collect();
        for tile in tiles {
            of_tile.entry(tile).or_default().push(link);
        }
    }
    of_tile
}
