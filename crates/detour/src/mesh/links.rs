//! Where a polygon leads: over its edges within the tile and across its seams, and by off-mesh links.

use super::NavMesh;
use super::entry::Beyond;
use super::page::Occupied;
use super::seams::SeamLink;
use super::ways::Way;
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
        self.each_link(&mut visit)?;
        self.links_onto().try_for_each(visit)
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

    /// Whether off-mesh links start or end anywhere in the tile.
    #[inline]
    pub(crate) fn has_links_in_tile(&self) -> bool {
        !self.occupied.landings.is_empty()
    }

    /// Calls `visit` for every way from a polygon onto off-mesh links, or off one.
    pub(crate) fn each_way_by_link(&self, mesh: &NavMesh, mut visit: impl FnMut(&Way)) {
        let mut visit = |Link { to, left, right, .. }: Link| {
            let is_to_dead_end = self.linked(mesh, to).is_ok_and(|next| next.is_dead_end());
            visit(&Way { to, left, right, middle: left, side: 0, is_to_dead_end });
            ControlFlow::Continue(())
        };
        let flow = if self.is_off_mesh() {
            self.visit_ways(&mut visit)
        } else {
            self.links_onto().try_for_each(&mut visit)
        };
        debug_assert!(flow.is_continue());
    }

    /// What [`NavMesh::locate_node`] finds for a reference that a link of the mesh has: quick in the same tile.
    #[inline]
    pub(crate) fn linked(&self, mesh: &'a NavMesh, to: PolyRef) -> Result<Located<'a>, RefError> {
        if to.slot() == self.reference.slot() { Ok(self.beside(to)) } else { mesh.locate_node(to) }
    }

    /// The links through a portal of the tile on a side, 0 to 3: mostly one.
    #[inline]
    pub(crate) fn seam_links(&self, portal: u32, side: u8) -> &'a [SeamLink] {
        let occupied = self.occupied;
        let links = occupied.seams[usize::from(side)].links();
        let first = occupied.entry.side_range(side).start;
        let is_one = |at: usize| links.get(at).is_some_and(|link| link.portal == portal);
        let place = (portal as usize).wrapping_sub(first);
        let stands_there = is_one(place) && (place == 0 || !is_one(place - 1));
        let start = if stands_there { place } else { links.partition_point(|link| link.portal < portal) };
        let mut end = start;
        while is_one(end) {
            end += 1;
        }
        &links[start..end]
    }

    /// The ways from a polygon onto off-mesh links.
    #[inline]
    pub(crate) fn links_onto(&self) -> impl Iterator<Item = Link> + use<'a> {
        self.ways_onto_links().map(|(to, point)| Link { to, edge: None, left: point, right: point })
    }

    /// Calls `visit` for every link over an edge, in the order of edges, then of neighbouring tiles, until it breaks.
    /// `visit` stands in one place, so that it becomes part of the loop.
    #[inline(always)]
    pub(crate) fn each_link(&self, mut visit: impl FnMut(Link) -> ControlFlow<()>) -> ControlFlow<()> {
        self.each_crossing(|link, _| visit(link))
    }

    /// As [`Located::each_link`], each with the side of the tile that it crosses, 0 to 3; `None` within the tile.
    #[inline(always)]
    pub(crate) fn each_crossing(
        &self,
        mut visit: impl FnMut(Link, Option<u8>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (number, edge, right, left) in self.occupied.entry.leading_edges(self.index()) {
            let edge_number = Some(number as u8);
            let over = |link: &SeamLink| {
                let SeamLink { to, left, right, .. } = *link;
                Link { to, edge: edge_number, left, right }
            };
            let (mut link, crossed, mut further) = match edge.beyond() {
                Beyond::Wall => continue,
                Beyond::Polygon(polygon) => {
                    let to = self.reference.beside(polygon);
                    (Link { to, edge: edge_number, left, right }, None, &[][..])
                }
                Beyond::Portal { portal, side } => {
                    let Some((first, rest)) = self.seam_links(portal, side).split_first() else { continue };
                    (over(first), Some(side), rest)
                }
            };
            loop {
                visit(link, crossed)?;
                let Some((next, rest)) = further.split_first() else { break };
                (link, further) = (over(next), rest);
            }
        }
        ControlFlow::Continue(())
    }

    /// The polygon that a link of this one leads to, if the filter lets it pass.
    #[inline]
    pub(crate) fn enterable(
        &self,
        mesh: &'a NavMesh,
        to: PolyRef,
        filter: &impl CostModel,
    ) -> Option<Located<'a>> {
        self.linked(mesh, to).ok().filter(|next| filter.passes(&next.attributes()))
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
