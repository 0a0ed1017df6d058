//! The movement threshold: small moves do nothing until they have added up, and tiles are those of the
//! applied places.

use crate::common::room;
use navlevel::{Body, Effect, Obstacle};
use recast::{AreaId, Transform};
use std::io::Cursor;
use tilecache::{CacheError, ObstacleHandle, TileCache, bake_dynamic};

fn cart(at: [f64; 3], yaw: f64) -> Obstacle {
    let body = Body::cuboid([2.0, 1.0, 1.0]).unwrap();
    Obstacle { body, place: Transform::turned(yaw, at), effect: Effect::Solid { area: AreaId::GROUND } }
}

fn written(cache: &TileCache<Vec<u8>>) -> Vec<u8> {
    cache.write(Cursor::new(Vec::new())).unwrap().into_inner()
}

fn applied(cache: &TileCache<Vec<u8>>, handle: ObstacleHandle) -> Obstacle {
    cache.obstacle(handle).unwrap().clone()
}

#[test]
fn small_moves_do_nothing_until_they_have_added_up() {
    let level = room(&[]);
    let mut cache = TileCache::open(bake_dynamic(&level, 20, &[]).unwrap()).unwrap();
    // Half a cell height of 0.2 m; cells are larger.
    assert_eq!(cache.movement_threshold(), 0.1);
    let start = cart([4.0, 0.0, 6.0], 0.0);
    let handle = cache.add(&start).unwrap();
    cache.wait().unwrap();
    let mut counted = Vec::new();
    for step in 1..=40 {
        let place = Transform::turned(0.0, [4.0 + f64::from(step) * 0.03, 0.0, 6.0]);
        if cache.move_to(handle, place).unwrap() {
            counted.push(step);
            assert_eq!(applied(&cache, handle).place, place);
        }
        assert_eq!(cache.requested_transform(handle), Some(place));
        assert_eq!(cache.waiting() > 0, counted.last() == Some(&step), "step {step}");
        cache.wait().unwrap();
        let offline = bake_dynamic(&level, 20, &[applied(&cache, handle)]).unwrap();
        assert!(written(&cache) == offline, "step {step}");
    }
    assert_eq!(counted, [4, 8, 12, 16, 20, 24, 28, 32, 36, 40]);
    // A turn moves the corners, which are 1.12 m from the middle.
    let turned = |degrees: f64| Transform::turned(degrees, [5.2, 0.0, 6.0]);
    assert!(!cache.move_to(handle, turned(5.0)).unwrap());
    assert!(cache.move_to(handle, turned(5.3)).unwrap());
}

#[test]
fn at_no_threshold_every_move_counts() {
    let level = room(&[]);
    let mut cache = TileCache::open(bake_dynamic(&level, 20, &[]).unwrap()).unwrap();
    let handle = cache.add(&cart([4.0, 0.0, 6.0], 0.0)).unwrap();
    let moved = |by: f64| Transform::turned(0.0, [4.0 + by, 0.0, 6.0]);
    assert!(!cache.move_to(handle, moved(0.05)).unwrap());
    cache.set_movement_threshold(0.0).unwrap();
    assert!(cache.move_to(handle, moved(1e-6)).unwrap());
    cache.set_movement_threshold(f64::INFINITY).unwrap();
    assert!(!cache.move_to(handle, moved(3.0)).unwrap());
    for metres in [-0.1, f64::NAN] {
        let error = cache.set_movement_threshold(metres).unwrap_err();
        assert!(matches!(error, CacheError::Threshold(_)), "{error}");
        assert!(error.to_string().contains("expected 0 or more"), "{error}");
    }
    assert_eq!(cache.movement_threshold(), f64::INFINITY);
    // An invalid place is refused, with any threshold.
    let nowhere = Transform::turned(0.0, [4.0, f64::NAN, 6.0]);
    assert!(matches!(cache.move_to(handle, nowhere), Err(CacheError::Obstacle(_))));
}
