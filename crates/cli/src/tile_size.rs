//! Side of a tile, in cells.

use crate::failure::Failure;
use navinput::TileSize;
use recast::PreparedLevel;
use recast::input::MAX_GRID_SIDE;

/// With tile size `auto`, a level of more columns than this is cut into tiles.
const MOST_SOLO_COLUMNS: u64 = 1 << 20;
/// Side of these tiles, cells: borders cost little, and there are enough tiles for all cores.
const AUTO_CELLS: u32 = 128;
/// Smaller tiles would be mostly border.
const LEAST_CELLS: u32 = 8;

/// Side of the tiles of a level in cells; 0 for one tile. A size in metres becomes the nearest number of whole cells.
pub(crate) fn tile_cells(size: TileSize, level: &PreparedLevel) -> Result<u32, Failure> {
    let metres = match size {
        TileSize::Off => return Ok(0),
        TileSize::Auto => {
            let columns = u64::from(level.size[0]) * u64::from(level.size[2]);
            return Ok(if columns > MOST_SOLO_COLUMNS { AUTO_CELLS } else { 0 });
        }
        TileSize::Metres(metres) => metres,
    };
    let cells = (metres / level.lattice.cell_size).round();
    if !(f64::from(LEAST_CELLS)..=f64::from(MAX_GRID_SIDE)).contains(&cells) {
        let cell = level.lattice.cell_size;
        return Err(Failure::call(format!(
            "tile_size is {metres} m, which is {cells} cells of {cell} m; expected {LEAST_CELLS} to \
             {MAX_GRID_SIDE} cells"
        ))
        .help("give the side of a tile in metres, `auto`, or `off`"));
    }
    Ok(cells as u32)
}
