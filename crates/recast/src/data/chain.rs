//! Chains: stretches of outlines between the same two regions, and the edges that they are simplified to.

use super::RegionId;
use navmath::predicates::{Point, between};

/// A corner of a chain.
#[derive(Clone, Copy)]
pub(crate) struct ChainCorner {
    /// Position as seen from above, in 1/256 cell from the corner of the grid. Includes the border, like the
    /// reference: distances are rounded, and ties depend on it.
    pub(crate) plan: Point,
    pub(crate) height: i32,
    /// True if the edge that ends here separates two areas.
    pub(crate) area_border: bool,
    /// True if a triangle gives its place.
    pub(crate) exact: bool,
    /// True if simplification keeps the corner.
    pub(crate) kept: bool,
}

/// A stretch of an outline between the same two regions: from junction to junction, or a whole outline.
pub(crate) struct Chain {
    /// Its first and last corner in the list of all corners.
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// The region that it outlines, and the region or other ground on the far side.
    pub(crate) regions: [RegionId; 2],
    /// True if it is a closed outline without a junction.
    pub(crate) whole: bool,
    /// True if it may be simplified to nothing: a hole that is small enough is dropped.
    pub(crate) may_vanish: bool,
    /// True if it is kept as traced, because the two regions do not see the same chain.
    pub(crate) raw: bool,
}

/// An edge of a simplified chain.
#[derive(Clone, Copy)]
pub(crate) struct ChainEdge {
    pub(crate) chain: u32,
    /// Its corners.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The corner furthest from the edge, with its squared distance; `None` if all corners are on the edge.
    pub(crate) worst: Option<(f32, usize)>,
    pub(crate) gone: bool,
}

impl ChainEdge {
    pub(crate) fn new(chain: u32, corners: &[ChainCorner], from: usize, to: usize) -> ChainEdge {
        let (a, b) = (corners[from].plan, corners[to].plan);
        let straight = a != b && corners[from + 1..to].iter().all(|corner| between(a, b, corner.plan));
        let worst = if straight { None } else { furthest(corners, from, to) };
        ChainEdge { chain, from, to, worst, gone: false }
    }
}

/// The furthest of the corners between two, from the line between these, with its squared distance; among
/// equals, the first as counted from the smaller end (by x, then z). `None` if all corners are on the line,
/// as far as f32 can tell: at the far end of the largest grid it rounds to whole 1/256 cells.
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

    /// The first of the furthest corners, with its squared distance.
    #[inline]
    fn furthest(&self, corners: impl Iterator<Item = (usize, Point)>) -> (f32, usize) {
        corners.fold((0.0, 0), |(worst, at), (index, corner)| {
            let distance = self.distance_squared(corner);
            if distance > worst { (distance, index) } else { (worst, at) }
        })
    }
}
