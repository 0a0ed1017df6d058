//! Errors: of changes to a mesh, of references, and of queries.

use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::{Lattice, LimitError};
use navtile::TileCoord;
use std::error::Error;
use std::fmt;

/// A change to a mesh was refused; the mesh is unchanged.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshError {
    /// The anchor is NaN or infinite.
    Anchor([f64; 3]),
    /// The lattice of the tile differs from that of the tiles already in the mesh.
    Lattice {
        /// The tile that was refused.
        coord: TileCoord,
        /// The lattice of the mesh.
        expected: Lattice,
        /// The lattice of the tile.
        found: Lattice,
    },
    /// The tile was prepared for a mesh with another anchor.
    OtherAnchor {
        /// The tile that was refused.
        coord: TileCoord,
        /// The mesh's anchor.
        expected: [f64; 3],
        /// The anchor that the tile was prepared for.
        found: [f64; 3],
    },
    /// There is already a tile at that coordinate.
    Duplicate(TileCoord),
    /// There is no tile at that coordinate.
    NoTile(TileCoord),
    /// The tile is so far from the anchor that f32 steps there are coarser than a quarter of a cell.
    TooFar {
        /// The tile that was refused.
        coord: TileCoord,
        /// Largest distance from the anchor along an axis, metres.
        distance: f64,
        /// The lattice's cell size, metres.
        cell_size: f64,
    },
    /// A count does not fit a polygon reference.
    Limit(LimitError),
    /// Area 0 is reserved.
    AreaZero(PolyRef),
    /// The reference does not name a polygon of this mesh.
    Reference(RefError),
    /// The bytes are not a stored state of this tile.
    State {
        /// The tile to be restored.
        coord: TileCoord,
        /// The problem with the bytes.
        problem: StateProblem,
    },
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshError::Anchor(anchor) => write!(f, "the anchor {anchor:?} is not finite"),
            MeshError::Lattice { coord, expected, found } => write!(
                f,
                "tile ({}, {}, {}) is on another lattice: origin {:?}, cell {} x {} m; the mesh has origin {:?}, cell {} x {} m: \
                 bake both with the same settings and origin",
                coord.x,
                coord.z,
                coord.layer,
                found.origin,
                found.cell_size,
                found.cell_height,
                expected.origin,
                expected.cell_size,
                expected.cell_height
            ),
            MeshError::OtherAnchor { coord, expected, found } => write!(
                f,
                "tile ({}, {}, {}) was prepared for anchor {found:?}, but the mesh has anchor {expected:?}: prepare it for that anchor",
                coord.x, coord.z, coord.layer
            ),
            MeshError::Duplicate(coord) => write!(
                f,
                "there is already a tile at ({}, {}, {}): remove it first",
                coord.x, coord.z, coord.layer
            ),
            MeshError::NoTile(coord) => {
                write!(f, "there is no tile at ({}, {}, {})", coord.x, coord.z, coord.layer)
            }
            MeshError::TooFar { coord, distance, cell_size } => write!(
                f,
                "tile ({}, {}, {}) reaches {distance} m from the anchor, where f32 positions are coarser than a quarter of \
                 the cell size of {cell_size} m: create the mesh with an anchor near its tiles",
                coord.x, coord.z, coord.layer
            ),
            MeshError::Limit(error) => error.fmt(f),
            MeshError::AreaZero(polygon) => {
                write!(f, "polygon {polygon} cannot have area 0: areas are 1 to 255")
            }
            MeshError::Reference(error) => error.fmt(f),
            MeshError::State { coord, problem } => {
                write!(f, "the stored state for tile ({}, {}, {}) {problem}", coord.x, coord.z, coord.layer)
            }
        }
    }
}

impl Error for MeshError {}

impl From<LimitError> for MeshError {
    fn from(error: LimitError) -> MeshError {
        MeshError::Limit(error)
    }
}

impl From<RefError> for MeshError {
    fn from(error: RefError) -> MeshError {
        MeshError::Reference(error)
    }
}

/// The reason why bytes are not a stored state of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateProblem {
    /// Too few bytes, or too many.
    Length {
        /// The expected number of bytes.
        expected: usize,
        /// The number of bytes found.
        found: usize,
    },
    /// The bytes do not begin like a stored state.
    NoState,
    /// Another version of the format.
    Version {
        /// The version that this library reads.
        expected: u32,
        /// The version that was found.
        found: u32,
    },
    /// The bytes were changed.
    Damaged,
    /// The state belongs to another tile, or to this tile before it was rebaked.
    OtherTile {
        /// The checksum of the tile in the mesh.
        expected: u32,
        /// The checksum of the tile that the state belongs to.
        found: u32,
    },
}

impl fmt::Display for StateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateProblem::Length { expected, found } => {
                write!(f, "has {found} bytes, expected {expected}; it was truncated or extended")
            }
            StateProblem::NoState => f.write_str("is not a stored state: it does not begin with NAVSTATE"),
            StateProblem::Version { expected, found } => {
                write!(f, "has version {found}; this library reads version {expected}")
            }
            StateProblem::Damaged => f.write_str("is damaged; store it again"),
            StateProblem::OtherTile { expected, found } => write!(
                f,
                "belongs to a tile with checksum {found:08x}, but this one has {expected:08x}; store it again"
            ),
        }
    }
}

impl Error for StateProblem {}

/// A reference that does not name a polygon of this mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefError {
    /// The reference.
    pub reference: PolyRef,
    /// The reason.
    pub problem: RefProblem,
}

impl fmt::Display for RefError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RefError { reference, problem } = self;
        write!(f, "polygon {reference}: {problem}")
    }
}

impl Error for RefError {}

