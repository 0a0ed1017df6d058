//! What a stream costs: players walk over ground of boxes and ramps; the time of updates against that of the
//! same reads, adds and removals by hand.
//!
//!     cargo run --release -p navtile-stream --example cost
#![allow(clippy::print_stdout)] // An example prints its results.

use detour::{NavMesh, PreparedTile};
use navstream::{
    Arrival, ChangeKind, Fetched, Limits, StoreSource, TileChange, TileSource, TileStream, World, WorldTile,
};
use navtile::{NavStore, Tile, TileCoord};
use recast::{PreparedLevel, Settings, Silent};
use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::time::{Duration, Instant};

/// Metres along the level, and cells along a tile.
const EXTENT: f64 = 430.0;
const CELLS: u32 = 32;
const ROUNDS: usize = 7;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A source with everything in memory, prepared, as after a worker's work.
struct Ready {
    tiles: BTreeMap<TileCoord, PreparedTile>,
    requested: VecDeque<TileCoord>,
}

impl TileSource for Ready {
    fn request(&mut self, coord: TileCoord, _anchor: [f64; 3]) {
        self.requested.push_back(coord);
    }

    fn poll(&mut self) -> Option<Arrival> {
        let coord = self.requested.pop_front()?;
        let content = self.tiles.get(&coord).map_or(Fetched::Absent, |tile| Fetched::Prepared(tile.clone()));
        Some(Arrival { coord, content })
    }
}

fn bake() -> Outcome<Vec<u8>> {
    let level = navscenes::repeat(&navscenes::boxes(7, 60), 10, 10);
    let level = PreparedLevel::new(&level, &Settings::default())?;
    let baked = navlevel::bake_tiles(&level, CELLS, &Silent)?;
    let tiles: Vec<Tile> = baked.into_iter().map(|baked| baked.tile).collect();
    Ok(navtile::write_file(&navlevel::meta::meta(&level, CELLS, None), &tiles)?)
}

/// The world of a file, and a quarter of a million tiles far away.
fn large_world(store: &NavStore<Vec<u8>>) -> Outcome<World> {
    let world = World::of_catalog(store)?;
    let far = (0..500).flat_map(|x| (0..500).map(move |z| TileCoord { x: 1000 + x, z, layer: 0 }));
    let far = far.map(|coord| WorldTile { coord, bytes: 5000 });
    Ok(World::new(world.lattice(), CELLS, world.tiles().iter().copied().chain(far))?)
}

/// The time of all updates while players walk to and fro, and the changes.
fn walk(
    mut stream: TileStream<impl TileSource>,
    players: usize,
) -> Outcome<(Duration, Vec<TileChange>, usize)> {
    let (mut time, mut changes, mut updates) = (Duration::ZERO, Vec::new(), 0);
    let lane = |player: usize| EXTENT * (player as f64 + 0.5) / players as f64;
    let pins: Vec<_> =
        (0..players).map(|player| stream.pin([0.0, 0.0, lane(player)], 40.0)).collect::<Result<_, _>>()?;
    for step in 0..1720 {
        let along = (f64::from(step) * 0.5) % (2.0 * EXTENT);
        let along = along.min(2.0 * EXTENT - along);
        let start = Instant::now();
        for (player, pin) in pins.iter().enumerate() {
            stream.move_pin(*pin, [along, 0.0, lane(player)])?;
        }
        let update = stream.update();
        time += start.elapsed();
        if let Some(failed) = update.failed.first() {
            return Err(failed.to_string().into());
        }
        changes.extend(update.changes);
        updates += 1;
    }
    Ok((time, changes, updates))
}

/// The time of the same changes by hand; `add` puts a tile into the mesh.
fn by_hand(
    changes: &[TileChange],
    mut add: impl FnMut(&mut NavMesh, TileCoord) -> Outcome<()>,
) -> Outcome<Duration> {
    let mut mesh = NavMesh::default();
    let start = Instant::now();
    for change in changes {
        match change.kind {
            ChangeKind::Removed => drop(mesh.remove_tile(change.coord)?),
            _ => add(&mut mesh, change.coord)?,
        }
    }
    Ok(start.elapsed())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> Outcome<()> {
    let file = bake()?;
    let open = || NavStore::open(file.clone());
    let store = open()?;
    let mut ready = BTreeMap::new();
    for coord in store.coords() {
        let tile = store.tile(coord).ok_or("the file has it")??;
        ready.insert(coord, PreparedTile::new(tile, [0.0; 3])?);
    }
    let total: u64 = store.entries().iter().map(|entry| entry.blob_length()).sum();
    println!("{} tiles of {} bytes on average", ready.len(), total / ready.len() as u64);
    for players in [1, 8, 64] {
        let limits = Limits { memory: total / 2, ..Limits::default() };
        let [mut reads, mut links, mut micros] = [const { Vec::new() }; 3];
        let mut counts = (0, 0);
        for _ in 0..ROUNDS {
            let stream = TileStream::new(large_world(&store)?, StoreSource::new(open()?), [0.0; 3], limits)?;
            let (time, changes, updates) = walk(stream, players)?;
            let hand = by_hand(&changes, |mesh, coord| {
                Ok(mesh.add_tile(store.tile(coord).ok_or("the file has it")??)?)
            })?;
            reads.push(time.as_secs_f64() / hand.as_secs_f64());
            let source = Ready { tiles: ready.clone(), requested: VecDeque::new() };
            let stream = TileStream::new(large_world(&store)?, source, [0.0; 3], limits)?;
            let (time, changes, _) = walk(stream, players)?;
            let hand = by_hand(&changes, |mesh, coord| Ok(mesh.add_prepared(ready[&coord].clone())?))?;
            links.push(time.as_secs_f64() / hand.as_secs_f64());
            micros.push((time.as_secs_f64() - hand.as_secs_f64()) * 1e6 / updates as f64);
            counts = (changes.len(), updates);
        }
        println!(
            "{players:>2} players: {} changes in {} updates; reading, verifying and adding {:.3} of the time by hand, \
             linking prepared tiles {:.2}, {:.1} us more per update",
            counts.0,
            counts.1,
            median(reads),
            median(links),
            median(micros)
        );
    }
    Ok(())
}
