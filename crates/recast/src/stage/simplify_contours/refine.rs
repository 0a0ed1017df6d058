//! Corners added where an outline is too far from its edges.

use crate::data::RawVertex;
use navmath::predicates::Point;

/// Adds corners until no raw corner is further away than the error that `allowed` gives for what lies beyond an
/// edge; `None` leaves the edge as it is.
pub(super) fn refine(
    raw: &[RawVertex],
    border: i32,
    kept: &mut Vec<usize>,
    allowed: impl Fn(&RawVertex) -> Option<f32>,
) {
    // Distances are rounded, and ties decide: they are taken with the border, as the reference takes them.
    let plan = |vertex: &RawVertex| [0, 2].map(|axis| vertex.position[axis] + border);
    let mut edge = 0;
    while edge < kept.len() {
        let (from, to) = (kept[edge], *kept.get(edge + 1).unwrap_or(&kept[0]));
        // The corners between, around the end of the list if need be.
        let (first, second) =
            if from < to { (&raw[from + 1..to], &raw[..0]) } else { (&raw[from + 1..], &raw[..to]) };
        let between = (from + 1..).zip(first).chain((0..).zip(second));
        let forward = is_ascending(raw, from, to);
        let nearest = if forward { first.first().or(second.first()) } else { second.last().or(first.last()) };
        let Some(error) = nearest.and_then(&allowed) else {
            edge += 1;
            continue;
        };
        let error = if is_mouth(&raw[from], &raw[to]) { 0.0 } else { error };
        let ends = [from, to].map(|end| plan(&raw[end]));
        let worst = if forward {
            furthest(between, Segment::new(ends[0], ends[1]), plan)
        } else {
            let second = (0..second.len()).rev().map(|index| (index, &raw[index]));
            let first = (from + 1..from + 1 + first.len()).rev().map(|index| (index, &raw[index]));
            furthest(second.chain(first), Segment::new(ends[1], ends[0]), plan)
        };
        match worst {
            Some((distance, index)) if distance > error * error => kept.insert(edge + 1, index),
            _ => edge += 1,
        }
    }
}

/// Whether a slit opens between two corners: at one place that both tiles at a border keep, with a floor on either side of
/// another height. Without the slit one of the heights would be lost.
fn is_mouth(a: &RawVertex, b: &RawVertex) -> bool {
    let [[x, y, z], [other_x, other_y, other_z]] = [a.position, b.position];
    a.junction && b.junction && [x, z] == [other_x, other_z] && y != other_y
}

/// Whether the edge leads from the smaller to the larger end, by x, then z.
pub(super) fn is_ascending(raw: &[RawVertex], from: usize, to: usize) -> bool {
    let key = |index: usize| (raw[index].position[0], raw[index].position[2]);
    key(to) > key(from)
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
}

/// The first of the corners that are furthest away from a segment, with the squared distance; none if all lie on it.
#[inline]
fn furthest<'a>(
    corners: impl Iterator<Item = (usize, &'a RawVertex)>,
    segment: Segment,
    plan: impl Fn(&RawVertex) -> Point,
) -> Option<(f32, usize)> {
    let (distance, index) = corners.fold((0.0, 0), |(worst, at), (index, corner)| {
        let distance = segment.distance_squared(plan(corner));
        if distance > worst { (distance, index) } else { (worst, at) }
    });
    (distance > 0.0).then_some((distance, index))
}
