//! Searches like those of both libraries, with switches for the habits in which they differ. If switching on
//! a habit turns our answer into theirs, it is the cause.
//!
//! Source: P. Hart, N. Nilsson, B. Raphael, A formal basis for the heuristic determination of minimum cost
//! paths (1968); E. W. Dijkstra, A note on two problems in connexion with graphs (1959). Cost: O(n log n) in
//! the polygons touched.

use super::graph::{Graph, Point, distance, lerp, nearest_on_segment};
use super::pair::Filters;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

/// The factor by which the C++ library multiplies the distance in its estimate.
const SHORT: f64 = 0.999;

/// The habits of the C++ library that a search takes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    /// Openings across seams are those of its links.
    pub bytes: bool,
    /// A polygon has a node for each side of the tile that it is entered over.
    pub nodes: bool,
    /// The distance to the goal is multiplied by 0.999.
    pub short: bool,
}

/// A node: polygon and side.
type Name = (usize, u8);

#[derive(Clone, Copy, Debug)]
struct Node {
    point: Point,
    parent: Option<Name>,
    cost: f64,
    total: f64,
    closed: bool,
}

/// Totals are rounded to this step before they are compared, as smaller differences are rounding of f32.
const ROUNDING: f64 = 1e-5;

/// An entry of the open list. The largest entry has the least total; ties go to the first by name.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Open {
    total: f64,
    name: Name,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Open) -> Ordering {
        let [own, others] = [self, other].map(|open| (open.total / ROUNDING).round());
        others.total_cmp(&own).then(other.name.cmp(&self.name))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A path: the numbers of its polygons, and its cost over the points at which the search enters them.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// From the start's polygon to the goal's.
    pub polygons: Vec<usize>,
    /// The sum.
    pub cost: f64,
}

/// The path from a point of one polygon to a point of another. It enters each polygon at the middle of the
/// edge that first led there. `None` without a path.
pub fn find_path(
    graph: &Graph,
    filters: &Filters,
    habits: Habits,
    start: (usize, Point),
    goal: (usize, Point),
) -> Option<Found> {
    let scale = if habits.short { SHORT } else { 1.0 };
    let mut nodes: BTreeMap<Name, Node> = BTreeMap::new();
    let mut open = BinaryHeap::new();
    let total = distance(start.1, goal.1) * scale;
    nodes.insert((start.0, 0), Node { point: start.1, parent: None, cost: 0.0, total, closed: false });
    open.push(Open { total, name: (start.0, 0) });
    while let Some(Open { total, name, .. }) = open.pop() {
        let Some(node) = nodes.get_mut(&name).filter(|node| !node.closed && node.total == total) else {
            continue;
        };
        node.closed = true;
        let node = *node;
        if name.0 == goal.0 {
            let cost = if name.0 == start.0 { distance(start.1, goal.1) } else { node.cost };
            return Some(Found { polygons: trace(&nodes, name), cost });
        }
        let metre = filters.cost(graph.polygons[name.0].area);
        for way in &graph.polygons[name.0].ways {
            if node.parent.is_some_and(|parent| parent.0 == way.to) {
                continue;
            }
            let next = (way.to, if habits.nodes { way.node } else { 0 });
            let ends = if habits.bytes { way.first_ends } else { way.ends };
            let known = nodes.get(&next).copied();
            let point = known.map_or_else(|| lerp(ends[0], ends[1], 0.5), |known| known.point);
            let mut cost = node.cost + distance(node.point, point) * metre;
            let mut total = cost + distance(point, goal.1) * scale;
            if way.to == goal.0 {
                cost += distance(point, goal.1) * filters.cost(graph.polygons[way.to].area);
                total = cost;
            }
            if known.is_none_or(|known| total < known.total) {
                nodes.insert(next, Node { point, parent: Some(name), cost, total, closed: false });
                open.push(Open { total, name: next });
            }
        }
    }
    None
}

fn trace(nodes: &BTreeMap<Name, Node>, last: Name) -> Vec<usize> {
    let mut polygons = vec![last.0];
    let mut next = nodes.get(&last).and_then(|node| node.parent);
    // A parent was settled before its child, so that this ends.
    while let Some(name) = next {
        polygons.push(name.0);
        next = nodes.get(&name).and_then(|node| node.parent);
    }
    polygons.reverse();
    polygons
}

/// The cost of a path through these polygons over the middles of the openings between them; `None` if a
/// polygon has no link to the next.
pub fn middle_cost(
    graph: &Graph,
    filters: &Filters,
    polygons: &[usize],
    start: Point,
    goal: Point,
) -> Option<f64> {
    let (mut at, mut cost) = (start, 0.0);
    for pair in polygons.windows(2) {
        let polygon = &graph.polygons[pair[0]];
        let way = polygon.ways.iter().find(|way| way.to == pair[1])?;
        let middle = lerp(way.ends[0], way.ends[1], 0.5);
        cost += distance(at, middle) * filters.cost(polygon.area);
        at = middle;
    }
    let last = graph.polygons.get(*polygons.last()?)?;
    Some(cost + distance(at, goal) * filters.cost(last.area))
}

/// The habits of the C++ library that a search within a circle takes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Circle {
    /// Openings across seams are those of its links.
    pub bytes: bool,
    /// A polygon's point stays where the first path entered it.
    pub fixed: bool,
}

/// The polygons that openings within a circle lead to, and the cost of the path to each over the middles of
/// openings. If several cost the same up to rounding, the first in `order` is settled first.
pub fn flood(
    graph: &Graph,
    filters: &Filters,
    Circle { bytes, fixed }: Circle,
    order: &[usize],
    start: (usize, Point),
    radius: f64,
) -> BTreeMap<usize, f64> {
    let ranks: BTreeMap<usize, usize> = order.iter().copied().zip(0..).collect();
    let mut nodes: BTreeMap<Name, Node> = BTreeMap::new();
    nodes.insert((start.0, 0), Node { point: start.1, parent: None, cost: 0.0, total: 0.0, closed: false });
    while let Some(name) = cheapest(&nodes, &ranks) {
        let Some(node) = nodes.get_mut(&name) else { break };
        node.closed = true;
        let node = *node;
        let metre = filters.cost(graph.polygons[name.0].area);
        for way in &graph.polygons[name.0].ways {
            let ends = if bytes { way.first_ends } else { way.ends };
            let next = (way.to, 0);
            let known = nodes.get(&next).copied();
            if known.is_some_and(|known| known.closed)
                || nearest_on_segment(ends[0], ends[1], start.1).1 > radius
            {
                continue;
            }
            let middle = lerp(ends[0], ends[1], 0.5);
            let point = known.filter(|_| fixed).map_or(middle, |known| known.point);
            let cost = node.cost + distance(node.point, point) * metre;
            if known.is_none_or(|known| cost < known.cost) {
                nodes.insert(next, Node { point, parent: Some(name), cost, total: cost, closed: false });
            }
        }
    }
    nodes.into_iter().map(|(name, node)| (name.0, node.cost)).collect()
}

/// The open node with the least cost. If several cost the same up to rounding, the first by rank.
fn cheapest(nodes: &BTreeMap<Name, Node>, ranks: &BTreeMap<usize, usize>) -> Option<Name> {
    let open = || nodes.iter().filter(|(_, node)| !node.closed);
    let least = open().map(|(_, node)| node.total).min_by(f64::total_cmp)?;
    let equal = open().filter(|(_, node)| node.total <= least + ROUNDING * least.max(1.0));
    equal.min_by_key(|(name, _)| ranks.get(&name.0).copied().unwrap_or(usize::MAX)).map(|(name, _)| *name)
}
