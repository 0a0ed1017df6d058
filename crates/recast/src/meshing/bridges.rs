//! The outline of a region and its holes, as rings of corners. Holes are joined to the outline one by one,
//! each by the shortest bridge that no edge blocks.
//!
//! A tree over all edges, sorted so that neighbours in space are next to each other, finds the corners near a
//! place and the edges near a bridge.

use super::box_tree::{BoxTree, PlanBox, TreePlace, bounds, overlap};
use super::ring_order::Order;
use crate::data::ContourVertex;
use navmath::predicates::{Point, area2, distance_squared, in_cone, intersect};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of corners in a box of the first level.
const BLOCK: usize = 16;

/// The rings of a region.
pub(crate) struct Rings {
    /// The outline, then each hole with room for the two corners that its bridge adds.
    corners: Vec<HoleCorner>,
    order: Order,
    /// The corner that the outline starts at.
    start: u32,
    holes: Vec<Hole>,
    /// Boxes around [`BLOCK`] edges each, whose corners are next to each other in `by_place`.
    tree: BoxTree,
    by_place: Vec<u32>,
    /// Position of each corner in `by_place`.
    places: Vec<u32>,
}

#[derive(Clone, Copy)]
struct HoleCorner {
    vertex: ContourVertex,
    previous: u32,
    next: u32,
    state: State,
}

/// State of a corner, and of the edge that starts there.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// On the outline, or on a hole that was joined to it.
    Joined,
    /// On a hole that is not joined yet: its edges block bridges.
    Waiting,
    /// On a hole that could not be joined, or on a bridge that does not exist.
    Absent,
}

/// The corners of a hole, followed by the two of its bridge.
#[derive(Clone, Copy)]
struct Hole {
    first: u32,
    count: u32,
}

/// The next box or corner of a search, the nearest first. Of equals, a box comes first, because corners in it
/// may be as near.
type QueueEntry = Reverse<(i64, Look)>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Look {
    Box(TreePlace),
    Corner(u32),
}

impl Rings {
    /// Starts with the outline as one ring; the holes are waiting.
    pub(crate) fn new(outline: &[ContourVertex], holes: &[Vec<ContourVertex>]) -> Rings {
        let count = outline.len() + holes.iter().map(|hole| hole.len() + 2).sum::<usize>();
        let mut corners = Vec::with_capacity(count);
        add_ring(&mut corners, outline, State::Joined);
        let hole = |hole: &Vec<ContourVertex>| {
            let first = corners.len() as u32;
            add_ring(&mut corners, hole, State::Waiting);
            let spare = HoleCorner { vertex: hole[0], previous: first, next: first, state: State::Absent };
            corners.extend([spare; 2]);
            Hole { first, count: hole.len() as u32 }
        };
        let holes = holes.iter().map(hole).collect();
        let mut by_place: Vec<u32> = (0..count as u32).collect();
        by_place.sort_by_cached_key(|&at| interleaved(corners[at as usize].vertex.plan()));
        let mut places = vec![0; count];
        for (place, &at) in (0..).zip(&by_place) {
            places[at as usize] = place;
        }
        let order = Order::new(outline.len(), count);
        let mut rings = Rings { corners, order, start: 0, holes, tree: BoxTree::default(), by_place, places };
        let boxes: Vec<PlanBox> = (0..count.div_ceil(BLOCK)).map(|block| rings.block_bounds(block)).collect();
        rings.tree.build(boxes);
        rings
    }

    /// The outline with everything that was joined to it.
    pub(crate) fn outline(&self) -> Vec<ContourVertex> {
        let mut outline = Vec::with_capacity(self.corners.len());
        let mut at = self.start;
        loop {
            outline.push(self.corners[at as usize].vertex);
            at = self.corners[at as usize].next;
            if at == self.start {
                return outline;
            }
        }
    }

