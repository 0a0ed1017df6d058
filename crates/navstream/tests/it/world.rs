//! The tiles of a world, and the tiles that touch a circle.

use crate::common::{CELLS, SIDE, at, lattice, middle};
use navmath::{Lattice, SplitMix64};
use navstream::{StreamError, World, WorldTile};
use navtile::{Meta, NavStore, TileCoord};

fn listed(coord: TileCoord) -> WorldTile {
    WorldTile { coord, bytes: 1000 }
}

fn world(coords: impl IntoIterator<Item = TileCoord>) -> World {
    World::new(lattice(), CELLS, coords.into_iter().map(listed)).unwrap()
}

/// The tiles that touch a circle, by a look at every tile.
fn touched(world: &World, [x, _, z]: [f64; 3], radius: f64) -> Vec<TileCoord> {
    let gap = |index: i32, place: f64| {
        let low = f64::from(index) * SIDE;
        (low - place).max(place - (f64::from(index) + 1.0) * SIDE).max(0.0)
    };
    let distance2 = |coord: TileCoord| {
        let [dx, dz] = [gap(coord.x, x), gap(coord.z, z)];
        dx * dx + dz * dz
    };
    let mut found: Vec<TileCoord> = world.tiles().iter().map(|tile| tile.coord).collect();
    found.retain(|coord| distance2(*coord) <= radius * radius);
    found.sort_by(|a, b| distance2(*a).total_cmp(&distance2(*b)).then(a.cmp(b)));
    found
}

#[test]
fn a_circle_touches_the_tiles_that_a_look_at_all_finds() {
    let mut random = SplitMix64::new(5);
    for _ in 0..300 {
        let reach = 1 + random.below(40);
        let mut along = || random.below(2 * reach) as i32 - reach as i32;
        let mut coords: Vec<TileCoord> =
            (0..80).map(|number| TileCoord { x: along(), z: along(), layer: number % 2 }).collect();
        coords.extend([at(i32::MIN, i32::MAX), at(i32::MAX, i32::MIN)]);
        coords.sort();
        coords.dedup();
        let world = world(coords);
        // A quarter of a tile, so that borders are hit.
        let mut place = || (random.below(8 * reach) as f64 - 4.0 * reach as f64) * SIDE / 4.0;
        let place = [place(), 7.0, place()];
        for radius in [0.0, 1.0, 3.0, SIDE, 5.5, 40.0, 1e4, 1e12] {
            assert_eq!(world.tiles_around(place, radius).unwrap(), touched(&world, place, radius));
        }
    }
}

#[test]
fn a_place_on_a_corner_touches_four_tiles_of_all_layers() {
    let upper = TileCoord { layer: 3, ..at(1, 1) };
    let world = world([at(0, 0), at(0, 1), at(1, 0), at(1, 1), upper, at(2, 0)]);
    let found = world.tiles_around([SIDE, 0.0, SIDE], 0.0).unwrap();
    assert_eq!(found, [at(0, 0), at(0, 1), at(1, 0), at(1, 1), upper]);
    assert_eq!(world.tiles_around(middle(at(2, 0)), 1.0).unwrap(), [at(2, 0)]);
}

#[test]
fn worlds_that_make_no_sense_are_refused() {
    let of = |lattice, cells, coords: &[TileCoord]| {
        World::new(lattice, cells, coords.iter().copied().map(listed)).unwrap_err()
    };
    assert_eq!(of(lattice(), 0, &[]), StreamError::OnePiece);
    assert_eq!(of(lattice(), 4, &[at(1, 2), at(0, 0), at(1, 2)]), StreamError::Duplicate(at(1, 2)));
    let flat = Lattice { cell_size: 0.0, ..lattice() };
    assert!(matches!(of(flat, 4, &[]), StreamError::Lattice(_)));
    let world = world([at(0, 0)]);
    assert_eq!(world.tiles_around([0.0; 3], -1.0), Err(StreamError::Radius(-1.0)));
    assert!(matches!(world.tiles_around([f64::NAN; 3], 1.0), Err(StreamError::Place(_))));
}

#[test]
fn a_file_lists_its_tiles() {
    let store = NavStore::open(navscenes::tiled_file("courtyard", 32).unwrap()).unwrap();
    let world = World::of_catalog(&store).unwrap();
    let coords: Vec<TileCoord> = world.tiles().iter().map(|tile| tile.coord).collect();
    assert_eq!(coords, store.coords());
    assert!(coords.len() > 4);
    for tile in world.tiles() {
        assert_eq!(store.tile(tile.coord).unwrap().unwrap().bytes().len(), tile.bytes as usize);
    }
    let solo = Meta { tile_cells: 0, ..store.meta().clone() };
    let solo = NavStore::open(navtile::write_file(&solo, &[]).unwrap()).unwrap();
    assert_eq!(World::of_catalog(&solo).unwrap_err(), StreamError::OnePiece);
}
