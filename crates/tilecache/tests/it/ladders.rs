//! Generated ladders while obstacles appear and disappear: they must equal those of a bake of the whole level
//! with the current obstacles.

use crate::common::{Numbers, written};
use crate::links::{Mirror, prepared, settle, solid};
use navlevel::{Body, Effect, Obstacle};
use navscenes::build::Builder;
use navtile::LinkKind;
use recast::{AreaId, Level, LinkProfile, PreparedLevel, Settings, Shape, Transform, Volume};
use std::collections::BTreeMap;
use tilecache::{Budget, TileCache, bake_dynamic};

const RUNGS: AreaId = AreaId(9);

/// Settings with ladders, and with drops of little worth, so that a window is not all of a level.
fn settings() -> Settings {
    let ladder = LinkProfile {
        height: [1.0, 6.0],
        surface: Some(RUNGS),
        worth: 1.2,
        ..LinkProfile::new(LinkKind::Ladder)
    };
    let drop = LinkProfile { height: [0.5, 1.5], worth: 1.2, ..LinkProfile::new(LinkKind::Drop) };
    Settings { links: vec![drop, ladder], ..Settings::default() }
}

/// Adds a sheet of an area that faces smaller z.
fn sheet(level: &mut Level, area: AreaId, [x, z]: [f64; 2], heights: [f64; 2]) {
    level.areas.resize(level.triangles.len(), AreaId::GROUND);
    let first = level.vertices.len() as u32;
    let [low, high] = heights;
    level.vertices.extend([[x, low, z], [x, high, z], [x + 0.8, high, z], [x + 0.8, low, z]]);
    level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    level.areas.extend([area; 2]);
}

/// A platform 3 m high next to ground, along z = 6, with a ladder at x = 4.
fn platform() -> Level {
    let mut builder = Builder::new();
    builder.block([0.0, -1.0, 0.0], [16.0, 0.0, 6.0]).block([0.0, -1.0, 6.0], [16.0, 3.0, 12.0]);
    let mut level = builder.finish();
    sheet(&mut level, RUNGS, [4.0, 5.9], [0.0, 3.0]);
    level
}

fn ladders(mirror: &Mirror) -> usize {
    let links = mirror.0.values().flat_map(|tile| tile.off_mesh_links());
    links
        .filter(|link| LinkKind::of_user_id(link.user_id).is_some_and(|(kind, _)| kind == LinkKind::Ladder))
        .count()
}

/// Adds an obstacle, and compares with a bake that has it; then without it. Returns the number of ladders
/// with the obstacle.
fn with(level: &PreparedLevel, tile_cells: u32, obstacle: &Obstacle) -> usize {
    let file = bake_dynamic(level, tile_cells, &[]).unwrap();
    let mut cache = TileCache::open(file.clone()).unwrap();
    let mut mirror = Mirror::new(&cache);
    let handle = cache.add(obstacle).unwrap();
    settle(&mut cache, &mut mirror, Budget::tiles(2));
    let fresh = bake_dynamic(level, tile_cells, std::slice::from_ref(obstacle)).unwrap();
    assert!(written(&cache) == fresh, "with the obstacle, tiles of {tile_cells}");
    let found = ladders(&mirror);
    cache.remove(handle).unwrap();
    settle(&mut cache, &mut mirror, Budget::tiles(3));
    assert!(written(&cache) == file, "without the obstacle, tiles of {tile_cells}");
    found
}

#[test]
fn obstacles_take_ladders_and_give_them() {
    let level = prepared(&platform(), settings());
    let of_area = |area, obstacle: Obstacle| Obstacle { effect: Effect::Solid { area }, ..obstacle };
    for tile_cells in [0, 16, 33] {
        let file = bake_dynamic(&level, tile_cells, &[]).unwrap();
        let before = ladders(&Mirror::new(&TileCache::open(file).unwrap()));
        assert!(before > 0, "tiles of {tile_cells}");
        // A crate at its foot with an unwalkable top.
        let obstacle = of_area(AreaId::NULL, solid([4.0, 2.0, 2.5], [4.4, 0.0, 4.5], 0.0));
        assert_eq!(with(&level, tile_cells, &obstacle), 0, "behind a crate, tiles of {tile_cells}");
        // A hole that removes its middle, and the part of the platform behind it.
        let hole = Obstacle {
            body: Body::cuboid([2.0, 1.6, 1.2]).unwrap(),
            place: Transform::turned(0.0, [4.4, 0.8, 6.0]),
            effect: Effect::Removes,
        };
        assert_eq!(with(&level, tile_cells, &hole), 0, "with a hole, tiles of {tile_cells}");
        // Another ladder far from the first one; then the same body without a ladder's area.
        let other = solid([0.8, 3.0, 0.2], [12.0, 0.0, 5.9], 0.0);
        let more = with(&level, tile_cells, &of_area(RUNGS, other.clone()));
        assert!(more > before, "{more} ladders, {before} without another, tiles of {tile_cells}");
        assert_eq!(with(&level, tile_cells, &other), before, "a plank, tiles of {tile_cells}");
    }
}