    /// Joins a hole by the shortest bridge from the first of its corners that has one, counted from a given
    /// corner. Returns false if no corner has one.
    pub(crate) fn join(&mut self, hole: usize, first: usize) -> bool {
        let Hole { first: start, count } = self.holes[hole];
        let corners = (0..count).map(|step| start + (first as u32 + step) % count);
        let bridge = corners.into_iter().find_map(|from| Some((self.nearest(from)?, from)));
        for at in start..start + count {
            let state = if bridge.is_some() { State::Joined } else { State::Absent };
            self.corners[at as usize].state = state;
        }
        if let Some((at, from)) = bridge {
            self.build_bridge(at, from, [start + count, start + count + 1]);
        }
        bridge.is_some()
    }

    fn at(&self, corner: u32) -> Point {
        self.corners[corner as usize].vertex.plan()
    }

    /// Walks the outline from `at` around to `at`, then the hole from `from` around to `from`, on copies of
    /// the two.
    fn build_bridge(&mut self, at: u32, from: u32, [at_again, from_again]: [u32; 2]) {
        let Rings { corners, order, .. } = self;
        for (copy, of) in [(at_again, at), (from_again, from)] {
            let vertex = corners[of as usize].vertex;
            corners[copy as usize] = HoleCorner { vertex, state: State::Joined, ..corners[copy as usize] };
        }
        let mut new = vec![at_again, from];
        let mut corner = corners[from as usize].next;
        while corner != from {
            new.push(corner);
            corner = corners[corner as usize].next;
        }
        new.push(from_again);
        let mut after = corners[at as usize].previous;
        for new in new {
            order.insert(after, new, |corner| corners[corner as usize].next);
            for [from, to] in [[after, new], [new, at]] {
                corners[from as usize].next = to;
                corners[to as usize].previous = from;
            }
            after = new;
        }
        self.start = at;
        for corner in [at_again, from_again] {
            let block = self.places[corner as usize] as usize / BLOCK;
            self.tree.set(block, self.block_bounds(block));
        }
    }

    /// The nearest corner of the outline that a hole's corner can be joined to; of equals, the first.
    fn nearest(&self, hole: u32) -> Option<u32> {
        let from = self.at(hole);
        let mut queue: BinaryHeap<QueueEntry> =
            self.tree.root().map(|root| Reverse((0, Look::Box(root)))).into_iter().collect();
        // Corners at the same distance as the last one, and edges that blocked a bridge.
        let (mut equals, mut length, mut in_the_way) = (Vec::new(), 0, Vec::new());
        while let Some(Reverse((distance, look))) = queue.pop() {
            if distance > length
                && let Some(found) = self.first_in_sight(from, &mut equals, &mut in_the_way)
            {
                return Some(found);
            }
            length = distance;
            match look {
                Look::Box(place) if is_behind(from, &in_the_way, self.tree.bounds(place)) => {}
                Look::Box(place @ (0, _)) => queue.extend(self.candidates(hole, place)),
                Look::Box(place) => queue.extend(self.tree.children(place).filter_map(|child| {
                    let child = (place.0 - 1, child);
                    let distance = distance_to(from, self.tree.bounds(child))?;
                    Some(Reverse((distance, Look::Box(child))))
                })),
                Look::Corner(corner) => equals.push(corner),
            }
        }
        self.first_in_sight(from, &mut equals, &mut in_the_way)
    }

    /// The corners of a block that can start a bridge to a hole's corner, as far as the two corners decide
    /// that.
    fn candidates(&self, hole: u32, (_, block): TreePlace) -> impl Iterator<Item = QueueEntry> {
        let around = |at: u32| {
            let HoleCorner { previous, next, .. } = self.corners[at as usize];
            [previous, at, next].map(|corner| self.at(corner))
        };
        let hole = around(hole);
        self.block(block).filter(|corner| corner.1.state == State::Joined).filter_map(move |(at, _)| {
            let outline = around(at);
            can_join(outline, hole)
                .then(|| Reverse((distance_squared(outline[1], hole[1]), Look::Corner(at))))
        })
    }

