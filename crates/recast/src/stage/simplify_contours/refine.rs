//! Corners kept where a chain is too far from its edges, or its edges are too long.

use super::Params;
use super::chains::{Chain, ChainCorner};
use navmath::predicates::{Point, distance_squared};

/// Keeps the ends of a chain, and corners between them until none is further away from its edge than `error`. Without
/// an error the ends must do. Of a closed chain a corner opposite its end is kept too. `edges` is scratch memory.
pub(super) fn refine(
    chain: &Chain,
    corners: &mut [ChainCorner],
    border: i32,
    error: Option<f32>,
    edges: &mut Vec<[usize; 2]>,
) {
    let last = corners.len() - 1;
    corners[0].kept = true;
    corners[last].kept = true;
    edges.clear();
    let closed = corners[0].plan == corners[last].plan;
    let opposite = match () {
        () if chain.whole => Some(largest(corners)),
        // A wall may shrink to nothing. A region that another one surrounds stays, and so does a slit that parts
        // the floors at its start.
        () if closed && (chain.regions[1].is_inner() || corners[0].height != corners[last].height) => {
            furthest(corners, 0, last, border).map(|(_, index)| index)
        }
        () => None,
    };
    if let Some(opposite) = opposite {
        corners[opposite].kept = true;
        edges.extend([[0, opposite], [opposite, last]]);
    } else {
        edges.push([0, last]);
    }
    let Some(error) = error else { return };
    while let Some([from, to]) = edges.pop() {
        if let Some((distance, worst)) = furthest(corners, from, to, border)
            && distance > error * error
        {
            corners[worst].kept = true;
            edges.extend([[from, worst], [worst, to]]);
        }
    }
}

/// The first of the corners with the largest x, and of those with the largest z.
fn largest(corners: &[ChainCorner]) -> usize {
    let key = |index: &usize| (corners[*index].plan, std::cmp::Reverse(*index));
    (0..corners.len()).max_by_key(key).unwrap_or(0)
}

/// Of the corners between two, the furthest from the line between these, with its squared distance; of several the first
/// one from the smaller end, by x, then z. None if all lie on the line.
///
/// Distances are rounded, and ties decide: they are taken with the border, as the reference takes them.
pub(super) fn furthest(corners: &[ChainCorner], from: usize, to: usize, border: i32) -> Option<(f32, usize)> {
    let plan = |corner: &ChainCorner| corner.plan.map(|coordinate| coordinate + border);
    let (start, end) = (plan(&corners[from]), plan(&corners[to]));
    let between = (from + 1..to).map(|index| (index, plan(&corners[index])));
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

/// Halves, by corners, edges that are too long.
pub(super) fn split_long_edges(corners: &mut [ChainCorner], is_wall: bool, params: &Params) {
    let longest = i64::from(params.max_edge) * i64::from(params.max_edge);
    let mut from = 0;
    while from + 1 < corners.len() {
        let Some(to) = (from + 1..corners.len()).find(|&index| corners[index].kept) else { return };
        let wanted = (params.split_walls && is_wall) || (params.split_areas && corners[from + 1].area_border);
        let between = to - from;
        let (start, end) = (corners[from].plan, corners[to].plan);
        if wanted && distance_squared(start, end) > longest && between > 1 {
            // Rounded from the smaller end, so that both tiles at a border choose the same corner.
            let half = if end > start { between / 2 } else { between.div_ceil(2) };
            corners[from + half].kept = true;
        } else {
            from = to;
        }
    }
}
