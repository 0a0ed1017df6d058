//! Side of a tile, in cells.

use crate::failure::Failure;
use navinput::TileSize;
use recast::PreparedLevel;

/// Side of the tiles of a level in cells; 0 for one tile. A size in metres is rounded to the nearest whole
/// number of cells.
pub(crate) fn tile_cells(size: TileSize, level: &PreparedLevel) -> Result<u32, Failure> {
    size.cells(level).map_err(|error| {
        Failure::call(error.to_string()).help("give the side of a tile in metres, `auto`, or `off`")
    })
}
