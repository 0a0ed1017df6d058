//! Errors: of changes to a mesh, of references, and of queries.

use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::{Lattice, LimitError};
use navtile::TileCoord;
use thiserror::Error;

/// A change to a mesh was refused; the mesh is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// The anchor is NaN or infinite.
    #[error("the anchor {0:?} is not finite")]
    Anchor([f64; 3]),
    /// The tile lies on another lattice than the tiles already there.
    #[error(
        "tile ({}, {}, {}) lies on another lattice: origin {:?}, cell {} x {} m; the mesh has origin {:?}, cell {} x {} m: \
         bake both with the same settings and origin",
        coord.x, coord.z, coord.layer, found.origin, found.cell_size, found.cell_height,
        expected.origin, expected.cell_size, expected.cell_height
    )]
    Lattice {
        /// The tile that was refused.
        coord: TileCoord,
        /// The lattice of the mesh.
        expected: Lattice,
        /// The lattice of the tile.
        found: Lattice,
    },
    /// The tile was prepared for a mesh with another anchor.
    #[error(
        "tile ({}, {}, {}) was prepared for anchor {found:?}, but the mesh has anchor {expected:?}: prepare it for that",
        coord.x, coord.z, coord.layer
    )]
    OtherAnchor {
        /// The tile that was refused.
        coord: TileCoord,
        /// The mesh's anchor.
        expected: [f64; 3],
        /// The anchor that the tile was prepared for.
        found: [f64; 3],
    },
    /// There is already a tile at that coordinate.
    #[error("there is already a tile at ({}, {}, {}): remove it first", .0.x, .0.z, .0.layer)]
    Duplicate(TileCoord),
    /// There is no tile at that coordinate.
    #[error("there is no tile at ({}, {}, {})", .0.x, .0.z, .0.layer)]
    NoTile(TileCoord),
    /// The tile lies so far from the anchor that f32 steps there are coarser than a quarter of a cell.
    #[error(
        "tile ({}, {}, {}) reaches {distance} m from the anchor, where f32 positions are coarser than a quarter of \
         the cell size of {cell_size} m: create the mesh with an anchor near its tiles",
        coord.x, coord.z, coord.layer
    )]
    TooFar {
        /// The tile that was refused.
        coord: TileCoord,
        /// Largest distance from the anchor along an axis, metres.
        distance: f64,
        /// The lattice's cell size, metres.
        cell_size: f64,
    },
    /// A count does not fit a polygon reference.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// Area 0 is reserved.
    #[error("polygon {0} cannot have area 0: areas are 1 to 255")]
    AreaZero(PolyRef),
    /// The reference does not name a polygon of this mesh.
    #[error(transparent)]
    Reference(#[from] RefError),
    /// The bytes are not a stored state of this tile.
    #[error("the stored state for tile ({}, {}, {}) {problem}", coord.x, coord.z, coord.layer)]
    State {
        /// The tile to be restored.
        coord: TileCoord,
        /// The problem with the bytes.
        problem: StateProblem,
    },
}

/// Why bytes are not a stored state of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StateProblem {
    /// Too few bytes, or too many.
    #[error("has {found} bytes, expected {expected}; it was truncated or extended")]
    Length {
        /// The expected number of bytes.
        expected: usize,
        /// The number of bytes found.
        found: usize,
    },
    /// It does not begin like a stored state.
    #[error("is not a stored state: it does not begin with NAVSTATE")]
    NoState,
    /// Another version of the format.
    #[error("has version {found}; this library reads version {expected}")]
    Version {
        /// The version that this library reads.
        expected: u32,
        /// The version that was found.
        found: u32,
    },
    /// The bytes were changed.
    #[error("is damaged; store it again")]
    Damaged,
    /// It belongs to another tile, or to this one before it was rebaked.
    #[error("belongs to a tile with checksum {found:08x}, but this one has {expected:08x}; store it again")]
    OtherTile {
        /// The checksum of the tile in the mesh.
        expected: u32,
        /// The checksum of the tile that it belongs to.
        found: u32,
    },
}

/// A reference that does not name a polygon of this mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("polygon {reference}: {problem}")]
pub struct RefError {
    /// The reference.
    pub reference: PolyRef,
    /// The reason.
    pub problem: RefProblem,
}

