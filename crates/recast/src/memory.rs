//! The memory that a bake is expected to take, known before anything is allocated.

use crate::baked::Counts;
use crate::data::Grid;
use crate::error::Error;
use crate::fast;
use crate::input::MAX_GRID_SIDE;
use crate::load::{Load, least_apart};
use crate::settings::Partition;
use crate::source::{Cut, Source};
use navmath::sort::SharedSort;

/// Bytes that a bake needs at most per column of the grid, regardless of its floors.
const BYTES_PER_COLUMN: u64 = 8;

/// Bytes that a bake needs at most per floor, over all stages after rasterizing: a third more than any level
/// measured.
const BYTES_PER_FLOOR: u64 = 28;

/// Bytes that a bake needs per triangle that reaches the grid: its area, its place in bands of rows, its
/// corners.
const BYTES_PER_TRIANGLE: u64 = 64;

/// Bytes per fragment of a strip: gathered, sorted by column, merged.
const BYTES_PER_FRAGMENT: u64 = 32;

/// Bytes per fragment that is kept for several agents.
const BYTES_PER_KEPT_FRAGMENT: u64 = 40;

/// The memory that a bake of these counts held, bytes: that of its spans or that of its floors, whichever is
/// larger. Measured on twelve levels of 0.2 to 8 million columns: within a fifth on most and a third on all.
///
/// Estimates before a bake are upper bounds; with the counts of a few tiles they come close.
pub fn held_memory(counts: &Counts, partition: Partition) -> u64 {
    let of_column = 4;
    let of_span = 8;
    let of_floor = match partition {
        Partition::Watershed => 20,
        Partition::Monotone | Partition::Layers => 13,
    };
    let [width, depth] = counts.grid.map(u64::from);
    width * depth * of_column + (counts.spans as u64 * of_span).max(counts.compact_spans as u64 * of_floor)
}

/// Refuses a tile that would take more than `bound` bytes.
pub fn check(source: Source<'_>, grid: &Grid, bound: u64) -> Result<(), Error> {
    let (width, depth) = (u64::from(grid.width), u64::from(grid.depth));
    let remedy = "enlarge the cell size, give smaller bounds, or bake in tiles";
    let longest = width.max(depth);
    navmath::limit::check("cells along a side of a grid", longest, u64::from(MAX_GRID_SIDE), remedy)?;
    if let Cut::Merging(kept) = source.cut {
        let estimate = of_spans(kept.spans.len(), grid);
        return if estimate <= bound { Ok(()) } else { Err(Error::too_large(grid, estimate, bound)) };
    }
    let plain = of_plain_tile(source, grid, false);
    if plain <= bound && at_most(source, grid, false) <= bound {
        return Ok(());
    }
    let estimate = plain.max(of_crowded_tile(source, grid, bound, false));
    if estimate <= bound { Ok(()) } else { Err(Error::too_large(grid, estimate, bound)) }
}

/// The memory of a tile that is baked from spans, whose floors are not counted, bytes. There are no more
/// floors than spans.
pub fn of_spans(spans: usize, grid: &Grid) -> u64 {
    columns(grid) * BYTES_PER_COLUMN + spans as u64 * BYTES_PER_FLOOR
}

/// Memory that a tile is expected to take while it is baked, bytes. If it takes no more than `plenty` for any
/// shape of its triangles, the result is that of open ground. Otherwise the triangles are examined, and above
/// `bound` the result is a lower estimate.
pub fn of_tile(source: Source<'_>, grid: &Grid, bound: u64, plenty: u64, several_agents: bool) -> u64 {
    if at_most(source, grid, several_agents) <= plenty {
        return of_plain_tile(source, grid, several_agents);
    }
    of_crowded_tile(source, grid, bound, several_agents)
}

/// The memory of a tile with one floor in every column, bytes.
fn of_plain_tile(source: Source<'_>, grid: &Grid, several_agents: bool) -> u64 {
    let of_column = BYTES_PER_COLUMN + BYTES_PER_FLOOR;
    let kept = if several_agents { of_column / 2 } else { 0 };
    columns(grid) * (of_column + kept) + source.len() as u64 * BYTES_PER_TRIANGLE
}

/// The memory of a tile if each of its triangles covered all of it, bytes.
fn at_most(source: Source<'_>, grid: &Grid, several_agents: bool) -> u64 {
    let triangles = source.len() as u64;
    let held = u64::from(grid.width) * (fast::STRIP * strips_held(grid)) as u64;
    let kept = if several_agents { columns(grid) * BYTES_PER_KEPT_FRAGMENT } else { 0 };
    let of_triangle = BYTES_PER_TRIANGLE + held * BYTES_PER_FRAGMENT + kept;
    let storeys = u64::from(source.level.size[1]) / least_apart(&source.level.config) + 1;
    let of_column = BYTES_PER_COLUMN + storeys.min(triangles) * BYTES_PER_FLOOR;
    triangles.saturating_mul(of_triangle).saturating_add(columns(grid).saturating_mul(of_column))
}

/// The memory of a tile, bytes: its grid, its triangles, the fragments that are held at once (all of them if
/// they are kept for several agents), and its floors. Above `bound` it is a lower estimate.
fn of_crowded_tile(source: Source<'_>, grid: &Grid, bound: u64, several_agents: bool) -> u64 {
    let load = Load::new(source, grid);
    let mut fragments = load.fragments();
    let all: u64 = fragments.iter().sum();
    fragments.shared_sort_by(|a, b| b.cmp(a));
    let held: u64 = fragments.iter().take(strips_held(grid)).sum();
    let kept = if several_agents { all * BYTES_PER_KEPT_FRAGMENT } else { 0 };
    let bytes = columns(grid) * BYTES_PER_COLUMN
        + source.len() as u64 * BYTES_PER_TRIANGLE
        + held * BYTES_PER_FRAGMENT
        + kept;
    if bytes > bound {
        return bytes;
    }
    let most = (bound - bytes) / BYTES_PER_FLOOR;
    bytes + load.floors(&source.level.config, most) * BYTES_PER_FLOOR
}

/// The floors of a tile, at most.
pub fn most_floors(source: Source<'_>, grid: &Grid) -> u64 {
    Load::new(source, grid).floors(&source.level.config, u64::MAX)
}

fn columns(grid: &Grid) -> u64 {
    u64::from(grid.width) * u64::from(grid.depth)
}

/// Number of strips whose fragments are held at once. A band that does not begin at a strip's first row
/// overlaps two.
fn strips_held(grid: &Grid) -> usize {
    match fast::threads(grid) {
        1 => 1,
        threads => 2 * threads,
    }
}
