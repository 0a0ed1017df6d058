//! The bake of levels of triangles: a `.navtile` file for each agent, and a report.

use super::args::BakeArgs;
use super::events::Events;
use super::level_run::{LevelRun, placed_obstacles};
use super::shard::Shard;
use super::targets::Targets;
use super::{bound, chunked};
use crate::bake_report::phases::Phases;
use crate::failure::{Answer, Failure};
use crate::interrupt;
use crate::memory::readable;
use crate::memory_bound::watch;
use crate::source::{self, PreparedLevels, Source};
use crate::threads::thread_pool;
use crate::tile_size::{refuse_one_piece, tile_cells};
use navlevel::Tiling;
use navlevel::meta::meta;
use navlevel::triangles::Triangles;
use serde_json::json;
use std::time::Instant;

pub(crate) fn run(args: &BakeArgs) -> Result<Answer, Failure> {
    let started = Instant::now();
    let pool = thread_pool(args.threads)?;
    let events = Events::new(args.events.as_deref(), started);
    let answer = pool.install(|| bake(args, started, &events));
    if let Err(failure) = &answer {
        events.open_if_new();
        events.send("failed", json!({ "message": failure.to_string(), "status": failure.status() }))?;
    }
    answer
}

fn bake(args: &BakeArgs, started: Instant, events: &Events<'_>) -> Result<Answer, Failure> {
    let mut phases = Phases::start(started);
    // The level is searched first: a wrong name there is more likely than a bad folder.
    let source = source::open(&args.source)?;
    let shard = Shard::of(args.shard.as_deref())?;
    let targets = Targets::for_shard(args, &source, shard)?;
    let (is_chunked, reachable_from) = (source.is_chunked(), source.reachable_from());
    keep_bound(args, &source, is_chunked)?;
    interrupt::advise(targets.help_if_interrupted(args));
    if is_chunked {
        return chunked::bake(args, source, shard, targets, events, phases);
    }
    let tile_size = source.tile_size();
    let hierarchy = source.hierarchy(args.hierarchy);
    let prepared = source.prepare()?;
    phases.lap("read");
    let tile_cells = tile_cells(tile_size, &prepared.levels[0])?;
    refuse_one_piece(hierarchy.is_some(), tile_cells)?;
    let held = whole(args, &prepared, tile_cells)?;
    targets.check()?;
    events.open()?;
    let triangles = prepared.levels[0].triangle_count();
    let metas = prepared.levels.iter().map(|level| meta(level, tile_cells, reachable_from)).collect();
    phases.lap("digest");
    let run = LevelRun {
        args,
        shard,
        prepared: &prepared,
        targets: &targets,
        source: &held,
        triangles,
        metas,
        reachable_from,
        hierarchy,
        chunks: None,
        floors: None,
    };
    run.bake(events, phases)
}

/// A level held whole, in tiles, with its obstacles.
fn whole<'a>(
    args: &BakeArgs,
    prepared: &'a PreparedLevels,
    tile_cells: u32,
) -> Result<Triangles<'a>, Failure> {
    let failed = |error: recast::Error| prepared.stopped(error.into());
    let tiling = Tiling::for_agents(&prepared.levels, tile_cells).map_err(failed)?;
    let Some(path) = &args.obstacles else { return Ok(Triangles::Whole(Box::new(tiling))) };
    let obstacles = placed_obstacles(path, &prepared.levels)?;
    Ok(Triangles::Whole(Box::new(tiling.with_obstacles(obstacles).map_err(failed)?)))
}

/// Memory that an estimate may always take, bytes: it also reports bakes that exceed their bound.
const OF_ESTIMATE: u64 = 256 << 20;

/// Limits the memory from here on.
fn keep_bound(args: &BakeArgs, source: &Source, is_chunked: bool) -> Result<(), Failure> {
    let name = source.first_level().display().to_string();
    if args.estimate {
        let bound = source.memory_bound().max(OF_ESTIMATE);
        let failure = Failure::call(format!("{name}: the estimate takes more than {}", readable(bound)));
        return watch(
            bound,
            failure.help("allow more memory with --memory, or cut the level into several bakes"),
        );
    }
    let for_reading = "bake in tiles with --tile-size auto, to read the files piece by piece";
    let for_baking = "choose smaller tiles or enlarge the cell size; --estimate shows how much it takes";
    // Files that are read chunk by chunk may be larger.
    let files = if is_chunked { Vec::new() } else { source.inputs() };
    bound::keep(source.memory_bound(), &name, &files, [for_reading, for_baking])
}
