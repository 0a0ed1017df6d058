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
use std::collections::BTreeSet;
use std::sync::Arc;

/// The tiles that links end in, each once, sorted.
fn end_tiles(links: &[OffMeshLink]) -> BTreeSet<TileCoord> {
    links.iter().map(end_tile).collect()
}

impl Inner {
    /// Joins the links that start or end in a tile that was just put into its slot and into the index.
    pub(super) fn join_off_mesh(&mut self, here: TileInSlot<'_>) {
        let (coord, own) = (here.data.coord, here.data.tile.off_mesh_links());
        // Links by slot and number, with the slot that they end in.
        let starting = (0..).zip(own).filter_map(|(number, link)| {
            let far = self.index.slot(end_tile(link))?;
            Some((here.slot, number, far))
        });
        let mut links: Vec<(u32, u32, u32)> = starting.collect();
        for slot in self.incoming.at(coord) {
            let Some(other) = self.loaded(slot) else { continue };
            let others = (0..).zip(other.data.tile.off_mesh_links());
            let ending = others.filter(|(_, link)| end_tile(link) == coord);
            links.extend(ending.map(|(number, _)| (slot, number, here.slot)));
        }
        let mut ends = Vec::new();
        for (slot, number, far) in links {
            if let Some(target) = self.join(slot, number, far, &mut ends)
                && let Some(tile) = self.loaded_mut(slot)
            {
                Arc::make_mut(&mut tile.link_targets)[number as usize] = Some(target);
            }
        }
        for end in end_tiles(own) {
            self.incoming.insert(end, here.slot);
        }
        self.add_link_ends(ends);
    }

    /// Joins link `number` of the tile in `slot` with the tile in slot `far`, if there is ground at both ends: returns
    /// where the link ends, and adds its two ends to `ends`, each with the slot of its tile.
    fn join(&self, slot: u32, number: u32, far: u32, ends: &mut Vec<(u32, LinkEnd)>) -> Option<Place> {
        let (data, beyond) = (&self.loaded(slot)?.data, self.loaded(far)?);
        let record = &data.tile.off_mesh_links()[number as usize];
        let start = data.link_starts[number as usize]?;
        let end = beyond.data.snap(self.anchor, global(&data.tile, record.end), record.radius)?;
        let link = self.loaded(slot)?.node(slot, data.polygon_count() + number).reference;
        let link_end = |place: LocalPlace, at_end: bool| {
            let leaves = !at_end || record.direction != 0;
            LinkEnd { polygon: place.polygon, link, at_end, leaves, point: place.point }
        };
        ends.extend([(slot, link_end(start, false)), (far, link_end(end, true))]);
        Some(Place { polygon: beyond.node(far, end.polygon).reference, point: end.point })
    }

    /// Unjoins the links that start or end in a tile that was just taken out of its slot.
    pub(super) fn unjoin_off_mesh(&mut self, removed: &LoadedTile, slot: u32) {
        let tile = &removed.data.tile;
        for end in end_tiles(tile.off_mesh_links()) {
            self.incoming.remove(end, slot);
        }
        let far: BTreeSet<u32> =
            removed.link_targets.iter().flatten().map(|target| target.polygon.slot()).collect();
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
