//! The corners of triangles, and pairs of corners that are opposite each other across an edge.
//!
//! Corner `3 t + k` is the k-th of triangle `t`. A corner names three things: its vertex, its triangle, and
//! the edge opposite it. Vertices are joined while triangles are decoded. Corners keep their first vertex,
//! and a forest gives the vertex that it was joined to: rewriting the corners of a vertex at each join would
//! take quadratic time for hostile streams.
//! Source: Jarek Rossignac, Alla Safonova, Andrzej Szymczak, "3D compression made simple: Edgebreaker on a
//! corner-table" (2001).

use super::bytes::{Budget, Fault, fault};

/// No corner, no vertex, no value.
pub(super) const NONE: u32 = u32::MAX;

/// Bytes of a triangle and of a vertex in these lists.
const TRIANGLE_BYTES: u64 = 24;
const VERTEX_BYTES: u64 = 16;

/// Triangles whose vertices are final.
pub(super) struct CornerTable {
    opposite: Vec<u32>,
    vertex: Vec<u32>,
    /// A corner of each vertex: the leftmost of an open fan, any of a closed one.
    leftmost: Vec<u32>,
}

/// Triangles to which others are being added.
pub(super) struct GrowingTable {
    pub(super) corners: CornerTable,
    /// The vertex that each vertex was joined to, or the vertex itself.
    joined: Vec<u32>,
    vertex_limit: usize,
}

pub(super) fn next(corner: u32) -> u32 {
    if corner % 3 == 2 { corner - 2 } else { corner + 1 }
}

pub(super) fn previous(corner: u32) -> u32 {
    if corner.is_multiple_of(3) { corner + 2 } else { corner - 1 }
}

impl CornerTable {
    /// The number of corners.
    pub(super) fn count(&self) -> u32 {
        self.vertex.len() as u32
    }

    /// One more than the largest number of a vertex. Vertices that were joined to others leave their numbers
    /// unused.
    pub(super) fn vertices(&self) -> usize {
        self.leftmost.len()
    }

    pub(super) fn vertex(&self, corner: u32) -> u32 {
        self.vertex[corner as usize]
    }

    /// The corner across the edge opposite a corner.
    pub(super) fn opposite(&self, corner: u32) -> Option<u32> {
        Some(self.opposite[corner as usize]).filter(|&other| other != NONE)
    }

    /// The corner of the same vertex in the triangle to the left.
    pub(super) fn swing_left(&self, corner: u32) -> Option<u32> {
        self.opposite(next(corner)).map(next)
    }

    /// The corner of the same vertex in the triangle to the right.
    pub(super) fn swing_right(&self, corner: u32) -> Option<u32> {
        self.opposite(previous(corner)).map(previous)
    }

    /// Returns true if the fan of a vertex is open.
    pub(super) fn is_boundary(&self, vertex: u32) -> bool {
        self.swing_left(self.leftmost[vertex as usize]).is_none()
    }
}

impl GrowingTable {
    /// An empty table with room for these numbers of triangles and vertices.
    pub(super) fn new(triangles: u64, vertices: u64, budget: &mut Budget) -> Result<GrowingTable, Fault> {
        let triangles = budget.take(triangles, TRIANGLE_BYTES, "triangles")?;
        let vertex_limit = budget.take(vertices, VERTEX_BYTES, "vertices")?;
        let opposite = Vec::with_capacity(3 * triangles);
        let vertex = Vec::with_capacity(3 * triangles);
        let corners = CornerTable { opposite, vertex, leftmost: Vec::with_capacity(vertex_limit) };
        Ok(GrowingTable { corners, joined: Vec::with_capacity(vertex_limit), vertex_limit })
    }

    /// Adds a triangle of these vertices, without neighbours; returns its first corner.
    pub(super) fn add(&mut self, vertices: [u32; 3]) -> u32 {
        self.corners.opposite.extend([NONE; 3]);
        self.corners.vertex.extend(vertices);
        self.corners.count() - 3
    }

    /// Adds a vertex that will have this corner.
    pub(super) fn add_vertex(&mut self, corner: u32) -> Result<u32, Fault> {
        let vertex = self.joined.len();
        if vertex == self.vertex_limit {
            return Err(fault(format_args!("has more vertices than the {vertex} that it declares")));
        }
        self.joined.push(vertex as u32);
        self.corners.leftmost.push(corner);
        Ok(vertex as u32)
    }

    pub(super) fn connect(&mut self, a: u32, b: u32) {
        self.corners.opposite[a as usize] = b;
        self.corners.opposite[b as usize] = a;
    }

    /// The vertex of a corner, after all joins so far.
    pub(super) fn vertex(&mut self, corner: u32) -> u32 {
        self.root(self.corners.vertex[corner as usize])
    }

    /// Halves the path that it walks, so that later walks are short.
    fn root(&mut self, mut vertex: u32) -> u32 {
        while self.joined[vertex as usize] != vertex {
            let above = self.joined[vertex as usize];
            self.joined[vertex as usize] = self.joined[above as usize];
            vertex = self.joined[vertex as usize];
        }
        vertex
    }

    /// Joins a vertex to another, whose number stays.
    pub(super) fn join(&mut self, from: u32, to: u32) {
        self.joined[from as usize] = to;
        self.corners.leftmost[to as usize] = self.corners.leftmost[from as usize];
    }

    pub(super) fn leftmost(&self, vertex: u32) -> u32 {
        self.corners.leftmost[vertex as usize]
    }

    pub(super) fn set_leftmost(&mut self, vertex: u32, corner: u32) {
        self.corners.leftmost[vertex as usize] = corner;
    }

    /// Gives each corner the vertex that its own was joined to.
    pub(super) fn finish(mut self) -> CornerTable {
        for corner in 0..self.corners.count() {
            self.corners.vertex[corner as usize] = self.vertex(corner);
        }
        self.corners
    }
}
