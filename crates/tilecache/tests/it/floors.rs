//! The floors that bakes begin at: held ones, those of the file, or new ones.

use crate::common::{Numbers, obstacle, place, scene, written};
use navlevel::{Body, Effect, Obstacle};
use navtile::Tile;
use recast::{AreaId, Transform};
use std::time::Duration;
use tilecache::{Budget, TileCache, bake_dynamic};

/// Everything that a game sees of a cache: its tiles.
fn tiles(cache: &TileCache<&[u8]>) -> Vec<Tile> {
    cache.coords().into_iter().map(|coord| cache.tile(coord).unwrap().unwrap()).collect()
}

#[test]
fn marks_over_solids_that_come_and_go_are_baked_from_the_right_floors() {
    for (name, cells, limit) in [
        ("courtyard", 48, u64::MAX),
        ("courtyard", 24, 70_000),
        ("slopes", 48, u64::MAX),
        ("storeys", 0, u64::MAX),
    ] {
        let level = scene(name, |_| ());
        let original = bake_dynamic(&level, cells, &[]).unwrap();
        let mut cache = TileCache::open(original.as_slice()).unwrap();
        cache.set_held_limit(limit);
        let mut numbers = Numbers::new(u64::from(cells) + 5);
        let middle = place(&level, &mut numbers);
        // Three marks, a solid and a hole around one place: a random one appears, moves or disappears each
        // time.
        let of_kind = |effect: Effect| match effect {
            Effect::Blocks { .. } | Effect::Marks { .. } => 0..3,
            Effect::Solid { .. } => 3..4,
            Effect::Removes => 4..5,
        };
        let mut obstacles: Vec<Obstacle> = Vec::new();
        while obstacles.len() < 5 {
            let drawn = obstacle(&level, &mut numbers);
            if of_kind(drawn.effect).contains(&obstacles.len()) {
                obstacles.push(Obstacle { place: middle, ..drawn });
            }
        }
        let mut handles = [None; 5];
        for step in 0..40 {
            let which = numbers.below(5);
            handles[which] = match handles[which] {
                None => Some(cache.add(&obstacles[which]).unwrap()),
                Some(handle) if numbers.below(2) == 0 => {
                    let [x, z] = [0, 2].map(|axis| middle.0[axis][3] + numbers.between(-2.0, 2.0));
                    obstacles[which].place =
                        Transform::turned(numbers.between(0.0, 90.0), [x, middle.0[1][3], z]);
                    cache.move_to(handle, obstacles[which].place).unwrap();
                    Some(handle)
                }
                Some(handle) => {
                    cache.remove(handle).unwrap();
                    None
                }
            };
            let update = cache.wait().unwrap();
            assert!(update.failed.is_empty(), "{:?}", update.failed);
            // Another cache without any history.
            let mut fresh = TileCache::open(original.as_slice()).unwrap();
            for handle in handles.iter().flatten() {
                fresh.add(cache.obstacle(*handle).unwrap()).unwrap();
            }
            fresh.wait().unwrap();
            assert!(tiles(&cache) == tiles(&fresh), "{name}, tiles of {cells}, step {step}: {handles:?}");
        }
        let there: Vec<Obstacle> =
            handles.iter().flatten().map(|handle| cache.obstacle(*handle).unwrap().clone()).collect();
        assert!(written(&cache) == bake_dynamic(&level, cells, &there).unwrap(), "{name}, tiles of {cells}");
    }
}

#[test]
fn a_tile_that_is_again_as_in_the_file_is_not_baked() {
    for (name, cells) in [("courtyard", 24), ("two_rooms", 24), ("storeys", 0)] {
        let level = scene(name, |_| ());
        let original = bake_dynamic(&level, cells, &[]).unwrap();
        let mut cache = TileCache::open(original.as_slice()).unwrap();
        let before = tiles(&cache);
        let ground = &before[before.len() / 2];
        let at = ground.lattice().fixed_to_world(ground.vertices()[0], ground.header().base_cell);
        for effect in
            [Effect::Solid { area: AreaId::GROUND }, Effect::Blocks { inflate: true }, Effect::Removes]
        {
            let body = Body::cuboid([1.5, 1.0, 1.5]).unwrap();
            let handle = cache.add(&Obstacle { body, place: Transform::turned(20.0, at), effect }).unwrap();
            let came = cache.wait().unwrap();
            assert!(came.baked > 0 && came.from_file == 0, "{name}: {came:?}");
            cache.remove(handle).unwrap();
            let went = cache.wait().unwrap();
            assert_eq!((went.baked, went.from_file), (0, came.baked), "{name}");
            assert!(tiles(&cache) == before, "{name}");
        }
        assert!(written(&cache) == original, "{name}");
    }
}

#[test]
fn an_update_without_time_begins_a_tile_in_the_end() {
    let level = scene("courtyard", |_| ());
    let mut cache = TileCache::open(bake_dynamic(&level, 24, &[]).unwrap()).unwrap();
    cache.add(&obstacle(&level, &mut Numbers::new(3))).unwrap();
    let waiting = cache.waiting();
    assert!(waiting > 0);
    let mut left = Vec::new();
    while cache.waiting() > 0 {
        left.push(cache.update(Budget::time(Duration::ZERO)).unwrap().left);
    }
    // One tile in every eighth update.
    let expected: Vec<usize> = (1..=8 * waiting).map(|update| waiting - update / 8).collect();
    assert_eq!(left, expected);
    let rest = cache.update(Budget::time(Duration::MAX)).unwrap();
    assert_eq!((rest.baked, rest.left), (0, 0));
}
