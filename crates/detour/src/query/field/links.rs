//! Off-mesh links, backwards: if a field reaches the end of a link, the start of the link becomes a root. A
//! link between edges counts as several links between points along them.

use super::memory::{FieldArrival, FieldMemory, FieldPolygon, FieldRoot, LEAST};
use super::search::{ARRIVAL, FieldSearch};
use crate::error::QueryError;
use crate::filter::{CostModel, Step, cost_of};
use crate::geometry::flat;
use crate::mesh::{LinkEdges, NavMesh, Poly};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use crate::query::nodes::NO_NODE;
use crate::query::straight_path::CornerKind;
use glam::DVec2;

/// Relative cost below which a path from a link's end counts as cheaper.
const CHEAPER: f64 = 1.0 - 1e-12;

/// Largest distance between the points where a link between edges is crossed, metres, and the largest number
/// of parts.
const APART: f64 = 0.5;
const MOST_PARTS: f64 = 32.0;

/// The cost of an off-mesh link from one place to another; `None` if it must not be entered.
pub(super) fn cost_over(
    mesh: &NavMesh,
    filter: &impl CostModel,
    is_uniform: bool,
    (link, start, end): (PolyRef, Place, Place),
) -> Option<f64> {
    let polygon = mesh.locate_node(link).ok()?.attributes();
    let next = Some(mesh.locate(end.polygon).ok()?.attributes());
    match (filter.passes(&polygon), is_uniform) {
        (false, _) => None,
        (true, true) => Some(start.point.as_dvec3().distance(end.point.as_dvec3())),
        (true, false) => cost_of(filter, &Step { from: start.point, to: end.point, polygon, next }),
    }
}

impl<C: CostModel> FieldSearch<'_, C> {
    /// Lists the off-mesh links that end on a polygon.
    pub(super) fn find_arrivals(&mut self, poly: &Poly<'_>) {
        let (mesh, filter) = (self.mesh, self.filter);
        for (link, crossing) in poly.off_mesh_onto(mesh) {
            let (from, to) = (crossing.start.polygon, crossing.end.polygon);
            // A polygon is convex, so the path through it is at most as long.
            if from == to {
                continue;
            }
            let edges = LinkEdges::new(&crossing);
            let length = f64::from(edges.entry[0].distance(edges.entry[1]));
            let parts = (length / APART).ceil().clamp(0.0, MOST_PARTS);
            for part in 0..=parts as u32 {
                let share = if parts > 0.0 { f64::from(part) / parts } else { 0.0 };
                let start = Place { polygon: from, point: edges.entry_at(share) };
                let end = Place { polygon: to, point: edges.exit_at(share) };
                let over = cost_over(mesh, filter, self.is_uniform, (link, start, end));
                let arrival = FieldArrival { link, start, end, over, cost: f64::INFINITY, next: NO_NODE };
                self.memory.arrivals.push(arrival);
            }
        }
    }

    /// Puts the links that end on a polygon on the open list, if the path from their end is the cheapest so
    /// far. `way` returns its cost and its next root.
    pub(super) fn take_links(&mut self, polygon: u32, way: impl Fn(&FieldMemory, DVec2) -> (f64, u32)) {
        let FieldPolygon { first_arrival, arrival_count, .. } = *self.memory.polygons.get(polygon);
        for number in first_arrival..first_arrival + arrival_count {
            let FieldArrival { end, over, cost: known, .. } = self.memory.arrivals[number as usize];
            let Some(over) = over else { continue };
            let (cost, next) = way(self.memory, flat(end.point));
            if cost < known * CHEAPER && cost + over <= self.limits.cost {
                let arrival = &mut self.memory.arrivals[number as usize];
                (arrival.cost, arrival.next) = (cost, next);
                self.open.push(number | ARRIVAL, cost + over, 0.0);
            }
        }
    }

    /// Looks around from the start of a link, if the path over it is the cheapest from there.
    pub(super) fn leave_link(&mut self, number: u32) -> Result<(), QueryError> {
        let FieldArrival { start, over, cost, next, .. } = self.memory.arrivals[number as usize];
        let point = flat(start.point);
        let cost = cost + over.unwrap_or(f64::INFINITY);
        let start_polygon = self.reach(start.polygon)?;
        let known = self.memory.onward(start_polygon, point);
        if known.is_some_and(|known| cost >= known.cost * CHEAPER - LEAST) {
            return Ok(());
        }
        let kind = CornerKind::LinkStart;
        self.add_source(
            start.polygon,
            FieldRoot { point, at: start.point, cost, next, kind, arrival: number },
        )
    }
}
