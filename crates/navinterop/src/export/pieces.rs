//! Polygons as Detour can hold them: whole, or cut up.

use super::report::{Change, Notes};
use super::split;
use crate::detour::MAX_CORNERS;
use navtile::layout::{Edge, Polygon};
use navtile::tile::Tile;

/// A polygon, or a part of one.
pub(super) struct Piece<'a> {
    /// The polygon's number in the tile.
    pub(super) index: u32,
    pub(super) polygon: &'a Polygon,
    /// Corners of the polygon, in order.
    pub(super) corners: Vec<usize>,
}

/// The polygons of a tile, those of more than six corners in pieces. Pieces of one polygon follow each other.
pub(super) fn pieces<'a>(tile: &'a Tile, notes: &mut Notes) -> Vec<Piece<'a>> {
    let mut pieces = Vec::with_capacity(tile.polygons().len());
    for (index, polygon) in (0..).zip(tile.polygons()) {
        let edges = tile.polygon_edges(polygon);
        if edges.len() <= MAX_CORNERS {
            pieces.push(Piece { index, polygon, corners: (0..edges.len()).collect() });
            continue;
        }
        let corner = |edge: &Edge| tile.vertices()[edge.vertex as usize];
        let plan: Vec<[i32; 2]> = edges.iter().map(corner).map(|corner| [corner[0], corner[2]]).collect();
        let parts = split::pieces(&plan);
        notes.note(tile, corner(&edges[0]), Change::Split { polygon: index, pieces: parts.len() });
        pieces.extend(parts.into_iter().map(|corners| Piece { index, polygon, corners }));
    }
    pieces
}

impl Piece<'_> {
    /// Whether the edge between two corners is one of the polygon's own.
    pub(super) fn is_outer(&self, from: usize, to: usize) -> bool {
        (from + 1) % usize::from(self.polygon.edge_count) == to
    }
}
