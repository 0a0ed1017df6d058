//! Memory: spans and floors are held for the tiles that were baked with obstacles, up to a limit, and for no
//! others.

use navlevel::{Body, CachedSpans, Effect, Obstacle};
use navscenes::sine_terrain;
use recast::{AreaId, PreparedLevel, Settings, TileBuild, Transform};
use std::collections::BTreeSet;
use tilecache::{CacheError, TileCache, bake_dynamic};

const TILE_CELLS: u32 = 16;
const SIDE: i32 = 57;

#[test]
fn tiles_are_held_once_they_were_baked_with_obstacles_and_no_others() {
    let side = f64::from(SIDE) * f64::from(TILE_CELLS) * 0.5 - 0.1;
    let settings = Settings { cell_size: 0.5, ..Settings::default() };
    let level = PreparedLevel::new(&sine_terrain(side, 5_000), &settings).unwrap();
    let file = bake_dynamic(&level, TILE_CELLS, &[]).unwrap();
    let mut cache = TileCache::open(file.as_slice()).unwrap();
    assert!(cache.coords().len() > 3_200, "{} tiles", cache.coords().len());
    assert_eq!(cache.held(), (0, 0));

    let (mut handles, mut reached) = (Vec::new(), BTreeSet::new());
    let mut at = 0;
    while reached.len() < 100 {
        let place = [f64::from(at % 20) * 20.0 + 15.0, 0.0, f64::from(at / 20) * 20.0 + 15.0];
        let (body, place) = (Body::cuboid([1.0, 4.0, 1.0]).unwrap(), Transform::turned(0.0, place));
        let effect = Effect::Solid { area: AreaId::GROUND };
        let handle = cache.add(&Obstacle { body, place, effect }).unwrap();
        reached.extend(cache.tiles_of(handle).iter().copied());
        handles.push(handle);
        at += 1;
    }
    assert_eq!(cache.held(), (0, 0), "nothing was baked yet");
    cache.wait().unwrap();
    let unpacked = |coord| {
        let store = navtile::NavStore::open(file.as_slice()).unwrap();
        let entry = *store.span_cache().unwrap().unwrap().find(coord).unwrap();
        let build = TileBuild::tiled(&level, TILE_CELLS, coord).unwrap();
        CachedSpans::unpack(&store.cached_spans(&entry).unwrap(), &build).unwrap().memory()
    };
    let expected: u64 = reached.iter().map(|coord| unpacked(*coord)).sum();
    assert_eq!(cache.held(), (reached.len(), expected));
    assert!(expected < 100 * 32 * 1024, "{expected} bytes");

    // Marks need the floors of their tiles, which are held in addition to spans or instead of them.
    let add_mark = |cache: &mut TileCache<&[u8]>, x: f64| {
        let (body, place) = (Body::cylinder(0.5, 4.0).unwrap(), Transform::turned(0.0, [x, 0.0, 200.0]));
        cache.add(&Obstacle { body, place, effect: Effect::Blocks { inflate: true } }).unwrap()
    };
    let mark = add_mark(&mut cache, 204.0);
    let marked = cache.tiles_of(mark).to_vec();
    assert!(marked.iter().all(|coord| !reached.contains(coord)), "{marked:?}");
    cache.wait().unwrap();
    let (tiles, with_floors) = cache.held();
    assert_eq!(tiles, reached.len() + marked.len());
    assert!(with_floors > expected && with_floors < expected + marked.len() as u64 * 16 * 1024);

    // Removed obstacles leave their tiles held, for doors that open and shut; a limit makes room.
    handles.push(mark);
    for handle in handles {
        cache.remove(handle).unwrap();
    }
    let update = cache.wait().unwrap();
    assert_eq!((update.baked, update.from_file), (0, tiles));
    assert_eq!(cache.held(), (tiles, with_floors));
    cache.set_held_limit(expected / 2);
    assert!(cache.held().1 <= expected / 2 && cache.held().0 > 0);
    cache.set_held_limit(0);
    let mark = add_mark(&mut cache, 404.0);
    cache.wait().unwrap();
    assert_eq!(cache.held(), (0, 0), "nothing is held, and the tiles of {mark:?} are baked all the same");
}

#[test]
fn tiles_that_take_more_than_their_share_of_the_memory_are_baked_alone_or_refused() {
    let level = PreparedLevel::new(&sine_terrain(40.0, 500), &Settings::default()).unwrap();
    let file = bake_dynamic(&level, 48, &[]).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let with_memory = |bound: u64| {
        let mut cache = TileCache::open(file.as_slice()).unwrap();
        cache.set_memory_bound(bound);
        for at in 0..4 {
            let place = Transform::turned(0.0, [5.0 + 8.0 * f64::from(at), 0.0, 20.0]);
            let effect = Effect::Solid { area: AreaId::GROUND };
            cache.add(&Obstacle { body: Body::cuboid([1.0, 4.0, 1.0]).unwrap(), place, effect }).unwrap();
        }
        let update = pool.install(|| cache.wait()).unwrap();
        let are_refused = update.failed.iter().all(
            |failed| matches!(failed.error, CacheError::Memory { coord, bound: of } if coord == failed.coord && of == bound),
        );
        assert!(are_refused, "{:?}", update.failed);
        update.failed.is_empty().then(|| crate::common::written(&cache))
    };
    let plenty = with_memory(1 << 30).unwrap();
    assert!(with_memory(1 << 12).is_none());
    let enough = (12..30).find_map(|power| with_memory(1 << power)).unwrap();
    assert!(enough == plenty);
}
