//! Side of a tile, in cells.

use crate::failure::Failure;
use navbake::hierarchy::ONE_PIECE;
use navinput::TileSize;
use recast::PreparedLevel;

/// Side of the tiles of a level in cells; 0 for one tile. A size in metres is rounded to the nearest whole
/// number of cells.
pub(crate) fn tile_cells(size: TileSize, level: &PreparedLevel) -> Result<u32, Failure> {
    size.cells(level).map_err(|error| {
        Failure::call(error.to_string()).help("give the side of a tile in metres, `auto`, or `off`")
    })
}

/// Refuses a level in one piece if its file is to have a hierarchy.
pub(crate) fn refuse_one_piece(has_hierarchy: bool, tile_cells: u32) -> Result<(), Failure> {
    if has_hierarchy && tile_cells == 0 {
        return Err(Failure::call(ONE_PIECE).help("give the side of a tile in metres with --tile-size"));
    }
    Ok(())
}
