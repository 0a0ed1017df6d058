//! The nearest wall within a radius, as seen from above.
//!
//! Polygons are searched in the order of the radius needed to enter them: the largest distance of a portal on
//! the path from the centre. The search ends when the nearest wall is nearer than the next portal. So other
//! floors never count: as long as no wall was met, all entered polygons are connected within the circle,
//! without walls around the centre, and can be reached in straight lines. Cost: O(n log n) in the polygons
//! nearer than the wall, bounded by the query's nodes.
//! Semantics: those of M. Mononen's Detour (`findDistanceToWall`), with four differences. Portals at seams
//! are judged by the part that is open, not by the first link; polygons are ordered by distance, not by the
//! length of the path to them, which let walls of other floors count; the absence of a wall is reported; and
//! for a position on a wall the normal is the wall's.

use super::Query;
use super::nodes::{NO_NODE, Node};
use super::outline::OutlineSegment;
use super::rules::{FilterRules, Rules, UniformRules};
use crate::error::{QueryError, check_position, check_radius};
use crate::filter::CostModel;
use crate::geometry::{inward_normal, lerp, nearest_on_segment};
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// A wall near a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearWall {
    /// Its distance as seen from above, metres.
    pub distance: f32,
    /// Its nearest point, metres from the anchor.
    pub point: Vec3,
    /// Horizontal unit vector from that point to the position; the wall's own normal if they coincide.
    pub normal: Vec3,
    /// The polygon that the wall bounds.
    pub polygon: PolyRef,
    /// The edge of that polygon.
    pub edge: u8,
}

impl NearWall {
    fn new(polygon: PolyRef, wall: &OutlineSegment, centre: Vec3, point: Vec3) -> NearWall {
        let away = (centre - point).with_y(0.0);
        let apart = away.normalize_or_zero();
        let normal = if apart == Vec3::ZERO { inward_normal(wall.from, wall.to) } else { apart };
        NearWall { distance: away.length(), point, normal, polygon, edge: wall.edge }
    }
}

impl Query {
    /// The wall nearest to `start` within `radius` metres (0 or more); `None` without a wall. Among equally
    /// near walls the first found wins.
    ///
    /// Returns [`QueryError::OutOfNodes`] if the search left out polygons that may have the nearest wall.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// # let (mut query, filter) = (detour::Query::new(), detour::Filter::default());
    /// # let box_size = detour::Vec3::new(1.0, 2.0, 1.0);
    /// # let start = query.nearest(&mesh, detour::Vec3::new(2.0, 0.0, 2.0), box_size, &filter)?.place();
    /// if let Some(wall) = query.wall_distance(&mesh, start, 5.0, &filter)? {
    ///     println!("{} m to the wall of polygon {}", wall.distance, wall.polygon);
    ///     assert!(wall.distance <= 5.0);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        match UniformRules::of(mesh, filter) {
            Some(rules) => self.wall_distance_by(mesh, start, radius, &rules),
            None => self.wall_distance_by(mesh, start, radius, &FilterRules(filter)),
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
        // Distances are squared from here on.
        let mut nearest = f64::from(radius) * f64::from(radius);
        let mut left_out = f64::INFINITY;
        let mut wall: Option<NearWall> = None;
        while let Some(number) = first.take().or_else(|| open.pop()) {
            if std::mem::replace(&mut nodes.get_mut(number).closed, true) {
                continue;
            }
            let Node { polygon, parent, cost: reach, .. } = *nodes.get(number);
            if reach > nearest {
                break;
            }
            let came_from = nodes.came_from(parent);
            mesh.locate(polygon)?.visit_outline(mesh, rules, outline, |segment| {
                // The polygon before this one on the path is settled.
                if segment.beyond.is_some_and(|beyond| came_from.is(beyond)) {
                    return;
                }
                let (t, away) = nearest_on_segment(segment.from, segment.to, centre);
                let Some(beyond) = segment.beyond else {
                    if away < nearest || (wall.is_none() && away <= nearest) {
                        nearest = away;
                        let point = lerp(segment.from, segment.to, t);
                        wall = Some(NearWall::new(polygon, &segment, centre, point));
                    }
                    return;
                };
                let reach = reach.max(away);
                if reach > nearest {
                    return;
                }
                let known = nodes.find_first(beyond);
                if known.is_ok_and(|known| nodes.get(known).closed || nodes.get(known).cost <= reach) {
                    return;
                }
                match nodes.put(known, node(beyond, number, reach)) {
                    Some(found) => open.push(found, reach, 0.0),
                    None => left_out = left_out.min(reach),
                }
            });
        }
        if left_out < nearest {
            return Err(QueryError::OutOfNodes { limit });
        }
        Ok(wall)
    }
}
