//! A game server in small: tiles are streamed around moving players, doors open and close, and threads of a pool
//! answer path requests meanwhile. Prints how many a second, and how long they took.
//!
//! `cargo run --release -p navtile-detour --example game_server -- [--seconds N] [--threads N] [--players N]`

#![allow(clippy::print_stdout)] // An example talks to whoever runs it.

use detour::{
    CornerKind, Crossings, Filter, NavMesh, Path, PathOptions, PathStatus, PolyRef, Query, QueryError,
    Reachable, StraightPath, Vec3,
};
use navscenes::build::{Builder, rect};
use navtile::{Tile, TileCoord};
use recast::{
    AreaDefinition, AreaId, Level, OffMeshConnection, PreparedLevel, Settings, Shape, Silent, Volume,
};
use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// Rooms along x and along z, and the width of one, metres.
const ROOMS: u32 = 16;
const ROOM: f64 = 16.0;
/// Cells along a tile.
const TILE_CELLS: u32 = 64;
/// Tiles nearer than this to a player are loaded; those farther than half as much again are dropped. Metres.
const SIGHT: f32 = 24.0;
/// Metres a player walks in a tick.
const STRIDE: f32 = 0.4;
/// Time between two ticks of the world.
const TICK: Duration = Duration::from_millis(10);
/// Requests that wait at most, for each thread of the pool.
const BACKLOG: usize = 4;
/// The area of doorways, and the flag of a door that is shut.
const DOOR: AreaId = AreaId(2);
const SHUT: u32 = 0x8000;

/// What the command line asks for.
struct Options {
    seconds: u64,
    threads: usize,
    players: usize,
}

impl Options {
    fn from_arguments() -> Result<Options, Box<dyn Error>> {
        let mut options = Options { seconds: 5, threads: 2, players: 8 };
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            let value: u64 = arguments.next().ok_or_else(|| format!("{name} needs a number"))?.parse()?;
            match name.as_str() {
                "--seconds" => options.seconds = value,
                "--threads" => options.threads = usize::try_from(value)?.max(1),
                "--players" => options.players = usize::try_from(value)?.max(1),
                _ => return Err(format!("unknown option {name}: --seconds, --threads, --players").into()),
            }
        }
        Ok(options)
    }
}

/// A grid of rooms with a doorway in each wall.
fn level() -> Level {
    let mut builder = Builder::new();
    let whole = f64::from(ROOMS) * ROOM;
    builder.floor(rect(0.0, 0.0, whole, whole), 0.0);
    for wall in 1..ROOMS {
        let at = f64::from(wall) * ROOM;
        for room in 0..ROOMS {
            let (from, to) = (f64::from(room) * ROOM, f64::from(room + 1) * ROOM);
            let middle = (from + to) / 2.0;
            for (a, b) in [(from, middle - 1.5), (middle + 1.5, to)] {
                builder.block([at - 0.2, -0.1, a], [at + 0.2, 3.0, b]);
                builder.block([a, -0.1, at - 0.2], [b, 3.0, at + 0.2]);
            }
        }
    }
    builder.finish()
}

/// Doorways have an area of their own; from each corner room something leads across the whole map.
fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.areas.push(AreaDefinition { id: DOOR, name: "door".into(), flags: 1, cost: 1.0 });
    for wall in 1..ROOMS {
        let at = f64::from(wall) * ROOM;
        for room in 0..ROOMS {
            let middle = (f64::from(room) + 0.5) * ROOM;
            for [x, z] in [[at, middle], [middle, at]] {
                let shape = Shape::Box { min: [x - 1.5, -1.0, z - 1.5], max: [x + 1.5, 1.0, z + 1.5] };
                settings.volumes.push(Volume { shape, area: DOOR });
            }
        }
    }
    let far = f64::from(ROOMS) * ROOM - ROOM / 2.0;
    for (user_id, start, end) in [(1, [8.0, 8.0], [far, far]), (2, [8.0, far], [far, 8.0])] {
        settings.off_mesh_connections.push(OffMeshConnection {
            start: [start[0], 0.1, start[1]],
            end: [end[0], 0.1, end[1]],
            radius: 0.5,
            both_ways: true,
            area: AreaId::GROUND,
            flags: None,
            user_id,
        });
    }
    settings
}

/// A small generator of numbers. Source: G. Marsaglia, Xorshift (2003).
struct Dice(u64);

