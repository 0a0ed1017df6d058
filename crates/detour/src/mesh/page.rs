//! Slots for tiles, in pages of 256. A snapshot shares its pages with the one it was made from, until it
//! changes one.

use super::entry::TileEntry;
use super::joints::{Joint, Landing};
use super::overlay::Overlay;
use super::seams::Seam;
use super::ways::Ways;
use crate::poly_ref::PolyRef;
use std::sync::{Arc, OnceLock};

/// Slots a page.
pub(crate) const PAGE_SLOTS: usize = 256;
/// The salt of a slot's first tile.
const FIRST_SALT: u32 = 1;

/// A tile in its slot.
#[derive(Clone, Debug)]
pub(crate) struct Occupied {
    pub(crate) entry: Arc<TileEntry>,
    /// The ways over each side.
    pub(crate) seams: [Seam; 4],
    /// For each of the tile's off-mesh links where it ends, while it is joined.
    pub(crate) joints: Arc<[Option<Joint>]>,
    /// Ends of off-mesh links, of this tile and of others, on this tile's polygons. Sorted by polygon, then link.
    pub(crate) landings: Arc<[Landing]>,
    /// Flags and areas that were changed since the tile was loaded.
    pub(crate) overlay: Option<Arc<Overlay>>,
    /// The ways out of its polygons, once a search has asked for them.
    pub(crate) ways: OnceLock<Arc<Ways>>,
    /// The slot's salt while this tile is in it.
    pub(crate) salt: u32,
}

impl Occupied {
    /// A tile that is linked with nothing yet.
    pub(crate) fn new(entry: Arc<TileEntry>, salt: u32) -> Occupied {
        let joints = match entry.link_starts.len() {
            // Nothing is allocated.
            0 => Arc::default(),
            count => std::iter::repeat_n(None, count).collect(),
        };
        let (seams, landings, ways) = (Default::default(), Arc::default(), OnceLock::new());
        Occupied { entry, seams, joints, landings, overlay: None, ways, salt }
    }

    /// The flags and the area, as they are now, of a polygon; or of an off-mesh link, numbered after them.
    #[inline(always)]
    pub(crate) fn flags_and_area(&self, index: u32) -> (u32, u8) {
        match &self.overlay {
            Some(overlay) => overlay.values[index as usize],
            None => self.entry.flags_and_area(index),
        }
    }

    /// The ends of links on a polygon.
    #[inline]
    pub(crate) fn landings_on(&self, polygon: u32) -> &[Landing] {
        if self.landings.is_empty() {
            return &[];
        }
        let start = self.landings.partition_point(|landing| landing.polygon < polygon);
        let length = self.landings[start..].partition_point(|landing| landing.polygon == polygon);
        &self.landings[start..start + length]
    }
}

/// A place for a tile.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The salt that the next tile in this slot gets.
    pub(crate) next_salt: u32,
    pub(crate) occupied: Option<Occupied>,
}

/// 256 slots.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) slots: Vec<Slot>,
    /// The lowest slot without a tile; their number if there is none.
    free: usize,
}

impl Page {
    pub(crate) fn empty() -> Page {
        Page { slots: vec![Slot { next_salt: FIRST_SALT, occupied: None }; PAGE_SLOTS], free: 0 }
    }

    /// The lowest slot without a tile, if there is one.
    pub(crate) fn free(&self) -> Option<usize> {
        Some(self.free).filter(|free| *free < PAGE_SLOTS)
    }

    /// Puts a tile into a slot without one; tells the salt that it got.
    pub(crate) fn fill(&mut self, slot: usize, entry: Arc<TileEntry>) -> u32 {
        let place = &mut self.slots[slot];
        let salt = place.next_salt;
        place.occupied = Some(Occupied::new(entry, salt));
        if slot == self.free {
            let rest = self.slots[slot..].iter();
            self.free = slot + rest.take_while(|slot| slot.occupied.is_some()).count();
        }
        salt
    }

    /// Empties a slot, so that references to its tile go stale.
    pub(crate) fn vacate(&mut self, slot: usize) -> Option<Occupied> {
        let place = &mut self.slots[slot];
        let gone = place.occupied.take()?;
        place.next_salt = if gone.salt == PolyRef::MAX_SALT { FIRST_SALT } else { gone.salt + 1 };
        self.free = self.free.min(slot);
        Some(gone)
    }
}

/// The tile in a slot of these pages, if there is one.
#[inline]
pub(crate) fn occupied(pages: &[Arc<Page>], slot: u32) -> Option<&Occupied> {
    let (page, slot) = (slot as usize / PAGE_SLOTS, slot as usize % PAGE_SLOTS);
    pages.get(page)?.slots[slot].occupied.as_ref()
}

/// The same, to be changed: in a copy of the page if others share it. What it leads to may change, so its ways are
/// forgotten.
pub(crate) fn occupied_mut(pages: &mut [Arc<Page>], slot: u32) -> Option<&mut Occupied> {
    let occupied = occupied_kept(pages, slot)?;
    occupied.ways.take();
    Some(occupied)
}

/// The same for a change to what does not concern its ways: flags and areas.
pub(crate) fn occupied_kept(pages: &mut [Arc<Page>], slot: u32) -> Option<&mut Occupied> {
    let (page, slot) = (slot as usize / PAGE_SLOTS, slot as usize % PAGE_SLOTS);
    Arc::make_mut(pages.get_mut(page)?).slots[slot].occupied.as_mut()
}
