//! A tile to bake: its coordinate and its rectangle of the lattice.

use crate::data::Grid;
use crate::error::Error;
use crate::input::{MAX_GRID_SIDE, PreparedLevel};
use navtile::TileCoord;

/// A tile to bake: a rectangle of the lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileBuild {
    /// Coordinate in the grid of tiles.
    pub coord: TileCoord,
    /// Columns, border included.
    pub grid: Grid,
}

impl TileBuild {
    /// The whole level as one tile, without a border.
    pub fn solo(level: &PreparedLevel) -> TileBuild {
        let grid = Grid {
            width: level.size[0],
            depth: level.size[2],
            border: 0,
            base_x: 0,
            base_z: 0,
            cell_size: level.config.cell_size,
            cell_height: level.config.cell_height,
        };
        TileBuild { coord: TileCoord::default(), grid }
    }

    /// One tile of a level cut into square tiles of `tile_cells` cells, with its border around it. The border
    /// is the agent's radius, which erosion reaches across, and three more cells, which contours need to
    /// agree on their corners. Tile (0, 0) starts at the lattice's zero. The last tiles have full size, so
    /// that a level can grow without moving them.
    ///
    /// # Errors
    /// A tile with more than [`MAX_GRID_SIDE`] cells along a side, or outside the lattice's 32-bit cells.
    pub fn tiled(level: &PreparedLevel, tile_cells: u32, coord: TileCoord) -> Result<TileBuild, Error> {
        let border = level.config.walkable_radius as u32 + level.config.border_beyond_radius();
        let side = u64::from(tile_cells) + 2 * u64::from(border);
        let remedy = "choose smaller tiles or a larger cell size";
        navmath::limit::check("cells along a tile with its border", side, u64::from(MAX_GRID_SIDE), remedy)?;
        let base = |tile: i32| -> Result<i32, Error> {
            let cell = i64::from(tile) * i64::from(tile_cells) - i64::from(border);
            let limit = i64::from(i32::MAX) - side as i64;
            let remedy = "this tile is outside every level: give a coordinate of the level's own tiles";
            let what = "cells from the lattice's zero";
            navmath::limit::check(what, cell.unsigned_abs(), limit as u64, remedy)?;
            Ok(cell as i32)
        };
        let (base_x, base_z) = (base(coord.x)?, base(coord.z)?);
        let grid = Grid {
            width: side as u32,
            depth: side as u32,
            border,
            base_x,
            base_z,
            ..TileBuild::solo(level).grid
        };
        Ok(TileBuild { coord, grid })
    }
}
