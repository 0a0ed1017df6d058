//! The tiles of a level before its triangles are known.

use super::obstacles::tiles_reached;
use crate::curve::along_curve;
use crate::obstacles::PreparedObstacle;
use navtile::TileCoord;
use recast::Error;
use recast::PreparedLevel;
use recast::TileBuild;
use std::ops::Range;

/// Most tiles a level is cut into; most of them may be empty.
pub const MAX_TILES: u64 = 1 << 24;

/// A level of some size cut into square tiles, and the tiles that a triangle reaches.
///
/// ```
/// use navlevel::TileGrid;
/// use recast::{PreparedLevel, Settings};
///
/// let level = PreparedLevel::outline(&Settings::default(), [[0.0; 3], [30.0, 2.0, 30.0]])?;
/// let grid = TileGrid::new(std::slice::from_ref(&level), 20)?; // tiles of 6 m
/// assert_eq!(grid.size(), [5, 5]);
/// let [columns, rows] = grid.reached(&[[1.0, 0.0, 13.0], [1.0, 0.0, 14.0], [2.0, 0.0, 13.0]]);
/// assert_eq!((columns, rows), (0..1, 1..3)); // borders reach into the next row
/// # Ok::<(), recast::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TileGrid {
    /// 0: one tile, the whole level.
    tile_cells: u32,
    /// Tiles along x and z.
    size: [u32; 2],
    /// The widest border of any agent's tiles, cells.
    border: i64,
    cell_size: f64,
}

impl TileGrid {
    /// Tiles of `tile_cells` cells on a side, or one for 0; `levels` are one level for several agents, at
    /// least one.
    ///
    /// # Errors
    /// More tiles than [`MAX_TILES`], or larger ones than a grid.
    pub fn new(levels: &[PreparedLevel], tile_cells: u32) -> Result<TileGrid, Error> {
        navmath::limit::check("levels without an agent", u64::from(levels.is_empty()), 0, "give one")?;
        let size = match tile_cells {
            0 => [1, 1],
            cells => [levels[0].size[0].div_ceil(cells), levels[0].size[2].div_ceil(cells)],
        };
        let tiles = u64::from(size[0]) * u64::from(size[1]);
        navmath::limit::check("tiles of a level", tiles, MAX_TILES, "choose larger tiles")?;
        let mut border = 0;
        for level in levels.iter().filter(|_| tile_cells > 0) {
            let build = TileBuild::tiled(level, tile_cells, TileCoord::default())?;
            border = border.max(i64::from(build.grid.border));
        }
        Ok(TileGrid { tile_cells, size, border, cell_size: levels[0].lattice.cell_size })
    }

    /// Number of tiles along x and z, those without triangles included.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Cells on a side of a tile, without its border; 0 if the level is one tile.
    pub fn tile_cells(&self) -> u32 {
        self.tile_cells
    }

    /// Columns and rows of the tiles whose box, borders and a cell for rounding included, meets that of a
    /// triangle, or of any points; metres from the lattice's zero.
    pub fn reached(&self, points: &[[f32; 3]]) -> [Range<i64>; 2] {
        if self.tile_cells == 0 {
            return [0..1, 0..1];
        }
        [(0, self.size[0]), (2, self.size[1])].map(|(axis, count)| {
            let values = || points.iter().map(|point| f64::from(point[axis]));
            let low = (values().fold(f64::INFINITY, f64::min) / self.cell_size).floor() as i64;
            let high = (values().fold(f64::NEG_INFINITY, f64::max) / self.cell_size).floor() as i64;
            let tile = i64::from(self.tile_cells);
            let first = (low - 1 - self.border).div_euclid(tile).max(0);
            let last = (high + 1 + self.border).div_euclid(tile).min(i64::from(count) - 1);
            first..last + 1
        })
    }

    /// The tiles that an obstacle may reach, borders included.
    pub fn reached_by_obstacle<'p>(
        &self,
        obstacle: &'p PreparedObstacle,
    ) -> impl Iterator<Item = TileCoord> + use<'p> {
        tiles_reached(obstacle, self.tile_cells, self.border as u32, self.size)
    }

    /// Position of a tile along a Hilbert curve through all tiles: tiles near each other on it are near each
    /// other in the level.
    pub fn along_curve(&self, coord: TileCoord) -> u64 {
        let [columns, rows] = self.size;
        along_curve(columns.max(rows).next_power_of_two(), coord)
    }

    /// Columns of a tile's grid for an agent, borders included.
    pub(crate) fn columns_of_tile(&self, level: &PreparedLevel) -> u64 {
        match TileBuild::tiled(level, self.tile_cells, TileCoord::default()) {
            Ok(build) => build.grid.columns() as u64,
            Err(_) => u64::from(level.size[0]) * u64::from(level.size[2]),
        }
    }
}
