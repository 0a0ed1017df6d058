//! Exact predicates on grid positions, y upwards: [`turn`] is positive for a left turn.
//!
//! They are those of [`navmath::predicates`], which has z downwards, so that a left turn is negative there.

pub(crate) use navmath::predicates::{
    Point, area2 as turn, between, cross_properly, distance_squared, polygon_area2,
};

/// Distance of `c` beyond `b` in the direction from `a` to `b`, times the length of `ab`.
pub(crate) fn onward(a: Point, b: Point, c: Point) -> i64 {
    let d = |from: i32, to: i32| i64::from(to) - i64::from(from);
    d(a[0], b[0]) * d(b[0], c[0]) + d(a[1], b[1]) * d(b[1], c[1])
}

/// Returns true if the chain `abc` continues straight at `b`.
pub(crate) fn is_straight(a: Point, b: Point, c: Point) -> bool {
    turn(a, b, c) == 0 && onward(a, b, c) > 0
}

/// Returns true if the chain `abc` turns left at `b`, or continues straight.
pub(crate) fn is_convex(a: Point, b: Point, c: Point) -> bool {
    turn(a, b, c) > 0 || is_straight(a, b, c)
}

/// Returns `extent * part / whole`, rounded; halves are rounded up. `whole` is positive.
pub(crate) fn share(extent: i128, part: i128, whole: i128) -> i128 {
    (2 * extent * part + whole).div_euclid(2 * whole)
}
