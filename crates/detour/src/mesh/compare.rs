//! Whether two snapshots have the same tile in a slot, with the same links: what was derived from one holds for the other.
//! Cost: some comparisons of pointers where the snapshots share the tile, else linear in its links.

use super::NavMesh;
use super::page::{LoadedTile, PAGE_SLOTS};
use std::sync::Arc;

/// The difference between the contents of a slot in two snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotChange {
    /// None.
    Same,
    /// The same tile with the same links, whose flags or areas may differ.
    Flags,
    /// Another tile, or other links.
    Other,
}

impl NavMesh {
    /// Compares the contents of a slot with those in another snapshot.
    pub(crate) fn compare_slot(&self, other: &NavMesh, slot: u32) -> SlotChange {
        let page = slot as usize / PAGE_SLOTS;
        match (self.inner.pages.get(page), other.inner.pages.get(page)) {
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) => return SlotChange::Same,
            _ => {}
        }
        match (self.inner.loaded(slot), other.inner.loaded(slot)) {
            (Some(a), Some(b)) => a.compare(b),
            (None, None) => SlotChange::Same,
            _ => SlotChange::Other,
        }
    }
}

impl NavMesh {
    /// The slots, in their order, that hold other tiles than in another snapshot, or tiles with other links.
    pub(crate) fn changed_slots(&self, other: &NavMesh) -> Vec<u32> {
        let (a, b) = (&self.inner.pages, &other.inner.pages);
        let is_shared = |page: usize| a.get(page).zip(b.get(page)).is_some_and(|(a, b)| Arc::ptr_eq(a, b));
        let pages = (0..a.len().max(b.len())).filter(|page| !is_shared(*page));
        let slots = pages.flat_map(|page| page * PAGE_SLOTS..(page + 1) * PAGE_SLOTS);
        // References have fewer bits for slots.
        slots
            .map(|slot| slot as u32)
            .filter(|slot| self.compare_slot(other, *slot) == SlotChange::Other)
            .collect()
    }
}

impl LoadedTile {
    /// Whether both were made of one tile.
    pub(crate) fn is_made_of(&self, other: &LoadedTile) -> bool {
        Arc::ptr_eq(&self.data, &other.data)
    }

    fn compare(&self, other: &LoadedTile) -> SlotChange {
        let has_same_seams = || self.seams.iter().zip(&other.seams).all(|(a, b)| a.links() == b.links());
        let is_same = self.salt == other.salt
            && Arc::ptr_eq(&self.data, &other.data)
            && self.link_ends().eq(other.link_ends())
            && self.link_targets == other.link_targets
            && has_same_seams();
        let has_same_flags = match (&self.overlay, &other.overlay) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        match (is_same, has_same_flags) {
            (false, _) => SlotChange::Other,
            (true, false) => SlotChange::Flags,
            (true, true) => SlotChange::Same,
        }
    }
}
