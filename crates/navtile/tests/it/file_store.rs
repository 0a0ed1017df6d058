//! Stores: the reads that they make, and the results of edits.

use crate::common;
use crate::file_support;
use crate::file_support::disk::{Disk, Step, opened};
use crate::file_support::{fresh, graph, meta, put_root, record, root, seeded, store_rule, tiles};
use navtile::file::{Committed, DirectoryEntry, FIRST_READ, ROOT_OFFSETS, Root, Seekable, Source};
use navtile::{Edit, NavFile, NavStore, Packing, StoreError, Tile, TileCoord, TileRecord, write_file};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::Cursor;

fn records() -> Vec<TileRecord> {
    tiles().iter().map(record).collect()
}

/// Opens the bytes that the store has written and takes everything: tiles, and true if there is a graph.
fn contents(bytes: &[u8]) -> (Vec<TileRecord>, bool) {
    let store = NavStore::open(bytes).unwrap();
    let taken = store.entries().iter().map(|entry| {
        let tile = store.tile(entry.coord()).unwrap().unwrap();
        TileRecord { tile, input_hash: entry.input_hash, prune_hash: entry.prune_hash }
    });
    (taken.collect(), store.graph().transpose().unwrap().is_some())
}

#[test]
fn a_store_reads_what_a_file_in_memory_does() {
    let bytes = fresh(&meta(), &records(), Some(&graph(&tiles())), Packing::Raw);
    let file = NavFile::open(&bytes).unwrap();
    let store = NavStore::open(Seekable::new(Cursor::new(&bytes))).unwrap();
    assert_eq!((store.meta(), store.root(), store.entries()), (file.meta(), file.root(), file.entries()));
    assert_eq!(store.coords(), file.coords());
    for entry in file.entries() {
        let coord = entry.coord();
        assert_eq!(store.tile(coord).unwrap().unwrap(), file.tile(coord).unwrap().unwrap());
        assert_eq!(store.stored(coord).unwrap().unwrap(), file.stored(entry).unwrap());
    }
    assert_eq!(store.graph().unwrap().unwrap(), file.graph().unwrap().unwrap());
    let nowhere = TileCoord { x: 50, z: 0, layer: 0 };
    assert!(store.tile(nowhere).is_none() && store.stored(nowhere).is_none());
    assert_eq!(store.unused_bytes(), 0);
    assert_eq!(store.into_inner().into_inner().into_inner(), &bytes);
}

#[test]
fn a_small_file_is_opened_with_one_read_and_a_tile_with_one_more() {
    let store = opened(&fresh(&meta(), &records(), None, Packing::Raw));
    let entry = store.entries()[1];
    store.tile(entry.coord()).unwrap().unwrap();
    let disk = store.into_inner();
    let length = disk.length().unwrap();
    assert!(length < FIRST_READ);
    assert_eq!(*disk.reads.borrow(), [0..length, entry.offset..entry.offset + entry.length]);
}

/// A hundred thousand rows, each with a blob of its own; the tiles are one blob after the other.
fn hundred_thousand() -> (Vec<u8>, Tile) {
    let tile = seeded(0, 0, 1);
    let mut bytes = write_file(&meta(), &[]).unwrap();
    let mut head = root(&bytes);
    let count = 100_000u64;
    head.directory_offset = bytes.len() as u64;
    head.directory_count = count;
    let first = head.directory_offset + count * 64;
    let blob = tile.bytes().len().next_multiple_of(16) as u64;
    let row = |index: u64| DirectoryEntry {
        x: index as i32,
        z: 0,
        layer: 0,
        flags: 0,
        offset: first + index * blob,
        length: blob,
        checksum: crc32fast::hash(tile.bytes()),
        raw_length: 0,
        input_hash: [0; 16],
        prune_hash: [0; 8],
    };
    let rows: Vec<DirectoryEntry> = (0..count).map(row).collect();
    let directory: &[u8] = bytemuck::cast_slice(&rows);
    head.directory_checksum = crc32fast::hash(directory);
    bytes.extend_from_slice(directory);
    for _ in 0..count {
        bytes.extend_from_slice(tile.bytes());
    }
    head.file_length = bytes.len() as u64;
    put_root(&mut bytes, 0, head);
    (bytes, tile)
}

