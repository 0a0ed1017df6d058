//! Measures the cost of a stream: players walk over ground of boxes and ramps, and the time of the updates is
//! compared with the time of equal reads, adds and removals by hand.
//!
//!     cargo run --release -p navtile-stream --example cost
#![allow(clippy::print_stdout)] // An example prints its results.

use detour::{NavMesh, PreparedTile};
use navstream::{
    Arrival, ChangeKind, Fetched, Limits, StoreSource, TileChange, TileSource, TileStream, Update, World,
    WorldTile,
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

/// The time of updates, the changes that they made, and their number.
struct Updates {
    time: Duration,
    changes: Vec<TileChange>,
    count: usize,
}

/// Players walk to and fro, each in a lane of its own. Their pins move by this number of metres at a time.
fn walk(mut stream: TileStream<impl TileSource>, players: usize, step: f64) -> Outcome<Updates> {
    let mut updates = Updates { time: Duration::ZERO, changes: Vec::new(), count: 0 };
    let lane = |player: usize| EXTENT * (player as f64 + 0.5) / players as f64;
    let pins: Vec<_> =
        (0..players).map(|player| stream.pin([0.0, 0.0, lane(player)], 40.0)).collect::<Result<_, _>>()?;
    for number in 0..1720 {
        let along = (f64::from(number) * 0.5 / step).floor() * step;
        let along = along.min(2.0 * EXTENT - along);
        let start = Instant::now();
        for (player, pin) in pins.iter().enumerate() {
            stream.move_pin(*pin, [along, 0.0, lane(player)])?;
        }
        let update = stream.update();
        updates.time += start.elapsed();
        updates.add(update)?;
    }
    Ok(updates)
}

/// Loads a third of the level around its middle.
fn load(mut stream: TileStream<impl TileSource>) -> Outcome<Updates> {
    let mut updates = Updates { time: Duration::ZERO, changes: Vec::new(), count: 0 };
    stream.pin([EXTENT / 2.0, 0.0, EXTENT / 2.0], EXTENT / 3.0)?;
    loop {
        let start = Instant::now();
        let update = stream.update();
        updates.time += start.elapsed();
        let is_over = update.waiting == 0;
        updates.add(update)?;
        if is_over {
            return Ok(updates);
        }
    }
}

impl Updates {
    fn add(&mut self, update: Update) -> Outcome<()> {
        if let Some(failed) = update.failed.first() {
            return Err(failed.to_string().into());
        }
        self.changes.extend(update.changes);
        self.count += 1;
        Ok(())
    }
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

/// Either source.
struct AnySource(Box<dyn TileSource>);

type AnyStream = TileStream<AnySource>;

impl TileSource for AnySource {
    fn request(&mut self, coord: TileCoord, anchor: [f64; 3]) {
        self.0.request(coord, anchor);
    }

    fn poll(&mut self) -> Option<Arrival> {
        self.0.poll()
    }

    fn cancel(&mut self, coord: TileCoord) {
        self.0.cancel(coord);
    }
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
    let limits = Limits { memory: total / 2, ..Limits::default() };
    let world = large_world(&store)?;
    let compare = |name: &str, run: &dyn Fn(AnyStream) -> Outcome<Updates>| -> Outcome<()> {
        let [mut reads, mut links, mut micros] = [const { Vec::new() }; 3];
        let mut counts = (0, 0);
        for _ in 0..ROUNDS {
            let source = Box::new(StoreSource::new(open()?));
            let updates = run(TileStream::new(world.clone(), AnySource(source), [0.0; 3], limits)?)?;
            let hand = by_hand(&updates.changes, |mesh, coord| {
                Ok(mesh.add_tile(store.tile(coord).ok_or("the file has it")??)?)
            })?;
            reads.push(updates.time.as_secs_f64() / hand.as_secs_f64());
            let source = Box::new(Ready { tiles: ready.clone(), requested: VecDeque::new() });
            let updates = run(TileStream::new(world.clone(), AnySource(source), [0.0; 3], limits)?)?;
            let hand =
                by_hand(&updates.changes, |mesh, coord| Ok(mesh.add_prepared(ready[&coord].clone())?))?;
            links.push(updates.time.as_secs_f64() / hand.as_secs_f64());
            micros.push((updates.time.as_secs_f64() - hand.as_secs_f64()) * 1e6 / updates.count as f64);
            counts = (updates.changes.len(), updates.count);
        }
        println!(
            "{name}: {} changes in {} updates; {:.2} of the time by hand with reading and verifying, {:.2} with \
             prepared tiles, {:.1} us more per update",
            counts.0,
            counts.1,
            median(reads),
            median(links),
            median(micros)
        );
        Ok(())
    };
    compare("loading", &load)?;
    for (players, step) in [(1, 0.5), (8, 0.5), (64, 0.5), (8, 4.0), (64, 4.0)] {
        let name = format!("{players:>2} players, pins moved by {step} m");
        compare(&name, &|stream| walk(stream, players, step))?;
    }
    Ok(())
}
