//! Errors of opening, changing and writing a cache.

use navlevel::{CachedSpansError, ObstacleError};
use navtile::{StoreError, TileCoord, WriteFileError};
use thiserror::Error;

/// A file that cannot be changed, or a call that cannot be answered.
#[derive(Debug, Error)]
pub enum CacheError {
    /// The file cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file has no cached spans.
    #[error("the file has no cached spans: bake it with `navtile bake --dynamic`")]
    NotDynamic,
    /// The file has cached spans but no island graph, or an island graph of several layers.
    #[error("the file has cached spans, but {0}: bake it again with `navtile bake --dynamic`")]
    Incomplete(&'static str),
    /// A tile takes more memory than is allowed. It is valid otherwise.
    #[error("tile ({}, {}) takes more than the {bound} bytes of memory that are allowed", coord.x, coord.z)]
    Memory {
        /// Coordinate of the tile.
        coord: TileCoord,
        /// The memory that is allowed, bytes.
        bound: u64,
    },
    /// The cached spans of a tile, or the settings for them, break a rule.
    #[error("tile ({}, {}): {source}", coord.x, coord.z)]
    Spans {
        /// Coordinate of the tile.
        coord: TileCoord,
        /// The rule that is broken.
        source: CachedSpansError,
    },
    /// The settings in the file cannot be read.
    #[error("not a valid .navtile file: span-cache-index: expected {expected}, found {found}")]
    Settings {
        /// The required settings.
        expected: &'static str,
        /// The error that was found.
        found: String,
    },
    /// An obstacle is not possible.
    #[error("an obstacle cannot be used: {0}")]
    Obstacle(#[from] ObstacleError),
    /// A handle of an obstacle that was removed, or of another cache.
    #[error("there is no such obstacle: it was removed, or belongs to another cache")]
    NoObstacle,
    /// A movement threshold is not a length.
    #[error("the movement threshold is {0} m, expected 0 or more: at 0 every move counts")]
    Threshold(f64),
    /// A number of a rule for obstacles that keep still, or a time, is negative or NaN.
    #[error("a time or threshold for obstacles that keep still is {0}, expected 0 or more")]
    Stationary(f64),
    /// More obstacles than handles have numbers for.
    #[error("there are 2^32 obstacles: remove some first")]
    TooManyObstacles,
    /// A bake failed.
    #[error(transparent)]
    Bake(#[from] recast::Error),
    /// Only ground that can be reached from a place is kept, and the place has no ground.
    #[error(
        "there is no ground within {across} m across and {up} m in height of {place:?}, from where everything must be \
         reachable: keep obstacles away from it, or bake without reachable_from"
    )]
    NoSeed {
        /// The place, world metres.
        place: [f64; 3],
        /// Largest allowed distance of the ground, metres.
        across: f64,
        /// Largest allowed difference in height, metres.
        up: f64,
    },
    /// Tiles still wait to be baked again.
    #[error("{0} tiles wait to be baked again: call wait() before the file is written")]
    Waiting(usize),
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteFileError),
}

impl CacheError {
    /// Converts an error of cached spans that were unpacked within this memory.
    pub(crate) fn of_spans(coord: TileCoord, source: CachedSpansError, bound: u64) -> CacheError {
        match source.is_over_memory() {
            true => CacheError::Memory { coord, bound },
            false => CacheError::Spans { coord, source },
        }
    }
}
