//! A small game server: one thread streams tiles around a moving player and opens and shuts doors, a second
//! reads them from the file, and others answer path requests on the snapshot that is current when they begin.
//! A traveller with a key to all doors crosses the world on far routes, far away from the player.
//!
//!     cargo run --release -p navtile-stream --example game_server
#![allow(clippy::print_stdout)] // An example prints its results.

use detour::{Filter, NavMesh, Query, RouteOptions, Vec3};
use hierarchy::{FarPlace, FarPlanner, FarRoute, Hierarchy, HierarchySettings};
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
const SIGHT: f64 = 30.0;
/// The tiles that fit into memory take this share of the file, per cent.
const SHARE: u64 = 70;
/// Metres that the traveller walks in a tick.
const STEP: f32 = 3.0;
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

/// Travels from one end of the world to the other, and back.
struct Traveller {
    hierarchy: Hierarchy,
    planner: FarPlanner,
    query: Query,
    at: [f64; 3],
    /// The route, and its goal; `None` until the tiles around start and goal have come.
    route: Option<FarRoute>,
    goal: [f64; 3],
    arrivals: u32,
}

impl Traveller {
    fn new(hierarchy: Hierarchy) -> Traveller {
        let [at, goal] = [f64::from(ROOMS) * ROOM - 4.0, 4.0].map(|x| [x, 0.0, 8.0]);
        let (planner, query) = (FarPlanner::new(), Query::new());
        Traveller { hierarchy, planner, query, at, route: None, goal, arrivals: 0 }
    }

    /// The columns of tiles that it needs, the most urgent first.
    fn columns(&self) -> Vec<[i32; 2]> {
        let around = |place: [f64; 3]| self.hierarchy.columns(self.hierarchy.cluster_at(place));
        match &self.route {
            Some(route) => route.columns_ahead(FarRoute::LEGS_AHEAD),
            None => around(self.at).chain(around(self.goal)).collect(),
        }
    }

    /// Plans a route, if the tiles around its ends are there.
    fn plan(&mut self, mesh: &NavMesh) -> Option<FarRoute> {
        let mut place = |at: [f64; 3]| {
            let half_extents = Vec3::new(1.0, 2.0, 1.0);
            let near = self.query.nearest(mesh, mesh.from_world(at), half_extents, &Filter::default());
            Some(FarPlace { mesh, place: near.ok()?.place() })
        };
        let [start, goal] = [place(self.at)?, place(self.goal)?];
        let plan = self.planner.plan(&self.hierarchy, 0, start, goal).ok()??;
        Some(self.planner.route(&plan))
    }

    /// Walks towards the stop ahead; waits where tiles are missing.
    fn walk(&mut self, mesh: &NavMesh) {
        let Some(mut route) = self.route.take().or_else(|| self.plan(mesh)) else { return };
        let [from, to] = [self.at, route.ahead().point].map(|at| mesh.from_world(at));
        if let Ok(path) = self.query.route(mesh, from, to, &Filter::default(), &RouteOptions::default())
            && path.reason().is_none()
            && let [.., last] = path.points[..]
        {
            let next = path.points.iter().find(|point| point.distance(from) > 0.01).copied().unwrap_or(last);
            let step = from.lerp(next, STEP / from.distance(next).max(STEP));
            self.at = mesh.to_world(step);
            route.advance(self.at);
            if route.legs_left() == 1 && step.distance(mesh.from_world(self.goal)) < 1.0 {
                self.arrivals += 1;
                self.goal[0] = f64::from(ROOMS) * ROOM - self.goal[0];
                return;
            }
        }
        self.route = Some(route);
    }
}

/// One turn of the server: streams tiles, turns doors every now and then, and publishes the mesh. When a tile
/// returns, its doors are as they were.
fn run_tick(
    tick: u16,
    stream: &mut TileStream<WorkerSource>,
    player: Pin,
    traveller: &mut Traveller,
    published: &Mutex<NavMesh>,
) -> Result<(), Box<dyn Error>> {
    stream.move_pin(player, [f64::from(tick), 0.0, 8.0])?;
    stream.want(&stream.world().tiles_in(traveller.columns()));
    if let Some(failed) = stream.update().failed.first() {
        println!("{failed}");
    }
    if tick.is_multiple_of(20) {
        turn_doors(stream.mesh_mut())?;
    }
    traveller.walk(stream.mesh());
    *lock(published) = stream.mesh().clone();
    std::thread::sleep(std::time::Duration::from_millis(5));
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let store = NavStore::open(bake()?)?;
    let world = World::of_catalog(&store)?;
    // A file of `navtile bake --hierarchy` has one: `Hierarchy::from_bytes(&store.hierarchy()??)`.
    let settings = HierarchySettings { cluster: 20.0, ..HierarchySettings::default() };
    let hierarchy = Hierarchy::build(&store, world.lattice(), TILE_CELLS, &settings)?;
    let mut traveller = Traveller::new(hierarchy);
    let whole: u64 = world.tiles().iter().map(|tile| u64::from(tile.bytes)).sum();
    let limits = Limits { memory: whole * SHARE / 100, ..Limits::default() };
    let mut stream = TileStream::new(world, WorkerSource::new(store)?, [0.0; 3], limits)?;
    let player = stream.pin([0.0, 0.0, 8.0], SIGHT)?;
    // The mesh maintains the islands of a registered filter, so it knows without a search which places shut
    // doors cut off.
    let filter = stream.mesh_mut().register_filter(Filter::default().with_exclude(SHUT));
    let (published, over) = (Mutex::new(stream.mesh().clone()), AtomicBool::new(false));
    let now = AtomicU32::new(0);
    let [complete, partial, nowhere] = [const { AtomicU32::new(0) }; 3];
    let answer = || {
        let mut query = Query::new();
        while !over.load(Ordering::Relaxed) {
            // A snapshot costs one reference count, and never changes.
            let mesh = lock(&published).clone();
            let player = f64::from(now.load(Ordering::Relaxed));
            let [from, to] = [-0.8, 0.8].map(|t| mesh.from_world([player + t * SIGHT, 0.0, 8.0]));
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
        let ticked = (0..200).try_for_each(|tick| {
            now.store(u32::from(tick), Ordering::Relaxed);
            run_tick(tick, &mut stream, player, &mut traveller, &published)
        });
        // Set even if a tick failed, as the scope waits for its threads.
        over.store(true, Ordering::Relaxed);
        ticked
    })?;
    println!("{} tiles, {} of {whole} bytes", stream.mesh().tile_count(), stream.memory());
    println!("the traveller crossed the world {} times", traveller.arrivals);
    println!("{complete:?} routes complete, {partial:?} partial, {nowhere:?} outside the loaded tiles");
    Ok(())
}
