//! The links of a polygon or an off-mesh link: over edges within the tile and across seams, and by off-mesh
//! links.

use super::NavMesh;
use super::adjacency::{Adjacency, Portal};
use super::poly::{LinkCrossing, Poly};
use super::seams::SeamLink;
use super::surface::EdgeKind;
use crate::error::RefError;
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// A connection from a polygon to the next through a portal, or onto an off-mesh link, or off it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The polygon or the off-mesh link that the link leads to.
    pub to: PolyRef,
    /// The edge of the polygon that the portal belongs to; `None` for a link onto an off-mesh link or off it.
    /// Its portal is then the contact of the off-mesh link with the ground: one point, or the edge along
    /// which it can be crossed.
    pub edge: Option<u8>,
    /// Left end of the portal as seen when leaving the polygon, metres from the anchor; for an off-mesh link,
    /// either end of its edge.
    pub left: Vec3,
    /// Right end of the portal.
    pub right: Vec3,
}

impl<'a> Poly<'a> {
    /// Calls `visit` for the links over the edges of a polygon, in the order of edges, then of neighbouring
    /// tiles; each with the crossed side of the tile, 0 to 3, or `None` within the tile.
    #[inline(always)]
    fn visit_edge_links(&self, mut visit: impl FnMut(Link, Option<u8>)) {
        for (number, (vertex, right, left)) in self.tile.surface.edges(self.index()).enumerate() {
            let edge = Some(number as u8);
            match vertex.edge_kind() {
                EdgeKind::Wall => {}
                EdgeKind::Internal(index) => {
                    visit(Link { to: self.reference.with_index(index), edge, left, right }, None);
                }
                EdgeKind::Seam { portal, side } => {
                    for SeamLink { to, left, right, .. } in self.seam_links(portal, side).iter().copied() {
                        visit(Link { to, edge, left, right }, Some(side));
                    }
                }
            }
        }
    }

