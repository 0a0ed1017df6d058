//! One bake of every scene and some work of the runtime, cut into stages for a program that counts
//! instructions: `cargo xtask instructions` runs it under valgrind, which writes its counts and starts again
//! whenever `stage_boundary` is entered.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod arena;

use detour::{Field, Filter, NavMesh, Path, PathOptions, Query, QueryError, Vec3};
use navmath::Hasher;
use navscenes::Scene;
use navscenes::random::SplitMix64;
use navtile::{Tile, TileCoord};
use navtile_benches::{golden_digest, prepare, route, tile_digest};
use recast::{Observer, Scratch, StageId, bake_solo};
use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Ends one count and begins the next. It must not be inlined, and no other work may move between its calls.
#[inline(never)]
fn stage_boundary(number: usize) -> usize {
    black_box(number)
}

/// The work between two boundaries.
#[derive(Clone, Copy, Debug)]
enum Interval {
    /// Work that is not counted.
    Between,
    /// A stage of a bake.
    Stage(StageId),
    /// Work of the runtime, under a name.
    Runtime(&'static str),
}

/// The intervals so far, without the one before the first boundary.
#[derive(Debug)]
struct Intervals(Mutex<Vec<Interval>>);

impl Intervals {
    /// Ends the previous interval and begins another.
    fn begin(&self, interval: Interval) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(interval);
        stage_boundary(all.len());
    }

    fn runtime<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        self.begin(Interval::Runtime(name));
        let made = black_box(work());
        self.begin(Interval::Between);
        made
    }
}

impl Observer for Intervals {
    fn stage_started(&self, _: TileCoord, stage: StageId) {
        self.begin(Interval::Stage(stage));
    }

    fn stage_finished(&self, _: TileCoord, _: StageId, _: Duration) {
        self.begin(Interval::Between);
    }
}

fn main() -> ExitCode {
    for scene in navscenes::all() {
        // Memory for the names is allocated before counting begins.
        let intervals = Intervals(Mutex::new(Vec::with_capacity(1 << 10)));
        if let Err(error) = count(scene, &intervals) {
            eprintln!("count: {}: {error}", scene.name);
            return ExitCode::from(3);
        }
        for interval in intervals.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            match interval {
                Interval::Between => println!("-"),
                Interval::Stage(stage) => println!("{} {}", scene.name, stage.name()),
                Interval::Runtime(name) => println!("{} {name}", scene.name),
            }
        }
    }
    ExitCode::SUCCESS
}

/// Bakes a scene, checks its tile, verifies and loads it, and finds the scene's routes.
fn count(scene: &Scene, intervals: &Intervals) -> Result<(), Box<dyn Error>> {
    let level = prepare(scene)?;
    let baked = bake_solo(&level, intervals, &mut Scratch::new())?;
    let (golden, found) = (golden_digest(scene)?, tile_digest(&baked).to_string());
    if golden != found {
        return Err(format!("the tile's hash is {found}, the golden one {golden}").into());
    }
    let tile = intervals.runtime("verify", || Tile::from_bytes(baked.tile.bytes()))?;
    let mut mesh = NavMesh::default();
    intervals.runtime("add_tile", || mesh.add_tile(tile))?;
    let (mut query, mut hasher) = (Query::new(), Hasher::new());
    for wanted in scene.routes {
        let found = intervals.runtime("routes", || route(&mut query, &mesh, scene, wanted.from, wanted.to));
        let found = found.ok_or("a route names no place")??;
        hasher.write_f64s(&[found.cost]);
    }
    hasher.write_f64s(&crowd(scene, &mesh, &mut query, intervals)?);
    black_box(hasher.finish());
    Ok(())
}

/// Agents that go to one goal.
const AGENTS: usize = 1000;

/// Asks for paths from many places to one: with a field and a lookup in it for each place, and with a path
/// search for each. Returns the sums of both answers.
fn crowd(
    scene: &Scene,
    mesh: &NavMesh,
    query: &mut Query,
    intervals: &Intervals,
) -> Result<[f64; 2], Box<dyn Error>> {
    let (filter, mut random) = (Filter::default(), SplitMix64::new(3));
    let mut places = Vec::with_capacity(AGENTS);
    while places.len() < AGENTS {
        places.push(query.random_point(mesh, &filter, || random.between(0.0, 1.0))?);
    }
    let Some(first) = scene.places.first() else { return Ok([0.0; 2]) };
    let near = query.nearest(mesh, mesh.from_world(first.position), Vec3::splat(2.0), &filter)?;
    let (mut field, mut path) = (Field::default(), Path::default());
    // Allocates the memory before counting begins.
    query.field(mesh, &[near.place()], f32::INFINITY, &filter, &mut field)?;
    let by_field = intervals.runtime("crowd_by_field", || {
        query.field(mesh, &[near.place()], f32::INFINITY, &filter, &mut field)?;
        let directions = places.iter().filter_map(|place| field.direction(mesh, *place));
        Ok::<f64, QueryError>(directions.map(|direction| f64::from(direction.x)).sum())
    })?;
    let by_paths = intervals.runtime("crowd_by_paths", || {
        let mut sum = 0.0;
        for place in &places {
            query.find_path(mesh, *place, near.place(), &filter, &PathOptions::default(), &mut path)?;
            sum += path.cost;
        }
        Ok::<f64, QueryError>(sum)
    })?;
    Ok([by_field, by_paths])
}
