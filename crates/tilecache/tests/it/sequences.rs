//! The contract: after any sequence of changes the file equals that of an offline bake with the same
//! obstacles, and without obstacles it equals the original.
//!
//! `NAVTILE_SEED` is the first seed, `NAVTILE_LEVELS` the number of sequences for each level and tiling.

use crate::common::{Numbers, obstacle, place, scene, written};
use navlevel::Obstacle;
use recast::{Outlines, Partition, PreparedLevel};
use tilecache::{Budget, TileCache, bake_dynamic};

fn count(default: u64) -> (u64, u64) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let first = number("NAVTILE_SEED").unwrap_or(1);
    (first, first + number("NAVTILE_LEVELS").unwrap_or(default))
}

/// The first difference between two files, for a message.
fn first_difference(a: &[u8], b: &[u8]) -> String {
    let open = |bytes: &[u8]| navtile::NavStore::open(bytes.to_vec()).unwrap();
    let (a, b) = (open(a), open(b));
    for coord in a.coords().into_iter().chain(b.coords()) {
        if a.stored(coord).map(Result::unwrap) != b.stored(coord).map(Result::unwrap) {
            let about = |store: &navtile::NavStore<Vec<u8>>| match (store.find(coord), store.tile(coord)) {
                (Some(row), Some(Ok(tile))) => {
                    format!(
                        "{} polygons, pruned {:?}, from {:?}",
                        tile.polygons().len(),
                        row.prune_hash,
                        row.input_hash
                    )
                }
                _ => "none".to_owned(),
            };
            return format!("tile {coord:?} differs: {} and {}", about(&a), about(&b));
        }
        if a.find(coord).map(|row| row.input_hash) != b.find(coord).map(|row| row.input_hash) {
            return format!("the hash of tile {coord:?} differs");
        }
    }
    let graphs = [&a, &b].map(|store| store.graph().unwrap().unwrap());
    if graphs[0] != graphs[1] {
        let coords = graphs.map(|graph| graph.nodes().iter().map(|node| node.coord()).collect::<Vec<_>>());
        return format!("graphs of {} and {} nodes differ", coords[0].len(), coords[1].len());
    }
    "no tile differs, nor the graph".to_owned()
}

/// One sequence: obstacles appear, move and disappear, while tiles are baked within budgets; at the end
/// everything is compared.
fn sequence(what: &str, level: &PreparedLevel, tile_cells: u32, original: &[u8], seed: u64) {
    let mut numbers = Numbers::new(seed);
    let mut cache = TileCache::open(original.to_vec()).unwrap();
    // Hold nothing, one or two tiles, or all.
    cache.set_held_limit([0, 60_000, u64::MAX][seed as usize % 3]);
    let mut there = Vec::new();
    for _ in 0..12 {
        match numbers.below(6) {
            0..3 => {
                let obstacle = obstacle(level, &mut numbers);
                there.push(cache.add(&obstacle).unwrap());
            }
            3 if !there.is_empty() => {
                let handle = there[numbers.below(there.len())];
                cache.move_to(handle, place(level, &mut numbers)).unwrap();
            }
            4 if !there.is_empty() => {
                let handle = there.swap_remove(numbers.below(there.len()));
                cache.remove(handle).unwrap();
                assert!(cache.remove(handle).is_err(), "it is gone");
            }
            _ => {
                let update = cache.update(Budget::tiles(1 + numbers.below(4))).unwrap();
                assert!(update.failed.is_empty(), "{:?}", update.failed);
            }
        }
    }
    cache.wait().unwrap();
    let obstacles: Vec<Obstacle> =
        there.iter().map(|handle| cache.obstacle(*handle).unwrap().clone()).collect();
    let offline = bake_dynamic(level, tile_cells, &obstacles).unwrap();
    let online = written(&cache);
    assert!(online == offline, "{what}: {}", first_difference(&online, &offline));
    // Open the file with obstacles as if another program had written it.
    let mut again = TileCache::open(offline).unwrap();
    again.wait().unwrap();
    assert!(written(&again) == original, "{what}: a file baked with obstacles");
    for handle in there {
        cache.remove(handle).unwrap();
    }
    cache.wait().unwrap();
    assert!(written(&cache) == original, "{what}: with none left");
}

fn sequences(name: &str, level: &PreparedLevel, tile_cells: u32, default: u64) {
    let original = bake_dynamic(level, tile_cells, &[]).unwrap();
    let (first, end) = count(default);
    for seed in first..end {
        sequence(&format!("{name}, seed {seed}, tiles of {tile_cells}"), level, tile_cells, &original, seed);
    }
}

#[test]
fn any_sequence_ends_in_the_offline_bake_in_tiles() {
    for (name, cells) in
        [("courtyard", 48), ("two_rooms", 24), ("storeys", 16), ("slopes", 48), ("spiral", 20)]
    {
        sequences(name, &scene(name, |_| ()), cells, 3);
    }
}

#[test]
fn any_sequence_ends_in_the_offline_bake_with_exact_outlines() {
    for (name, cells) in [("courtyard", 48), ("two_rooms", 24), ("storeys", 16), ("spiral", 20), ("plane", 0)]
    {
        let level = scene(name, |settings| settings.outlines = Outlines::Exact);
        sequences(&format!("{name}, exact"), &level, cells, 3);
    }
}

