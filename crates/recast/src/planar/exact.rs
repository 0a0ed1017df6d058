//! Exact predicates on grid positions, y upwards: left turns are positive.

use super::grid::Point;

/// Twice the signed area of the triangle `abc`: positive if it turns left. Positions within 2^29.
pub(super) fn turn(a: Point, b: Point, c: Point) -> i64 {
    let d = |from: i32, to: i32| i64::from(to) - i64::from(from);
    d(a[0], b[0]) * d(a[1], c[1]) - d(a[1], b[1]) * d(a[0], c[0])
}

/// How far `c` goes on beyond `b` in the direction from `a` to `b`, times the length of `ab`.
pub(super) fn onward(a: Point, b: Point, c: Point) -> i64 {
    let d = |from: i32, to: i32| i64::from(to) - i64::from(from);
    d(a[0], b[0]) * d(b[0], c[0]) + d(a[1], b[1]) * d(b[1], c[1])
}

/// Square of the distance.
pub(super) fn distance_squared(a: Point, b: Point) -> i64 {
    let d = |axis: usize| i64::from(b[axis]) - i64::from(a[axis]);
    d(0) * d(0) + d(1) * d(1)
}

/// Twice the signed area of a ring: positive if it runs counter-clockwise.
pub(super) fn area2(ring: &[Point]) -> i128 {
    let Some(&first) = ring.first() else { return 0 };
    ring.windows(2).map(|pair| i128::from(turn(first, pair[0], pair[1]))).sum()
}

/// Whether `p` lies on the segment `ab`, ends included.
pub(super) fn on_segment(a: Point, b: Point, p: Point) -> bool {
    let within = |axis: usize| a[axis].min(b[axis]) <= p[axis] && p[axis] <= a[axis].max(b[axis]);
    within(0) && within(1) && turn(a, b, p) == 0
}
