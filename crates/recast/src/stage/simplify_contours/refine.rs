//! Chains as few edges, and edges that are too long cut in halves.

use super::Params;
use crate::data::chain::{Chain, ChainCorner, ChainEdge, furthest};
use crate::meshing::fewest_edges::FewestEdges;
use navmath::FIXED_ONE;
use navmath::predicates::{area2, distance_squared};

/// Scratch memory.
#[derive(Default)]
pub(super) struct Buffers {
    fewest: FewestEdges,
    /// Corners to keep, the last one first.
    kept: Vec<usize>,
    open: Vec<[usize; 2]>,
}

/// Simplifies a chain: keeps its ends, and as few corners between them as bring all of it within `error` of
/// its edges, 1/256 cell. Without an error only the ends are kept. A closed chain keeps a corner opposite its
/// end if it would enclose nothing. Edges that are too long are halved. Appends the edges in their order.
pub(super) fn simplify(
    (index, chain): (u32, &Chain),
    corners: &mut [ChainCorner],
    error: Option<f32>,
    params: &Params,
    buffers: &mut Buffers,
    edges: &mut Vec<ChainEdge>,
) {
    let Chain { first, last, .. } = *chain;
    corners[first].kept = true;
    let Buffers { fewest, kept, open } = buffers;
    let mut keep = |from: usize, to: usize, kept: &mut Vec<usize>| match error {
        Some(error) => fewest.find(corners, [from, to], error.into(), kept),
        None => kept.push(to),
    };
    kept.clear();
    keep(first, last, kept);
    if let Some(opposite) = opposite_if_flat(chain, corners, kept) {
        kept.clear();
        keep(opposite, last, kept);
        keep(first, opposite, kept);
    }
    let mut from = first;
    for &to in kept.iter().rev() {
        open.push([from, to]);
        while let Some([from, to]) = open.pop() {
            if let Some(half) = half_of_long(&corners[from..=to], chain, params) {
                open.extend([[from + half, to], [from, from + half]]);
            } else {
                corners[to].kept = true;
                edges.push(ChainEdge::new(index, corners, from, to));
            }
        }
        from = to;
    }
}

/// A corner to keep opposite the end of a closed chain, if the corners kept enclose nothing.
fn opposite_if_flat(chain: &Chain, corners: &[ChainCorner], kept: &[usize]) -> Option<usize> {
    let Chain { first, last, .. } = *chain;
    let plan = |at: usize| corners[at].plan;
    let is_flat = match *kept {
        [end, second, third] => area2(plan(end), plan(second), plan(third)) == 0,
        _ => kept.len() < 3,
    };
    if plan(first) != plan(last) || !is_flat {
        None
    } else if chain.whole {
        // The first of the corners with the largest x, and of these with the largest z.
        (first..=last).rev().max_by_key(|&at| plan(at))
    } else if chain.regions[1].is_inner() || corners[first].height != corners[last].height {
        // A wall may shrink to nothing. A region that another one surrounds stays, and so does a slit that
        // separates the floors at its start.
        furthest(corners, first, last).map(|(_, at)| at)
    } else {
        None
    }
}

/// The corner in the middle of an edge that is too long, counted from its start.
fn half_of_long(corners: &[ChainCorner], chain: &Chain, params: &Params) -> Option<usize> {
    let is_wall = chain.regions[1].is_none();
    let wanted = (params.split_walls && is_wall) || (params.split_areas && corners[1].area_border);
    let steps = corners.len() - 1;
    let (start, end) = (corners[0].plan, corners[steps].plan);
    let longest = (i64::from(params.max_edge) * i64::from(FIXED_ONE)).saturating_pow(2);
    let too_long = wanted && params.max_edge > 0 && steps > 1 && distance_squared(start, end) > longest;
    // Rounded from the smaller end, so that both tiles at a border choose the same corner.
    too_long.then(|| if end > start { steps / 2 } else { steps.div_ceil(2) })
}
