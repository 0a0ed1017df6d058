//! The triangles of one polygon's detail mesh: a Delaunay triangulation that grows vertex by vertex.
//!
//! Positions are whole numbers of 1/256 cell, the finest that a tile can hold, and every decision is exact.
//! So triangles never turn over, edges are flipped only until all circles are empty, and the result does not
//! depend on the size of a cell.
//! Cost: constant work per vertex, on average, once the triangle around it is known.
//! Source: C. Lawson, Software for C1 surface interpolation (1977).

use navmath::predicates::{Point, area2, in_circle};

/// Stands for the outline in place of a triangle.
const OUTLINE: u32 = u32::MAX;

/// A vertex of a detail mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DetailVertex {
    /// Its position seen from above, 1/256 cell.
    pub(crate) plan: Point,
    /// Its height, cells: a whole number of 1/256.
    pub(crate) height: f64,
}

/// A triangulation of a convex outline. Triangles have their interior to the left.
#[derive(Default)]
pub(crate) struct Surface {
    pub(crate) vertices: Vec<DetailVertex>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The neighbour over the edge from corner i to corner i + 1: a triangle, or [`OUTLINE`].
    beyond: Vec<[u32; 3]>,
    /// Time of each triangle's last change, counted in added vertices; then the triangles that the last
    /// vertex changed.
    pub(crate) stamps: Vec<u32>,
    pub(crate) changed: Vec<u32>,
    now: u32,
    open: Vec<u32>,
}

/// Location of a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Location {
    Inside(u32),
    /// On an edge of a triangle.
    Edge(u32, usize),
    /// At a vertex, on the outline, or beyond it.
    Settled,
}

impl Surface {
    /// Triangulates an outline. `corners` are its strictly convex corners; the vertices of `between` are on
    /// the straight lines from one corner to the next, each list in order. Returns false if the outline has
    /// no area.
    pub(crate) fn start(&mut self, corners: &[u32], between: &[Vec<u32>]) -> bool {
        self.triangles.clear();
        self.beyond.clear();
        self.stamps.clear();
        self.changed.clear();
        self.now = 0;
        if corners.len() < 3 {
            return false;
        }
        // Each corner sees all others over one edge: the last one of the outline up to now.
        for (&[previous, corner], number) in corners[1..].array_windows().zip(0..) {
            let (under, edge) = match number {
                0 => (OUTLINE, 0),
                _ => self.outline_at(previous, self.triangles.len() as u32 - 1),
            };
            let triangle = self.add([corners[0], previous, corner], [under, OUTLINE, OUTLINE]);
            if under != OUTLINE {
                self.beyond[under as usize][edge] = triangle;
            }
            self.legalise([triangle]);
        }
        let mut near = self.triangles.iter().position(|t| t.contains(&corners[0])).unwrap_or(0) as u32;
        for (&corner, between) in corners.iter().zip(between) {
            let (mut triangle, mut edge) = self.outline_at(corner, near);
            for &vertex in between {
                let added = self.split_edge(triangle, edge, vertex);
                self.legalise(added);
                (triangle, edge) = self.outline_at(vertex, added[1]);
            }
            // This triangle has the next corner.
            near = triangle;
        }
        true
    }

    /// Adds a vertex within `near` or not far from it. Returns false if a vertex is already at its place, or
    /// if it is on the outline or beyond.
    pub(crate) fn insert(&mut self, vertex: DetailVertex, near: u32) -> bool {
        self.now += 1;
        self.changed.clear();
        let location = self.locate(vertex.plan, near);
        if location == Location::Settled {
            return false;
        }
        let index = self.vertices.len() as u32;
        self.vertices.push(vertex);
        match location {
            Location::Inside(triangle) => {
                let added = self.split_triangle(triangle, index);
                self.legalise(added);
            }
            Location::Edge(triangle, edge) => {
                let added = self.split_edge(triangle, edge, index);
                self.legalise(added);
            }
            Location::Settled => {}
        }
        true
    }

    /// Returns for each edge of a triangle true if it is on the outline.
    pub(crate) fn boundary(&self, triangle: usize) -> [bool; 3] {
        self.beyond[triangle].map(|beyond| beyond == OUTLINE)
    }

    fn plan(&self, vertex: u32) -> Point {
        self.vertices[vertex as usize].plan
    }

    fn locate(&self, point: Point, near: u32) -> Location {
        let mut at = near;
        // In a Delaunay triangulation such a walk visits no triangle twice.
        for _ in 0..self.triangles.len() {
            let [a, b, c] = self.triangles[at as usize].map(|corner| self.plan(corner));
            let sides = [area2(a, b, point), area2(b, c, point), area2(c, a, point)];
            if let Some(edge) = sides.iter().position(|&side| side > 0) {
                at = self.beyond[at as usize][edge];
                if at == OUTLINE {
                    return Location::Settled;
                }
                continue;
            }
            let mut on = (0..3).filter(|&edge| sides[edge] == 0);
            return match (on.next(), on.next()) {
                (None, _) => Location::Inside(at),
                (Some(edge), None) if self.beyond[at as usize][edge] != OUTLINE => Location::Edge(at, edge),
                _ => Location::Settled,
            };
        }
        Location::Settled
    }

    /// The triangle and its edge where the outline leaves a vertex; the vertex is a corner of `near`.
    fn outline_at(&self, vertex: u32, near: u32) -> (u32, usize) {
        let mut at = near;
        loop {
            let corners = self.triangles[at as usize];
            let edge = corners.iter().position(|&corner| corner == vertex).unwrap_or(0);
            match self.beyond[at as usize][edge] {
                OUTLINE => return (at, edge),
                next => at = next,
            }
        }
    }

