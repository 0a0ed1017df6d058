//! Merges triangles into convex polygons, as long as the result is convex and has few enough corners: first
//! over edges that end at no notch of the outline, then over those that end at one, last over those between
//! two; of each kind over the longest edge. Cost: O(triangles log triangles).
//! Source: S. Hertel and K. Mehlhorn, Fast triangulation of simple polygons (1983).
//!
//! ```text
//!        o---o         At a notch, n, the outline turns away from the ground. An edge must end there, so
//!   o----n...n----o    that no polygon turns away. An edge between two notches serves both, so it is the
//!   |             |    last to go.
//!   o-------------o
//! ```
//!
//! Pairs wait in a queue, the best first. A pair that changes in a merge is added to it again, and its old
//! entry is skipped. Polygons are rings of corners, so two are joined by changing two links.

use super::shared_edges::SharedEdges;
use crate::data::draft_polygons::{DraftPolygons, RegionSpan};
use navmath::predicates::{Point, between, collinear, distance_squared, left};
use navtile::area::AreaId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Merges the triangles of one contour, or of one hole; reuses its memory.
#[derive(Default)]
pub(crate) struct Merger {
    /// Greatest number of corners of a polygon.
    most: u32,
    /// Corners of all polygons.
    corners: Vec<PolygonCorner>,
    shared: SharedEdges,
    /// By corner, the next corner with the same edge, in a ring of such corners.
    twin: Vec<u32>,
    polygons: Vec<ConvexPolygon>,
    /// The remaining polygons. Their positions decide between equally good pairs.
    places: Vec<u32>,
    pairs: BinaryHeap<MergePair>,
    /// By vertex, the vertices before and after it on the outline of all triangles: [`NONE`] inside, [`MANY`]
    /// if the outline passes several times.
    beside: Vec<[u32; 2]>,
    /// Scratch memory: neighbours of a polygon, and its corners.
    near: Vec<u32>,
    outline: Vec<u32>,
}

/// A corner of a polygon, in a ring of its corners.
#[derive(Clone, Copy)]
struct PolygonCorner {
    vertex: u32,
    previous: u32,
    next: u32,
    /// [`NONE`] if it was removed by a merge.
    polygon: u32,
    /// True if the outline of all triangles turns right at the vertex, or passes it several times.
    notch: bool,
}

/// A polygon during merging.
#[derive(Clone, Copy)]
struct ConvexPolygon {
    /// The first corner in its list of corners.
    start: u32,
    count: u32,
    /// Index in [`Merger::places`]; [`NONE`] if it became part of another polygon.
    place: u32,
    regions: RegionSpan,
    area: AreaId,
}

/// No polygon, or no position.
const NONE: u32 = u32::MAX;

/// More than one vertex.
const MANY: u32 = u32::MAX - 1;

/// Two polygons that can become one. The greatest has the fewest notches at its shared edge; of these, the
/// longest edge; among equals, the first positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct MergePair {
    notches: Reverse<u8>,
    squared_length: i64,
    places: Reverse<[u32; 2]>,
    polygons: [u32; 2],
    /// The corner of each polygon where the edge starts.
    edges: [u32; 2],
    /// Number of corners of both together. A polygon only grows, so this and the positions show if either has
    /// changed.
    count: u32,
}

impl Merger {
    /// Starts over, and reserves room for this many triangles, which become polygons of up to `max_vertices`
    /// corners.
    pub(crate) fn start(&mut self, triangles: usize, max_vertices: usize) {
        // All of them together have two corners more than there are triangles.
        self.most = max_vertices.min(triangles + 2).max(3) as u32;
        self.corners.clear();
        self.corners.reserve(3 * triangles);
        self.polygons.clear();
        self.polygons.reserve(triangles);
        self.pairs.clear();
    }

    /// Adds a triangle.
    pub(crate) fn add(&mut self, corners: [u32; 3], regions: RegionSpan, area: AreaId) {
        let (start, polygon) = (self.corners.len() as u32, self.polygons.len() as u32);
        let links = [(2, 1), (0, 2), (1, 0)];
        self.corners.extend(corners.into_iter().zip(links).map(|(vertex, (previous, next))| PolygonCorner {
            vertex,
            previous: start + previous,
            next: start + next,
            polygon,
            notch: false,
        }));
        self.polygons.push(ConvexPolygon { start, count: 3, place: polygon, regions, area });
    }

