//! Pictures of every intermediate result of the bake and of the finished mesh, as SVG and as PNG.
//!
//! - [`scene`]: [`Picture`], what is drawn: layers of shapes in world metres, with a title and a legend.
//! - [`mesh`]: the finished mesh from above, with a path on it if asked.
//! - [`mod@overview`]: a mesh of any size from above, tile by tile, with what was found on the way.
//! - [`tile_map`]: maps of tiles: a measure as colours, or kinds of tiles.
//! - [`stage`]: one function a stage result.
//! - [`error`]: why a picture cannot be made.
//!
//! A picture is laid out once ([`Picture::to_svg`] and [`Picture::to_png`] show the same page). The same
//! picture always gives the same bytes, so that two can be compared as files.

#![forbid(unsafe_code)]

mod cells;
pub mod colour;
pub mod error;
mod font;
mod islands;
mod layout;
pub mod mesh;
pub mod number;
pub mod overview;
mod path;
mod raster;
pub mod scene;
pub mod stage;
mod surface;
mod svg;
pub mod tile_map;

pub use colour::Colour;
pub use error::DrawError;
pub use mesh::{ColourBy, MeshOptions, PathMark, mesh_picture};
pub use overview::{Overview, overview};
pub use scene::Picture;

// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
