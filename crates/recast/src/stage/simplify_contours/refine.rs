//! Selects corners to keep if a chain is too far from its edges, or its edges are too long.

use super::Params;
use crate::data::chain::{Chain, ChainCorner, ChainEdge, furthest};
use navmath::predicates::distance_squared;

/// Simplifies a chain: keeps its ends, and corners between them until all are within `error` of their edges.
/// Without an error only the ends are kept. A closed chain also keeps a corner opposite its end. Edges that
/// are too long are halved. Appends the edges in their order; `open` is scratch memory.
pub(super) fn refine(
    (index, chain): (u32, &Chain),
    corners: &mut [ChainCorner],
    error: Option<f32>,
    params: &Params,
    open: &mut Vec<([usize; 2], bool)>,
    edges: &mut Vec<ChainEdge>,
) {
    let Chain { first, last, .. } = *chain;
    corners[first].kept = true;
    let closed = corners[first].plan == corners[last].plan;
    let opposite = match () {
        // The first of the corners with the largest x, and of these with the largest z.
        () if chain.whole => (first..=last).rev().max_by_key(|&index| corners[index].plan),
        // A wall may shrink to nothing. A region that another one surrounds stays, and so does a slit that
        // separates the floors at its start.
        () if closed && (chain.regions[1].is_inner() || corners[first].height != corners[last].height) => {
            furthest(corners, first, last).map(|(_, index)| index)
        }
        () => None,
    };
    open.clear();
    match opposite {
        Some(opposite) => open.extend([([opposite, last], false), ([first, opposite], false)]),
        None => open.push(([first, last], false)),
    }
    let least = error.map_or(f32::INFINITY, |error| error * error);
    while let Some(([from, to], halved)) = open.pop() {
        let edge = ChainEdge::new(index, corners, from, to);
        let too_far = edge.worst.filter(|&(distance, _)| !halved && distance > least);
        if let Some((_, worst)) = too_far {
            open.extend([([worst, to], false), ([from, worst], false)]);
        } else if let Some(half) = half_of_long(&corners[from..=to], chain, params) {
            open.extend([([from + half, to], true), ([from, from + half], true)]);
        } else {
            corners[to].kept = true;
            edges.push(edge);
        }
    }
}

/// The corner in the middle of an edge that is too long, counted from its start.
fn half_of_long(corners: &[ChainCorner], chain: &Chain, params: &Params) -> Option<usize> {
    let is_wall = chain.regions[1].is_none();
    let wanted = (params.split_walls && is_wall) || (params.split_areas && corners[1].area_border);
    let steps = corners.len() - 1;
    let (start, end) = (corners[0].plan, corners[steps].plan);
    let longest = i64::from(params.max_edge).pow(2);
    let too_long = wanted && params.max_edge > 0 && steps > 1 && distance_squared(start, end) > longest;
    // Rounded from the smaller end, so that both tiles at a border choose the same corner.
    too_long.then(|| if end > start { steps / 2 } else { steps.div_ceil(2) })
}
