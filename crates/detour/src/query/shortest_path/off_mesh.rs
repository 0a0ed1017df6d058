//! Off-mesh links: a link that can be entered in sight is taken, and the search looks all around from its far
//! end, as it does from the start. Links between edges are taken like this at the ends of the part that can
//! be crossed; `edges.rs` does the rest.

use super::nodes::{LinkPassage, Root, RootPlace, Sight};
use super::plane::{Point, ROUNDING, distance};
use super::search::SightSearch;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::{LinkCrossing, Poly};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// The share of its length that is added to a link, so that among equally long paths the path over ground is
/// taken. It is far more than the rounding of a sum, and far less than the distance that ends are moved by.
pub(super) const LINKS_COUNT_MORE: f64 = 1e-9;

/// The length of an off-mesh link, metres: the distance in space of the places where it meets the ground. It
/// is never less than their distance as seen from above, so that a straight line to the goal remains a lower
/// bound.
pub(super) fn link_length(start: Vec3, end: Vec3) -> f64 {
    start.as_dvec3().distance(end.as_dvec3())
}

impl<C: CostModel> SightSearch<'_, C> {
    /// Takes the off-mesh links that can be entered in the visible part of a node's polygon. Given two
    /// points, right and left as seen from the root, `within` returns the left and right bounds of the view
    /// between them.
    #[inline]
    pub(super) fn take_links(
        &mut self,
        number: u32,
        poly: &Poly<'_>,
        seen: impl Fn(Point) -> bool,
        within: impl Fn([Point; 2]) -> Option<[Point; 2]>,
    ) -> Result<(), QueryError> {
        for (link, [at, half]) in poly.off_mesh_from() {
            let Some(crossing) = self.passable(poly.reference, link, at)? else { continue };
            if half != Vec3::ZERO {
                self.take_edge(number, poly, (link, &crossing), (&seen, &within))?;
                continue;
            }
            let entry = self.plane.point_in(poly, at);
            if seen(entry) {
                self.take_link(number, (link, [crossing.start, crossing.end]), entry)?;
            }
        }
        Ok(())
    }

    /// The crossing of a link off a polygon, from its entry; `None` if the link is useless, or must not be
    /// taken.
    fn passable(
        &self,
        polygon: PolyRef,
        link: PolyRef,
        at: Vec3,
    ) -> Result<Option<LinkCrossing>, QueryError> {
        let over = self.mesh.locate_node(link)?;
        let Some(crossing) = over.off_mesh_crossing_from(polygon, at) else { return Ok(None) };
        // A polygon is convex, so the path through it is at most as long.
        if crossing.end.polygon == polygon || !self.filter.passes(&over.attributes()) {
            return Ok(None);
        }
        let beyond = self.mesh.locate(crossing.end.polygon)?;
        Ok(self.filter.passes(&beyond.attributes()).then_some(crossing))
    }

    /// Goes to a link's end on a polygon, over the link, and continues from its other end, unless a path of
    /// at most the same length to either end is known.
    pub(super) fn take_link(
        &mut self,
        number: u32,
        (link, [Place { polygon, point: at }, far]): (PolyRef, [Place; 2]),
        entry: Point,
    ) -> Result<(), QueryError> {
        let beyond = self.mesh.locate(far.polygon)?;
        let root = *self.scratch.root_of(number);
        let to_entry = root.length + distance(root.point, entry);
        let exit = (far.polygon, self.plane.point_in(&beyond, far.point));
        // Ends may have been moved into their polygons, which must not make a link shorter than a straight
        // line.
        let link_counts = self.plane.units(link_length(at, far.point)).max(distance(entry, exit.1));
        let length = to_entry + link_counts * (1.0 + LINKS_COUNT_MORE);
        // A longer path to the entry, over another link, is useless. From a root that was moved over a link,
        // the path may seem shorter than from that link's end, by the distance that ends are moved by.
        if !matches!(root.place, RootPlace::Moved(_)) {
            let known = self.scratch.link_ends.entry((polygon, entry)).or_insert(f64::INFINITY);
            *known = known.min(to_entry);
        }
        let known = self.scratch.link_ends.entry(exit).or_insert(f64::INFINITY);
        if length >= *known * (1.0 - ROUNDING) {
            return Ok(());
        }
        *known = length;
        if self.scratch.nodes.len() < self.max_nodes {
            let (root, passage) = (self.scratch.roots.len() as u32, self.scratch.passages.len() as u32);
            self.scratch.passages.push(LinkPassage { link, entry: at, entry_point: entry, exit });
            let place = RootPlace::LinkEnd(passage);
            self.scratch.roots.push(Root { point: exit.1, at: far.point, length, place });
            self.push(root, number, far.polygon, Sight::Start);
        } else {
            self.left_out = self.left_out.min(length + distance(exit.1, self.target));
        }
        Ok(())
    }
}
