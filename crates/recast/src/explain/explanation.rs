//! The explanation of a place: its column, the floors and polygons there, and why floors are not part of the mesh.

use super::cause::Cause;
use crate::area::AreaId;

/// The explanation of one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The place that was asked for, world metres.
    pub at: [f64; 3],
    /// The ground found there.
    pub place: Place,
}

/// The ground at a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Nothing: it lies outside the columns that are baked.
    Outside {
        /// Smallest and largest x, then smallest and largest z that are baked, metres.
        baked: [[f64; 2]; 2],
    },
    /// A column of the grid.
    Column(Column),
}

/// The column that a place lies in.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The column's cell on the lattice, along x and z.
    pub cell: [i64; 2],
    /// How far from the place in height is near: the agent's height in whole cells, metres.
    pub reach: f64,
    /// The floors near the place, the nearest in height first; if none is near, the nearest alone. A solid that the
    /// place lies in comes before all. Empty if the column has no geometry at all.
    pub floors: Vec<Floor>,
    /// How many floors of the column are not near.
    pub other_floors: usize,
    /// How far the nearest column with geometry is, metres, if this one has none and another has.
    pub nearest_geometry: Option<f64>,
    /// The polygons that cover the place as seen from above and are near or cover one of the floors, the nearest
    /// in height first.
    pub polygons: Vec<Covering>,
}

/// A top of solid geometry in a column, and its fate in the bake.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    /// Height of the top, rounded up to whole cells as the bake sees it, world metres.
    pub height: f64,
    /// Free space above it, metres; `None` under the open sky.
    pub clearance: Option<f64>,
    /// The floor's area: after volumes were marked if it got that far, else the level's. Null if it is unwalkable.
    pub area: AreaId,
    /// Whether the place lies below the top, inside the solid.
    pub buried: bool,
    /// Set where the top is too steep, but was kept as it is a step over the floor below: its height, metres.
    pub stepped_over: Option<f64>,
    /// The region it belongs to, from 1, if it got that far.
    pub region: Option<u32>,
    /// Why it is not part of the mesh; `None` if it is.
    pub cause: Option<Cause>,
    /// The polygon that covers it, an index of [`Column::polygons`]. A floor with a cause may be covered all the
    /// same: outlines are simplified.
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
    /// The polygon at the place, near in height; `None` if there is no mesh.
    pub fn polygon(&self) -> Option<&Covering> {
        match &self.place {
            Place::Outside { .. } => None,
            Place::Column(column) => {
                let near = |covering: &&Covering| (covering.height - self.at[1]).abs() <= column.reach;
                column.polygons.first().filter(near)
            }
        }
    }
}