impl Dice {
    /// A number from 0 to `limit`.
    fn up_to(&mut self, limit: f32) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32 * limit
    }
}

/// What was on the disk, or is: the tiles, and the doors of those that are not loaded.
struct Storage {
    tiles: BTreeMap<TileCoord, Tile>,
    states: BTreeMap<TileCoord, Vec<u8>>,
    /// Width of a tile, metres.
    width: f32,
}

impl Storage {
    /// How far a tile lies from a position, metres.
    fn away(&self, coord: TileCoord, at: Vec3) -> f32 {
        let beyond = |tile: i32, at: f32| {
            let low = tile as f32 * self.width;
            (low - at).max(at - low - self.width).max(0.0)
        };
        beyond(coord.x, at.x).hypot(beyond(coord.z, at.z))
    }
}

/// A path that someone asks for.
struct Request {
    /// Who walks it, if it is a player; others ask to keep the pool busy.
    player: Option<usize>,
    from: Vec3,
    to: Vec3,
    at: Instant,
}

/// What came of it.
struct Answer {
    player: Option<usize>,
    /// The corners, and whether the way to each is walked: not so to the end of an off-mesh link.
    corners: Vec<(Vec3, bool)>,
    outcome: Outcome,
    took: Duration,
}

#[derive(Clone, Copy)]
enum Outcome {
    Complete,
    /// On another island, or behind shut doors: known before any search.
    CutOff,
    Partial,
    /// An end is not on the mesh that is loaded.
    Nowhere,
}

/// What the threads share.
#[derive(Default)]
struct Shared {
    /// The mesh as it is now. A request is answered on the snapshot that stands here when its turn comes.
    mesh: Mutex<NavMesh>,
    waiting: Mutex<VecDeque<Request>>,
    changed: Condvar,
    over: Mutex<bool>,
}

/// A lock that a panic of another thread does not take away.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread of the pool: answers until it is over. Its memory is reused from request to request.
fn serve(shared: &Shared, filter: &Filter, answers: &mpsc::Sender<Answer>) {
    let (mut query, mut path, mut straight) = (Query::new(), Path::default(), StraightPath::default());
    loop {
        let request = {
            let mut waiting = lock(&shared.waiting);
            loop {
                if *lock(&shared.over) {
                    return;
                }
                if let Some(request) = waiting.pop_front() {
                    break request;
                }
                waiting = shared
                    .changed
                    .wait_timeout(waiting, Duration::from_millis(20))
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
            }
        };
        let mesh = lock(&shared.mesh).clone();
        let outcome =
            answer(&mesh, &mut query, filter, &request, &mut path, &mut straight).unwrap_or(Outcome::Nowhere);
        let corners =
            straight.corners.iter().map(|corner| (corner.point, corner.kind != CornerKind::LinkEnd));
        let corners = if request.player.is_some() { corners.collect() } else { Vec::new() };
        let took = request.at.elapsed();
        if answers.send(Answer { player: request.player, corners, outcome, took }).is_err() {
            return;
        }
    }
}

fn answer(
    mesh: &NavMesh,
    query: &mut Query,
    filter: &Filter,
    request: &Request,
    path: &mut Path,
    straight: &mut StraightPath,
) -> Result<Outcome, QueryError> {
    straight.corners.clear();
    let reach = Vec3::new(1.0, 2.0, 1.0);
    let start = query.nearest(mesh, request.from, reach, filter)?.place();
    let goal = query.nearest(mesh, request.to, reach, filter)?.place();
    let reachable = mesh.reachable(start.polygon, goal.polygon, filter)?;
    query.find_path(mesh, start, goal, filter, &PathOptions::default(), path)?;
    query.straight_path(mesh, start.point, goal.point, &path.polygons, Crossings::None, straight)?;
    Ok(match (path.status, reachable) {
        (PathStatus::Complete, _) => Outcome::Complete,
        (_, Reachable::No) => Outcome::CutOff,
        _ => Outcome::Partial,
    })
}

/// A player: where it is and where it goes.
#[derive(Default)]
struct Player {
    at: Vec3,
    way: VecDeque<(Vec3, bool)>,
    asked: bool,
}

