//! A sweep from left to right over edges that meet in vertices, which triangulates the areas they turn
//! around.
//!
//! Edges that the sweep line meets are in order from below. Between two of them the number of turns is the
//! same all along the line; if it is not 0, a chain holds the part that is not triangulated yet. A vertex
//! ends the edges that lead to it, starts edges that leave it, and is added to the chains next to it. An edge
//! that runs through a vertex is cut there. If two edges overlap, the longer one is cut at the end of the
//! shorter one.
//!
//! Cost: O(n log n). Source: M. Shamos, D. Hoey, Geometric intersection problems (1976), for finding crossing
//! edges.

use super::chains::{Chains, Sink};
use super::order::{Gap, SweepOrder};
use navmath::predicates::{Point, area2, cross_properly, distance_squared};

/// No chain, or no entry of a list.
const NONE: u32 = u32::MAX;

/// An edge between two vertices, the left one first, and the number of times it is walked in this direction
/// minus those in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) times: i64,
}

impl Edge {
    /// The edge that is walked from one vertex to another.
    pub(super) fn walked(from: u32, to: u32, times: i64) -> Edge {
        if from <= to { Edge { from, to, times } } else { Edge { from: to, to: from, times: -times } }
    }
}

/// Two edges that cross.
pub(super) struct Crossing {
    /// Their indices in the list of edges.
    pub(super) edges: [u32; 2],
    /// The vertices at their ends, or nearer ones if they were cut.
    pub(super) ends: [[u32; 2]; 2],
}

impl Crossing {
    /// The distance of a vertex from one of the edges.
    pub(super) fn distance(&self, points: &[Point], of: u32, vertex: u32) -> f64 {
        let [from, to] = self.ends[of as usize].map(|end| points[end as usize]);
        let area = area2(from, to, points[vertex as usize]);
        area.unsigned_abs() as f64 / (distance_squared(from, to) as f64).sqrt()
    }
}

/// An edge that the sweep line meets, or that waits for its left end.
#[derive(Clone, Copy)]
struct Active {
    edge: Edge,
    /// The edge of the list that it is a part of.
    of: u32,
    /// Turns above it.
    turns: i64,
    /// The chain above it, if there are turns.
    chain: u32,
}

struct Sweep<'a> {
    points: &'a [Point],
    /// All edges that were met.
    active: Vec<Active>,
    /// The edges that the line meets now, from below.
    order: SweepOrder,
    /// For each vertex the first of the parts of edges that start there because they were cut: an index into
    /// `cut`.
    heads: Vec<u32>,
    /// A part, and the next one of its list.
    cut: Vec<(Edge, u32, u32)>,
    chains: Chains,
    sink: Sink<'a>,
}

/// Appends the triangles that edges turn around, as vertices. Returns twice the area of the front faces and
/// of the back faces. `points` are in the order of x, then y. `edges` are in their own order, without
/// duplicates.
///
/// # Errors
/// Two edges that cross.
pub(super) fn sweep(
    points: &[Point],
    edges: &[Edge],
    triangles: &mut Vec<[u32; 3]>,
) -> Result<[f64; 2], Crossing> {
    let sink = Sink::new(points, triangles);
    let (heads, chains) = (vec![NONE; points.len()], Chains::default());
    let (active, order, cut) = (Vec::new(), SweepOrder::default(), Vec::new());
    let mut sweep = Sweep { points, active, order, heads, cut, chains, sink };
    let mut next = 0;
    let mut leaving: Vec<(Edge, u32)> = Vec::new();
    for vertex in 0..points.len() as u32 {
        leaving.clear();
        while let Some(edge) = edges.get(next).filter(|edge| edge.from == vertex) {
            leaving.push((*edge, next as u32));
            next += 1;
        }
        sweep.pass(vertex, &mut leaving)?;
    }
    Ok(sweep.sink.areas)
}

