//! A hierarchy that cannot be built.

use crate::grid::ClusterCoord;
use crate::measure::MeasureError;
use detour::{QueryError, RefError};
use navtile::TileCoord;
use std::error::Error;
use std::fmt;

/// The reason why a hierarchy cannot be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum HierarchyError<E> {
    /// The world is not in tiles of one size.
    NoTiles,
    /// A size is not a number of metres that can be used.
    Size {
        /// Its name.
        name: &'static str,
        /// The value.
        value: f64,
    },
    /// The list of classes is empty, or two have the same name.
    Classes(String),
    /// A tile cannot be taken.
    Tile(E),
    /// The coordinates of a tile are too large.
    TooFar(TileCoord),
    /// A cluster has more doors than a hierarchy can hold: crossings of its borders, and off-mesh links to
    /// other clusters.
    Crowded {
        /// The cluster, of the first level.
        cluster: ClusterCoord,
        /// The number of doors.
        doors: usize,
    },
    /// The costs of a cluster cannot be measured.
    Measure {
        /// The cluster, of the first level.
        cluster: ClusterCoord,
        /// The reason.
        source: MeasureError,
    },
}

impl<E: fmt::Display> fmt::Display for HierarchyError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HierarchyError::NoTiles => f.write_str(
                "the level is one piece, and a hierarchy needs tiles of one size: bake with a tile size",
            ),
            HierarchyError::Size { name, value } => {
                write!(f, "hierarchy.{name} is {value}: it must be a number of metres greater than 0")
            }
            HierarchyError::Classes(problem) => f.write_str(problem),
            HierarchyError::Tile(error) => error.fmt(f),
            HierarchyError::TooFar(TileCoord { x, z, layer }) => write!(
                f,
                "no tile of a hierarchy can be at ({x}, {z}, {layer}): move the level nearer to its origin"
            ),
            HierarchyError::Crowded { cluster: ClusterCoord { x, z }, doors } => write!(
                f,
                "cluster ({x}, {z}) has {doors} border crossings and links to other clusters, more than a \
                 hierarchy can hold: build it with smaller clusters or a larger spacing"
            ),
            HierarchyError::Measure { cluster: ClusterCoord { x, z }, source } => {
                write!(f, "cluster ({x}, {z}): {source}")
            }
        }
    }
}

impl<E: Error + 'static> Error for HierarchyError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            HierarchyError::Tile(error) => error.source(),
            _ => None,
        }
    }
}

/// A plan that cannot be made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FarError {
    /// A reference to a polygon is not valid.
    Reference(RefError),
    /// A search in a cluster failed.
    Query(QueryError),
    /// The hierarchy does not know the cluster of a tile: it was built without it.
    UnknownTile(TileCoord),
    /// The mesh of a tile has another lattice than the hierarchy, or tiles of another size.
    OtherWorld(TileCoord),
    /// The hierarchy has no class with this number.
    UnknownClass(usize),
}

impl fmt::Display for FarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FarError::Reference(error) => error.fmt(f),
            FarError::Query(error) => error.fmt(f),
            FarError::UnknownTile(TileCoord { x, z, layer }) => write!(
                f,
                "the hierarchy was built without tile ({x}, {z}, {layer}) and its neighbours: build it again"
            ),
            FarError::OtherWorld(TileCoord { x, z, layer }) => write!(
                f,
                "tile ({x}, {z}, {layer}) is on another grid than the hierarchy: take a hierarchy and tiles of one bake"
            ),
            FarError::UnknownClass(class) => write!(f, "the hierarchy has no class {class}"),
        }
    }
}

impl Error for FarError {}

impl From<RefError> for FarError {
    fn from(error: RefError) -> FarError {
        FarError::Reference(error)
    }
}

impl From<QueryError> for FarError {
    fn from(error: QueryError) -> FarError {
        FarError::Query(error)
    }
}
