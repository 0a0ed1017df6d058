//! A search within a circle like those of both libraries, with switches for the habits in which they differ.
//! If switching on a habit turns our answer into theirs, it is the cause.
//!
//! Source: E. W. Dijkstra, A note on two problems in connexion with graphs (1959). Cost: the square of the
//! polygons touched.

use super::graph::{Graph, Point, distance, lerp, nearest_on_segment};
use super::pair::Filters;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug)]
struct Node {
    point: Point,
    cost: f64,
    closed: bool,
}

/// Totals are rounded to this step before they are compared, as smaller differences are rounding of f32.
const ROUNDING: f64 = 1e-5;

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
    let mut nodes: BTreeMap<usize, Node> = BTreeMap::new();
    nodes.insert(start.0, Node { point: start.1, cost: 0.0, closed: false });
    while let Some(polygon) = cheapest(&nodes, &ranks) {
        let Some(node) = nodes.get_mut(&polygon) else { break };
        node.closed = true;
        let node = *node;
        let metre = filters.cost(graph.polygons[polygon].area);
        for way in &graph.polygons[polygon].ways {
            let ends = if bytes { way.first_ends } else { way.ends };
            let known = nodes.get(&way.to).copied();
            if known.is_some_and(|known| known.closed)
                || nearest_on_segment(ends[0], ends[1], start.1).1 > radius
            {
                continue;
            }
            let middle = lerp(ends[0], ends[1], 0.5);
            let point = known.filter(|_| fixed).map_or(middle, |known| known.point);
            let cost = node.cost + distance(node.point, point) * metre;
            if known.is_none_or(|known| cost < known.cost) {
                nodes.insert(way.to, Node { point, cost, closed: false });
            }
        }
    }
    nodes.into_iter().map(|(polygon, node)| (polygon, node.cost)).collect()
}

/// The open node with the least cost. If several cost the same up to rounding, the first by rank.
fn cheapest(nodes: &BTreeMap<usize, Node>, ranks: &BTreeMap<usize, usize>) -> Option<usize> {
    let open = || nodes.iter().filter(|(_, node)| !node.closed);
    let least = open().map(|(_, node)| node.cost).min_by(f64::total_cmp)?;
    let equal = open().filter(|(_, node)| node.cost <= least + ROUNDING * least.max(1.0));
    equal
        .min_by_key(|(polygon, _)| ranks.get(polygon).copied().unwrap_or(usize::MAX))
        .map(|(polygon, _)| *polygon)
}