#[test]
fn any_sequence_ends_in_the_offline_bake_in_one_piece() {
    for name in ["two_rooms", "storeys", "plane"] {
        sequences(name, &scene(name, |_| ()), 0, 3);
    }
}

#[test]
fn any_sequence_ends_in_the_offline_bake_of_every_scene() {
    for known in navscenes::all() {
        let level = scene(known.name, |_| ());
        for tile_cells in [40, 0] {
            sequences(known.name, &level, tile_cells, 1);
        }
    }
}

#[test]
fn any_sequence_ends_in_the_offline_bake_on_public_levels() {
    let levels = navscenes::public_levels();
    if levels.is_empty() {
        eprintln!("skipped: the public levels are not there");
    }
    for (name, level) in levels {
        let level = PreparedLevel::new(&level, &recast::Settings::default()).unwrap();
        for tile_cells in [48, 0] {
            sequences(name, &level, tile_cells, 1);
        }
    }
}

#[test]
fn any_number_of_threads_ends_in_the_offline_bake() {
    for threads in [1, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            for (name, cells) in [("courtyard", 32), ("boxes", 24), ("spiral", 20), ("storeys", 0)] {
                sequences(&format!("{name} on {threads} threads"), &scene(name, |_| ()), cells, 2);
            }
        });
    }
}

#[test]
fn the_updates_themselves_are_the_same_on_any_number_of_threads() {
    let level = scene("courtyard", |_| ());
    let original = bake_dynamic(&level, 24, &[]).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut numbers = Numbers::new(99);
            let mut cache = TileCache::open(original.as_slice()).unwrap();
            let mut updates = Vec::new();
            for step in 0..12 {
                let added = obstacle(&level, &mut numbers);
                cache.add(&added).unwrap();
                let budget = if step % 4 == 3 { Budget::all() } else { Budget::tiles(3) };
                let update = cache.update(budget).unwrap();
                updates.push((update.changes, update.baked, update.left));
            }
            updates
        })
    };
    assert!(run(1) == run(8));
}

#[test]
fn other_partitions_and_agents_keep_the_contract() {
    let monotone = |settings: &mut recast::Settings| {
        settings.partition = Partition::Monotone;
        settings.detail_sample_distance = Some(0.0);
    };
    sequences("courtyard", &scene("courtyard", monotone), 32, 2);
    let layers = |settings: &mut recast::Settings| {
        settings.partition = Partition::Layers;
        settings.agent_radius = 0.0;
        settings.median_filter = true;
        // Islands that depend on many tiles together.
        settings.region_min_area = Some(20.0);
    };
    sequences("boxes", &scene("boxes", layers), 16, 2);
}

#[test]
fn a_tile_whose_obstacles_come_back_before_it_was_baked_keeps_its_islands() {
    // A neighbouring tile is baked first, and makes one of its other islands large enough or too small.
    let level = scene("slopes", |_| ());
    let original = bake_dynamic(&level, 48, &[]).unwrap();
    sequence("a tile that waited", &level, 48, &original, 2355);
}

#[test]
fn a_tile_where_nothing_changes_does_not_wait() {
    let level = scene("courtyard", |_| ());
    let original = bake_dynamic(&level, 48, &[]).unwrap();
    let mut cache = TileCache::open(original.as_slice()).unwrap();
    let mut numbers = Numbers::new(7);
    let first = obstacle(&level, &mut numbers);
    let handle = cache.add(&first).unwrap();
    assert!(cache.waiting() > 0);
    cache.wait().unwrap();
    // An equal obstacle, moved away and back, and an obstacle outside the level.
    let second = cache.add(&first).unwrap();
    assert_eq!(cache.waiting(), 0);
    cache.remove(second).unwrap();
    assert_eq!(cache.waiting(), 0);
    cache.move_to(handle, place(&level, &mut numbers)).unwrap();
    assert!(cache.waiting() > 0);
    cache.move_to(handle, first.place).unwrap();
    assert_eq!(cache.waiting(), 0);
    cache.move_to(handle, recast::Transform::turned(0.0, [900.0, 0.0, 0.0])).unwrap();
    assert!(cache.tiles_of(handle).is_empty());
}

#[test]
fn the_tiles_near_the_focus_come_first() {
    let level = scene("courtyard", |_| ());
    let mut cache = TileCache::open(bake_dynamic(&level, 24, &[]).unwrap()).unwrap();
    let [x, y, z] = level.lattice.origin;
    let size = f64::from(level.size[0]) * level.lattice.cell_size;
    let at = |x: f64| recast::Transform::turned(0.0, [x, y, z + 3.0]);
    let body = navlevel::Body::cuboid([1.0, 1.0, 1.0]).unwrap();
    let crate_at = |x: f64| Obstacle { body: body.clone(), place: at(x), effect: navlevel::Effect::Removes };
    cache.add(&crate_at(x + 2.0)).unwrap();
    cache.add(&crate_at(x + size - 2.0)).unwrap();
    cache.set_focus(&[[x + size, y, z]]);
    let update = cache.update(Budget::tiles(1)).unwrap();
    assert_eq!((update.baked, update.failed.len()), (1, 0));
    assert!(update.changes[0].coord.x > 2, "{:?}", update.changes[0].coord);
    assert!(update.left > 0);
}