impl Sweep<'_> {
    fn at(&self, vertex: u32) -> Point {
        self.points[vertex as usize]
    }

    /// Positive for a vertex above an edge that the line meets, negative for one below, 0 for one on it.
    fn side(&self, active: u32, vertex: u32) -> i64 {
        let Edge { from, to, .. } = self.active[active as usize].edge;
        area2(self.at(from), self.at(to), self.at(vertex))
    }

    /// Moves the line over a vertex, which these edges leave.
    fn pass(&mut self, vertex: u32, leaving: &mut Vec<(Edge, u32)>) -> Result<(), Crossing> {
        let gap = self.order.find(|active| self.side(active, vertex) > 0);
        let below = self.order.before(gap);
        let (gap, ended) = self.end_edges(gap, vertex, leaving);
        self.take_cut(vertex, leaving);
        self.separate(vertex, leaving);
        let (mut turns, low) = below.map_or((0, NONE), |below| {
            let below = &self.active[below as usize];
            (below.turns, below.chain)
        });
        let high = self.continue_chains(vertex, low, ended, leaving.is_empty());
        let first = self.active.len() as u32;
        let mut gap = gap;
        for (place, &(edge, of)) in leaving.iter().enumerate() {
            turns += edge.times;
            let is_top = place + 1 == leaving.len();
            let chain = match turns {
                0 => NONE,
                _ if is_top && high != NONE => high,
                _ => self.chains.start(vertex, turns < 0),
            };
            gap = self.order.insert(gap, self.active.len() as u32);
            self.active.push(Active { edge, of, turns, chain });
        }
        let above = self.order.after(gap);
        if leaving.is_empty() {
            return self.check(below, above);
        }
        self.check(below, Some(first))?;
        self.check(self.order.before(gap), above)
    }

    /// Removes the edges that contain a vertex, starting at a place. An edge that continues beyond the vertex
    /// also leaves it. Returns the place, and the chain above the last edge if any was removed.
    fn end_edges(&mut self, mut gap: Gap, vertex: u32, leaving: &mut Vec<(Edge, u32)>) -> (Gap, Option<u32>) {
        let mut chain_above = None;
        while let Some(active) = self.order.after(gap).filter(|active| self.side(*active, vertex) == 0) {
            gap = self.order.remove_after(gap);
            let Active { edge, of, chain, .. } = self.active[active as usize];
            if edge.to != vertex {
                leaving.push((Edge { from: vertex, ..edge }, of));
            }
            if let Some(between) = chain_above.replace(chain).filter(|chain| *chain != NONE) {
                self.chains.close(between, vertex, &mut self.sink);
            }
        }
        (gap, chain_above)
    }

    /// Adds the parts of edges that were cut at a vertex to the edges that leave it.
    fn take_cut(&mut self, vertex: u32, leaving: &mut Vec<(Edge, u32)>) {
        let mut at = self.heads[vertex as usize];
        while let Some(&(edge, of, next)) = self.cut.get(at as usize) {
            leaving.push((edge, of));
            at = next;
        }
    }

    /// Sorts the edges that leave a vertex from below, and cuts edges that overlap.
    fn separate(&mut self, vertex: u32, leaving: &mut Vec<(Edge, u32)>) {
        let from = self.at(vertex);
        let turn = |a: u32, b: u32| area2(from, self.points[a as usize], self.points[b as usize]);
        leaving.sort_unstable_by(|(a, of_a), (b, of_b)| {
            0.cmp(&turn(a.to, b.to)).then(a.to.cmp(&b.to)).then(of_a.cmp(of_b))
        });
        let mut kept = 0;
        for place in 0..leaving.len() {
            let (edge, of) = leaving[place];
            let same = kept > 0 && turn(leaving[kept - 1].0.to, edge.to) == 0;
            if !same {
                leaving[kept] = (edge, of);
                kept += 1;
                continue;
            }
            let shorter = &mut leaving[kept - 1].0;
            shorter.times += edge.times;
            let end = shorter.to;
            if end != edge.to {
                let next = std::mem::replace(&mut self.heads[end as usize], self.cut.len() as u32);
                self.cut.push((Edge { from: end, ..edge }, of, next));
            }
        }
        leaving.truncate(kept);
        leaving.retain(|(edge, _)| edge.times != 0);
    }

    /// Adds a vertex to the chain below it, and to the one above the edges that ended there, if any did.
    /// Returns the chain above the edges that leave it.
    fn continue_chains(&mut self, vertex: u32, low: u32, ended: Option<u32>, is_last: bool) -> u32 {
        let Sweep { chains, sink, .. } = self;
        let Some(high) = ended else {
            return if low == NONE || is_last { NONE } else { chains.split(low, vertex, sink) };
        };
        if low != NONE {
            chains.add_high(low, vertex, sink);
        }
        if high != NONE {
            chains.add_low(high, vertex, sink);
        }
        if is_last && low != NONE && high != NONE {
            chains.join(low, high);
        }
        high
    }

    /// Refuses two edges that are now next to each other and cross.
    fn check(&self, below: Option<u32>, above: Option<u32>) -> Result<(), Crossing> {
        let (Some(below), Some(above)) = (below, above) else { return Ok(()) };
        let [below, above] = [below, above].map(|active| &self.active[active as usize]);
        let [a, b] = [below, above].map(|active| [active.edge.from, active.edge.to]);
        let [[p, q], [r, s]] = [a, b].map(|ends| ends.map(|end| self.at(end)));
        if cross_properly(p, q, r, s) {
            return Err(Crossing { edges: [below.of, above.of], ends: [a, b] });
        }
        Ok(())
    }
}
