//! Exact planar predicates over integers, seen from above: x to the right, z downwards.
//!
//! Cost: a few multiplications each. Source: J. O'Rourke, Computational Geometry in C (1998), in the
//! orientation of M. Mononen's Recast: a polygon's interior is to the *left* of its edges, and left means a
//! negative [`area2`].
//!
//! Coordinates must be within ±[`COORD_LIMIT`], so that no product overflows an i64.

/// Largest magnitude of a coordinate for which every predicate here is exact.
pub const COORD_LIMIT: i32 = (1 << 30) - 1;

/// A point in the plane: x, z.
pub type Point = [i32; 2];

/// Twice the signed area of triangle `abc`; negative if `c` is left of the line from `a` to `b`.
#[inline]
pub fn area2(a: Point, b: Point, c: Point) -> i64 {
    let (abx, abz) = (i64::from(b[0]) - i64::from(a[0]), i64::from(b[1]) - i64::from(a[1]));
    let (acx, acz) = (i64::from(c[0]) - i64::from(a[0]), i64::from(c[1]) - i64::from(a[1]));
    abx * acz - acx * abz
}

/// Returns true if `c` is strictly left of the directed line from `a` to `b`.
#[inline]
pub fn left(a: Point, b: Point, c: Point) -> bool {
    area2(a, b, c) < 0
}

/// Returns true if `c` is left of, or on, the directed line from `a` to `b`.
#[inline]
pub fn left_on(a: Point, b: Point, c: Point) -> bool {
    area2(a, b, c) <= 0
}

/// Returns true if the three points are on one line.
///
/// ```
/// use navmath::predicates::{collinear, left};
///
/// assert!(collinear([0, 0], [2, 1], [4, 2]));
/// // z grows downwards, so a smaller z is to the left on the way to larger x.
/// assert!(left([0, 0], [4, 0], [2, -1]));
/// ```
#[inline]
pub fn collinear(a: Point, b: Point, c: Point) -> bool {
    area2(a, b, c) == 0
}

/// Returns true if segments `ab` and `cd` cross at a point interior to both.
#[inline]
pub fn cross_properly(a: Point, b: Point, c: Point, d: Point) -> bool {
    let (abc, abd) = (area2(a, b, c), area2(a, b, d));
    let (cda, cdb) = (area2(c, d, a), area2(c, d, b));
    if abc == 0 || abd == 0 || cda == 0 || cdb == 0 {
        return false;
    }
    (abc < 0) != (abd < 0) && (cda < 0) != (cdb < 0)
}

/// Returns true if `c` is on the closed segment `ab`.
#[inline]
pub fn between(a: Point, b: Point, c: Point) -> bool {
    if !collinear(a, b, c) {
        return false;
    }
    // For a vertical segment x does not decide.
    let axis = usize::from(a[0] == b[0]);
    (a[axis] <= c[axis] && c[axis] <= b[axis]) || (a[axis] >= c[axis] && c[axis] >= b[axis])
}

/// Returns true if segments `ab` and `cd` share any point.
#[inline]
pub fn intersect(a: Point, b: Point, c: Point, d: Point) -> bool {
    cross_properly(a, b, c, d) || between(a, b, c) || between(a, b, d) || between(c, d, a) || between(c, d, b)
}

/// Largest magnitude of a coordinate for which [`in_circle`] is exact.
pub const CIRCLE_LIMIT: i32 = (1 << 29) - 1;

/// Returns true if `d` is strictly inside the circle through the corners of triangle `abc`, whose interior is
/// left of its edges. Exact for coordinates within ±[`CIRCLE_LIMIT`].
///
/// ```
/// use navmath::predicates::in_circle;
///
/// let (a, b, c) = ([0, 4], [4, 4], [0, 0]);
/// assert!(in_circle(a, b, c, [3, 3]));
/// // The fourth corner of the square lies on the circle.
/// assert!(!in_circle(a, b, c, [4, 0]));
/// ```
#[inline]
pub fn in_circle(a: Point, b: Point, c: Point, d: Point) -> bool {
    let from_d = |p: Point| {
        let (x, z) = (i64::from(p[0]) - i64::from(d[0]), i64::from(p[1]) - i64::from(d[1]));
        [x, z, x * x + z * z]
    };
    let [[ax, az, aa], [bx, bz, bb], [cx, cz, cc]] = [a, b, c].map(from_d);
    let part = |lift: i64, area: i64| i128::from(lift) * i128::from(area);
    part(aa, bx * cz - bz * cx) + part(bb, cx * az - cz * ax) + part(cc, ax * bz - az * bx) < 0
}

/// Returns true if the ray from corner `at` towards `target` starts strictly inside the polygon whose corners
/// around `at` are `previous`, `at`, `next`.
#[inline]
pub fn in_cone(previous: Point, at: Point, next: Point, target: Point) -> bool {
    if left_on(previous, at, next) {
        left(at, target, previous) && left(target, at, next)
    } else {
        !(left_on(at, target, next) && left_on(target, at, previous))
    }
}

/// Like [`in_cone`], except that a ray along either edge of a convex corner counts as inside.
#[inline]
pub fn in_cone_loose(previous: Point, at: Point, next: Point, target: Point) -> bool {
    if left_on(previous, at, next) {
        left_on(at, target, previous) && left_on(target, at, next)
    } else {
        !(left_on(at, target, next) && left_on(target, at, previous))
    }
}

