//! Off-mesh links as the user sees them: jumps, ladders, teleporters.

use super::{Located, NavMesh};
use crate::error::{RefError, RefProblem};
use crate::poly_ref::PolyRef;
use crate::query::find_path::Place;
use glam::Vec3;
use navtile::layout::OffMeshLink;

/// An off-mesh link of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffMesh {
    /// The link's own reference, as it stands in paths.
    pub link: PolyRef,
    /// Where its start and its end meet the ground; `None` while the tile it ends in is not loaded, or has no
    /// ground there, so that nothing leads onto it.
    pub ends: Option<[Place; 2]>,
    /// Whether it can be taken from end to start too.
    pub both_ways: bool,
    /// The user's own number.
    pub user_id: u64,
    /// Its flags as they are now.
    pub flags: u32,
    /// Its area as it is now, 1..=255.
    pub area: u8,
}

impl<'a> Located<'a> {
    /// The record of an off-mesh link, and its number in its tile; `None` for a polygon.
    pub(crate) fn off_mesh_record(&self) -> Option<(usize, &'a OffMeshLink)> {
        let entry = &self.occupied.entry;
        let number = self.index().checked_sub(entry.polygon_count())? as usize;
        entry.tile.off_mesh_links().get(number).map(|link| (number, link))
    }

    /// The ways from a polygon onto off-mesh links: the link, and where it is stepped onto, metres from the anchor.
    #[inline]
    pub(crate) fn ways_onto_links(&self) -> impl Iterator<Item = (PolyRef, Vec3)> + use<'a> {
        let landings = self.occupied.landings_on(self.index()).iter();
        landings.filter(|landing| landing.leaves).map(|landing| (landing.link, landing.point))
    }

    /// Where an off-mesh link meets the ground; `None` for a polygon, or while the link is not joined.
    pub(crate) fn off_mesh_ends(&self) -> Option<[Place; 2]> {
        let (number, _) = self.off_mesh_record()?;
        let start = self.occupied.entry.link_starts[number]?;
        let end = self.occupied.joints[number]?;
        let polygon = PolyRef::from_checked(self.reference.salt(), self.reference.slot(), start.polygon);
        Some([Place { polygon, point: start.point }, Place { polygon: end.polygon, point: end.point }])
    }
}

impl NavMesh {
    /// Whether a reference names an off-mesh link, not a polygon.
    pub fn is_off_mesh(&self, reference: PolyRef) -> Result<bool, RefError> {
        Ok(self.locate_node(reference)?.is_off_mesh())
    }

    /// What there is to know of an off-mesh link.
    pub fn off_mesh(&self, link: PolyRef) -> Result<OffMesh, RefError> {
        let located = self.locate_node(link)?;
        let (_, record) = located
            .off_mesh_record()
            .ok_or(RefError { reference: link, problem: RefProblem::NoOffMeshLink })?;
        let attributes = located.attributes();
        Ok(OffMesh {
            link,
            ends: located.off_mesh_ends(),
            both_ways: record.direction != 0,
            user_id: record.user_id,
            flags: attributes.flags,
            area: attributes.area,
        })
    }

    /// All off-mesh links, joined or not, tile by tile in the order of their slots.
    pub fn off_mesh_links(&self) -> impl Iterator<Item = PolyRef> {
        self.slots().flat_map(|(slot, occupied)| {
            let entry = &occupied.entry;
            let links = entry.polygon_count()..entry.node_count();
            links.map(move |index| PolyRef::from_checked(occupied.salt, slot, index))
        })
    }
}
