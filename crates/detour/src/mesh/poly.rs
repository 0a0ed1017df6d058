//! A polygon or an off-mesh link, looked up: the view of a node of the graph that queries work with.

use super::NavMesh;
use super::page::{JoinedLink, LoadedTile};
use crate::error::RefError;
use crate::filter::{Attributes, CostModel};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navtile::layout::OffMeshLink;

/// A polygon or an off-mesh link of a loaded tile. Only polygons have a surface and edges; callers that need
/// those look references up by [`NavMesh::locate`].
#[derive(Clone, Copy)]
pub(crate) struct Poly<'a> {
    pub(crate) tile: &'a LoadedTile,
    pub(crate) reference: PolyRef,
}

/// An off-mesh link, taken in one direction. It can be crossed anywhere along two edges: all crossings are
/// parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinkCrossing {
    /// The middle of the entry edge.
    pub(crate) start: Place,
    /// The middle of the exit edge.
    pub(crate) end: Place,
    /// The vector from either middle to the end of its edge, metres; zero for a link between points.
    pub(crate) half: Vec3,
}

impl LinkCrossing {
    pub(crate) fn reversed(self) -> LinkCrossing {
        LinkCrossing { start: self.end, end: self.start, half: self.half }
    }

    /// Both ends of the entry edge; equal for a link between points.
    pub(crate) fn entry_edge(&self) -> [Vec3; 2] {
        [self.start.point - self.half, self.start.point + self.half]
    }
}

impl LoadedTile {
    /// The polygon or off-mesh link with this index; `slot` is the tile's own.
    #[inline]
    pub(crate) fn node(&self, slot: u32, index: u32) -> Poly<'_> {
        Poly { tile: self, reference: PolyRef::from_checked(self.salt, slot, index) }
    }

    /// The polygons of the tile; `slot` is the tile's own.
    pub(crate) fn polygons(&self, slot: u32) -> impl Iterator<Item = Poly<'_>> {
        (0..self.surface.polygon_count()).map(move |index| self.node(slot, index))
    }
}

impl<'a> Poly<'a> {
    /// Its index in the tile: polygons first, then off-mesh links.
    #[inline]
    pub(crate) fn index(&self) -> u32 {
        self.reference.polygon()
    }

    #[inline]
    pub(crate) fn attributes(&self) -> Attributes {
        let (flags, area) = self.tile.flags_and_area(self.index());
        Attributes { polygon: self.reference, flags, area }
    }

    #[inline]
    pub(crate) fn is_off_mesh(&self) -> bool {
        self.index() >= self.tile.surface.polygon_count()
    }

    /// Another polygon or off-mesh link of the same tile.
    #[inline]
    pub(crate) fn sibling(&self, reference: PolyRef) -> Poly<'a> {
        Poly { tile: self.tile, reference }
    }

    /// The node that a link of this node leads to. Like [`NavMesh::locate_node`], but quick within the tile.
    #[inline]
    pub(crate) fn follow(&self, mesh: &'a NavMesh, to: PolyRef) -> Result<Poly<'a>, RefError> {
        if to.slot() == self.reference.slot() { Ok(self.sibling(to)) } else { mesh.locate_node(to) }
    }

    /// The node that a link of this node leads to, if it passes the filter.
    #[inline]
    pub(crate) fn enterable(
        &self,
        mesh: &'a NavMesh,
        to: PolyRef,
        filter: &impl CostModel,
    ) -> Option<Poly<'a>> {
        self.follow(mesh, to).ok().filter(|next| filter.passes(&next.attributes()))
    }

    /// Returns true if a polygon has at most one portal, which is within its tile, and no off-mesh link
    /// touches the tile.
    #[inline]
    pub(crate) fn is_dead_end(&self) -> bool {
        !self.tile.has_link_ends() && self.tile.surface.is_dead_end(self.index())
    }

    /// The record of an off-mesh link, and its number in its tile; `None` for a polygon.
    pub(crate) fn off_mesh_record(&self) -> Option<(usize, &'a OffMeshLink)> {
        let data = &self.tile.data;
        let number = self.index().checked_sub(data.surface.polygon_count())? as usize;
        data.tile.off_mesh_links().get(number).map(|link| (number, link))
    }

    /// The crossing of an off-mesh link from its start; `None` for a polygon, or while the link is not
    /// joined.
    pub(crate) fn off_mesh_crossing(&self) -> Option<LinkCrossing> {
        let (number, _) = self.off_mesh_record()?;
        let start = self.tile.data.link_starts[number]?;
        let JoinedLink { start: point, end, half } = self.tile.link_targets[number]?;
        let start = Place { polygon: self.reference.with_index(start.polygon), point };
        Some(LinkCrossing { start, end, half })
    }

    /// The crossing in the direction that leads off a polygon, entered at `point`. If the polygon is at the
    /// link's end, the crossing is reversed.
    pub(crate) fn off_mesh_crossing_from(&self, polygon: PolyRef, point: Vec3) -> Option<LinkCrossing> {
        let crossing = self.off_mesh_crossing()?;
        let is_at_start = crossing.start == Place { polygon, point };
        Some(if is_at_start { crossing } else { crossing.reversed() })
    }
}
