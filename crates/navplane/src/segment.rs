//! Edges of rings, and the number of times they wind around a place.

use crate::exact::Point;
use std::collections::BTreeMap;

/// An edge of a ring, from the smaller end to the larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Segment {
    pub(crate) a: Point,
    pub(crate) b: Point,
    /// The shape of the ring.
    pub(crate) shape: u32,
    /// Winding number of the shape to the left of `ab` minus the number to the right.
    pub(crate) turns: i32,
}

impl Segment {
    /// The edge from `a` to `b` of a ring of this shape, with the shape to its left.
    pub(crate) fn new(a: Point, b: Point, shape: u32) -> Segment {
        if a <= b { Segment { a, b, shape, turns: 1 } } else { Segment { a: b, b: a, shape, turns: -1 } }
    }
}

/// Adds the edges of a ring.
pub(crate) fn add_ring(segments: &mut Vec<Segment>, ring: &[Point], shape: u32) {
    for (at, &a) in ring.iter().enumerate() {
        segments.push(Segment::new(a, ring[(at + 1) % ring.len()], shape));
    }
}

/// Winding numbers of a place, by shape; shapes that do not wind around it are absent.
pub(crate) type Windings = BTreeMap<u32, i32>;

/// Adds to the winding number of a shape.
pub(crate) fn wind(windings: &mut Windings, shape: u32, turns: i32) {
    let count = windings.entry(shape).or_default();
    *count += turns;
    if *count == 0 {
        windings.remove(&shape);
    }
}
