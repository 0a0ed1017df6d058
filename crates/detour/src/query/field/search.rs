//! The search: windows in the order of their least cost, each continued over the polygon that it leads into.

use super::envelope::{FieldLimits, FieldView};
use super::memory::{FieldMemory, FieldPolygon, FieldPortal, FieldRoot, FieldSource, FieldWindow, LEAST};
use super::rates::rate_of;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::geometry::flat;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::poly_ref::PolyRef;
use crate::query::nodes::NO_NODE;
use crate::query::open_list::OpenList;
use crate::query::shortest_path::{Plane, Turn};
use crate::query::straight_path::CornerKind;
use glam::DVec2;

/// On the open list, numbers of off-mesh links have this bit set; numbers of windows do not.
pub(super) const ARRIVAL: u32 = 1 << 31;
/// The largest number of windows of a search. Their numbers, and those of polygons, portals and links, stay
/// below the bit.
const MOST_WINDOWS: u32 = ARRIVAL - 1;

/// A running search.
pub(super) struct FieldSearch<'a, C> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: &'a C,
    pub(super) plane: Plane,
    pub(super) memory: &'a mut FieldMemory,
    pub(super) open: &'a mut OpenList,
    pub(super) limits: FieldLimits,
    /// True if every metre costs the same; costs are then metres.
    pub(super) is_uniform: bool,
    /// True if there was no room for a window.
    pub(super) is_full: bool,
}

/// The root at an end of a window.
#[derive(Clone, Copy)]
enum EndRoot {
    /// Not determined yet.
    Unknown,
    /// No path bends there.
    None,
    At(u32),
}

