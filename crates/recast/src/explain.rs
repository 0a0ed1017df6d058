//! Why there is mesh at a place, or why there is none: which stage dropped the floor there, and by which numbers.
//! Units: metres, square metres, degrees. Cost: one bake, and O(triangles + columns) on top.
//!
//! The level is baked as always; a tap watches what each stage makes of the one column that the place lies in.
//! What is told is what the stages did, not a guess at it: the numbers are those that they compared.

mod cause;
mod erosion;
mod ledge;
mod polygons;
mod regions;
mod trace;
mod triangles;

pub use cause::{Cause, Comparison};

use crate::area::AreaId;
use crate::build::bake_tapped;
use crate::error::Error;
use crate::input::PreparedLevel;
use crate::observer::Observer;
use crate::scratch::Scratch;
use crate::tile_build::TileBuild;
use trace::Trace;

/// What became of a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The place that was asked for, world metres.
    pub at: [f64; 3],
    /// What is there.
    pub place: Place,
}

/// What is at a place.
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
    /// Where it stands on the lattice, cells along x and z.
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

/// A top of solid geometry in a column, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    /// Height of the top, rounded up to whole cells as the bake sees it, world metres.
    pub height: f64,
    /// Free space above it, metres; `None` under the open sky.
    pub clearance: Option<f64>,
    /// What it is: after volumes were marked if it came so far, else as the level has it. Null if nothing can
    /// walk on it.
    pub area: AreaId,
    /// Whether the place lies below the top, inside the solid.
    pub buried: bool,
    /// Set where the top is too steep, but was kept as it is a step over the floor below: its height, metres.
    pub stepped_over: Option<f64>,
    /// The region it belongs to, from 1, if it came so far.
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
    /// Its index in the tile.
    pub polygon: usize,
    /// Its area.
    pub area: AreaId,
    /// Its flags.
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

/// Bakes a tile and tells what became of the place `at`, world metres. For a level baked whole give
/// [`TileBuild::solo`].
///
/// # Errors
/// Whatever the bake fails of, and [`Error::Cancelled`].
pub fn explain(
    level: &PreparedLevel,
    build: &TileBuild,
    at: [f64; 3],
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Explanation, Error> {
    let Some(mut trace) = Trace::new(level, build, at) else {
        return Ok(Explanation { at, place: Place::Outside { baked: baked_range(level, build) } });
    };
    let baked = bake_tapped(level, build, observer, scratch, &mut |snapshot| trace.see(snapshot))?;
    Ok(Explanation { at, place: Place::Column(trace.finish(&baked.tile)) })
}

/// What the grid covers along x and z, world metres.
fn baked_range(level: &PreparedLevel, build: &TileBuild) -> [[f64; 2]; 2] {
    let grid = &build.grid;
    let along = |axis: usize, base: i32, count: u32| {
        let base = i64::from(base);
        [base, base + i64::from(count)]
            .map(|line| level.lattice.origin[axis] + line as f64 * level.lattice.cell_size)
    };
    [along(0, grid.base_x, grid.width), along(2, grid.base_z, grid.depth)]
}
