//! Levels: everything that knows more than one tile. The crate `recast` bakes a tile; this one cuts levels
//! into tiles, bakes them on all cores, judges islands over their borders, and writes the file.
//!
//! - [`Tiling`]: a level cut into tiles, with the triangles that each of them needs.
//! - [`triangles`]: a level held whole, or in windows if it is larger than memory.
//! - [`bake_jobs`]: many tiles on all cores, within a bound of memory; [`bake_tiles`]: all of a level.
//! - [`prune_islands`]: drops small islands across tile borders.
//! - [`assemble`]: from baked tiles to a file, for every kind of bake.
//! - [`share_jobs`], [`share_tiles`]: the tiles of a level, divided among machines.
//! - [`Obstacle`]: bodies that appear, move and disappear in a finished level.
//! - [`CachedSpans`]: the result of rasterizing a tile, kept so that the tile can be baked again with
//!   obstacles.
//! - [`meta`]: the metadata of a level's file.

#![forbid(unsafe_code)]

pub mod assemble;
mod curve;
pub mod meta;
mod obstacles;
mod packing;
mod prune;
mod schedule;
mod shares;
mod span_cache;
mod tiling;
pub mod triangles;

pub use obstacles::{
    Body, Effect, MAX_HULL_POINTS, MAX_MESH_TRIANGLES, Obstacle, ObstacleError, PreparedObstacle, tile_digest,
};
pub use packing::ground::{pack_ground, unpack_ground};
pub use packing::kept_ground::{GroundKeeper, KeptGround};
pub use packing::spans::{CachedSpansError, SPAN_RULES};
pub use prune::{
    SEED_REACH, graph_grid, graph_node, is_near_seed, island_at, min_island_cells, prune_islands,
    retain_islands,
};
pub use schedule::{Job, bake_caching_jobs, bake_jobs, bake_tiles, job_memory, most_floors};
pub use shares::{ShareBox, share_jobs, share_tiles};
pub use span_cache::{CachedFloors, CachedSpans, bake_cached, empty_tile_hash};
pub use tiling::{MAX_TILES, TileGrid, Tiling, tiles_reached};

// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
