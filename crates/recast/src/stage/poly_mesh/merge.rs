//! Merges triangles into convex polygons: repeatedly the two that share the longest edge, as long as the
//! result is convex and has few enough corners. Cost: O(triangles log triangles).
//!
//! Pairs wait in a queue, the best first. A pair that changes in a merge is added to it again, and its old
//! entry is skipped. Polygons are rings of corners, so two are joined by changing two links.

use super::draft::{DraftPolygons, RegionSpan};
use navmath::predicates::{Point, distance_squared, left};
use navtile::area::AreaId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Merges the triangles of one contour, or of one hole; reuses its memory.
#[derive(Default)]
pub(super) struct Merger {
    /// Greatest number of corners of a polygon.
    most: u32,
    /// Corners of all polygons.
    corners: Vec<PolygonCorner>,
    /// Corners by the edges that start there, in either direction: the smaller vertex, the larger one, the
    /// corner.
    by_edge: Vec<u128>,
    polygons: Vec<ConvexPolygon>,
    /// The remaining polygons. Their positions decide between equally good pairs.
    places: Vec<u32>,
    pairs: BinaryHeap<MergePair>,
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
    /// The next corner with the same edge, in a ring of such corners.
    twin: u32,
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

/// Two polygons that can become one. The longest shared edge is the greatest; among equals, the first
/// positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct MergePair {
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
    pub(super) fn start(&mut self, triangles: usize, max_vertices: usize) {
        // All of them together have two corners more than there are triangles.
        self.most = max_vertices.min(triangles + 2).max(3) as u32;
        self.corners.clear();
        self.corners.reserve(3 * triangles);
        self.polygons.clear();
        self.polygons.reserve(triangles);
        self.pairs.clear();
    }

    /// Adds a triangle.
    pub(super) fn add(&mut self, corners: [u32; 3], regions: RegionSpan, area: AreaId) {
        let (start, polygon) = (self.corners.len() as u32, self.polygons.len() as u32);
        let links = [(2, 1), (0, 2), (1, 0)];
        self.corners.extend(corners.into_iter().zip(links).map(|(vertex, (previous, next))| PolygonCorner {
            vertex,
            previous: start + previous,
            next: start + next,
            polygon,
            twin: start,
        }));
        self.polygons.push(ConvexPolygon { start, count: 3, place: polygon, regions, area });
    }

    /// Merges the triangles added and appends the polygons to `merged`. Ties go to the polygons that come
    /// first; polygons made of several regions belong to no region.
    pub(super) fn merge_into(&mut self, vertices: &[[i32; 3]], merged: &mut DraftPolygons) {
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
        let Merger { corners, by_edge, .. } = self;
        by_edge.clear();
        by_edge.extend((0u32..).zip(&*corners).map(|(at, corner)| {
            let (from, to) = (corner.vertex, corners[corner.next as usize].vertex);
            let ends = u64::from(from.min(to)) << 32 | u64::from(from.max(to));
            u128::from(ends) << 32 | u128::from(at)
        }));
        by_edge.sort_unstable();
        for sharing in by_edge.chunk_by(|one, other| one >> 32 == other >> 32) {
            let mut before = sharing[sharing.len() - 1] as u32;
            for &at in sharing {
                corners[before as usize].twin = at as u32;
                before = at as u32;
            }
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
        let twin = |at: u32| self.corners[at as usize].twin;
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
        if a.count + b.count - 2 > self.most {
            return None;
        }
        let edges @ [first, second] = self.shared_edge(polygons)?;
        let corner = |at: u32| &self.corners[at as usize];
        let plan = |at: u32| -> Point {
            let [x, _, z] = vertices[corner(at).vertex as usize];
            [x, z]
        };
        let turns_left = |at: u32, other: u32| {
            left(plan(corner(at).previous), plan(at), plan(corner(corner(other).next).next))
        };
        if !turns_left(first, second) || !turns_left(second, first) {
            return None;
        }
        let squared_length = distance_squared(plan(first), plan(corner(first).next));
        (squared_length > 0).then_some(MergePair {
            squared_length,
            places: Reverse([a.place, b.place]),
            polygons,
            edges,
            count: a.count + b.count,
        })
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

#[cfg(test)]
mod tests;
