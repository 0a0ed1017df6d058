//! Detail meshes in canonical order: unused vertices dropped, vertices and triangles sorted.

use super::draft::{Draft, Drafts};
use super::ranks::Ranks;
use super::twins::ConvexPolygon;
use crate::content::{DetailTriangleContent, TileContent};
use crate::layout::DetailTriangle;
use crate::limits::DETAIL_LIMIT;
use navmath::{LimitError, limit};

/// The detail meshes of all pieces, one after the other.
#[derive(Default)]
pub(super) struct Details {
    pub(super) vertices: Vec<[i32; 3]>,
    pub(super) triangles: Vec<DetailTriangle>,
    // Reused from piece to piece.
    ranks: Ranks,
    /// The number of each vertex that the triangles use, corners first.
    locals: Vec<u32>,
    /// For each rank nonzero if it is used, then its number.
    numbers: Vec<u32>,
    /// Triangles, as numbers that sort in the order of the triangles.
    keys: Vec<u64>,
}

/// Marks a vertex that is not used, in place of its number.
const UNUSED: u32 = u32::MAX;
const USED: u32 = 0;

impl Details {
    /// Drops all detail meshes.
    pub(super) fn clear(&mut self) {
        self.vertices.clear();
        self.triangles.clear();
    }

    /// Adds a piece's detail mesh, in canonical order. A piece without triangles, or one of several pieces of
    /// a polygon, gets a fan.
    pub(super) fn add(
        &mut self,
        content: &TileContent,
        drafts: &Drafts,
        piece: &mut ConvexPolygon,
    ) -> Result<(), LimitError> {
        let (first_vertex, first_triangle) = (self.vertices.len(), self.triangles.len());
        let corners = piece.count;
        self.keys.clear();
        if piece.is_whole {
            self.canonicalise(content, drafts, &drafts.list[piece.draft])?;
        }
        if self.keys.is_empty() {
            check("detail triangles of a polygon", corners - 2)?;
            self.triangles.extend(fan(corners));
        } else {
            check("detail triangles of a polygon", self.keys.len())?;
            self.triangles.extend(self.keys.iter().map(|&key| unpacked(key)));
        }
        piece.detail_vertices = first_vertex..self.vertices.len();
        piece.detail_triangles = first_triangle..self.triangles.len();
        Ok(())
    }

    /// Adds the used vertices, and computes the keys of triangles.
    fn canonicalise(
        &mut self,
        content: &TileContent,
        drafts: &Drafts,
        draft: &Draft,
    ) -> Result<(), LimitError> {
        let polygon = &content.polygons[draft.index as usize];
        self.locals.clear();
        self.keys.reserve(polygon.detail_triangles.len());
        let triangles = match &draft.triangles {
            Some(own) => {
                self.locals.extend(0..draft.count as u32);
                &drafts.triangles[own.clone()]
            }
            None => {
                self.locals.extend((0..draft.count).map(|local| draft.turned(local) as u32));
                &polygon.detail_triangles
            }
        };
        if !polygon.detail_vertices.is_empty() {
            self.number(&polygon.detail_vertices, triangles, draft.count)?;
        }
        let Details { locals, keys, .. } = self;
        let (mut last, mut in_order) = (0, true);
        for triangle in triangles {
            let numbers @ [a, b, c] = triangle.vertices.map(|local| locals[local as usize]);
            // Vertices at the same position are one vertex; a triangle with such a pair is dropped.
            if (a != b) & (b != c) & (c != a) {
                // No key is zero, because no vertex occurs twice.
                let key = key(numbers, triangle.boundary);
                in_order &= last < key;
                last = key;
                keys.push(key);
            }
        }
        if !in_order {
            keys.sort_unstable();
            keys.dedup();
        }
        Ok(())
    }

