//! Files whose tiles share their bytes: the same tiles, the same errors, no copies.

use crate::file_support;
use crate::file_support::{fresh, meta, record, rule, seeded, tiles};
use navtile::{FileError, NavFile, Packing, SharedBytes, StoreError, Tile, TileCoord, write_file};

fn file() -> Vec<u8> {
    write_file(&meta(), &tiles()).unwrap()
}

fn shared(bytes: &[u8]) -> Result<NavFile<SharedBytes>, FileError> {
    NavFile::open_shared(SharedBytes::from(bytes))
}

#[test]
fn tiles_are_those_of_copies() {
    let bytes = file();
    let (copies, shared) = (NavFile::open(&bytes).unwrap(), shared(&bytes).unwrap());
    let all: Vec<Tile> = shared.tiles().collect::<Result<_, _>>().unwrap();
    let mut expected = tiles();
    expected.sort_by_key(Tile::coord);
    assert_eq!(all, expected);
    assert_eq!(copies.tiles().collect::<Result<Vec<_>, _>>().unwrap(), expected);
    assert_eq!(shared.tiles().len(), 3);
    let backwards: Vec<Tile> = shared.tiles().rev().collect::<Result<_, _>>().unwrap();
    assert!(backwards.iter().rev().eq(&expected));
    for (row, tile) in expected.iter().enumerate() {
        assert_eq!(shared.tile(tile.coord()).unwrap().unwrap(), *tile);
        assert_eq!(shared.tile_at(row).unwrap().unwrap(), *tile);
        assert_eq!(copies.tile_at(row).unwrap().unwrap(), *tile);
    }
    assert!(shared.tile_at(3).is_none() && copies.tile_at(usize::MAX).is_none());
    assert!(shared.tile(TileCoord { x: 0, z: 0, layer: 0 }).is_none());
}

#[test]
fn tiles_stand_where_the_file_is_and_outlive_it() {
    let bytes = SharedBytes::from(&file()[..]);
    let file = NavFile::open_shared(bytes.clone()).unwrap();
    for entry in file.entries() {
        let (tile, copy) = (file.tile(entry.coord()), NavFile::open(&bytes).unwrap().tile(entry.coord()));
        let place = &bytes[entry.offset as usize..][..entry.length as usize];
        assert_eq!(tile.unwrap().unwrap().bytes().as_ptr(), place.as_ptr());
        assert_ne!(copy.unwrap().unwrap().bytes().as_ptr(), place.as_ptr());
    }
    let kept: Vec<Tile> = file.tiles().collect::<Result<_, _>>().unwrap();
    drop((file, bytes));
    let mut expected = tiles();
    expected.sort_by_key(Tile::coord);
    assert_eq!(kept, expected);
    assert_eq!(kept[2].clone().polygons(), expected[2].polygons());
}

#[test]
fn a_file_is_read_from_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.navtile");
    std::fs::write(&path, file()).unwrap();
    assert_eq!(NavFile::read(&path).unwrap().tiles().count(), 3);
    std::fs::write(&path, &file()[..5000]).unwrap();
    assert!(matches!(NavFile::read(&path), Err(StoreError::File(_))));
    match NavFile::read(folder.path().join("nothing.navtile")).err().unwrap() {
        StoreError::Io { action, .. } => assert!(action.contains("nothing.navtile"), "{action}"),
        other => panic!("{other}"),
    }
}

/// The tiles of a file or their errors, as text: once copied out of the file, and once sharing its bytes.
fn reported(bytes: &[u8]) -> [Vec<String>; 2] {
    fn rows<B: AsRef<[u8]>>(file: Result<NavFile<B>, FileError>) -> Vec<String> {
        let file = match file {
            Ok(file) => file,
            Err(error) => return vec![error.to_string()],
        };
        file.tiles()
            .map(|tile| tile.map_or_else(|error| error.to_string(), |tile| format!("{tile:?}")))
            .collect()
    }
    [rows(NavFile::open(bytes)), rows(shared(bytes))]
}

#[test]
fn broken_files_are_reported_in_the_same_words() {
    let whole = file();
    let entry = NavFile::open(&whole[..]).unwrap().entries()[2];
    for at in (0..whole.len()).step_by(37).chain(entry.offset as usize..entry.offset as usize + 300) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        let [copied, shared] = reported(&bytes);
        assert_eq!(copied, shared, "byte {at}");
    }
}

/// A tile that is changed after its own checksum was made, once unchanged otherwise and once with the
/// directory's checksum corrected: the error names the checksum that is wrong.
#[test]
fn each_checksum_is_compared() {
    for field in [300, 24] {
        let mut bytes = file();
        let at = NavFile::open(&bytes[..]).unwrap().entries()[0].offset as usize;
        bytes[at + field] ^= 1;
        for file in [SharedBytes::from(&bytes[..]), SharedBytes::from(&mended(&bytes)[..])] {
            let expected = if file[..] == bytes[..] { "tile-checksum" } else { "checksum" };
            let copied = NavFile::open(&file).unwrap().tile_at(0).unwrap().unwrap_err();
            let shared = NavFile::open_shared(file).unwrap().tile_at(0).unwrap().unwrap_err();
            assert_eq!((rule(copied), rule(shared)), (expected, expected));
        }
    }
}

/// The file with the directory's checksum of the first tile, and of the directory, recomputed.
fn mended(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let file = NavFile::open(&bytes[..]).unwrap();
    let (mut entries, mut root) = (file.entries().to_vec(), *file.root());
    let blob = &bytes[entries[0].offset as usize..][..entries[0].length as usize];
    entries[0].checksum = crc32fast::hash(blob);
    let directory: &[u8] = bytemuck::cast_slice(&entries);
    root.directory_checksum = crc32fast::hash(directory);
    bytes[root.directory_offset as usize..][..directory.len()].copy_from_slice(directory);
    file_support::put_root(&mut bytes, 0, root);
    bytes
}

#[cfg(feature = "lz4")]
#[test]
fn compressed_tiles_have_bytes_of_their_own() {
    let records: Vec<_> = (0..4).map(|x| record(&seeded(x, 0, x))).collect();
    let bytes = SharedBytes::from(&fresh(&meta(), &records, None, Packing::Lz4)[..]);
    let file = NavFile::open_shared(bytes.clone()).unwrap();
    assert!(file.entries().iter().all(|entry| entry.is_lz4()));
    for (taken, record) in file.tiles().zip(&records) {
        let taken = taken.unwrap();
        assert_eq!(taken, record.tile);
        assert!(!bytes.as_ptr_range().contains(&taken.bytes().as_ptr()));
    }
}

#[test]
fn raw_files_of_any_packing_are_read() {
    let records: Vec<_> = (0..4).map(|x| record(&seeded(x, 0, x))).collect();
    let file = shared(&fresh(&meta(), &records, None, Packing::Raw)).unwrap();
    assert!(file.tiles().zip(&records).all(|(taken, record)| taken.unwrap() == record.tile));
}
