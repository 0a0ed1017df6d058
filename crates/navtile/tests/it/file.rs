//! Files: written files can be read again; broken files are refused by the name of the rule.

use crate::file_support::{meta, node, put_root, root, rule, tiles};
use bytemuck::{bytes_of, pod_read_unaligned};
use navtile::file::{DirectoryEntry, FILE_RULES, HierarchyPlace, ROOT_OFFSETS, Root, SpanCachePlace};
use navtile::{AreaMeta, FileError, FileWriter, IslandGraph, Meta, NavFile, Tile, TileCoord, TileRecord};
use navtile::{write_file, write_records};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::io::Cursor;

/// A file with an island graph.
fn with_graph() -> Vec<u8> {
    let mut tiles = tiles();
    tiles.sort_by_key(Tile::coord);
    let mut writer = FileWriter::new(Cursor::new(Vec::new()), &meta(), tiles.len()).unwrap();
    for tile in &tiles {
        writer.add(&TileRecord { tile: tile.clone(), input_hash: [5; 16], prune_hash: [0; 8] }).unwrap();
    }
    let graph = IslandGraph::new(tiles.iter().map(node).collect());
    writer.finish(Some(&graph)).unwrap().into_inner()
}

fn file() -> Vec<u8> {
    write_file(&meta(), &tiles()).unwrap()
}

#[test]
fn what_is_written_is_read() {
    let bytes = file();
    let file = NavFile::open(&bytes).unwrap();
    assert_eq!(file.meta(), &meta());
    assert_eq!(bytes.len() as u64, file.root().file_length);
    let coords = file.coords();
    assert_eq!(coords.iter().map(|c| (c.x, c.z)).collect::<Vec<_>>(), [(-7, 3), (2, -2), (2, -1)]);
    for tile in tiles() {
        assert_eq!(file.tile(tile.coord()).unwrap().unwrap(), tile);
    }
    assert!(file.tile(TileCoord { x: 0, z: 0, layer: 0 }).is_none());
    assert!(file.entries().iter().all(|entry| entry.offset % 16 == 0));
}

#[test]
fn the_order_of_tiles_does_not_matter() {
    let mut reversed = tiles();
    reversed.reverse();
    assert_eq!(write_file(&meta(), &reversed).unwrap(), file());
}

fn patched_graph(change: impl Fn(&mut [u8], usize)) -> Vec<u8> {
    let mut bytes = with_graph();
    let at = root(&bytes).graph_offset as usize;
    change(&mut bytes, at);
    bytes
}

#[test]
fn a_graph_is_kept() {
    let file = NavFile::open(with_graph()).unwrap();
    let graph = file.graph().unwrap().unwrap();
    assert_eq!(graph.nodes().len(), 3);
    for tile in tiles() {
        assert_eq!(graph.nodes()[graph.find(tile.coord()).unwrap()], node(&tile));
        let entry = file.entries().iter().find(|entry| entry.coord() == tile.coord()).unwrap();
        assert_eq!(file.stored(entry).unwrap(), tile.bytes());
    }
    assert!(NavFile::open(self::file()).unwrap().graph().is_none());
}

#[test]
fn a_writer_refuses_what_is_out_of_order() {
    let mut tiles = tiles();
    tiles.sort_by_key(Tile::coord);
    let record = |tile: &Tile| TileRecord { tile: tile.clone(), input_hash: [0; 16], prune_hash: [0; 8] };
    let writer = |count| FileWriter::new(Cursor::new(Vec::new()), &meta(), count).unwrap();
    let mut falling = writer(2);
    falling.add(&record(&tiles[1])).unwrap();
    assert!(falling.add(&record(&tiles[0])).unwrap_err().to_string().contains("directory-order"));
    let mut one_more = writer(1);
    one_more.add(&record(&tiles[0])).unwrap();
    assert!(one_more.add(&record(&tiles[1])).unwrap_err().to_string().contains("one more"));
    let error = writer(1).finish(None).err().unwrap();
    assert!(error.to_string().contains("1 tiles, found 0"), "{error}");
}

