//! A sweep of bad input through the whole public interface: each is refused by an error that names the
//! obstacle or the rule, and the cache, its tiles, and the file that it would write are unchanged.

use crate::common::{mesh_of, room};
use navlevel::{Body, Effect, Obstacle, ObstacleError};
use recast::{AreaId, Transform};
use std::io::Cursor;
use tilecache::{Budget, CacheError, TileCache, apply, bake_dynamic, write_settings};

const EFFECTS: [Effect; 5] = [
    Effect::Solid { area: AreaId::GROUND },
    Effect::Solid { area: AreaId::NULL },
    Effect::Blocks { inflate: true },
    Effect::Marks { area: AreaId(9), inflate: false },
    Effect::Removes,
];

fn written(cache: &TileCache<Vec<u8>>) -> Vec<u8> {
    cache.write(Cursor::new(Vec::new())).unwrap().into_inner()
}

/// Numbers that are not valid measures.
const BAD: [f64; 8] = [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e6, 1e300];

#[test]
fn bodies_that_cannot_be_are_refused_by_measure() {
    let named = |made: Result<Body, ObstacleError>, name: &str, value: f64| {
        let text = made.unwrap_err().to_string();
        assert!(text.starts_with(name) && text.contains("expected"), "{value}: {text}");
    };
    for value in BAD {
        named(Body::cuboid([value, 1.0, 1.0]), "the size along x", value);
        named(Body::cuboid([1.0, value, 1.0]), "the height", value);
        named(Body::cuboid([1.0, 1.0, value]), "the size along z", value);
        named(Body::cylinder(value, 1.0), "the radius", value);
        named(Body::cylinder(1.0, value), "the height", value);
        named(Body::capsule(value, 2.0), "the radius", value);
        named(Body::capsule(1.0, value), "the height", value);
    }
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]];
    for value in [f64::NAN, f64::INFINITY, 1e300] {
        let mut bad = corners;
        bad[2][1] = value;
        for made in [Body::hull(&bad), Body::mesh(&bad, &[[0, 1, 2]])] {
            let text = made.unwrap_err().to_string();
            assert!(text.contains("expected"), "{value}: {text}");
        }
    }
    assert!(matches!(Body::hull(&[[1.0; 3]; 200]), Err(ObstacleError::Flat(200))));
    assert!(Body::hull(&[[1.0; 3]; 257]).unwrap_err().to_string().contains("4 to 256"));
    assert!(Body::mesh(&corners, &[]).unwrap_err().to_string().contains("the number of triangles is 0"));
    let many = vec![[0, 1, 2]; navlevel::MAX_MESH_TRIANGLES + 1];
    assert!(Body::mesh(&corners, &many).unwrap_err().to_string().contains("1 to 65536"));
    let error = Body::mesh(&corners, &[[0, 1, 2], [0, 1, 4]]).unwrap_err();
    assert_eq!(error, ObstacleError::Index { triangle: 1, vertex: 4, count: 4 });
}

#[test]
fn places_that_cannot_be_leave_everything_as_it_was() {
    let file = bake_dynamic(&room(&[]), 20, &[]).unwrap();
    let mut cache = TileCache::open(file).unwrap();
    let body = Body::cuboid([1.0; 3]).unwrap();
    let good = Transform::turned(0.0, [6.0, 0.0, 6.0]);
    let handles: Vec<_> = EFFECTS
        .iter()
        .map(|effect| cache.add(&Obstacle { body: body.clone(), place: good, effect: *effect }).unwrap())
        .collect();
    cache.wait().unwrap();
    let (before, mesh) = (written(&cache), mesh_of(&cache));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e9, -1e9, 1e300] {
        for number in 0..12 {
            let mut place = good;
            place.0[number / 4][number % 4] = bad;
            for (effect, handle) in EFFECTS.iter().zip(&handles) {
                let obstacle = Obstacle { body: body.clone(), place, effect: *effect };
                let error = cache.add(&obstacle).unwrap_err();
                assert!(matches!(error, CacheError::Obstacle(ObstacleError::Far { .. })), "{bad}: {error}");
                assert!(error.to_string().contains("move it into the level"), "{error}");
                assert!(cache.move_to(*handle, place).is_err());
                assert_eq!(cache.obstacle(*handle).unwrap().place, good);
                assert_eq!(cache.requested_transform(*handle), Some(good));
            }
        }
    }
    assert_eq!((cache.waiting(), cache.obstacle_count()), (0, EFFECTS.len()));
    let update = cache.wait().unwrap();
    assert!(update.changes.is_empty() && update.failed.is_empty() && update.baked == 0);
    assert!(written(&cache) == before);
    let mut same = mesh.clone();
    assert_eq!(apply(&mut same, &update.changes).unwrap(), tilecache::Applied::default());
    assert_eq!(same.polygons().collect::<Vec<_>>(), mesh.polygons().collect::<Vec<_>>());
}

