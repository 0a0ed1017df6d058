//! Exact test for convexity, shared by the writer and the verifier. O(corners).
//!
//! A closed chain whose corners all turn left by less than half a turn, or run straight on, and that turns
//! once altogether, is simple and convex. The number of turns is counted without angles: each revolution
//! passes once from the upper half of all directions to the lower half.

use navmath::predicates::{Point, area2, collinear, polygon_area2};

/// Why a polygon is not convex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The edge from this corner has zero length seen from above.
    Length(usize),
    /// The polygon has no area, or its interior is to the right.
    Area,
    /// The chain turns right, or back, at this corner.
    Turn(usize),
    /// The chain turns more than once.
    Winding,
}

/// The first flaw found, in the order the variants are declared in; `None` for a convex polygon. Flat corners
/// are allowed. Corners within the coordinate limit, at least three.
pub fn flaw(corners: &[Point]) -> Option<Flaw> {
    if is_convex(corners.iter().copied()) { None } else { first_flaw(corners) }
}

/// Returns true if the chain turns left or runs straight on at every corner, and closes after one revolution.
/// Every edge of such a chain has length, and the chain has area.
#[inline]
pub(crate) fn is_convex(mut corners: impl DoubleEndedIterator<Item = Point> + Clone) -> bool {
    let mut back = corners.clone().rev();
    let (Some(last), Some(before)) = (back.next(), back.next()) else { return false };
    let mut chain = Chain::into_last(before, last);
    corners.all(|corner| chain.go_to(corner)) && chain.was_convex()
}

/// The direction from `a` to `b`.
#[inline]
fn direction(a: Point, b: Point) -> [i64; 2] {
    [i64::from(b[0]) - i64::from(a[0]), i64::from(b[1]) - i64::from(a[1])]
}

/// A walk along a closed chain, from its last corner through all corners in order. Turns are accumulated
/// without branches, because they are unpredictable.
pub(crate) struct Chain {
    at: [i64; 2],
    direction: [i64; 2],
    /// The half turn of the current direction, as returned by [`half`].
    half: i64,
    /// Positive if no turn was to the right and at least one was to the left.
    left: i64,
    /// Number of changes of direction from one half turn into the other.
    halves: u64,
}

impl Chain {
    /// Starts a chain of three or more corners, within the coordinate limit, whose last two corners are
    /// these.
    #[inline]
    pub(crate) fn into_last(before: Point, last: Point) -> Chain {
        let direction = direction(before, last);
        Chain { at: last.map(i64::from), direction, half: half(direction), left: 0, halves: 0 }
    }

    /// Moves to the next corner; returns true if that is a different position.
    #[inline]
    pub(crate) fn go_to(&mut self, corner: Point) -> bool {
        let at = corner.map(i64::from);
        let ([x, z], next @ [next_x, next_z]) = (self.direction, [at[0] - self.at[0], at[1] - self.at[1]]);
        let next_half = half(next);
        // Corners are below 2^30, so directions are below 2^31 and the difference below 2^63. The result is
        // negative if any term is, and positive if a term is positive and no term is negative.
        self.left |= next_x * z - x * next_z;
        self.halves += ((self.half ^ next_half) as u64) >> 63;
        (self.at, self.direction, self.half) = (at, next, next_half);
        next_half != 0
    }

    /// Returns true if the chain is convex. Call it after all corners; consecutive corners must differ.
    ///
    /// Without turns to the right, each revolution passes twice from one half turn of directions into the
    /// other. Turns back are neither to the left nor to the right. But a single revolution with a turn back
    /// has only half a turn left to close the chain, so the whole chain is on one line and has no turn to the
    /// left.
    #[inline]
    pub(crate) fn was_convex(&self) -> bool {
        self.left > 0 && self.halves == 2
    }
}

/// Negative for a direction in the half turn that starts at +x and goes left, to -z; positive for one in the
/// other half; zero for no direction.
#[inline]
fn half([x, z]: [i64; 2]) -> i64 {
    // Both are below 2^31.
    (z << 32) - x
}

/// Returns true if a direction is in the half turn that starts at +x and goes left, to -z.
fn rises([x, z]: [i64; 2]) -> bool {
    z < 0 || (z == 0 && x > 0)
}

/// The first flaw, rule by rule.
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
        revolutions += usize::from(rises(direction(a, b)) && !rises(direction(b, c)));
    }
    (revolutions != 1).then_some(Flaw::Winding)
}

/// Returns true if the collinear points `abc` continue in the same direction at `b`.
pub fn runs_on(a: Point, b: Point, c: Point) -> bool {
    let part = |axis: usize| {
        (i128::from(b[axis]) - i128::from(a[axis])) * (i128::from(c[axis]) - i128::from(b[axis]))
    };
    part(0) + part(1) > 0
}

/// The edge of a polygon without area that overlaps all the other edges, if there is one: the others follow
/// each other back along it.
pub fn long_edge(plan: &[Point]) -> Option<usize> {
    let count = plan.len();
    let at = |i: usize| plan[i % count];
    (0..count).find(|&long| {
        (1..count - 1).all(|step| {
            let (a, b, c) = (at(long + step), at(long + step + 1), at(long + step + 2));
            collinear(a, b, c) && runs_on(a, b, c)
        })
    })
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
    fn the_sums_agree_with_the_rules() {
        // All chains of three to six corners on a small grid: repeated positions, turns back, two
        // revolutions.
        let point = |code: usize| [(code % 3) as i32, (code / 3) as i32];
        for count in [3, 4, 5, 6] {
            for code in 0..9usize.pow(count) {
                let corners: Vec<Point> = (0..count).map(|at| point(code / 9usize.pow(at) % 9)).collect();
                assert_eq!(is_convex(corners.iter().copied()), first_flaw(&corners).is_none(), "{corners:?}");
            }
        }
    }

    #[test]
    fn corners_may_lie_at_the_limit() {
        const L: i32 = navmath::predicates::COORD_LIMIT;
        let square = [[-L, L], [L, L], [L, -L], [-L, -L]];
        let back: Vec<Point> = square.into_iter().rev().collect();
        let spike = [square[0], square[1], square[2], [0, 0], square[2], square[3]];
        for corners in [&square[..], &square[1..], &back, &spike, &[square, square].concat()] {
            assert_eq!(is_convex(corners.iter().copied()), first_flaw(corners).is_none(), "{corners:?}");
        }
        assert_eq!((flaw(&square), flaw(&back)), (None, Some(Flaw::Area)));
    }

    #[test]
    fn each_flaw_is_found() {
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
