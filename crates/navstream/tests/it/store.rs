//! Files as sources: read in the update, or by a thread; baked ground, and queries meanwhile.

use crate::common::settle;
use detour::{
    Filter, NavMesh, Optimality, Path, PathOptions, PathStatus, Place, PolyRef, Query, QueryError,
    RouteOptions,
};
use navmath::SplitMix64;
use navstream::{Limits, StoreSource, TileFault, TileSource, TileStream, WorkerSource, World};
use navtile::file::Source;
use navtile::{NavFile, NavStore, Tile, TileCoord};
use recast::{PreparedLevel, Settings, Silent};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

/// Metres along the level, and most of the tiles that fit.
const EXTENT: f64 = 128.0;

/// Nine fields of boxes and ramps next to each other, in tiles of 9.6 m.
fn boxes() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let level = navscenes::repeat(&navscenes::boxes(7, 60), 3, 3);
        let level = PreparedLevel::new(&level, &Settings::default()).unwrap();
        let baked = navlevel::bake_tiles(&level, 32, &Silent).unwrap();
        let tiles: Vec<Tile> = baked.into_iter().map(|baked| baked.tile).collect();
        navtile::write_file(&navlevel::meta::meta(&level, 32, None), &tiles).unwrap()
    })
}

fn memory() -> u64 {
    let tiles = NavFile::open(boxes()).unwrap();
    let bytes = |row: usize| tiles.tile_at(row).unwrap().unwrap().bytes().len() as u64;
    (0..tiles.entries().len()).map(bytes).sum::<u64>() / 3
}

fn stream_of<S: TileSource>(source: S) -> TileStream<S> {
    let world = World::of_catalog(&NavStore::open(boxes().to_vec()).unwrap()).unwrap();
    let limits = Limits { memory: memory(), tiles: 5, ..Limits::default() };
    TileStream::new(world, source, [60.0, 0.0, 60.0], limits).unwrap()
}

fn blocking() -> TileStream<StoreSource<Vec<u8>>> {
    stream_of(StoreSource::new(NavStore::open(boxes().to_vec()).unwrap()))
}

fn name(mesh: &NavMesh, polygon: PolyRef) -> (TileCoord, u32) {
    (mesh.tile_of(polygon).unwrap().0.coord(), polygon.polygon())
}

fn near(mesh: &NavMesh, place: [f64; 3]) -> Result<Place, QueryError> {
    let size = detour::Vec3::new(1.0, 4.0, 1.0);
    Ok(Query::new().nearest(mesh, mesh.from_world(place), size, &Filter::default())?.place())
}

fn shortest(mesh: &NavMesh, ends: [[f64; 3]; 2]) -> Option<Path> {
    let [start, goal] = ends.map(|place| near(mesh, place).ok());
    let mut path = Path::default();
    let options = PathOptions { optimality: Optimality::Shortest };
    Query::new().find_path(mesh, start?, goal?, &Filter::default(), &options, &mut path).unwrap();
    Some(path)
}

