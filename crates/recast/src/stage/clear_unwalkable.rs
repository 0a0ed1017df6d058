//! Clear unwalkable triangles: the area of each triangle -> the same, null where it is too steep.
//! Units: degrees. Cost: O(triangles).
//! Source: M. Mononen, Recast (Recast.cpp, rcClearUnwalkableTriangles). Deviations: as in
//! [`mark_walkable`]; a list of areas of another length is an error.
//!
//! Stands in for stage 1 where areas come from elsewhere: it takes areas away and gives none.

use super::mark_walkable::{self, Params};
use crate::area::AreaId;
use crate::error::{Error, LevelError};
use crate::input::{PreparedLevel, canonical_corners};

/// Sets the area of every triangle that is too steep to null. `areas` holds one area a triangle of the prepared
/// level; another number of areas is an error, and nothing is changed.
pub fn run(level: &PreparedLevel, areas: &mut [AreaId], params: &Params) -> Result<(), Error> {
    if areas.len() != level.triangle_count() {
        let (areas, triangles) = (areas.len(), level.triangle_count());
        return Err(LevelError::AreaCount { areas, triangles }.into());
    }
    let least_up = libm::cosf(params.walkable_slope.to_radians());
    for (index, area) in areas.iter_mut().enumerate() {
        let walkable = mark_walkable::up(canonical_corners(level.corners(index))) > least_up;
        if !walkable {
            *area = AreaId::NULL;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Settings};
    use proptest::prelude::*;

    const PARAMS: Params = Params { walkable_slope: 45.0 };

    /// Strips 1 m wide that rise by the metres given.
    fn strips(rises: &[f64]) -> PreparedLevel {
        let mut level = Level::default();
        for (index, &rise) in rises.iter().enumerate() {
            let first = level.vertices.len() as u32;
            let x = 2.0 * index as f64;
            level.vertices.extend([[x, 0.0, 0.0], [x, 0.0, 4.0], [x + 1.0, rise, 0.0]]);
            level.triangles.push([first, first + 1, first + 2]);
        }
        PreparedLevel::new(&level, &Settings::default()).unwrap()
    }

    #[test]
    fn steep_triangles_lose_their_area_and_flat_ones_keep_it() {
        let level = strips(&[0.0, 0.99, 1.01, 30.0]);
        let mut areas = [AreaId(7), AreaId::NULL, AreaId(9), AreaId(3)];
        run(&level, &mut areas, &PARAMS).unwrap();
        assert_eq!(areas, [AreaId(7), AreaId::NULL, AreaId::NULL, AreaId::NULL]);
    }

    #[test]
    fn another_number_of_areas_is_an_error() {
        let mut areas = [AreaId(7); 3];
        let error = run(&strips(&[0.0, 9.0]), &mut areas, &PARAMS).unwrap_err();
        assert_eq!(error.to_string(), "3 triangle areas for 2 triangles: give one a triangle, or none");
        assert_eq!(areas, [AreaId(7); 3]);
    }

    proptest! {
        #[test]
        fn clearing_what_all_ask_for_is_marking(
            rises in prop::collection::vec(-3.0..3.0f64, 1..9),
            walkable_slope in 0.0..89.0f32,
        ) {
            let (level, params) = (strips(&rises), Params { walkable_slope });
            let mut areas: Vec<_> = (0..level.triangle_count()).map(|triangle| level.area(triangle)).collect();
            run(&level, &mut areas, &params).unwrap();
            prop_assert_eq!(areas, mark_walkable::run(&level, &params));
        }
    }
}
