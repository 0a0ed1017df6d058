//! Cached spans in a file: written, read, copied by commits and compaction, and every rule about them.

use crate::file_support::{meta, record, root, rule, store_rule, tiles};
use bytemuck::{bytes_of, pod_read_unaligned};
use navtile::file::{ROOT_OFFSETS, Root, SPAN_CACHE_RULES, SpanCacheEntry, SpanCachePlace};
use navtile::{Edit, FileWriter, NavStore, Packing, StoreError, TileCoord};
use std::collections::BTreeSet;
use std::io::Cursor;

const SPANS: [&[u8]; 2] = [&[1, 2, 3], &[7; 40]];

fn coord(x: i32) -> TileCoord {
    TileCoord { x, z: 5, layer: 0 }
}

fn file() -> Vec<u8> {
    let mut sorted = tiles();
    sorted.sort_by_key(|tile| tile.coord());
    let mut writer = FileWriter::new(Cursor::new(Vec::new()), &meta(), sorted.len())
        .unwrap()
        .with_span_cache([10, 20, 30], 4.5, b"settings".to_vec());
    sorted.iter().for_each(|tile| writer.add(&record(tile)).unwrap());
    for (x, spans) in (3..).zip(SPANS) {
        writer.keep(coord(x), [x as u8; 16], spans).unwrap();
    }
    writer.finish(None).unwrap().into_inner()
}

/// Everything about cached spans.
fn read(bytes: &[u8]) -> Result<(Vec<u8>, Vec<Vec<u8>>), StoreError> {
    let store = NavStore::open(bytes.to_vec())?;
    let index = store.span_cache().expect("it keeps spans")?;
    assert_eq!((index.size, index.height), ([10, 20, 30], 4.5));
    let spans = index.entries.iter().map(|entry| Ok(store.cached_spans(entry)?.to_vec()));
    Ok((index.settings.clone(), spans.collect::<Result<_, StoreError>>()?))
}

fn expected() -> (Vec<u8>, Vec<Vec<u8>>) {
    (b"settings".to_vec(), SPANS.map(<[u8]>::to_vec).to_vec())
}

#[test]
fn cached_spans_come_back() {
    assert_eq!(read(&file()).unwrap(), expected());
    let store = NavStore::open(file()).unwrap();
    assert_eq!(store.unused_bytes(), 0);
    let index = store.span_cache().unwrap().unwrap();
    assert_eq!(index.find(coord(4)).unwrap().level_hash, [4; 16]);
    assert!(index.find(coord(5)).is_none());
}

#[test]
fn commits_and_compaction_keep_them() {
    let bytes = file();
    let mut store = NavStore::open(bytes.clone()).unwrap();
    let away = store.coords()[0];
    let tile = store.tile(away).unwrap().unwrap();
    store.commit(Edit::new().remove(away)).unwrap();
    let changed = store.into_inner();
    assert_eq!(read(&changed).unwrap(), expected());
    let mut store = NavStore::open(changed).unwrap();
    store.commit(Edit::new().put(record(&tile))).unwrap();
    let compact = store.compact(Cursor::new(Vec::new()), Packing::Raw).unwrap().into_inner();
    assert!(compact == bytes, "as if it had never been changed");
}

#[test]
fn spans_may_follow_each_other_without_a_gap() {
    let writer = FileWriter::new(Cursor::new(Vec::new()), &meta(), 0).unwrap();
    let mut writer = writer.with_span_cache([10, 20, 30], 4.5, vec![]);
    let spans = [vec![1; 16], vec![2; 32], vec![3; 16]];
    for (x, spans) in (3..).zip(&spans) {
        writer.keep(coord(x), [0; 16], spans).unwrap();
    }
    let bytes = writer.finish(None).unwrap().into_inner();
    assert_eq!(read(&bytes).unwrap(), (vec![], spans.to_vec()));
}

#[test]
fn spans_come_in_order() {
    let mut writer =
        FileWriter::new(Cursor::new(Vec::new()), &meta(), 0).unwrap().with_span_cache([1; 3], 1.0, vec![]);
    writer.keep(coord(3), [0; 16], &[]).unwrap();
    let error = writer.keep(coord(3), [0; 16], &[]).unwrap_err();
    assert!(error.to_string().contains("span-cache-order"), "{error}");
}

