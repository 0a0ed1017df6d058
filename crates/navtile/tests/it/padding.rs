//! Padding is zeros: each of its bytes, in tiles and in files of every kind, is set to another value, which
//! must be refused.

use crate::common::parts::seal;
use crate::common::{everything, square, tile};
use crate::file_support::{at, graph, meta, record, rule, tiles};
use navtile::file::{HEAD_LENGTH, HierarchyPlace, ROOT_OFFSETS, Root, SpanCachePlace};
use navtile::{Edit, FileWriter, NavFile, NavStore, Packing, StoreError, Tile, TileCoord};
use std::collections::BTreeSet;
use std::io::Cursor;
use std::ops::Range;

#[test]
fn no_padding_of_a_tile_may_be_other_than_zeros() {
    let mut seen = 0;
    // Sections of 12, 24 and 8 bytes per element: an odd number of elements leaves a gap.
    let contents =
        [everything(), tile(&[square(0, 0, 512, |_, _| 0)]), tile(&[square(0, 0, 512, |i, j| 99 * i * j)])];
    for content in contents {
        let bytes = at(content, 2, -1).bytes().to_vec();
        let rows = bytes[256..].chunks(16).take(7);
        let ends = rows.map(|row| [8, 12].map(|at| u32::from_le_bytes(row[at..at + 4].try_into().unwrap())));
        for [offset, length] in ends.collect::<Vec<_>>() {
            let end = (offset + length) as usize;
            for at in end..end.next_multiple_of(16) {
                let mut spoiled = bytes.clone();
                spoiled[at] = 1;
                seal(&mut spoiled);
                assert_eq!(Tile::from_bytes(&spoiled).unwrap_err().rule, "padding", "byte {at}");
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

/// A file with every optional part, its tiles stored with one packing.
fn file(packing: Packing) -> Vec<u8> {
    let squares: Vec<_> =
        (0..256).map(|i| square(i % 16, i / 16, 256, |x, z| 31 * x * x + 17 * z * x)).collect();
    let mut all = [tiles(), vec![at(tile(&squares), 3, 40)]].concat();
    all.sort_by_key(Tile::coord);
    let writer = FileWriter::new(Cursor::new(Vec::new()), &meta(), all.len()).unwrap();
    let mut writer = writer.with_packing(packing).with_span_cache([10, 20, 30], 4.5, b"settings".to_vec());
    all.iter().for_each(|tile| writer.add(&record(tile)).unwrap());
    for x in 3..6u8 {
        writer
            .keep(TileCoord { x: x.into(), z: 5, layer: 0 }, [x; 16], &vec![x; 5 * usize::from(x)])
            .unwrap();
    }
    writer.with_hierarchy(vec![9; 21]).finish(Some(&graph(&all))).unwrap().into_inner()
}

/// Reads everything in a file, both from memory and in parts; returns the rule that is broken.
fn read_all(bytes: &[u8]) -> Result<(), &'static str> {
    let in_memory = || {
        let file = NavFile::open(bytes)?;
        file.tiles().try_for_each(|tile| tile.map(drop))?;
        file.graph().transpose()?;
        file.hierarchy().transpose().map(drop)
    };
    let in_parts = || -> Result<(), StoreError> {
        let store = NavStore::open(bytes)?;
        store.coords().into_iter().try_for_each(|coord| store.tile(coord).unwrap().map(drop))?;
        store.graph().transpose()?;
        store.hierarchy().transpose()?;
        let kept = store.span_cache().transpose()?;
        kept.iter().flat_map(|kept| &kept.entries).try_for_each(|entry| store.cached_spans(entry).map(drop))
    };
    let of_memory = in_memory().map_err(rule);
    let of_parts = in_parts().map_err(crate::file_support::store_rule);
    // Files in memory have no cached spans.
    assert!(of_memory.is_ok() || of_memory == of_parts, "{of_memory:?} {of_parts:?}");
    of_parts
}

/// The parts of a file that its root describes.
fn parts(bytes: &[u8]) -> Vec<Range<u64>> {
    let store = NavStore::open(bytes).unwrap();
    let root = *store.root();
    let mut parts: Vec<Range<u64>> = Vec::new();
    for at in ROOT_OFFSETS {
        let here: Root = bytemuck::pod_read_unaligned(&bytes[at..at + size_of::<Root>()]);
        let is_current = here.sequence == root.sequence;
        let has_hierarchy = !is_current || store.hierarchy_place().is_some();
        let places =
            size_of::<SpanCachePlace>() + if has_hierarchy { size_of::<HierarchyPlace>() } else { 0 };
        parts.push(at as u64..(at + size_of::<Root>() + places) as u64);
    }
    let mut add = |offset: u64, length: u64| parts.push(offset..offset + length);
    add(0, 16);
    add(root.meta_offset, root.meta_length);
    add(root.directory_offset, 64 * root.directory_count);
    add(root.graph_offset, root.graph_length);
    store.entries().iter().for_each(|entry| add(entry.offset, entry.length));
    store.hierarchy_place().into_iter().for_each(|place| add(place.offset, place.length));
    if let Some(place) = store.span_cache_place() {
        add(place.offset, place.length);
        store.span_cache().unwrap().unwrap().entries.iter().for_each(|entry| add(entry.offset, entry.length));
    }
    parts
}

#[test]
fn no_padding_of_a_file_may_be_other_than_zeros() {
    let edited = {
        let mut store = NavStore::open(file(Packing::Raw)).unwrap();
        let mut other = meta();
        other.areas.pop();
        store.commit(Edit::new().set_meta(other).set_graph(None)).unwrap();
        store
            .commit(Edit::new().put(record(&at(everything(), 9, 9))).set_graph(Some(graph(&tiles()))))
            .unwrap();
        store.into_inner()
    };
    let mut files = vec![file(Packing::Raw), edited];
    #[cfg(feature = "lz4")]
    files.push(file(Packing::Lz4));
    let mut rules = BTreeSet::new();
    let mut behind = [0; 2];
    for (number, bytes) in files.into_iter().enumerate() {
        assert_eq!(read_all(&bytes), Ok(()), "file {number}");
        let parts = parts(&bytes);
        let is_padding = |at: u64| {
            let after_part = parts.iter().any(|part| (part.end..part.end.next_multiple_of(16)).contains(&at));
            let is_of_head = at < HEAD_LENGTH as u64;
            (after_part || is_of_head) && !parts.iter().any(|part| part.contains(&at))
        };
        for at in (0..bytes.len()).filter(|at| is_padding(*at as u64)) {
            let mut spoiled = bytes.clone();
            spoiled[at] = 1;
            let broken = read_all(&spoiled).expect_err(&format!("file {number}: byte {at}"));
            rules.insert(broken);
            behind[usize::from(at >= HEAD_LENGTH)] += 1;
        }
    }
    assert_eq!(rules, BTreeSet::from(["file-padding", "head-reserved"]));
    assert!(behind[0] > 3000 && behind[1] > 60, "{behind:?}");
}
