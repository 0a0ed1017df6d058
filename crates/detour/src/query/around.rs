//! All polygons that can be walked to within a circle or a convex shape, with the cheapest path to each.
//!
//! Dijkstra's algorithm over the portals that meet the circle or the shape, as seen from above; paths cross
//! portals at their middles. Cost: O(n log n) in the polygons found, bounded by the query's nodes.
//! Source: E. W. Dijkstra, A note on two problems in connexion with graphs (1959); semantics of M. Mononen's
//! Detour (`findPolysAroundCircle`, `findPolysAroundShape`, `getPathFromDijkstraSearch`). A polygon's point
//! is that of its cheapest path, where Detour keeps the point of the first path found.

use super::Query;
use super::nodes::{NO_NODE, Node};
use super::rules::{FilterRules, Rules, UniformRules};
use crate::error::{QueryError, ShapeProblem, check_position, check_radius};
use crate::filter::CostModel;
use crate::geometry::{flat, lerp, nearest_on_segment, side};
use crate::mesh::{NavMesh, Portal};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// A polygon that can be walked to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// The polygon.
    pub polygon: PolyRef,
    /// Index in the list of the polygon that it is entered from; `None` for the start.
    pub parent: Option<u32>,
    /// Cost of the path to `point`.
    pub cost: f64,
    /// The point where it is entered.
    pub point: Vec3,
}

/// The polygons around a place. Reuse one to reuse its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// The start's polygon first, then by cost. Parents come before their children.
    pub polygons: Vec<Reached>,
    /// True if the list is complete; false if the search ran out of nodes.
    pub complete: bool,
}

impl Surroundings {
    /// Writes the polygons of the path from the start to the polygon at `index`. Returns true if there is
    /// one.
    pub fn path_to(&self, index: usize, path: &mut Vec<PolyRef>) -> bool {
        path.clear();
        let mut next = self.polygons.get(index);
        // Parents come before their children; the loop ends even if the list was tampered with.
        while let Some(reached) = next
            && path.len() < self.polygons.len()
        {
            path.push(reached.polygon);
            next = reached.parent.and_then(|parent| self.polygons.get(parent as usize));
        }
        path.reverse();
        !path.is_empty()
    }
}

impl Query {
    /// Finds the polygons that can be walked to from `start` through portals within `radius` metres (0 or
    /// more). The start's polygon need not pass the filter.
    pub fn around_circle(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        radius: f32,
        filter: &impl CostModel,
        found: &mut Surroundings,
    ) -> Result<(), QueryError> {
        check_radius(radius)?;
        found.polygons.clear();
        let meets = meets_circle(start.point, radius);
        found.complete = self.flood(mesh, start, filter, meets, |reached| found.polygons.push(reached))?;
        Ok(())
    }

    /// Finds the polygons that can be walked to from `start` through portals that meet a convex shape: at
    /// least three corners in either winding. Only their x and z matter.
    pub fn around_shape(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        shape: &[Vec3],
        filter: &impl CostModel,
        found: &mut Surroundings,
    ) -> Result<(), QueryError> {
        let sign = turning(shape).map_err(QueryError::Shape)?;
        found.polygons.clear();
        let meets = |portal: &Portal| segment_meets(shape, sign, portal.left, portal.right);
        found.complete = self.flood(mesh, start, filter, meets, |reached| found.polygons.push(reached))?;
        Ok(())
    }

    /// Searches through the portals that meet a circle or a shape. Returns true if the search is complete.
    /// The nodes are kept until the next search.
    pub(super) fn flood(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        filter: &impl CostModel,
        meets: impl Fn(&Portal) -> bool,
        settle: impl FnMut(Reached),
    ) -> Result<bool, QueryError> {
        check_position("start", start.point)?;
        mesh.locate(start.polygon)?;
        match UniformRules::of(mesh, filter) {
            Some(rules) => self.flood_by(mesh, start, &rules, meets, settle),
            None => self.flood_by(mesh, start, &FilterRules(filter), meets, settle),
        }
    }

