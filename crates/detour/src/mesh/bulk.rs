//! Many tiles at once, as a mesh starts from a file: neighbours are matched once for each pair, and islands are found in
//! one sweep instead of being joined tile by tile.
//! Cost: linear in polygons, edges and links, and a sort of the tiles.

use super::entry::TileEntry;
use super::index::Row;
use super::joints::Placed;
use super::labels::{Labels, NONE, TileLabels};
use super::page::{Occupied, PAGE_SLOTS, Page};
use super::seams::{Seam, column_beyond, link_pair};
use super::{Inner, NavMesh};
use crate::error::MeshError;
use crate::poly_ref::PolyRef;
use navmath::Sets;
use navmath::limit::check;
use navtile::Tile;
use std::sync::Arc;

/// A tile that has just got its slot.
struct New {
    entry: Arc<TileEntry>,
    slot: u32,
    salt: u32,
    seams: Vec<Seam>,
}

impl NavMesh {
    /// Adds tiles as [`NavMesh::add_tile`] does one after the other in the order of their coordinates, but faster. All
    /// of them or none: refused, with the mesh as it was, if one of them would be, or two have the same coordinate.
    pub fn add_tiles(&mut self, tiles: impl IntoIterator<Item = Tile>) -> Result<(), MeshError> {
        let mut tiles: Vec<Tile> = tiles.into_iter().collect();
        tiles.sort_by_key(Tile::coord);
        if let Some(pair) = tiles.windows(2).find(|pair| pair[0].coord() == pair[1].coord()) {
            return Err(MeshError::Duplicate(pair[0].coord()));
        }
        let mut lattice = self.inner.lattice;
        let mut entries = Vec::with_capacity(tiles.len());
        for tile in tiles {
            if self.inner.index.slot(tile.coord()).is_some() {
                return Err(MeshError::Duplicate(tile.coord()));
            }
            let entry = self.prepare(tile, lattice)?;
            lattice = Some(entry.tile.lattice());
            entries.push(entry);
        }
        let slots = self.inner.free_slots(entries.len());
        let highest = slots.last().map_or(0, |last| *last as u64 + 1);
        check("tiles a mesh", highest, u64::from(PolyRef::MAX_SLOT) + 1, "bake larger tiles")?;
        Arc::make_mut(&mut self.inner).insert_all(entries.into_iter().zip(slots));
        Ok(())
    }
}

impl Inner {
    /// The lowest so many free slots, perhaps of pages that are not there yet, ascending.
    fn free_slots(&self, count: usize) -> Vec<usize> {
        let there = self.pages.iter().zip(0..).filter(|(page, _)| page.occupied < PAGE_SLOTS);
        let free = there.flat_map(|(page, number): (&Arc<Page>, usize)| {
            let slots = page.slots.iter().enumerate().filter(|(_, slot)| slot.occupied.is_none());
            slots.map(move |(slot, _)| number * PAGE_SLOTS + slot)
        });
        free.chain(self.pages.len() * PAGE_SLOTS..).take(count).collect()
    }

    /// Puts tiles into free slots, at free coordinates, and links them. Nothing here fails.
    fn insert_all(&mut self, entries: impl Iterator<Item = (Arc<TileEntry>, usize)>) {
        let was_empty = self.index.len() == 0;
        let mut new: Vec<New> = entries.map(|(entry, free)| self.place(entry, free)).collect();
        let mut number_of = vec![NONE; self.pages.len() * PAGE_SLOTS];
        for (tile, number) in new.iter().zip(0..) {
            number_of[tile.slot as usize] = number;
        }
        self.link_all(&mut new, &number_of);
        for tile in &new {
            let here = Placed { entry: &tile.entry, slot: tile.slot, salt: tile.salt };
            // Links among the new tiles are joined from where they start.
            self.join_links(here, |from| number_of[from as usize] == NONE);
        }
        let slots: Vec<u32> = new.iter().map(|tile| tile.slot).collect();
        self.relabel(|labels, inner| {
            if was_empty {
                labels.attach_all(inner, &slots);
            } else {
                slots.iter().for_each(|slot| labels.attach(inner, *slot));
            }
        });
    }

