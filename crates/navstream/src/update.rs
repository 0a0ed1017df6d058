//! The limits of an update, and its result.

use detour::MeshError;
use navtile::{TileCoord, TileError};
use std::error::Error;
use std::fmt;

/// The limits of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of the tiles in the mesh. By default 256 MiB. A mesh also holds data that it derives from
    /// its tiles: 0.6 to 1.5 times their bytes, measured with tiles of 11 and of 1.6 kB.
    pub memory: u64,
    /// Most answers that an update takes from the source; 0 pauses. By default 8.
    pub tiles: u32,
    /// An update takes no further answer once it has added this number of bytes. By default 1 MiB.
    pub bytes: u64,
    /// Most requests that wait for an answer. Few, so that a tile that becomes urgent does not wait for many
    /// others. By default 16.
    pub in_flight: u32,
    /// Number of updates after which a tile that failed is requested again; `None` for
    /// [`TileStream::reload`](crate::TileStream::reload) alone. By default 600.
    pub retry_after: Option<u32>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { memory: 256 << 20, tiles: 8, bytes: 1 << 20, in_flight: 16, retry_after: Some(600) }
    }
}

/// The result of an update.
#[derive(Debug, Default)]
pub struct Update {
    /// The tiles that changed in the mesh, in the order in which they did.
    pub changes: Vec<TileChange>,
    /// The tiles that failed, each in the update in which it did.
    pub failed: Vec<FailedTile>,
    /// Tiles that the source does not have, although the world lists them. They are not requested again
    /// before [`TileStream::reload`](crate::TileStream::reload).
    pub absent: Vec<TileCoord>,
    /// Number of tiles that are needed, fit, and are not in the mesh yet. 0 means that all has arrived.
    pub waiting: usize,
    /// Number of needed tiles that do not fit into [`Limits::memory`], the least urgent;
    /// [`TileStream::over_limit`](crate::TileStream::over_limit) lists them.
    pub over_limit: usize,
    /// Number of answers that nothing waited for: they came twice, after their request was cancelled, or
    /// unasked.
    pub dropped: usize,
}

impl Update {
    /// The tiles whose polygons can no longer be referred to: removed and replaced ones, in order.
    pub fn stale(&self) -> impl Iterator<Item = TileCoord> + '_ {
        self.changes.iter().filter(|change| change.kind != ChangeKind::Added).map(|change| change.coord)
    }
}

/// A change of a tile in the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileChange {
    /// The tile.
    pub coord: TileCoord,
    /// The change.
    pub kind: ChangeKind,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The tile was added.
    Added,
    /// The tile was replaced with another bake of it. References to the polygons of the old one are stale.
    Replaced,
    /// The tile was removed. References to its polygons are stale.
    Removed,
}

/// A tile that failed.
#[derive(Debug)]
pub struct FailedTile {
    /// The tile.
    pub coord: TileCoord,
    /// The reason.
    pub fault: TileFault,
}

impl fmt::Display for FailedTile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TileCoord { x, z, layer } = self.coord;
        write!(f, "tile ({x}, {z}, {layer}): {}", self.fault)
    }
}

/// The reason why a tile failed.
#[derive(Debug)]
pub enum TileFault {
    /// The source could not fetch it.
    Source(Box<dyn Error + Send + Sync>),
    /// The bytes are not a valid tile.
    Invalid(TileError),
    /// It is the tile of another coordinate.
    OtherTile(TileCoord),
    /// It does not fit the mesh: it is on another lattice, too far from the anchor, or prepared for another
    /// anchor.
    Mesh(MeshError),
    /// The tile was added, but flags and areas that were changed before it was removed could not be restored
    /// and are dropped: the tile was baked again since, or a saved game is damaged
    /// ([`TileStream::set_states`](crate::TileStream::set_states)).
    State(MeshError),
}

impl fmt::Display for TileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TileFault::Source(error) => error.fmt(f),
            TileFault::Invalid(error) => error.fmt(f),
            TileFault::OtherTile(TileCoord { x, z, layer }) => {
                write!(f, "the source answered with tile ({x}, {z}, {layer})")
            }
            TileFault::Mesh(error) | TileFault::State(error) => error.fmt(f),
        }
    }
}

impl Error for TileFault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            TileFault::Source(error) => error.source(),
            _ => None,
        }
    }
}
