//! Crashes: a commit that is cut off at any point, with writes torn, lost or out of order, leaves the old
//! state or the new one.

use crate::common::Dice;
use crate::file_support::disk::{Disk, Step, opened, state};
use crate::file_support::history;
use crate::file_support::{fresh, graph, meta, record, seeded, tiles};
use navtile::{Edit, NavStore, Packing, StoreError, TileRecord};

fn start() -> Vec<u8> {
    let records: Vec<TileRecord> = tiles().iter().map(record).collect();
    fresh(&meta(), &records, Some(&graph(&tiles())), Packing::Raw)
}

/// An edit that writes parts of every kind.
fn large_edit() -> Edit {
    let mut other = meta();
    other.areas[1].cost = 7.5;
    let mut edit = Edit::new();
    edit.put(record(&seeded(2, -1, 7))).put(record(&seeded(4, 4, 8))).remove(tiles()[1].coord());
    edit.set_meta(other).set_graph(Some(graph(&tiles()[..1]))).set_hierarchy(Some(vec![7; 30]));
    edit
}

/// Plays every crash during a commit and passes each state of the disk to `then`; returns their number.
fn play(before: &[u8], edit: &Edit, mut then: impl FnMut(&[u8], bool)) -> usize {
    let old = state(before);
    let mut store = opened(before);
    store.commit(edit).unwrap();
    let disk = store.into_inner();
    let new = state(&disk.bytes);
    assert_ne!(old, new, "the test needs a change");
    let last_write = disk.steps.len() - 2;
    assert!(matches!(disk.steps[last_write..], [Step::Write { .. }, Step::Sync]));
    let mut played = 0;
    for after in 0..=disk.steps.len() {
        for crashed in disk.crashes(after) {
            let found = state(&crashed);
            assert!(found == old || found == new, "neither old nor new after step {after}");
            // Before the root is written the state is always the old one, after its sync the new one.
            assert!(after > last_write || found == old, "new after step {after}");
            assert!(after < disk.steps.len() || found == new, "old after the last sync");
            then(&crashed, found == new);
            played += 1;
        }
    }
    played
}

#[test]
fn a_crash_leaves_the_old_state_or_the_new() {
    let (mut old, mut new) = (0, 0);
    let played = play(&start(), &large_edit(), |_, is_new| *(if is_new { &mut new } else { &mut old }) += 1);
    assert_eq!(played, old + new);
    // Two tiles, graph, hierarchy, metadata, directory, places: at least 128 sets of writes, some torn.
    assert!(old > 600 && new >= 2, "{old} and {new}");
}

#[test]
fn after_a_crash_the_next_commit_goes_on_and_reuses_the_space() {
    let before = start();
    let mut next = Edit::new();
    next.put(record(&seeded(4, 4, 9)));
    let expected = |bytes: &[u8]| {
        let mut store = opened(bytes);
        store.commit(&next).unwrap();
        (state(&store.source().bytes), store.source().bytes.len())
    };
    let mut new = opened(&before);
    new.commit(&large_edit()).unwrap();
    let (from_old, from_new) = (expected(&before), expected(&new.into_inner().bytes));
    play(&before, &large_edit(), |crashed, is_new| {
        assert_eq!(expected(crashed), *(if is_new { &from_new } else { &from_old }));
    });
}

#[test]
fn a_crash_of_the_commit_after_a_crash_is_no_worse() {
    let before = start();
    let mut store = opened(&before);
    store.commit(&large_edit()).unwrap();
    let disk = store.into_inner();
    let root_written = disk.steps.len() - 2;
    // Everything appended except the root, which is the largest possible leftover; and a torn root.
    let mut crashed = vec![disk.crashes(root_written).pop().unwrap()];
    crashed.push(disk.crashes(root_written + 1)[40].clone());
    for leftover in crashed {
        let mut small = Edit::new();
        small.put(record(&seeded(0, 0, 5)));
        assert!(play(&leftover, &small, |_, _| {}) > 10);
        let mut large = large_edit();
        large.put(record(&seeded(0, 0, 5)));
        assert!(play(&leftover, &large, |_, _| {}) > 100);
    }
}

#[test]
fn removing_everything_is_as_safe() {
    let mut edit = Edit::new();
    tiles().iter().for_each(|tile| {
        edit.remove(tile.coord());
    });
    assert!(play(&start(), &edit, |_, _| {}) > 80);
}

#[test]
fn a_storage_that_fails_stops_the_store_and_not_the_file() {
    let before = start();
    let (old, edit) = (state(&before), large_edit());
    let mut whole = opened(&before);
    whole.commit(&edit).unwrap();
    let new = state(&whole.source().bytes);
    for fails_at in 0..whole.source().steps.len() {
        let mut disk = Disk::new(before.clone());
        disk.fails_at = Some(fails_at);
        let mut store = NavStore::open(disk).unwrap();
        let error = store.commit(&edit).unwrap_err();
        assert!(error.to_string().ends_with("the disk is gone"), "{error}");
        // The store still returns its old state and takes no more edits.
        for entry in store.entries() {
            store.tile(entry.coord()).unwrap().unwrap();
        }
        assert!(matches!(store.commit(&edit), Err(StoreError::Unsettled)));
        let found = state(&store.into_inner().bytes);
        assert!(found == old || found == new);
    }
}

#[test]
fn a_file_being_made_is_none_or_whole() {
    let store = NavStore::create(Disk::default(), &meta()).unwrap();
    let disk = store.into_inner();
    let mut whole = 0;
    for after in 0..=disk.steps.len() {
        for crashed in disk.crashes(after) {
            if let Ok(store) = NavStore::open(crashed.as_slice()) {
                assert_eq!((store.meta(), store.entries().len()), (&meta(), 0));
                whole += 1;
            }
        }
    }
    assert!(whole > 0 && NavStore::open(disk.bytes).is_ok());
}

#[test]
fn any_history_leaves_what_its_edits_made() {
    (0..200).for_each(|seed| history::play(&mut Dice(seed)));
}
