//! The nearest wall within a radius, as seen from above.
//!
//! Polygons are looked into by how near one must pass to enter them: the largest distance of an opening on the
//! way from the centre. The search ends when the nearest wall is nearer than the next opening. So other floors
//! never count: as long as no wall was met, all that was entered hangs together within the circle without walls
//! around the centre, and straight ways lead there. Cost: O(n log n) in the polygons nearer than the wall, at
//! most as many as the query has nodes.
//! Semantics: those of M. Mononen's Detour (`findDistanceToWall`), with four differences. Openings at seams are
//! judged by the part that is open, not by the first link; polygons are taken by distance, not by the length of
//! the way there, which let walls of other floors count; that there is no wall is told; and on a wall the normal
//! is the wall's.

use super::Query;
use super::find_path::Place;
use super::nodes::{NO_NODE, Node};
use super::outline::OutlineSegment;
use super::rules::{Asked, Plain, Rules};
use crate::error::{QueryError, check_position, check_radius};
use crate::filter::CostModel;
use crate::geometry::{inward_normal, length, lerp, nearest_on_segment, unit_or_zero};
use crate::mesh::NavMesh;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::ops::ControlFlow;

/// A wall near a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearWall {
    /// How far it is as seen from above, metres.
    pub distance: f32,
    /// Its nearest point, metres from the anchor.
    pub point: Vec3,
    /// Horizontal unit vector from that point to the position; the wall's own normal if they are one.
    pub normal: Vec3,
    /// The polygon that the wall bounds.
    pub polygon: PolyRef,
    /// The edge of that polygon.
    pub edge: u8,
}

impl NearWall {
    fn new(polygon: PolyRef, wall: &OutlineSegment, centre: Vec3, point: Vec3) -> NearWall {
        let away = (centre - point).with_y(0.0);
        let apart = unit_or_zero(away);
        let normal = if apart == Vec3::ZERO { inward_normal(wall.from, wall.to) } else { apart };
        NearWall { distance: length(away), point, normal, polygon, edge: wall.edge }
    }
}

impl Query {
    /// The wall nearest to `start` within `radius` metres (0 or more); `None` if there is none. Where walls are
    /// equally near, the one that is found first.
    ///
    /// [`QueryError::OutOfNodes`] if polygons that may hold the nearest wall were left out.
    pub fn wall_distance(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        radius: f32,
        filter: &impl CostModel,
    ) -> Result<Option<NearWall>, QueryError> {
        check_position("centre", start.point)?;
        check_radius(radius)?;
        mesh.locate(start.polygon)?;
        match Plain::of(filter) {
            Some(plain) => self.wall_distance_by(mesh, start, radius, &plain),
            None => self.wall_distance_by(mesh, start, radius, &Asked(filter)),
        }
    }

    fn wall_distance_by(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        radius: f32,
        rules: &impl Rules,
    ) -> Result<Option<NearWall>, QueryError> {
        let limit = self.max_nodes().get();
        let centre = start.point;
        let Query { nodes, open, outline, .. } = self;
        nodes.clear();
        open.clear();
        let node = |polygon, parent, cost| Node::reached(polygon, Vec3::ZERO, parent, cost);
        let mut first = nodes.insert(node(start.polygon, NO_NODE, 0.0));
        // Squared distances, as all that follow.
        let mut nearest = f64::from(radius) * f64::from(radius);
        let mut left_out = f64::INFINITY;
        let mut wall: Option<NearWall> = None;
        while let Some(number) = first.take().or_else(|| open.pop()) {
            if std::mem::replace(&mut nodes.get_mut(number).closed, true) {
                continue;
            }
            let Node { polygon, parent, cost: way, .. } = *nodes.get(number);
            if way > nearest {
                break;
            }
            let came_from = nodes.came_from(parent);
            let flow = mesh.locate(polygon)?.visit_outline(mesh, rules, outline, |segment| {
                // Settled long since.
                if segment.beyond.is_some_and(|beyond| came_from.is(beyond)) {
                    return ControlFlow::Continue(());
                }
                let (t, away) = nearest_on_segment(segment.from, segment.to, centre);
                let Some(beyond) = segment.beyond else {
                    let nearer = away < nearest || (wall.is_none() && away <= nearest);
                    if nearer {
                        nearest = away;
                        wall =
                            Some(NearWall::new(polygon, &segment, centre, lerp(segment.from, segment.to, t)));
                    }
                    return ControlFlow::Continue(());
                };
                let way = way.max(away);
                if way > nearest {
                    return ControlFlow::Continue(());
                }
                let known = nodes.find_on(beyond, 0);
                if let Ok(known) = known {
                    let known = nodes.get_mut(known);
                    if known.closed || known.cost <= way {
                        return ControlFlow::Continue(());
                    }
                    known.cost = way;
                }
                match known.or_else(|vacancy| nodes.insert_at(vacancy, node(beyond, number, way)).ok_or(())) {
                    Ok(found) => open.push(found, way, 0.0),
                    Err(()) => left_out = left_out.min(way),
                }
                ControlFlow::Continue(())
            });
            debug_assert!(flow.is_continue());
        }
        if left_out < nearest {
            return Err(QueryError::OutOfNodes { limit });
        }
        Ok(wall)
    }
}
