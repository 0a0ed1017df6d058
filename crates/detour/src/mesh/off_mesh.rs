//! Off-mesh links as callers see them: jumps, ladders, teleporters.

use super::NavMesh;
use crate::error::{RefError, RefProblem};
use crate::place::Place;
use crate::poly_ref::PolyRef;

/// An off-mesh link of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffMesh {
    /// The link's own reference, as it appears in paths.
    pub link: PolyRef,
    /// The places where its start and its end meet the ground; `None` while the tile it ends in is not loaded, or has
    /// no ground there, so that nothing leads onto it.
    pub ends: Option<[Place; 2]>,
    /// Whether it can be taken from end to start too.
    pub both_ways: bool,
    /// The number that the level's author gave it.
    pub user_id: u64,
    /// Its current flags.
    pub flags: u32,
    /// Its current area, 1..=255.
    pub area: u8,
}

impl NavMesh {
    /// Whether a reference names an off-mesh link rather than a polygon.
    pub fn is_off_mesh(&self, reference: PolyRef) -> Result<bool, RefError> {
        Ok(self.locate_node(reference)?.is_off_mesh())
    }

    /// Describes an off-mesh link.
    pub fn off_mesh(&self, link: PolyRef) -> Result<OffMesh, RefError> {
        let poly = self.locate_node(link)?;
        let (_, record) =
            poly.off_mesh_record().ok_or(RefError { reference: link, problem: RefProblem::NoOffMeshLink })?;
        let attributes = poly.attributes();
        Ok(OffMesh {
            link,
            ends: poly.off_mesh_ends(),
            both_ways: record.direction != 0,
            user_id: record.user_id,
            flags: attributes.flags,
            area: attributes.area,
        })
    }

    /// All off-mesh links, joined or not, tile by tile in the order of their slots.
    pub fn off_mesh_links(&self) -> impl Iterator<Item = PolyRef> {
        self.slots().flat_map(|(slot, tile)| {
            let links = tile.data.polygon_count()..tile.data.node_count();
            links.map(move |index| PolyRef::from_checked(tile.salt, slot, index))
        })
    }
}