impl Player {
    fn walk(&mut self) {
        let mut left = STRIDE;
        while let Some((corner, walked)) = self.way.front().copied() {
            let away = self.at.distance(corner);
            if walked && away > left {
                self.at += (corner - self.at) * (left / away);
                return;
            }
            if walked {
                left -= away;
            }
            self.at = corner;
            self.way.pop_front();
        }
    }
}

/// What happened.
#[derive(Default)]
struct Tally {
    loaded: usize,
    dropped: usize,
    doors: usize,
    outcomes: [usize; 4],
    latencies: Vec<Duration>,
    /// What each tick's changes to the mesh took, publication and all.
    changes: Vec<Duration>,
    most_tiles: usize,
}

/// The one thread that changes the mesh.
struct Server<'a> {
    shared: &'a Shared,
    storage: Storage,
    mesh: NavMesh,
    players: Vec<Player>,
    dice: Dice,
    tally: Tally,
}

impl Server<'_> {
    /// Loads what players come near to and drops what they have left behind; doors stay as they were.
    fn stream(&mut self) -> Result<(), Box<dyn Error>> {
        for (coord, tile) in &self.storage.tiles {
            let away = self.players.iter().map(|player| self.storage.away(*coord, player.at));
            let away = away.fold(f32::INFINITY, f32::min);
            match self.mesh.tile(*coord) {
                None if away < SIGHT => {
                    self.mesh.add_tile(tile.clone())?;
                    if let Some(state) = self.storage.states.get(coord) {
                        self.mesh.restore_state(*coord, state)?;
                    }
                    self.tally.loaded += 1;
                }
                Some(_) if away > SIGHT * 1.5 => {
                    self.storage.states.insert(*coord, self.mesh.store_state(*coord)?);
                    self.mesh.remove_tile(*coord)?;
                    self.tally.dropped += 1;
                }
                _ => {}
            }
        }
        self.tally.most_tiles = self.tally.most_tiles.max(self.mesh.tile_count());
        Ok(())
    }

    /// Shuts the doors around somewhere, or opens them; most are open.
    fn turn_a_door(&mut self, query: &mut Query) -> Result<(), Box<dyn Error>> {
        let whole = ROOMS as f32 * ROOM as f32;
        let spot = Vec3::new(self.dice.up_to(whole), 0.0, self.dice.up_to(whole));
        let shut = self.dice.up_to(1.0) < 0.25;
        let reach = Vec3::new(ROOM as f32 / 2.0, 2.0, ROOM as f32 / 2.0);
        let mut door: Vec<PolyRef> = Vec::new();
        let all = Filter::default();
        query.polygons_in_box(&self.mesh, spot, reach, &all, |polygon| door.push(polygon))?;
        for polygon in door {
            let attributes = self.mesh.attributes(polygon)?;
            let flags = if shut { attributes.flags | SHUT } else { attributes.flags & !SHUT };
            if attributes.area == DOOR.0 && flags != attributes.flags {
                self.mesh.set_flags(polygon, flags)?;
                self.tally.doors += 1;
            }
        }
        Ok(())
    }

    /// Keeps every player on its way and the pool busy.
    fn ask(&mut self, backlog: usize) {
        let mut waiting = lock(&self.shared.waiting);
        for (number, player) in self.players.iter_mut().enumerate() {
            if player.way.is_empty() && !player.asked {
                player.asked = true;
                let to = near(player.at, &mut self.dice);
                waiting.push_back(Request { player: Some(number), from: player.at, to, at: Instant::now() });
            }
        }
        while waiting.len() < backlog {
            let number = self.dice.up_to(self.players.len() as f32 - 0.01) as usize;
            let [from, to] = [0, 0].map(|_| near(self.players[number].at, &mut self.dice));
            waiting.push_back(Request { player: None, from, to, at: Instant::now() });
        }
        drop(waiting);
        self.shared.changed.notify_all();
    }

    fn take(&mut self, answer: Answer) {
        self.tally.outcomes[answer.outcome as usize] += 1;
        self.tally.latencies.push(answer.took);
        if let Some(player) = answer.player.and_then(|number| self.players.get_mut(number)) {
            player.asked = false;
            player.way = answer.corners.into();
        }
    }

    /// Ticks until the time is over.
    fn run(&mut self, options: &Options, answers: &mpsc::Receiver<Answer>) -> Result<(), Box<dyn Error>> {
        let (end, mut query) = (Instant::now() + Duration::from_secs(options.seconds), Query::new());
        while Instant::now() < end {
            let tick = Instant::now() + TICK;
            self.players.iter_mut().for_each(Player::walk);
            let begin = Instant::now();
            self.stream()?;
            self.turn_a_door(&mut query)?;
            *lock(&self.shared.mesh) = self.mesh.clone();
            self.tally.changes.push(begin.elapsed());
            loop {
                self.ask(options.threads * BACKLOG);
                let left = tick.saturating_duration_since(Instant::now());
                match answers.recv_timeout(left) {
                    Ok(answer) => self.take(answer),
                    Err(mpsc::RecvTimeoutError::Timeout) => break,
                    Err(disconnected) => return Err(disconnected.into()),
                }
            }
        }
        Ok(())
    }
}

