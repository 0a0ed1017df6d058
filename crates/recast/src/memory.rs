//! The memory that a bake is expected to take, known before anything is allocated.

use crate::data::Grid;
use crate::error::Error;
use crate::input::MAX_GRID_SIDE;

/// Bytes that a bake needs per column of the grid, as measured on open terrain. Levels with many storeys need more,
/// but not by much, as their columns are mostly empty.
const BYTES_PER_COLUMN: u64 = 100;

/// Bytes that a bake needs per triangle that reaches the grid: its area, its place in bands of rows, a few fragments.
const BYTES_PER_TRIANGLE: u64 = 64;

/// Refuses a grid that would take more than `bound` bytes.
pub(crate) fn check(grid: &Grid, bound: u64) -> Result<(), Error> {
    let (width, depth) = (u64::from(grid.width), u64::from(grid.depth));
    let remedy = "enlarge the cell size, give smaller bounds, or bake in tiles";
    let longest = width.max(depth);
    navmath::limit::check("cells along a side of a grid", longest, u64::from(MAX_GRID_SIDE), remedy)?;
    let estimate = width * depth * BYTES_PER_COLUMN;
    if estimate <= bound { Ok(()) } else { Err(Error::too_large(grid, estimate, bound)) }
}

/// Memory that a tile is expected to take while it is baked, bytes: its grid, its triangles, and their fragments in all
/// columns at once if they are kept for several agents.
pub(crate) fn of_tile(grid: &Grid, triangles: usize, several_agents: bool) -> u64 {
    let columns = u64::from(grid.width) * u64::from(grid.depth);
    let kept = if several_agents { BYTES_PER_COLUMN / 2 } else { 0 };
    columns * (BYTES_PER_COLUMN + kept) + triangles as u64 * BYTES_PER_TRIANGLE
}
