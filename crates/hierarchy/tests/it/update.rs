//! After any change a hierarchy equals a fresh build.

use crate::worlds::{hierarchy, mesh, settings, world};
use hierarchy::{Hierarchy, HierarchyError};
use navmath::SplitMix64;
use navtile::TileCoord;

#[test]
fn an_updated_hierarchy_is_the_one_built_from_nothing() {
    for (seed, with_links) in [(1, false), (2, true)] {
        let tiles = world(seed, 130.0, with_links);
        let others = world(seed + 100, 130.0, with_links);
        let mut random = SplitMix64::new(seed);
        let mut mesh = mesh(&tiles);
        let mut updated = hierarchy(&mesh);
        for step in 0..25 {
            let count = 1 + random.below(3);
            let mut changed = Vec::new();
            for _ in 0..count {
                let tile = &tiles[random.below(tiles.len())];
                let coord = tile.coord();
                let other = others.iter().find(|other| other.coord() == coord).unwrap_or(tile);
                let new = if random.below(2) == 0 { tile } else { other };
                if mesh.tile(coord).is_some() {
                    mesh.remove_tile(coord).unwrap();
                }
                if random.below(3) > 0 {
                    mesh.add_tile(new.clone()).unwrap();
                }
                changed.push(coord);
            }
            let before = updated.clone();
            let differ = updated.update(&mesh, &changed).unwrap();
            assert!(differ.is_empty() || updated != before, "seed {seed}, step {step}, {differ:?}");
            assert!(with_links || !differ.is_empty() || updated == before, "seed {seed}, step {step}");
            assert!(updated.update(&mesh, &changed).unwrap().is_empty(), "nothing has changed since");
            let built = hierarchy(&mesh);
            assert!(updated == built, "seed {seed}, step {step}, {changed:?}");
            assert_eq!(updated.to_bytes(), built.to_bytes());
        }
        let jumps = updated.cluster_counts();
        assert!(jumps[0] > 20 && jumps[1] > 4, "{jumps:?}");
    }
}

#[test]
fn a_world_without_tiles_has_an_empty_hierarchy() {
    let tiles = world(3, 30.0, false);
    let mut mesh = mesh(&tiles);
    let mut updated = hierarchy(&mesh);
    let lattice = mesh.lattice().unwrap();
    let coords: Vec<_> = tiles.iter().map(|tile| tile.coord()).collect();
    for &coord in &coords {
        mesh.remove_tile(coord).unwrap();
    }
    updated.update(&mesh, &coords).unwrap();
    assert_eq!(updated.cluster_counts(), [0, 0, 0]);
    assert!(updated == Hierarchy::build(&mesh, lattice, crate::worlds::TILE, &settings()).unwrap());
}

#[test]
fn tiles_at_the_ends_of_the_numbers_are_refused() {
    let mesh = mesh(&world(3, 30.0, false));
    let mut updated = hierarchy(&mesh);
    let before = updated.clone();
    for [x, z] in [[i32::MAX, 0], [0, i32::MIN], [i32::MIN, i32::MAX], [-(1 << 30) - 1, 0]] {
        let tile = TileCoord { x, z, layer: 0 };
        let refused = updated.update(&mesh, &[tile]);
        assert!(matches!(refused, Err(HierarchyError::TooFar(at)) if at == tile), "{refused:?}");
    }
    let tile = TileCoord { x: 1 << 30, z: -(1 << 30), layer: 0 };
    assert!(updated.update(&mesh, &[tile]).unwrap().is_empty(), "no tile is there");
    assert!(updated == before);
}
