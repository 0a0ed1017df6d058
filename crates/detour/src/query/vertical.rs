//! The ground straight below or above a position.
//! Cost: a box search of the BV trees in a column, then the surface of every polygon met.
//! Source: our own; Detour has no such query, and its nearest polygon may be to the side.

use super::Query;
use super::box_search::polygons_in_box;
use crate::error::{QueryError, check_position, check_radius};
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::place::Place;
use glam::Vec3;
use navmath::order::TotalF32;

impl Query {
    /// The highest ground straight below `position`, or at its height, that passes the filter and is at most
    /// `reach` metres away; `None` if there is no such ground. Among equally high polygons the smaller
    /// reference wins.
    pub fn below(
        &mut self,
        mesh: &NavMesh,
        position: Vec3,
        reach: f32,
        filter: &impl CostModel,
    ) -> Result<Option<Place>, QueryError> {
        self.vertical(mesh, position, reach, -1.0, filter)
    }

    /// The lowest ground straight above `position`, or at its height; otherwise like [`Query::below`].
    pub fn above(
        &mut self,
        mesh: &NavMesh,
        position: Vec3,
        reach: f32,
        filter: &impl CostModel,
    ) -> Result<Option<Place>, QueryError> {
        self.vertical(mesh, position, reach, 1.0, filter)
    }

    fn vertical(
        &mut self,
        mesh: &NavMesh,
        position: Vec3,
        reach: f32,
        up: f32,
        filter: &impl CostModel,
    ) -> Result<Option<Place>, QueryError> {
        check_position("vertical", position)?;
        check_radius(reach)?;
        let end = position.with_y(position.y + up * reach);
        let mut best: Option<(TotalF32, Place)> = None;
        polygons_in_box(mesh, &mut self.stack, position.min(end), position.max(end), |poly| {
            if !filter.passes(&poly.attributes()) || !poly.is_over(position) {
                return;
            }
            let point = position.with_y(poly.surface_height(position));
            let away = (point.y - position.y) * up;
            let rank = (TotalF32(away), poly.reference);
            let nearer = best.as_ref().is_none_or(|(known, place)| rank < (*known, place.polygon));
            if (0.0..=reach).contains(&away) && nearer {
                best = Some((rank.0, Place { polygon: poly.reference, point }));
            }
        });
        Ok(best.map(|(_, place)| place))
    }
}