/// Somewhere in sight of a position.
fn near(at: Vec3, dice: &mut Dice) -> Vec3 {
    let whole = ROOMS as f32 * ROOM as f32;
    let mut along = |from: f32| (from + dice.up_to(2.0 * SIGHT) - SIGHT).clamp(1.0, whole - 1.0);
    Vec3::new(along(at.x), 0.0, along(at.z))
}

/// The time that this many percent of some did not take longer than, and the longest, microseconds.
fn shares(times: &mut [Duration], percents: [usize; 3]) -> [f64; 4] {
    times.sort_unstable();
    let last = times.len().saturating_sub(1);
    let share = |percent: usize| times.get(last * percent / 100).map_or(0.0, |time| time.as_secs_f64() * 1e6);
    [share(percents[0]), share(percents[1]), share(percents[2]), share(100)]
}

fn report(tally: &mut Tally, options: &Options) {
    let Tally { loaded, dropped, doors, outcomes, latencies, changes, most_tiles } = tally;
    let rate = latencies.len() as f64 / options.seconds.max(1) as f64;
    let [complete, cut_off, partial, nowhere] = outcomes;
    println!(
        "{} snapshots: {loaded} tiles loaded, {dropped} dropped, at most {most_tiles} at once",
        changes.len()
    );
    println!("{doors} times a piece of a door was opened or shut");
    let [half, most, nearly, all] = shares(changes, [50, 90, 99]);
    println!(
        "changes of a tick in microseconds: half {half:.0}, 90 % {most:.0}, 99 % {nearly:.0}, all {all:.0}"
    );
    println!("{} requests, {rate:.0} a second on {} threads", latencies.len(), options.threads);
    println!("  {complete} complete, {cut_off} cut off, {partial} partial, {nowhere} beside the loaded mesh");
    let [half, most, nearly, all] = shares(latencies, [50, 90, 99]);
    println!("latency in microseconds: half {half:.0}, 90 % {most:.0}, 99 % {nearly:.0}, all {all:.0}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::from_arguments()?;
    let prepared = PreparedLevel::new(&level(), &settings())?;
    let baked = recast::bake_tiles(&prepared, TILE_CELLS, &Silent)?;
    let tiles: BTreeMap<_, _> = baked.into_iter().map(|baked| (baked.tile.coord(), baked.tile)).collect();
    let width = f64::from(TILE_CELLS) * prepared.config.settings.cell_size;
    println!("{} tiles of {width} m baked; {} players", tiles.len(), options.players);

    let mut mesh = NavMesh::default();
    let filter = mesh.register_filter(Filter::default().with_exclude(SHUT));
    let shared = Shared::default();
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let middle = |dice: &mut Dice| (dice.up_to(ROOMS as f32 - 0.01).floor() + 0.5) * ROOM as f32;
    let place = |_| Player { at: Vec3::new(middle(&mut dice), 0.0, middle(&mut dice)), ..Player::default() };
    let players = (0..options.players).map(place).collect();
    let storage = Storage { tiles, states: BTreeMap::new(), width: width as f32 };
    let mut server = Server { shared: &shared, storage, mesh, players, dice, tally: Tally::default() };
    let (sender, answers) = mpsc::channel();
    let outcome = std::thread::scope(|scope| {
        for _ in 0..options.threads {
            let (sender, filter, shared) = (sender.clone(), &filter, &shared);
            scope.spawn(move || serve(shared, filter, &sender));
        }
        let outcome = server.run(&options, &answers);
        *lock(&shared.over) = true;
        shared.changed.notify_all();
        outcome
    });
    outcome?;
    report(&mut server.tally, &options);
    Ok(())
}
