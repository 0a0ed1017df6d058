//! A* that keeps one path to each polygon: a node with the point where the polygon is entered.
//!
//! A polygon is entered at the point of its portal through which the path from the entry before to the goal
//! is shortest as seen from above. Costs are measured in space between entries. docs/paths.md has the lengths
//! that come of it.
//! Source: P. Hart, N. Nilsson, B. Raphael, A formal basis for the heuristic determination of minimum cost
//! paths (1968); nodes at the entries of polygons as in M. Mononen's Detour (`findPath`).

use super::find_path::{Search, SearchState, Settled};
use super::nodes::{NO_NODE, NodePool, PoolNode};
use super::open_list::OpenList;
use super::over_link::over_link;
use super::rules::Rules;
use crate::error::QueryError;
use crate::filter::{CostModel, Step, cost_of};
use crate::mesh::{NavMesh, Poly, Portal};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// A polygon or off-mesh link that a search has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathNode {
    pub(super) polygon: PolyRef,
    /// The point where it was entered.
    pub(super) point: Vec3,
    /// The node that it was entered from, or [`NO_NODE`].
    parent: u32,
    /// Cost from the start to `point`.
    pub(super) cost: f32,
    /// That and the estimated cost from there to the goal; [`SETTLED`] once its path is final.
    total: f32,
    /// The number of the portal that it was entered through, in the tile of its parent; [`NO_PORTAL`] for the
    /// start, and for an end of an off-mesh link.
    portal: u32,
}

/// Marks the absence of a portal.
const NO_PORTAL: u32 = u32::MAX;
/// The total of settled nodes: no path is better.
const SETTLED: f32 = f32::NEG_INFINITY;

impl PoolNode for PathNode {
    #[inline]
    fn polygon(&self) -> PolyRef {
        self.polygon
    }

    #[inline]
    fn parent(&self) -> u32 {
        self.parent
    }
}

impl PathNode {
    #[inline]
    pub(super) fn is_settled(&self) -> bool {
        self.total == SETTLED
    }
}

/// The node that is being settled.
struct From<'a, R: Rules> {
    number: u32,
    point: Vec3,
    cost: f32,
    key: R::Key,
    poly: Poly<'a>,
}

/// The parts of a search that looking at a portal needs.
struct Frontier<'a, R> {
    nodes: &'a mut NodePool<PathNode>,
    open: &'a mut OpenList,
    mesh: &'a NavMesh,
    rules: &'a R,
    state: &'a mut SearchState,
}

impl<C: CostModel> Search<'_, C> {
    pub(super) fn put_start_node(&mut self) -> Result<(), QueryError> {
        let Place { polygon, point } = self.state.start;
        let goal = self.state.goal;
        let mut cost = 0.0f32;
        if polygon == goal.polygon {
            let polygon = self.mesh.locate_node(polygon)?.attributes();
            let whole = cost_of(self.filter, &Step { from: point, to: goal.point, polygon, next: None });
            cost = whole.unwrap_or(f64::INFINITY) as f32;
        }
        let total = (cost + point.distance(goal.point) * self.state.scale).min(f32::MAX);
        self.query.path_nodes.clear();
        let node = PathNode { polygon, point, parent: NO_NODE, cost, total, portal: NO_PORTAL };
        if let Some(first) = self.query.path_nodes.insert(node)
            && cost < f32::INFINITY
        {
            self.query.open.push(first, f64::from(total), 0.0);
        }
        Ok(())
    }

    /// Settles up to `left` nodes, which it counts down.
    #[inline(never)]
    pub(super) fn settle_nodes(&mut self, rules: &impl Rules, left: &mut u32) -> Result<Settled, QueryError> {
        let (nodes, open) = (&mut self.query.path_nodes, &mut self.query.open);
        let (mesh, goal) = (self.mesh, self.state.goal);
        let mut frontier = Frontier { nodes, open, mesh, rules, state: &mut self.state };
        let mut last: Option<Poly<'_>> = None;
        while *left > 0 {
            let number = loop {
                let Some(number) = frontier.open.pop() else { return Ok(Settled::All) };
                // A node that was settled on a cheaper path comes again.
                if !frontier.nodes.get(number).is_settled() {
                    break number;
                }
            };
            *left -= 1;
            // Field by field: a wide load of fields that were just written one by one would stall.
            let PathNode { polygon, point, parent, cost, .. } = *frontier.nodes.get(number);
            if polygon == goal.polygon {
                return Ok(Settled::Goal(number));
            }
            frontier.nodes.get_mut(number).total = SETTLED;
            // The next node is often in the same tile.
            let poly = mesh.locate_after(last, polygon)?;
            last = Some(poly);
            let from = From { number, point, cost, key: rules.key(&poly), poly };
            // The path back is never shorter.
            let came_from = frontier.nodes.came_from(parent);
            let (first, portals) = poly.numbered_portals();
            for (number, portal) in (first..).zip(portals) {
                if !came_from.is(portal.to) && !frontier.state.leaves_out(portal) {
                    let entry = entry_point(portal, point, goal.point);
                    frontier.relax(&from, portal.to, entry, number);
                }
            }
            if poly.is_off_mesh() || poly.has_off_mesh_in_tile() {
                frontier.relax_off_mesh(&from);
            }
        }
        Ok(Settled::Steps)
    }
}