#[test]
fn opening_a_hundred_thousand_tiles_reads_the_directory_alone() {
    let (bytes, tile) = hundred_thousand();
    let store = NavStore::open(Disk::new(bytes)).unwrap();
    assert_eq!(store.entries().len(), 100_000);
    let directory = store.root().directory_offset..store.root().directory_offset + 6_400_000;
    assert_eq!(*store.source().reads.borrow(), [0..FIRST_READ, FIRST_READ..directory.end]);
    store.source().reads.borrow_mut().clear();
    assert_eq!(store.tile(tile.coord()).unwrap().unwrap(), tile);
    // The blob says 0, but the directory says 77,777.
    let error = store.tile(TileCoord { x: 77_777, z: 0, layer: 0 }).unwrap().unwrap_err();
    assert_eq!(store_rule(error), "tile-coord");
    let reads = store.source().reads.borrow().clone();
    let lengths: Vec<u64> = reads.iter().map(|read| read.end - read.start).collect();
    assert_eq!(lengths, [tile.bytes().len() as u64; 2]);
}

#[test]
fn memory_is_not_taken_on_the_word_of_a_file() {
    let bytes = write_file(&meta(), &tiles()).unwrap();
    let lie = |change: fn(&mut Root)| {
        let mut lying = bytes.clone();
        let mut head = root(&lying);
        change(&mut head);
        put_root(&mut lying, 0, head);
        let disk = Disk::new(lying);
        let rule = store_rule(NavStore::open(&disk).err().unwrap());
        // Nothing beyond the first read was requested.
        assert_eq!(disk.reads.borrow().len(), 1, "{rule}");
        rule
    };
    assert_eq!(lie(|r| r.file_length = 1 << 60), "file-length");
    assert_eq!(lie(|r| r.meta_length = 1 << 60), "meta-place");
    assert_eq!(lie(|r| r.directory_count = 1 << 58), "directory-place");
    assert_eq!(lie(|r| (r.graph_offset, r.graph_length) = (4096, 1 << 60)), "graph-place");
    for end in [0, 100, 4095, 4096, bytes.len() - 1] {
        assert_eq!(store_rule(NavStore::open(&bytes[..end]).err().unwrap()), "file-length");
    }
}

#[test]
fn a_file_cut_short_while_it_is_open_is_an_error_with_a_place() {
    let bytes = write_file(&meta(), &tiles()).unwrap();
    let mut store = NavStore::open(bytes.clone()).unwrap();
    let coord = store.entries()[2].coord();
    *store.source_mut() = bytes[..bytes.len() - 16].to_vec();
    let error = store.tile(coord).unwrap().unwrap_err();
    assert!(matches!(&error, StoreError::Io { action, .. } if action.starts_with("reading tile")), "{error}");
}

#[test]
fn an_edit_adds_replaces_and_removes() {
    let before = fresh(&meta(), &records(), Some(&graph(&tiles())), Packing::Raw);
    let mut store = opened(&before);
    let coords = store.coords();
    let (new, other) = (record(&seeded(0, 0, 3)), record(&seeded(coords[1].x, coords[1].z, 4)));
    let mut edit = Edit::new();
    edit.put(new.clone()).put(other.clone()).remove(coords[0]).remove(TileCoord { x: 99, z: 0, layer: 0 });
    let done = store.commit(&edit).unwrap();
    let appended = store.root().file_length - before.len() as u64;
    assert_eq!(done, Committed { added: 1, replaced: 1, removed: 1, appended });
    let last = record(&tiles()[0]);
    let expected = vec![new, other, last];
    // The store that made the change sees it, and so does a newly opened one.
    let taken: Vec<Tile> = store.coords().iter().map(|&coord| store.tile(coord).unwrap().unwrap()).collect();
    assert_eq!(taken, expected.iter().map(|record| record.tile.clone()).collect::<Vec<_>>());
    assert_eq!(contents(&store.source().bytes), (expected, false));
    // The older bytes are unchanged except for the other root.
    let after = &store.source().bytes;
    assert_eq!(after[..ROOT_OFFSETS[1]], before[..ROOT_OFFSETS[1]]);
    assert_eq!(after[4096..before.len()], before[4096..]);
    assert_eq!(store.root().sequence, 2);
    assert!(store.unused_bytes() > 0);
}