    fn add(&mut self, corners: [u32; 3], beyond: [u32; 3]) -> u32 {
        self.triangles.push(corners);
        self.beyond.push(beyond);
        self.stamps.push(u32::MAX);
        let index = self.triangles.len() as u32 - 1;
        self.touch(index);
        index
    }

    fn replace(&mut self, triangle: u32, corners: [u32; 3], beyond: [u32; 3]) {
        self.triangles[triangle as usize] = corners;
        self.beyond[triangle as usize] = beyond;
        self.touch(triangle);
    }

    fn touch(&mut self, triangle: u32) {
        if std::mem::replace(&mut self.stamps[triangle as usize], self.now) != self.now {
            self.changed.push(triangle);
        }
    }

    /// Replaces the neighbour `old` of `triangle`, if there is such a triangle, by `new`.
    fn retarget(&mut self, triangle: u32, old: u32, new: u32) {
        if triangle != OUTLINE {
            let beyond = &mut self.beyond[triangle as usize];
            beyond.iter_mut().filter(|beyond| **beyond == old).for_each(|beyond| *beyond = new);
        }
    }

    /// Cuts a triangle into three around a vertex, which becomes the third corner of each.
    fn split_triangle(&mut self, triangle: u32, vertex: u32) -> [u32; 3] {
        let [a, b, c] = self.triangles[triangle as usize];
        let [ab, bc, ca] = self.beyond[triangle as usize];
        let second = self.triangles.len() as u32;
        let third = second + 1;
        self.replace(triangle, [a, b, vertex], [ab, second, third]);
        self.add([b, c, vertex], [bc, third, triangle]);
        self.add([c, a, vertex], [ca, triangle, second]);
        self.retarget(bc, triangle, second);
        self.retarget(ca, triangle, third);
        [triangle, second, third]
    }

    /// Cuts the triangles on both sides of an edge in two at a vertex on it, which becomes the third corner
    /// of each. The second triangle has the end of the edge.
    fn split_edge(&mut self, triangle: u32, edge: usize, vertex: u32) -> [u32; 4] {
        let turned =
            |list: [u32; 3], first: usize| [list[first], list[(first + 1) % 3], list[(first + 2) % 3]];
        let [a, b, c] = turned(self.triangles[triangle as usize], edge);
        let [other, bc, ca] = turned(self.beyond[triangle as usize], edge);
        let second = self.triangles.len() as u32;
        if other == OUTLINE {
            self.replace(triangle, [c, a, vertex], [ca, OUTLINE, second]);
            self.add([b, c, vertex], [bc, triangle, OUTLINE]);
            self.retarget(bc, triangle, second);
            return [triangle, second, triangle, second];
        }
        let back = self.triangles[other as usize].iter().position(|&corner| corner == b).unwrap_or(0);
        let [_, _, d] = turned(self.triangles[other as usize], back);
        let [_, ad, db] = turned(self.beyond[other as usize], back);
        let fourth = second + 1;
        self.replace(triangle, [c, a, vertex], [ca, other, second]);
        self.add([b, c, vertex], [bc, triangle, fourth]);
        self.replace(other, [a, d, vertex], [ad, fourth, triangle]);
        self.add([d, b, vertex], [db, second, other]);
        self.retarget(bc, triangle, second);
        self.retarget(db, other, fourth);
        [triangle, second, other, fourth]
    }

    /// Flips edges until all circles are empty again. The third corner of each triangle is the new vertex.
    fn legalise<const N: usize>(&mut self, added: [u32; N]) {
        self.open.clear();
        self.open.extend(added);
        while let Some(triangle) = self.open.pop() {
            if let Some(other) = self.flip_if_needed(triangle) {
                self.open.extend([triangle, other]);
            }
        }
    }

    /// Flips the edge opposite to a triangle's third corner, the new vertex, if the far corner beyond it is
    /// within the triangle's circle. Returns the other triangle after a flip. The new vertex is then the
    /// third corner of both, and its degree has grown, so this ends.
    fn flip_if_needed(&mut self, triangle: u32) -> Option<u32> {
        let [a, b, apex] = self.triangles[triangle as usize];
        let [other, right, left] = self.beyond[triangle as usize];
        if other == OUTLINE {
            return None;
        }
        let corners = self.triangles[other as usize];
        let edge = corners.iter().position(|&corner| corner == b)?;
        let far = corners[(edge + 2) % 3];
        // If the far corner is in the circle, the four corners are convex.
        if !in_circle(self.plan(a), self.plan(b), self.plan(apex), self.plan(far)) {
            return None;
        }
        let around = self.beyond[other as usize];
        let (beyond_a, beyond_b) = (around[(edge + 1) % 3], around[(edge + 2) % 3]);
        self.replace(triangle, [a, far, apex], [beyond_a, other, left]);
        self.replace(other, [far, b, apex], [beyond_b, right, triangle]);
        self.retarget(beyond_a, other, triangle);
        self.retarget(right, triangle, other);
        Some(other)
    }
}

impl DetailVertex {
    /// A corner of a polygon, given by its place.
    pub(crate) fn corner([x, y, z]: [i32; 3]) -> DetailVertex {
        DetailVertex { plan: [x, z], height: f64::from(y) }
    }
}