    fn flood_by(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        rules: &impl Rules,
        meets: impl Fn(&Portal) -> bool,
        mut settle: impl FnMut(Reached),
    ) -> Result<bool, QueryError> {
        let Query { nodes, open, .. } = self;
        nodes.clear();
        open.clear();
        let mut first = nodes.insert(Node::reached(start.polygon, start.point, NO_NODE, 0.0));
        let (mut settled, mut complete) = (0, true);
        while let Some(number) = first.take().or_else(|| open.pop()) {
            // Field by field: a wide load of fields that were just written one by one would stall.
            let Node { polygon, point: from, parent, cost, closed, .. } = *nodes.get(number);
            if closed {
                continue;
            }
            let node = nodes.get_mut(number);
            (node.closed, node.rank) = (true, settled);
            settled += 1;
            let came_from = nodes.came_from(parent);
            let parent = (parent != NO_NODE).then(|| nodes.get(parent).rank);
            settle(Reached { polygon, parent, cost, point: from });
            let poly = mesh.locate(polygon)?;
            let here = rules.key(&poly);
            // The polygon before this one on the path is settled.
            for portal in poly.portals().iter().filter(|portal| !came_from.is(portal.to)) {
                let known = nodes.find_first(portal.to);
                // The cost to improve on.
                let (mut bound, mut is_closed) = (f64::INFINITY, false);
                if let Ok(known) = known {
                    let node = nodes.get(known);
                    (bound, is_closed) = (node.cost, node.closed);
                }
                if is_closed || !meets(portal) {
                    continue;
                }
                let Some(next) = rules.enter(mesh, &poly, portal.to) else { continue };
                let middle = lerp(portal.right, portal.left, 0.5);
                let total = cost + f64::from(rules.cost(from, middle, here, Some(next)));
                if bound <= total {
                    continue;
                }
                match nodes.put(known, Node::reached(portal.to, middle, number, total)) {
                    Some(found) => open.push(found, total, 0.0),
                    None => complete = false,
                }
            }
        }
        Ok(complete)
    }
}

/// Returns a test that is true for portals that meet a circle.
pub(super) fn meets_circle(centre: Vec3, radius: f32) -> impl Fn(&Portal) -> bool {
    let radius_squared = f64::from(radius) * f64::from(radius);
    move |portal| nearest_on_segment(portal.left, portal.right, centre).1 <= radius_squared
}

/// The sign of the side of the edges on which a convex shape's interior is: -1 for left, 1 for right.
fn turning(shape: &[Vec3]) -> Result<f64, ShapeProblem> {
    if shape.len() < 3 {
        return Err(ShapeProblem::TooFewCorners);
    }
    if !shape.iter().all(|corner| corner.is_finite()) {
        return Err(ShapeProblem::NotFinite);
    }
    let (mut left, mut right) = (false, false);
    for (i, a) in shape.iter().enumerate() {
        let (b, c) = (shape[(i + 1) % shape.len()], shape[(i + 2) % shape.len()]);
        let turn = side(*a, b, c);
        (left, right) = (left | (turn < 0.0), right | (turn > 0.0));
    }
    match (left, right) {
        (true, true) => Err(ShapeProblem::NotConvex),
        (false, false) => Err(ShapeProblem::NoArea),
        _ => Ok(if left { -1.0 } else { 1.0 }),
    }
}

/// Returns true if a segment meets a convex shape whose interior is on the side of `sign`: if a part of it is
/// left after cutting off the outside of every edge. Source: M. Cyrus, J. Beck, Generalized two- and
/// three-dimensional clipping (1978).
fn segment_meets(shape: &[Vec3], sign: f64, a: Vec3, b: Vec3) -> bool {
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for (i, u) in shape.iter().enumerate() {
        let v = shape[(i + 1) % shape.len()];
        if flat(*u) == flat(v) {
            continue;
        }
        let (of_a, of_b) = (side(*u, v, a) * sign, side(*u, v, b) * sign);
        match (of_a < 0.0, of_b < 0.0) {
            (true, true) => return false,
            (true, false) => low = low.max(of_a / (of_a - of_b)),
            (false, true) => high = high.min(of_a / (of_a - of_b)),
            (false, false) => {}
        }
    }
    low <= high
}
