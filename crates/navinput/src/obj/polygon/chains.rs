//! Chains of vertices: what the sweep has not yet triangulated, between two edges, one above the other.
//!
//! ```text
//!        high ●─────────   upper edge     Everything left of the chain is done. Seen from the right,
//!              \                          no corner of it can be cut off: each turns away. So a new
//!               ● last                    vertex at one end sees the corners from that end on until
//!              /                          one turns away from it too, and one between the edges sees
//!         low ●──────────  lower edge     the last.
//! ```
//!
//! Cost: constant, on average, for each vertex.
//! Source: S. Hertel, K. Mehlhorn, Fast triangulation of the plane with respect to simple polygons (1985).

use navmath::predicates::{Point, area2};

/// No node.
const NONE: u32 = u32::MAX;

/// Takes triangles.
pub(super) struct Sink<'a> {
    points: &'a [Point],
    triangles: &'a mut Vec<[u32; 3]>,
    /// Twice the area of the front faces, then of the back faces.
    pub(super) areas: [f64; 2],
}

impl<'a> Sink<'a> {
    /// `points` are the places of the vertices.
    pub(super) fn new(points: &'a [Point], triangles: &'a mut Vec<[u32; 3]>) -> Sink<'a> {
        Sink { points, triangles, areas: [0.0; 2] }
    }

    /// Takes a triangle if it is wound counter-clockwise and has area.
    fn take(&mut self, [a, b, c]: [u32; 3], is_back: bool) -> bool {
        let area = area2(self.points[a as usize], self.points[b as usize], self.points[c as usize]);
        if area <= 0 {
            return false;
        }
        self.areas[usize::from(is_back)] += area as f64;
        self.triangles.push(if is_back { [a, c, b] } else { [a, b, c] });
        true
    }
}

/// All chains.
#[derive(Default)]
pub(super) struct Chains {
    chains: Vec<Chain>,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Chain {
    low: u32,
    high: u32,
    /// The node that was added last: the farthest to the right.
    last: u32,
    /// True if its triangles face the back.
    is_back: bool,
}

/// A vertex, and its neighbours towards both ends.
#[derive(Clone, Copy)]
struct Node {
    vertex: u32,
    below: u32,
    above: u32,
}

impl Chains {
    /// A chain of one vertex.
    pub(super) fn start(&mut self, vertex: u32, is_back: bool) -> u32 {
        let node = self.node(vertex, NONE, NONE);
        self.chains.push(Chain { low: node, high: node, last: node, is_back });
        self.chains.len() as u32 - 1
    }

    /// Adds a vertex at the lower end, which the lower edge leads to.
    pub(super) fn add_low(&mut self, chain: u32, vertex: u32, sink: &mut Sink<'_>) {
        let Chain { mut low, is_back, .. } = self.chains[chain as usize];
        while let Some(above) = self.above(low)
            && sink.take([self.vertex(low), vertex, self.vertex(above)], is_back)
        {
            low = above;
        }
        let node = self.node(vertex, NONE, low);
        self.nodes[low as usize].below = node;
        let chain = &mut self.chains[chain as usize];
        (chain.low, chain.last) = (node, node);
    }

    /// Adds a vertex at the upper end, which the upper edge leads to.
    pub(super) fn add_high(&mut self, chain: u32, vertex: u32, sink: &mut Sink<'_>) {
        let Chain { mut high, is_back, .. } = self.chains[chain as usize];
        while let Some(below) = self.below(high)
            && sink.take([self.vertex(below), vertex, self.vertex(high)], is_back)
        {
            high = below;
        }
        let node = self.node(vertex, high, NONE);
        self.nodes[high as usize].above = node;
        let chain = &mut self.chains[chain as usize];
        (chain.high, chain.last) = (node, node);
    }

    /// Ends a chain at a vertex that both edges lead to, and that sees the whole chain.
    pub(super) fn close(&mut self, chain: u32, vertex: u32, sink: &mut Sink<'_>) {
        let Chain { mut low, is_back, .. } = self.chains[chain as usize];
        while let Some(above) = self.above(low) {
            sink.take([self.vertex(low), vertex, self.vertex(above)], is_back);
            low = above;
        }
    }

    /// Splits a chain at a vertex between the edges: the lower part remains, and the upper one is returned.
    pub(super) fn split(&mut self, chain: u32, vertex: u32, sink: &mut Sink<'_>) -> u32 {
        let Chain { high, last, is_back, .. } = self.chains[chain as usize];
        let above = std::mem::replace(&mut self.nodes[last as usize].above, NONE);
        let copy = self.node(self.vertex(last), NONE, above);
        if above != NONE {
            self.nodes[above as usize].below = copy;
        }
        self.chains[chain as usize].high = last;
        let high = if high == last { copy } else { high };
        self.chains.push(Chain { low: copy, high, last: copy, is_back });
        let upper = self.chains.len() as u32 - 1;
        self.add_high(chain, vertex, sink);
        self.add_low(upper, vertex, sink);
        upper
    }

    /// Joins two chains. The lower one ends at the vertex that the upper one begins with.
    pub(super) fn join(&mut self, lower: u32, upper: u32) {
        let Chain { low, high, .. } = self.chains[upper as usize];
        let end = self.chains[lower as usize].high;
        let above = self.nodes[low as usize].above;
        self.nodes[end as usize].above = above;
        if above != NONE {
            self.nodes[above as usize].below = end;
            self.chains[lower as usize].high = high;
        }
    }

    fn node(&mut self, vertex: u32, below: u32, above: u32) -> u32 {
        self.nodes.push(Node { vertex, below, above });
        self.nodes.len() as u32 - 1
    }

    fn vertex(&self, node: u32) -> u32 {
        self.nodes[node as usize].vertex
    }

    fn above(&self, node: u32) -> Option<u32> {
        Some(self.nodes[node as usize].above).filter(|above| *above != NONE)
    }

    fn below(&self, node: u32) -> Option<u32> {
        Some(self.nodes[node as usize].below).filter(|below| *below != NONE)
    }
}
