//! Random calls and random answers, compared with a simple model of the tiles that must be loaded.

use crate::common::{SIDE, Script, at, bytes_of, coords, middle, strips, world_of};
use navmath::SplitMix64;
use navstream::{ChangeKind, Fetched, Hold, Limits, Pin, TileStream, Update};
use navtile::{Tile, TileCoord};
use std::collections::{BTreeMap, BTreeSet};

/// Tiles along x and along z; some places are empty, some have two layers.
const WIDTH: i32 = 10;

fn random_tiles(random: &mut SplitMix64) -> BTreeMap<TileCoord, Tile> {
    let mut tiles = BTreeMap::new();
    for (x, z) in (0..WIDTH).flat_map(|x| (0..WIDTH).map(move |z| (x - WIDTH / 2, z - WIDTH / 2))) {
        for layer in 0..[0, 1, 1, 1, 2][random.below(5)] {
            let coord = TileCoord { x, z, layer };
            tiles.insert(coord, strips(coord, 1 << random.below(4)));
        }
    }
    tiles
}

/// The calls so far, and what they ask for.
#[derive(Default)]
struct Model {
    pins: BTreeMap<Pin, ([f64; 3], f64)>,
    wants: Vec<TileCoord>,
    holds: BTreeMap<Hold, BTreeSet<TileCoord>>,
    /// Tiles that were reported as failed or absent.
    broken: BTreeSet<TileCoord>,
}

impl Model {
    fn held(&self) -> BTreeSet<TileCoord> {
        self.holds.values().flatten().copied().collect()
    }

    /// The tiles that are to be loaded once everything has arrived: a greedy choice in the order of urgency.
    fn expected(&self, tiles: &BTreeMap<TileCoord, Tile>, memory: u64) -> BTreeSet<TileCoord> {
        let mut left = memory;
        let mut kept = BTreeSet::new();
        for coord in self.held() {
            left = left.saturating_sub(bytes_of(&tiles[&coord]));
            kept.insert(coord);
        }
        let mut pinned: Vec<(f64, TileCoord)> =
            tiles.keys().filter_map(|coord| Some((self.distance2(*coord)?, *coord))).collect();
        pinned.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let wants = self.wants.iter().filter(|coord| tiles.contains_key(coord)).copied();
        for coord in pinned.into_iter().map(|(_, coord)| coord).chain(wants) {
            let bytes = bytes_of(&tiles[&coord]);
            if !kept.contains(&coord) && !self.broken.contains(&coord) && bytes <= left {
                left -= bytes;
                kept.insert(coord);
            }
        }
        kept
    }

    /// The square of the least distance from a pin whose circle touches the tile.
    fn distance2(&self, coord: TileCoord) -> Option<f64> {
        let gap = |index: i32, place: f64| {
            let low = f64::from(index) * SIDE;
            (low - place).max(place - low - SIDE).max(0.0)
        };
        let distances = self.pins.values().filter_map(|([x, _, z], radius)| {
            let distance2 = gap(coord.x, *x).powi(2) + gap(coord.z, *z).powi(2);
            (distance2 <= radius * radius).then_some(distance2)
        });
        distances.min_by(f64::total_cmp)
    }
}

fn any_place(random: &mut SplitMix64) -> [f64; 3] {
    let reach = f64::from(WIDTH) * SIDE / 2.0 + 5.0;
    // Halves of a tile, so that circles touch borders and distances are equal.
    let mut along = || (random.between(-reach, reach) / 2.0).round() * 2.0;
    [along(), 0.0, along()]
}

/// One random call.
fn call(stream: &mut TileStream<Script>, model: &mut Model, random: &mut SplitMix64) {
    let any = |count: usize, random: &mut SplitMix64| random.below(count.max(1));
    let pin = model.pins.keys().nth(any(model.pins.len(), random)).copied();
    let hold = model.holds.keys().nth(any(model.holds.len(), random)).copied();
    match (random.below(12), pin, hold) {
        (0 | 1, ..) if model.pins.len() < 4 => {
            let (place, radius) = (any_place(random), random.between(0.0, 9.0).round());
            model.pins.insert(stream.pin(place, radius).unwrap(), (place, radius));
        }
        (2..=6, Some(pin), _) => {
            let place = any_place(random);
            stream.move_pin(pin, place).unwrap();
            model.pins.get_mut(&pin).unwrap().0 = place;
        }
        (7, Some(pin), _) => {
            stream.unpin(pin).unwrap();
            model.pins.remove(&pin);
        }
        (8, ..) => {
            let mut coord = || at(random.below(14) as i32 - 7, random.below(14) as i32 - 7);
            model.wants = (0..12).map(|_| coord()).collect();
            stream.want(&model.wants);
        }
        (9 | 10, ..) if model.holds.len() < 2 => {
            let polygons: Vec<_> = stream.mesh().polygons().step_by(17).take(3).collect();
            let tiles = polygons.iter().map(|polygon| stream.mesh().tile_of(*polygon).unwrap().0.coord());
            let tiles = tiles.collect();
            model.holds.insert(stream.hold(&polygons).unwrap(), tiles);
        }
        (11, _, Some(hold)) => {
            stream.release(hold).unwrap();
            model.holds.remove(&hold);
        }
        _ => {}
    }
}

