//! Chains: stretches of outlines with one region on either side, and the edges that they are simplified to.

use super::RegionId;
use navmath::predicates::{Point, distance_squared};

/// A corner of a chain.
#[derive(Clone, Copy)]
pub(crate) struct ChainCorner {
    /// Seen from above, in cells from the corner of the grid: distances are rounded, and are taken with the border as
    /// the reference takes them, since ties decide.
    pub(crate) plan: Point,
    pub(crate) height: i32,
    /// Whether the edge that ends here separates two areas.
    pub(crate) area_border: bool,
    /// Whether simplification keeps the corner.
    pub(crate) kept: bool,
}

/// A stretch of an outline with one region on either side: between two junctions, or all around.
pub(crate) struct Chain {
    /// Its first and last corner in the list of all corners.
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// The region that it is an outline of, and the one beyond, or what else is there.
    pub(crate) regions: [RegionId; 2],
    /// Whether it is an outline by itself: closed, without a junction.
    pub(crate) whole: bool,
    /// Whether it may simplify to nothing: a hole that is small enough is none.
    pub(crate) may_vanish: bool,
    /// Whether it is kept as traced, as the two regions do not see one and the same chain.
    pub(crate) raw: bool,
}

/// An edge of a simplified chain.
#[derive(Clone, Copy)]
pub(crate) struct ChainEdge {
    pub(crate) chain: u32,
    /// Its corners.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The corner that is furthest from it, with its squared distance, unless all of them lie on it.
    pub(crate) worst: Option<(f32, usize)>,
    pub(crate) gone: bool,
}

impl ChainEdge {
    pub(crate) fn new(chain: u32, corners: &[ChainCorner], from: usize, to: usize) -> ChainEdge {
        let (a, b) = (corners[from].plan, corners[to].plan);
        let straight =
            a != b && (a[0] == b[0] || a[1] == b[1]) && distance_squared(a, b) == ((to - from) as i64).pow(2);
        let worst = if straight { None } else { furthest(corners, from, to) };
        ChainEdge { chain, from, to, worst, gone: false }
    }
}

/// Of the corners between two, the furthest from the line between these, with its squared distance; of several the first
/// one from the smaller end, by x, then z. None if all lie on the line.
pub(crate) fn furthest(corners: &[ChainCorner], from: usize, to: usize) -> Option<(f32, usize)> {
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
