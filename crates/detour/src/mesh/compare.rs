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

#[cfg(test)]
mod tests {
    use super::*;
    use recast::{PreparedLevel, Silent, bake_tiles};

    #[test]
    fn each_slot_is_compared_by_itself() {
        let scene = &navscenes::courtyard::SCENE;
        let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
        let mut mesh = NavMesh::default();
        for baked in bake_tiles(&level, 24, &Silent).unwrap() {
            mesh.add_tile(baked.tile).unwrap();
        }
        let in_slot = |slot: u32| mesh.polygons().find(|polygon| polygon.slot() == slot).unwrap();
        let [first, second] = [in_slot(0), in_slot(1)];
        let plain = mesh.clone();
        mesh.set_flags(first, 7).unwrap();
        let changes = |before: &NavMesh, after: &NavMesh| [0, 1].map(|slot| before.compare_slot(after, slot));
        assert_eq!(changes(&plain, &plain), [SlotChange::Same; 2]);
        assert_eq!(changes(&plain, &mesh), [SlotChange::Flags, SlotChange::Same]);
        let with_flags = mesh.clone();
        mesh.set_flags(second, 7).unwrap();
        assert_eq!(changes(&with_flags, &mesh), [SlotChange::Same, SlotChange::Flags]);
        assert_eq!(changes(&plain, &mesh), [SlotChange::Flags; 2]);
        assert_eq!(plain.changed_slots(&mesh), [0; 0]);
        let tile = mesh.tile_of(second).unwrap().0.clone();
        mesh.replace_tile(tile).unwrap();
        assert_eq!(with_flags.compare_slot(&mesh, 1), SlotChange::Other, "its references are stale");
        assert!(with_flags.changed_slots(&mesh).contains(&1));
        let far = mesh.tile_count() as u32;
        assert_eq!(plain.compare_slot(&mesh, far), SlotChange::Same, "empty in both");
        assert_eq!(NavMesh::default().compare_slot(&mesh, 1), SlotChange::Other);
    }
}
