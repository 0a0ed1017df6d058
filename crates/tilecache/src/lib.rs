//! Worlds that change: obstacles (crates, doors, bridges, holes in walls) appear, move and disappear in a
//! finished level, and the tiles that they touch are baked again, without the level's triangles.
//!
//! For each tile, a file of `navtile bake --dynamic` holds the result of rasterizing it. [`TileCache`] reads
//! that, keeps the obstacles, and bakes the tiles they touch, within a budget, the most urgent first. **After
//! any sequence of changes each tile has the same bytes as an offline bake of the level with the obstacles
//! then present**; after all obstacles are removed, the file is the original to the byte.
//!
//! ```
//! use navlevel::{Body, Effect, Obstacle};
//! use recast::{AreaId, Transform};
//! use tilecache::{Budget, TileCache};
//! # let file = tilecache::doctest_file();
//!
//! let mut cache = TileCache::open(file)?;
//! let crate_body = Body::cuboid([1.0, 1.0, 1.0])?;
//! let place = Transform::turned(0.0, [4.0, 0.0, 4.0]);
//! let effect = Effect::Solid { area: AreaId::GROUND };
//! let handle = cache.add(&Obstacle { body: crate_body, place, effect })?;
//! let update = cache.update(Budget::all())?;
//! assert!(!update.changes.is_empty());
//!
//! cache.remove(handle)?;
//! cache.update(Budget::all())?;
//! assert_eq!(cache.waiting(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`TileCache`]: the level, its obstacles, and the tiles that wait to be baked again.
//! - [`Stationary`]: obstacles that have an effect only while they keep still.
//! - [`Budget`], [`Update`], [`TileChange`]: the amount of work of one update, and its result.
//! - [`bake_dynamic`], [`bake_dynamic_observed`]: bake a level into a dynamic file; [`write_settings`]: the
//!   settings that it holds.
//! - [`check`], [`check_within`]: all errors in the cached spans of a file.
//! - `detour_layers` (feature `layers`): converts layers of Detour's tile caches to tiles.
//! - `apply` (feature `detour`): swaps changed tiles in a mesh, keeps run-time flags and areas, and reports
//!   which islands joined or parted.

#![forbid(unsafe_code)]

mod budget;
mod cache;
mod check;
#[cfg(feature = "layers")]
pub mod detour_layers;
mod error;
mod held;
mod links;
mod live_links;
#[cfg(feature = "detour")]
mod mesh;
mod pace;
mod resting;
mod save;
mod seed_place;
mod seeds;
mod settings;
mod slots;
mod stationary;
mod tile_state;
mod update;

pub use budget::Budget;
pub use cache::TileCache;
pub use check::{check, check_within};
pub use error::CacheError;
#[cfg(feature = "detour")]
pub use mesh::{Applied, apply};
pub use save::{bake_dynamic, bake_dynamic_observed};
pub use settings::write_settings;
pub use slots::ObstacleHandle;
pub use stationary::Stationary;
pub use update::{FailedTile, TileChange, Update};

// Compiles the example of the README.
#[cfg(all(doctest, feature = "layers"))]
#[doc = include_str!("../README.md")]
struct Readme;

// So is the code of the cookbook, which uses another crate in addition.
#[cfg(all(doctest, feature = "detour"))]
use navstream as _;
#[cfg(all(doctest, feature = "detour"))]
#[doc = include_str!("../../../docs/cookbook.md")]
struct Cookbook;

/// A small dynamic file for the examples of this crate.
#[doc(hidden)]
pub fn doctest_file() -> Vec<u8> {
    let level = recast::Level {
        vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 12.0], [12.0, 0.0, 12.0], [12.0, 0.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..recast::Level::default()
    };
    let level = recast::PreparedLevel::new(&level, &recast::Settings::default());
    level.ok().and_then(|level| bake_dynamic(&level, 20, &[]).ok()).unwrap_or_default()
}
