//! One bake of every scene, cut into stages for a program that counts instructions: `cargo xtask instructions` runs it
//! under valgrind, which writes down its counts and starts again whenever `stage_boundary` is entered.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod arena;

use detour::{NavMesh, Query};
use navmath::Hasher;
use navscenes::Scene;
use navtile::{Tile, TileCoord};
use navtile_benches::{golden_digest, prepare, route, tile_digest};
use recast::{Observer, Scratch, StageId, bake_solo};
use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Where one count ends and the next begins. Nothing else may come into its place, or between its calls.
#[inline(never)]
fn stage_boundary(number: usize) -> usize {
    black_box(number)
}

/// The work between two boundaries.
#[derive(Clone, Copy, Debug)]
enum Interval {
    /// Nothing that counts.
    Between,
    /// A stage of a bake.
    Stage(StageId),
    /// Something of the runtime, under a name.
    Runtime(&'static str),
}

/// The intervals so far, without the one before the first boundary.
#[derive(Debug)]
struct Intervals(Mutex<Vec<Interval>>);

impl Intervals {
    /// Ends the interval before, and begins one.
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
        // Memory for the names is there before anything counts.
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
    black_box(hasher.finish());
    Ok(())
}
