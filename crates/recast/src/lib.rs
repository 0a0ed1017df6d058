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
//! This crate knows one tile. Levels of many tiles, and the files that hold them, are made by the crate
//! `navlevel`, which calls this one for each tile.
//!
//! To read the code begin with [`build`]: it is the pipeline from top to bottom. Each stage is a module of
//! [`stage`] that consumes one type of [`data`] and returns the next, so that the wrong order does not
//! compile.
//!
//! - [`input`]: levels, and their preparation for the bake.
//! - [`instances`]: a level of meshes, each with any number of placements.
//! - [`settings`]: world units in, [`Config`] (cells, checked) out.
//! - [`volume`]: shapes that give the ground within them another area.
//! - [`observer`]: progress, timings, diagnostics and cancellation.
//! - [`scratch`]: memory reused from tile to tile.

#![forbid(unsafe_code)]

mod baked;
pub mod build;
mod chunk;
pub mod data;
pub mod error;
mod fast;
mod geometry;
mod ground;
mod ground_mark;
pub mod input;
mod input_hash;
pub mod inside;
pub mod instances;
mod islands;
mod lists;
mod load;
mod memory;
mod meshing;
pub mod observer;
mod outline;
pub mod scratch;
pub mod settings;
mod slope;
mod snapshot;
mod soundness;
mod source;
pub mod stage;
mod stopwatch;
mod tile_bake;
mod tile_build;
mod triangle_sum;
pub mod volume;

pub use baked::{Baked, Counts};
pub use build::{bake_field, bake_solo, bake_tapped, bake_tile};
pub use chunk::ChunkTriangles;
pub use error::Error;
pub use geometry::Dropped;
pub use ground::TileGround;
pub use input::{BYTES_PER_LISTED_TRIANGLE, Level, PreparedLevel, level_bounds};
pub use input_hash::{BAKE_VERSION, settings_digest};
pub use instances::{InstancedMesh, Transform};
pub use memory::held_memory;
pub use navmath::FieldError;
pub use navtile::area::{self, AreaDefinition, AreaId};
pub use navtile::connection::OffMeshConnection;
pub use observer::{Diagnostic, DiagnosticKind, Observer, Report, Silent, StageId};
pub use scratch::Scratch;
pub use settings::{Config, LinkKind, LinkProfile, Outlines, Partition, SETTINGS, Setting, Settings};
pub use snapshot::{Snapshot, StageResults};
pub use stage::Context;
pub use tile_build::TileBuild;
pub use triangle_sum::TriangleSum;
pub use volume::{Shape, Volume};

// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
