//! Off-mesh links as callers see them: jumps, ladders, teleporters.

use super::NavMesh;
use super::link_edges::LinkEdges;
use crate::error::{RefError, RefProblem};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// An off-mesh link of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffMesh {
    /// The link's own reference, as it appears in paths.
    pub link: PolyRef,
    /// The places where its start and its end meet the ground: for a link between edges, the middles of its
    /// edges. `None` while the tile that it ends in is not loaded or has no ground there; then nothing leads
    /// onto the link.
    pub ends: Option<[Place; 2]>,
    /// The vector from the middle of either edge to its end, metres: the link can be crossed anywhere from
    /// `-half_edge` to `half_edge` about `ends`, as far as there is ground. Zero for a link between points,
    /// or while it has no ends.
    pub half_edge: Vec3,
    /// True if it can also be taken from end to start.
    pub both_ways: bool,
    /// The number that the level's author gave it.
    pub user_id: u64,
    /// Its current flags.
    pub flags: u32,
    /// Its current area, 1..=255.
    pub area: u8,
}

impl OffMesh {
    /// The two edges along which the link can be crossed, the edge of its start first. Opposite ends have the
    /// same index, and a crossing leads from a share of the first edge to the same share of the second.
    /// `None` while the link has no ends. A link between points has edges without length.
    pub fn edges(&self) -> Option<[[Vec3; 2]; 2]> {
        self.ends.map(|ends| ends.map(|end| [end.point - self.half_edge, end.point + self.half_edge]))
    }
}

impl NavMesh {
    /// Returns true if a reference names an off-mesh link, false if it names a polygon.
    pub fn is_off_mesh(&self, reference: PolyRef) -> Result<bool, RefError> {
        Ok(self.locate_node(reference)?.is_off_mesh())
    }

    /// Describes an off-mesh link.
    pub fn off_mesh(&self, link: PolyRef) -> Result<OffMesh, RefError> {
        let poly = self.locate_node(link)?;
        let (_, record) =
            poly.off_mesh_record().ok_or(RefError { reference: link, problem: RefProblem::NoOffMeshLink })?;
        let (attributes, crossing) = (poly.attributes(), poly.off_mesh_crossing());
        Ok(OffMesh {
            link,
            ends: crossing.map(|crossing| [crossing.start, crossing.end]),
            half_edge: crossing.map_or(Vec3::ZERO, |crossing| crossing.half),
            both_ways: record.direction != 0,
            user_id: record.user_id,
            flags: attributes.flags,
            area: attributes.area,
        })
    }

    /// Start and end of the crossing of an off-mesh link that begins as near as possible to `near`. The link
    /// is taken from its start, or from its end if `backwards`. `None` while the link is not joined.
    pub fn link_crossing(
        &self,
        link: PolyRef,
        backwards: bool,
        near: Vec3,
    ) -> Result<Option<[Place; 2]>, RefError> {
        let poly = self.locate_node(link)?;
        poly.off_mesh_record().ok_or(RefError { reference: link, problem: RefProblem::NoOffMeshLink })?;
        let Some(crossing) = poly.off_mesh_crossing() else { return Ok(None) };
        let crossing = if backwards { crossing.reversed() } else { crossing };
        let [start, end] = LinkEdges::new(&crossing).crossing_near(near);
        Ok(Some([Place { point: start, ..crossing.start }, Place { point: end, ..crossing.end }]))
    }

    /// All off-mesh links, joined or not, tile by tile in the order of their slots.
    pub fn off_mesh_links(&self) -> impl Iterator<Item = PolyRef> {
        self.slots().flat_map(|(slot, tile)| {
            let links = tile.surface.polygon_count()..tile.surface.node_count();
            links.map(move |index| PolyRef::from_checked(tile.salt, slot, index))
        })
    }
}
