//! Corners kept where a chain is too far from its edges, or its edges are too long.

use super::Params;
use super::chains::{Chain, ChainCorner};
use navmath::predicates::{Point, distance_squared};

/// An edge of a simplified chain.
#[derive(Clone, Copy)]
pub(super) struct ChainEdge {
    pub(super) chain: u32,
    /// Its corners.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The corner that is furthest from it, with its squared distance, unless all of them lie on it.
    pub(super) worst: Option<(f32, usize)>,
    pub(super) gone: bool,
}

impl ChainEdge {
    pub(super) fn new(chain: u32, corners: &[ChainCorner], from: usize, to: usize) -> ChainEdge {
        let (a, b) = (corners[from].plan, corners[to].plan);
        let straight =
            a != b && (a[0] == b[0] || a[1] == b[1]) && distance_squared(a, b) == ((to - from) as i64).pow(2);
        let worst = if straight { None } else { furthest(corners, from, to) };
        ChainEdge { chain, from, to, worst, gone: false }
    }
}

/// Simplifies a chain: keeps its ends, and corners between them until none is further away from its edge than `error`.
/// Without an error the ends must do. Of a closed chain a corner opposite its end is kept too. Edges that are too long are
/// halved. Appends the edges in their order; `open` is scratch memory.
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
        () if chain.whole => Some(first + largest(&corners[first..=last])),
        // A wall may shrink to nothing. A region that another one surrounds stays, and so does a slit that parts
        // the floors at its start.
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

/// The first of the corners with the largest x, and of those with the largest z.
fn largest(corners: &[ChainCorner]) -> usize {
    let key = |index: &usize| (corners[*index].plan, std::cmp::Reverse(*index));
    (0..corners.len()).max_by_key(key).unwrap_or(0)
}

/// Of the corners between two, the furthest from the line between these, with its squared distance; of several the first
/// one from the smaller end, by x, then z. None if all lie on the line.
fn furthest(corners: &[ChainCorner], from: usize, to: usize) -> Option<(f32, usize)> {
    let (start, end) = (corners[from].plan, corners[to].plan);
    let between = (from + 1..to).zip(&corners[from + 1..to]).map(|(index, corner)| (index, corner.plan));
    let (distance, index) = if end > start {
        Segment::new(start, end).furthest(between)
    } else {
        Segment::new(end, start).furthest(between.rev())
    };
    (distance > 0.0).then_some((distance, index))
}

/// A segment seen from above, to measure distances from.
#[derive(Clone, Copy)]
struct Segment {
    start: Point,
    along: [f32; 2],
    squared: f32,
}

impl Segment {
    fn new(start: Point, end: Point) -> Segment {
        let along = [0, 1].map(|axis| (end[axis] - start[axis]) as f32);
        Segment { start, along, squared: along[0] * along[0] + along[1] * along[1] }
    }

    /// Squared distance of a corner.
    #[inline]
    fn distance_squared(&self, point: Point) -> f32 {
        let Segment { start: a, along: [abx, abz], squared } = *self;
        let (apx, apz) = ((point[0] - a[0]) as f32, (point[1] - a[1]) as f32);
        let mut along = abx * apx + abz * apz;
        if squared > 0.0 {
            along /= squared;
        }
        let along = along.clamp(0.0, 1.0);
        let dx = a[0] as f32 + along * abx - point[0] as f32;
        let dz = a[1] as f32 + along * abz - point[1] as f32;
        dx * dx + dz * dz
    }

    /// The first of the corners that are furthest away, with its squared distance.
    #[inline]
    fn furthest(&self, corners: impl Iterator<Item = (usize, Point)>) -> (f32, usize) {
        corners.fold((0.0, 0), |(worst, at), (index, corner)| {
            let distance = self.distance_squared(corner);
            if distance > worst { (distance, index) } else { (worst, at) }
        })
    }
}
