//! The point of a polygon's surface that is closest to a position in space, on the whole surface or on its
//! part in a box.
//! Cost: linear in the polygon's detail triangles.
//! Source: I. Sutherland, G. Hodgman, Reentrant polygon clipping (1974), with the six sides of the box.

use crate::mesh::Poly;
use glam::{DVec3, Vec3};

/// Scratch memory for cutting a triangle to a box. Rounding aside, at most nine corners are left of a
/// triangle.
#[derive(Debug, Default)]
pub(super) struct BoxClip {
    corners: Vec<DVec3>,
    cut: Vec<DVec3>,
}

impl BoxClip {
    /// The point of a triangle that is closest to the origin, within the box of these half extents around the
    /// origin.
    ///
    /// For the part in the box, it is the foot of the perpendicular, or a point of the outline. The foot is
    /// computed in the whole triangle, as cutting may leave very short edges.
    fn closest(&mut self, triangle: [DVec3; 3], half: DVec3) -> Option<DVec3> {
        let [a, b, c] = triangle;
        // Most triangles of a large polygon are completely beyond one side.
        if a.min(b).min(c).cmpgt(half).any() || a.max(b).max(c).cmplt(-half).any() {
            return None;
        }
        if let Some(foot) = foot(triangle).filter(|foot| foot.abs().cmple(half).all()) {
            return Some(foot);
        }
        self.cut(triangle, half);
        closest_on_edges(&self.corners)
    }

    /// Cuts a triangle to the box.
    fn cut(&mut self, triangle: [DVec3; 3], half: DVec3) {
        self.corners.clear();
        self.corners.extend(triangle);
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                self.cut_side(axis, sign, half[axis]);
            }
        }
    }

    /// Cuts off the part beyond one side of the box.
    fn cut_side(&mut self, axis: usize, sign: f64, half: f64) {
        self.cut.clear();
        let beyond = |corner: &DVec3| corner[axis] * sign - half;
        for (number, to) in self.corners.iter().enumerate() {
            // For the first corner this wraps around to the last.
            let from = self.corners[number.checked_sub(1).unwrap_or(self.corners.len() - 1)];
            let (from_beyond, to_beyond) = (beyond(&from), beyond(to));
            if (from_beyond > 0.0) != (to_beyond > 0.0) {
                let mut crossing = from + (*to - from) * (from_beyond / (from_beyond - to_beyond));
                crossing[axis] = half * sign;
                self.cut.push(crossing);
            }
            if to_beyond <= 0.0 {
                self.cut.push(*to);
            }
        }
        std::mem::swap(&mut self.corners, &mut self.cut);
    }
}

