//! Stage 1, mark walkable triangles: triangles -> the area of each.
//! Units: degrees. Cost: O(triangles). Figure: docs/figures/01-mark-walkable.svg.
//! Source: M. Mononen, Recast (Recast.cpp, rcMarkWalkableTriangles). Deviations: the normal is taken from the
//! triangle's smallest corner, so that it does not depend on how the level numbers its corners; and a slope
//! that is steeper than the limit by no more than a hundredth of a degree counts as within it.

use super::Context;
use crate::error::Error;
use crate::settings::Config;
use crate::slope::SlopeLimit;
use crate::source::Source;
use navtile::area::AreaId;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Steepest slope that can be walked, degrees, 0..90. Default 45: what most characters can be animated
    /// on.
    pub walkable_slope: f32,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { walkable_slope: config.walkable_slope }
    }
}

/// The area of each triangle of the source: the area that it asks for if it is flat enough, else null.
pub fn run(source: Source<'_>, params: &Params, _: &mut Context) -> Result<Vec<AreaId>, Error> {
    let limit = SlopeLimit::new(params.walkable_slope);
    let mark = |triangle: usize| {
        let walkable = limit.allows(source.level.corners(triangle));
        if walkable { source.level.area(triangle) } else { AreaId::NULL }
    };
    Ok((0..source.len()).map(|index| mark(source.id(index))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, PreparedLevel, Settings};

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
    fn coplanar_triangles_at_the_limit_are_all_walkable() {
        // A ramp of each slope, cut into triangles whose corners have six digits, as a modelling program
        // writes them.
        for degrees in [1.0f64, 10.0, 30.0, 45.0, 60.0, 75.0] {
            let at = |index: i32, beside: i32| {
                let run = f64::from(index) * 0.731;
                let corner = [run, run * libm::tan(degrees.to_radians()), f64::from(beside) * 0.917];
                corner.map(|value| (value * 1e6).round() / 1e6)
            };
            let vertices = (0..20).flat_map(|index| [at(index, 0), at(index, 1), at(index, 2)]).collect();
            let squares = (0..19).flat_map(|index| [3 * index, 3 * index + 1]);
            let triangles = squares.flat_map(|a: u32| [[a, a + 1, a + 4], [a, a + 4, a + 3]]).collect();
            let level = Level { vertices, triangles, areas: Vec::new() };
            let prepared = PreparedLevel::new(&level, &Settings::default()).unwrap();
            let walkable = |walkable_slope: f64| {
                let params = Params { walkable_slope: walkable_slope as f32 };
                let areas = run(Source::all(&prepared), &params, &mut Context::new()).unwrap();
                areas.iter().filter(|area| area.is_walkable()).count()
            };
            let counts = [degrees, degrees + 0.1, degrees - 0.02].map(walkable);
            assert_eq!(counts, [76, 76, 0], "{degrees} degrees");
        }
    }
}