#[test]
fn hashes_are_kept() {
    let record = |tile: &Tile| TileRecord { tile: tile.clone(), input_hash: [7; 16], prune_hash: [9; 8] };
    let records: Vec<TileRecord> = tiles().iter().map(record).collect();
    let bytes = write_records(&meta(), &records).unwrap();
    let file = NavFile::open(&bytes).unwrap();
    assert!(file.entries().iter().all(|entry| (entry.input_hash, entry.prune_hash) == ([7; 16], [9; 8])));
}

#[test]
fn a_file_without_tiles_is_a_file() {
    let bytes = write_file(&meta(), &[]).unwrap();
    assert!(NavFile::open(bytes).unwrap().coords().is_empty());
}

/// A file with another root, checksum corrected.
fn with_root(change: impl Fn(&mut Root)) -> Vec<u8> {
    let mut bytes = file();
    let mut root = root(&bytes);
    change(&mut root);
    put_root(&mut bytes, 0, root);
    bytes
}

/// A file with another first row in the directory, checksums corrected.
fn with_entry(change: impl Fn(&mut DirectoryEntry)) -> Vec<u8> {
    let mut bytes = file();
    let mut root = root(&bytes);
    let directory =
        root.directory_offset as usize..(root.directory_offset + root.directory_count * 64) as usize;
    let first = directory.start..directory.start + 64;
    let mut entry: DirectoryEntry = pod_read_unaligned(&bytes[first.clone()]);
    change(&mut entry);
    bytes[first].copy_from_slice(bytes_of(&entry));
    root.directory_checksum = crc32fast::hash(&bytes[directory]);
    put_root(&mut bytes, 0, root);
    bytes
}

/// A file whose metadata bytes are changed, checksums corrected.
fn with_meta(change: impl Fn(&mut [u8])) -> Vec<u8> {
    let mut bytes = file();
    let mut root = root(&bytes);
    let place = root.meta_offset as usize..(root.meta_offset + root.meta_length) as usize;
    change(&mut bytes[place.clone()]);
    root.meta_checksum = crc32fast::hash(&bytes[place]);
    put_root(&mut bytes, 0, root);
    bytes
}

fn patched(change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = file();
    change(&mut bytes);
    bytes
}

/// Opens a file and takes all its tiles.
fn read_all(bytes: &[u8]) -> Result<usize, FileError> {
    let file = NavFile::open(bytes)?;
    for coord in file.coords() {
        file.tile(coord).unwrap()?;
    }
    file.graph().transpose()?;
    file.hierarchy().transpose()?;
    Ok(file.coords().len())
}

/// Files with a graph at the wrong place or with the wrong bytes, and the broken rule.
fn broken_graphs() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("graph-place", with_root(|r| r.graph_offset = 8)),
        ("graph-place", with_root(|r| (r.graph_offset, r.graph_length) = (u64::MAX, 1))),
        ("graph-place", with_root(|r| (r.graph_offset, r.graph_length) = (5001, 1))),
        ("graph-checksum", patched_graph(|b, at| b[at + 1] ^= 1)),
    ]
}

/// Files whose directory breaks a rule, with its name.
fn broken_directories() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("directory-place", with_root(|r| r.directory_count = u64::MAX)),
        ("directory-place", with_root(|r| r.directory_offset = u64::MAX)),
        ("directory-place", with_root(|r| r.directory_offset += 1)),
        ("directory-checksum", with_root(|r| r.directory_count -= 1)),
        ("directory-flags", with_entry(|e| e.flags = 2)),
        ("directory-flags", with_entry(|e| e.raw_length = 1)),
        ("tile-place", with_entry(|e| e.offset += 1)),
        ("tile-place", with_entry(|e| e.length = 255)),
        ("tile-place", with_entry(|e| e.length = u64::MAX)),
        ("tile-place", with_entry(|e| e.offset = 0)),
        ("tile-place", with_entry(|e| (e.flags, e.length, e.raw_length) = (1, 32, 255))),
        ("tile-raw-length", with_entry(|e| (e.flags, e.raw_length) = (1, e.length as u32))),
        ("tile-raw-length", with_entry(|e| (e.flags, e.raw_length) = (1, e.length as u32 * 8 + 1))),
        ("tile-raw-length", with_entry(|e| (e.flags, e.length) = (1, 0))),
        ("directory-order", with_entry(|e| e.x = 9)),
        ("directory-order", with_entry(|e| (e.x, e.z) = (2, -2))),
        ("file-overlap", with_entry(|e| e.offset += 16)),
    ]
}

