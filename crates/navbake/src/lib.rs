//! The bake of level files in memory, with the same bytes as the program `navtile`.
//!
//! - [`LevelBake`]: a level and its settings, checked and ready to bake.
//! - [`LevelBake::run`]: the whole bake, on the threads of rayon's current pool.
//! - [`LevelBake::share`] and [`LevelBake::join`]: the same bake in shares, on any number of machines or
//!   workers.
//! - [`settings`]: the settings of a bake from all that give some, each with its origin.
//! - [`hierarchy`]: the hierarchy of a file, for planning far paths.
//! - [`shard`]: a share as bytes or a file, which grows tile by tile.
//! - [`BakeError`]: the reason why a level cannot be baked: every problem with its line and its setting.
//! - [`sentences`], [`Names`]: explanations in words, and the level's names for a place.
//! - [`Warning`]: things to check in a level that was baked.
//!
//! ```
//! use navbake::{LevelBake, LevelFile, Silent};
//!
//! let floor = b"v 0 0 0\nv 0 0 9\nv 12 0 9\nv 12 0 0\nf 1 2 3 4\n";
//! let bake = LevelBake::new(&[LevelFile { name: "floor.obj", bytes: floor }], None)?;
//! let files = bake.run(&Silent)?;
//! assert_eq!(files[0].report.polygons, 1);
//! # Ok::<(), navbake::BakeError>(())
//! ```

#![forbid(unsafe_code)]

mod error;
mod files;
pub mod hierarchy;
mod level_bake;
pub mod loose_ends;
pub mod lost_areas;
mod names;
mod report;
pub mod sentences;
pub mod settings;
pub mod shard;
mod shares;
mod warning;
mod write;

pub use error::{BakeError, Problem};
pub use files::LevelFile;
pub use level_bake::LevelBake;
pub use names::Names;
pub use recast::{Observer, Silent, StageId};
pub use report::{BakeSummary, BakedFile};
pub use warning::Warning;
pub use write::file_hash;

// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
