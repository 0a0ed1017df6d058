//! The island that must be connected to everything that is kept.

use navtile::{IslandGraph, Tile, TileCoord};
use recast::{PreparedLevel, SEED_REACH, is_near_seed, island_at};

/// The local island nearest to a place, within [`SEED_REACH`], and the index of its node; `None` if there is
/// no ground. `tile` returns the tile at a coordinate, if it exists, before anything was removed from it.
///
/// # Errors
/// The errors of `tile`.
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
