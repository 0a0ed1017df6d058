//! Off-mesh links on the way: a link that starts in sight is taken, and the search looks all about from where it lets
//! one off, as it does from the start.

use super::nodes::{Jump, Root, RootPlace, Sight};
use super::plane::{Point, ROUNDING, distance};
use super::search::Search;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::Located;
use crate::poly_ref::PolyRef;
use crate::query::find_path::Place;
use glam::Vec3;

/// What a link counts more than its length, as a part of it, so that of ways equally long that with ground is taken.
/// Far more than rounding makes of a sum, and far less than ends are moved by.
const LINKS_COUNT_MORE: f64 = 1e-9;

/// The length of an off-mesh link, metres: the distance of the places where it meets the ground, in space. Never less
/// than their distance as seen from above, so that a straight line to the goal stays the least that is left.
pub(super) fn link_length(start: Vec3, end: Vec3) -> f64 {
    start.as_dvec3().distance(end.as_dvec3())
}

impl<C: CostModel> Search<'_, C> {
    /// Takes the off-mesh links that lead off a node's polygon from where its root sees.
    #[inline]
    pub(super) fn take_links(
        &mut self,
        number: u32,
        located: &Located<'_>,
        seen: impl Fn(Point) -> bool,
    ) -> Result<(), QueryError> {
        for (link, at) in located.ways_onto_links() {
            let foot = self.plane.point_in(located, at);
            if seen(foot) {
                self.take_link(number, located.reference, link, at, foot)?;
            }
        }
        Ok(())
    }

    /// Goes to a link's end on a polygon, over the link, and looks on from its other end; unless a way to either that
    /// is no longer is known.
    fn take_link(
        &mut self,
        number: u32,
        polygon: PolyRef,
        link: PolyRef,
        at: Vec3,
        foot: Point,
    ) -> Result<(), QueryError> {
        let over = self.mesh.locate_node(link)?;
        let Some([start, end]) = over.off_mesh_ends() else { return Ok(()) };
        let far = if start == (Place { polygon, point: at }) { end } else { start };
        // A polygon is convex: through it, the way is no longer.
        if far.polygon == polygon || !self.filter.passes(&over.attributes()) {
            return Ok(());
        }
        let beyond = self.mesh.locate(far.polygon)?;
        if !self.filter.passes(&beyond.attributes()) {
            return Ok(());
        }
        let root = self.scratch.root_of(number);
        let to_foot = root.length + distance(root.point, foot);
        let landing = (far.polygon, self.plane.point_in(&beyond, far.point));
        // Ends may have been moved into their polygons, which must not make a link shorter than a straight line.
        let link_counts = self.plane.units(link_length(at, far.point)).max(distance(foot, landing.1));
        let length = to_foot + link_counts * (1.0 + LINKS_COUNT_MORE);
        // Who gets here over a link by a longer way has nothing to look for.
        let known = self.scratch.feet.entry((polygon, foot)).or_insert(f64::INFINITY);
        *known = known.min(to_foot);
        let known = self.scratch.feet.entry(landing).or_insert(f64::INFINITY);
        if length >= *known * (1.0 - ROUNDING) {
            return Ok(());
        }
        *known = length;
        if self.scratch.nodes.len() < self.max_nodes {
            let (root, jump) = (self.scratch.roots.len() as u32, self.scratch.jumps.len() as u32);
            self.scratch.jumps.push(Jump { link, foot: at, foot_point: foot, landing });
            let place = RootPlace::Landing(jump);
            self.scratch.roots.push(Root { point: landing.1, at: far.point, length, place });
            self.push(root, number, far.polygon, Sight::Start);
        } else {
            self.left_out = self.left_out.min(length + distance(landing.1, self.target));
        }
        Ok(())
    }
}