    /// Merges the triangles added and appends the polygons to `merged`. Ties go to the polygons that come
    /// first; polygons made of several regions belong to no region.
    pub(crate) fn merge_into(&mut self, vertices: &[[i32; 3]], merged: &mut DraftPolygons) {
        self.places.clear();
        self.places.extend(0..self.polygons.len() as u32);
        if self.most > 3 {
            self.merge(vertices);
        }
        let mut corners = std::mem::take(&mut self.outline);
        for &polygon in &self.places {
            let polygon = &self.polygons[polygon as usize];
            corners.clear();
            corners.extend(self.ring(polygon).map(|at| self.corners[at as usize].vertex));
            merged.add(&corners, polygon.regions, polygon.area);
        }
        self.outline = corners;
    }

    fn merge(&mut self, vertices: &[[i32; 3]]) {
        self.find_shared_edges();
        self.find_notches(vertices);
        for polygon in 0..self.polygons.len() as u32 {
            self.consider(polygon, vertices, |other| other < polygon);
        }
        while let Some(best) = self.pairs.pop() {
            let [kept, removed] = best.polygons;
            if self.has_changed(&best) {
                continue;
            }
            self.join(&best);
            let gap = std::mem::replace(&mut self.polygons[removed as usize].place, NONE);
            self.places.swap_remove(gap as usize);
            self.consider(kept, vertices, |_| true);
            // The last polygon has moved into the gap.
            if let Some(&moved) = self.places.get(gap as usize) {
                self.polygons[moved as usize].place = gap;
                self.consider(moved, vertices, |_| true);
            }
        }
    }

    /// Links the corners where the same edge starts.
    fn find_shared_edges(&mut self) {
        let Merger { corners, shared, twin, .. } = self;
        twin.resize(corners.len(), NONE);
        let ends = |corner: &PolygonCorner| [corner.vertex, corners[corner.next as usize].vertex];
        shared.for_each(corners.iter().map(ends), |edges| {
            let mut before = edges[edges.len() - 1] as u32;
            for &at in edges {
                twin[before as usize] = at as u32;
                before = at as u32;
            }
        });
    }

    /// Finds the corners at notches of the outline, whose edges have no twins.
    fn find_notches(&mut self, vertices: &[[i32; 3]]) {
        let Merger { corners, twin, beside, .. } = self;
        beside.resize(vertices.len().max(beside.len()), [NONE; 2]);
        corners.iter().for_each(|corner| beside[corner.vertex as usize] = [NONE; 2]);
        for (_, corner) in (0u32..).zip(&*corners).filter(|(at, _)| twin[*at as usize] == *at) {
            let (from, to) = (corner.vertex, corners[corner.next as usize].vertex);
            for (vertex, side, other) in [(from, 1, to), (to, 0, from)] {
                let known = &mut beside[vertex as usize][side];
                *known = if *known == NONE { other } else { MANY };
            }
        }
        for corner in corners {
            corner.notch = match beside[corner.vertex as usize] {
                [NONE, NONE] => false,
                [NONE | MANY, _] | [_, NONE | MANY] => true,
                [before, after] => {
                    let [before, here, after] =
                        [before, corner.vertex, after].map(|vertex| plan(vertices, vertex));
                    !stays_left(before, here, after)
                }
            };
        }
    }

    /// The corners of a polygon, in their order.
    #[inline]
    fn ring(&self, polygon: &ConvexPolygon) -> impl Iterator<Item = u32> {
        let first = polygon.start;
        std::iter::successors(Some(first), |&at| Some(self.corners[at as usize].next))
            .take(polygon.count as usize)
    }

    /// The other corners where the same edge starts.
    #[inline]
    fn twins(&self, at: u32) -> impl Iterator<Item = u32> {
        let twin = |at: u32| self.twin[at as usize];
        std::iter::successors(Some(twin(at)), move |&other| Some(twin(other)))
            .take_while(move |&other| other != at)
    }

    fn has_changed(&self, pair: &MergePair) -> bool {
        let [a, b] = pair.polygons.map(|polygon| &self.polygons[polygon as usize]);
        [a.place, b.place] != pair.places.0 || a.count + b.count != pair.count
    }

    /// Lists the pairs of a polygon with the given neighbours.
    fn consider(&mut self, polygon: u32, vertices: &[[i32; 3]], is_wanted: impl Fn(u32) -> bool) {
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        for at in self.ring(&self.polygons[polygon as usize]) {
            let others = self.twins(at).map(|twin| self.corners[twin as usize].polygon);
            near.extend(others.filter(|&other| other != NONE && other != polygon && is_wanted(other)));
        }
        near.sort_unstable();
        near.dedup();
        for &other in &near {
            let place = |polygon: u32| self.polygons[polygon as usize].place;
            let pair = if place(polygon) < place(other) { [polygon, other] } else { [other, polygon] };
            self.pairs.extend(self.pair(pair, vertices));
        }
        self.near = near;
    }