/// The foot of the perpendicular from the origin on a triangle, if it has one.
fn foot([a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    let normal = (b - a).cross(c - a);
    let foot = normal * (normal.dot(a) / normal.length_squared());
    // `None` for a triangle without area, as comparisons with NaN are false.
    let is_inside = |from: DVec3, to: DVec3| (to - from).cross(foot - from).dot(normal) >= 0.0;
    (is_inside(a, b) && is_inside(b, c) && is_inside(c, a)).then_some(foot)
}

/// The point of a polygon's outline that is closest to the origin; `None` if it has no corners. The first one
/// wins a tie.
fn closest_on_edges(corners: &[DVec3]) -> Option<DVec3> {
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    let nearest = edges.map(|(a, b)| {
        let along = *b - *a;
        let t = (-a.dot(along) / along.length_squared()).clamp(0.0, 1.0);
        // An edge without length has no direction.
        if t.is_nan() { *a } else { *a + along * t }
    });
    nearest.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
}

/// The point of a triangle that is closest to the origin.
fn closest_on_triangle(triangle: [DVec3; 3]) -> Option<DVec3> {
    foot(triangle).or_else(|| closest_on_edges(&triangle))
}

/// The closer of the points seen so far, relative to the position. The first one wins a tie.
fn closer(best: Option<DVec3>, next: DVec3) -> Option<DVec3> {
    Some(best.filter(|best| best.length_squared() <= next.length_squared()).unwrap_or(next))
}

impl Poly<'_> {
    /// The point of the surface that is closest to `p` in space.
    pub(super) fn closest_in_space(&self, p: Vec3) -> Vec3 {
        let at = p.as_dvec3();
        let best = self.triangles_around(at).filter_map(closest_on_triangle);
        // Falls back to the outline without triangles. A verified tile always has triangles.
        best.fold(None, closer).map_or_else(|| self.closest_on_outline(p), |best| (at + best).as_vec3())
    }

    /// The point of the surface that is closest to `p` in space, in the box around `p` and at most at a
    /// distance, given squared; `None` if there is no such point.
    #[cold]
    pub(super) fn closest_in_box(
        &self,
        p: Vec3,
        half_extents: Vec3,
        distance_squared: f64,
        clip: &mut BoxClip,
    ) -> Option<Vec3> {
        let (at, half) = (p.as_dvec3(), half_extents.as_dvec3());
        let mut best = None;
        for triangle in self.triangles_around(at) {
            let [a, b, c] = triangle;
            let of_bounds = a.min(b).min(c).max(-a.max(b).max(c)).max(DVec3::ZERO);
            if of_bounds.length_squared() > distance_squared {
                continue;
            }
            if let Some(point) = clip.closest(triangle, half) {
                best = closer(best, point);
            }
        }
        best.map(|best| (at + best).as_vec3())
    }

    /// The detail triangles, relative to a position.
    fn triangles_around(&self, at: DVec3) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        self.detail_triangles().map(move |(corners, _)| corners.map(|corner| corner.as_dvec3() - at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Weights of a point of a triangle on a grid of 60 steps.
    fn samples() -> impl Iterator<Item = [f64; 3]> {
        (0..=60).flat_map(|u| {
            (0..=60 - u).map(move |v| [u, v, 60 - u - v].map(|weight| f64::from(weight) / 60.0))
        })
    }

    fn triangle(v: [f64; 9]) -> [DVec3; 3] {
        [0, 3, 6].map(|first| DVec3::from_slice(&v[first..]))
    }

    #[test]
    fn a_roof_is_cut_to_nine_corners_at_most() {
        let mut clip = BoxClip::default();
        let wide = [DVec3::new(-9.0, -9.0, -0.2), DVec3::new(9.0, -4.0, -3.0), DVec3::new(-1.0, 8.0, 4.0)];
        clip.cut(wide, DVec3::ONE);
        assert!((3..=9).contains(&clip.corners.len()), "{:?}", clip.corners);
        let beyond = wide.map(|corner| corner + DVec3::X * 20.0);
        assert_eq!(clip.closest(beyond, DVec3::ONE), None);
        clip.cut(beyond, DVec3::ONE);
        assert_eq!(clip.corners, []);
    }

    #[test]
    fn segments_and_points_are_polygons_too() {
        let (a, b) = (DVec3::new(1.0, 1.0, 0.0), DVec3::new(1.0, -1.0, 0.0));
        assert_eq!(closest_on_triangle([a, b, a]), Some(DVec3::X));
        assert_eq!(closest_on_triangle([a, a, a]), Some(a));
    }

    proptest! {
        #[test]
        fn no_point_of_a_triangle_is_closer(v in prop::array::uniform9(-4.0..4.0f64)) {
            let triangle = triangle(v);
            let found = closest_on_triangle(triangle).unwrap().length();
            let sampled = samples()
                .map(|weights| (triangle[0] * weights[0] + triangle[1] * weights[1] + triangle[2] * weights[2]).length())
                .fold(f64::INFINITY, f64::min);
            // The grid has a point within one step of the closest.
            prop_assert!(found <= sampled + 1e-9 && sampled <= found + 14.0 / 60.0, "{found} {sampled}");
        }

        #[test]
        fn no_point_in_the_box_is_closer(
            v in prop::array::uniform9(-4.0..4.0f64), half in prop::array::uniform3(0.1..3.0f64),
        ) {
            let (triangle, half) = (triangle(v), DVec3::from(half));
            let mut clip = BoxClip::default();
            let found = clip.closest(triangle, half);
            if let Some(found) = found {
                prop_assert!(found.abs().cmple(half + 1e-9).all());
            }
            let sampled = samples()
                .map(|weights| triangle[0] * weights[0] + triangle[1] * weights[1] + triangle[2] * weights[2])
                .filter(|point| point.abs().cmple(half).all())
                .map(DVec3::length)
                .fold(f64::INFINITY, f64::min);
            prop_assert!(found.map_or(f64::INFINITY, DVec3::length) <= sampled + 1e-9);
        }
    }
}
