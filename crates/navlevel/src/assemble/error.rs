//! The reasons why no file could be assembled.

use crate::SEED_REACH;
use navtile::{TileCoord, WriteFileError};
use thiserror::Error;

/// Why baked tiles did not become a file.
#[derive(Debug, Error)]
pub enum AssembleError<E> {
    /// The store of baked tiles failed.
    #[error(transparent)]
    Store(E),
    /// A tile cannot be divided, or linked.
    #[error(transparent)]
    Tile(#[from] recast::Error),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteFileError),
    /// A tile of the island graph was baked, and the store does not have it, or has it without its islands.
    #[error("tile ({}, {}, {}) was baked and lost", .0.x, .0.z, .0.layer)]
    Lost(TileCoord),
    /// The place of `reachable_from`, world metres, is not on the ground.
    #[error(
        "reachable_from: there is no ground within {} m across and {} m in height of {}, {}, {}",
        SEED_REACH[0], SEED_REACH[1], .0[0], .0[1], .0[2]
    )]
    NoGround([f64; 3]),
}
