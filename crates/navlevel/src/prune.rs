//! Drops islands that are too small or cannot be reached. Islands reach across tiles, so no tile by itself
//! knows the size of an island that leaves it, or where the island leads. Units: cells. Cost: that of joining
//! islands over seams, and of writing the tiles that lose polygons again.

use navlinks::{LinkIslands, end_tiles, find_links, join_links, kept_links, with_links};
use navmath::FIXED_ONE;
use navmath::sort::SharedSort;
use navtile::graph::{Anchor, GraphGrid, TileNode, local_islands};
use navtile::off_mesh::{snap, snap_within};
use navtile::{Built, IslandGraph, OffMeshConnection, Tile, TileContent, TileCoord, TileWriter};
use rayon::prelude::*;
use recast::Baked;
use recast::Error;
use recast::PreparedLevel;
use recast::TileGround;
use std::collections::{BTreeMap, BTreeSet};

/// A tile's part of the island graph, before anything is dropped from it. `input_hash` is
/// [`crate::Tiling::input_hash`], or zeros if it is not needed.
pub fn graph_node(level: &PreparedLevel, baked: &Baked, input_hash: [u8; 16]) -> TileNode {
    let connections = &level.config.settings.off_mesh_connections;
    let anchors = connections.iter().flat_map(|connection| anchors(level, &baked.tile, connection)).collect();
    TileNode::new(&baked.tile, input_hash, baked.island_cells.clone(), anchors)
}

/// The grid of the graph of a level's tiles; 0 tile cells for a solo bake.
pub fn graph_grid(level: &PreparedLevel, tile_cells: u32) -> GraphGrid {
    GraphGrid::new(tile_cells, level.config.settings.agent_climb, level.lattice.cell_height)
}

/// Cells of the smallest island that is kept in a level in tiles of `tile_cells` cells. It is 0 for a level
/// in one tile, whose small regions were already dropped.
pub fn min_island_cells(level: &PreparedLevel, tile_cells: u32) -> u64 {
    if tile_cells == 0 { 0 } else { u64::from(level.config.region_min_cells) }
}

/// The polygons of a tile under the ends of a connection, if the ends are in the tile. The `island` of the
/// anchors holds the polygon.
fn anchors(level: &PreparedLevel, tile: &Tile, connection: &OffMeshConnection) -> Vec<Anchor> {
    let radius = connection.fixed_radius(&level.lattice);
    let end = |(end, place): (u8, [f64; 3])| {
        let fixed = fixed_within(level, tile, place)?;
        let polygon = snap(tile, fixed, radius)?.polygon;
        let both_ways = u8::from(connection.both_ways);
        Some(Anchor { connection: connection.digest(), island: polygon, end, both_ways, reserved: 0 })
    };
    // An edge is tied to the ground under its middle.
    let [along_x, along_z] = connection.along.map(|metres| metres / 2.0);
    let middle = |[x, y, z]: [f64; 3]| [x + along_x, y, z + along_z];
    [(0, middle(connection.start)), (1, middle(connection.end))].into_iter().filter_map(end).collect()
}

/// A place in 1/256 cells from the lattice's zero, if it is over a tile.
fn fixed_within(level: &PreparedLevel, tile: &Tile, place: [f64; 3]) -> Option<[i64; 3]> {
    let header = tile.header();
    let local = level.lattice.world_to_fixed(place, header.base_cell)?;
    let inside =
        |value: i32, cells: u32| (0..i64::from(cells) * i64::from(FIXED_ONE)).contains(&i64::from(value));
    let over = inside(local[0], header.width) && inside(local[2], header.depth);
    over.then(|| navtile::off_mesh::global(tile, local))
}

/// Largest distance between the seed place and the ground there, across and in height, metres. Everything
/// kept must be reachable from that ground.
pub const SEED_REACH: [f64; 2] = [2.0, 4.0];

/// Returns true if a tile is within [`SEED_REACH`] of a place. The level has tiles of `tile_cells` cells; 0
/// for one tile.
pub fn is_near_seed(level: &PreparedLevel, tile_cells: u32, place: [f64; 3], coord: TileCoord) -> bool {
    let side = f64::from(tile_cells) * level.lattice.cell_size;
    let is_near = |axis: usize, tile: i32| {
        let at = |metres: f64| ((metres - level.lattice.origin[axis]) / side).floor() as i64;
        (at(place[axis] - SEED_REACH[0])..=at(place[axis] + SEED_REACH[0])).contains(&i64::from(tile))
    };
    tile_cells == 0 || (is_near(0, coord.x) && is_near(2, coord.z))
}