/// The reason why a reference names nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefProblem {
    /// The slot is empty: the tile was removed, or belongs to another mesh.
    NotLoaded,
    /// Another tile is in the slot now.
    Stale,
    /// The tile has fewer polygons.
    NoSuchPolygon,
    /// It names an off-mesh link, which has no surface and no edges.
    OffMeshLink,
    /// It names a polygon where an off-mesh link is required.
    NoOffMeshLink,
}

impl fmt::Display for RefProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefProblem::NotLoaded => f.write_str("its tile is not loaded; find the polygon again"),
            RefProblem::Stale => f.write_str("its tile was replaced; find the polygon again"),
            RefProblem::NoSuchPolygon => {
                f.write_str("its tile has no polygon with that index; the reference belongs to another mesh")
            }
            RefProblem::OffMeshLink => f.write_str(
                "it names an off-mesh link, which has no surface; ask for a polygon at one of its ends",
            ),
            RefProblem::NoOffMeshLink => f.write_str("it names a polygon, not an off-mesh link"),
        }
    }
}

impl Error for RefProblem {}

/// A query that cannot be answered.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryError {
    /// A position is NaN or infinite.
    Position {
        /// Which position of the call.
        what: &'static str,
        /// Its value.
        value: Vec3,
    },
    /// Half extents that are not positive and finite.
    HalfExtents(Vec3),
    /// The reference does not name a polygon of this mesh.
    Reference(RefError),
    /// There is no polygon within the search box.
    NothingNear {
        /// The centre of the search box.
        at: Vec3,
        /// Half the size of the box along each axis, metres.
        half_extents: Vec3,
        /// The reason.
        reason: NothingNear,
    },
    /// An empty path cannot be pulled straight.
    EmptyPath,
    /// A radius that is negative, NaN or infinite.
    Radius(f32),
    /// A shape that is not a convex polygon.
    Shape(ShapeProblem),
    /// The answer needs more polygons than the query has nodes.
    OutOfNodes {
        /// The query's limit.
        limit: u32,
    },
    /// The shortest path was asked for with areas of different costs.
    UnequalCosts,
    /// The shortest path was asked for in slices.
    ShortestInSlices,
    /// A path over slopes that cost something or are limited was asked for in slices.
    SlopesInSlices,
    /// A field was asked for with slopes that cost something or are limited.
    SlopesInField,
    /// A field without goals.
    NoGoals,
    /// A field's bound that is negative or NaN.
    Bound(f32),
    /// No polygon of the mesh passes the filter.
    NothingPasses,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryError::Position { what, value } => write!(f, "the {what} position {value} is not finite"),
            QueryError::HalfExtents(size) => write!(f, "the half extents {size} must be positive, finite numbers of metres on every axis"),
            QueryError::Reference(error) => error.fmt(f),
            QueryError::NothingNear { at, half_extents, reason } => write!(f, "no polygon within {half_extents} m of {at}: {reason}"),
            QueryError::EmptyPath => f.write_str("the path has no polygons; find a path first"),
            QueryError::Radius(radius) => write!(f, "the radius {radius} must be a finite number of metres, 0 or more"),
            QueryError::Shape(problem) => write!(f, "the shape {problem}"),
            QueryError::OutOfNodes { limit } => write!(f, "the search needs more than {limit} polygons; raise the query's limit, or search a smaller area"),
            QueryError::UnequalCosts => f.write_str("the shortest path can only be found if all areas have the same cost and slopes have none: give them one cost, or use the default \
                 search"),
            QueryError::ShortestInSlices => f.write_str("a search for the shortest path cannot be divided into slices: find the path in one call, or search near the shortest"),
            QueryError::SlopesInSlices => f.write_str("a search over slopes cannot be divided into slices: find the path in one call, or use a filter without costs and limits of slopes"),
            QueryError::SlopesInField => f.write_str("a field does not know costs and limits of slopes: find a path for each agent, or use a filter without them"),
            QueryError::NoGoals => f.write_str("a field must have at least one goal"),
            QueryError::Bound(bound) => write!(f, "the bound {bound} must be a cost of 0 or more, or infinite"),
            QueryError::NothingPasses => f.write_str("no polygon of the mesh passes the filter; check its flags, and that tiles were added"),
        }
    }
}

impl Error for QueryError {}

impl From<RefError> for QueryError {
    fn from(error: RefError) -> QueryError {
        QueryError::Reference(error)
    }
}

/// The reason why a shape was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeProblem {
    /// Fewer than three corners.
    TooFewCorners,
    /// A corner is NaN or infinite.
    NotFinite,
    /// All corners are on one line as seen from above.
    NoArea,
    /// The outline turns left at one corner and right at another.
    NotConvex,
}

impl fmt::Display for ShapeProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeProblem::TooFewCorners => f.write_str("has fewer than three corners"),
            ShapeProblem::NotFinite => f.write_str("has a corner that is not finite"),
            ShapeProblem::NoArea => f.write_str("has no area as seen from above"),
            ShapeProblem::NotConvex => f.write_str("is not convex; split it into convex parts"),
        }
    }
}

impl Error for ShapeProblem {}

/// The reason why nothing was found near a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NothingNear {
    /// The mesh has no tiles.
    EmptyMesh,
    /// No polygon reaches into the box.
    OutsideMesh,
    /// There are polygons, but none of them passes the filter.
    AllExcluded(u32),
}

impl fmt::Display for NothingNear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NothingNear::EmptyMesh => f.write_str("the mesh is empty; add tiles"),
            NothingNear::OutsideMesh => {
                f.write_str("nothing walkable there; search a larger box, or check the up axis and the units")
            }
            NothingNear::AllExcluded(count) => {
                write!(f, "none of the {count} polygons there passes the filter; check its flags")
            }
        }
    }
}

impl Error for NothingNear {}

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