#[test]
fn paths_within_pinned_ground_are_those_of_the_whole_mesh() {
    let whole = NavMesh::of_file(&NavFile::open(boxes()).unwrap(), [60.0, 0.0, 60.0]).unwrap();
    let mut stream = blocking();
    let mut random = SplitMix64::new(11);
    let pin = stream.pin([10.0, 0.0, 10.0], 20.0).unwrap();
    let mut compared = 0;
    for _ in 0..60 {
        let centre = [random.between(10.0, EXTENT - 10.0), 0.0, random.between(10.0, EXTENT - 10.0)];
        stream.move_pin(pin, centre).unwrap();
        settle(&mut stream);
        assert!(stream.memory() <= stream.limits().memory);
        for _ in 0..6 {
            let mut place = || {
                let [dx, dz] = [random.between(-14.0, 14.0), random.between(-14.0, 14.0)];
                [centre[0] + dx, 0.0, centre[2] + dz]
            };
            let ends = [place(), place()];
            let mesh = stream.mesh();
            // Both meshes have the same ground there.
            for place in ends {
                let [ours, theirs] = [mesh, &whole].map(|mesh| near(mesh, place).ok());
                let named = |mesh: &NavMesh, place: Place| (name(mesh, place.polygon), place.point);
                assert_eq!(ours.map(|ours| named(mesh, ours)), theirs.map(|theirs| named(&whole, theirs)));
            }
            let Some(path) = shortest(&whole, ends) else { continue };
            let names: Vec<_> = path.polygons.iter().map(|polygon| name(&whole, *polygon)).collect();
            if path.status != PathStatus::Complete
                || names.iter().any(|(coord, _)| mesh.tile(*coord).is_none())
            {
                continue;
            }
            let ours = shortest(mesh, ends).unwrap();
            assert_eq!(ours.status, PathStatus::Complete);
            assert!((ours.cost - path.cost).abs() < 1e-3, "{} and {}", ours.cost, path.cost);
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Moves three pins at random; returns the references of all updates.
fn walk(mut stream: TileStream<StoreSource<Vec<u8>>>) -> Vec<Vec<PolyRef>> {
    let mut random = SplitMix64::new(3);
    let mut place = || [random.between(0.0, EXTENT), 0.0, random.between(0.0, EXTENT)];
    let pins: Vec<_> = (0..3).map(|_| stream.pin(place(), 15.0).unwrap()).collect();
    let mut all = Vec::new();
    for step in 0..60 {
        stream.move_pin(pins[step % 3], place()).unwrap();
        let wanted = stream.world().tiles_around(place(), 10.0).unwrap();
        stream.want(&wanted);
        stream.update();
        all.push(stream.mesh().polygons().collect());
    }
    all
}

#[test]
fn the_same_calls_give_the_same_references() {
    let (first, second) = (walk(blocking()), walk(blocking()));
    assert_eq!(first, second);
    assert!(first.last().unwrap().iter().any(|polygon| polygon.salt() > 1), "slots were used again");
}

#[test]
fn threads_query_snapshots_while_a_thread_reads() {
    let mut stream = stream_of(WorkerSource::new(NavStore::open(boxes().to_vec()).unwrap()).unwrap());
    let (published, over) = (Mutex::new(stream.mesh().clone()), AtomicBool::new(false));
    let [answered, refused] = [const { AtomicU32::new(0) }; 2];
    let ask = |seed: u64| {
        let (mut query, mut random) = (Query::new(), SplitMix64::new(seed));
        while !over.load(Ordering::Relaxed) {
            let mesh = published.lock().unwrap().clone();
            let mut place = || [random.between(0.0, EXTENT), 0.0, random.between(0.0, EXTENT)];
            let ends = [place(), place()].map(|place| mesh.from_world(place));
            let route = query.route(&mesh, ends[0], ends[1], &Filter::default(), &RouteOptions::default());
            match route {
                Ok(route) => {
                    assert!(!route.points.is_empty());
                    answered.fetch_add(1, Ordering::Relaxed);
                }
                Err(_) => _ = refused.fetch_add(1, Ordering::Relaxed),
            }
        }
    };
    std::thread::scope(|scope| {
        for seed in 0..2 {
            scope.spawn(move || ask(seed));
        }
        let pin = stream.pin([0.0; 3], 25.0).unwrap();
        let mut updates = 0;
        for step in 0..80 {
            let along = f64::from(step) * EXTENT / 80.0;
            stream.move_pin(pin, [along, 0.0, along]).unwrap();
            while stream.update().waiting > 0 {
                assert!(stream.memory() <= stream.limits().memory);
                *published.lock().unwrap() = stream.mesh().clone();
                std::thread::yield_now();
                updates += 1;
            }
            for coord in stream.world().tiles_around([along, 0.0, along], 25.0).unwrap() {
                assert!(stream.mesh().tile(coord).is_some());
            }
            *published.lock().unwrap() = stream.mesh().clone();
        }
        over.store(true, Ordering::Relaxed);
        assert!(updates > 0, "the thread took its time");
    });
    assert!(answered.into_inner() + refused.into_inner() > 0);
}

#[test]
fn the_thread_and_the_update_load_the_same_tiles() {
    let mut ours = blocking();
    let mut threads = stream_of(WorkerSource::new(NavStore::open(boxes().to_vec()).unwrap()).unwrap());
    ours.pin([40.0, 0.0, 40.0], 22.0).unwrap();
    threads.pin([40.0, 0.0, 40.0], 22.0).unwrap();
    settle(&mut ours);
    while threads.update().waiting > 0 {
        std::thread::yield_now();
    }
    let tiles = |mesh: &NavMesh| {
        mesh.tiles()
            .map(|tile| (tile.coord(), tile.bytes().to_vec()))
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    assert_eq!(tiles(ours.mesh()), tiles(threads.mesh()));
}

/// A file whose reads fail, or panic, beyond a place.
struct Worn {
    bytes: Vec<u8>,
    end: u64,
    panics: bool,
}

impl Source for Worn {
    fn length(&self) -> io::Result<u64> {
        self.bytes.length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if offset > self.end {
            assert!(!self.panics, "a storage that panics");
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.bytes.read_at(offset, buffer)
    }
}

/// A file that is whole while it is opened, and fails after its first half.
fn worn(panics: bool) -> NavStore<Worn> {
    let bytes = boxes().to_vec();
    let half = bytes.len() as u64 / 2;
    let mut store = NavStore::open(Worn { bytes, end: u64::MAX, panics }).unwrap();
    store.source_mut().end = half;
    store
}

/// Updates until nothing is missing; returns the faults.
fn failures<S: TileSource>(stream: &mut TileStream<S>) -> Vec<String> {
    let mut failed = Vec::new();
    loop {
        let update = stream.update();
        for tile in &update.failed {
            assert!(matches!(tile.fault, TileFault::Source(_)), "{tile}");
            failed.push(tile.to_string());
        }
        if update.waiting == 0 {
            return failed;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_file_that_can_be_read_in_part_gives_that_part() {
    let mut stream = stream_of(StoreSource::new(worn(false)));
    stream.set_limits(Limits { memory: u64::MAX, ..stream.limits() });
    stream.pin([60.0, 0.0, 60.0], 200.0).unwrap();
    let failed = failures(&mut stream);
    assert_eq!(stream.mesh().tile_count() + failed.len(), stream.world().tiles().len());
    assert!(failed.len() > 10 && stream.mesh().tile_count() > 10, "{}", failed.len());
    assert!(failed[0].contains("reading tile"), "{}", failed[0]);
}

#[test]
fn a_thread_that_panics_fails_the_tiles_it_was_to_read() {
    let mut stream = stream_of(WorkerSource::new(worn(true)).unwrap());
    stream.set_limits(Limits { memory: u64::MAX, ..stream.limits() });
    stream.pin([60.0, 0.0, 60.0], 200.0).unwrap();
    let failed = failures(&mut stream);
    assert_eq!(stream.mesh().tile_count() + failed.len(), stream.world().tiles().len());
    assert!(failed.iter().all(|failed| failed.contains("has panicked")), "{failed:?}");
    // Dropped without waiting for a thread that is gone.
}
