//! Joining off-mesh links: a link is in the mesh while its start tile and its end tile are both loaded and
//! both of its ends snap to a polygon. Cost of adding a tile: a snap for each of its links and for each link
//! of other tiles that ends in it. Cost of removing a tile: linear in these links. Neither visits the lists
//! of other links there.

use super::Inner;
use super::page::{JoinedLink, LinkEnd, LinkEndKey, LoadedTile};
use super::seams::TileInSlot;
use super::tile_data::JoinedEdges;
use crate::place::Place;
use glam::Vec3;
use navtile::off_mesh::end_tile;
use std::sync::Arc;

impl Inner {
    /// Joins the links that start or end in a tile that was just put into its slot and into the index.
    pub(super) fn join_off_mesh(&mut self, here: TileInSlot<'_>) {
        let (coord, own) = (here.data.coord, here.data.tile.off_mesh_links());
        // Links by slot and number, with the slot of their end.
        let starting = (0..).zip(own).filter_map(|(number, link)| {
            let far = self.index.slot(end_tile(link))?;
            Some((here.slot, number, far))
        });
        let mut links: Vec<(u32, u32, u32)> = starting.collect();
        links.extend(self.incoming.at(coord).map(|(slot, number)| (slot, number, here.slot)));
        let mut ends = Vec::new();
        for (slot, number, far) in links {
            if let Some(target) = self.join(slot, number, far, &mut ends)
                && let Some(tile) = self.loaded_mut(slot)
            {
                Arc::make_mut(&mut tile.link_targets)[number as usize] = Some(target);
            }
        }
        for (number, link) in (0..).zip(own) {
            self.incoming.insert(end_tile(link), here.slot, number);
        }
        self.add_link_ends(ends);
    }

    /// Joins link `number` of the tile in `slot` with the tile in slot `far`, if there is ground at both
    /// ends. Returns its target, and adds its two ends to `ends`, each with the slot of its tile.
    fn join(&self, slot: u32, number: u32, far: u32, ends: &mut Vec<(u32, LinkEnd)>) -> Option<JoinedLink> {
        let (data, beyond) = (&self.loaded(slot)?.data, self.loaded(far)?);
        let record = &data.tile.off_mesh_links()[number as usize];
        let JoinedEdges { polygons: [from, to], middles: [start, end], half } =
            data.join_link(self.anchor, number, &beyond.data)?;
        let link = self.loaded(slot)?.node(slot, data.surface.polygon_count() + number).reference;
        let link_end = |polygon: u32, point: Vec3, at_end: bool| {
            let leaves = !at_end || record.direction != 0;
            LinkEnd { polygon, link, at_end, leaves, point, half }
        };
        ends.extend([(slot, link_end(from, start, false)), (far, link_end(to, end, true))]);
        let end = Place { polygon: beyond.node(far, to).reference, point: end };
        Some(JoinedLink { start, end, half })
    }

    /// Unjoins the links that start or end in a tile that was just taken out of its slot.
    pub(super) fn unjoin_off_mesh(&mut self, removed: &LoadedTile, slot: u32) {
        let tile = &removed.data.tile;
        let first = removed.surface.polygon_count();
        for (number, link) in (0..).zip(tile.off_mesh_links()) {
            self.incoming.remove(end_tile(link), slot, number);
            if let Some(JoinedLink { end, .. }) = removed.link_targets[number as usize] {
                let link = removed.node(slot, first + number).reference;
                self.remove_link_end(end.polygon.slot(), (end.polygon.polygon(), link, true));
            }
        }
        let ended_here: Vec<(u32, u32)> = self.incoming.at(tile.coord()).collect();
        for (from, number) in ended_here {
            let Some(other) = self.loaded_mut(from) else { continue };
            let (place, data) = (number as usize, &other.data);
            let start = data.link_starts[place].filter(|_| other.link_targets[place].is_some());
            let Some(start) = start else { continue };
            let link = other.node(from, data.surface.polygon_count() + number).reference;
            Arc::make_mut(&mut other.link_targets)[place] = None;
            other.remove_link_end(&(start.polygon, link, false));
        }
    }

    fn remove_link_end(&mut self, slot: u32, key: LinkEndKey) {
        if let Some(tile) = self.loaded_mut(slot) {
            tile.remove_link_end(&key);
        }
    }

    fn add_link_ends(&mut self, new: Vec<(u32, LinkEnd)>) {
        for (slot, end) in new {
            if let Some(tile) = self.loaded_mut(slot) {
                tile.add_link_end(end);
            }
        }
    }
}
