//! Merging triangles into convex polygons: again and again the two that share the longest edge, as long as the result
//! is convex and has few enough corners.

use super::draft::DraftPolygons;
use crate::area::AreaId;
use crate::data::RegionId;
use navmath::predicates::{Point, distance_squared, left};

/// Merges the triangles of one contour, or of one hole, with memory that it keeps.
#[derive(Default)]
pub(super) struct Merger {
    /// Corners of each piece, in rows of one length.
    corners: Vec<u32>,
    row: usize,
    pieces: Vec<ConvexPiece>,
    candidates: Vec<MergeCandidate>,
}

/// A piece while it is merged.
#[derive(Clone, Copy)]
struct ConvexPiece {
    count: usize,
    /// One bit per edge, from a hash of its ends. Pieces without a common bit share no edge; this spares most pairs a look
    /// at their corners, which is half of this stage and 6 % of a bake of rolling terrain.
    edges: u64,
    region: Option<RegionId>,
    area: AreaId,
}

/// Two pieces that can become one, `first < second`, over an edge of each.
#[derive(Clone, Copy)]
struct MergeCandidate {
    squared_length: i64,
    first: u32,
    second: u32,
    first_edge: u32,
    second_edge: u32,
}

impl Merger {
    /// Starts over, and reserves room for this many triangles, which become polygons of up to `max_vertices` corners.
    pub(super) fn start(&mut self, triangles: usize, max_vertices: usize) {
        // All of them together have two corners more than there are triangles.
        self.row = max_vertices.min(triangles + 2).max(3);
        self.corners.clear();
        self.corners.reserve(triangles * self.row);
        self.pieces.clear();
        self.pieces.reserve(triangles);
        self.candidates.clear();
    }

    /// Adds a triangle.
    pub(super) fn add(&mut self, corners: [u32; 3], region: Option<RegionId>, area: AreaId) {
        let start = self.corners.len();
        self.corners.resize(start + self.row, 0);
        self.corners[start..start + 3].copy_from_slice(&corners);
        self.pieces.push(ConvexPiece { count: 3, edges: edge_bits(&corners), region, area });
    }

    /// Merges the triangles added and appends the polygons to `merged`. Ties go to the pieces that come first; pieces
    /// made of several regions belong to none.
    pub(super) fn merge_into(&mut self, vertices: &[[i32; 3]], merged: &mut DraftPolygons) {
        if self.row > 3 {
            self.merge(vertices);
        }
        for (index, piece) in self.pieces.iter().enumerate() {
            merged.add(self.corners(index), piece.region, piece.area);
        }
    }

    fn merge(&mut self, vertices: &[[i32; 3]]) {
        for second in 1..self.pieces.len() {
            for first in 0..second {
                if self.may_share_edge(first, second) {
                    self.consider(first, second, vertices);
                }
            }
        }
        let key = |c: &MergeCandidate| (std::cmp::Reverse(c.squared_length), c.first, c.second);
        while let Some(best) = self.candidates.iter().copied().min_by_key(key) {
            let (kept, removed) = (best.first as usize, best.second as usize);
            let last = self.pieces.len() - 1;
            self.join(&best);
            self.pieces.swap_remove(removed);
            self.corners.copy_within(last * self.row..(last + 1) * self.row, removed * self.row);
            self.corners.truncate(last * self.row);
            let stale = |index: u32| [kept, removed, last].contains(&(index as usize));
            self.candidates.retain(|c| !stale(c.first) && !stale(c.second));
            // The merged piece is new, and the last one has moved into the gap.
            for changed in [kept, removed] {
                if changed >= self.pieces.len() {
                    continue;
                }
                for other in 0..self.pieces.len() {
                    let is_new = (other != changed) & !((changed == removed) & (other == kept));
                    if is_new && self.may_share_edge(changed, other) {
                        self.consider(changed.min(other), changed.max(other), vertices);
                    }
                }
            }
        }
    }