/// The local island of a tile under an agent at `place`: that of the nearest polygon within `radius` metres
/// across and `up` metres in height, and its squared distance, m². The place may be outside the tile.
pub fn island_at(
    level: &PreparedLevel,
    tile: &Tile,
    place: [f64; 3],
    radius: f64,
    up: f64,
) -> Option<(u32, f64)> {
    let one = f64::from(FIXED_ONE);
    let cell = level.lattice.cell();
    let fixed = |metres: f64, axis: usize| (metres / cell[axis] * one).round();
    let end: [i64; 3] =
        std::array::from_fn(|axis| fixed(place[axis] - level.lattice.origin[axis], axis) as i64);
    let found = snap_within(tile, end, fixed(radius, 0) as i32, fixed(up, 1) as i64)?;
    let base = tile.header().base_cell;
    let distance = (0..3).map(|axis| {
        let point = found.point[axis] + base[axis] as f64 * one;
        let metres = (point - end[axis] as f64) / one * cell[axis];
        metres * metres
    });
    Some((local_islands(tile)[found.polygon as usize], distance.sum()))
}

/// A tile without the local islands for which `keep` is false; `None` if nothing is left of it.
pub fn retain_islands(tile: &Tile, keep: impl Fn(u32) -> bool) -> Result<Option<Tile>, Error> {
    Ok(retain(tile, keep)?.map(|(tile, _)| tile))
}

/// Like [`retain_islands`]; also returns the former number of each remaining island.
fn retain(tile: &Tile, keep: impl Fn(u32) -> bool) -> Result<Option<(Tile, Vec<u32>)>, Error> {
    let before = local_islands(tile);
    let keep: Vec<bool> = before.iter().map(|&island| keep(island)).collect();
    if !keep.contains(&true) {
        return Ok(None);
    }
    if !keep.contains(&false) {
        // Written again, the tile would have the same bytes.
        let islands = before.iter().max().map_or(0, |last| last + 1);
        return Ok(Some((tile.clone(), (0..islands).collect())));
    }
    let Built { tile: left, sources, .. } =
        TileWriter::default().build(&TileContent::from_tile(tile).retaining(&keep))?;
    let kept: Vec<u32> =
        before.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(island, _)| island).collect();
    let mut former = Vec::new();
    for (island, source) in local_islands(&left).into_iter().zip(sources) {
        // Islands are numbered by their first polygon.
        if island as usize == former.len() {
            former.push(kept[source as usize]);
        }
    }
    Ok(Some((left, former)))
}

/// Drops the polygons of every island that is smaller than the level's settings allow, over all tiles it
/// reaches, and tiles that have no polygons left. Then adds the links that the settings have profiles for.
/// `tile_cells` is the side of the tiles, 0 for a solo bake. Returns the number of islands dropped.
pub fn prune_islands(level: &PreparedLevel, tile_cells: u32, tiles: &mut Vec<Baked>) -> Result<usize, Error> {
    tiles.shared_sort_by_key(|baked| baked.tile.coord());
    let graph = IslandGraph::new(tiles.par_iter().map(|baked| graph_node(level, baked, [0; 16])).collect());
    let min_cells = u64::from(level.config.region_min_cells);
    let grid = graph_grid(level, tile_cells);
    let ground = tiles.iter_mut().filter_map(|baked| Some((baked.tile.coord(), *baked.ground.take()?)));
    let ground: BTreeMap<TileCoord, TileGround> = ground.collect();
    let memory = level.config.settings.memory_bound;
    let Ok(links) = find_links(level, LinkIslands { graph: &graph, grid, min_cells }, &ground, memory);
    let graph = join_links(graph, &links);
    let verdict = graph.judge(&grid, min_cells, None);
    let links = kept_links(&links, &graph, &verdict);
    let own = |coord: &TileCoord| links.get(coord).map_or(&[][..], Vec::as_slice);
    let needed: BTreeSet<TileCoord> = links.values().flat_map(|links| end_tiles(links)).collect();
    let retained = |mut baked: Baked| -> Result<Option<Baked>, Error> {
        let Some(node) = graph.find(baked.tile.coord()) else { return Ok(None) };
        let Some((tile, former)) = retain(&baked.tile, |local| verdict.keeps(node, local))? else {
            return Ok(None);
        };
        baked.tile = tile;
        baked.island_cells = former.into_iter().map(|local| baked.island_cells[local as usize]).collect();
        Ok(Some(baked))
    };
    let mut kept: Vec<Baked> =
        tiles.par_drain(..).filter_map(|baked| retained(baked).transpose()).collect::<Result<_, _>>()?;
    let left = kept.iter().map(|baked| &baked.tile).filter(|tile| needed.contains(&tile.coord()));
    let ends: BTreeMap<TileCoord, Tile> = left.map(|tile| (tile.coord(), tile.clone())).collect();
    kept.par_iter_mut().try_for_each(|baked| {
        baked.tile = with_links(&baked.tile, own(&baked.tile.coord()), &ends)?;
        Ok::<(), Error>(())
    })?;
    *tiles = kept;
    Ok(verdict.keep.iter().filter(|keep| !**keep).count())
}
