//! The data that flows between stages. Each type has `check()` for its invariants and `hash()` for golden
//! tests. Also holds the lists and lookups that stages and rules share: they answer questions about the data
//! and decide nothing.
//!
//! # Places
//!
//! A place, such as a corner of a contour or a vertex of the polygon mesh, is `[x, y, z]`: x and z in 1/256
//! cell ([`navmath::FIXED_ONE`]) from the tile's inner corner (without the border), y in cells from the
//! lattice's zero height. Corners between regions are corners of cells, whole multiples of 256; corners of
//! walls may be anywhere. A grid has at most 30,000 cells a side, so x and z are below 2^23 and exact in f32.

pub(crate) mod chain;
pub(crate) mod column_spans;
pub mod compact;
pub mod contour;
pub mod detail_mesh;
pub(crate) mod draft_polygons;
pub(crate) mod floor_lookup;
pub(crate) mod fragment;
pub mod grid;
pub mod neighbours;
pub mod offsets;
pub(crate) mod outline_triangle;
pub mod poly_mesh;
pub(crate) mod region_blocks;
pub mod regions;
pub(crate) mod sides;
pub mod span;
pub(crate) mod surroundings;

pub use compact::{CompactField, DistanceField};
pub use contour::{
    Contour, ContourSet, ContourVertex, RawContour, RawContours, RawVertex, SimplifiedContours,
};
pub use detail_mesh::{DetailMesh, DetailTriangle, SubMesh};
pub use grid::{Direction, Grid};
pub use neighbours::{NO_NEIGHBOUR, Neighbours};
pub use offsets::Offsets;
pub use poly_mesh::{EdgeKind, PolyMesh, Polygon, Side};
pub use regions::{Region, RegionField, RegionId};
pub use span::SpanField;

use navmath::FIXED_ONE;
use std::fmt;

/// A violated invariant of a data type: a bug in the stage that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken(pub String);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}

/// A [place](self#places) in cells on all axes.
#[inline]
pub fn in_cells([x, y, z]: [i32; 3]) -> [f64; 3] {
    let cells = |fixed: i32| f64::from(fixed) / f64::from(FIXED_ONE);
    [cells(x), f64::from(y), cells(z)]
}

/// Returns `Ok` if `holds`, else the description of the invariant.
pub fn require(holds: bool, what: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken(what())) }
}
