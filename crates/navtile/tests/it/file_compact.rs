//! Compacting, and tiles stored as LZ4 blocks.

use crate::file_support;
use crate::file_support::disk::opened;
use crate::file_support::{fresh, graph, meta, record, seeded, store_rule, tiles};
use navtile::{Edit, NavFile, NavStore, Packing, TileRecord, write_records};
use std::io::Cursor;

fn records() -> Vec<TileRecord> {
    tiles().iter().map(record).collect()
}

fn compacted(bytes: &[u8], packing: Packing) -> Vec<u8> {
    NavStore::open(bytes).unwrap().compact(Cursor::new(Vec::new()), packing).unwrap().into_inner()
}

#[test]
fn a_fresh_file_is_compact() {
    let bytes = fresh(&meta(), &records(), Some(&graph(&tiles())), Packing::Raw);
    assert_eq!(compacted(&bytes, Packing::Raw), bytes);
    let without = write_records(&meta(), &[]).unwrap();
    assert_eq!(compacted(&without, Packing::Raw), without);
}

#[test]
fn edits_leave_no_trace() {
    let mut other = meta();
    other.areas.pop();
    let mut store = opened(&fresh(&other, &records()[..1], None, Packing::Raw));
    store.commit(Edit::new().put(record(&seeded(3, 3, 1))).put(records()[2].clone())).unwrap();
    store.commit(Edit::new().set_meta(meta()).put(records()[1].clone())).unwrap();
    store.commit(Edit::new().remove(seeded(3, 3, 1).coord())).unwrap();
    store.commit(Edit::new().set_graph(Some(graph(&tiles())))).unwrap();
    let edited = [&store.source().bytes[..], &[7; 100]].concat();
    let canonical = fresh(&meta(), &records(), Some(&graph(&tiles())), Packing::Raw);
    assert_eq!(compacted(&edited, Packing::Raw), canonical);
    // The unused bytes are the difference, except for the alignment of the last part.
    let difference = store.source().bytes.len() - canonical.len();
    assert_eq!(store.unused_bytes(), difference as u64);
}

#[test]
fn a_broken_tile_is_not_compacted_away() {
    let mut bytes = fresh(&meta(), &records(), None, Packing::Raw);
    let entry = NavFile::open(&bytes).unwrap().entries()[1];
    bytes[entry.offset as usize + 300] ^= 1;
    let store = NavStore::open(bytes).unwrap();
    let error = store.compact(Cursor::new(Vec::new()), Packing::Raw).err().unwrap();
    assert_eq!(store_rule(error), "tile-checksum");
}

#[cfg(feature = "lz4")]
mod lz4 {
    use super::*;
    use bytemuck::bytes_of;
    use file_support::{put_root, root, rule};
    use navtile::file::{DirectoryEntry, FLAG_LZ4, LARGEST_RATIO};
    use navtile::{FileWriter, Tile, TileCoord};
    use proptest::prelude::*;

    /// A tile of many polygons, which shrinks when packed.
    fn large(x: i32) -> Tile {
        use crate::common::{square, tile};
        let squares: Vec<_> =
            (0..256).map(|i| square(i % 16, i / 16, 256, |x, z| 31 * x * x + 17 * z * x)).collect();
        file_support::at(tile(&squares), x, 40)
    }

    fn packed() -> Vec<u8> {
        fresh(&meta(), &[record(&large(0)), record(&large(1))], None, Packing::Lz4)
    }

    #[test]
    fn what_is_packed_is_read_by_files_and_stores() {
        let raw = fresh(&meta(), &[record(&large(0)), record(&large(1))], None, Packing::Raw);
        let packed = packed();
        assert!(packed.len() < raw.len() * 2 / 3, "{} of {}", packed.len(), raw.len());
        let (file, store) = (NavFile::open(&packed).unwrap(), NavStore::open(packed.as_slice()).unwrap());
        for tile in [large(0), large(1)] {
            let entry = store.find(tile.coord()).unwrap();
            assert_eq!((entry.flags, u64::from(entry.raw_length)), (FLAG_LZ4, tile.bytes().len() as u64));
            assert_eq!(entry.blob_length(), tile.bytes().len() as u64);
            assert!(entry.offset % 16 == 0 && entry.length < entry.blob_length());
            assert_eq!(file.tile(tile.coord()).unwrap().unwrap(), tile);
            assert_eq!(store.tile(tile.coord()).unwrap().unwrap(), tile);
            assert_eq!(file.stored(entry).unwrap().len() as u64, entry.length);
        }
    }

