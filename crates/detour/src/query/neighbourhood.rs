//! The polygons near a place that do not lie over one another: the flat map that local steering works on.
//!
//! Breadth first over openings within the circle; a polygon that overlaps one already found, as seen from above,
//! is left out, and nothing is looked for behind it. Cost: O(n²) in the polygons found, of which there are at most
//! as many as the caller allows.
//! Semantics: those of M. Mononen's Detour (`findLocalNeighbourhood`), with three differences. There is no limit
//! of 48 waiting and 64 found polygons; polygons that only touch, by a corner or an edge, do not overlap, whatever
//! links there are; and that the limit was met is told.

use super::Query;
use super::find_path::Place;
use super::nodes::{NO_NODE, Node};
use crate::error::{QueryError, check_position, check_radius};
use crate::filter::CostModel;
use crate::geometry::{flat, nearest_on_segment};
use crate::mesh::{Located, NavMesh};
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::FIXED_ONE;
use std::ops::ControlFlow;

/// A polygon of a neighbourhood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The polygon.
    pub polygon: PolyRef,
    /// Where in the list the polygon stands that it was found from; `None` for the start.
    pub parent: Option<u32>,
}

/// Polygons near a place. Reuse one, and its memory is reused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbourhood {
    /// The start's first, then by the number of openings between.
    pub polygons: Vec<Neighbour>,
    /// Whether these are all; if not, there are more than allowed, or than the query has nodes.
    pub complete: bool,
}

impl Query {
    /// Finds up to `limit` polygons around `start` over openings within `radius` metres (0 or more), none of which
    /// overlaps another as seen from above. The start's polygon need not pass the filter.
    pub fn neighbourhood(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        radius: f32,
        limit: usize,
        filter: &impl CostModel,
        found: &mut Neighbourhood,
    ) -> Result<(), QueryError> {
        check_position("centre", start.point)?;
        check_radius(radius)?;
        mesh.locate(start.polygon)?;
        let radius_squared = f64::from(radius) * f64::from(radius);
        let slack = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size / f64::from(FIXED_ONE));
        let nodes = &mut self.nodes;
        nodes.clear();
        let node = |polygon| Node::reached(polygon, Vec3::ZERO, NO_NODE, 0.0);
        nodes.insert(node(start.polygon));
        found.polygons.clear();
        found.complete = limit > 0;
        if limit > 0 {
            found.polygons.push(Neighbour { polygon: start.polygon, parent: None });
        }
        let mut next = 0;
        while let Some(neighbour) = found.polygons.get(next).copied() {
            let parent = Some(next as u32);
            next += 1;
            let located = mesh.locate(neighbour.polygon)?;
            let flow = located.each_link(|link| {
                if nearest_on_segment(link.left, link.right, start.point).1 > radius_squared
                    || nodes.find(link.to).is_some()
                {
                    return ControlFlow::Continue(());
                }
                let Some(beyond) = located.enterable(mesh, link.to, filter) else {
                    return ControlFlow::Continue(());
                };
                // Known from now on, so that what overlaps is not compared again.
                found.complete &= nodes.insert(node(link.to)).is_some();
                let mut others = found.polygons.iter().filter_map(|other| mesh.locate(other.polygon).ok());
                if others.any(|other| beyond.overlaps(&other, slack)) {
                    return ControlFlow::Continue(());
                }
                if found.polygons.len() >= limit.min(nodes.max_nodes().get() as usize) {
                    found.complete = false;
                    return ControlFlow::Break(());
                }
                found.polygons.push(Neighbour { polygon: link.to, parent });
                ControlFlow::Continue(())
            });
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl Located<'_> {
    /// Whether two polygons overlap by more than `slack` metres as seen from above: no edge of either divides them.
    fn overlaps(&self, other: &Located<'_>, slack: f64) -> bool {
        let ([a, b], [c, d]) = (self.bounds(), other.bounds());
        b.x > c.x
            && d.x > a.x
            && b.z > c.z
            && d.z > a.z
            && !self.divided_from(other, slack)
            && !other.divided_from(self, slack)
    }

    /// The least and the greatest coordinates of the corners.
    #[inline]
    fn bounds(&self) -> [Vec3; 2] {
        let ends = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        self.outline().fold(ends, |[low, high], (corner, _)| [low.min(corner), high.max(corner)])
    }

    /// Whether the other polygon lies beyond one of this one's edges, but for `slack`.
    fn divided_from(&self, other: &Located<'_>, slack: f64) -> bool {
        self.outline().any(|(a, b)| {
            let (a, along) = (flat(a), flat(b) - flat(a));
            let least = -slack * along.length_squared().sqrt();
            other.outline().all(|(p, _)| along.perp_dot(flat(p) - a) >= least)
        })
    }
}
