//! Exact test for convexity: what the writer aims at and the verifier insists on. O(corners).
//!
//! A closed chain whose corners all turn left by less than half a turn, or run straight on, and that turns
//! once altogether, is simple and convex. How often it turns is counted without angles: each revolution
//! passes once from the directions above to those below.

use navmath::predicates::{Point, area2, polygon_area2};

/// Why a polygon is not convex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The edge from this corner has no length seen from above.
    Length(usize),
    /// No area, or wound with the interior to the right.
    Area,
    /// The chain turns right, or back, at this corner.
    Turn(usize),
    /// The chain turns more than once.
    Winding,
}

/// The first flaw found, in the order the variants are declared in; `None` for a convex polygon. Flat corners
/// are allowed. Corners within the coordinate limit, at least three.
pub(crate) fn flaw(corners: &[Point]) -> Option<Flaw> {
    if is_convex(corners) { None } else { first_flaw(corners) }
}

/// Whether the chain turns left or runs on everywhere, and goes round once. Such a chain has length
/// everywhere and area.
fn is_convex(corners: &[Point]) -> bool {
    let [.., before, last] = *corners else { return false };
    let start = way(before, last);
    let (mut at, mut direction) = (last, start);
    let turns = corners.iter().all(|&corner| {
        let next = way(at, corner);
        let goes_on = goes_on(direction, next);
        (at, direction) = (corner, next);
        goes_on
    });
    turns && goes_round_once(start, last, corners.iter().copied())
}

/// The direction from `a` to `b`.
#[inline]
fn way(a: Point, b: Point) -> [i64; 2] {
    [i64::from(b[0]) - i64::from(a[0]), i64::from(b[1]) - i64::from(a[1])]
}

/// Whether a chain turns left by less than half a turn, or runs straight on, from one direction into the
/// next, each between two corners within the coordinate limit. Then both have length.
#[inline]
pub(crate) fn goes_on([x, z]: [i64; 2], [next_x, next_z]: [i64; 2]) -> bool {
    // Corners are below 2^30, so directions are below 2^31 and both sums below 2^63.
    let turn = x * next_z - next_x * z;
    turn < 0 || (turn == 0 && x * next_x + z * next_z > 0)
}

/// Whether a closed chain that goes on everywhere goes round once. `direction` is that into its last corner.
/// Chains of three and four corners need not be asked: as many turns of less than half a turn each do not
/// make two whole ones.
pub(crate) fn goes_round_once(
    direction: [i64; 2],
    last: Point,
    corners: impl Iterator<Item = Point>,
) -> bool {
    let (mut at, mut rising, mut falls) = (last, rises(direction), 0);
    for corner in corners {
        let next = rises(way(at, corner));
        falls += u32::from(rising & !next);
        (at, rising) = (corner, next);
    }
    falls == 1
}

/// Whether a direction lies in the half turn that starts at +x and goes left, to -z.
#[inline]
fn rises([x, z]: [i64; 2]) -> bool {
    z < 0 || (z == 0 && x > 0)
}

/// As [`flaw`], of corners that may have one.
fn first_flaw(corners: &[Point]) -> Option<Flaw> {
    let count = corners.len();
    let next = |i: usize| if i + 1 == count { 0 } else { i + 1 };
    if let Some(i) = (0..count).find(|&i| corners[i] == corners[next(i)]) {
        return Some(Flaw::Length(i));
    }
    if polygon_area2(corners.iter().copied()) >= 0 {
        return Some(Flaw::Area);
    }
    let mut revolutions = 0;
    for i in 0..count {
        let (a, b, c) = (corners[i], corners[next(i)], corners[next(next(i))]);
        let turn = area2(a, b, c);
        if turn > 0 || (turn == 0 && !runs_on(a, b, c)) {
            return Some(Flaw::Turn(next(i)));
        }
        revolutions += usize::from(rises(way(a, b)) && !rises(way(b, c)));
    }
    (revolutions != 1).then_some(Flaw::Winding)
}

/// Whether `abc`, which lie on one line, go on in the same direction at `b`.
pub(crate) fn runs_on(a: Point, b: Point, c: Point) -> bool {
    let part = |axis: usize| {
        (i128::from(b[axis]) - i128::from(a[axis])) * (i128::from(c[axis]) - i128::from(b[axis]))
    };
    part(0) + part(1) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn convex_polygons_pass_with_flat_corners() {
        assert_eq!(flaw(&[[0, 0], [4, 0], [4, -4], [0, -4]]), None);
        assert_eq!(flaw(&[[0, 0], [2, 0], [4, 0], [4, -4], [0, -4], [0, -1]]), None);
        assert_eq!(flaw(&[[0, 0], [4, 0], [2, -4]]), None);
    }

    #[test]
    fn the_short_way_says_the_same() {
        // All chains of three to five corners on a small grid.
        let point = |code: usize| [(code % 3) as i32, (code / 3) as i32];
        for count in [3, 4, 5] {
            for code in 0..9usize.pow(count) {
                let corners: Vec<Point> = (0..count).map(|at| point(code / 9usize.pow(at) % 9)).collect();
                assert_eq!(is_convex(&corners), first_flaw(&corners).is_none(), "{corners:?}");
            }
        }
    }

    #[test]
    fn each_flaw_is_told_apart() {
        assert_eq!(flaw(&[[0, 0], [4, 0], [4, 0], [0, -4]]), Some(Flaw::Length(1)));
        assert_eq!(flaw(&[[0, 0], [0, -4], [4, 0]]), Some(Flaw::Area));
        assert_eq!(flaw(&[[0, 0], [2, 0], [4, 0]]), Some(Flaw::Area));
        assert_eq!(flaw(&[[0, 0], [4, 0], [2, -1], [2, -4]]), Some(Flaw::Turn(2)));
        // Out along the base and back.
        assert_eq!(flaw(&[[0, 0], [6, 0], [4, 0], [4, -4]]), Some(Flaw::Turn(1)));
        // A five-pointed star turns left at every corner, but twice.
        let star = [[0, 0], [10, -6], [-2, -6], [8, 0], [3, -10]];
        let star = if polygon_area2(star) < 0 { star } else { [star[0], star[4], star[3], star[2], star[1]] };
        assert_eq!(flaw(&star), Some(Flaw::Winding));
        // A square walked twice.
        let square = [[0, 0], [4, 0], [4, -4], [0, -4]];
        assert_eq!(flaw(&[square, square].concat()), Some(Flaw::Winding));
    }
}