#[test]
fn each_rule_refuses_what_breaks_it() {
    let put =
        |bytes: &mut [u8], at: usize, value: f64| bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
    let mut shorter = meta();
    shorter.areas.clear();
    let meta_end = root(&file()).meta_length as usize;
    let mut cases: Vec<(&str, Vec<u8>)> = vec![
        ("file-length", patched(|b| b.truncate(4095))),
        ("file-length", patched(|b| b.truncate(b.len() - 1))),
        ("file-length", with_root(|r| r.file_length = 5)),
        ("file-magic", patched(|b| b[7] = 1)),
        ("file-version", patched(|b| b[8] = 2)),
        ("head-length", patched(|b| b[12] = 1)),
        ("head-reserved", patched(|b| b[16] = 1)),
        ("head-reserved", patched(|b| b[4095] = 1)),
        ("root", patched(|b| b[ROOT_OFFSETS[0] + 9] ^= 1)),
        ("root", with_root(|r| r.sequence = 0)),
        ("root-flags", with_root(|r| r.flags = 4)),
        ("root-flags", with_root(|r| r.reserved = 1)),
        ("meta-place", with_root(|r| r.meta_offset = 16)),
        ("meta-place", with_root(|r| r.meta_length = u64::MAX)),
        ("meta-checksum", patched(|b| b[4100] ^= 1)),
        ("meta-encoding", with_root(|r| (r.meta_length, r.meta_checksum) = (0, 0))),
        ("meta-encoding", with_meta(|b| b[112] = 2)),
        ("meta-encoding", with_meta(|b| b[173] += 1)),
        ("meta-areas", with_meta(|b| b[180] = 255)),
        ("meta-areas", with_meta(|b| b[189] = 255)),
        ("meta-encoding", {
            let mut bytes = file();
            let mut longer = root(&bytes);
            longer.meta_length += 1;
            longer.meta_checksum = crc32fast::hash(&bytes[4096..4096 + longer.meta_length as usize]);
            put_root(&mut bytes, 0, longer);
            bytes
        }),
        ("meta-number", with_meta(|b| put(b, 0, f64::NAN))),
        ("meta-number", with_meta(|b| put(b, 8, -1.0))),
        ("meta-number", with_meta(|b| put(b, 113, f64::INFINITY))),
        ("meta-number", with_meta(|b| put(b, 137, 0.0))),
        ("meta-partition", with_meta(|b| b[32] = 3)),
        ("meta-outlines", with_outlines(2)),
        ("meta-encoding", with_outlines(0)),
        ("meta-encoding", with_meta(|b| b[85] = 2)),
        ("meta-encoding", with_meta(|b| b[86] = 255)),
        ("meta-encoding", with_meta(|b| b[87] = 2)),
        // The first letter of a name.
        ("meta-encoding", with_meta(|b| b[190] = 0xFF)),
        ("meta-areas", with_meta(|b| b[181] = 0)),
        ("meta-areas", with_meta(|b| b[181] = 3)),
        ("meta-areas", with_meta(|b| b[meta_end - 4..].copy_from_slice(&f32::NAN.to_le_bytes()))),
        ("file-padding", patched(|b| b[4096 + meta_end] = 1)),
        ("tile-checksum", with_entry(|e| e.checksum ^= 1)),
        // As long as a header: long enough for the directory.
        ("tile-checksum", with_entry(|e| e.length = 256)),
        ("tile-lz4", with_entry(|e| (e.flags, e.raw_length) = (1, e.length as u32 + 1))),
        ("tile-lz4", with_entry(|e| (e.flags, e.raw_length) = (1, e.length as u32 * 8))),
        ("tile-coord", with_entry(|e| e.x -= 1)),
        ("tile-lattice", with_meta(|b| put(b, 129, 0.125))),
        ("tile-agent", with_meta(|b| put(b, 16, 1.0))),
    ];
    cases.extend(broken_graphs());
    cases.extend(crate::hierarchy_part::broken());
    cases.extend(broken_directories());
    for (index, (expected, bytes)) in cases.iter().enumerate() {
        let error = read_all(bytes).expect_err(expected);
        assert_eq!(rule(error.clone()), *expected, "case {index}: {error}");
    }
    let tested: BTreeSet<&str> = cases.iter().map(|case| case.0).collect();
    assert_eq!(tested, BTreeSet::from(FILE_RULES));
}

