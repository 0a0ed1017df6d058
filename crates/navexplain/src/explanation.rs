//! The explanation of a place: its column, the floors and polygons there, and why floors are not part of the
//! mesh.

use super::way::Change;
use navlinks::Reason;
use navtile::area::AreaId;

/// The explanation of one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The place that was asked for, world metres.
    pub at: [f64; 3],
    /// The ground found there.
    pub location: Location,
    /// For a place without mesh: the change to exact outlines, if a bake with them has mesh there. Otherwise
    /// empty.
    pub remedy: Vec<Change>,
}

/// The ground at a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Location {
    /// The place is outside the baked columns.
    Outside {
        /// Smallest and largest x, then smallest and largest z of the baked columns, metres.
        baked: [[f64; 2]; 2],
    },
    /// A column of the grid.
    Column(Column),
}

/// The column that contains a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The column's cell on the lattice, along x and z.
    pub cell: [i64; 2],
    /// Largest difference in height that counts as near: the agent's height in whole cells, metres.
    pub reach: f64,
    /// The floors near the place, the nearest in height first. If no floor is near, only the nearest one. A
    /// solid that contains the place comes before all others. Empty if the column has no geometry at all.
    pub floors: Vec<Floor>,
    /// Number of floors of the column that are not near.
    pub other_floors: usize,
    /// Distance to the nearest column with geometry, metres, if this column has no geometry and another has.
    pub nearest_geometry: Option<f64>,
    /// The polygons that cover the place as seen from above and are near it or cover one of the floors, the
    /// nearest in height first.
    pub polygons: Vec<Covering>,
}

/// A top of solid geometry in a column, and its fate in the bake.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    /// Height of the top, rounded up to whole cells as the bake sees it, world metres.
    pub height: f64,
    /// Free space above it, metres; `None` under the open sky.
    pub clearance: Option<f64>,
    /// Area of the floor: after volumes were marked if the floor got that far, otherwise the level's. Null if
    /// it is unwalkable.
    pub area: AreaId,
    /// True if the place is below the top, inside the solid.
    pub buried: bool,
    /// Height of the step over the floor below, metres; set if the top is too steep but was kept as a step.
    pub stepped_over: Option<f64>,
    /// Region that it belongs to, from 1, if it got that far.
    pub region: Option<u32>,
    /// Reason for which it is not part of the mesh; `None` if it is part of it.
    pub cause: Option<Reason>,
    /// Index in [`Column::polygons`] of the polygon that covers it. A floor with a cause may be covered too,
    /// because outlines are simplified.
    pub polygon: Option<usize>,
}

/// A polygon that covers a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Covering {
    /// Index of the polygon in the tile.
    pub polygon: usize,
    /// Area of the polygon.
    pub area: AreaId,
    /// Flags of the polygon.
    pub flags: u32,
    /// Height of the mesh there, world metres.
    pub height: f64,
}

impl Explanation {
    /// The polygon at the place, near in height; `None` if the place has no mesh.
    pub fn polygon(&self) -> Option<&Covering> {
        match &self.location {
            Location::Outside { .. } => None,
            Location::Column(column) => {
                let near = |covering: &&Covering| (covering.height - self.at[1]).abs() <= column.reach;
                column.polygons.first().filter(near)
            }
        }
    }
}
