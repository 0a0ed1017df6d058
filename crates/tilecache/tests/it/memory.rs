//! Memory: spans are held unpacked for the tiles that pieces reach, and for no others.

use navscenes::sine_terrain;
use recast::{AreaId, Body, Effect, KeptSpans, Piece, PreparedLevel, Settings, TileBuild, Transform};
use std::collections::BTreeSet;
use tilecache::{TileCache, bake_dynamic};

const TILE_CELLS: u32 = 16;
const SIDE: i32 = 57;

#[test]
fn spans_are_held_for_the_tiles_that_pieces_reach_alone() {
    let side = f64::from(SIDE) * f64::from(TILE_CELLS) * 0.5 - 0.1;
    let settings = Settings { cell_size: 0.5, ..Settings::default() };
    let level = PreparedLevel::new(&sine_terrain(side, 5_000), &settings).unwrap();
    let file = bake_dynamic(&level, TILE_CELLS, &[]).unwrap();
    let mut cache = TileCache::open(file.as_slice()).unwrap();
    assert!(cache.coords().len() > 3_200, "{} tiles", cache.coords().len());
    assert_eq!(cache.held_spans(), (0, 0));

    let (mut handles, mut reached) = (Vec::new(), BTreeSet::new());
    let mut at = 0;
    while reached.len() < 100 {
        let place = [f64::from(at % 20) * 20.0 + 15.0, 0.0, f64::from(at / 20) * 20.0 + 15.0];
        let (body, place) = (Body::cuboid([1.0, 4.0, 1.0]).unwrap(), Transform::turned(0.0, place));
        let effect = Effect::Solid { area: AreaId::GROUND };
        let handle = cache.add(&Piece { body, place, effect }).unwrap();
        reached.extend(cache.tiles_of(handle).iter().copied());
        handles.push(handle);
        at += 1;
    }
    assert_eq!(cache.held_spans(), (0, 0), "nothing was baked yet");
    cache.wait().unwrap();
    let unpacked = |coord| {
        let store = navtile::NavStore::open(file.as_slice()).unwrap();
        let entry = *store.kept().unwrap().unwrap().find(coord).unwrap();
        let build = TileBuild::tiled(&level, TILE_CELLS, coord).unwrap();
        KeptSpans::unpack(&store.kept_spans(&entry).unwrap(), &build).unwrap().memory()
    };
    let expected: u64 = reached.iter().map(|coord| unpacked(*coord)).sum();
    assert_eq!(cache.held_spans(), (reached.len(), expected));
    assert!(expected < 100 * 32 * 1024, "{expected} bytes");

    // A piece that comes and goes before anything is baked leaves nothing.
    for handle in handles {
        cache.remove(handle).unwrap();
    }
    cache.wait().unwrap();
    assert_eq!(cache.held_spans(), (0, 0));
}
