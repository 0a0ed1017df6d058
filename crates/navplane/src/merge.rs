//! Merges triangles into convex polygons across the longest edges they share, as long as the union is convex
//! and has no more corners than allowed.
//!
//! A merge never makes another merge possible, so after one pass over the edges no merge is left. Without a
//! limit of corners there are at most four times the polygons of the best division: at most two of the
//! remaining edges end at any corner that sticks out into the ground, and each such corner needs half an edge
//! of its own.
//!
//! Cost: O(n log n). Source: S. Hertel, K. Mehlhorn, Fast triangulation of simple polygons (1983).

use crate::exact::{distance_squared, is_convex};
use crate::grid::Point;
use crate::triangulation::{Cells, NONE};
use navmath::Sets;
use std::cmp::Reverse;

/// A convex polygon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvexPolygon {
    /// Corners, counter-clockwise; some may be flat.
    pub corners: Vec<u32>,
    /// The polygon beyond the edge from corner i to the next; [`NONE`] beyond a wall, [`SEAM`](crate::SEAM)
    /// if the ground continues in the next tile.
    pub beyond: Vec<u32>,
    /// Area id.
    pub area: u8,
}

/// Edges of triangles, three each, and the polygons whose edges they have become.
struct Faces<'a> {
    cells: &'a Cells,
    /// The other direction of each edge.
    twin: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Triangles that have become one polygon, represented by its first triangle.
    polygons: Sets,
    /// Corners of a polygon, by its first triangle.
    count: Vec<u32>,
}

/// An edge that may be removed: its squared length, its smaller and its larger end, its number.
type Shared = (Reverse<i64>, Point, Point, u32);

/// Polygons of at most `max_corners` corners.
pub(crate) fn merge(cells: &Cells, max_corners: u32) -> Vec<ConvexPolygon> {
    let mut faces = Faces::new(cells);
    let mut shared: Vec<Shared> = Vec::new();
    for edge in 0..faces.twin.len() as u32 {
        let twin = faces.twin[edge as usize];
        if twin != NONE && edge < twin && faces.area(edge) == faces.area(twin) {
            let [a, b] = [faces.from(edge), faces.from(twin)].map(|corner| cells.vertices[corner as usize]);
            shared.push((Reverse(distance_squared(a, b)), a.min(b), a.max(b), edge));
        }
    }
    shared.sort_unstable();
    for (.., edge) in shared {
        faces.join(edge, max_corners);
    }
    faces.into_polygons()
}

impl<'a> Faces<'a> {
    fn new(cells: &'a Cells) -> Faces<'a> {
        let count = cells.triangles.len();
        let mut twin = vec![NONE; count * 3];
        for (at, triangle) in cells.triangles.iter().enumerate() {
            for edge in 0..3 {
                let Some(other) = cells.triangles.get(triangle.beyond[edge] as usize) else { continue };
                let end = triangle.corners[(edge + 1) % 3];
                if let Some(back) = other.corners.iter().position(|&corner| corner == end) {
                    twin[at * 3 + edge] = triangle.beyond[edge] * 3 + back as u32;
                }
            }
        }
        let turned =
            |by: u32| (0..count as u32 * 3).map(move |edge| edge / 3 * 3 + (edge + by) % 3).collect();
        Faces {
            cells,
            twin,
            next: turned(1),
            previous: turned(2),
            polygons: Sets::new(count as u32),
            count: vec![3; count],
        }
    }

    /// The corner an edge starts at.
    fn from(&self, edge: u32) -> u32 {
        self.cells.triangles[edge as usize / 3].corners[edge as usize % 3]
    }

    fn area(&self, edge: u32) -> u8 {
        self.cells.triangles[edge as usize / 3].area
    }

    /// Returns true if the corner between the end of `before` and the start of `after` stays convex.
    fn convex(&self, before: u32, after: u32) -> bool {
        let corners = [self.from(before), self.from(after), self.from(self.next[after as usize])];
        let [a, b, c] = corners.map(|corner| self.cells.vertices[corner as usize]);
        is_convex(a, b, c)
    }

    /// Joins the polygons on both sides of an edge, if the union is allowed.
    fn join(&mut self, edge: u32, max_corners: u32) {
        let twin = self.twin[edge as usize];
        let (one, other) = (self.polygons.root(edge / 3), self.polygons.root(twin / 3));
        let corners = self.count[one as usize] + self.count[other as usize] - 2;
        let (before, after) = (self.previous[edge as usize], self.next[edge as usize]);
        let (before_twin, after_twin) = (self.previous[twin as usize], self.next[twin as usize]);
        let fits = one != other && corners <= max_corners;
        if !(fits && self.convex(before, after_twin) && self.convex(before_twin, after)) {
            return;
        }
        for (from, to) in [(before, after_twin), (before_twin, after)] {
            self.next[from as usize] = to;
            self.previous[to as usize] = from;
        }
        // The joined edge no longer belongs to a polygon.
        self.next[edge as usize] = NONE;
        self.next[twin as usize] = NONE;
        self.polygons.join(one, other);
        self.count[one.min(other) as usize] = corners;
    }

    /// The polygons, in the order of their first edges.
    fn into_polygons(mut self) -> Vec<ConvexPolygon> {
        let count = self.cells.triangles.len();
        let mut numbers = vec![NONE; count];
        let mut starts = Vec::new();
        for edge in 0..count as u32 * 3 {
            let face = self.polygons.root(edge / 3) as usize;
            if numbers[face] == NONE && self.next[edge as usize] != NONE {
                numbers[face] = starts.len() as u32;
                starts.push(edge);
            }
        }
        let mut polygons = Vec::with_capacity(starts.len());
        for start in starts {
            let mut polygon =
                ConvexPolygon { corners: Vec::new(), beyond: Vec::new(), area: self.area(start) };
            let mut edge = start;
            loop {
                polygon.corners.push(self.from(edge));
                let twin = self.twin[edge as usize];
                let beyond = if twin == NONE { NONE } else { numbers[self.polygons.root(twin / 3) as usize] };
                polygon.beyond.push(beyond);
                edge = self.next[edge as usize];
                if edge == start {
                    break;
                }
            }
            polygons.push(polygon);
        }
        polygons
    }
}