/// The file with its place of cached spans changed; the checksum of the place is corrected.
fn with_place(change: impl Fn(&mut SpanCachePlace)) -> Vec<u8> {
    let mut bytes = file();
    let at = ROOT_OFFSETS[0] + size_of::<Root>();
    let mut place: SpanCachePlace = pod_read_unaligned(&bytes[at..at + size_of::<SpanCachePlace>()]);
    place.checksum = 0;
    change(&mut place);
    place.checksum = crc32fast::hash(bytes_of(&place));
    bytes[at..at + size_of::<SpanCachePlace>()].copy_from_slice(bytes_of(&place));
    bytes
}

/// The file with its index changed; all checksums are corrected.
fn with_index(change: impl Fn(&mut [u8])) -> Vec<u8> {
    let mut bytes = file();
    let store = NavStore::open(bytes.clone()).unwrap();
    let place = *store.span_cache_place().unwrap();
    let range = place.offset as usize..(place.offset + place.length) as usize;
    change(&mut bytes[range.clone()]);
    let sum = crc32fast::hash(&bytes[range]);
    let at = ROOT_OFFSETS[0] + size_of::<Root>();
    let mut sealed = SpanCachePlace { index_checksum: sum, checksum: 0, ..place };
    sealed.checksum = crc32fast::hash(bytes_of(&sealed));
    bytes[at..at + size_of::<SpanCachePlace>()].copy_from_slice(bytes_of(&sealed));
    bytes
}

/// Start of a tile's row in the index.
fn row(index: usize) -> usize {
    64 + 16 + index * size_of::<SpanCacheEntry>()
}

#[test]
fn each_rule_refuses_what_breaks_it() {
    let damaged = |at: fn(&SpanCachePlace) -> usize| {
        let mut bytes = file();
        let place = *NavStore::open(bytes.clone()).unwrap().span_cache_place().unwrap();
        bytes[at(&place)] ^= 1;
        bytes
    };
    let cases = [
        ("span-cache-place", damaged(|_| ROOT_OFFSETS[0] + size_of::<Root>() + 17)),
        ("span-cache-place", with_place(|place| place.offset += 1)),
        ("span-cache-place", with_place(|place| place.offset = u64::MAX - 15)),
        ("span-cache-place", with_place(|place| place.spans_length += 16)),
        ("span-cache-place", with_index(|index| index[row(0) + 16] += 1)),
        ("span-cache-place", with_index(|index| index[row(0) + 23] = 255)),
        ("span-cache-place", with_index(|index| index[row(1) + 16] -= 16)),
        ("span-cache-checksum", damaged(|place| place.offset as usize + 70)),
        ("span-cache-checksum", with_index(|index| index[row(1) + 12] ^= 1)),
        ("span-cache-index", with_place(|place| (place.length, place.index_checksum) = (0, 0))),
        ("span-cache-index", with_index(|index| index[0] = 0)),
        ("span-cache-index", with_index(|index| index[8] = 1)),
        ("span-cache-index", with_index(|index| index[12] = 40)),
        ("span-cache-index", with_index(|index| index[23] = 255)),
        ("span-cache-index", with_index(|index| index[39] = 127)),
        ("span-cache-index", with_index(|index| index[36..40].copy_from_slice(&(-4.5f32).to_le_bytes()))),
        ("span-cache-index", with_index(|index| index[36..40].copy_from_slice(&f32::INFINITY.to_le_bytes()))),
        ("span-cache-index", with_index(|index| index[40] = 1)),
        ("span-cache-index", with_index(|index| index[64 + 9] = 1)),
        ("span-cache-index", with_index(|index| index[row(0) + 50] = 1)),
        ("span-cache-order", with_index(|index| index[row(1)] = 3)),
    ];
    for (index, (expected, bytes)) in cases.iter().enumerate() {
        let error = read(bytes).expect_err(expected);
        assert_eq!(store_rule(error), *expected, "case {index}");
    }
    let tested: BTreeSet<&str> = cases.iter().map(|case| case.0).collect();
    assert_eq!(tested, BTreeSet::from(SPAN_CACHE_RULES));
}

#[test]
fn the_index_lies_over_nothing_else() {
    let bytes = with_place(|place| place.offset = 4096);
    let error = navtile::NavFile::open(&bytes).err().unwrap();
    assert_eq!(rule(error), "file-overlap");
    assert_ne!(root(&file()).flags, 0);
}
