//! Files just within the limits are accepted, and those just beyond them are refused by the matching rule.

use crate::common::{square, tile};
use crate::file_support::{meta, put_root, root, rule};
use navtile::{AreaMeta, FileError, Meta, NavFile, Tile, TileCoord, write_file};

/// Metadata with a start for reachability, which moves the areas to other offsets.
fn with_place() -> Meta {
    let mut meta = meta();
    meta.settings.reachable_from = Some([1.0, 2.0, -3.0]);
    meta
}

fn refusal(change: impl Fn(&mut Meta)) -> FileError {
    let mut meta = with_place();
    change(&mut meta);
    write_file(&meta, &[]).unwrap_err()
}

#[test]
fn metadata_at_its_limits_survives() {
    let mut meta = with_place();
    meta.settings.partition = 2;
    let area = |id: u8| AreaMeta { id, name: "n".repeat(255), flags: 0, cost: 0.0, colour: None };
    meta.areas = (1..=255).map(area).collect();
    let bytes = write_file(&meta, &[]).unwrap();
    assert_eq!(NavFile::open(&bytes).unwrap().meta(), &meta);
}

#[test]
fn numbers_beyond_the_limits_are_refused() {
    for wrong in [f64::NAN, f64::INFINITY] {
        let error = refusal(|meta| meta.settings.reachable_from = Some([0.0, 0.0, wrong]));
        assert!(error.to_string().contains("a finite place"), "{error}");
        assert_eq!(rule(error), "meta-number");
    }
    for wrong in [f32::NAN, f32::INFINITY, -1.0] {
        assert_eq!(rule(refusal(|meta| meta.areas[1].cost = wrong)), "meta-areas", "{wrong}");
    }
}

#[test]
fn a_name_that_claims_to_be_long_is_refused_before_it_is_decoded() {
    let plain = write_file(&meta(), &[]).unwrap();
    let placed = write_file(&with_place(), &[]).unwrap();
    // The flag byte for the start, 60 bytes, the number of areas, and an id.
    for (mut bytes, at) in [(plain, 113 + 60 + 8 + 1), (placed, 113 + 24 + 60 + 8 + 1)] {
        let mut root = root(&bytes);
        let metadata = root.meta_offset as usize..(root.meta_offset + root.meta_length) as usize;
        let length = metadata.start + at..metadata.start + at + 8;
        assert_eq!(bytes[length.clone()], 6u64.to_le_bytes(), "\"ground\"");
        bytes[length].copy_from_slice(&(1u64 << 19).to_le_bytes());
        root.meta_checksum = crc32fast::hash(&bytes[metadata]);
        put_root(&mut bytes, 0, root);
        let error = NavFile::open(&bytes).err().unwrap();
        assert!(error.to_string().contains("names of at most 255 bytes"), "{error}");
    }
}

#[test]
fn a_file_of_a_head_alone_lacks_its_metadata() {
    let mut bytes = write_file(&meta(), &[]).unwrap();
    let mut root = root(&bytes);
    root.file_length = 4096;
    put_root(&mut bytes, 0, root);
    assert_eq!(rule(NavFile::open(&bytes).err().unwrap()), "meta-place");
}

#[test]
fn tiles_in_layers_come_back() {
    let in_layer = |layer: i32| {
        let mut content = tile(&[square(0, 0, 512, |_, _| 1000 * layer)]);
        content.coord = TileCoord { x: 1, z: 2, layer };
        Tile::from_bytes(&content.write().unwrap().0).unwrap()
    };
    let tiles = [-1, 0, 7].map(in_layer);
    let bytes = write_file(&meta(), &tiles).unwrap();
    let file = NavFile::open(&bytes).unwrap();
    for tile in &tiles {
        assert_eq!(&file.tile(tile.coord()).unwrap().unwrap(), tile);
    }
}