#[test]
fn ladders_are_those_of_a_bake_with_the_obstacles_that_are_there() {
    let mut found = Vec::new();
    for seed in 0..4u64 {
        let mut numbers = Numbers::new(seed);
        let mut level = navscenes::boxes(seed, 30);
        for _ in 0..10 {
            let place = [numbers.between(1.0, 28.0), numbers.between(1.0, 28.0)];
            sheet(&mut level, RUNGS, place, [0.0, numbers.between(1.0, 4.0)]);
        }
        let mut settings = settings();
        let min = [numbers.between(1.0, 20.0), 0.0, numbers.between(1.0, 20.0)];
        let shape = Shape::Box { min, max: [min[0] + 4.0, 3.0, min[2] + 4.0] };
        settings.volumes.push(Volume { shape, area: RUNGS });
        let (level, tile_cells) = (prepared(&level, settings), [20, 27, 40, 64][seed as usize]);
        let file = bake_dynamic(&level, tile_cells, &[]).unwrap();
        let mut cache = TileCache::open(file.clone()).unwrap();
        let mut mirror = Mirror::new(&cache);
        let mut obstacles = BTreeMap::new();
        let [wide, _, deep] = level.size.map(|cells| f64::from(cells) * level.lattice.cell_size);
        for step in 0..8 {
            let [x, z] = [numbers.between(1.0, wide - 1.0), numbers.between(1.0, deep - 1.0)];
            let size = [numbers.between(0.3, 3.0), numbers.between(0.4, 4.0), numbers.between(0.3, 3.0)];
            let obstacle = solid(size, [x, numbers.between(-0.5, 1.0), z], numbers.between(0.0, 90.0));
            let effect = match numbers.below(5) {
                0 => Effect::Removes,
                1 => Effect::Marks { area: RUNGS, inflate: false },
                2 => Effect::Solid { area: AreaId::GROUND },
                _ => Effect::Solid { area: RUNGS },
            };
            let obstacle = Obstacle { effect, ..obstacle };
            obstacles.insert(cache.add(&obstacle).unwrap(), obstacle);
            if step % 3 == 2 {
                let oldest = *obstacles.keys().next().unwrap();
                obstacles.remove(&oldest);
                cache.remove(oldest).unwrap();
            }
            settle(&mut cache, &mut mirror, Budget::tiles([1, 7, usize::MAX][step % 3]));
            let there: Vec<Obstacle> = obstacles.values().cloned().collect();
            let fresh = bake_dynamic(&level, tile_cells, &there).unwrap();
            assert!(written(&cache) == fresh, "seed {seed}, step {step}");
            found.push(ladders(&mirror));
        }
        for handle in obstacles.into_keys() {
            cache.remove(handle).unwrap();
        }
        settle(&mut cache, &mut mirror, Budget::tiles(4));
        assert!(written(&cache) == file, "seed {seed}, without obstacles");
    }
    assert!(found.iter().filter(|ladders| **ladders > 0).count() > 8, "{found:?}");
}

#[test]
fn cached_spans_without_ladders_are_what_they_were() {
    let plain = Settings { links: vec![settings().links[0].clone()], ..settings() };
    let spans = |level: &Level, settings: &Settings| {
        let file = bake_dynamic(&prepared(level, settings.clone()), 16, &[]).unwrap();
        let store = navtile::NavStore::open(file).unwrap();
        let index = store.span_cache().unwrap().unwrap();
        let bytes = index.entries.iter().map(|entry| store.cached_spans(entry).unwrap().to_vec());
        bytes.collect::<Vec<_>>()
    };
    let (with, without) = (spans(&platform(), &settings()), spans(&platform(), &plain));
    let longer = with.iter().zip(&without).filter(|(with, without)| with.len() > without.len()).count();
    assert!(0 < longer && longer < with.len(), "{longer} of {}", with.len());
    assert!(with.iter().zip(&without).all(|(with, without)| with.starts_with(without)));
}