#[test]
fn a_broken_tile_is_reported_with_its_place() {
    let mut bytes = file();
    let last = NavFile::open(&bytes).unwrap().entries()[2];
    bytes[last.offset as usize + 300] ^= 1;
    let file = NavFile::open(&bytes).unwrap();
    let error = file.tile(last.coord()).unwrap().unwrap_err();
    assert!(
        matches!(&error, FileError::Tile { coord, source } if *coord == last.coord() && source.rule == "tile-checksum")
    );
    assert!(error.to_string().starts_with("tile (2, -1, 0): not a valid tile: tile-checksum"));
}

#[test]
fn the_newer_valid_root_counts() {
    let mut bytes = file();
    let first = root(&bytes);
    // A second root with one tile less: the directory's last row is left out.
    let count = first.directory_count - 1;
    let directory = first.directory_offset as usize..(first.directory_offset + count * 64) as usize;
    let directory_checksum = crc32fast::hash(&bytes[directory]);
    put_root(&mut bytes, 1, Root { sequence: 2, directory_count: count, directory_checksum, ..first });
    assert_eq!(read_all(&bytes), Ok(2));
    // It was torn while being written, so it does not count.
    bytes[ROOT_OFFSETS[1] + 3] ^= 1;
    assert_eq!(read_all(&bytes), Ok(3));
}

#[test]
fn an_unfinished_append_is_left_alone() {
    let bytes = [&file()[..], &[0xAB; 1000]].concat();
    assert_eq!(read_all(&bytes), Ok(3));
}

#[test]
fn every_prefix_is_refused() {
    let bytes = file();
    for end in 0..bytes.len() {
        assert_eq!(rule(read_all(&bytes[..end]).unwrap_err()), "file-length");
    }
}

#[test]
fn every_flipped_bit_is_noticed_or_changes_nothing() {
    let bytes = with_graph();
    let contents = |bytes: &[u8]| -> Result<_, FileError> {
        let file = NavFile::open(bytes)?;
        let tiles: Result<Vec<Tile>, FileError> =
            file.coords().into_iter().map(|coord| file.tile(coord).unwrap()).collect();
        Ok((file.meta().clone(), tiles?, file.graph().transpose()?))
    };
    let root = root(&bytes);
    let places = size_of::<SpanCachePlace>() + size_of::<HierarchyPlace>();
    let mut covered = vec![0..2048, 2048 + size_of::<Root>() + places..4096];
    let meta = root.meta_offset as usize;
    covered.push(meta..meta + root.meta_length as usize);
    covered.push(
        root.directory_offset as usize..root.directory_offset as usize + 3 * size_of::<DirectoryEntry>(),
    );
    covered.push(root.graph_offset as usize..(root.graph_offset + root.graph_length) as usize);
    for entry in NavFile::open(&bytes).unwrap().entries() {
        covered.push(entry.offset as usize..(entry.offset + entry.length) as usize);
    }
    let expected = contents(&bytes).unwrap();
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match contents(&flipped) {
            Err(_) => {}
            // A second, invalid root, the places behind it, and padding after parts.
            Ok(found) => {
                assert!(found == expected, "bit {bit}");
                assert!(!covered.iter().any(|part| part.contains(&(bit / 8))), "bit {bit}");
            }
        }
    }
}

#[test]
fn writing_refuses_what_reading_would() {
    let twice = [tiles(), tiles()].concat();
    assert_eq!(rule(write_file(&meta(), &twice).unwrap_err()), "directory-order");
    let refused = |change: &dyn Fn(&mut Meta)| {
        let mut meta = meta();
        change(&mut meta);
        rule(write_file(&meta, &tiles()).unwrap_err())
    };
    assert_eq!(refused(&|m| m.cell[0] = 0.25), "tile-lattice");
    assert_eq!(refused(&|m| m.agent.slope = 30.0), "tile-agent");
    assert_eq!(refused(&|m| m.areas[0].name = "x".repeat(256)), "meta-areas");
    assert_eq!(refused(&|m| m.areas.reverse()), "meta-areas");
    assert_eq!(refused(&|m| m.settings.max_edge_length = f64::NAN), "meta-number");
}