    /// Puts a tile into its slot and into the index.
    fn place(&mut self, entry: Arc<TileEntry>, free: usize) -> New {
        while self.pages.len() <= free / PAGE_SLOTS {
            self.pages.push(Arc::new(Page::empty()));
        }
        let page = Arc::make_mut(&mut self.pages[free / PAGE_SLOTS]);
        page.occupied += 1;
        let place = &mut page.slots[free % PAGE_SLOTS];
        let (slot, salt) = (free as u32, place.next_salt);
        place.occupied = Some(Occupied::new(entry.clone(), salt));
        self.lattice = Some(entry.tile.lattice());
        self.index.insert(Row { coord: entry.tile.coord(), slot, bounds: entry.bounds });
        New { entry, slot, salt, seams: Vec::new() }
    }

    /// Links new tiles with each other and with those that were there. `number_of` tells a slot's new tile.
    fn link_all(&mut self, new: &mut [New], number_of: &[u32]) {
        let mut to_old: Vec<(u32, Seam)> = Vec::new();
        for number in 0..new.len() {
            let (entry, slot, salt) = (new[number].entry.clone(), new[number].slot, new[number].salt);
            let coord = entry.tile.coord();
            for side in (0..4u8).filter(|side| !entry.portals[usize::from(*side)].is_empty()) {
                let Some((x, z)) = column_beyond(coord, side) else { continue };
                for row in self.index.column(x, z) {
                    let other_number = number_of[row.slot as usize];
                    let is_new = other_number != NONE;
                    // Of two new tiles the first in order has seen to both.
                    if is_new && row.coord < coord {
                        continue;
                    }
                    let Some(other) = self.occupied(row.slot) else { continue };
                    if other.entry.portals[usize::from(Tile::opposite(side))].is_empty() {
                        continue;
                    }
                    let [forth, back] = link_pair(&entry, side, &other.entry, self.anchor);
                    if forth.is_empty() {
                        continue;
                    }
                    new[number].seams.push(Seam {
                        side,
                        neighbour: row.coord,
                        slot: row.slot,
                        salt: other.salt,
                        links: Arc::new(forth),
                    });
                    let links = Arc::new(back);
                    let seam = Seam { side: Tile::opposite(side), neighbour: coord, slot, salt, links };
                    match is_new {
                        true => new[other_number as usize].seams.push(seam),
                        false => to_old.push((row.slot, seam)),
                    }
                }
            }
        }
        for tile in new {
            tile.seams.sort_unstable_by_key(|seam| (seam.side, seam.neighbour));
            if let Some(occupied) = self.occupied_mut(tile.slot)
                && !tile.seams.is_empty()
            {
                occupied.seams = std::mem::take(&mut tile.seams).into();
            }
        }
        for (slot, seam) in to_old {
            self.edit_seams(slot, |_| true, Some(seam));
        }
    }
}

impl Labels {
    /// Puts the parts of all tiles into islands, where there are none yet. The tiles, in ascending slots, are linked
    /// already.
    fn attach_all(&mut self, inner: &Inner, slots: &[u32]) {
        // The number of each slot's first part, over all tiles.
        let mut first = vec![0; inner.pages.len() * PAGE_SLOTS];
        let mut parts = 0;
        for &slot in slots {
            let Some(occupied) = inner.occupied(slot) else { continue };
            let (local, count) = self.local(occupied, slot);
            *self.tile_mut(slot) = TileLabels::without_islands(local, count);
            first[slot as usize] = parts;
            parts += count;
        }
        let mut sets = Sets::new(parts);
        for &slot in slots {
            self.visit_crossings(inner, slot, |local, (other, there)| {
                // Every way is seen from both ends.
                if other < slot {
                    sets.join(first[slot as usize] + local, first[other as usize] + there);
                }
            });
        }
        let mut islands = Vec::with_capacity(parts as usize);
        for part in 0..parts {
            let root = sets.root(part);
            // A root is the smallest of its set, and so has its island before the others.
            islands.push(if root == part { self.fresh() } else { islands[root as usize] });
        }
        for &slot in slots {
            let start = first[slot as usize] as usize;
            self.tile_mut(slot).set_islands(&islands[start..]);
        }
    }
}
