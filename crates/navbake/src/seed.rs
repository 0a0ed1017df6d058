//! The island that everything kept must be reachable from.

use navtile::{IslandGraph, Tile, TileCoord};
use recast::{PreparedLevel, SEED_REACH, is_near_seed, island_at};

/// The local island nearest to a place, and the index of its node, within [`SEED_REACH`]; `None` if there is no ground.
/// `tile` gives the tile at a coordinate, before anything was dropped from it, if there is one.
///
/// # Errors
/// Those of `tile`.
pub fn seed<E>(
    level: &PreparedLevel,
    tile_cells: u32,
    graph: &IslandGraph,
    place: [f64; 3],
    mut tile: impl FnMut(TileCoord) -> Result<Option<Tile>, E>,
) -> Result<Option<(usize, u32)>, E> {
    let [across, up] = SEED_REACH;
    let mut best: Option<(f64, usize, u32)> = None;
    for (node, coord) in graph.nodes().iter().map(|node| node.coord()).enumerate() {
        if !is_near_seed(level, tile_cells, place, coord) {
            continue;
        }
        let Some(tile) = tile(coord)? else { continue };
        if let Some((island, distance)) = island_at(level, &tile, place, across, up)
            && best.is_none_or(|(known, ..)| distance < known)
        {
            best = Some((distance, node, island));
        }
    }
    Ok(best.map(|(_, node, island)| (node, island)))
}
