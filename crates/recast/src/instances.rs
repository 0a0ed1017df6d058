//! Instanced meshes: meshes that are placed in the world once or many times, without a copy for each
//! placement.

use navtile::area::AreaId;
use std::sync::Arc;

/// An affine map of points: three rows of four, applied to (x, y, z, 1). Computed in f64, term by term from
/// the left, so that the same mesh at the same place gives the same floats on every machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform(pub [[f64; 4]; 3]);

/// A mesh and its placements.
#[derive(Clone, Debug, PartialEq)]
pub struct InstancedMesh {
    /// Vertices, in the mesh's own space.
    pub vertices: Arc<[[f64; 3]]>,
    /// Triangles as indices of vertices. Counter-clockwise seen from above, once placed, is walkable.
    pub triangles: Arc<[[u32; 3]]>,
    /// The area that each triangle gets if it is flat enough; empty for [`AreaId::GROUND`] everywhere.
    pub areas: Arc<[AreaId]>,
    /// Its placements: maps from the mesh's space to world metres, right-handed, Y up. If empty, the mesh is
    /// not in the level.
    pub placements: Vec<Transform>,
}

impl Transform {
    /// The identity.
    pub const IDENTITY: Transform =
        Transform([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

    /// Turned about the vertical by `yaw` degrees, from the x axis towards the z axis, then moved to `at`.
    pub fn turned(yaw: f64, at: [f64; 3]) -> Transform {
        let angle = yaw.to_radians();
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        Transform([[cos, 0.0, -sin, at[0]], [0.0, 1.0, 0.0, at[1]], [sin, 0.0, cos, at[2]]])
    }

    /// Maps a point.
    #[inline]
    pub fn apply(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.0.map(|[a, b, c, d]| a * x + b * y + c * z + d)
    }

    /// This map applied after `first`.
    #[must_use]
    pub fn after(&self, first: &Transform) -> Transform {
        let [r0, r1, r2] = first.0;
        Transform(self.0.map(|[a, b, c, d]| {
            std::array::from_fn(|column| {
                let last = if column == 3 { d } else { 0.0 };
                a * r0[column] + b * r1[column] + c * r2[column] + last
            })
        }))
    }

    /// Returns true if the map is a reflection: it turns triangles over, so their winding must be reversed.
    pub fn mirrors(&self) -> bool {
        let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = self.0;
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_follow_each_other() {
        let turn = Transform([[0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0]]);
        let shift = Transform([[1.0, 0.0, 0.0, 5.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 7.0]]);
        let point = [1.0, 2.0, 3.0];
        assert_eq!(shift.after(&turn).apply(point), shift.apply(turn.apply(point)));
        assert_eq!(turn.after(&shift).apply(point), turn.apply(shift.apply(point)));
        assert!(!shift.after(&turn).mirrors());
        assert!(Transform([[-1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]).mirrors());
    }
}