#[test]
fn commits_alternate_between_the_roots() {
    let mut store = NavStore::create(Disk::default(), &meta()).unwrap();
    assert_eq!((store.root().sequence, store.entries().len()), (1, 0));
    for round in 0..5i32 {
        store.source_mut().steps.clear();
        store.commit(Edit::new().put(record(&seeded(round, 0, round)))).unwrap();
        let Step::Write { offset, .. } = store.source().steps[store.source().steps.len() - 2] else {
            panic!("the last write is not that of a root")
        };
        assert_eq!(offset, ROOT_OFFSETS[(round as usize + 1) % 2] as u64);
        assert_eq!(contents(&store.source().bytes).0.len(), round as usize + 1);
    }
    assert_eq!(store.root().sequence, 6);
    let everything = store.coords().into_iter().fold(Edit::new(), |mut edit, coord| {
        edit.remove(coord);
        edit
    });
    assert_eq!(store.commit(&everything).unwrap().removed, 5);
    assert_eq!(contents(&store.source().bytes), (vec![], false));
}

#[test]
fn metadata_and_graph_are_replaced() {
    let mut store = opened(&fresh(&meta(), &records(), None, Packing::Raw));
    let mut other = meta();
    other.areas[0].name = "a name of another length".to_owned();
    store.commit(Edit::new().set_meta(other.clone()).set_graph(Some(graph(&tiles())))).unwrap();
    let again = NavStore::open(store.source().bytes.as_slice()).unwrap();
    assert_eq!((again.meta(), again.graph().unwrap().unwrap()), (&other, graph(&tiles())));
    assert_eq!(contents(&store.source().bytes).0.len(), 3);
    // A graph stays while no tile changes, or if the edit keeps it; otherwise it is removed.
    let kept = |store: &NavStore<Disk>| contents(&store.source().bytes).1;
    store.commit(Edit::new().set_meta(meta())).unwrap();
    assert!(kept(&store));
    store.commit(Edit::new().remove(TileCoord { x: 99, z: 0, layer: 0 })).unwrap();
    assert!(kept(&store), "no tile was there");
    store.commit(Edit::new().put(record(&seeded(0, 0, 1))).keep_graph()).unwrap();
    assert!(kept(&store));
    store.commit(Edit::new().put(record(&seeded(0, 0, 2)))).unwrap();
    assert!(!kept(&store));
    store.commit(Edit::new().set_graph(Some(graph(&tiles())))).unwrap();
    store.commit(Edit::new().set_graph(None)).unwrap();
    assert!(!kept(&store));
}

#[test]
fn an_edit_that_makes_no_file_is_refused_before_anything_is_written() {
    let bytes = fresh(&meta(), &records(), None, Packing::Raw);
    let mut store = opened(&bytes);
    let mut refused = |edit: &Edit, expected: &str| {
        assert_eq!(store_rule(store.commit(edit).unwrap_err()), expected);
        assert_eq!((store.source().bytes.as_slice(), store.source().steps.len()), (bytes.as_slice(), 0));
    };
    let mut coarser = meta();
    coarser.cell[0] = 0.5;
    refused(Edit::new().set_meta(coarser), "tile-lattice");
    let mut taller = meta();
    taller.agent.height = 3.0;
    refused(Edit::new().set_meta(taller.clone()), "tile-agent");
    let mut nameless = meta();
    nameless.areas[0].name = "x".repeat(300);
    refused(Edit::new().set_meta(nameless), "meta-areas");
    let mut content = common::empty();
    content.agent = [0.6, 3.0, 0.9, 45.0];
    let tall = file_support::at(content, 5, 5);
    refused(Edit::new().put(record(&tall)), "tile-agent");
    // It fits the new metadata, once the other tiles are gone.
    let mut edit = Edit::new();
    edit.set_meta(taller).put(record(&tall));
    refused(&edit, "tile-agent");
    store.coords().into_iter().for_each(|coord| {
        edit.remove(coord);
    });
    store.commit(&edit).unwrap();
    assert_eq!(contents(&store.source().bytes).0, [record(&tall)]);
    assert!(matches!(NavStore::create(bytes, &meta()), Err(error) if store_rule_is(&error, "file-length")));
}

