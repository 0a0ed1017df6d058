//! What can go wrong: with a tile that is added, with a reference, with a question.

use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::{Lattice, LimitError};
use navtile::TileCoord;
use thiserror::Error;

/// A change to a mesh that was refused; the mesh is as it was.
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
        "tile ({}, {}, {}) was prepared for the anchor {found:?}, and the mesh has {expected:?}: prepare it for that",
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
    /// There is a tile at that coordinate already.
    #[error("there is a tile at ({}, {}, {}) already: remove it first", .0.x, .0.z, .0.layer)]
    Duplicate(TileCoord),
    /// There is no tile at that coordinate.
    #[error("there is no tile at ({}, {}, {})", .0.x, .0.z, .0.layer)]
    NoTile(TileCoord),
    /// So far from the anchor that f32 steps are coarser than a quarter of a cell.
    #[error(
        "tile ({}, {}, {}) reaches {distance} m from the anchor, where f32 positions are coarser than a quarter of \
         the cell size of {cell_size} m: make the mesh with an anchor near its tiles",
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
    /// Area 0 is no area.
    #[error("polygon {0} cannot be given area 0: areas are 1 to 255")]
    AreaZero(PolyRef),
    /// The reference names no polygon of this mesh.
    #[error(transparent)]
    Reference(#[from] RefError),
    /// Bytes that are no stored flags and areas of this tile.
    #[error("the stored state for tile ({}, {}, {}) {problem}", coord.x, coord.z, coord.layer)]
    State {
        /// The tile that was to be restored.
        coord: TileCoord,
        /// What is wrong with the bytes.
        problem: StateProblem,
    },
}

/// Why bytes are no stored state of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StateProblem {
    /// Too few bytes, or too many.
    #[error("has {found} bytes where {expected} are expected; it was cut off or added to")]
    Length {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// It does not begin as a stored state does.
    #[error("is something else: it does not begin with NAVSTATE")]
    NoState,
    /// Another version of the format.
    #[error("is of version {found}; this library reads version {expected}")]
    Version {
        /// The version that is read.
        expected: u32,
        /// The version that was found.
        found: u32,
    },
    /// Bytes were changed.
    #[error("is damaged; store it again")]
    Damaged,
    /// It was stored of another tile, or of this one before it was baked anew.
    #[error(
        "was stored of a tile with checksum {found:08x}, and this one has {expected:08x}; store it again"
    )]
    OtherTile {
        /// The checksum of the tile in the mesh.
        expected: u32,
        /// The checksum of the tile that it was stored of.
        found: u32,
    },
}

/// A reference that names no polygon of this mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("polygon {reference}: {problem}")]
pub struct RefError {
    /// The reference.
    pub reference: PolyRef,
    /// What is wrong with it.
    pub problem: RefProblem,
}

/// Why a reference names nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RefProblem {
    /// The slot is empty: the tile was removed, or is of another mesh.
    #[error("its tile is not loaded; find the polygon again")]
    NotLoaded,
    /// Another tile stands in the slot now.
    #[error("its tile was replaced; find the polygon again")]
    Stale,
    /// The tile has fewer polygons.
    #[error("its tile has no polygon of that index; the reference is of another mesh")]
    NoSuchPolygon,
    /// It names an off-mesh link, which has no surface and no edges.
    #[error("it names an off-mesh link, which has no surface; ask for a polygon at one of its ends")]
    OffMeshLink,
    /// It names a polygon where an off-mesh link is asked for.
    #[error("it names a polygon, not an off-mesh link")]
    NoOffMeshLink,
}

/// A question that cannot be answered.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum QueryError {
    /// A position is NaN or infinite.
    #[error("the {what} position {value} is not finite")]
    Position {
        /// Which position of the call.
        what: &'static str,
        /// What was given.
        value: Vec3,
    },
    /// Half extents that are not positive and finite.
    #[error("the half extents {0} must be positive, finite numbers of metres on every axis")]
    HalfExtents(Vec3),
    /// The reference names no polygon of this mesh.
    #[error(transparent)]
    Reference(#[from] RefError),
    /// No polygon lies within the search box.
    #[error("no polygon within {half_extents} m of {at}: {reason}")]
    NothingNear {
        /// Centre of the search box.
        at: Vec3,
        /// Half of its size along each axis, metres.
        half_extents: Vec3,
        /// Why there is none.
        reason: NothingNear,
    },
    /// A path of no polygons was to be pulled straight.
    #[error("the path has no polygons: find one first")]
    EmptyPath,
    /// A radius that is negative, NaN or infinite.
    #[error("the radius {0} must be a finite number of metres, 0 or more")]
    Radius(f32),
    /// A shape that is no convex polygon.
    #[error("the shape {0}")]
    Shape(ShapeProblem),
    /// The answer needs more polygons than the query has nodes.
    #[error("the search needs more than {limit} polygons; give the query a larger limit, or search less far")]
    OutOfNodes {
        /// How many polygons a search of this query may touch.
        limit: u32,
    },
    /// The shortest way was asked for with areas of which a metre costs differently.
    #[error(
        "the shortest way is found where a metre costs the same everywhere: give all areas one cost, or take the \
         usual path"
    )]
    UnequalCosts,
    /// The filter lets no polygon of the mesh pass.
    #[error("the filter lets no polygon of the mesh pass; check its flags, and that tiles were added")]
    NothingPasses,
}

/// Why a shape is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ShapeProblem {
    /// Fewer than three corners.
    #[error("has fewer than three corners")]
    TooFewCorners,
    /// A corner is NaN or infinite.
    #[error("has a corner that is not finite")]
    NotFinite,
    /// All corners lie on a line, as seen from above.
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
    /// There are polygons, and the filter lets none of them pass.
    #[error("the filter lets none of the {0} polygons there pass; check its flags")]
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
