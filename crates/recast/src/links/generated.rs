//! Generated links as tiles and the island graph hold them.

use super::choose::{ChosenLink, choose};
use super::ground::LevelGround;
use super::tile_ground::TileGround;
use crate::input::PreparedLevel;
use navtile::graph::{Anchor, GraphGrid, KeptIslands};
use navtile::{IslandGraph, OffMeshConnection, TileCoord};
use std::collections::{BTreeMap, BTreeSet};

/// A generated link, and the ground at its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedLink {
    /// The link as an off-mesh connection; its number states kind and profile ([`navtile::LinkKind::of_user_id`]).
    pub connection: OffMeshConnection,
    /// Lattice columns and heights of its start and its end, where it was found worth it: x, height, z.
    pub cells: [[i32; 3]; 2],
    /// The places along its edges, in a straight row: one where it leads between points.
    pub run: Vec<RunPlace>,
    /// The tiles that start and end lie in, and the local islands there, as they were before anything was dropped.
    pub ends: [(TileCoord, u32); 2],
}

/// A place along the edges of a generated link, where it was found free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunPlace {
    /// Lattice columns and heights where it starts and ends: x, height, z.
    pub cells: [[i32; 3]; 2],
    /// The tiles that these lie in.
    pub tiles: [TileCoord; 2],
}

/// Finds the links of a level that its profiles ask for, on the ground of all tiles that its bake kept
/// ([`crate::Baked::ground`]). Links lead only between islands of at least `min_cells` cells. The links are the same however the
/// level is cut into tiles, but for the tiles and islands of their ends. Cost: docs/links.md.
pub fn find_links(
    level: &PreparedLevel,
    (graph, grid, min_cells): (&IslandGraph, &GraphGrid, u64),
    ground: Vec<TileGround>,
) -> Vec<GeneratedLink> {
    if level.config.settings.links.is_empty() {
        return Vec::new();
    }
    let size = match grid.tile_cells {
        0 => [level.size[0], level.size[2]],
        cells => [cells; 2],
    };
    // All are of this size, unless they come from bytes of another bake.
    let ground: Vec<TileGround> = ground.into_iter().filter(|tile| tile.size() == size).collect();
    let coords: Vec<TileCoord> = graph.nodes().iter().map(|node| node.coord()).collect();
    let ground = LevelGround::new(ground, &coords, &graph.judge(grid, min_cells, None));
    choose(&ground, level).iter().map(|link| generated(level, &ground, link)).collect()
}

fn generated(level: &PreparedLevel, ground: &LevelGround, link: &ChosenLink) -> GeneratedLink {
    let profile = &level.config.settings.links[usize::from(link.profile)];
    let cells = [link.start, link.end].map(|floor| ground.position(floor));
    let place = |pair: &[u32; 2]| RunPlace {
        cells: pair.map(|floor| ground.position(floor)),
        tiles: pair.map(|floor| ground.local_island(floor).0),
    };
    let run: Vec<RunPlace> = link.run.iter().map(place).collect();
    let [first, middle, last] = [0, (run.len() - 1) / 2, run.len() - 1].map(|at| run[at].cells);
    // The height is that in the middle, where an edge is tied to the ground.
    let end = |end: usize| [first[end][0], middle[end][1], first[end][2]];
    let along = [0, 2].map(|axis| f64::from(last[0][axis] - first[0][axis]) * level.lattice.cell_size);
    let lattice = &level.lattice;
    let world = |cell: [i32; 3]| {
        let middle = [0.5, 0.0, 0.5];
        let size = [lattice.cell_size, lattice.cell_height, lattice.cell_size];
        std::array::from_fn(|axis| lattice.origin[axis] + (f64::from(cell[axis]) + middle[axis]) * size[axis])
    };
    // The mesh's outline is simplified: it may pass a floor at its border by as much, and by half a cell.
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
        ends: [link.start, link.end].map(|floor| ground.local_island(floor)),
    }
}

/// The graph with links as connections between its islands.
pub fn join_links(graph: IslandGraph, links: &[GeneratedLink]) -> IslandGraph {
    if links.is_empty() {
        return graph;
    }
    let mut anchors: BTreeMap<TileCoord, Vec<Anchor>> = BTreeMap::new();
    for link in links {
        let (connection, both_ways) = (link.connection.digest(), u8::from(link.connection.both_ways));
        for (end, (coord, island)) in (0..).zip(link.ends) {
            let anchor = Anchor { connection, island, end, both_ways, reserved: 0 };
            anchors.entry(coord).or_default().push(anchor);
        }
    }
    let joined = |node: navtile::graph::TileNode| {
        let own = anchors.remove(&node.coord()).unwrap_or_default();
        node.with_anchors(own)
    };
    IslandGraph::new(graph.into_nodes().into_iter().map(joined).collect())
}

/// The links of each tile that start in it, of those whose ends both stay.
pub fn kept_links<'a>(
    links: &'a [GeneratedLink],
    graph: &IslandGraph,
    kept: &KeptIslands,
) -> BTreeMap<TileCoord, Vec<&'a GeneratedLink>> {
    let mut of_tile: BTreeMap<TileCoord, Vec<&GeneratedLink>> = BTreeMap::new();
    let stays = |(coord, island)| graph.find(coord).is_some_and(|node| kept.keeps(node, island));
    for link in links.iter().filter(|link| link.ends.into_iter().all(stays)) {
        let tiles: BTreeSet<TileCoord> = link.run.iter().map(|place| place.tiles[0]).collect();
        for tile in tiles {
            of_tile.entry(tile).or_default().push(link);
        }
    }
    of_tile
}
