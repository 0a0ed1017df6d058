//! The hierarchy in a file: written, read, kept and dropped by commits and compaction, and its rules.

use crate::file_support::{graph, meta, record, rule, store_rule, tiles};
use bytemuck::{bytes_of, pod_read_unaligned};
use navtile::file::{FLAG_HIERARCHY, HierarchyPlace, ROOT_OFFSETS, Root, SpanCachePlace};
use navtile::{Edit, FileWriter, NavFile, NavStore, Packing, Tile};
use std::io::Cursor;

const HIERARCHY: &[u8] = b"clusters and their doors";

/// A file with a hierarchy, if it is given; with `dynamic` also with cached spans.
fn file(hierarchy: Option<&[u8]>, dynamic: bool) -> Vec<u8> {
    let mut sorted = tiles();
    sorted.sort_by_key(Tile::coord);
    let mut writer = FileWriter::new(Cursor::new(Vec::new()), &meta(), sorted.len()).unwrap();
    if dynamic {
        writer = writer.with_span_cache([10, 20, 30], 4.5, b"settings".to_vec());
    }
    sorted.iter().for_each(|tile| writer.add(&record(tile)).unwrap());
    writer.keep(sorted[0].coord(), [3; 16], &[7; 5]).unwrap();
    if let Some(hierarchy) = hierarchy {
        writer = writer.with_hierarchy(hierarchy.to_vec());
    }
    writer.finish(Some(&graph(&sorted))).unwrap().into_inner()
}

/// The hierarchy of a file, read from memory and from a store.
fn read(bytes: &[u8]) -> Option<Vec<u8>> {
    let of_file = NavFile::open(bytes).unwrap().hierarchy().map(|read| read.unwrap().to_vec());
    let of_store = NavStore::open(bytes).unwrap().hierarchy().map(|read| read.unwrap().to_vec());
    assert_eq!(of_file, of_store);
    of_store
}

#[test]
fn a_hierarchy_comes_back_with_and_without_cached_spans() {
    for dynamic in [false, true] {
        for hierarchy in [None, Some(HIERARCHY), Some(&[][..])] {
            let bytes = file(hierarchy, dynamic);
            assert_eq!(read(&bytes).as_deref(), hierarchy);
            let store = NavStore::open(bytes).unwrap();
            assert_eq!(store.unused_bytes(), 0);
            assert_eq!(store.span_cache().transpose().unwrap().is_some(), dynamic);
        }
    }
}

#[test]
fn a_fresh_file_is_completed_to_the_file_written_at_once() {
    for dynamic in [false, true] {
        for hierarchy in [HIERARCHY, &[1; 32], &[]] {
            let store = NavStore::open(file(None, dynamic)).unwrap();
            assert!(store.complete(hierarchy).unwrap() == file(Some(hierarchy), dynamic));
        }
    }
    let twice = NavStore::open(file(Some(HIERARCHY), false)).unwrap().complete(HIERARCHY);
    assert_eq!(store_rule(twice.unwrap_err()), "root");
    let mut edited = NavStore::open(file(None, false)).unwrap();
    edited.commit(Edit::new().set_graph(None)).unwrap();
    assert_eq!(store_rule(edited.complete(HIERARCHY).unwrap_err()), "root");
}

#[test]
fn commits_keep_set_and_drop_it() {
    let bytes = file(Some(HIERARCHY), true);
    let mut store = NavStore::open(bytes.clone()).unwrap();
    store.commit(Edit::new().set_graph(None)).unwrap();
    assert_eq!(store.hierarchy().unwrap().unwrap()[..], *HIERARCHY, "no tile changed");
    let away = store.coords()[0];
    let tile = store.tile(away).unwrap().unwrap();
    store.commit(Edit::new().remove(away).set_hierarchy(Some(vec![1; 20]))).unwrap();
    assert_eq!(store.hierarchy().unwrap().unwrap()[..], [1; 20]);
    store.commit(Edit::new().put(record(&tile))).unwrap();
    assert!(store.hierarchy().is_none(), "it described other tiles");
    let all: Vec<Tile> = store.coords().iter().map(|coord| store.tile(*coord).unwrap().unwrap()).collect();
    let set = Some(HIERARCHY.to_vec());
    store.commit(Edit::new().set_graph(Some(graph(&all))).set_hierarchy(set)).unwrap();
    let edited = store.into_inner();
    let store = NavStore::open(edited).unwrap();
    let compact = store.compact(Cursor::new(Vec::new()), Packing::Raw).unwrap().into_inner();
    assert!(compact == bytes, "as if it had never been changed");
    assert!(store.unused_bytes() as usize >= store.source().len() - bytes.len() - 15);
    let mut store = NavStore::open(compact).unwrap();
    store.commit(Edit::new().set_hierarchy(None)).unwrap();
    assert_eq!(read(&store.into_inner()), None);
}