    /// Adds the used detail vertices of a polygon, and numbers them after its corners.
    fn number(
        &mut self,
        own: &[[i32; 3]],
        triangles: &[DetailTriangleContent],
        corners: usize,
    ) -> Result<(), LimitError> {
        let Details { vertices, ranks, locals, numbers, .. } = self;
        ranks.rank(own);
        // Corners, then vertices by their rank.
        numbers.clear();
        numbers.resize(corners + ranks.positions.len(), UNUSED);
        locals.extend(ranks.ranks.iter().map(|&rank| corners as u32 + rank));
        for triangle in triangles {
            let ranked @ [a, b, c] = triangle.vertices.map(|local| locals[local as usize]);
            if (a != b) & (b != c) & (c != a) {
                ranked.iter().for_each(|&rank| numbers[rank as usize] = USED);
            }
        }
        let mut next = corners;
        for (number, position) in numbers[corners..].iter_mut().zip(&ranks.positions) {
            if *number == USED {
                // Below the limit, which is checked before the number is used.
                *number = next as u32;
                next += 1;
                vertices.push(*position);
            }
        }
        check("detail vertices of a polygon", next)?;
        locals[corners..].iter_mut().for_each(|local| *local = numbers[*local as usize]);
        Ok(())
    }
}

/// A fan over the corners, from the first one.
fn fan(corners: usize) -> impl Iterator<Item = DetailTriangle> {
    // A piece has at most 255 corners.
    let last = corners as u16 - 1;
    (1..last).map(move |i| DetailTriangle {
        vertices: [0, i, i + 1],
        boundary: u16::from(i == 1) | 0b10 | u16::from(i + 1 == last) << 2,
    })
}

/// A triangle as a number, turned to start at its smallest vertex: by vertices, then by the boundary's first,
/// second and third edge. Vertices are below 2^16, and no two are the same.
#[inline]
fn key(vertices: [u32; 3], boundary: [bool; 3]) -> u64 {
    let [a, b, c] = vertices.map(u64::from);
    let [x, y, z] = boundary.map(u64::from);
    // Of its three rotations, the one with the smallest vertex first is the smallest number.
    let first = a << 48 | b << 32 | c << 16 | x << 2 | y << 1 | z;
    let second = b << 48 | c << 32 | a << 16 | y << 2 | z << 1 | x;
    let third = c << 48 | a << 32 | b << 16 | z << 2 | x << 1 | y;
    first.min(second).min(third)
}

/// The triangle with a key.
#[inline]
fn unpacked(key: u64) -> DetailTriangle {
    let vertices = [(key >> 48) as u16, (key >> 32) as u16, (key >> 16) as u16];
    let boundary = (key >> 2 & 1 | key & 2 | (key & 1) << 2) as u16;
    DetailTriangle { vertices, boundary }
}

fn check(what: &'static str, count: usize) -> Result<(), LimitError> {
    limit::check(what, count as u64, DETAIL_LIMIT as u64, "use a coarser detail mesh, or smaller polygons")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fan_knows_its_boundary() {
        let triangle = |vertices, boundary| DetailTriangle { vertices, boundary };
        let five: Vec<DetailTriangle> = fan(5).collect();
        let expected = [triangle([0, 1, 2], 0b011), triangle([0, 2, 3], 0b010), triangle([0, 3, 4], 0b110)];
        assert_eq!(five, expected);
        assert!(fan(3).eq([triangle([0, 1, 2], 0b111)]));
    }

    #[test]
    fn keys_hold_triangles_turned_round() {
        let turned = [
            ([7, 300, 9], [true, false, false]),
            ([300, 9, 7], [false, false, true]),
            ([9, 7, 300], [false, true, false]),
        ];
        for (vertices, boundary) in turned {
            let expected = DetailTriangle { vertices: [7, 300, 9], boundary: 0b001 };
            assert_eq!(unpacked(key(vertices, boundary)), expected);
        }
        assert!(key([0, 1, 2], [false, true, true]) < key([0, 1, 2], [true, false, false]));
    }
}
