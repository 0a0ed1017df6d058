//! Slots for tiles, in pages of 256. A snapshot shares its pages with the one it was made from, until it
//! changes one.

use super::entry::TileEntry;
use super::seams::Seam;
use crate::poly_ref::PolyRef;
use std::sync::Arc;

/// Slots a page.
pub(crate) const PAGE_SLOTS: usize = 256;

/// A tile in its slot.
#[derive(Clone, Debug)]
pub(crate) struct Occupied {
    pub(crate) entry: Arc<TileEntry>,
    /// Links to neighbouring tiles, sorted by side, then by the neighbour's coordinate.
    pub(crate) seams: Arc<[Seam]>,
    /// Flags and areas that were changed since the tile was loaded.
    pub(crate) overlay: Option<Arc<Overlay>>,
    /// The slot's salt while this tile is in it.
    pub(crate) salt: u32,
}

impl Occupied {
    /// A polygon's flags and area as they are now.
    #[inline]
    pub(crate) fn flags_and_area(&self, polygon: u32) -> (u32, u8) {
        if let Some(overlay) = &self.overlay {
            return overlay.values[polygon as usize];
        }
        let polygon = self.entry.polygon(polygon);
        (polygon.flags, polygon.area)
    }

    /// The overlay, made from the blob's values if there was none, and not shared.
    pub(crate) fn overlay_mut(&mut self) -> &mut Overlay {
        let entry = &self.entry;
        Arc::make_mut(self.overlay.get_or_insert_with(|| Arc::new(Overlay::of(entry))))
    }
}

/// Run-time flags and areas of a tile's polygons; they win over the blob's.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    pub(crate) values: Vec<(u32, u8)>,
}

impl Overlay {
    fn of(entry: &TileEntry) -> Overlay {
        Overlay { values: entry.tile.polygons().iter().map(|p| (p.flags, p.area)).collect() }
    }
}

/// A place for a tile.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The salt that the next tile in this slot gets.
    pub(crate) next_salt: u32,
    pub(crate) occupied: Option<Occupied>,
}

impl Slot {
    /// Empties the slot, so that references to the tile go stale.
    pub(crate) fn vacate(&mut self) -> Option<Occupied> {
        let gone = self.occupied.take()?;
        self.next_salt = if gone.salt == PolyRef::MAX_SALT { 1 } else { gone.salt + 1 };
        Some(gone)
    }
}

/// 256 slots.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) slots: Vec<Slot>,
    pub(crate) occupied: usize,
}

impl Page {
    pub(crate) fn empty() -> Page {
        Page { slots: vec![Slot { next_salt: 1, occupied: None }; PAGE_SLOTS], occupied: 0 }
    }
}