impl<C: CostModel> FieldSearch<'_, C> {
    /// Searches from the goals. Returns the cost up to which the field is complete.
    pub(super) fn run(&mut self, goals: &[Place]) -> Result<f64, QueryError> {
        self.limits.windows = self.limits.windows.min(MOST_WINDOWS as usize);
        self.open.clear();
        for goal in goals {
            // A lost goal has no ground now.
            let Ok(poly) = self.mesh.locate(goal.polygon) else { continue };
            let at = poly.kept_inside(goal.point);
            let root = FieldRoot {
                point: flat(at),
                at: goal.point,
                cost: 0.0,
                next: NO_NODE,
                kind: CornerKind::End,
                arrival: NO_NODE,
            };
            self.add_source(goal.polygon, root)?;
        }
        let mut reach = 0.0;
        while !self.is_full
            && let Some(number) = self.open.pop()
        {
            if number & ARRIVAL != 0 {
                self.leave_link(number & !ARRIVAL)?;
                continue;
            }
            let window = &mut self.memory.windows[number as usize];
            if window.done || !window.is_alive() {
                continue;
            }
            let least = window.sight.least(window.ends);
            if least > window.least {
                // The window lost its cheapest part to another.
                window.least = least;
                self.open.push(number, least, 0.0);
                continue;
            }
            window.done = true;
            reach = least;
            self.spread(number)?;
        }
        Ok(if self.is_full { reach } else { self.limits.cost })
    }

    /// The number of a polygon on the field; adds it if it is new.
    pub(super) fn reach(&mut self, polygon: PolyRef) -> Result<u32, QueryError> {
        let vacancy = match self.memory.polygons.find_first(polygon) {
            Ok(known) => return Ok(known),
            Err(vacancy) => vacancy,
        };
        let poly = self.mesh.locate(polygon)?;
        let memory = &mut *self.memory;
        let (number, first_portal) = (memory.polygons.len() as u32, memory.portals.len() as u32);
        memory.portals.extend(poly.portals().iter().map(|portal| FieldPortal::new(portal, number)));
        let first_arrival = memory.arrivals.len() as u32;
        self.find_arrivals(&poly);
        let rate = if self.is_uniform { Some(1.0) } else { rate_of(&poly, self.filter) };
        let passes = rate.is_some() && self.filter.passes(&poly.attributes());
        let rate = rate.unwrap_or(1.0);
        let memory = &mut *self.memory;
        let reached = FieldPolygon {
            polygon,
            passes,
            rate,
            first_portal,
            portal_count: memory.portals.len() as u32 - first_portal,
            sources: NO_NODE,
            first_arrival,
            arrival_count: memory.arrivals.len() as u32 - first_arrival,
        };
        memory.polygons.insert_at(vacancy, reached);
        Ok(number)
    }

    /// Looks up the counterpart of a portal in the polygon beyond, for the first time.
    fn twin(&mut self, portal: u32) -> Result<Option<u32>, QueryError> {
        let here = *self.memory.portal(portal);
        if here.twin != NO_NODE {
            return Ok(Some(here.twin));
        }
        let from = self.memory.polygons.get(here.polygon).polygon;
        let beyond = self.reach(here.to)?;
        // Takes the portal with the longest shared part: two polygons may share several portals in a row.
        let (mut best, mut most) = (None, LEAST);
        for number in self.memory.portals_of(beyond) {
            let there = self.memory.portal(number);
            if there.to == from {
                let [a, b] = [there.left_at, there.right_at].map(|p| here.along.dot(flat(p) - here.right));
                let shared = a.max(b).min(here.length) - a.min(b).max(0.0);
                if shared > most {
                    (best, most) = (Some(number), shared);
                }
            }
        }
        if let Some(twin) = best {
            self.memory.portals[portal as usize].twin = twin;
            self.memory.portals[twin as usize].twin = portal;
        }
        Ok(best)
    }

    /// Adds a root within a polygon, and looks from there through all portals.
    pub(super) fn add_source(&mut self, polygon: PolyRef, root: FieldRoot) -> Result<(), QueryError> {
        let number = self.reach(polygon)?;
        let FieldPolygon { sources, passes, rate, .. } = *self.memory.polygons.get(number);
        let (point, cost) = (root.point, root.cost);
        let root = self.add_root(root);
        let source = self.memory.sources.len() as u32;
        self.memory.sources.push(FieldSource { root, next: sources });
        self.memory.polygons.get_mut(number).sources = source;
        if !passes {
            return Ok(());
        }
        self.take_links(number, |_, end| (cost + rate * end.distance(point), root));
        for portal in self.memory.portals_of(number) {
            let length = self.memory.portal(portal).length;
            self.offer(portal, root, [0.0, length])?;
        }
        Ok(())
    }

    fn add_root(&mut self, root: FieldRoot) -> u32 {
        self.memory.roots.push(root);
        (self.memory.roots.len() - 1) as u32
    }

    /// Offers a root that is seen from a polygon to the polygon beyond a portal, between two points of the
    /// portal.
    pub(super) fn offer(&mut self, portal: u32, root: u32, ends: [f64; 2]) -> Result<(), QueryError> {
        let rate = self.memory.polygons.get(self.memory.portal(portal).polygon).rate;
        self.offer_view(portal, FieldView { root, rate, comes_back: false }, ends)
    }

    pub(super) fn offer_view(
        &mut self,
        portal: u32,
        view: FieldView,
        [from, to]: [f64; 2],
    ) -> Result<(), QueryError> {
        if to - from <= LEAST {
            return Ok(());
        }
        let Some(twin) = self.twin(portal)? else { return Ok(()) };
        let memory = &mut *self.memory;
        let length = memory.portal(portal).length;
        self.is_full |= !memory.offer(self.open, twin, view, [length - to, length - from], self.limits);
        Ok(())
    }

    /// Continues a window over the polygon that it leads into.
    fn spread(&mut self, number: u32) -> Result<(), QueryError> {
        let window = self.memory.windows[number as usize];
        let portal = *self.memory.portal(window.portal);
        let here = *self.memory.polygons.get(portal.polygon);
        if !here.passes {
            return Ok(());
        }
        self.take_links(portal.polygon, |memory, end| {
            let way = memory.through(window.portal, &window, here.rate, end);
            (way.cost, way.root)
        });
        if window.sight.rate != here.rate {
            return self.refract(&window, &portal);
        }
        let root = self.memory.root(window.root).point;
        let ends = window.ends.map(|t| portal.point(t));
        // As seen when entering, the portal's right end is on the left.
        let mut bends = [EndRoot::Unknown; 2];
        for beyond in self.memory.portals_of(portal.polygon).filter(|beyond| *beyond != window.portal) {
            let through = *self.memory.portal(beyond);
            let [from, to] = lit(root, ends, &through);
            if through.outside(root) <= LEAST {
                self.offer(beyond, window.root, [from, to])?;
            } else {
                self.fold(beyond, (window.root, here.rate), [from, to])?;
            }
            for (end, dark) in [[to, through.length], [0.0, from]].into_iter().enumerate() {
                if dark[1] - dark[0] <= LEAST || portal.end(window.ends[end]) != Some(end) {
                    continue;
                }
                if let EndRoot::Unknown = bends[end] {
                    bends[end] = self.bend(&window, end);
                }
                if let EndRoot::At(root) = bends[end] {
                    self.offer(beyond, root, dark)?;
                }
            }
        }
        Ok(())
    }

    /// The root at an end of a window's portal. Paths to ground that the window's own root does not see bend
    /// around it.
    fn bend(&mut self, window: &FieldWindow, end: usize) -> EndRoot {
        let portal = *self.memory.portal(window.portal);
        let from = *self.memory.root(window.root);
        let (at, point) =
            [(portal.right_at, portal.point(0.0)), (portal.left_at, portal.point(portal.length))][end];
        let cost = window.sight.at(window.ends[end]);
        if cost > self.limits.cost
            || point.distance(from.point) <= LEAST
            || !self.is_corner(window.portal, end)
        {
            return EndRoot::None;
        }
        let (kind, next, arrival) = (CornerKind::Turn, window.root, NO_NODE);
        EndRoot::At(self.add_root(FieldRoot { point, at, cost, next, kind, arrival }))
    }

    /// Returns true if the ground ends about an end of a portal, so that a path may bend there.
    fn is_corner(&mut self, number: u32, end: usize) -> bool {
        let portal = *self.memory.portal(number);
        if let Some(known) = portal.corners[end] {
            return known;
        }
        let polygon = self.memory.polygons.get(portal.polygon).polygon;
        let (turn, at) = [(Turn::Left, portal.right_at), (Turn::Right, portal.left_at)][end];
        let at = self.plane.corner(at);
        let is_corner =
            self.plane.ground_ends(self.mesh, self.filter, [portal.to, polygon], turn, at).is_some();
        self.memory.portals[number as usize].corners[end] = Some(is_corner);
        is_corner
    }

    /// Floors above one another may share a part of a portal at a seam. A path from one to the other comes
    /// back over the line that it crossed, so it bends at an end of the part.
    fn fold(&mut self, beyond: u32, (root, rate): (u32, f64), ends: [f64; 2]) -> Result<(), QueryError> {
        if ends[1] - ends[0] <= LEAST {
            return Ok(());
        }
        for t in ends {
            let (onward, portal) = (self.memory.root(root), self.memory.portal(beyond));
            let cost = onward.cost + rate * portal.point(t).distance(onward.point);
            let root = self.add_crossing(beyond, root, t, cost);
            self.offer(beyond, root, ends)?;
        }
        Ok(())
    }

    /// Adds a root at a point of a portal, on the path to another root.
    pub(super) fn add_crossing(&mut self, portal: u32, next: u32, t: f64, cost: f64) -> u32 {
        let portal = self.memory.portal(portal);
        let point = portal.point(t);
        let (at, kind, arrival) = (portal.at(t), CornerKind::Crossing, NO_NODE);
        self.add_root(FieldRoot { point, at, cost, next, kind, arrival })
    }
}

/// The part of a portal that a root sees through a window. The window is given by its left and its right end
/// as seen from the root.
fn lit(root: DVec2, [left, right]: [DVec2; 2], portal: &FieldPortal) -> [f64; 2] {
    let ends = [portal.right - root, portal.point(portal.length) - root];
    let beyond_left = ends.map(|end| end.perp_dot(left - root));
    let beyond_right = ends.map(|end| (right - root).perp_dot(end));
    let crossing = |[of_right, of_left]: [f64; 2]| portal.length * (of_right / (of_right - of_left));
    // A portal that does not cross a line is on the side of its farther end: its nearer end may be on the
    // line, or beyond it by rounding.
    let to = match beyond_left {
        both @ [of_right, of_left] if of_right < 0.0 && of_left > 0.0 => crossing(both),
        [of_right, of_left] if of_right + of_left > 0.0 => 0.0,
        _ => portal.length,
    };
    let from = match beyond_right {
        both @ [of_right, of_left] if of_right > 0.0 && of_left < 0.0 => crossing(both),
        [of_right, of_left] if of_right + of_left > 0.0 => portal.length,
        _ => 0.0,
    };
    [from, to]
}
