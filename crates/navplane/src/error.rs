//! Errors of maps and their bakes.

use navmath::FieldError;
use navmath::LimitError;
use std::fmt;
use thiserror::Error;

/// The list of a [`Map`](crate::Map) that a polygon belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolygonList {
    /// [`Map::outlines`](crate::Map::outlines).
    Outlines,
    /// [`Map::obstacles`](crate::Map::obstacles).
    Obstacles,
    /// [`Map::areas`](crate::Map::areas).
    Areas,
}

/// The place of a point in a map; all numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointIndex {
    /// The list that its polygon belongs to.
    pub list: PolygonList,
    /// Index of the polygon in the list.
    pub polygon: usize,
    /// Index of the ring in the polygon: 0 is the outline, holes follow.
    pub ring: usize,
    /// Index of the point in the ring.
    pub point: usize,
}

impl fmt::Display for PointIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = match self.list {
            PolygonList::Outlines => "outline",
            PolygonList::Obstacles => "obstacle",
            PolygonList::Areas => "area polygon",
        };
        write!(f, "{list} {}, ring {}, point {}", self.polygon, self.ring, self.point)
    }
}

/// A map that cannot be baked.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// Settings are out of range; every offending field is listed.
    #[error("settings are out of range: {}", .0.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("; "))]
    Settings(Vec<FieldError>),
    /// A coordinate is NaN or infinite.
    #[error("{place} is {position:?}: coordinates must be finite")]
    NotFinite {
        /// Place of the point.
        place: PointIndex,
        /// Position of the point.
        position: [f64; 2],
    },
    /// No outline encloses anything.
    #[error("the map has no outline with an area: nothing to bake")]
    Empty,
    /// Obstacles or the agent's radius leave no ground.
    #[error(
        "no ground is left for an agent of radius {radius}: choose a smaller radius, or check the obstacles"
    )]
    NothingLeft {
        /// The agent's radius, metres.
        radius: f64,
    },
    /// A limit is hit.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// An end of an off-mesh connection has no ground, or the link is too long.
    #[error("off-mesh connection {connection}: {what}")]
    OffMesh {
        /// Its index in the list.
        connection: usize,
        /// The error, in words.
        what: String,
    },
    /// The tile's content could not be written.
    #[error("writing the tile: {0}")]
    Write(#[from] navtile::WriteError),
    /// The tile was written, but does not pass verification: a bug in the bake, not in the map.
    #[error("the baked tile is unsound, which is a bug in the bake: {0}")]
    Unsound(navtile::TileError),
    /// An invariant of the bake does not hold: a bug in the bake, not in the map.
    #[error("{0}, which is a bug in the bake: report it with the map")]
    Broken(&'static str),
}
