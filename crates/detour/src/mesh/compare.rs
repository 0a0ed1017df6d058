//! Checks if two snapshots have the same tile in a slot, with the same links. If so, data derived from one is
//! valid for the other.
//! Cost: some comparisons of pointers if the snapshots share the tile, otherwise linear in its links.

use super::NavMesh;
use super::page::{LoadedTile, PAGE_SLOTS};
use std::sync::Arc;

/// The difference between the contents of a slot in two snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotChange {
    /// No difference.
    Same,
    /// The tile and its links are the same; flags or areas may differ.
    Flags,
    /// The tile or its links differ.
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
    /// The slots, in order, whose tiles or links differ from those in another snapshot.
    pub(crate) fn changed_slots(&self, other: &NavMesh) -> Vec<u32> {
        let (a, b) = (&self.inner.pages, &other.inner.pages);
        let is_shared = |page: usize| a.get(page).zip(b.get(page)).is_some_and(|(a, b)| Arc::ptr_eq(a, b));
        let pages = (0..a.len().max(b.len())).filter(|page| !is_shared(*page));
        let slots = pages.flat_map(|page| page * PAGE_SLOTS..(page + 1) * PAGE_SLOTS);
        // References have fewer than 32 bits for slots.
        slots
            .map(|slot| slot as u32)
            .filter(|slot| self.compare_slot(other, *slot) == SlotChange::Other)
            .collect()
    }
}

impl LoadedTile {
    /// Returns true if both were made of the same tile.
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
    use navlevel::bake_tiles;
    use navscenes::build::{Builder, Rect};
    use navtile::TileCoord;
    use recast::{PreparedLevel, Settings, Silent};

    /// A floor in 17 x 17 tiles, which is more than a page.
    fn floor() -> NavMesh {
        let mut builder = Builder::new();
        builder.floor(Rect { min: [0.0; 2], max: [17.0 * 8.0 * 0.3; 2] }, 0.0);
        let level = PreparedLevel::new(&builder.finish(), &Settings::default()).unwrap();
        let mut mesh = NavMesh::default();
        for baked in bake_tiles(&level, 8, &Silent).unwrap() {
            mesh.add_tile(baked.tile).unwrap();
        }
        assert_eq!(mesh.tile_count(), 17 * 17);
        mesh
    }

    #[test]
    fn each_slot_is_compared_by_itself() {
        let mut mesh = floor();
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
        assert_eq!(plain.compare_slot(&mesh, 300), SlotChange::Same, "empty in both");
        assert_eq!(NavMesh::default().compare_slot(&mesh, 1), SlotChange::Other);
    }

    #[test]
    fn changed_slots_are_listed_once_on_every_page() {
        let mut mesh = floor();
        let before = mesh.clone();
        let slot = |x: i32, z: i32| mesh.inner.index.slot(TileCoord { x, z, layer: 0 }).unwrap();
        // A tile and its four neighbours, which lose their links to it.
        let around = |[x, z]: [i32; 2]| [[x, z], [x - 1, z], [x + 1, z], [x, z - 1], [x, z + 1]];
        let mut expected: Vec<u32> =
            [[2, 2], [15, 4]].into_iter().flat_map(around).map(|[x, z]| slot(x, z)).collect();
        expected.sort_unstable();
        assert!(expected[0] < 256 && expected[9] > 258, "on two pages");
        for [x, z] in [[2, 2], [15, 4]] {
            mesh.remove_tile(TileCoord { x, z, layer: 0 }).unwrap();
        }
        assert_eq!(before.changed_slots(&mesh), expected);
        assert_eq!(mesh.changed_slots(&before), expected);
        assert_eq!(before.compare_slot(&mesh, expected[9]), SlotChange::Other);
    }
}
