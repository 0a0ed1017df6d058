//! The result of an export, and the changes that it had to make.

use crate::mset::TileSet;
use navtile::{Tile, TileCoord};
use thiserror::Error;

/// The result of an export.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The set, little-endian, tiles in canonical order. Each tile can also be written by itself.
    pub set: TileSet,
    /// Everything that had to be changed.
    pub diagnostics: Vec<ExportDiagnostic>,
    /// Largest distance that any position was moved along each axis, metres.
    pub largest_error: [f64; 3],
}

/// A change that was necessary, and its place.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("tile ({}, {}, {}): {change}, at {:.2}, {:.2}, {:.2}", coord.x, coord.z, coord.layer, at[0], at[1], at[2])]
pub struct ExportDiagnostic {
    /// The tile.
    pub coord: TileCoord,
    /// World position, metres.
    pub at: [f64; 3],
    /// The change.
    pub change: Change,
}

/// A change. Polygons are numbered as in the tile that was exported.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Change {
    /// A polygon of more than six corners, or with a corner on a straight side, was split.
    #[error(
        "polygon {polygon} has more than six corners, or one on a straight side: it was split into {pieces}"
    )]
    Split {
        /// The polygon.
        polygon: u32,
        /// Number of polygons that it was split into.
        pieces: usize,
    },
    /// Polygons and off-mesh links without flags got flag 1, because Detour would block them for everyone.
    #[error("{count} polygons and links have no flags: they got flag 1")]
    Flagged {
        /// Number of them.
        count: usize,
    },
    /// A polygon whose detail mesh has more vertices or triangles than fit a byte was split.
    #[error(
        "polygon {polygon} has {vertices} detail vertices and {triangles} triangles, but Detour holds at most \
         255: it was split into {pieces}"
    )]
    Divided {
        /// The polygon.
        polygon: u32,
        /// Number of its detail vertices.
        vertices: usize,
        /// Number of its detail triangles.
        triangles: usize,
        /// Number of polygons that it was split into.
        pieces: usize,
    },
    /// A detail mesh of more vertices or triangles than fit a byte lost the least important ones, because its
    /// polygon could not be split further.
    #[error(
        "polygon {polygon} has a piece of {vertices} detail vertices and {triangles} triangles, but Detour holds \
         at most 255: it kept {kept} vertices, and heights are up to {millimetres} mm off"
    )]
    Thinned {
        /// The polygon.
        polygon: u32,
        /// Number of detail vertices of the piece.
        vertices: usize,
        /// Number of its detail triangles.
        triangles: usize,
        /// Number of detail vertices that are kept.
        kept: usize,
        /// Largest distance between the vertices that are left out and the surface.
        millimetres: u64,
    },
    /// An off-mesh link that can be crossed anywhere along two edges became one between their middles.
    #[error(
        "off-mesh link {link} can be crossed along edges of {millimetres} mm: it now leads between their middles"
    )]
    Narrowed {
        /// The link, as numbered in its tile.
        link: usize,
        /// Length of its edges.
        millimetres: u64,
    },
    /// A tile without polygons was left out.
    #[error("it has no polygons and was left out")]
    Empty,
}

/// The changes to the tiles of an export so far.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) diagnostics: Vec<ExportDiagnostic>,
    pub(super) largest_error: [f64; 3],
}

impl Notes {
    pub(super) fn note(&mut self, tile: &Tile, fixed: [i32; 3], change: Change) {
        let (coord, at) = (tile.coord(), tile.to_world(fixed));
        self.diagnostics.push(ExportDiagnostic { coord, at, change });
    }
}
