//! Delaunay triangulation within a hull, facet by facet: from each open edge, the point whose circle is empty.

use super::hull::Hull;
use super::plane::{circumcircle, cross, distance};
use std::collections::HashMap;

/// What lies on one side of an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Face {
    /// Not known yet.
    Open,
    /// The outside.
    Outside,
    /// A triangle.
    Triangle(u32),
}

#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    left: Face,
    right: Face,
}

struct Triangulation<'a> {
    points: &'a [[f32; 3]],
    edges: Vec<Edge>,
    /// Edges by their vertices, the smaller first. Only asked, never listed.
    by_ends: HashMap<(u32, u32), usize>,
    triangle_count: u32,
}

/// Triangulates all `points` within the outline `hull`.
pub(super) fn triangulate(points: &[[f32; 3]], hull: &Hull) -> Vec<[u32; 3]> {
    let mut state = Triangulation { points, edges: Vec::new(), by_ends: HashMap::new(), triangle_count: 0 };
    let count = hull.0.len();
    for index in 0..count {
        let before = hull.0[if index > 0 { index - 1 } else { count - 1 }];
        state.add(before, hull.0[index], Face::Outside);
    }
    let mut edge = 0;
    while edge < state.edges.len() {
        for _ in 0..2 {
            state.complete(edge);
        }
        edge += 1;
    }
    state.triangles()
}

impl Triangulation<'_> {
    fn point(&self, index: u32) -> [f32; 3] {
        self.points[index as usize]
    }

    fn find(&self, from: u32, to: u32) -> Option<usize> {
        self.by_ends.get(&(from.min(to), from.max(to))).copied()
    }

    /// Adds an edge with a face on its left, unless there is one already.
    fn add(&mut self, from: u32, to: u32, left: Face) {
        if self.find(from, to).is_none() {
            self.by_ends.insert((from.min(to), from.max(to)), self.edges.len());
            self.edges.push(Edge { from, to, left, right: Face::Open });
        }
    }

    /// Puts a face on the left of the edge seen from `from` to `to`, if that side is open.
    fn set_left(&mut self, edge: usize, from: u32, to: u32, face: Face) {
        let edge = &mut self.edges[edge];
        let side = if edge.from == from && edge.to == to && edge.left == Face::Open {
            &mut edge.left
        } else if edge.to == from && edge.from == to && edge.right == Face::Open {
            &mut edge.right
        } else {
            return;
        };
        *side = face;
    }

    /// Finds the triangle on an open side of the edge, or that it is the outside.
    fn complete(&mut self, index: usize) {
        let edge = self.edges[index];
        let (from, to) = match (edge.left, edge.right) {
            (Face::Open, _) => (edge.from, edge.to),
            (_, Face::Open) => (edge.to, edge.from),
            _ => return,
        };
        let Some(apex) = self.best_apex(from, to) else {
            self.set_left(index, from, to, Face::Outside);
            return;
        };
        let face = Face::Triangle(self.triangle_count);
        self.triangle_count += 1;
        self.set_left(index, from, to, face);
        for (from, to) in [(apex, from), (to, apex)] {
            match self.find(from, to) {
                Some(edge) => self.set_left(edge, from, to, face),
                None => self.add(from, to, face),
            }
        }
    }

    /// The point on the left of an edge whose circle through it holds no other; of several on one circle, the
    /// last whose edges cross none.
    fn best_apex(&self, from: u32, to: u32) -> Option<u32> {
        /// Points nearer to the line than this, as twice an area in m², make no triangle.
        const LEAST_AREA: f32 = 1e-5;
        /// Points this near to the circle, relative to its radius, count as on it.
        const ON_CIRCLE: f32 = 0.001;
        let mut best: Option<(u32, [f32; 3], f32)> = None;
        for apex in (0..self.points.len() as u32).filter(|&apex| apex != from && apex != to) {
            if cross(self.point(from), self.point(to), self.point(apex)) <= LEAST_AREA {
                continue;
            }
            if let Some((_, centre, radius)) = best {
                let far = distance(centre, self.point(apex));
                if far > radius * (1.0 + ON_CIRCLE) {
                    continue;
                }
                let inside = far < radius * (1.0 - ON_CIRCLE);
                if !inside && (self.crosses_any(from, apex) || self.crosses_any(to, apex)) {
                    continue;
                }
            }
            let (centre, radius) = circumcircle(self.point(from), self.point(to), self.point(apex));
            best = Some((apex, centre, radius));
        }
        best.map(|(apex, ..)| apex)
    }

    /// Whether the segment crosses an edge that does not end where it ends.
    fn crosses_any(&self, from: u32, to: u32) -> bool {
        self.edges.iter().any(|edge| {
            let apart = edge.from != from && edge.from != to && edge.to != from && edge.to != to;
            let point = |index| self.point(index);
            apart && cross_properly(point(edge.from), point(edge.to), point(from), point(to))
        })
    }

    /// Collects the triangles from the faces beside the edges; faces that never closed are dropped.
    fn triangles(&self) -> Vec<[u32; 3]> {
        let mut found: Vec<[Option<u32>; 3]> = vec![[None; 3]; self.triangle_count as usize];
        let mut see = |face: Face, from: u32, to: u32| {
            let Face::Triangle(index) = face else { return };
            let [first, second, third] = &mut found[index as usize];
            if first.is_none() {
                (*first, *second) = (Some(from), Some(to));
            } else if *first == Some(to) {
                *third = Some(from);
            } else if *second == Some(from) {
                *third = Some(to);
            }
        };
        for edge in &self.edges {
            see(edge.right, edge.from, edge.to);
            see(edge.left, edge.to, edge.from);
        }
        let mut index = 0;
        while index < found.len() {
            if found[index].contains(&None) {
                found.swap_remove(index);
            } else {
                index += 1;
            }
        }
        found.into_iter().map(|corners| corners.map(|corner| corner.unwrap_or_default())).collect()
    }
}

/// Whether two segments cross at a point inside both, in floats as the reference does.
fn cross_properly(a: [f32; 3], b: [f32; 3], c: [f32; 3], d: [f32; 3]) -> bool {
    let (abd, abc) = (cross(a, b, d), cross(a, b, c));
    if abd * abc >= 0.0 {
        return false;
    }
    let cda = cross(c, d, a);
    cda * (cda + abc - abd) < 0.0
}