/// Why a reference names nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RefProblem {
    /// The slot is empty: the tile was removed, or belongs to another mesh.
    #[error("its tile is not loaded; find the polygon again")]
    NotLoaded,
    /// Another tile is in the slot now.
    #[error("its tile was replaced; find the polygon again")]
    Stale,
    /// The tile has fewer polygons.
    #[error("its tile has no polygon with that index; the reference belongs to another mesh")]
    NoSuchPolygon,
    /// It names an off-mesh link, which has no surface and no edges.
    #[error("it names an off-mesh link, which has no surface; ask for a polygon at one of its ends")]
    OffMeshLink,
    /// It names a polygon where an off-mesh link is required.
    #[error("it names a polygon, not an off-mesh link")]
    NoOffMeshLink,
}

/// A query that cannot be answered.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum QueryError {
    /// A position is NaN or infinite.
    #[error("the {what} position {value} is not finite")]
    Position {
        /// Which position of the call.
        what: &'static str,
        /// Its value.
        value: Vec3,
    },
    /// Half extents that are not positive and finite.
    #[error("the half extents {0} must be positive, finite numbers of metres on every axis")]
    HalfExtents(Vec3),
    /// The reference does not name a polygon of this mesh.
    #[error(transparent)]
    Reference(#[from] RefError),
    /// No polygon lies within the search box.
    #[error("no polygon within {half_extents} m of {at}: {reason}")]
    NothingNear {
        /// Centre of the search box.
        at: Vec3,
        /// Half its size along each axis, metres.
        half_extents: Vec3,
        /// Why.
        reason: NothingNear,
    },
    /// An empty path cannot be pulled straight.
    #[error("the path has no polygons; find a path first")]
    EmptyPath,
    /// A radius that is negative, NaN or infinite.
    #[error("the radius {0} must be a finite number of metres, 0 or more")]
    Radius(f32),
    /// A shape that is not a convex polygon.
    #[error("the shape {0}")]
    Shape(ShapeProblem),
    /// The answer needs more polygons than the query has nodes.
    #[error("the search needs more than {limit} polygons; raise the query's limit, or search a smaller area")]
    OutOfNodes {
        /// The query's limit.
        limit: u32,
    },
    /// The shortest path was asked for with areas of different costs.
    #[error(
        "the shortest path can only be found if all areas have the same cost: give them one cost, or use the default \
         search"
    )]
    UnequalCosts,
    /// A field without goals.
    #[error("a field must have at least one goal")]
    NoGoals,
    /// A field's bound that is negative or NaN.
    #[error("the bound {0} must be a cost of 0 or more, or infinite")]
    Bound(f32),
    /// No polygon of the mesh passes the filter.
    #[error("no polygon of the mesh passes the filter; check its flags, and that tiles were added")]
    NothingPasses,
}

/// Why a shape was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ShapeProblem {
    /// Fewer than three corners.
    #[error("has fewer than three corners")]
    TooFewCorners,
    /// A corner is NaN or infinite.
    #[error("has a corner that is not finite")]
    NotFinite,
    /// All corners are on one line as seen from above.
    #[error("has no area as seen from above")]
    NoArea,
    /// It turns left at one corner and right at another.
    #[error("is not convex; split it into convex parts")]
    NotConvex,
}

/// Why nothing was found near a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NothingNear {
    /// The mesh has no tiles.
    #[error("the mesh is empty; add tiles")]
    EmptyMesh,
    /// No polygon reaches into the box.
    #[error("nothing walkable there; search a larger box, or check the up axis and the units")]
    OutsideMesh,
    /// There are polygons, but none of them passes the filter.
    #[error("none of the {0} polygons there passes the filter; check its flags")]
    AllExcluded(u32),
}

/// `Ok` if the position is finite.
pub(crate) fn check_position(what: &'static str, value: Vec3) -> Result<(), QueryError> {
    if value.is_finite() { Ok(()) } else { Err(QueryError::Position { what, value }) }
}

/// `Ok` if every half extent is positive and finite.
pub(crate) fn check_half_extents(value: Vec3) -> Result<(), QueryError> {
    if value.is_finite() && value.min_element() > 0.0 { Ok(()) } else { Err(QueryError::HalfExtents(value)) }
}

/// `Ok` if the radius is finite and not negative.
pub(crate) fn check_radius(value: f32) -> Result<(), QueryError> {
    if value.is_finite() && value >= 0.0 { Ok(()) } else { Err(QueryError::Radius(value)) }
}