#[test]
fn obstacles_outside_flat_and_huge_do_what_offline_bakes_do() {
    let level = room(&[]);
    let original = bake_dynamic(&level, 20, &[]).unwrap();
    let unit = Body::cuboid([1.0; 3]).unwrap();
    let at = |x: f64, y: f64, z: f64| Transform::turned(0.0, [x, y, z]);
    let scaled = |scale: [f64; 3]| {
        let [x, y, z] = scale;
        Transform([[x, 0.0, 0.0, 6.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 6.0]])
    };
    let outside = [at(-50.0, 0.0, 6.0), at(6.0, 0.0, 5000.0), at(6.0, -300.0, 6.0)];
    let flat = [scaled([0.0; 3]), scaled([1.0, 0.0, 1.0]), scaled([0.0, 1.0, 1.0]), scaled([1e-9; 3])];
    let huge = [scaled([9000.0, 1.0, 9000.0]), scaled([20.0, 3000.0, 20.0]), scaled([-30.0, 2.0, 30.0])];
    for place in outside.into_iter().chain(flat).chain(huge) {
        for effect in EFFECTS {
            let obstacle = Obstacle { body: unit.clone(), place, effect };
            let mut cache = TileCache::open(original.clone()).unwrap();
            let handle = cache.add(&obstacle).unwrap();
            let update = cache.wait().unwrap();
            assert!(update.failed.is_empty(), "{place:?}, {effect:?}: {:?}", update.failed);
            let offline = bake_dynamic(&level, 20, std::slice::from_ref(&obstacle)).unwrap();
            assert!(written(&cache) == offline, "{place:?}, {effect:?}");
            cache.remove(handle).unwrap();
            cache.wait().unwrap();
            assert!(written(&cache) == original, "{place:?}, {effect:?}");
        }
    }
}

#[test]
fn ten_thousand_on_one_spot_are_borne() {
    let level = room(&[]);
    let original = bake_dynamic(&level, 20, &[]).unwrap();
    let mut cache = TileCache::open(original.clone()).unwrap();
    let body = Body::cuboid([1.0; 3]).unwrap();
    let handles: Vec<_> = (0..10_000u32)
        .map(|number| {
            let place = Transform::turned(f64::from(number % 90), [6.0 + f64::from(number) * 1e-5, 0.0, 6.0]);
            let effect = EFFECTS[number as usize % EFFECTS.len()];
            cache.add(&Obstacle { body: body.clone(), place, effect }).unwrap()
        })
        .collect();
    assert_eq!(cache.obstacle_count(), 10_000);
    let update = cache.update(Budget::all()).unwrap();
    assert!(update.failed.is_empty() && update.baked <= 4, "{} tiles", update.baked);
    for handle in handles {
        cache.remove(handle).unwrap();
    }
    cache.wait().unwrap();
    assert!(written(&cache) == original);
}

#[test]
fn stale_handles_name_no_obstacle_whatever_came_after() {
    let original = bake_dynamic(&room(&[]), 20, &[]).unwrap();
    let mut cache = TileCache::open(original.clone()).unwrap();
    let place = Transform::turned(0.0, [6.0, 0.0, 6.0]);
    let obstacle = Obstacle { body: Body::cuboid([1.0; 3]).unwrap(), place, effect: EFFECTS[0] };
    let mut stale = Vec::new();
    for _ in 0..50 {
        let handle = cache.add(&obstacle).unwrap();
        cache.remove(handle).unwrap();
        stale.push(handle);
    }
    let now = cache.add(&obstacle).unwrap();
    cache.wait().unwrap();
    let before = written(&cache);
    for handle in stale {
        assert_ne!(handle, now);
        assert!(cache.obstacle(handle).is_none() && cache.requested_transform(handle).is_none());
        assert!(cache.tiles_of(handle).is_empty());
        let error = cache.move_to(handle, Transform::IDENTITY).unwrap_err();
        assert!(error.to_string().contains("it was removed"), "{error}");
        assert!(matches!(cache.remove(handle), Err(CacheError::NoObstacle)));
    }
    // A handle of another cache, with an index that does not exist here.
    let mut other = TileCache::open(original).unwrap();
    let foreign = (0..3).map(|_| other.add(&obstacle).unwrap()).next_back().unwrap();
    assert!(matches!(cache.remove(foreign), Err(CacheError::NoObstacle)));
    assert_eq!((cache.waiting(), cache.obstacle_count()), (0, 1));
    assert!(written(&cache) == before);
}

#[test]
fn files_that_are_no_dynamic_files_are_refused() {
    for bytes in [Vec::new(), vec![0; 100], vec![0xFF; 4096]] {
        assert!(matches!(TileCache::open(bytes), Err(CacheError::Store(_))));
    }
    let file = bake_dynamic(&room(&[]), 20, &[]).unwrap();
    for length in (0..file.len()).step_by(97) {
        assert!(TileCache::open(file[..length].to_vec()).is_err(), "{length} bytes");
    }
    let settings = write_settings(&recast::Settings::default()).unwrap();
    assert!(!settings.is_empty());
}
