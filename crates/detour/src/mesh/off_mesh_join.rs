//! Joining off-mesh links: a link is in the mesh while the tile it starts in and the tile it ends in are both loaded and
//! both of its ends snap to a polygon. Cost of adding a tile: a snap for each of its links and for each link of other
//! tiles that ends in it; of removing one: linear in these links.

use super::Inner;
use super::page::{LinkEnd, LoadedTile};
use super::seams::TileInSlot;
use super::tile_data::LocalPlace;
use crate::place::Place;
use navtile::TileCoord;
use navtile::layout::OffMeshLink;
use navtile::off_mesh::{end_tile, global};

impl TileInSlot<'_> {
    /// Joins link `number` of this tile with the tile it ends in, if there is ground at both ends: returns where the
    /// link ends, and adds its two ends to `ends`, each with the slot of its tile.
    fn join(
        &self,
        number: usize,
        far: &TileInSlot<'_>,
        anchor: [f64; 3],
        ends: &mut Vec<(u32, LinkEnd)>,
    ) -> Option<Place> {
        let record = &self.data.tile.off_mesh_links()[number];
        let start = self.data.link_starts[number]?;
        let end = far.data.snap(anchor, global(&self.data.tile, record.end), record.radius)?;
        let link = self.reference(self.data.polygon_count() + number as u32);
        let link_end = |place: LocalPlace, at_end: bool| {
            let leaves = !at_end || record.direction != 0;
            LinkEnd { polygon: place.polygon, link, at_end, leaves, point: place.point }
        };
        ends.extend([(self.slot, link_end(start, false)), (far.slot, link_end(end, true))]);
        Some(Place { polygon: far.reference(end.polygon), point: end.point })
    }
}

/// The tiles that links end in, each once, sorted.
fn end_tiles(links: &[OffMeshLink]) -> Vec<TileCoord> {
    let mut tiles: Vec<TileCoord> = links.iter().map(end_tile).collect();
    tiles.sort_unstable();
    tiles.dedup();
    tiles
}

impl Inner {
    /// Joins the links that start or end in a tile that was just put into its slot and into the index.
    pub(super) fn join_off_mesh(&mut self, here: TileInSlot<'_>) {
        let (coord, anchor) = (here.data.coord, self.anchor);
        if here.data.link_starts.is_empty() && self.incoming.at(coord).next().is_none() {
            return;
        }
        let mut ends = Vec::new();
        let mut targets: Vec<Option<Place>> = vec![None; here.data.link_starts.len()];
        for (number, link) in here.data.tile.off_mesh_links().iter().enumerate() {
            let Some(slot) = self.index.slot(end_tile(link)) else { continue };
            let Some(far) = self.loaded(slot) else { continue };
            let far = TileInSlot { data: &far.data, slot, salt: far.salt };
            targets[number] = here.join(number, &far, anchor, &mut ends);
        }
        if let Some(tile) = self.loaded_mut(here.slot)
            && !targets.is_empty()
        {
            tile.link_targets = targets.into();
        }
        let from: Vec<u32> = self.incoming.at(coord).collect();
        for slot in from {
            let Some(other) = self.loaded(slot) else { continue };
            let (data, salt, mut targets) = (other.data.clone(), other.salt, other.link_targets.to_vec());
            let other = TileInSlot { data: &data, slot, salt };
            for (number, target) in targets.iter_mut().enumerate() {
                if end_tile(&data.tile.off_mesh_links()[number]) == coord {
                    *target = other.join(number, &here, anchor, &mut ends);
                }
            }
            if targets.iter().flatten().any(|target| target.polygon.slot() == here.slot)
                && let Some(other) = self.loaded_mut(slot)
            {
                other.link_targets = targets.into();
            }
        }
        for end in end_tiles(here.data.tile.off_mesh_links()) {
            self.incoming.insert(end, here.slot);
        }
        self.add_link_ends(ends);
    }

    /// Unjoins the links that start or end in a tile that was just taken out of its slot.
    pub(super) fn unjoin_off_mesh(&mut self, removed: &LoadedTile, slot: u32) {
        let tile = &removed.data.tile;
        for end in end_tiles(tile.off_mesh_links()) {
            self.incoming.remove(end, slot);
        }
        let mut far: Vec<u32> =
            removed.link_targets.iter().flatten().map(|target| target.polygon.slot()).collect();
        far.sort_unstable();
        far.dedup();
        for far in far.into_iter().filter(|far| *far != slot) {
            self.retain_link_ends(far, |end| end.link.slot() != slot);
        }
        let from: Vec<u32> = self.incoming.at(tile.coord()).collect();
        for from in from {
            let Some(other) = self.loaded(from) else { continue };
            let first = other.data.polygon_count();
            let ended_here =
                |target: &Option<Place>| target.is_some_and(|target| target.polygon.slot() == slot);
            let old = other.link_targets.clone();
            if !old.iter().any(ended_here) {
                continue;
            }
            if let Some(other) = self.loaded_mut(from) {
                other.link_targets =
                    old.iter().map(|target| target.filter(|_| !ended_here(target))).collect();
            }
            self.retain_link_ends(from, |end| {
                end.link.slot() != from || !ended_here(&old[(end.link.polygon() - first) as usize])
            });
        }
    }

    fn retain_link_ends(&mut self, slot: u32, keep: impl Fn(&LinkEnd) -> bool) {
        let Some(tile) = self.loaded_mut(slot) else { return };
        tile.link_ends = tile.link_ends.iter().filter(|end| keep(end)).copied().collect();
    }

    fn add_link_ends(&mut self, mut new: Vec<(u32, LinkEnd)>) {
        new.sort_unstable_by_key(|(slot, _)| *slot);
        for group in new.chunk_by(|a, b| a.0 == b.0) {
            let Some(tile) = self.loaded_mut(group[0].0) else { continue };
            let mut ends = tile.link_ends.to_vec();
            ends.extend(group.iter().map(|(_, end)| *end));
            ends.sort_unstable_by_key(|end| (end.polygon, end.link, end.at_end));
            tile.link_ends = ends.into();
        }
    }
}
