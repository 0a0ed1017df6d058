//! The ends of a search over the ground: a start or a goal on a polygon, or the ends of the off-mesh link
//! that it is on.

use super::graph::{GroundGraph, rate_of};
use super::moves::Moves;
use super::search::GroundEnd;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::{LinkEdges, NavMesh, exit_point};
use crate::place::Place;

impl GroundGraph {
    /// The place of a start or a goal that is on a polygon.
    fn on_ground(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        place: Place,
    ) -> Result<Option<GroundEnd>, QueryError> {
        let number = self.load(mesh, filter, place.polygon)?;
        let poly = mesh.locate(place.polygon)?;
        let at = poly.on_surface(poly.kept_inside(place.point));
        let end = |face| GroundEnd { face, point: at.as_dvec3(), extra: 0.0 };
        Ok(self.face_at(number, at).map(end))
    }

    /// Lists the places where paths from a start begin on the ground.
    pub(super) fn list_seeds(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        moves: &Moves,
        start: Place,
        seeds: &mut Vec<GroundEnd>,
    ) -> Result<(), QueryError> {
        seeds.clear();
        let poly = mesh.locate_node(start.polygon)?;
        if !poly.is_off_mesh() {
            seeds.extend(self.on_ground(mesh, filter, start)?);
            return Ok(());
        }
        let rate = rate_of(filter, poly.attributes());
        let mut exits = Vec::new();
        poly.visit_off_mesh_steps(|step| {
            exits.push(Place {
                polygon: step.to,
                point: exit_point(&poly, [step.left, step.right], start.point),
            });
        });
        for exit in exits {
            if rate.is_finite() && filter.passes(&mesh.attributes(exit.polygon)?) {
                let extra = moves.cost_over(start.point.as_dvec3(), exit.point.as_dvec3(), rate);
                let end = self.on_ground(mesh, filter, exit)?;
                seeds.extend(end.map(|end| GroundEnd { extra, ..end }));
            }
        }
        Ok(())
    }

    /// Lists the places where paths to a goal leave the ground.
    pub(super) fn list_targets(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        moves: &Moves,
        goal: Place,
        targets: &mut Vec<GroundEnd>,
    ) -> Result<(), QueryError> {
        targets.clear();
        let poly = mesh.locate_node(goal.polygon)?;
        if !poly.is_off_mesh() {
            targets.extend(self.on_ground(mesh, filter, goal)?);
            return Ok(());
        }
        let (rate, Some(crossing)) = (rate_of(filter, poly.attributes()), poly.off_mesh_crossing()) else {
            return Ok(());
        };
        if !(rate.is_finite() && filter.passes(&poly.attributes())) {
            return Ok(());
        }
        let both_ways = poly.off_mesh_record().is_some_and(|(_, record)| record.direction != 0);
        for crossing in [Some(crossing), both_ways.then(|| crossing.reversed())].into_iter().flatten() {
            let [entry, _] = LinkEdges::new(&crossing).crossing_near(goal.point);
            let extra = moves.cost_over(entry.as_dvec3(), goal.point.as_dvec3(), rate);
            let end =
                self.on_ground(mesh, filter, Place { polygon: crossing.start.polygon, point: entry })?;
            targets.extend(end.map(|end| GroundEnd { extra, ..end }));
        }
        Ok(())
    }
}