/// A file whose place of the hierarchy is changed; the checksum of the place is corrected.
fn with_place(change: impl Fn(&mut HierarchyPlace)) -> Vec<u8> {
    let mut bytes = file(Some(HIERARCHY), false);
    let at = ROOT_OFFSETS[0] + size_of::<Root>() + size_of::<SpanCachePlace>();
    let at = at..at + size_of::<HierarchyPlace>();
    let mut place: HierarchyPlace = pod_read_unaligned(&bytes[at.clone()]);
    change(&mut place);
    place.checksum = 0;
    place.checksum = crc32fast::hash(bytes_of(&place));
    bytes[at].copy_from_slice(bytes_of(&place));
    bytes
}

/// Files with a hierarchy at the wrong place or with the wrong bytes, and the broken rule.
pub(crate) fn broken() -> Vec<(&'static str, Vec<u8>)> {
    let damaged = |at: &dyn Fn(&NavFile<&Vec<u8>>) -> usize| {
        let bytes = file(Some(HIERARCHY), true);
        let at = at(&NavFile::open(&bytes).unwrap());
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        damaged
    };
    let behind = ROOT_OFFSETS[0] + size_of::<Root>();
    vec![
        ("hierarchy-place", damaged(&|_| behind + 32 + 9)),
        ("hierarchy-place", with_place(|place| place.offset += 1)),
        ("hierarchy-place", with_place(|place| place.offset = u64::MAX - 15)),
        ("hierarchy-place", with_place(|place| place.offset = 1024)),
        ("hierarchy-place", with_place(|place| place.length = 1 << 60)),
        ("file-overlap", with_place(|place| place.offset -= 16)),
        ("file-overlap", with_place(|place| place.offset = 4096)),
        ("file-padding", damaged(&|file| file.root().file_length as usize - 1)),
        ("hierarchy-checksum", damaged(&|file| file.hierarchy_place().unwrap().offset as usize + 3)),
        ("hierarchy-checksum", with_place(|place| place.hierarchy_checksum ^= 1)),
        // The last byte is then padding.
        ("file-padding", with_place(|place| place.length -= 1)),
    ]
}

#[test]
fn a_store_refuses_what_a_file_refuses() {
    for (index, (expected, bytes)) in broken().iter().enumerate() {
        let of_file = NavFile::open(bytes).and_then(|file| file.hierarchy().transpose().map(drop));
        let of_store = NavStore::open(&bytes[..]).and_then(|store| store.hierarchy().transpose().map(drop));
        let found = [rule(of_file.unwrap_err()), store_rule(of_store.unwrap_err())];
        assert_eq!(found, [*expected; 2], "case {index}");
    }
}

#[test]
fn a_file_without_it_has_zeros_in_its_place() {
    let bytes = file(None, true);
    let behind = ROOT_OFFSETS[0] + size_of::<Root>() + size_of::<SpanCachePlace>();
    for at in behind..behind + size_of::<HierarchyPlace>() {
        let mut spoiled = bytes.clone();
        spoiled[at] = 1;
        assert_eq!(rule(NavFile::open(&spoiled).err().unwrap()), "head-reserved", "byte {at}");
    }
    let flags = NavFile::open(&file(Some(HIERARCHY), false)).unwrap().root().flags;
    assert_eq!(flags, FLAG_HIERARCHY);
}