fn store_rule_is(error: &StoreError, rule: &str) -> bool {
    error.to_string().contains(rule)
}

#[test]
fn the_last_sequence_has_no_next() {
    let mut bytes = write_file(&meta(), &tiles()).unwrap();
    let head = root(&bytes);
    put_root(&mut bytes, 0, Root { sequence: u64::MAX, ..head });
    let mut store = opened(&bytes);
    assert_eq!(store_rule(store.commit(&Edit::new()).unwrap_err()), "root");
}

#[test]
fn of_two_stores_on_one_file_the_second_to_commit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.navtile");
    std::fs::write(&path, write_file(&meta(), &tiles()).unwrap()).unwrap();
    let open = || {
        let file = std::fs::File::options().read(true).write(true).open(&path).unwrap();
        NavStore::open(Seekable::new(file)).unwrap()
    };
    let (mut one, mut two) = (open(), open());
    one.commit(Edit::new().put(record(&seeded(0, 0, 1)))).unwrap();
    let error = two.commit(Edit::new().put(record(&seeded(0, 0, 2)))).unwrap_err();
    assert!(matches!(error, StoreError::Changed { known: 1, found: 2 }), "{error}");
    // It continues to read the old state.
    for tile in tiles() {
        assert_eq!(two.tile(tile.coord()).unwrap().unwrap(), tile);
    }
    let mut two = open();
    two.commit(Edit::new().put(record(&seeded(0, 0, 2)))).unwrap();
    let (taken, _) = contents(&std::fs::read(&path).unwrap());
    assert_eq!((taken.len(), &taken[1]), (4, &record(&seeded(0, 0, 2))));
}

#[cfg(unix)]
#[test]
fn a_file_of_the_system_is_a_storage() {
    let file = tempfile::tempfile().unwrap();
    let mut store = NavStore::create(file, &meta()).unwrap();
    let mut edit = Edit::new();
    records().into_iter().for_each(|record| {
        edit.put(record);
    });
    store.commit(&edit).unwrap();
    let again = NavStore::open(store.into_inner()).unwrap();
    for tile in tiles() {
        assert_eq!(again.tile(tile.coord()).unwrap().unwrap(), tile);
    }
    let mut beyond = [0; 16];
    let length = again.source().length().unwrap();
    assert!(again.source().read_at(length - 8, &mut beyond).is_err());
}

/// A step of a random edit.
#[derive(Clone, Debug)]
enum Change {
    Put(i32, i32),
    Remove(i32),
    Reopen,
    Commit,
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        4 => (0..6, 0..1000).prop_map(|(x, seed)| Change::Put(x, seed)),
        2 => (0..6).prop_map(Change::Remove),
        1 => Just(Change::Reopen),
        3 => Just(Change::Commit),
    ];
    prop::collection::vec(change, 1..24)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_edits_compact_to_the_fresh_file(changes in changes()) {
        let mut store = NavStore::create(Vec::new(), &meta()).unwrap();
        let (mut model, mut edit) = (BTreeMap::new(), Edit::new());
        let mut pending = model.clone();
        for change in changes {
            match change {
                Change::Put(x, seed) => {
                    let record = record(&seeded(x, 0, seed));
                    pending.insert(x, record.clone());
                    edit.put(record);
                }
                Change::Remove(x) => {
                    pending.remove(&x);
                    edit.remove(TileCoord { x, z: 0, layer: 0 });
                }
                // Edits that were not committed are lost.
                Change::Reopen => {
                    store = NavStore::open(store.into_inner()).unwrap();
                    (edit, pending) = (Edit::new(), model.clone());
                }
                Change::Commit => {
                    store.commit(&std::mem::take(&mut edit)).unwrap();
                    model = pending.clone();
                }
            }
        }
        let records: Vec<TileRecord> = model.into_values().collect();
        prop_assert_eq!(contents(store.source()).0, records.clone());
        let compact = store.compact(Cursor::new(Vec::new()), Packing::Raw).unwrap().into_inner();
        prop_assert_eq!(compact, fresh(&meta(), &records, None, Packing::Raw));
    }
}