    #[inline]
    fn corners(&self, piece: usize) -> &[u32] {
        &self.corners[piece * self.row..][..self.pieces[piece].count]
    }

    #[inline]
    fn may_share_edge(&self, first: usize, second: usize) -> bool {
        self.pieces[first].edges & self.pieces[second].edges != 0
    }

    /// Lists the pair if it shares an edge and could be one convex piece.
    fn consider(&mut self, first: usize, second: usize, vertices: &[[i32; 3]]) {
        let (a, b) = (&self.pieces[first], &self.pieces[second]);
        if a.count + b.count - 2 <= self.row
            && let Some(candidate) = self.candidate(first, second, vertices)
        {
            self.candidates.push(candidate);
        }
    }

    fn candidate(&self, first: usize, second: usize, vertices: &[[i32; 3]]) -> Option<MergeCandidate> {
        let (a, b) = (self.corners(first), self.corners(second));
        let (first_edge, second_edge) = shared_edge(a, b)?;
        let plan = |vertex: u32| -> Point {
            let [x, _, z] = vertices[vertex as usize];
            [x, z]
        };
        let turn = |p: &[u32], at: usize, q: &[u32], other: usize| {
            let before = p[if at > 0 { at - 1 } else { p.len() - 1 }];
            left(plan(before), plan(p[at]), plan(q[next(q, next(q, other))]))
        };
        if !turn(a, first_edge, b, second_edge) || !turn(b, second_edge, a, first_edge) {
            return None;
        }
        let squared_length = distance_squared(plan(a[first_edge]), plan(a[next(a, first_edge)]));
        // Corners are few, and pieces not more than corners, which are numbered in 32 bits.
        (squared_length > 0).then_some(MergeCandidate {
            squared_length,
            first: first as u32,
            second: second as u32,
            first_edge: first_edge as u32,
            second_edge: second_edge as u32,
        })
    }

    /// Puts the two pieces of a pair together, in place of the first.
    fn join(&mut self, pair: &MergeCandidate) {
        let (first, second) = (pair.first as usize, pair.second as usize);
        let (a, b) = (self.pieces[first], self.pieces[second]);
        // All corners of each but the one that its edge starts at, from the edge's end on.
        let start = first * self.row;
        let corners = &mut self.corners[start..start + a.count];
        corners.rotate_left((pair.first_edge as usize + 1) % a.count);
        let mut end = start + a.count - 1;
        let mut from = pair.second_edge as usize;
        for _ in 1..b.count {
            from = if from + 1 < b.count { from + 1 } else { 0 };
            self.corners[end] = self.corners[second * self.row + from];
            end += 1;
        }
        let region = if a.region == b.region { a.region } else { None };
        let edges = edge_bits(&self.corners[start..end]);
        self.pieces[first] = ConvexPiece { count: end - start, edges, region, area: a.area };
    }
}

#[inline]
fn next(corners: &[u32], edge: usize) -> usize {
    if edge + 1 < corners.len() { edge + 1 } else { 0 }
}

/// The ends of an edge, whichever way it runs.
#[inline]
fn ends(corners: &[u32], edge: usize) -> (u32, u32) {
    let (from, to) = (corners[edge], corners[next(corners, edge)]);
    (from.min(to), from.max(to))
}

/// One bit per edge; see [`ConvexPiece::edges`].
fn edge_bits(corners: &[u32]) -> u64 {
    (0..corners.len()).fold(0, |bits, edge| {
        let (low, high) = ends(corners, edge);
        // The highest bits of a product with an odd number depend on all bits of the factor.
        let mixed = (u64::from(low) << 32 | u64::from(high)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        bits | 1 << (mixed >> 58)
    })
}

/// The last edge of `a` that `b` has too, in either direction.
fn shared_edge(a: &[u32], b: &[u32]) -> Option<(usize, usize)> {
    (0..a.len()).rev().find_map(|edge| {
        let wanted = ends(a, edge);
        (0..b.len()).find(|&other| ends(b, other) == wanted).map(|other| (edge, other))
    })
}
