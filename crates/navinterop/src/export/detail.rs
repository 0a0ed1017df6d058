//! Detail meshes: unchanged for whole polygons, cut along the diagonals for pieces of split ones.

use navmath::predicates::{Point, area2};
use navtile::layout::Polygon;
use navtile::tile::Tile;
use std::collections::BTreeMap;

/// Most vertices that Detour can number in a polygon, and most triangles.
pub(super) const MOST: usize = u8::MAX as usize;

/// True if Detour can number this many vertices, corners included, and triangles.
pub(super) fn fits(vertices: usize, triangles: usize) -> bool {
    vertices <= MOST && triangles <= MOST
}

/// A detail mesh: vertices beyond the corners, and triangles with local vertices and a mark for each edge on
/// the outline.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Detail {
    pub(super) vertices: Vec<[i32; 3]>,
    pub(super) triangles: Vec<([usize; 3], [bool; 3])>,
}

/// The detail mesh of a whole polygon.
pub(super) fn whole(tile: &Tile, polygon: &Polygon) -> Detail {
    let first = polygon.first_detail_vertex as usize;
    let triangles = tile.polygon_detail_triangles(polygon).iter().map(|triangle| {
        (triangle.vertices.map(usize::from), [0, 1, 2].map(|edge| triangle.boundary & 1 << edge != 0))
    });
    Detail {
        vertices: tile.vertices()[first..first + usize::from(polygon.detail_vertex_count)].to_vec(),
        triangles: triangles.collect(),
    }
}

impl Detail {
    /// True if Detour can number its vertices and triangles, for a polygon of this many corners.
    pub(super) fn fits(&self, corners: usize) -> bool {
        fits(corners + self.vertices.len(), self.triangles.len())
    }

    /// The triangles of the detail mesh of a polygon whose corners are given.
    pub(super) fn shapes(&self, corners: &[[i32; 3]]) -> impl Iterator<Item = [[i32; 3]; 3]> {
        let at = |local: usize| {
            corners.get(local).copied().unwrap_or_else(|| self.vertices[local - corners.len()])
        };
        self.triangles.iter().map(move |(triangle, _)| triangle.map(at))
    }

    /// The part of the detail mesh of a polygon, whose corners are given, over a piece of it: every triangle
    /// is cut off at the edges of the piece that are new. Vertices along the outline stay, even if rounding
    /// has moved them off it. New ones are rounded to 1/256 cell, equally on both sides of a cut. A piece
    /// that no triangle covers gets a fan. O(n log n).
    pub(super) fn part(&self, whole: &[[i32; 3]], corners: &[[i32; 3]], is_new: &[bool]) -> Detail {
        let mut part = DetailBuilder { corners, detail: Detail::default(), known: BTreeMap::new() };
        for triangle in self.shapes(whole) {
            let mut shape = triangle.to_vec();
            if area2(plan(shape[0]), plan(shape[1]), plan(shape[2])) > 0 {
                shape.reverse();
            }
            for at in (0..corners.len()).filter(|&at| is_new[at]) {
                shape = left_of(&shape, corners[at], corners[(at + 1) % corners.len()]);
            }
            part.add(&shape);
        }
        let mut detail = part.detail;
        if detail.triangles.is_empty() {
            let last = corners.len() - 1;
            detail.triangles =
                (1..last).map(|at| ([0, at, at + 1], [at == 1, true, at + 1 == last])).collect();
        }
        detail
    }
}

/// A part of a detail mesh that is being built.
struct DetailBuilder<'a> {
    corners: &'a [[i32; 3]],
    detail: Detail,
    /// The numbers of vertices beyond the corners.
    known: BTreeMap<[i32; 3], usize>,
}

impl DetailBuilder<'_> {
    /// Adds a convex shape as a fan.
    fn add(&mut self, shape: &[[i32; 3]]) {
        for at in 1..shape.len().saturating_sub(1) {
            let triangle = [shape[0], shape[at], shape[at + 1]];
            if area2(plan(triangle[0]), plan(triangle[1]), plan(triangle[2])) >= 0 {
                continue;
            }
            let local = triangle.map(|vertex| self.local(vertex));
            let boundary =
                [0, 1, 2].map(|edge| on_outline(self.corners, triangle[edge], triangle[(edge + 1) % 3]));
            self.detail.triangles.push((local, boundary));
        }
    }

    /// The number of a vertex. It is that of a corner if the corner has the same position seen from above.
    fn local(&mut self, vertex: [i32; 3]) -> usize {
        if let Some(corner) = self.corners.iter().position(|&corner| plan(corner) == plan(vertex)) {
            return corner;
        }
        let next = self.corners.len() + self.detail.vertices.len();
        let local = *self.known.entry(vertex).or_insert(next);
        if local == next {
            self.detail.vertices.push(vertex);
        }
        local
    }
}

pub(super) fn plan(vertex: [i32; 3]) -> Point {
    [vertex[0], vertex[2]]
}

/// The part of a convex shape to the left of, or on, the line from `a` to `b`.
fn left_of(shape: &[[i32; 3]], a: [i32; 3], b: [i32; 3]) -> Vec<[i32; 3]> {
    let side = |vertex: [i32; 3]| area2(plan(a), plan(b), plan(vertex));
    let mut kept = Vec::with_capacity(shape.len() + 1);
    for (at, &vertex) in shape.iter().enumerate() {
        let next = shape[(at + 1) % shape.len()];
        let (here, there) = (side(vertex), side(next));
        if here <= 0 {
            kept.push(vertex);
        }
        if (here < 0 && there > 0) || (here > 0 && there < 0) {
            kept.push(crossing(vertex, next, here, there));
        }
    }
    kept.dedup();
    kept
}

/// The rounded point at which the edge between two vertices on different sides of a line crosses it. The ends
/// are taken in a fixed order, so that both directions of the edge give the same point.
fn crossing(a: [i32; 3], b: [i32; 3], side_a: i64, side_b: i64) -> [i32; 3] {
    let (a, b, side_a, side_b) = if a <= b { (a, b, side_a, side_b) } else { (b, a, side_b, side_a) };
    let share = side_a as f64 / (side_a as f64 - side_b as f64);
    std::array::from_fn(|axis| {
        let (from, to) = (f64::from(a[axis]), f64::from(b[axis]));
        // Between two coordinates.
        (from + (to - from) * share).round() as i32
    })
}

/// Returns true if both ends are on the same edge of the outline, within rounding: less than two units off.
pub(super) fn on_outline(corners: &[[i32; 3]], p: [i32; 3], q: [i32; 3]) -> bool {
    (0..corners.len()).any(|at| {
        let (a, b) = (plan(corners[at]), plan(corners[(at + 1) % corners.len()]));
        let (dx, dz) = (i64::from(b[0]) - i64::from(a[0]), i64::from(b[1]) - i64::from(a[1]));
        let near = 2 * dx.abs().max(dz.abs());
        [p, q].iter().all(|&end| area2(a, b, plan(end)).abs() <= near)
    })
}
