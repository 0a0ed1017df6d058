//! Delaunay triangulation within a hull, facet by facet: from each open edge, the point whose circle is empty.
//!
//! Points are added one by one, and everything is triangulated anew after each. A search that depends on points alone
//! resumes where it stopped, so that a triangulation costs little more than its edges.
//! The gain stands in the header of the errors of samples, `stage/detail_mesh/errors.rs`.

use super::plane::{circumcircle, cross, distance};

/// One side of an edge.
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

/// The progress of the search for an edge's apex while it depends on points alone, not on other edges. Points stay the
/// same while more are added behind them, so the next search resumes from here.
#[derive(Clone, Copy)]
struct Search {
    /// The best apex so far, and the circle through it and the edge.
    best: Option<(u32, [f32; 3], f32)>,
    /// The next point to look at.
    next: u32,
}

/// Triangulates a growing list of points again and again.
#[derive(Default)]
pub(crate) struct Delaunay {
    edges: Vec<Edge>,
    /// By the smaller vertex of an edge: the larger one, and the edge.
    by_ends: Vec<Vec<(u32, u32)>>,
    /// By the first vertex of a directed edge: the other, and how far its search has come.
    searches: Vec<Vec<(u32, Search)>>,
    triangle_count: u32,
    /// Number of points of the last triangulation.
    used: usize,
    found: Vec<[Option<u32>; 3]>,
}

impl Delaunay {
    /// Forgets all points, before a new set is triangulated.
    pub(crate) fn reset(&mut self) {
        self.searches[..self.used].iter_mut().for_each(Vec::clear);
        self.used = 0;
    }

    /// Triangulates all `points` within the outline `hull`, indices of points, into `triangles`. Since the last reset points may have been
    /// added, but none changed.
    pub(crate) fn triangulate(&mut self, points: &[[f32; 3]], hull: &[u32], triangles: &mut Vec<[u32; 3]>) {
        self.edges.clear();
        self.triangle_count = 0;
        self.used = points.len();
        if self.by_ends.len() < points.len() {
            self.by_ends.resize(points.len(), Vec::new());
            self.searches.resize(points.len(), Vec::new());
        }
        self.by_ends[..points.len()].iter_mut().for_each(Vec::clear);
        let mut before = hull.last().copied().unwrap_or(0);
        for &vertex in hull {
            self.add(before, vertex, Face::Outside);
            before = vertex;
        }
        let mut edge = 0;
        while edge < self.edges.len() {
            for _ in 0..2 {
                self.complete(edge, points);
            }
            edge += 1;
        }
        self.collect(triangles);
    }

    fn find(&self, from: u32, to: u32) -> Option<usize> {
        let (smaller, larger) = (from.min(to), from.max(to));
        let beside = &self.by_ends[smaller as usize];
        beside.iter().find(|(other, _)| *other == larger).map(|&(_, edge)| edge as usize)
    }

    /// Adds an edge with a face on its left, unless there is one already.
    fn add(&mut self, from: u32, to: u32, left: Face) {
        if self.find(from, to).is_none() {
            self.by_ends[from.min(to) as usize].push((from.max(to), self.edges.len() as u32));
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
    fn complete(&mut self, index: usize, points: &[[f32; 3]]) {
        let edge = self.edges[index];
        let (from, to) = match (edge.left, edge.right) {
            (Face::Open, _) => (edge.from, edge.to),
            (_, Face::Open) => (edge.to, edge.from),
            _ => return,
        };
        let Some(apex) = self.best_apex(from, to, points) else {
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
    fn best_apex(&mut self, from: u32, to: u32, points: &[[f32; 3]]) -> Option<u32> {
        /// Points nearer to the line than this, as twice an area in m², make no triangle.
        const LEAST_AREA: f32 = 1e-5;
        /// Points this near to the circle, relative to its radius, count as on it.
        const ON_CIRCLE: f32 = 0.001;
        let searches = &self.searches[from as usize];
        let known = searches.iter().position(|(other, _)| *other == to);
        let mut search = known.map_or(Search { best: None, next: 0 }, |at| searches[at].1);
        let mut kept = None;
        let (start, end) = (points[from as usize], points[to as usize]);
        for (apex, &point) in (search.next..).zip(&points[search.next as usize..]) {
            if apex == from || apex == to || cross(start, end, point) <= LEAST_AREA {
                continue;
            }
            if let Some((_, centre, radius)) = search.best {
                let far = distance(centre, point);
                if far > radius * (1.0 + ON_CIRCLE) {
                    continue;
                }
                let inside = far < radius * (1.0 - ON_CIRCLE);
                if !inside {
                    // From here on the answer depends on the edges there are.
                    kept.get_or_insert(Search { best: search.best, next: apex });
                    if self.crosses_any(from, apex, points) || self.crosses_any(to, apex, points) {
                        continue;
                    }
                }
            }
            let (centre, radius) = circumcircle(start, end, point);
            search.best = Some((apex, centre, radius));
        }
        search.next = points.len() as u32;
        let kept = kept.unwrap_or(search);
        let searches = &mut self.searches[from as usize];
        match known {
            Some(at) => searches[at].1 = kept,
            None => searches.push((to, kept)),
        }
        search.best.map(|(apex, ..)| apex)
    }

    /// Whether the segment crosses an edge that does not end where it ends.
    fn crosses_any(&self, from: u32, to: u32, points: &[[f32; 3]]) -> bool {
        let point = |index: u32| points[index as usize];
        self.edges.iter().any(|edge| {
            let apart = edge.from != from && edge.from != to && edge.to != from && edge.to != to;
            apart && cross_properly(point(edge.from), point(edge.to), point(from), point(to))
        })
    }

    /// Collects the triangles from the faces beside the edges; faces that never closed are dropped.
    fn collect(&mut self, triangles: &mut Vec<[u32; 3]>) {
        let found = &mut self.found;
        found.clear();
        found.resize(self.triangle_count as usize, [None; 3]);
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
        triangles.clear();
        triangles.extend(found.iter().map(|corners| corners.map(|corner| corner.unwrap_or_default())));
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
