//! The mesh as seen from above, in integers: every question of left or right is answered exactly.
//!
//! Units: 1/65536 cell. Corners of polygons are on multiples of 256 units, 1/256 cell, as in the blob: their
//! f32 positions are rounded back to these, which is exact up to 2^23 of those steps (32,768 cells) from the
//! mesh's anchor. Farther out f32 is coarser than the blob, and the search works with the f32 positions.

use crate::geometry::shortest_crossing_of_line;
use crate::mesh::NavMesh;
use glam::{DVec2, Vec3};
use navmath::FIXED_ONE;

/// A point: x, z.
pub(in crate::query) type Point = [i64; 2];

/// Units per step of the blob.
pub(super) const FINE: i64 = 256;
/// Coordinates are kept within ± this; no loaded tile reaches it.
const LIMIT: i64 = 1 << 40;
/// Relative error allowed for a sum of lengths; far more than its rounding.
pub(super) const ROUNDING: f64 = 1e-12;

/// The integer plane around a place.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::query) struct Plane {
    /// The vector from the lattice's zero to the anchor, metres.
    shift: DVec2,
    /// Steps of the blob per metre.
    scale: f64,
    /// The origin of the coordinates, in steps.
    base: DVec2,
}

impl Plane {
    pub(in crate::query) fn new(mesh: &NavMesh, around: Vec3) -> Plane {
        let Some(lattice) = mesh.lattice() else { return Plane::default() };
        let (anchor, origin) = (mesh.anchor(), lattice.origin);
        let mut plane = Plane {
            shift: DVec2::new(anchor[0] - origin[0], anchor[2] - origin[2]),
            scale: f64::from(FIXED_ONE) / lattice.cell_size,
            base: DVec2::ZERO,
        };
        plane.base = plane.steps(around).round();
        plane
    }

    /// Converts a length from metres to units.
    pub(super) fn units(&self, metres: f64) -> f64 {
        metres * self.scale * FINE as f64
    }

    fn steps(&self, p: Vec3) -> DVec2 {
        (DVec2::new(f64::from(p.x), f64::from(p.z)) + self.shift) * self.scale - self.base
    }

    /// A corner of a polygon.
    #[inline]
    pub(in crate::query) fn corner(&self, p: Vec3) -> Point {
        self.steps(p).to_array().map(|v| nearest(v) * FINE)
    }

    /// Any point.
    pub(super) fn point(&self, p: Vec3) -> Point {
        self.steps(p).to_array().map(|v| nearest(v * FINE as f64))
    }
}

/// The nearest integer. `f64::round` is a function call on processors of the base instruction set.
#[inline]
fn nearest(v: f64) -> i64 {
    ((v + 0.5f64.copysign(v)) as i64).clamp(-LIMIT, LIMIT)
}

/// Positive if `c` is left of the line from `a` to `b`, negative if right, 0 if on it.
#[inline]
pub(super) fn leftness(a: Point, b: Point, c: Point) -> i128 {
    let (ab, ac) = (between(a, b), between(a, c));
    i128::from(ac[0]) * i128::from(ab[1]) - i128::from(ab[0]) * i128::from(ac[1])
}

/// Positive if `b` and `c` are in the same direction from `a`.
#[inline]
pub(super) fn ahead(a: Point, b: Point, c: Point) -> i128 {
    let (ab, ac) = (between(a, b), between(a, c));
    i128::from(ab[0]) * i128::from(ac[0]) + i128::from(ab[1]) * i128::from(ac[1])
}

#[inline]
fn between(a: Point, b: Point) -> Point {
    [b[0] - a[0], b[1] - a[1]]
}

/// Returns true if a point is on a segment, ends included.
#[inline]
pub(super) fn is_on(p: Point, a: Point, b: Point) -> bool {
    leftness(a, b, p) == 0 && ahead(p, a, b) <= 0
}

/// The point as far beyond `through` as `from` is before it.
#[inline]
pub(super) fn beyond(from: Point, through: Point) -> Point {
    [2 * through[0] - from[0], 2 * through[1] - from[1]]
}

