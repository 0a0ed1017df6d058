//! Polygons as Detour can hold them: whole, or cut up.
//!
//! A polygon of more than six corners is cut along diagonals. One whose detail mesh does not fit Detour's bytes is cut
//! further: along the diagonal that divides the detail mesh best, or, if it is a triangle, from a detail vertex in its
//! middle to its corners. So no edge towards another polygon changes, heights stay as they are, and all pieces are convex.

use super::detail::{self, Detail, plan};
use super::report::{Change, Notes};
use super::split;
use crate::detour::MAX_CORNERS;
use navmath::predicates::{Point, area2, polygon_area2};
use navtile::layout::{Edge, Polygon};
use navtile::tile::Tile;

/// How often a polygon is cut for its detail mesh. Each cut about halves it, and a polygon has at most 65,535 triangles.
const DEPTH: u32 = 16;

/// A polygon, or a part of one.
#[derive(Clone)]
pub(super) struct Piece<'a> {
    /// The polygon's number in the tile.
    pub(super) index: u32,
    pub(super) polygon: &'a Polygon,
    /// Corners of the polygon, in order; numbers beyond these name inner vertices.
    pub(super) corners: Vec<usize>,
    pub(super) detail: Detail,
}

/// The polygons of a tile in pieces. Pieces of one polygon follow each other.
pub(super) struct Pieces<'a> {
    tile: &'a Tile,
    pub(super) list: Vec<Piece<'a>>,
    /// Vertices within polygons, where these were cut.
    pub(super) inner: Vec<[i32; 3]>,
    /// How many more pieces the tile may have, and how many more vertices.
    spare: [usize; 2],
}

/// Most pieces and vertices of a tile.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) polygons: usize,
    pub(super) vertices: usize,
}

/// Cuts up the polygons of a tile. Where there is no room for more pieces, detail meshes stay as they are.
pub(super) fn pieces<'a>(tile: &'a Tile, room: Room, notes: &mut Notes) -> Pieces<'a> {
    let corner = |edge: &Edge| tile.vertices()[edge.vertex as usize];
    let parts = |polygon: &Polygon| {
        let plan: Vec<Point> = tile.polygon_edges(polygon).iter().map(corner).map(plan).collect();
        if plan.len() <= MAX_CORNERS { vec![(0..plan.len()).collect()] } else { split::pieces(&plan) }
    };
    let all: Vec<Vec<Vec<usize>>> = tile.polygons().iter().map(parts).collect();
    let count: usize = all.iter().map(Vec::len).sum();
    let vertices = tile.header().polygon_vertex_count as usize + 2 * tile.off_mesh_links().len();
    let spare = [room.polygons.saturating_sub(count), room.vertices.saturating_sub(vertices)];
    let mut pieces = Pieces { tile, list: Vec::with_capacity(count), inner: Vec::new(), spare };
    for ((index, polygon), parts) in (0..).zip(tile.polygons()).zip(all) {
        let at = corner(&tile.polygon_edges(polygon)[0]);
        let whole = Piece {
            index,
            polygon,
            corners: (0..usize::from(polygon.edge_count)).collect(),
            detail: detail::whole(tile, polygon),
        };
        if parts.len() > 1 {
            notes.note(tile, at, Change::Split { polygon: index, pieces: parts.len() });
        }
        let (before, cuts) = (pieces.list.len(), parts.len());
        let [vertices, triangles] = [whole.detail.vertices.len(), whole.detail.triangles.len()];
        for corners in parts {
            let piece = if cuts == 1 { whole.clone() } else { pieces.part(&whole, corners) };
            pieces.add(piece, DEPTH);
        }
        let count = pieces.list.len() - before;
        if count > cuts {
            notes.note(tile, at, Change::Divided { polygon: index, vertices, triangles, pieces: count });
        }
    }
    pieces
}

impl<'a> Pieces<'a> {
    /// Adds a piece, cut up until its detail mesh fits.
    fn add(&mut self, piece: Piece<'a>, depth: u32) {
        let parts = match depth {
            0 => None,
            _ if piece.detail.fits(piece.corners.len()) => None,
            _ => self.cut(&piece),
        };
        let Some(parts) = parts else { return self.list.push(piece) };
        for corners in parts {
            let part = self.part(&piece, corners);
            self.add(part, depth - 1);
        }
    }

