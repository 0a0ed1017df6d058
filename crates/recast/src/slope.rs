//! Slopes of triangles, and which of them are walkable. Source: M. Mononen, Recast (Recast.cpp,
//! rcMarkWalkableTriangles).

use crate::triangle_sum::canonical_corners;

/// A slope may be steeper than the limit by this, degrees. Ramps of exactly the limit are common, and the
/// corners of their triangles are rounded: without a tolerance some of these triangles would be walkable and
/// others not.
pub const SLOPE_TOLERANCE: f64 = 0.01;

/// The steepest slope that is walkable.
pub struct SlopeLimit {
    /// Rise over run.
    steepest: f64,
}

impl SlopeLimit {
    /// From the steepest slope that the settings allow, degrees.
    pub fn new(walkable_slope: f32) -> SlopeLimit {
        let degrees = (f64::from(walkable_slope) + SLOPE_TOLERANCE).min(90.0);
        SlopeLimit { steepest: libm::tan(degrees.to_radians()) }
    }

    /// Returns true if a triangle faces up and is flat enough.
    pub fn allows(&self, corners: [[f32; 3]; 3]) -> bool {
        let [x, y, z] = normal(canonical_corners(corners));
        y > 0.0 && (x * x + z * z).sqrt() <= self.steepest * y
    }
}

/// The normal of a triangle, as long as twice its area.
fn normal(corners: [[f32; 3]; 3]) -> [f64; 3] {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let sub = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let (u, v) = (sub(b, a), sub(c, a));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// The vertical part of the unit normal of a triangle: 1 for a floor, 0 for a wall, -1 for a ceiling.
pub fn up(corners: [[f32; 3]; 3]) -> f64 {
    let [x, y, z] = normal(corners);
    y / (x * x + y * y + z * z).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_of_the_setting_are_meant_as_they_are() {
        let floor = [[0.0, 1.0, 0.0], [0.0, 1.0, 9.0], [9.0, 1.0, 0.0]];
        let wall = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [0.0, 9.0, 0.0]];
        assert!(SlopeLimit::new(0.0).allows(floor));
        assert!(!SlopeLimit::new(89.999).allows(wall));
    }

    #[test]
    fn a_ceiling_is_not_walkable() {
        assert!(up([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]) < 0.0);
        assert_eq!(up([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]), 1.0);
    }
}