    /// Two polygons as a pair, if they can form one convex polygon.
    fn pair(&self, polygons: [u32; 2], vertices: &[[i32; 3]]) -> Option<MergePair> {
        #[cfg(test)]
        crate::meshing::steps::step();
        let [a, b] = polygons.map(|polygon| &self.polygons[polygon as usize]);
        if a.count + b.count - 2 > self.most || self.is_flat(a, vertices) || self.is_flat(b, vertices) {
            return None;
        }
        let edges @ [first, second] = self.shared_edge(polygons)?;
        let corner = |at: u32| &self.corners[at as usize];
        let plan = |at: u32| plan(vertices, corner(at).vertex);
        let may_meet = |at: u32, other: u32| {
            stays_left(plan(corner(at).previous), plan(at), plan(corner(corner(other).next).next))
        };
        // Over a knot, both may lead in one direction.
        let opposite = corner(first).vertex == corner(corner(second).next).vertex;
        if !opposite || !may_meet(first, second) || !may_meet(second, first) {
            return None;
        }
        let ends = [first, corner(first).next];
        let squared_length = distance_squared(plan(ends[0]), plan(ends[1]));
        (squared_length > 0).then_some(MergePair {
            notches: Reverse(ends.map(|end| u8::from(corner(end).notch)).iter().sum()),
            squared_length,
            places: Reverse([a.place, b.place]),
            polygons,
            edges,
            count: a.count + b.count,
        })
    }

    /// Returns true for a triangle without area. One of its corners is on an edge, so nothing can be joined
    /// to it.
    fn is_flat(&self, polygon: &ConvexPolygon, vertices: &[[i32; 3]]) -> bool {
        if polygon.count > 3 {
            return false;
        }
        let PolygonCorner { vertex, previous, next, .. } = self.corners[polygon.start as usize];
        let [before, after] = [previous, next].map(|at| self.corners[at as usize].vertex);
        let [a, b, c] = [before, vertex, after].map(|vertex| plan(vertices, vertex));
        collinear(a, b, c)
    }

    /// The last edge of the first polygon that the second one also has, in either direction: the corners at
    /// which it starts.
    fn shared_edge(&self, [a, b]: [u32; 2]) -> Option<[u32; 2]> {
        let of_b = |twin: &u32| self.corners[*twin as usize].polygon == b;
        let corners = self.ring(&self.polygons[a as usize]);
        corners.filter_map(|at| Some([at, self.twins(at).find(of_b)?])).last()
    }

    /// Joins the two polygons of a pair; the first one remains.
    fn join(&mut self, pair: &MergePair) {
        let [kept, removed] = pair.polygons;
        let b = self.polygons[removed as usize];
        let mut at = b.start;
        for _ in 0..b.count {
            let corner = &mut self.corners[at as usize];
            (corner.polygon, at) = (kept, corner.next);
        }
        let [first, second] = pair.edges.map(|at| self.corners[at as usize]);
        // In each polygon, the first of the edge's two corners is removed.
        for (from, to) in [(first.previous, second.next), (second.previous, first.next)] {
            self.corners[from as usize].next = to;
            self.corners[to as usize].previous = from;
        }
        for gone in pair.edges {
            self.corners[gone as usize].polygon = NONE;
        }
        let a = &mut self.polygons[kept as usize];
        a.start = first.next;
        a.count = pair.count - 2;
        a.regions = a.regions.with(b.regions);
    }
}

/// Returns true if `c` is left of the directed line from `a` to `b`, or beyond `b` on it if the line runs
/// along an axis. On a slanted line, coordinates in metres are rounded off the line: a string pulled along it
/// could turn at the wrong corner.
fn stays_left(a: Point, b: Point, c: Point) -> bool {
    let runs_on = |axis: usize| a[axis] == c[axis] && a != c && between(a, c, b);
    left(a, b, c) || runs_on(0) || runs_on(1)
}

/// The position of a vertex as seen from above.
fn plan(vertices: &[[i32; 3]], vertex: u32) -> Point {
    let [x, _, z] = vertices[vertex as usize];
    [x, z]
}

#[cfg(test)]
mod tests;
