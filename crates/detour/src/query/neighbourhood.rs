//! The polygons near a place that do not overlap as seen from above: the flat map that local steering works
//! on.
//!
//! Breadth first through portals within the circle; a polygon that overlaps an already found polygon, as seen
//! from above, is left out, and so is everything beyond it. Cost: O(n²) in the polygons found, bounded by the
//! caller.
//! Semantics: those of M. Mononen's Detour (`findLocalNeighbourhood`), with three differences. There is no
//! limit of 48 waiting and 64 found polygons; polygons that only touch, by a corner or an edge, do not
//! overlap, regardless of their links; and reaching the limit is reported.

use super::Query;
use super::around::meets_circle;
use super::nodes::{NO_NODE, Node};
use crate::error::{QueryError, check_position, check_radius};
use crate::filter::CostModel;
use crate::geometry::flat;
use crate::mesh::{NavMesh, Poly};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::FIXED_ONE;

/// A polygon of a neighbourhood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The polygon.
    pub polygon: PolyRef,
    /// Index in the list of the polygon that it was found from; `None` for the start.
    pub parent: Option<u32>,
}

/// Polygons near a place. Reuse one to reuse its memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbourhood {
    /// The start's polygon first, then by the number of portals from it.
    pub polygons: Vec<Neighbour>,
    /// True if the list is complete; false if there are more polygons than the limit, or than the query has
    /// nodes.
    pub complete: bool,
}

impl Query {
    /// Finds up to `limit` polygons around `start`, through portals within `radius` metres (0 or more). No
    /// two of them overlap as seen from above. The start's polygon need not pass the filter.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// # let (mut query, filter) = (detour::Query::new(), detour::Filter::default());
    /// # let box_size = detour::Vec3::new(1.0, 2.0, 1.0);
    /// # let start = query.nearest(&mesh, detour::Vec3::new(2.0, 0.0, 2.0), box_size, &filter)?.place();
    /// let mut near = detour::Neighbourhood::default();
    /// query.neighbourhood(&mesh, start, 12.0, 64, &filter, &mut near)?;
    /// assert!(near.complete && near.polygons[0].polygon == start.polygon);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        let is_near = meets_circle(start.point, radius);
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
            let poly = mesh.locate(neighbour.polygon)?;
            for portal in poly.portals() {
                if !is_near(portal) || nodes.find(portal.to).is_some() {
                    continue;
                }
                let Some(beyond) = poly.enterable(mesh, portal.to, filter) else { continue };
                // From now on the polygon has a node, so that an overlapping polygon is not compared again.
                found.complete &= nodes.insert(node(portal.to)).is_some();
                let mut others = found.polygons.iter().filter_map(|other| mesh.locate(other.polygon).ok());
                if others.any(|other| beyond.overlaps(&other, slack)) {
                    continue;
                }
                if found.polygons.len() >= limit.min(nodes.max_nodes().get() as usize) {
                    found.complete = false;
                    return Ok(());
                }
                found.polygons.push(Neighbour { polygon: portal.to, parent });
            }
        }
        Ok(())
    }
}

impl Poly<'_> {
    /// Returns true if two polygons overlap by more than `slack` metres as seen from above, so that no edge
    /// of either separates them.
    fn overlaps(&self, other: &Poly<'_>, slack: f64) -> bool {
        let ([a, b], [c, d]) = (self.bounds(), other.bounds());
        b.x > c.x
            && d.x > a.x
            && b.z > c.z
            && d.z > a.z
            && !self.is_separated_from(other, slack)
            && !other.is_separated_from(self, slack)
    }

    /// The smallest and the largest coordinates of the corners.
    #[inline]
    fn bounds(&self) -> [Vec3; 2] {
        let ends = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        self.outline().fold(ends, |[low, high], (corner, _)| [low.min(corner), high.max(corner)])
    }

    /// Returns true if the other polygon is beyond an edge of this polygon, up to `slack`.
    fn is_separated_from(&self, other: &Poly<'_>, slack: f64) -> bool {
        self.outline().any(|(a, b)| {
            let (a, along) = (flat(a), flat(b) - flat(a));
            let least = -slack * along.length_squared().sqrt();
            other.outline().all(|(p, _)| along.perp_dot(flat(p) - a) >= least)
        })
    }
}
