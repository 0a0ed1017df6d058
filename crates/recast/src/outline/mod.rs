//! Exact outlines: the border of the ground that an agent can be on, from triangles instead of cells.
//!
//! Cells decide what is ground and how it is connected, triangles where it ends:
//!
//! 1. `find` finds the *wall lines* behind each side of a floor that no step leads over: the triangles
//!    between climb and head height, or the edges of the triangles that carry the floor, or the side itself
//!    if no triangle explains it.
//! 2. `reach` lists the lines near each floor whose cell may be at the end of the free ground.
//! 3. `keep` keeps the floors whose cell has a place at least the radius from all of them, and closes the
//!    gaps that are too narrow; `steps` closes the steps between them that an agent has no room for.
//! 4. `walls` moves the traced outlines onto the lines at the radius from the wall lines, with chords outside
//!    of rounded corners, and `fewer` cuts off what is shallow. `volumes` does the same for the edges of
//!    volumes, without the radius; `capsule` finds the outline of a capsule at the height of the ground.
//!    `areas` does it for the lines between triangles of two areas, which `area_search` finds.
//!
//! For explanations, `room` finds the line that is too near to a place.
//!
//! Units: cells, from the zero of the lattice, so that neighbouring tiles compute the same numbers.

mod arcs;
mod area_search;
mod areas;
mod capsule;
mod curves;
mod fewer;
mod find;
mod keep;
mod lines;
mod moves;
mod pieces;
mod reach;
mod room;
mod shadows;
mod shape;
mod slab;
mod steps;
mod vector;
mod volumes;
mod walls;

pub use keep::{Params, erode};
pub use lines::WallLines;
pub(crate) use lines::{AtBorder, FloorsAround};
pub(crate) use moves::{Moves, OutlineFault};
pub use room::{NoRoom, no_room};
pub(crate) use volumes::VolumeEdges;
pub(crate) use walls::WallMover;
