//! The data that flows between stages. Each type has `check()` for its invariants and `hash()` for golden
//! tests. Also holds the lists and lookups that stages and rules share: they answer questions about the data
//! and decide nothing.

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

/// Returns `Ok` if `holds`, else the description of the invariant.
pub fn require(holds: bool, what: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken(what())) }
}