    #[test]
    fn packing_is_canonical_and_goes_both_ways() {
        let records = [records(), vec![record(&large(0)), record(&large(1))]].concat();
        let (raw, packed) = (
            fresh(&meta(), &records, Some(&graph(&tiles())), Packing::Raw),
            fresh(&meta(), &records, Some(&graph(&tiles())), Packing::Lz4),
        );
        for from in [&raw, &packed] {
            assert!(compacted(from, Packing::Raw) == raw && compacted(from, Packing::Lz4) == packed);
        }
        // A file of both kinds, made by an edit.
        let mut store = opened(&fresh(&meta(), &records[..4], None, Packing::Raw)).with_packing(Packing::Lz4);
        store.commit(Edit::new().put(records[4].clone()).set_graph(Some(graph(&tiles())))).unwrap();
        let lz4: Vec<bool> = store.entries().iter().map(DirectoryEntry::is_lz4).collect();
        assert!(lz4.contains(&true) && !lz4[lz4.len() - 2], "{lz4:?}");
        let mixed = store.into_inner().bytes;
        assert!(compacted(&mixed, Packing::Raw) == raw && compacted(&mixed, Packing::Lz4) == packed);
        // Stored bytes can be copied as they are.
        let from = NavFile::open(&packed).unwrap();
        let mut writer = FileWriter::new(Cursor::new(Vec::new()), &meta(), from.entries().len()).unwrap();
        for entry in from.entries() {
            writer.add_stored(entry, from.stored(entry).unwrap()).unwrap();
        }
        assert_eq!(writer.finish(Some(&graph(&tiles()))).unwrap().into_inner(), packed);
    }

    #[test]
    fn packed_bytes_are_the_same_everywhere() {
        // If this hash changes, files packed by another version or on another machine are no longer
        // canonical: a change of format.
        assert_eq!(format!("{:08x}", crc32fast::hash(&packed())), "c06c8d43");
    }

    #[test]
    fn a_tile_that_packing_does_not_help_is_stored_as_it_is() {
        // Mostly one polygon's detail vertices, repeated at one position.
        let mut content = crate::common::tile(&[crate::common::square(0, 0, 512, |_, _| 0)]);
        let user = (0..400).map(|_| navtile::layout::OffMeshLink {
            start: [5, 5, 5],
            end: [9, 9, 9],
            end_tile: [0; 3],
            radius: 3,
            flags: 0,
            area: 1,
            direction: 0,
            reserved: 0,
            user_id: 0,
            along: [0; 2],
        });
        content.off_mesh_links = user.collect();
        let uniform = file_support::at(content, 0, 0);
        let file = fresh(&meta(), &[record(&uniform)], None, Packing::Lz4);
        let entry = NavFile::open(&file).unwrap().entries()[0];
        assert_eq!((entry.flags, entry.raw_length, entry.length), (0, 0, uniform.bytes().len() as u64));
        assert_eq!(file, fresh(&meta(), &[record(&uniform)], None, Packing::Raw));
    }