    /// The links over border edge number `portal` of the tile, on a side of the tile, 0 to 3. Most edges have
    /// one link.
    #[inline]
    pub(crate) fn seam_links(&self, portal: u32, side: u8) -> &'a [SeamLink] {
        let tile = self.tile;
        let links = tile.seams[usize::from(side)].links();
        let is_one = |at: usize| links.get(at).is_some_and(|link| link.portal == portal);
        // If each border edge before has one link, the position of the link is known.
        let guess = (portal as usize).wrapping_sub(tile.surface.side_range(side).start);
        let is_first = is_one(guess) && (guess == 0 || !is_one(guess - 1));
        let start = if is_first { guess } else { links.partition_point(|link| link.portal < portal) };
        let mut end = start;
        while is_one(end) {
            end += 1;
        }
        &links[start..end]
    }

    fn portal(&self, link: Link, crossed: Option<u8>) -> Portal {
        let Link { to, edge, left, right } = link;
        Portal {
            to,
            left,
            right,
            edge: edge.unwrap_or(0),
            // A polygon across a seam has a border edge, so it is not a dead end.
            is_to_dead_end: crossed.is_none() && self.sibling(to).is_dead_end(),
            is_part: false,
        }
    }

    /// The portals of a polygon, in the order of edges, then of neighbouring tiles; none for an off-mesh
    /// link.
    #[inline]
    pub(crate) fn portals(&self) -> &'a [Portal] {
        self.numbered_portals().1
    }

    /// The portals of a polygon, and the number of the first of them among the portals of its tile.
    #[inline]
    pub(crate) fn numbered_portals(&self) -> (u32, &'a [Portal]) {
        let (first, portals) = self.adjacency().of(self.index());
        debug_assert!(self.has_portals(portals), "stale portals of {}", self.reference);
        (first, portals)
    }

    /// A portal of the tile by its number.
    #[inline]
    pub(crate) fn tile_portal(&self, number: u32) -> Option<&'a Portal> {
        self.adjacency().portal(number)
    }

    /// Returns true if these are the portals of the polygon.
    fn has_portals(&self, portals: &[Portal]) -> bool {
        let (mut rest, mut same) = (portals.iter(), true);
        if !self.is_off_mesh() {
            self.visit_edge_links(|link, crossed| {
                let expected = self.portal(link, crossed);
                same &= rest.next().is_some_and(|found| Portal { is_part: false, ..*found } == expected);
            });
        }
        same && rest.next().is_none()
    }

    /// The adjacency lists of the tile.
    #[inline]
    fn adjacency(&self) -> &'a Adjacency {
        self.tile.adjacency.get_or_init(|| self.gather_adjacency().into())
    }

    #[cold]
    fn gather_adjacency(&self) -> Adjacency {
        Adjacency::new(self.tile.surface.polygon_count(), |index, portals| {
            let poly = self.sibling(self.reference.with_index(index));
            poly.visit_edge_links(|link, crossed| portals.push(poly.portal(link, crossed)));
        })
    }

    /// Returns true if any off-mesh link starts or ends in the tile.
    #[inline]
    pub(crate) fn has_off_mesh_in_tile(&self) -> bool {
        self.tile.has_link_ends()
    }

    /// The off-mesh links that lead off a polygon, each with the middle of its entry edge and the vector from
    /// there to the edge's end, metres from the anchor.
    #[inline]
    pub(crate) fn off_mesh_from(&self) -> impl Iterator<Item = (PolyRef, [Vec3; 2])> + use<'a> {
        let ends = self.tile.link_ends_on(self.index());
        ends.filter(|end| end.leaves).map(|end| (end.link, [end.point, end.half]))
    }

    /// The off-mesh links that lead onto a polygon.
    pub(crate) fn off_mesh_onto(
        &self,
        mesh: &'a NavMesh,
    ) -> impl Iterator<Item = (PolyRef, LinkCrossing)> + use<'a> {
        self.tile.link_ends_on(self.index()).filter_map(|end| {
            let link = mesh.locate_node(end.link).ok()?;
            let crossing = link.off_mesh_crossing()?;
            let (_, record) = link.off_mesh_record()?;
            match end.at_end {
                true => Some((end.link, crossing)),
                false => (record.direction != 0).then(|| (end.link, crossing.reversed())),
            }
        })
    }

    /// Calls `visit` for the links of a polygon onto off-mesh links; or for the links of an off-mesh link to
    /// the polygons that it leads to: the polygon at its end and, if it is two-way, the polygon at its start.
    pub(crate) fn visit_off_mesh_steps(&self, mut visit: impl FnMut(Link)) {
        let mut step = |to, [point, half]: [Vec3; 2]| {
            visit(Link { to, edge: None, left: point + half, right: point - half });
        };
        let Some((_, record)) = self.off_mesh_record() else {
            return self.off_mesh_from().for_each(|(link, at)| step(link, at));
        };
        if let Some(LinkCrossing { start, end, half }) = self.off_mesh_crossing() {
            step(end.polygon, [end.point, half]);
            if record.direction != 0 {
                step(start.polygon, [start.point, half]);
            }
        }
    }

    /// [`Poly::visit_off_mesh_steps`] as portals: single points, or the edges of the link.
    pub(crate) fn visit_off_mesh_portals(&self, mesh: &NavMesh, mut visit: impl FnMut(&Portal)) {
        self.visit_off_mesh_steps(|link| {
            let is_to_dead_end = self.follow(mesh, link.to).is_ok_and(|next| next.is_dead_end());
            visit(&Portal { is_to_dead_end, ..self.portal(link, None) });
        });
    }

    /// Calls `visit` for all links: for a polygon those over its edges, then those onto off-mesh links; for
    /// an off-mesh link those off it.
    pub(crate) fn visit_links(&self, mut visit: impl FnMut(Link)) {
        if !self.is_off_mesh() {
            self.visit_edge_links(|link, _| visit(link));
        }
        self.visit_off_mesh_steps(visit);
    }

    /// The link to a neighbour, or `None` without a link. If several edges in a row lead to it (two tiles cut
    /// the same straight border differently), the portal spans all of them.
    pub(crate) fn link_to(&self, to: PolyRef) -> Option<Link> {
        let mut found: Option<Link> = None;
        // Edges and their parts come from right to left, and no polygon starts within a row: its first corner
        // is the smallest.
        self.visit_links(|link| match &mut found {
            _ if link.to != to => {}
            None => found = Some(link),
            Some(known) if link.right == known.left => known.left = link.left,
            Some(_) => {}
        });
        found
    }
}

impl NavMesh {
    /// Calls `visit` for every link of a polygon: over its edges in order, at a seam to every polygon across,
    /// then onto the off-mesh links that can be taken from it; or for every link off an off-mesh link.
    pub fn visit_links(&self, polygon: PolyRef, visit: impl FnMut(Link)) -> Result<(), RefError> {
        self.locate_node(polygon)?.visit_links(visit);
        Ok(())
    }
}
