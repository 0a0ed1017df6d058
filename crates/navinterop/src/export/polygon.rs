//! A piece of a polygon: its corners, and the lines of its edges.

use super::detail::Detail;
use navtile::layout::edge_kind;
use navtile::tile::Tile;

/// A corner of a piece, and the edge that starts there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    /// A polygon vertex of the tile, or a new one, numbered after these.
    pub(super) vertex: u32,
    /// The edge of the tile on which this edge is; a greater number for the line of a cut.
    pub(super) line: u32,
}

/// A polygon, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct ExportPolygon {
    /// The polygon's number in the tile.
    pub(super) polygon: u32,
    pub(super) corners: Vec<Corner>,
    pub(super) detail: Detail,
}

impl ExportPolygon {
    /// The edges, as pairs of their start and end corners.
    pub(super) fn edges(&self) -> impl Iterator<Item = (Corner, Corner)> {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().copied().zip(next.copied())
    }
}

/// The line of an edge: an internal edge and its twin share the same line.
pub(super) fn line_of(tile: &Tile, line: u32) -> u32 {
    match tile.edges().get(line as usize) {
        Some(edge) if edge.kind == edge_kind::INTERNAL => {
            let other = &tile.polygons()[edge.neighbour as usize];
            line.min(other.first_edge + u32::from(edge.twin))
        }
        _ => line,
    }
}