/// The point where a segment crosses a line, given by two of its points; rounded.
pub(super) fn met([a, b]: [Point; 2], line: [Point; 2]) -> Point {
    let (along, from) = (real(between(line[0], line[1])), line[0]);
    let [of_a, of_b] = [a, b].map(|p| along.perp_dot(real(between(from, p))));
    let t = of_a / (of_a - of_b);
    let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
    [0, 1].map(|axis| a[axis] + ((b[axis] - a[axis]) as f64 * t).round() as i64)
}

/// The mirror image of a point in the line through two others, rounded.
pub(super) fn mirrored(p: Point, [a, b]: [Point; 2]) -> Point {
    let (along, away) = (real(between(a, b)), real(between(a, p)));
    let aside = along.perp_dot(away) / along.length_squared();
    let by = along.perp() * (-2.0 * aside);
    [p[0] + by.x.round() as i64, p[1] + by.y.round() as i64]
}

#[inline]
fn real(p: Point) -> DVec2 {
    DVec2::new(p[0] as f64, p[1] as f64)
}

#[inline]
pub(super) fn distance(a: Point, b: Point) -> f64 {
    let (x, z) = ((a[0] - b[0]) as f64, (a[1] - b[1]) as f64);
    (x * x + z * z).sqrt()
}

/// The parameter, 0..=1, of the point of segment `ab` that the line from `root` through `target` meets. It is
/// computed in f64, for estimates and for points of the result.
#[inline]
pub(super) fn crossing(root: Point, target: Point, a: Point, b: Point) -> f64 {
    if target == a || target == b {
        return f64::from(u8::from(target == b));
    }
    let (along, a, b) = (real(between(root, target)), real(between(root, a)), real(between(root, b)));
    let (of_a, of_b) = (along.perp_dot(a), along.perp_dot(b));
    let t = of_a / (of_a - of_b);
    if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 }
}

/// A lower bound of the length of a path from `root` over the part `from..=to` of segment `ab` to `goal`. A
/// goal on the root's side of the segment is replaced by its mirror image.
pub(super) fn least_over(root: Point, a: Point, b: Point, [from, to]: [f64; 2], goal: Point) -> f64 {
    let (root, a, b, goal) = (real(root), real(a), real(b), real(goal));
    let t = shortest_crossing_of_line(a, b, root, goal);
    let t = if t.is_finite() { t.clamp(from.min(to), from.max(to)) } else { from };
    let over = a + (b - a) * t;
    (root.distance(over) + over.distance(goal)) * (1.0 - ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn left_is_where_it_is_seen_from_above() {
        // x to the right, z downwards: looking along z, larger x is on the left.
        assert!(leftness([0, 0], [0, 4], [1, 2]) > 0);
        assert!(leftness([0, 0], [0, 4], [-1, 2]) < 0);
        assert_eq!(leftness([0, 0], [0, 4], [0, -9]), 0);
        assert!(is_on([1, 1], [0, 0], [3, 3]) && is_on([0, 0], [0, 0], [3, 3]));
        assert!(!is_on([4, 4], [0, 0], [3, 3]) && !is_on([1, 2], [0, 0], [3, 3]));
        assert_eq!(beyond([1, 1], [2, 3]), [3, 5]);
    }

    proptest! {
        #[test]
        fn no_path_is_shorter_than_the_bound(v in prop::array::uniform8(-1000i64..1000), s in 0.0..1.0f64) {
            let (root, a, b, goal) = ([v[0], v[1]], [v[2], v[3]], [v[4], v[5]], [v[6], v[7]]);
            prop_assume!(a != b);
            for [from, to] in [[0.0, 1.0], [0.2, 0.7], [0.7, 0.2]] {
                let over = real(a).lerp(real(b), from + (to - from) * s);
                let length = real(root).distance(over) + over.distance(real(goal));
                prop_assert!(least_over(root, a, b, [from, to], goal) <= length + 1e-9);
            }
        }
    }
}
