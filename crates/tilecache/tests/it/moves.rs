//! The movement threshold: small moves do nothing until they have added up, and tiles are those of the
//! applied places.

use crate::common::room;
use navlevel::{Body, Effect, Obstacle};
use recast::{AreaId, Transform};
use std::io::Cursor;
use tilecache::{CacheError, ObstacleHandle, Stationary, TileCache, bake_dynamic};

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

/// A cart that has an effect only while it keeps still, in a level whose tiles show it.
fn resting() -> (TileCache<Vec<u8>>, ObstacleHandle, Vec<u8>) {
    let original = bake_dynamic(&room(&[]), 20, &[]).unwrap();
    let mut cache = TileCache::open(original.clone()).unwrap();
    let handle = cache.add(&cart([3.0, 0.0, 6.0], 0.0)).unwrap();
    let rule = Stationary { time_to_stationary: 0.5, move_threshold: 0.1 };
    cache.set_stationary(handle, Some(rule)).unwrap();
    cache.wait().unwrap();
    assert!(written(&cache) == bake_dynamic(&room(&[]), 20, &[applied(&cache, handle)]).unwrap());
    (cache, handle, original)
}

#[test]
fn an_obstacle_that_moves_has_its_effect_once_it_keeps_still() {
    const DT: f64 = 1.0 / 64.0;
    let (mut cache, handle, original) = resting();
    let at = |by: f64| Transform::turned(0.0, [3.0 + by, 0.0, 6.0]);
    assert!(!cache.move_to(handle, at(0.09)).unwrap());
    cache.advance(10.0).unwrap();
    assert!(!cache.is_moving(handle) && cache.waiting() == 0, "it has hardly moved");
    // It leaves its tiles with the first move that counts, and no other tile waits while it moves.
    assert!(cache.move_to(handle, at(0.1)).unwrap());
    assert!(cache.is_moving(handle) && cache.waiting() > 0 && cache.tiles_of(handle).is_empty());
    cache.wait().unwrap();
    assert!(written(&cache) == original);
    for step in 3..=60 {
        cache.move_to(handle, at(f64::from(step) * 0.05)).unwrap();
        cache.advance(DT).unwrap();
        assert!(cache.is_moving(handle) && cache.waiting() == 0, "step {step}");
    }
    // Moves below its threshold do not keep it from coming to rest.
    assert!(cache.move_to(handle, at(3.2)).unwrap());
    for step in 0..31 {
        assert!(!cache.move_to(handle, at(3.2 + f64::from(step % 2) * 0.05)).unwrap());
        cache.advance(DT).unwrap();
        assert!(cache.is_moving(handle), "it keeps still for {step} steps");
    }
    assert!(!cache.move_to(handle, at(3.25)).unwrap());
    cache.advance(DT).unwrap();
    assert!(!cache.is_moving(handle) && cache.waiting() > 0);
    cache.wait().unwrap();
    assert_eq!(applied(&cache, handle).place, at(3.25));
    assert!(written(&cache) == bake_dynamic(&room(&[]), 20, &[applied(&cache, handle)]).unwrap());
}

#[test]
fn an_obstacle_that_moves_can_be_removed_or_lose_its_rule() {
    let (mut cache, handle, original) = resting();
    let there = Transform::turned(30.0, [8.0, 0.0, 6.0]);
    assert!(cache.move_to(handle, there).unwrap());
    cache.set_stationary(handle, None).unwrap();
    assert!(!cache.is_moving(handle));
    cache.wait().unwrap();
    assert!(written(&cache) == bake_dynamic(&room(&[]), 20, &[cart([8.0, 0.0, 6.0], 30.0)]).unwrap());
    cache.set_stationary(handle, Some(Stationary::default())).unwrap();
    assert!(cache.move_to(handle, Transform::turned(0.0, [4.0, 0.0, 6.0])).unwrap());
    cache.remove(handle).unwrap();
    cache.advance(1.0).unwrap();
    cache.wait().unwrap();
    assert!(written(&cache) == original);
    for wrong in [-1.0, f64::NAN] {
        assert!(matches!(cache.advance(wrong), Err(CacheError::Stationary(_))));
    }
    assert!(matches!(cache.set_stationary(handle, None), Err(CacheError::NoObstacle)));
    // A place that is not possible is refused, and the obstacle keeps its effect.
    let (mut cache, handle, _) = resting();
    assert!(cache.move_to(handle, Transform::turned(0.0, [f64::NAN, 0.0, 6.0])).is_err());
    assert!(!cache.is_moving(handle) && cache.waiting() == 0);
}
