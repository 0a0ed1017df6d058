//! Where a polygon leads: over its edges within the tile and across its seams, and by off-mesh links.

use super::NavMesh;
use super::entry::{Beyond, HalfEdge};
use super::page::Occupied;
use crate::error::RefError;
use crate::filter::{Attributes, CostModel};
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::ops::ControlFlow;

/// A way from one polygon into another, over an edge or a part of one; or onto an off-mesh link, or off it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The polygon or the off-mesh link beyond.
    pub to: PolyRef,
    /// The edge of the polygon that is left; `None` for a way onto an off-mesh link or off it, whose opening is
    /// the one point where the link meets the ground.
    pub edge: Option<u8>,
    /// Left end of the opening, as seen on the way out; metres from the anchor.
    pub left: Vec3,
    /// Right end of the opening.
    pub right: Vec3,
}

/// A polygon or an off-mesh link that was looked up: its slot's content and its index there. Only a polygon has a
/// surface and edges; who asks for these has it from [`NavMesh::locate`].
#[derive(Clone, Copy)]
pub(crate) struct Located<'a> {
    pub(crate) occupied: &'a Occupied,
    pub(crate) reference: PolyRef,
}

impl<'a> Located<'a> {
    #[inline]
    pub(crate) fn index(&self) -> u32 {
        self.reference.polygon()
    }

    #[inline]
    pub(crate) fn attributes(&self) -> Attributes {
        let (flags, area) = self.occupied.flags_and_area(self.index());
        Attributes { polygon: self.reference, flags, area }
    }

    /// Whether it is an off-mesh link.
    #[inline]
    pub(crate) fn is_off_mesh(&self) -> bool {
        self.index() >= self.occupied.entry.polygon_count()
    }

    /// Another polygon of the same tile.
    #[inline]
    pub(crate) fn beside(&self, reference: PolyRef) -> Located<'a> {
        Located { occupied: self.occupied, reference }
    }

    /// Whether no way leads on from a polygon but back.
    #[inline]
    pub(crate) fn is_dead_end(&self) -> bool {
        self.occupied.landings.is_empty() && self.occupied.entry.is_dead_end(self.index())
    }

    /// Calls `visit` for every way out: of a polygon over its edges, then onto off-mesh links; of such a link to
    /// the polygons at its ends that it leads to. Until it breaks.
    #[inline]
    pub(crate) fn visit_ways(&self, mut visit: impl FnMut(Link) -> ControlFlow<()>) -> ControlFlow<()> {
        let way = |to, point| Link { to, edge: None, left: point, right: point };
        if self.is_off_mesh() {
            return match self.feet() {
                Some(feet) => feet.into_iter().flatten().try_for_each(|(to, point)| visit(way(to, point))),
                None => ControlFlow::Continue(()),
            };
        }
        self.visit_links(&mut visit)?;
        let landings = self.occupied.landings_on(self.index()).iter();
        landings
            .filter(|landing| landing.leaves)
            .try_for_each(|landing| visit(way(landing.link, landing.point)))
    }

    /// Where an off-mesh link lets one off: its end, and its start if it leads both ways. `None` if it is not
    /// joined.
    #[inline]
    fn feet(&self) -> Option<[Option<(PolyRef, Vec3)>; 2]> {
        let entry = &self.occupied.entry;
        let number = (self.index() - entry.polygon_count()) as usize;
        let (end, start) = (self.occupied.joints[number]?, entry.link_starts[number]?);
        let start_polygon =
            PolyRef::from_checked(self.reference.salt(), self.reference.slot(), start.polygon);
        let both_ways = entry.tile.off_mesh_links()[number].direction != 0;
        Some([Some((end.polygon, end.point)), both_ways.then_some((start_polygon, start.point))])
    }

    /// Calls `visit` for every link over an edge, in the order of edges, then of neighbouring tiles, until it breaks.
    #[inline]
    pub(crate) fn visit_links(&self, mut visit: impl FnMut(Link) -> ControlFlow<()>) -> ControlFlow<()> {
        let entry = &self.occupied.entry;
        for (number, (edge, right, left)) in entry.edges(self.index()).enumerate() {
            self.visit_links_over(number as u8, edge, right, left, &mut visit)?;
        }
        ControlFlow::Continue(())
    }

    /// The same for the links over one edge, which runs from `right` to `left`.
    #[inline]
    pub(crate) fn visit_links_over(
        &self,
        number: u8,
        edge: HalfEdge,
        right: Vec3,
        left: Vec3,
        mut visit: impl FnMut(Link) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match edge.beyond() {
            Beyond::Polygon(polygon) => {
                let to = self.reference.beside(polygon);
                visit(Link { to, edge: Some(number), left, right })?;
            }
            Beyond::Portal { portal, side } => {
                let side = usize::from(side);
                for link in
                    self.occupied.seams[side].of_portal(portal, self.occupied.entry.portals[side].start)
                {
                    visit(Link { to: link.to, edge: Some(number), left: link.left, right: link.right })?;
                }
            }
            Beyond::Wall => {}
        }
        ControlFlow::Continue(())
    }

    /// The side of the tile that a link of this polygon crosses, 0 to 3; `None` if it stays in the tile, or is no way
    /// over an edge.
    pub(crate) fn side_of(&self, link: &Link) -> Option<usize> {
        let edge = link.edge.filter(|_| link.to.slot() != self.reference.slot())?;
        let (edge, ..) = self.occupied.entry.edges(self.index()).nth(usize::from(edge))?;
        match edge.beyond() {
            Beyond::Portal { side, .. } => Some(usize::from(side & 3)),
            _ => None,
        }
    }

    /// The polygon beyond a link, if the filter lets it pass.
    #[inline]
    pub(crate) fn enterable(
        &self,
        mesh: &'a NavMesh,
        link: &Link,
        filter: &impl CostModel,
    ) -> Option<Located<'a>> {
        self.beyond(mesh, link).filter(|next| filter.passes(&next.attributes()))
    }

    /// The polygon that a link of this one leads to. Always there: a link goes with the tile it leads to.
    #[inline]
    pub(crate) fn beyond(&self, mesh: &'a NavMesh, link: &Link) -> Option<Located<'a>> {
        if link.to.slot() == self.reference.slot() {
            return Some(Located { occupied: self.occupied, reference: link.to });
        }
        mesh.locate_node(link.to).ok()
    }

    /// The opening to a neighbour; `None` if there is no way. Where several edges in a row lead to it (two tiles
    /// cut the same straight border differently) the opening runs over all of them.
    pub(crate) fn opening_to(&self, to: PolyRef) -> Option<Link> {
        let mut opening: Option<Link> = None;
        let flow = self.visit_ways(|link| {
            if link.to == to {
                match &mut opening {
                    None => opening = Some(link),
                    Some(known) if link.right == known.left => known.left = link.left,
                    Some(known) if link.left == known.right => known.right = link.right,
                    Some(_) => {}
                }
            }
            ControlFlow::Continue(())
        });
        debug_assert!(flow.is_continue());
        opening
    }
}

impl NavMesh {
    /// Calls `visit` for every way out of a polygon: its edges in order, at a seam every polygon beyond, then the
    /// off-mesh links that start on it or lead both ways; or for every way off an off-mesh link.
    pub fn visit_links(&self, polygon: PolyRef, mut visit: impl FnMut(Link)) -> Result<(), RefError> {
        let flow = self.locate_node(polygon)?.visit_ways(|link| {
            visit(link);
            ControlFlow::Continue(())
        });
        debug_assert!(flow.is_continue());
        Ok(())
    }
}
