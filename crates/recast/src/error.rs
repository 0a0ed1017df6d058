//! Errors of a bake. Each says what is wrong, where, and how to fix it.

use crate::data::Grid;
use crate::settings::FieldError;
use navmath::LimitError;
use thiserror::Error;

/// A bake that cannot be done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Settings are out of range; every offending field is listed.
    #[error("settings are out of range: {}", .0.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("; "))]
    Settings(Vec<FieldError>),
    /// The level is not usable.
    #[error("{0}")]
    Level(#[from] LevelError),
    /// A limit is hit.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The grid would not fit in memory; nothing was allocated.
    #[error(
        "a grid of {width} x {depth} cells needs about {estimate_mib} MiB, more than the {bound_mib} MiB allowed: \
         enlarge the cell size, give smaller bounds, or bake in tiles"
    )]
    TooLarge {
        /// Cells along x.
        width: u64,
        /// Cells along z.
        depth: u64,
        /// Memory expected, MiB.
        estimate_mib: u64,
        /// Memory allowed, MiB.
        bound_mib: u64,
    },
    /// The tile's content could not be written.
    #[error("writing the tile: {0}")]
    Write(#[from] navtile::WriteError),
    /// The tile was written, but does not pass its own verification: a bug in the bake, not in the level.
    #[error("the baked tile is unsound, which is a bug in the bake: {0}")]
    Unsound(navtile::TileError),
    /// Two regions do not have the same border between them: a bug in the bake, not in the level.
    #[error(
        "the regions of the tile that starts at cell ({x}, {z}) have gaps or overlaps of {cells} cells \
         between them, which is a bug in the bake"
    )]
    Gaps {
        /// First cell of the tile along x.
        x: i64,
        /// First cell of the tile along z.
        z: i64,
        /// Overlaps less gaps, cells.
        cells: f64,
    },
    /// A tile of a level in tiles could not be baked.
    #[error("tile ({x}, {z}), from {:.2}, {:.2} to {:.2}, {:.2} in x and z: {error}", .place[0], .place[1], .place[2], .place[3])]
    Tile {
        /// The tile's x coordinate among the tiles.
        x: i32,
        /// The tile's z coordinate among the tiles.
        z: i32,
        /// Smallest x and z of the tile, then its largest, world metres.
        place: [f64; 4],
        /// The reason.
        error: Box<Error>,
    },
    /// The observer asked to stop.
    #[error("the bake was cancelled")]
    Cancelled,
}

impl From<navtile::BuildError> for Error {
    fn from(error: navtile::BuildError) -> Error {
        match error {
            navtile::BuildError::Write(error) => Error::Write(error),
            navtile::BuildError::Unsound(error) => Error::Unsound(error),
        }
    }
}

impl Error {
    /// Returns the underlying error, without the tile of [`Error::Tile`].
    pub fn cause(&self) -> &Error {
        match self {
            Error::Tile { error, .. } => error,
            other => other,
        }
    }

    /// Regions with gaps or overlaps of some cells between them.
    pub(crate) fn gaps(grid: &Grid, cells: f64) -> Error {
        let [x, _, z] = grid.inner_base();
        Error::Gaps { x, z, cells }
    }

    /// A grid that needs more memory than is allowed, bytes.
    pub fn too_large(grid: &Grid, estimate: u64, bound: u64) -> Error {
        let (width, depth) = (u64::from(grid.width), u64::from(grid.depth));
        let mib = |bytes: u64| bytes.div_ceil(1 << 20);
        Error::TooLarge { width, depth, estimate_mib: mib(estimate), bound_mib: bound >> 20 }
    }
}

/// A level that cannot be baked.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LevelError {
    /// No triangles.
    #[error("the level has no triangles: nothing to bake")]
    Empty,
    /// Triangles, but none with an area.
    #[error("all {0} triangles of the level are degenerate (no area): nothing to bake")]
    AllDegenerate(usize),
    /// A vertex is NaN or infinite.
    #[error("vertex {vertex} is {position:?}: coordinates must be finite")]
    NotFinite {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// The position of the vertex.
        position: [f64; 3],
    },
    /// A vertex is too far away for exact arithmetic.
    #[error(
        "vertex {vertex} is {position:?}, too far from the lattice's zero {origin:?}: check its coordinates"
    )]
    TooFar {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// The position of the vertex.
        position: [f64; 3],
        /// The lattice's zero: the smallest corner of the bounds.
        origin: [f64; 3],
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but the level has {count} vertices, numbered from 0")]
    IndexOutOfRange {
        /// Index of the triangle, from 0.
        triangle: usize,
        /// The index it names.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// An off-mesh connection reaches further than the fixed-point numbers of a tile.
    #[error("off-mesh connection {connection} is too long: its end is out of range of its start's tile")]
    OffMeshTooLong {
        /// Index of the connection, from 0.
        connection: usize,
    },
    /// The list of areas does not match the list of triangles.
    #[error("{areas} triangle areas for {triangles} triangles: give one per triangle, or none")]
    AreaCount {
        /// Areas given.
        areas: usize,
        /// Triangles given.
        triangles: usize,
    },
    /// No triangle is within the bounds.
    #[error("no triangle of the level is within the bounds {min:?} to {max:?}")]
    OutsideBounds {
        /// Smallest corner of the bounds, world metres.
        min: [f64; 3],
        /// Largest corner of the bounds, world metres.
        max: [f64; 3],
    },
}
