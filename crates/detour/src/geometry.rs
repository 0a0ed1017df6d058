//! Planar geometry seen from above, on f32 points in f64 arithmetic: sides, segments, triangles. As in
//! `navmath::predicates`, left is negative and a polygon's interior is to the left of its edges.

use glam::{DVec2, Vec3};

/// The point in the plane.
#[inline]
pub(crate) fn flat(p: Vec3) -> DVec2 {
    DVec2::new(f64::from(p.x), f64::from(p.z))
}

/// Twice the signed area of triangle `abc`; negative if `c` is left of the line from `a` to `b`.
///
/// Measured from the middle between the ends, so that an edge seen from both of its polygons gives values of
/// exactly opposite sign: no point falls between two neighbours.
#[inline]
pub(crate) fn side(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    flat_side(flat(a), flat(b), flat(c))
}

/// [`side`] for points in the plane.
#[inline]
pub(crate) fn flat_side(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot((c - a) + (c - b)) * 0.5
}

/// The parameter, 0..=1, of the point of segment `ab` nearest to `p` from above, and its squared distance.
#[inline]
pub(crate) fn nearest_on_segment(a: Vec3, b: Vec3, p: Vec3) -> (f64, f64) {
    let (a, b, p) = (flat(a), flat(b), flat(p));
    let along = b - a;
    let length_squared = along.length_squared();
    let t = if length_squared > 0.0 { ((p - a).dot(along) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    (t, (a + along * t).distance_squared(p))
}

/// The point at parameter `t` of segment `ab`; its ends are met exactly.
#[inline]
pub(crate) fn lerp(a: Vec3, b: Vec3, t: f64) -> Vec3 {
    if t >= 1.0 {
        return b;
    }
    let (from, to) = (a.as_dvec3(), b.as_dvec3());
    (from + (to - from) * t).as_vec3()
}

/// The segment nearest to a point, as seen from above, of those taken so far. The first one wins a tie.
pub(crate) struct NearestOf {
    to: Vec3,
    /// Squared distance of the segment.
    away: f64,
    /// The ends of the segment, and the position of the nearest point between them.
    ends: Option<[Vec3; 2]>,
    t: f64,
}

impl NearestOf {
    #[inline]
    pub(crate) fn new(to: Vec3) -> NearestOf {
        NearestOf { to, away: f64::INFINITY, ends: None, t: 0.0 }
    }

    #[inline]
    pub(crate) fn take(&mut self, a: Vec3, b: Vec3) {
        let (t, away) = nearest_on_segment(a, b, self.to);
        if away < self.away || self.ends.is_none() {
            (self.away, self.ends, self.t) = (away, Some([a, b]), t);
        }
    }

    /// The nearest point of the segment; `None` if there was no segment.
    #[inline]
    pub(crate) fn point(&self) -> Option<Vec3> {
        self.ends.map(|[a, b]| lerp(a, b, self.t))
    }
}

/// The horizontal unit vector away from an edge from `a` to `b`, towards its interior; zero if the edge has
/// no length as seen from above.
pub(crate) fn inward_normal(a: Vec3, b: Vec3) -> Vec3 {
    let along = (flat(b) - flat(a)).normalize_or_zero();
    Vec3::new(along.y as f32, 0.0, -along.x as f32)
}

/// The height at `p` of triangle `abc` of either winding; `None` if `p` is outside, or if the triangle has no
/// area.
#[inline]
pub(crate) fn triangle_height(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> Option<f32> {
    let weights = [side(b, c, p), side(c, a, p), side(a, b, p)];
    // Without an early exit: which weight decides is unpredictable.
    let are = |test: fn(f64) -> bool| test(weights[0]) & test(weights[1]) & test(weights[2]);
    let inside = are(|w| w <= 0.0) | are(|w| w >= 0.0);
    let sum: f64 = weights.iter().sum();
    if !inside || sum == 0.0 {
        return None;
    }
    let height = [a, b, c].iter().zip(weights).map(|(v, w)| f64::from(v.y) * (w / sum)).sum::<f64>();
    Some(height as f32)
}

/// The parameter, 0..=1, of the point of segment `ab` through which the path from `from` to `to` is shortest,
/// seen from above. If both points are on one side of the segment's line, the path reflects off it as light
/// off a mirror.
#[inline]
pub(crate) fn shortest_crossing(a: Vec3, b: Vec3, from: Vec3, to: Vec3) -> f64 {
    let t = shortest_crossing_of_line(flat(a), flat(b), flat(from), flat(to));
    if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 }
}

/// Like [`shortest_crossing`], but on the whole line through `ab`; not finite if the segment has no length.
#[inline]
pub(crate) fn shortest_crossing_of_line(a: DVec2, b: DVec2, from: DVec2, to: DVec2) -> f64 {
    let along = b - a;
    let foot = |p: DVec2| (p - a).dot(along) / along.length_squared();
    let (from_away, to_away) = (along.perp_dot(from - a).abs(), along.perp_dot(to - a).abs());
    let sum = from_away + to_away;
    if sum > 0.0 { (foot(from) * to_away + foot(to) * from_away) / sum } else { foot(from) }
}

/// The parameter, 0..=1, of the point of segment `ab` where the line from `from` to `to` crosses it; the
/// nearest end if it misses the segment, and the point nearest to `from` if the segment is parallel to the
/// line.
#[inline]
pub(crate) fn line_crossing(a: Vec3, b: Vec3, from: Vec3, to: Vec3) -> f64 {
    flat_line_crossing(flat(a), flat(b), flat(from), flat(to))
}

/// [`line_crossing`] for points in the plane.
#[inline]
pub(crate) fn flat_line_crossing(a: DVec2, b: DVec2, from: DVec2, to: DVec2) -> f64 {
    let direction = to - from;
    let (of_a, of_b) = (direction.perp_dot(a - from), direction.perp_dot(b - from));
    let t = of_a / (of_a - of_b);
    let t = if t.is_finite() { t } else { (from - a).dot(b - a) / (b - a).length_squared() };
    if t >= 0.0 { t.min(1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(x: f32, z: f32) -> Vec3 {
        Vec3::new(x, 0.0, z)
    }

    #[test]
    fn left_is_negative_as_in_the_predicates() {
        assert!(side(at(0.0, 0.0), at(4.0, 0.0), at(2.0, -1.0)) < 0.0);
        assert!(side(at(4.0, 0.0), at(0.0, 0.0), at(2.0, -1.0)) > 0.0);
    }

    #[test]
    fn heights_are_those_of_the_plane() {
        let (a, b, c) = (Vec3::new(0.0, 1.0, 0.0), Vec3::new(4.0, 5.0, 0.0), Vec3::new(0.0, 1.0, 4.0));
        assert_eq!(triangle_height(a, b, c, at(1.0, 1.0)), Some(2.0));
        assert_eq!(triangle_height(c, b, a, at(1.0, 1.0)), Some(2.0));
        assert_eq!(triangle_height(a, b, c, at(3.0, 3.0)), None);
        assert_eq!(triangle_height(a, a, a, at(0.0, 0.0)), None);
    }

    proptest! {
        #[test]
        fn an_edge_has_two_exact_sides(v in prop::array::uniform6(-1e4f32..1e4)) {
            let (a, b, p) = (at(v[0], v[1]), at(v[2], v[3]), at(v[4], v[5]));
            prop_assert_eq!(side(a, b, p), -side(b, a, p));
        }

        #[test]
        fn no_crossing_is_shorter(v in prop::array::uniform8(-10f32..10.0), t in 0.0..1.0f64) {
            let (a, b, from, to) = (at(v[0], v[1]), at(v[2], v[3]), at(v[4], v[5]), at(v[6], v[7]));
            let length = |t: f64| {
                let q = flat(a) + (flat(b) - flat(a)) * t;
                q.distance(flat(from)) + q.distance(flat(to))
            };
            prop_assert!(length(shortest_crossing(a, b, from, to)) <= length(t) + 1e-9);
        }
    }
}
