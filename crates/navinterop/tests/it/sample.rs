//! A tile set that another program wrote is imported: `dungeon_all_tiles_navmesh_32bit.bin`, in
//! `shared/meshes` next to the repository. If it is missing, these tests report it and pass.

#![allow(clippy::print_stdout, reason = "reports skipped tests and findings")]

use navinterop::export::export;
use navinterop::import::{Imported, import_files};
use navinterop::{ByteOrder, Encoding, Foreign, RefWidth, mset, read};
use navtile::islands::Islands;
use navtile::layout::side;
use navtile::seam::match_portals;
use navtile::{NavFile, Tile, TileCoord, write_file};
use std::path::Path;

fn sample() -> Option<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes");
    let path = folder.join("dungeon_all_tiles_navmesh_32bit.bin");
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        println!("skipped: {} is not there", path.display());
    }
    bytes
}

fn imported(bytes: &[u8]) -> Imported {
    import_files(vec![read(bytes).unwrap()]).unwrap()
}

/// Number of portals, and number of those that meet one across a seam.
fn seams(tiles: &[Tile]) -> (usize, usize) {
    let at = |coord: TileCoord| tiles.iter().find(|tile| tile.coord() == coord);
    let (mut all, mut met) = (0, 0);
    for tile in tiles {
        all += tile.portals().len();
        let TileCoord { x, z, layer } = tile.coord();
        let mut meets = vec![false; tile.portals().len()];
        for (on, dx, dz) in
            [(side::X_MIN, -1, 0), (side::Z_MAX, 0, 1), (side::X_MAX, 1, 0), (side::Z_MIN, 0, -1)]
        {
            let Some(other) = at(TileCoord { x: x + dx, z: z + dz, layer }) else { continue };
            match_portals(tile, on, other).iter().for_each(|found| meets[found.a as usize] = true);
        }
        met += meets.iter().filter(|meets| **meets).count();
    }
    (all, met)
}

#[test]
fn the_dungeon_is_imported_and_answers() {
    let Some(bytes) = sample() else { return };
    let set = mset::read(&bytes).unwrap();
    assert_eq!(set.encoding, Encoding { order: ByteOrder::Little, width: RefWidth::Bits32 });
    let dungeon = imported(&bytes);
    let polygons: usize = dungeon.tiles.iter().map(|tile| tile.polygons().len()).sum();
    let islands = Islands::find(&dungeon.tiles);
    let (portals, met) = seams(&dungeon.tiles);
    println!(
        "{} tiles, {polygons} polygons, {} islands, {met} of {portals} portals meet",
        dungeon.tiles.len(),
        islands.len()
    );
    println!("moved by {:?} m at most", dungeon.largest_error);
    assert!(dungeon.diagnostics.is_empty(), "{}", dungeon.diagnostics[0]);
    assert_eq!((dungeon.tiles.len(), polygons, islands.len()), (41, 143, 5));
    // The other program also marks walls on a tile's border as portals.
    assert_eq!((portals, met), (145, 136));
    // Half of 1/256 of a cell, plus the rounding of f32.
    let half = |cell: f64| cell / 512.0 + 1e-5;
    assert!(dungeon.largest_error.iter().zip([0.3, 0.2, 0.3]).all(|(error, cell)| *error < half(cell)));
    assert_eq!(dungeon.meta.cell, [0.3, 0.2]);
    assert_eq!(dungeon.meta.tile_cells, 32);
}

#[test]
fn the_dungeon_comes_back() {
    let Some(bytes) = sample() else { return };
    let dungeon = imported(&bytes);
    for width in [RefWidth::Bits32, RefWidth::Bits64] {
        let set = export(&dungeon.tiles, width).unwrap().set;
        let again = import_files(vec![Foreign::Set(set)]).unwrap();
        assert_eq!(again.tiles, dungeon.tiles);
        assert_eq!(again.meta, dungeon.meta);
    }
    let swapped = mset::read(&bytes).unwrap();
    let encoding = Encoding { order: ByteOrder::Big, ..swapped.encoding };
    let swapped = mset::write(&mset::TileSet { encoding, ..swapped }).unwrap();
    assert_eq!(imported(&swapped).tiles, dungeon.tiles);
}

#[test]
fn the_dungeon_becomes_a_file() {
    let Some(bytes) = sample() else { return };
    let dungeon = imported(&bytes);
    let file = write_file(&dungeon.meta, &dungeon.tiles).unwrap();
    let file = NavFile::open(file).unwrap();
    assert_eq!(file.coords().len(), 41);
    for (coord, tile) in file.coords().into_iter().zip(&dungeon.tiles) {
        assert_eq!(&file.tile(coord).unwrap().unwrap(), tile);
    }
}

#[test]
fn every_prefix_of_the_dungeon_is_refused() {
    let Some(bytes) = sample() else { return };
    for length in (0..bytes.len()).step_by(13) {
        assert!(mset::read(&bytes[..length]).is_err(), "{length} bytes");
    }
}
