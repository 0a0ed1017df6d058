//! All polygons that can be walked to within a circle or a convex shape, with the cheapest way to each.
//!
//! Dijkstra's algorithm over the openings that meet the circle or the shape, as seen from above; an opening is
//! crossed at its middle. Cost: O(n log n) in the polygons found, at most as many as the query has nodes.
//! Source: E. W. Dijkstra, A note on two problems in connexion with graphs (1959); semantics of M. Mononen's
//! Detour (`findPolysAroundCircle`, `findPolysAroundShape`, `getPathFromDijkstraSearch`). A polygon's point moves
//! with its way, where Detour keeps that of the first way found.

use super::Query;
use super::find_path::Place;
use super::nodes::{NO_NODE, Node};
use super::rules::{Asked, Plain, Rules};
use crate::error::{QueryError, ShapeProblem, check_position, check_radius};
use crate::filter::CostModel;
use crate::geometry::{flat, nearest_on_segment, side};
use crate::mesh::{NavMesh, Way};
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// A polygon that can be walked to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// The polygon.
    pub polygon: PolyRef,
    /// Where in the list the polygon stands that it is entered from; `None` for the start.
    pub parent: Option<u32>,
    /// What the way to `point` costs.
    pub cost: f64,
    /// Where it is entered.
    pub point: Vec3,
}

/// The polygons around a place. Reuse one, and its memory is reused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// The start's first, then by cost; parents before their children.
    pub polygons: Vec<Reached>,
    /// Whether these are all; if not, the search ran out of nodes.
    pub complete: bool,
}

impl Surroundings {
    /// Writes the polygons on the way from the start to that at `index`. `false` if there is no such index.
    pub fn path_to(&self, index: usize, path: &mut Vec<PolyRef>) -> bool {
        path.clear();
        let mut next = self.polygons.get(index);
        // Parents stand before their children; a list that was tampered with ends too.
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
    /// Finds the polygons that can be walked to from `start` over openings within `radius` metres (0 or more).
    /// The start's polygon need not pass the filter.
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
        found.complete =
            self.flood_circle(mesh, start, radius, filter, |reached| found.polygons.push(reached))?;
        Ok(())
    }

    /// Finds the polygons that can be walked to from `start` over openings that meet a convex shape: at least three
    /// corners in either sense of turning, of which x and z matter.
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
        let meets = |way: &Way| segment_meets(shape, sign, way.left, way.right);
        found.complete = self.flood(mesh, start, filter, meets, |reached| found.polygons.push(reached))?;
        Ok(())
    }

    /// The search of [`Query::around_circle`]; true if it found all. Its nodes stay until the next search.
    pub(super) fn flood_circle(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        radius: f32,
        filter: &impl CostModel,
        settle: impl FnMut(Reached),
    ) -> Result<bool, QueryError> {
        let radius_squared = f64::from(radius) * f64::from(radius);
        let meets = |way: &Way| nearest_on_segment(way.left, way.right, start.point).1 <= radius_squared;
        self.flood(mesh, start, filter, meets, settle)
    }

    fn flood(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        filter: &impl CostModel,
        meets: impl Fn(&Way) -> bool,
        settle: impl FnMut(Reached),
    ) -> Result<bool, QueryError> {
        check_position("start", start.point)?;
        mesh.locate(start.polygon)?;
        match Plain::of(filter) {
            Some(plain) => self.flood_by(mesh, start, &plain, meets, settle),
            None => self.flood_by(mesh, start, &Asked(filter), meets, settle),
        }
    }

    fn flood_by<R: Rules>(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        rules: &R,
        meets: impl Fn(&Way) -> bool,
        mut settle: impl FnMut(Reached),
    ) -> Result<bool, QueryError> {
        let Query { nodes, open, .. } = self;
        nodes.clear();
        open.clear();
        let Place { polygon, point } = start;
        let mut first = nodes.insert(Node::reached(polygon, point, NO_NODE, 0.0));
        let (mut settled, mut complete) = (0, true);
        while let Some(number) = first.take().or_else(|| open.pop()) {
            // Part by part, as what was written in parts just now, and is read in one, has to wait.
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
            let located = mesh.locate(polygon)?;
            let here = rules.of(&located);
            for way in located.ways() {
                // Settled long since.
                if came_from.is(way.to) {
                    continue;
                }
                let known = nodes.find_on(way.to, 0);
                // What a way must cost less than.
                let (mut bound, mut is_closed) = (f64::INFINITY, false);
                if let Ok(known) = known {
                    let node = nodes.get(known);
                    (bound, is_closed) = (node.cost, node.closed);
                }
                if is_closed || !meets(way) {
                    continue;
                }
                let Some(next) = rules.enter(mesh, &located, way.to) else { continue };
                let Some(on) = rules.cost(from, way.middle, here, Some(next)) else { continue };
                let total = cost + on;
                if bound <= total {
                    continue;
                }
                let way = Node::reached(way.to, way.middle, number, total);
                let found = match known {
                    Ok(known) => {
                        *nodes.get_mut(known) = way;
                        Some(known)
                    }
                    Err(vacancy) => nodes.insert_at(vacancy, way),
                };
                match found {
                    Some(found) => open.push(found, total, 0.0),
                    None => complete = false,
                }
            }
        }
        Ok(complete)
    }
}

/// The sign of the side that a convex shape's interior lies to: -1 for left, 1 for right.
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

/// Whether a segment meets a convex shape whose interior lies to the side of `sign`: what is left of it after the
/// outside of every edge is cut off. Source: M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping
/// (1978).
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