    /// Takes out all candidates; returns the first of them, in the order of the outline, that no edge blocks.
    fn first_in_sight(
        &self,
        from: Point,
        candidates: &mut Vec<u32>,
        in_the_way: &mut Vec<[Point; 2]>,
    ) -> Option<u32> {
        candidates.sort_unstable_by_key(|&corner| self.order.behind(self.start, corner));
        candidates.drain(..).find(|&corner| {
            let here = self.at(corner);
            if is_behind(from, in_the_way, &[here; 2]) {
                return false;
            }
            let edge = self.blocking(here, from);
            in_the_way.extend(edge);
            edge.is_none()
        })
    }

    /// An edge that a segment meets, except edges that share an end with it.
    fn blocking(&self, a: Point, b: Point) -> Option<[Point; 2]> {
        let query = bounds([a, b]);
        self.tree.find_on([a, b], |block| {
            let edges = self.block(block).filter(|corner| corner.1.state != State::Absent);
            let mut edges = edges.map(|(at, corner)| [self.at(at), self.at(corner.next)]);
            edges.find(|&[p, q]| {
                #[cfg(test)]
                super::steps::step();
                let shares_end = a == p || a == q || b == p || b == q;
                !shares_end && overlap(&bounds([p, q]), &query) && intersect(a, b, p, q)
            })
        })
    }

    /// The corners of a block, with their numbers.
    fn block(&self, block: usize) -> impl Iterator<Item = (u32, &HoleCorner)> {
        let end = self.by_place.len().min((block + 1) * BLOCK);
        self.by_place[block * BLOCK..end].iter().map(|&at| (at, &self.corners[at as usize]))
    }

    fn block_bounds(&self, block: usize) -> PlanBox {
        let there = self.block(block).filter(|corner| corner.1.state != State::Absent);
        bounds(there.flat_map(|(at, corner)| [self.at(at), self.at(corner.next)]))
    }
}

/// Returns true if a bridge between a corner of the outline and a corner of a hole, each with its neighbours,
/// starts on the ground at both ends. A slit may pass one place several times: there each corner has its own
/// ground next to it.
pub(crate) fn can_join([before, here, behind]: [Point; 3], [previous, from, next]: [Point; 3]) -> bool {
    // At the end of a slit there is ground all around.
    let at_end = previous == next && area2(previous, from, here) != 0;
    in_cone(before, here, behind, from) && (at_end || in_cone(previous, from, next, here))
}

fn add_ring(corners: &mut Vec<HoleCorner>, ring: &[ContourVertex], state: State) {
    let first = corners.len() as u32;
    let count = ring.len() as u32;
    corners.extend((0..count).zip(ring).map(|(at, &vertex)| HoleCorner {
        vertex,
        previous: first + if at > 0 { at - 1 } else { count - 1 },
        next: first + if at + 1 < count { at + 1 } else { 0 },
        state,
    }));
}

/// The squared distance of a point from a box; `None` if the box is empty.
fn distance_to(point: Point, [low, high]: &PlanBox) -> Option<i64> {
    let is_empty = low[0] > high[0];
    (!is_empty).then(|| distance_squared(point, [0, 1].map(|axis| point[axis].clamp(low[axis], high[axis]))))
}

/// Returns true if a box is entirely hidden by one of the edges, as seen from a point.
fn is_behind(from: Point, edges: &[[Point; 2]], [low, high]: &PlanBox) -> bool {
    let corners = [*low, [high[0], low[1]], *high, [low[0], high[1]]];
    edges.iter().any(|&[p, q]| {
        // Order the ends so that `q` is on the left of the direction to `p`.
        let [p, q] = if area2(from, p, q) < 0 { [p, q] } else { [q, p] };
        corners.iter().all(|&at| area2(from, p, at) < 0 && area2(from, q, at) > 0 && area2(p, q, at) > 0)
    })
}

/// Interleaves the bits of both coordinates, the highest first: places with near numbers are near each other.
fn interleaved(point: Point) -> u64 {
    let spread = |coordinate: i32| {
        let bits = u64::from(coordinate as u32 ^ (1 << 31));
        (0..u32::BITS).fold(0, |spread, bit| spread | (bits >> bit & 1) << (2 * bit))
    };
    spread(point[0]) << 1 | spread(point[1])
}