    /// A file of one packed tile, with other stored bytes and another row, checksums corrected.
    fn with_stored(stored: &[u8], change: impl Fn(&mut DirectoryEntry)) -> Vec<u8> {
        let mut bytes = fresh(&meta(), &[record(&large(0))], None, Packing::Lz4);
        let mut head = root(&bytes);
        let mut entry = NavFile::open(&bytes).unwrap().entries()[0];
        bytes.truncate(entry.offset as usize);
        bytes.extend_from_slice(stored);
        (entry.length, entry.checksum) = (stored.len() as u64, crc32fast::hash(stored));
        change(&mut entry);
        let directory = head.directory_offset as usize;
        bytes[directory..directory + 64].copy_from_slice(bytes_of(&entry));
        head.directory_checksum = crc32fast::hash(bytes_of(&entry));
        head.file_length = bytes.len() as u64;
        put_root(&mut bytes, 0, head);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Tile, &'static str> {
        let coord = TileCoord { x: 0, z: 40, layer: 0 };
        let file = NavFile::open(bytes).map_err(rule)?;
        file.tile(coord).unwrap().map_err(rule)
    }

    #[test]
    fn blocks_that_lie_are_refused() {
        let bytes = fresh(&meta(), &[record(&large(0))], None, Packing::Lz4);
        let entry = NavFile::open(&bytes).unwrap().entries()[0];
        let block = bytes[entry.offset as usize..][..entry.length as usize].to_vec();
        assert_eq!(read(&with_stored(&block, |_| {})), Ok(large(0)));
        let one_more = |e: &mut DirectoryEntry| e.raw_length += 1;
        let one_less = |e: &mut DirectoryEntry| e.raw_length -= 1;
        assert_eq!(read(&with_stored(&block, one_more)), Err("tile-lz4"));
        assert_eq!(read(&with_stored(&block, one_less)), Err("tile-lz4"));
        assert_eq!(read(&with_stored(&block[..block.len() - 1], |_| {})), Err("tile-lz4"));
        // A valid block, but its content is not a tile.
        let mut zeros = vec![0x1f, 0, 1, 0];
        zeros.extend([255; 40]);
        let length = 1 + 4 + 15 + 255 * 40 + 9 + 5;
        zeros.extend([9, 0x50, 0, 0, 0, 0, 0]);
        zeros.resize(zeros.len(), 0);
        let too_long = |e: &mut DirectoryEntry| e.raw_length = length;
        assert_eq!(
            read(&with_stored(&zeros, too_long)),
            Err("tile-raw-length"),
            "more than eight times as long"
        );
        let most = |e: &mut DirectoryEntry| e.raw_length = (e.length * LARGEST_RATIO) as u32;
        assert_eq!(read(&with_stored(&zeros, most)), Err("tile-lz4"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn changed_blocks_never_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5)) {
            let bytes = fresh(&meta(), &[record(&large(0))], None, Packing::Lz4);
            let entry = NavFile::open(&bytes).unwrap().entries()[0];
            let mut block = bytes[entry.offset as usize..][..entry.length as usize].to_vec();
            for (at, value) in edits {
                let at = at.index(block.len());
                block[at] = value;
            }
            let changed = with_stored(&block, |_| {});
            if let Ok(tile) = read(&changed) {
                prop_assert_eq!(tile, large(0));
            }
        }
    }
}

#[cfg(not(feature = "lz4"))]
#[test]
fn without_the_means_a_packed_tile_is_refused_by_name_and_others_are_read() {
    use file_support::{put_root, root};
    let mut bytes = write_records(&meta(), &records()).unwrap();
    let mut head = root(&bytes);
    let directory = head.directory_offset as usize..head.directory_offset as usize + 3 * 64;
    let row = &mut bytes[directory.clone()][..64];
    row[12] = 1;
    let length = u64::from_le_bytes(row[24..32].try_into().unwrap());
    row[36..40].copy_from_slice(&(length as u32 * 2).to_le_bytes());
    head.directory_checksum = crc32fast::hash(&bytes[directory]);
    put_root(&mut bytes, 0, head);
    let store = NavStore::open(bytes).unwrap();
    let coords = store.coords();
    let error = store.tile(coords[0]).unwrap().unwrap_err();
    assert!(error.to_string().contains("without the feature `lz4`"), "{error}");
    assert_eq!(store_rule(error), "tile-lz4");
    assert!(store.tile(coords[1]).unwrap().is_ok());
}
