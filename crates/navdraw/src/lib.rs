//! Pictures of every intermediate result of the bake and of the finished mesh, as SVG and as PNG.
//!
//! - [`scene`]: [`Picture`], layers of shapes in world metres, with a title and a legend.
//! - [`mesh`]: the finished mesh from above, optionally with a path on it.
//! - [`outline`]: the edges of a level, drawn beneath its mesh.
//! - [`mod@overview`]: a mesh of any size from above, tile by tile, with its islands and areas.
//! - [`tile_map`]: maps of tiles: a measure as colours, or kinds of tiles.
//! - [`stage`]: one function per stage result.
//! - [`error`]: errors of drawing a picture.
//!
//! A picture is laid out once ([`to_svg`] and [`to_png`] show the same page). The same picture always gives
//! the same bytes, so that two pictures can be compared as files.

#![forbid(unsafe_code)]

mod cells;
pub mod colour;
pub mod error;
mod font;
mod islands;
mod layout;
mod links;
pub mod mesh;
pub mod number;
pub mod outline;
pub mod overview;
mod path;
mod raster;
pub mod scene;
pub mod stage;
mod surface;
mod svg;
pub mod tile_map;
mod tracks;

pub use colour::Colour;
pub use error::DrawError;
pub use layout::locate::{locate, size};
pub use mesh::{ColourBy, MeshOptions, mesh_picture};
pub use outline::LevelEdges;
pub use overview::{Overview, overview};
pub use path::PathMark;
pub use scene::Picture;
pub use svg::escape;
pub use tracks::{TrackGroup, Tracks};

// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// A picture as an SVG document.
///
/// ```
/// use navdraw::scene::{Shape, Stroke, Window};
/// use navdraw::{Colour, Picture, to_svg};
///
/// let mut picture = Picture::new("A wall", Window { min: [0.0, 0.0], max: [4.0, 2.0] });
/// let wall = Shape::polyline(vec![[0.5, 1.0], [3.5, 1.0]], Stroke::new(Colour::PATH, 3.0));
/// picture.push_layer("wall", vec![wall]);
/// assert!(to_svg(&picture).starts_with("<svg "));
/// ```
pub fn to_svg(picture: &Picture) -> String {
    svg::write(&layout::page(picture))
}

/// A picture as a PNG file, `width` pixels wide; its height follows. The page is made for about 1,600.
///
/// ```
/// use navdraw::{Picture, to_png};
///
/// let picture = Picture::empty("No mesh", "Nothing is walkable.");
/// assert!(to_png(&picture, 800)?.starts_with(b"\x89PNG"));
/// # Ok::<(), navdraw::DrawError>(())
/// ```
///
/// # Errors
/// [`DrawError`] if the width is out of range.
pub fn to_png(picture: &Picture, width: u32) -> Result<Vec<u8>, DrawError> {
    raster::write(&layout::page(picture), width)
}