/// Twice the signed area of a polygon; negative if its interior is left of its edges. In 128 bits, so that
/// any number of corners within [`COORD_LIMIT`] is exact.
pub fn polygon_area2(corners: impl IntoIterator<Item = Point>) -> i128 {
    let mut corners = corners.into_iter();
    let Some(first) = corners.next() else { return 0 };
    let mut previous = first;
    let mut sum = 0i128;
    let mut add = |a: Point, b: Point| {
        sum += i128::from(a[0]) * i128::from(b[1]) - i128::from(b[0]) * i128::from(a[1]);
    };
    for corner in corners {
        add(previous, corner);
        previous = corner;
    }
    add(previous, first);
    sum
}

/// Squared distance between two points.
#[inline]
pub fn distance_squared(a: Point, b: Point) -> i64 {
    let (dx, dz) = (i64::from(b[0]) - i64::from(a[0]), i64::from(b[1]) - i64::from(a[1]));
    dx * dx + dz * dz
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // Seen from above, z downwards: a is left of b, and c above them (smaller z) is to the left.
    #[test]
    fn left_is_negative() {
        assert!(left([0, 0], [4, 0], [2, -1]));
        assert!(!left([0, 0], [4, 0], [2, 1]));
        assert!(left_on([0, 0], [4, 0], [9, 0]) && collinear([0, 0], [4, 0], [9, 0]));
        assert_eq!(polygon_area2([[0, 0], [2, 0], [2, -2], [0, -2]]), -8);
        assert_eq!(polygon_area2([]), 0);
    }

    #[test]
    fn segments_touch_and_cross() {
        assert!(cross_properly([0, 0], [4, 4], [0, 4], [4, 0]));
        assert!(!cross_properly([0, 0], [4, 4], [2, 2], [4, 0]));
        assert!(intersect([0, 0], [4, 4], [2, 2], [4, 0]));
        assert!(!intersect([0, 0], [1, 1], [2, 2], [3, 3]));
    }

    #[test]
    fn cones_of_convex_and_reflex_corners() {
        // Square wound to the left of its edges: (0,0) (0,4) ... read as previous, at, next.
        let (previous, at, next) = ([0, 0], [4, 0], [4, -4]);
        assert!(in_cone(previous, at, next, [0, -4]));
        assert!(!in_cone(previous, at, next, [8, 4]));
        assert!(!in_cone(previous, at, next, [0, 0]) && in_cone_loose(previous, at, next, [0, 0]));
    }

    proptest! {
        #[test]
        fn a_circle_holds_what_is_nearer_to_its_centre(
            centre in prop::array::uniform2(-20..20),
            [a, b, c, d] in prop::array::uniform4(prop::array::uniform2(-40..40)),
        ) {
            // The circle through three corners of a rectangle has its centre in the middle of the diagonal.
            let (low, high) = ([centre[0] - a[0], centre[1] - a[1]], [centre[0] + a[0], centre[1] + a[1]]);
            let corner = [low[0], high[1]];
            let turned = if left(low, corner, high) { [low, corner, high] } else { [high, corner, low] };
            if area2(low, corner, high) != 0 {
                let inside = distance_squared(centre, d) < distance_squared(centre, low);
                prop_assert_eq!(in_circle(turned[0], turned[1], turned[2], d), inside);
            }
            if left(a, b, c) {
                prop_assert_eq!(in_circle(a, b, c, d), in_circle(b, c, a, d));
                // Of two triangles at an edge, each circle contains the other's corner, or neither does.
                if left(b, a, d) {
                    prop_assert_eq!(in_circle(a, b, c, d), in_circle(b, a, d, c));
                }
            }
        }

        #[test]
        fn circles_are_exact_at_the_limit(
            a in prop::array::uniform2(-CIRCLE_LIMIT..=CIRCLE_LIMIT),
            b in prop::array::uniform2(-CIRCLE_LIMIT..=CIRCLE_LIMIT),
            d in prop::array::uniform2(-1..=1),
        ) {
            // The corner opposite to `a` in the rectangle of `a` and `b` is on the circle, except for a
            // nudge.
            let (c, opposite) = ([a[0], b[1]], [b[0], a[1]]);
            prop_assume!(left(a, b, c) && a != b);
            let nudged = [opposite[0] + d[0], opposite[1] + d[1]];
            let dot = |p: Point, q: Point| {
                let along = |axis: usize| {
                    (i128::from(p[axis]) - i128::from(nudged[axis])) * (i128::from(q[axis]) - i128::from(nudged[axis]))
                };
                along(0) + along(1)
            };
            // From inside the circle over a diameter, the angle between its ends is more than a right angle.
            prop_assert_eq!(in_circle(a, b, c, nudged), dot(a, b) < 0);
        }

        #[test]
        fn area_is_antisymmetric_at_the_limit(
            a in prop::array::uniform2(-COORD_LIMIT..=COORD_LIMIT),
            b in prop::array::uniform2(-COORD_LIMIT..=COORD_LIMIT),
            c in prop::array::uniform2(-COORD_LIMIT..=COORD_LIMIT),
        ) {
            prop_assert_eq!(area2(a, b, c), -area2(b, a, c));
            prop_assert_eq!(area2(a, b, c), area2(b, c, a));
            prop_assert_eq!(i128::from(area2(a, b, c)), polygon_area2([a, b, c]));
        }

        #[test]
        fn intersection_is_symmetric(
            a in prop::array::uniform2(-5..5), b in prop::array::uniform2(-5..5),
            c in prop::array::uniform2(-5..5), d in prop::array::uniform2(-5..5),
        ) {
            prop_assert_eq!(intersect(a, b, c, d), intersect(c, d, a, b));
            prop_assert_eq!(cross_properly(a, b, c, d), cross_properly(d, c, b, a));
        }
    }
}
