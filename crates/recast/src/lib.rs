//! The bake: triangles in, navigation mesh tiles out. The algorithms are those of Mikko Mononen's Recast.
//!
//! ```
//! use recast::{Level, PreparedLevel, Scratch, Settings, Silent, bake_solo};
//!
//! // A floor of 12 by 9 m. Counter-clockwise seen from above is walkable.
//! let level = Level {
//!     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
//!     triangles: vec![[0, 1, 2], [0, 2, 3]],
//!     ..Level::default()
//! };
//! let level = PreparedLevel::new(&level, &Settings::default())?;
//! let baked = bake_solo(&level, &Silent, &mut Scratch::new())?;
//! println!("{} polygons, {} bytes", baked.counts.polygons, baked.tile.bytes().len());
//! # Ok::<(), recast::Error>(())
//! ```
//!
//! For a large level use [`bake_tiles`], or a [`Tiling`] with [`bake_jobs`] to write tiles to a file as they
//! come.
//!
//! To read the code begin with [`build`]: it is the pipeline from top to bottom. Each stage is a module of
//! [`stage`] that consumes one type of [`data`] and returns the next, so that the wrong order does not
//! compile.
//!
//! - [`input`]: levels, and their preparation for the bake.
//! - [`parts`]: a level in parts, each with any number of placements.
//! - [`settings`]: world units in, [`Config`] (cells, checked) out.
//! - [`volume`]: shapes that give the ground within them another area.
//! - [`tiling`]: a level cut into tiles, with the triangles that each of them needs.
//! - [`schedule`]: many tiles on all cores, within a bound of memory.
//! - [`prune`]: dropping small islands across tile borders.
//! - [`explain`]: explains why a place has mesh or has no mesh.
//! - [`pieces`]: bodies that appear, move and disappear in a finished level.
//! - [`kept`]: the result of rasterizing a tile, kept so that the tile can be baked again with pieces.
//! - [`heightfield_layers`]: a tile flattened into layers, for obstacles that come and go.
//! - [`merge_meshes`]: the meshes of several tiles merged into one.
//! - [`observer`]: progress, timings, diagnostics and cancellation.
//! - [`scratch`]: memory reused from tile to tile.

#![forbid(unsafe_code)]

mod baked;
pub mod build;
mod chunk;
mod curve;
pub mod data;
pub mod error;
pub mod explain;
mod fast;
mod geometry;
pub mod heightfield_layers;
pub mod input;
mod input_hash;
mod islands;
pub mod kept;
pub mod links;
mod lists;
mod load;
mod memory;
pub mod merge_meshes;
mod meshing;
pub mod meta;
pub mod observer;
pub mod parts;
pub mod pieces;
pub mod prune;
pub mod schedule;
pub mod scratch;
pub mod settings;
mod shares;
mod slope;
mod snapshot;
mod soundness;
mod source;
pub mod stage;
mod stopwatch;
mod tile_bake;
mod tile_build;
pub mod tiling;
mod triangle_sum;
pub mod volume;

pub use baked::{Baked, Counts};
pub use build::{bake_field, bake_solo, bake_tapped, bake_tile};
pub use chunk::ChunkTriangles;
pub use error::Error;
pub use geometry::Dropped;
pub use input::{BYTES_PER_LISTED_TRIANGLE, Level, PreparedLevel, level_bounds};
pub use input_hash::{BAKE_VERSION, settings_digest};
pub use kept::{KeptError, KeptFloors, KeptSpans, bake_kept, empty_tile_hash};
pub use links::{
    GeneratedLink, GroundCounts, LinkWindow, RunPlace, TileGround, WindowLinks, end_tiles, find_links,
    ground_memory, join_links, kept_links, links_of_tiles, tile_size, with_links,
};
pub use memory::held_memory;
pub use navmath::FieldError;
pub use navtile::area::{self, AreaDefinition, AreaId};
pub use navtile::connection::OffMeshConnection;
pub use observer::{Diagnostic, DiagnosticKind, Observer, Report, Silent, StageId};
pub use parts::{Part, Transform};
pub use pieces::{Body, Effect, Piece, PieceError, PreparedPiece};
pub use prune::{
    SEED_REACH, graph_grid, graph_node, is_near_seed, island_at, min_island_cells, prune_islands,
    retain_islands,
};
pub use schedule::{Job, bake_jobs, bake_kept_jobs, bake_tiles, job_memory, most_floors};
pub use scratch::Scratch;
pub use settings::{Config, LinkKind, LinkProfile, Partition, SETTINGS, Setting, Settings};
pub use shares::{ShareBox, share_jobs, share_tiles};
pub use snapshot::{Snapshot, StageResults};
pub use stage::Context;
pub use tile_build::TileBuild;
pub use tiling::{TileGrid, Tiling};
pub use triangle_sum::TriangleSum;
pub use volume::{Shape, Volume};

// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
