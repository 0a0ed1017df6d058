//! Stage 1, mark walkable triangles: triangles -> the area of each.
//! Units: degrees. Cost: O(triangles). Figure: docs/figures/01-mark-walkable.svg.
//! Source: M. Mononen, Recast (Recast.cpp, rcMarkWalkableTriangles). Deviations: the normal is taken from the
//! triangle's smallest corner, so that it does not depend on how the level numbers its corners.

use super::Context;
use crate::area::AreaId;
use crate::error::Error;
use crate::input::PreparedLevel;
use crate::settings::Config;
use crate::source::Source;
use crate::triangle_sum::canonical_corners;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Steepest slope that can be walked, degrees, 0..90. Default 45: what most characters can be animated on.
    pub walkable_slope: f32,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { walkable_slope: config.walkable_slope }
    }
}

/// The area of each triangle of the source: the one it asks for if it is flat enough, else null.
pub fn run(source: Source<'_>, params: &Params, _: &mut Context) -> Result<Vec<AreaId>, Error> {
    let least_up = libm::cosf(params.walkable_slope.to_radians());
    Ok((0..source.len()).map(|index| mark(source.level, source.id(index), least_up)).collect())
}

fn mark(level: &PreparedLevel, triangle: usize, least_up: f32) -> AreaId {
    let walkable = up(canonical_corners(level.corners(triangle))) > least_up;
    if walkable { level.area(triangle) } else { AreaId::NULL }
}

/// How far the unit normal of a triangle points up: 1 for a floor, 0 for a wall, -1 for a ceiling.
pub(crate) fn up([a, b, c]: [[f32; 3]; 3]) -> f32 {
    let sub = |p: [f32; 3], q: [f32; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let (u, v) = (sub(b, a), sub(c, a));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let squared = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    normal[1] * (1.0 / squared.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Settings};

    /// A strip that rises `rise` over 1 m.
    fn slope(rise: f64) -> AreaId {
        let level = Level {
            vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [1.0, rise, 0.0]],
            triangles: vec![[0, 1, 2]],
            areas: vec![AreaId(9)],
        };
        let prepared = PreparedLevel::new(&level, &Settings::default()).unwrap();
        run(Source::all(&prepared), &Params { walkable_slope: 45.0 }, &mut Context::new()).unwrap()[0]
    }

    #[test]
    fn flat_enough_keeps_its_area() {
        assert_eq!(slope(0.0), AreaId(9));
        assert_eq!(slope(0.99), AreaId(9));
        assert_eq!(slope(1.01), AreaId::NULL);
    }

    #[test]
    fn a_ceiling_is_not_walkable() {
        assert!(up([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]) < 0.0);
        assert_eq!(up([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]), 1.0);
    }
}