impl<R: Rules> Frontier<'_, R> {
    /// Looks at the path from a settled node into a polygon or onto an off-mesh link.
    #[inline(always)]
    fn relax(&mut self, from: &From<'_, R>, to: PolyRef, entry: Vec3, portal: u32) {
        let known = self.nodes.find_first(to);
        // The total to improve on.
        let bound = known.map_or(f32::INFINITY, |known| self.nodes.get(known).total);
        let Some(next) = self.rules.enter(self.mesh, &from.poly, to) else { return };
        let goal = self.state.goal;
        let mut cost = add(from.cost, self.rules.cost(from.point, entry, from.key, Some(next)));
        let mut remaining = entry.distance(goal.point) * self.state.scale;
        if to == goal.polygon {
            (cost, remaining) = (add(cost, self.rules.cost(entry, goal.point, next, None)), 0.0);
        }
        let total = (cost + remaining).min(f32::MAX);
        if total >= bound || cost == f32::INFINITY {
            return;
        }
        let node = PathNode { polygon: to, point: entry, parent: from.number, cost, total, portal };
        match self.nodes.put(known, node) {
            Some(number) => self.open.push(number, f64::from(total), f64::from(remaining)),
            None => self.state.full = true,
        }
    }

    /// Looks at the off-mesh links of a settled node. It is a separate function because links are few.
    #[cold]
    #[inline(never)]
    fn relax_off_mesh(&mut self, from: &From<'_, R>) {
        let (mesh, goal) = (self.mesh, self.state.goal.point);
        from.poly.visit_off_mesh_portals(mesh, |portal| {
            if !self.state.leaves_out(portal) {
                let entry = over_link(mesh, &from.poly, portal, [from.point, goal]);
                self.relax(from, portal.to, entry, NO_PORTAL);
            }
        });
    }
}

/// The sum of two costs. It is infinite only if the second is, and otherwise at most the largest finite
/// number.
#[inline(always)]
fn add(cost: f32, step: f32) -> f32 {
    if step < f32::INFINITY { (cost + step).min(f32::MAX) } else { f32::INFINITY }
}

/// The point of a portal through which the path from a point to the goal is shortest, as seen from above. If
/// both are on one side of the portal, the path reflects off it as light off a mirror.
#[inline(always)]
fn entry_point(portal: &Portal, from: Vec3, goal: Vec3) -> Vec3 {
    let (a, b) = (portal.right, portal.left);
    let along = b - a;
    let (from, to) = (from - a, goal - a);
    let aside = |p: Vec3| (along.x * p.z - along.z * p.x).abs();
    let foot = |p: Vec3| along.x * p.x + along.z * p.z;
    let (from_away, to_away) = (aside(from), aside(to));
    let whole = (from_away + to_away) * (along.x * along.x + along.z * along.z);
    let t = (foot(from) * to_away + foot(to) * from_away) / whole;
    // Not a number for a portal of one point, and for a path along the portal.
    let t = if t >= 0.0 { t.min(1.0) } else { 0.0 };
    // Both ends are met exactly.
    a * (1.0 - t) + b * t
}

/// Writes the polygons from the start to a node, and the portals between them. Returns false if some portals
/// are missing, because the path leads over off-mesh links or over a border that is cut in parts.
pub(super) fn trace_portals(
    nodes: &NodePool<PathNode>,
    mesh: &NavMesh,
    last: u32,
    polygons: &mut Vec<PolyRef>,
    portals: &mut Vec<[Vec3; 2]>,
) -> bool {
    polygons.clear();
    portals.clear();
    let mut node = nodes.get(last);
    let mut near: Option<Poly<'_>> = None;
    let mut is_whole = true;
    polygons.push(node.polygon);
    // Parents were settled before their children, so the path ends.
    while node.parent != NO_NODE {
        let number = node.portal;
        node = nodes.get(node.parent);
        polygons.push(node.polygon);
        near = mesh.locate_after(near, node.polygon).ok();
        match near.and_then(|near| near.tile_portal(number)) {
            Some(portal) if !portal.is_part => portals.push([portal.left, portal.right]),
            _ => is_whole = false,
        }
    }
    polygons.reverse();
    portals.reverse();
    is_whole
}
