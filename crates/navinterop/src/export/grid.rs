//! The regular grid that Detour requires for tiles.

use super::error::ExportError;
use navmath::FIXED_ONE;
use navtile::tile::Tile;

const BAKE_AGAIN: &str = "export tiles of one bake";

/// The placement of tiles, world metres.
pub(super) struct Grid {
    /// The corner of tile (0, 0), at the height of the lowest base cell.
    pub(super) origin: [f64; 3],
    /// Extent of a tile along x and z.
    pub(super) size: [f64; 2],
}

impl Grid {
    /// The grid of tiles in canonical order. Errors: no tiles, two at the same place, tiles of different
    /// lattices or sizes, a tile whose position does not match its coordinates.
    pub(super) fn of(tiles: &[&Tile]) -> Result<Grid, ExportError> {
        let Some(&first) = tiles.first() else { return Err(ExportError::Nothing) };
        let corner = corner(first);
        for pair in tiles.windows(2) {
            if pair[0].coord() == pair[1].coord() {
                return refuse(pair[1], "place", "one tile at a place", "two", BAKE_AGAIN);
            }
        }
        for tile in tiles {
            let (found, expected) = (size(tile), size(first));
            if tile.lattice() != first.lattice() {
                let expected = format!("{:?}, as another tile", first.lattice());
                return refuse(tile, "lattice", expected, format!("{:?}", tile.lattice()), BAKE_AGAIN);
            }
            if found != expected || found.contains(&0) {
                let expected = format!("{expected:?} cells, as another tile, and more than none");
                return refuse(tile, "size", expected, format!("{found:?} cells"), BAKE_AGAIN);
            }
            if self::corner(tile) != corner {
                let expected = format!("{corner:?}, counted from the cell of tile (0, 0)");
                let found = format!("{:?}", self::corner(tile));
                return refuse(tile, "place", expected, found, BAKE_AGAIN);
            }
        }
        let lowest = tiles.iter().map(|tile| tile.header().base_cell[1]).min().unwrap_or(0);
        let lattice = first.lattice();
        // Within the limits of base cell and tile, so far below the range of i64.
        let base = [corner[0], i128::from(lowest), corner[1]].map(|cell| cell as i64);
        let origin = lattice.fixed_to_world([0; 3], base);
        Ok(Grid { origin, size: size(first).map(|cells| cells as f64 * lattice.cell_size) })
    }
}

fn size(tile: &Tile) -> [i64; 2] {
    [tile.header().width.into(), tile.header().depth.into()]
}

/// The cell at which tile (0, 0) must start, computed from the position of this tile.
fn corner(tile: &Tile) -> [i128; 2] {
    let (header, [width, depth]) = (tile.header(), size(tile));
    let back = |base: i64, at: i32, cells: i64| i128::from(base) - i128::from(at) * i128::from(cells);
    [back(header.base_cell[0], header.x, width), back(header.base_cell[2], header.z, depth)]
}

fn refuse<T>(
    tile: &Tile,
    what: &'static str,
    expected: impl Into<String>,
    found: impl Into<String>,
    remedy: &'static str,
) -> Result<T, ExportError> {
    Err(ExportError::Grid {
        coord: tile.coord(),
        what,
        expected: expected.into(),
        found: found.into(),
        remedy,
    })
}

/// A tile's extent along x and z, fixed-point.
pub(super) fn extent(tile: &Tile) -> [i64; 2] {
    size(tile).map(|cells| cells * i64::from(FIXED_ONE))
}