#[test]
fn colours_stand_behind_the_rest_and_are_of_areas_that_are_there() {
    let mut meta = meta();
    let plain = write_file(&meta, &tiles()).unwrap();
    meta.areas[1].colour = Some([1, 2, 3]);
    let coloured = write_file(&meta, &tiles()).unwrap();
    let lengths = [&plain, &coloured].map(|bytes| root(bytes).meta_length as usize);
    assert_eq!(lengths[1] - lengths[0], 12);
    let start = root(&coloured).meta_offset as usize;
    let tail = start + lengths[0]..start + lengths[1];
    assert_eq!(coloured[tail.clone()], [1, 0, 0, 0, 0, 0, 0, 0, meta.areas[1].id, 1, 2, 3]);
    assert_eq!(NavFile::open(&coloured).unwrap().meta(), &meta);
    let refused = |at: usize, value: u8| {
        let (mut bytes, mut changed) = (coloured.clone(), root(&coloured));
        bytes[tail.start + at] = value;
        changed.meta_checksum = crc32fast::hash(&bytes[start..tail.end]);
        put_root(&mut bytes, 0, changed);
        rule(NavFile::open(&bytes).map(|_| ()).unwrap_err())
    };
    assert_eq!([refused(0, 0), refused(0, 2), refused(7, 255)], ["meta-encoding"; 3]);
    assert_eq!([refused(8, 0), refused(8, 200)], ["meta-areas"; 2]);
}

/// A file with exact outlines, with another byte for their kind.
fn with_outlines(kind: u8) -> Vec<u8> {
    let mut meta = meta();
    meta.settings.outlines = 1;
    let mut bytes = write_file(&meta, &tiles()).unwrap();
    let mut changed = root(&bytes);
    let end = (changed.meta_offset + changed.meta_length) as usize;
    assert_eq!(bytes[end - 9..end], [0, 0, 0, 0, 0, 0, 0, 0, 1]);
    bytes[end - 1] = kind;
    changed.meta_checksum = crc32fast::hash(&bytes[changed.meta_offset as usize..end]);
    put_root(&mut bytes, 0, changed);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn mutations_never_panic(
        edits in prop::collection::vec((0..3usize, any::<prop::sample::Index>(), any::<u8>()), 1..6),
        mend: bool,
    ) {
        let mut bytes = file();
        let first = root(&bytes);
        let meta = first.meta_offset as usize..(first.meta_offset + first.meta_length) as usize;
        let end = (first.directory_offset + first.directory_count * 64) as usize;
        let directory = first.directory_offset as usize..end;
        for (part, at, value) in edits {
            let place = match part {
                0 => ROOT_OFFSETS[0]..ROOT_OFFSETS[0] + 48,
                1 => meta.clone(),
                _ => directory.clone(),
            };
            bytes[place.start + at.index(place.len())] = value;
        }
        if mend {
            let (meta_checksum, directory_checksum) =
                (crc32fast::hash(&bytes[meta]), crc32fast::hash(&bytes[directory]));
            let changed = root(&bytes);
            put_root(&mut bytes, 0, Root { meta_checksum, directory_checksum, ..changed });
        }
        let _refused_or_not = read_all(&bytes).is_ok();
    }

    #[test]
    fn metadata_survives(
        digest: [u8; 16], cost in 0f32..1e6, tile_cells: u32, outlines in 0..2u8,
        names in prop::collection::vec("\\PC{0,40}", 0..20),
        colours in prop::collection::vec(any::<Option<[u8; 3]>>(), 0..20),
    ) {
        let colour = |id: u8| colours.get(usize::from(id)).copied().flatten();
        let area = |(id, name): (u8, &String)| AreaMeta { id, name: name.clone(), flags: tile_cells, cost, colour: colour(id) };
        let areas = (1..).zip(&names).map(area);
        let mut meta = Meta { geometry_digest: digest, tile_cells, areas: areas.collect(), ..meta() };
        meta.settings.outlines = outlines;
        let bytes = write_file(&meta, &[]).unwrap();
        let file = NavFile::open(&bytes).unwrap();
        prop_assert_eq!(file.meta(), &meta);
    }
}
