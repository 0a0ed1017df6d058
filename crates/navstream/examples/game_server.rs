//! A small game server: one thread streams tiles around a moving player and opens and shuts doors, a second
//! reads them from the file, and others answer path requests on the snapshot that is current when they begin.
//!
//!     cargo run --release -p navtile-stream --example game_server
#![allow(clippy::print_stdout)] // An example prints its results.

use detour::{Filter, NavMesh, Query, RouteOptions, Vec3};
use navscenes::build::{Builder, rect};
use navstream::{Limits, Pin, TileStream, WorkerSource, World};
use navtile::{NavStore, Tile};
use recast::{AreaDefinition, AreaId, PreparedLevel, Settings, Shape, Silent, Volume};
use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Rooms along x, and the width of one, metres.
const ROOMS: u32 = 16;
const ROOM: f64 = 16.0;
/// Cells along a tile.
const TILE_CELLS: u32 = 64;
/// Tiles nearer to the player than this are loaded, metres.
const SIGHT: f64 = 40.0;
/// The tiles that fit into memory take this share of the file.
const SHARE: u64 = 2;
/// The area of doorways, and the flag of a door that is shut.
const DOOR: AreaId = AreaId(2);
const SHUT: u32 = 0x8000;

/// A file of a row of rooms in tiles, with a doorway in each wall between them.
fn bake() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, f64::from(ROOMS) * ROOM, ROOM), 0.0);
    let mut settings = Settings::default();
    settings.areas.push(AreaDefinition::new(DOOR, "door"));
    for wall in 1..ROOMS {
        let x = f64::from(wall) * ROOM;
        builder.block([x - 0.2, -0.1, 0.0], [x + 0.2, 3.0, ROOM / 2.0 - 1.5]);
        builder.block([x - 0.2, -0.1, ROOM / 2.0 + 1.5], [x + 0.2, 3.0, ROOM]);
        let shape = Shape::Box { min: [x - 1.5, -1.0, 6.5], max: [x + 1.5, 1.0, 9.5] };
        settings.volumes.push(Volume { shape, area: DOOR });
    }
    let level = PreparedLevel::new(&builder.finish(), &settings)?;
    let baked = navlevel::bake_tiles(&level, TILE_CELLS, &Silent)?;
    let tiles: Vec<Tile> = baked.into_iter().map(|baked| baked.tile).collect();
    Ok(navtile::write_file(&navlevel::meta::meta(&level, TILE_CELLS, None), &tiles)?)
}

/// Opens the doors of the loaded tiles that are shut, and shuts the others.
fn turn_doors(mesh: &mut NavMesh) -> Result<(), Box<dyn Error>> {
    let polygons: Vec<_> = mesh.polygons().collect();
    for polygon in polygons {
        let attributes = mesh.attributes(polygon)?;
        if attributes.area == DOOR.0 {
            mesh.set_flags(polygon, attributes.flags ^ SHUT)?;
        }
    }
    Ok(())
}

fn lock(mesh: &Mutex<NavMesh>) -> MutexGuard<'_, NavMesh> {
    mesh.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One turn of the server: streams tiles, turns doors every now and then, and publishes the mesh. When a tile
/// returns, its doors are as they were.
fn run_tick(
    tick: u16,
    stream: &mut TileStream<WorkerSource>,
    player: Pin,
    published: &Mutex<NavMesh>,
) -> Result<(), Box<dyn Error>> {
    stream.move_pin(player, [f64::from(tick), 0.0, 8.0])?;
    if let Some(failed) = stream.update().failed.first() {
        println!("{failed}");
    }
    if tick.is_multiple_of(20) {
        turn_doors(stream.mesh_mut())?;
    }
    *lock(published) = stream.mesh().clone();
    std::thread::sleep(std::time::Duration::from_millis(5));
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let store = NavStore::open(bake()?)?;
    let world = World::of_catalog(&store)?;
    let whole: u64 = world.tiles().iter().map(|tile| u64::from(tile.bytes)).sum();
    let limits = Limits { memory: whole / SHARE, ..Limits::default() };
    let mut stream = TileStream::new(world, WorkerSource::new(store)?, [0.0; 3], limits)?;
    let player = stream.pin([0.0, 0.0, 8.0], SIGHT)?;
    // The mesh maintains the islands of a registered filter, so it knows without a search which places shut
    // doors cut off.
    let filter = stream.mesh_mut().register_filter(Filter::default().with_exclude(SHUT));
    let (published, over) = (Mutex::new(stream.mesh().clone()), AtomicBool::new(false));
    let [complete, partial, nowhere] = [const { AtomicU32::new(0) }; 3];
    let answer = || {
        let mut query = Query::new();
        while !over.load(Ordering::Relaxed) {
            // A snapshot costs one reference count, and never changes.
            let mesh = lock(&published).clone();
            let bounds = mesh.bounds();
            let [from, to] = [0.1, 0.9].map(|t| Vec3::new(bounds.min.lerp(bounds.max, t).x, 0.0, 8.0));
            let count = match query.route(&mesh, from, to, &filter, &RouteOptions::default()) {
                Ok(route) if route.reason().is_none() => &complete,
                Ok(_) => &partial,
                Err(_) => &nowhere,
            };
            count.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        (0..2).for_each(|_| drop(scope.spawn(answer)));
        let ticked = (0..200).try_for_each(|tick| run_tick(tick, &mut stream, player, &published));
        // Set even if a tick failed, as the scope waits for its threads.
        over.store(true, Ordering::Relaxed);
        ticked
    })?;
    println!("{} tiles, {} of {whole} bytes", stream.mesh().tile_count(), stream.memory());
    println!("{complete:?} routes complete, {partial:?} partial, {nowhere:?} outside the loaded tiles");
    Ok(())
}