    /// The part of a piece between some of its corners.
    fn part(&self, piece: &Piece<'a>, corners: Vec<usize>) -> Piece<'a> {
        let at = |corners: &[usize]| -> Vec<[i32; 3]> {
            corners.iter().map(|&corner| self.corner(piece.polygon, corner)).collect()
        };
        let detail = piece.detail.part(&at(&piece.corners), &at(&corners));
        Piece { corners, detail, ..*piece }
    }

    /// Parts of a piece whose detail mesh does not fit; `None` if there is no room, or no place to cut.
    fn cut(&mut self, piece: &Piece<'a>) -> Option<Vec<Vec<usize>>> {
        let [polygons, vertices] = self.spare;
        let corners: Vec<[i32; 3]> =
            piece.corners.iter().map(|&corner| self.corner(piece.polygon, corner)).collect();
        if let Some([from, to]) = diagonal(&corners, &piece.detail) {
            self.spare[0] = polygons.checked_sub(1)?;
            let second = [&piece.corners[to..], &piece.corners[..=from]].concat();
            return Some(vec![piece.corners[from..=to].to_vec(), second]);
        }
        let middle = middle(&corners, &piece.detail)?;
        let new = usize::from(piece.polygon.edge_count) + self.inner.len();
        self.spare = [polygons.checked_sub(corners.len() - 1)?, vertices.checked_sub(1)?];
        self.inner.push(middle);
        let next = piece.corners.iter().cycle().skip(1);
        Some(piece.corners.iter().zip(next).map(|(&from, &to)| vec![from, to, new]).collect())
    }

    /// The position of a corner of a polygon's pieces.
    pub(super) fn corner(&self, polygon: &Polygon, corner: usize) -> [i32; 3] {
        match corner.checked_sub(usize::from(polygon.edge_count)) {
            Some(inner) => self.inner[inner],
            None => self.tile.vertices()[self.vertex(polygon, corner)],
        }
    }

    /// The number of a corner among the tile's polygon vertices and, after these, the inner ones.
    pub(super) fn vertex(&self, polygon: &Polygon, corner: usize) -> usize {
        match corner.checked_sub(usize::from(polygon.edge_count)) {
            Some(inner) => self.tile.header().polygon_vertex_count as usize + inner,
            None => self.tile.polygon_edges(polygon)[corner].vertex as usize,
        }
    }
}

/// The diagonal of a convex polygon that leaves the fewest detail triangles on the side with more, of those that leave area on
/// both sides; of equals the first. `None` for a triangle.
fn diagonal(corners: &[[i32; 3]], detail: &Detail) -> Option<[usize; 2]> {
    let count = corners.len();
    let area = |corners: &[[i32; 3]]| polygon_area2(corners.iter().map(|&corner| plan(corner)));
    let pairs = (0..count).flat_map(|from| (from + 2..count).map(move |to| [from, to]));
    let leaves_area = |&[from, to]: &[usize; 2]| {
        area(&corners[from..=to]) < 0 && area(&[&corners[to..], &corners[..=from]].concat()) < 0
    };
    let larger = |&[from, to]: &[usize; 2]| {
        let (a, b) = (plan(corners[from]), plan(corners[to]));
        let is_left =
            |shape: &[[i32; 3]; 3]| shape.iter().map(|&vertex| area2(a, b, plan(vertex))).sum::<i64>() < 0;
        let left = detail.shapes(corners).filter(is_left).count();
        left.max(detail.triangles.len() - left)
    };
    pairs.filter(leaves_area).min_by_key(larger)
}

/// The detail vertex within a polygon that is nearest to the mean of all; of equals the first. `None` if all lie at the edges.
fn middle(corners: &[[i32; 3]], detail: &Detail) -> Option<[i32; 3]> {
    let is_within = |&&vertex: &&[i32; 3]| {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).all(|(&a, &b)| {
            let (a, b) = (plan(a), plan(b));
            // At least two units off the edge, as rounding leaves its vertices within one.
            let length =
                (i64::from(b[0]) - i64::from(a[0])).abs().max((i64::from(b[1]) - i64::from(a[1])).abs());
            area2(a, b, plan(vertex)) < -2 * length
        })
    };
    let inner: Vec<[i32; 3]> = detail.vertices.iter().filter(is_within).copied().collect();
    let mean = [0, 2].map(|axis| {
        inner.iter().map(|vertex| i64::from(vertex[axis])).sum::<i64>() / inner.len().max(1) as i64
    });
    let distance = |vertex: &&[i32; 3]| {
        let (x, z) = (i64::from(vertex[0]) - mean[0], i64::from(vertex[2]) - mean[1]);
        x * x + z * z
    };
    inner.iter().min_by_key(distance).copied()
}

impl Piece<'_> {
    /// Whether the edge between two corners is one of the polygon's own.
    pub(super) fn is_outer(&self, from: usize, to: usize) -> bool {
        let count = usize::from(self.polygon.edge_count);
        from < count && (from + 1) % count == to
    }
}
