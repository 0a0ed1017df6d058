//! Detail meshes in canonical order: unused vertices dropped, vertices and triangles sorted.

use super::draft::Piece;
use super::vertex_key;
use crate::content::DetailTriangleContent;
use crate::layout::DetailTriangle;
use crate::limits::DETAIL_LIMIT;
use navmath::{LimitError, limit};

/// A fan over the corners, from the first one.
pub(super) fn fan(corners: usize) -> Vec<DetailTriangleContent> {
    let last = corners as u32 - 1;
    let triangle =
        |i: u32| DetailTriangleContent { vertices: [0, i, i + 1], boundary: [i == 1, true, i + 1 == last] };
    (1..last).map(triangle).collect()
}

/// Puts a piece's detail mesh into canonical order. A piece without triangles gets a fan.
pub(super) fn canonicalise(piece: &mut Piece) -> Result<(), LimitError> {
    let corners = piece.edges.len();
    let position = |local: u32| (local as usize).checked_sub(corners).map(|at| piece.detail_vertices[at]);
    let distinct = |triangle: &&DetailTriangleContent| {
        // Two detail vertices at one place are one vertex; a triangle between them is none.
        let [a, b, c] = triangle.vertices.map(|local| position(local).ok_or(local));
        a != b && b != c && c != a
    };
    let kept: Vec<&DetailTriangleContent> = piece.detail_triangles.iter().filter(distinct).collect();
    let mut vertices: Vec<[i32; 3]> =
        kept.iter().flat_map(|triangle| triangle.vertices).filter_map(position).collect();
    vertices.sort_unstable_by_key(|vertex| vertex_key(*vertex));
    vertices.dedup();
    check("detail vertices of a polygon", corners + vertices.len())?;
    let renumbered = |local: u32| {
        position(local).map_or(local, |at| {
            let rank = vertices.partition_point(|vertex| vertex_key(*vertex) < vertex_key(at));
            (corners + rank) as u32
        })
    };
    let renumber = |triangle: &DetailTriangleContent| {
        smallest_first(DetailTriangleContent { vertices: triangle.vertices.map(renumbered), ..*triangle })
    };
    let mut triangles: Vec<DetailTriangleContent> = kept.into_iter().map(renumber).collect();
    triangles.sort_unstable_by_key(|triangle| (triangle.vertices, triangle.boundary));
    triangles.dedup();
    if triangles.is_empty() {
        triangles = fan(corners);
    }
    check("detail triangles of a polygon", triangles.len())?;
    piece.detail_vertices = vertices;
    piece.detail_triangles = triangles;
    Ok(())
}

/// A triangle of a canonical detail mesh, packed.
pub(super) fn packed(triangle: &DetailTriangleContent) -> DetailTriangle {
    DetailTriangle {
        // Below the limit that `canonicalise` checks.
        vertices: triangle.vertices.map(|local| local as u16),
        boundary: (0..3).map(|i| u16::from(triangle.boundary[i]) << i).sum(),
    }
}

fn check(what: &'static str, count: usize) -> Result<(), LimitError> {
    limit::check(what, count as u64, DETAIL_LIMIT as u64, "use a coarser detail mesh, or smaller polygons")
}

fn smallest_first(triangle: DetailTriangleContent) -> DetailTriangleContent {
    let DetailTriangleContent { mut vertices, mut boundary } = triangle;
    let first = (0..3).min_by_key(|&i| vertices[i]).unwrap_or(0);
    vertices.rotate_left(first);
    boundary.rotate_left(first);
    DetailTriangleContent { vertices, boundary }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fan_knows_its_boundary() {
        let [first, second, third] = fan(5).try_into().unwrap();
        assert_eq!((first.vertices, first.boundary), ([0, 1, 2], [true, true, false]));
        assert_eq!((second.vertices, second.boundary), ([0, 2, 3], [false, true, false]));
        assert_eq!((third.vertices, third.boundary), ([0, 3, 4], [false, true, true]));
        assert_eq!(fan(3)[0].boundary, [true; 3]);
    }
}
