//! Invalid files and obstacles: each is refused by name, and nothing changes.

use crate::common::scene;
use navlevel::{Body, Effect, Obstacle};
use recast::{AreaId, Transform};
use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering};
use tilecache::{Budget, CacheError, TileCache, bake_dynamic};

fn solid(size: f64, at: [f64; 3]) -> Obstacle {
    let body = Body::cuboid([size; 3]).unwrap();
    Obstacle { body, place: Transform::turned(0.0, at), effect: Effect::Solid { area: AreaId::GROUND } }
}

#[test]
fn a_file_without_cached_spans_is_refused_with_the_command() {
    let level = scene("plane", |_| ());
    let tiles = navlevel::bake_tiles(&level, 48, &recast::Silent).unwrap();
    let tiles: Vec<navtile::Tile> = tiles.into_iter().map(|baked| baked.tile).collect();
    let file = navtile::write_file(&navlevel::meta::meta(&level, 48, None), &tiles).unwrap();
    let error = TileCache::open(file).unwrap_err();
    assert!(error.to_string().contains("navtile bake --dynamic"), "{error}");
}

#[test]
fn damaged_spans_fail_their_tile_and_leave_the_rest() {
    let level = scene("courtyard", |_| ());
    let mut file = bake_dynamic(&level, 24, &[]).unwrap();
    let entry = navtile::NavStore::open(file.as_slice()).unwrap().span_cache().unwrap().unwrap().entries[0];
    file[entry.offset as usize] ^= 1;
    let mut cache = TileCache::open(file.as_slice()).unwrap();
    let before = cache.tile(entry.coord()).map(|tile| tile.unwrap().bytes().to_vec());
    let [x, y, z] = level.lattice.origin;
    cache.add(&solid(1.0, [x + 7.0, y, z + 7.0])).unwrap();
    let update = cache.wait().unwrap();
    let [failed] = update.failed.as_slice() else { panic!("{:?}", update.failed) };
    assert_eq!(failed.coord, entry.coord());
    assert!(failed.error.to_string().contains("span-cache-checksum"), "{}", failed.error);
    assert!(!update.changes.is_empty() && update.left == 0);
    assert_eq!(cache.tile(entry.coord()).map(|tile| tile.unwrap().bytes().to_vec()), before);
    let error = cache.write(Cursor::new(Vec::new())).unwrap_err();
    assert!(matches!(error, CacheError::Waiting(1)), "{error}");
}

#[test]
fn obstacles_that_cannot_be_change_nothing() {
    let level = scene("plane", |_| ());
    let file = bake_dynamic(&level, 24, &[]).unwrap();
    let mut cache = TileCache::open(file.as_slice()).unwrap();
    for at in [[f64::NAN, 0.0, 0.0], [0.0, f64::INFINITY, 0.0], [1e300, 0.0, 0.0]] {
        assert!(matches!(cache.add(&solid(1.0, at)), Err(CacheError::Obstacle(_))), "{at:?}");
    }
    let handle = cache.add(&solid(1.0, [3.0, 0.0, 3.0])).unwrap();
    cache.wait().unwrap();
    assert!(cache.move_to(handle, Transform([[f64::NAN; 4]; 3])).is_err());
    assert_eq!((cache.waiting(), cache.obstacle_count()), (0, 1));
    cache.remove(handle).unwrap();
    assert!(matches!(cache.remove(handle), Err(CacheError::NoObstacle)));
    assert!(matches!(cache.move_to(handle, Transform::IDENTITY), Err(CacheError::NoObstacle)));
    cache.wait().unwrap();
    assert!(cache.write(Cursor::new(Vec::new())).unwrap().into_inner() == file);
}

#[test]
fn huge_flat_and_crowded_obstacles_are_borne() {
    let level = scene("plane", |_| ());
    let file = bake_dynamic(&level, 24, &[]).unwrap();
    let mut cache = TileCache::open(file.as_slice()).unwrap();
    let mut handles = vec![
        cache.add(&solid(90_000.0, [0.0, -100.0, 0.0])).unwrap(),
        cache.add(&solid(1e-6, [3.0, 0.0, 3.0])).unwrap(),
        cache.add(&Obstacle { place: Transform([[0.0; 4]; 3]), ..solid(1.0, [0.0; 3]) }).unwrap(),
    ];
    for index in 0..2000 {
        handles.push(cache.add(&solid(1.0, [4.0 + f64::from(index) * 1e-4, 0.0, 4.0])).unwrap());
    }
    let update = cache.wait().unwrap();
    assert!(update.failed.is_empty(), "{:?}", update.failed);
    for handle in handles {
        cache.remove(handle).unwrap();
    }
    cache.update(Budget::all()).unwrap();
    assert!(cache.write(Cursor::new(Vec::new())).unwrap().into_inner() == file);
}

#[test]
fn an_observer_that_gives_up_ends_the_bake() {
    struct After(AtomicUsize);

    impl recast::Observer for After {
        fn stage_started(&self, _: navtile::TileCoord, _: recast::StageId) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        fn cancelled(&self) -> bool {
            self.0.load(Ordering::Relaxed) >= 20
        }
    }

    let level = scene("courtyard", |_| ());
    let observer = After(AtomicUsize::new(0));
    let error = tilecache::bake_dynamic_observed(&level, 24, &[], &observer).unwrap_err();
    assert!(matches!(error, CacheError::Bake(recast::Error::Cancelled)), "{error}");
    // Only the stages in progress are finished.
    assert!(observer.0.into_inner() < 40);
}