/// Answers some of the requests, out of order; some twice, some wrong, some that were cancelled.
fn answer(source: &mut Script, random: &mut SplitMix64) {
    while !source.open.is_empty() && random.below(3) > 0 {
        let coord = source.open[random.below(source.open.len())];
        match random.below(30) {
            0 => {
                source.send(coord);
                source.send(coord);
            }
            1 => source.answer(coord, Fetched::Failed("a bad sector".into())),
            2 => source.answer(coord, Fetched::Bytes(vec![7; 100])),
            3 => source.answer(coord, Fetched::Absent),
            4 => {
                let other = TileCoord { layer: 9, ..coord };
                source.answer(coord, Fetched::Tile(strips(other, 1)));
            }
            _ => source.send(coord),
        }
    }
    if random.below(6) == 0
        && let Some(coord) = source.cancelled.pop()
        && !source.open.contains(&coord)
    {
        source.send(coord);
    }
}

/// Checks the rules that hold after every update.
fn check(stream: &TileStream<Script>, update: &Update, loaded: &mut BTreeSet<TileCoord>, model: &mut Model) {
    model.broken.extend(update.failed.iter().map(|failed| failed.coord));
    model.broken.extend(&update.absent);
    for change in &update.changes {
        match change.kind {
            ChangeKind::Added => assert!(loaded.insert(change.coord)),
            ChangeKind::Removed => assert!(loaded.remove(&change.coord)),
            ChangeKind::Replaced => panic!("nothing was reloaded"),
        }
    }
    assert_eq!(coords(stream.mesh()), *loaded, "the changes are complete");
    assert_eq!(stream.mesh().tiles().map(bytes_of).sum::<u64>(), stream.memory());
    assert!(stream.memory() <= stream.limits().memory);
    assert!(model.held().is_subset(loaded));
    assert!(stream.source().open.len() <= stream.limits().in_flight as usize);
    assert!(update.changes.len() < 40);
    let added = update.changes.iter().filter(|change| change.kind == ChangeKind::Added).count();
    assert!(added + update.failed.len() + update.absent.len() <= stream.limits().tiles as usize);
    for requested in &stream.source().requested {
        assert!(stream.source().tiles.contains_key(requested), "an empty place was asked for");
    }
}

/// Takes all answers, and answers with what is asked for, until nothing is missing.
fn arrive(stream: &mut TileStream<Script>, loaded: &mut BTreeSet<TileCoord>, model: &mut Model) {
    for _ in 0..1000 {
        for coord in stream.source().open.clone() {
            stream.source_mut().send(coord);
        }
        let is_idle = stream.source().answers.is_empty();
        let update = stream.update();
        check(stream, &update, loaded, model);
        if update.waiting == 0 && is_idle && stream.source().answers.is_empty() {
            return;
        }
    }
    panic!("tiles do not arrive");
}

#[test]
fn the_tiles_of_a_model_are_loaded_once_they_have_arrived() {
    let mut settled = 0;
    for seed in 0..60 {
        let mut random = SplitMix64::new(seed);
        let tiles = random_tiles(&mut random);
        let largest = tiles.values().map(bytes_of).max().unwrap();
        let limits = Limits {
            memory: largest * (2 + random.below(40) as u64),
            tiles: 1 + random.below(6) as u32,
            in_flight: 1 + random.below(9) as u32,
            retry_after: None,
            ..Limits::default()
        };
        let world = world_of(tiles.values());
        let mut stream = TileStream::new(world, Script::of(tiles.clone()), [0.0; 3], limits).unwrap();
        let (mut model, mut loaded) = (Model::default(), BTreeSet::new());
        for _ in 0..200 {
            call(&mut stream, &mut model, &mut random);
            answer(stream.source_mut(), &mut random);
            let update = stream.update();
            check(&stream, &update, &mut loaded, &mut model);
            if random.below(12) == 0 {
                arrive(&mut stream, &mut loaded, &mut model);
                let expected = model.expected(&tiles, limits.memory);
                assert!(expected.is_subset(&loaded), "seed {seed}: {:?}", expected.difference(&loaded));
                settled += expected.len();
            }
            // Broken tiles are mended now and then.
            if random.below(40) == 0 {
                for coord in std::mem::take(&mut model.broken) {
                    stream.reload(coord);
                }
            }
        }
    }
    assert!(settled > 5000, "{settled}");
}

#[test]
fn a_walk_always_has_the_tiles_around_it() {
    let tiles: BTreeMap<TileCoord, Tile> =
        (0..40).flat_map(|x| (0..6).map(move |z| at(x, z))).map(|coord| (coord, strips(coord, 2))).collect();
    let memory = 40 * bytes_of(&strips(at(0, 0), 2));
    let mut stream = TileStream::new(
        world_of(tiles.values()),
        Script::prompt(tiles),
        [0.0; 3],
        Limits { memory, tiles: 4, ..Limits::default() },
    )
    .unwrap();
    let pin = stream.pin(middle(at(0, 3)), 6.0).unwrap();
    crate::common::settle(&mut stream);
    let mut removed = 0;
    for step in 0..300 {
        // Half a metre an update: a new row of tiles every eight.
        let place = [f64::from(step) * 0.5, 0.0, 14.0];
        stream.move_pin(pin, place).unwrap();
        let update = stream.update();
        removed += update.stale().count();
        assert!(stream.memory() <= memory);
        for coord in stream.world().tiles_around(place, 6.0).unwrap() {
            assert!(stream.mesh().tile(coord).is_some(), "step {step}: {coord:?}");
        }
    }
    assert!(removed > 100, "{removed}");
}
