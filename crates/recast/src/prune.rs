//! Dropping islands that are too small, across tile borders: no tile knows how large an island is that leaves it.
//! Units: cells. Cost: that of finding islands, and of writing the tiles that lose polygons again.

use crate::build::Baked;
use crate::error::Error;
use navtile::islands::Islands;
use navtile::{Tile, TileContent};

/// Drops the polygons of every island smaller than `min_cells`, and tiles that are left without any. Returns the
/// number of islands dropped.
pub fn prune_islands(tiles: &mut Vec<Baked>, min_cells: u32) -> Result<usize, Error> {
    let blobs: Vec<Tile> = tiles.iter().map(|baked| baked.tile.clone()).collect();
    let islands = Islands::find(&blobs);
    let one_cell = u128::from(navmath::FIXED_ONE.unsigned_abs()).pow(2);
    let least = 2 * u128::from(min_cells) * one_cell;
    // Islands are sorted by size.
    let kept = islands.area2.partition_point(|&area2| area2 >= least);
    for (baked, island_of) in tiles.iter_mut().zip(&islands.island_of) {
        let keep: Vec<bool> = island_of.iter().map(|&island| (island as usize) < kept).collect();
        if keep.contains(&false) {
            let (bytes, _) = TileContent::from_tile(&baked.tile).retaining(&keep).write()?;
            baked.tile = Tile::from_bytes(&bytes).map_err(Error::Unsound)?;
        }
    }
    tiles.retain(|baked| !baked.tile.polygons().is_empty());
    Ok(islands.len() - kept)
}
