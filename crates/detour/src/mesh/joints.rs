//! Joining off-mesh links: a link is in the mesh while the tile it starts in and the tile it ends in are there and
//! both of its ends snap to a polygon. Cost of a tile that comes: a snap for each of its links, and for each link of
//! other tiles that ends in it; of one that goes: its links and those.

use super::Inner;
use super::entry::{Foot, TileEntry};
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navtile::TileCoord;
use navtile::layout::OffMeshLink;
use navtile::off_mesh::{end_tile, global};
use std::sync::Arc;

/// Where a link ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Joint {
    pub(crate) polygon: PolyRef,
    /// Metres from the anchor.
    pub(crate) point: Vec3,
}

/// An end of a link on a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Landing {
    pub(crate) polygon: u32,
    /// The link.
    pub(crate) link: PolyRef,
    /// Whether it is the link's end, not its start.
    at_end: bool,
    /// Whether one may step onto the link here.
    pub(crate) leaves: bool,
    /// Metres from the anchor.
    pub(crate) point: Vec3,
}

/// A tile's place.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) entry: &'a Arc<TileEntry>,
    pub(crate) slot: u32,
    pub(crate) salt: u32,
}

impl Placed<'_> {
    /// A reference to a polygon or link of it.
    pub(crate) fn reference(&self, index: u32) -> PolyRef {
        PolyRef::from_checked(self.salt, self.slot, index)
    }

    /// Joins link `number` of this tile with the tile it ends in, if there is ground at both ends.
    fn join(
        &self,
        number: usize,
        far: &Placed<'_>,
        anchor: [f64; 3],
        landings: &mut Vec<(u32, Landing)>,
    ) -> Option<Joint> {
        let record = &self.entry.tile.off_mesh_links()[number];
        let start = self.entry.link_starts[number]?;
        let end = far.entry.foot(anchor, global(&self.entry.tile, record.end), record.radius)?;
        let link = self.reference(self.entry.polygon_count() + number as u32);
        let landing = |foot: Foot, at_end: bool| {
            let leaves = !at_end || record.direction != 0;
            Landing { polygon: foot.polygon, link, at_end, leaves, point: foot.point }
        };
        landings.extend([(self.slot, landing(start, false)), (far.slot, landing(end, true))]);
        Some(Joint { polygon: far.reference(end.polygon), point: end.point })
    }
}

/// The tiles that links end in, each once, sorted.
fn ends(links: &[OffMeshLink]) -> Vec<TileCoord> {
    let mut ends: Vec<TileCoord> = links.iter().map(end_tile).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

impl Inner {
    /// Joins the links that start or end in a tile that was just put into its slot and into the index.
    pub(super) fn join_links(&mut self, here: Placed<'_>) {
        let (coord, anchor) = (here.entry.coord, self.anchor);
        if here.entry.link_starts.is_empty() && self.waiting.at(coord).next().is_none() {
            return;
        }
        let mut landings = Vec::new();
        let mut joints: Vec<Option<Joint>> = vec![None; here.entry.link_starts.len()];
        for (number, link) in here.entry.tile.off_mesh_links().iter().enumerate() {
            let Some(slot) = self.index.slot(end_tile(link)) else { continue };
            let Some(far) = self.occupied(slot) else { continue };
            let far = Placed { entry: &far.entry, slot, salt: far.salt };
            joints[number] = here.join(number, &far, anchor, &mut landings);
        }
        if let Some(occupied) = self.occupied_mut(here.slot)
            && !joints.is_empty()
        {
            occupied.joints = joints.into();
        }
        let from: Vec<u32> = self.waiting.at(coord).collect();
        for slot in from {
            let Some(other) = self.occupied(slot) else { continue };
            let (entry, salt, mut joints) = (other.entry.clone(), other.salt, other.joints.to_vec());
            let other = Placed { entry: &entry, slot, salt };
            for (number, joint) in joints.iter_mut().enumerate() {
                if end_tile(&entry.tile.off_mesh_links()[number]) == coord {
                    *joint = other.join(number, &here, anchor, &mut landings);
                }
            }
            if joints.iter().any(|joint| joint.is_some_and(|joint| joint.polygon.slot() == here.slot))
                && let Some(other) = self.occupied_mut(slot)
            {
                other.joints = joints.into();
            }
        }
        for end in ends(here.entry.tile.off_mesh_links()) {
            self.waiting.insert(end, here.slot);
        }
        self.add_landings(landings);
    }

    /// Takes the links apart that start or end in a tile that was just taken out of its slot.
    pub(super) fn part_links(&mut self, entry: &TileEntry, joints: &[Option<Joint>], slot: u32) {
        for end in ends(entry.tile.off_mesh_links()) {
            self.waiting.remove(end, slot);
        }
        let mut far: Vec<u32> = joints.iter().flatten().map(|joint| joint.polygon.slot()).collect();
        far.sort_unstable();
        far.dedup();
        for far in far.into_iter().filter(|far| *far != slot) {
            self.keep_landings(far, |landing| landing.link.slot() != slot);
        }
        let from: Vec<u32> = self.waiting.at(entry.tile.coord()).collect();
        for from in from {
            let Some(other) = self.occupied(from) else { continue };
            let first = other.entry.polygon_count();
            let mut joints = other.joints.to_vec();
            let mut parted = vec![false; joints.len()];
            for (joint, parted) in joints.iter_mut().zip(&mut parted) {
                *parted = joint.is_some_and(|joint| joint.polygon.slot() == slot);
                *joint = joint.filter(|_| !*parted);
            }
            if !parted.contains(&true) {
                continue;
            }
            if let Some(other) = self.occupied_mut(from) {
                other.joints = joints.into();
            }
            self.keep_landings(from, |landing| {
                landing.link.slot() != from || !parted[(landing.link.polygon() - first) as usize]
            });
        }
    }

    fn keep_landings(&mut self, slot: u32, keep: impl Fn(&Landing) -> bool) {
        let Some(occupied) = self.occupied_mut(slot) else { return };
        occupied.landings = occupied.landings.iter().filter(|landing| keep(landing)).copied().collect();
    }

    fn add_landings(&mut self, mut new: Vec<(u32, Landing)>) {
        new.sort_unstable_by_key(|(slot, _)| *slot);
        for group in new.chunk_by(|a, b| a.0 == b.0) {
            let Some(occupied) = self.occupied_mut(group[0].0) else { continue };
            let mut landings = occupied.landings.to_vec();
            landings.extend(group.iter().map(|(_, landing)| *landing));
            landings.sort_unstable_by_key(|landing| (landing.polygon, landing.link, landing.at_end));
            occupied.landings = landings.into();
        }
    }
}
