//! `navtile bake`: levels and settings in, a `.navtile` file for each agent out, and a report of what was done.

mod estimate;
mod events;
mod gather;
mod html;
mod last;
pub(crate) mod meta;
mod outcome;
mod phases;
mod report;
mod spool;
mod targets;
mod work;
mod write;

use crate::args::BakeArgs;
use crate::failure::{Answer, Failure};
use crate::flat;
use crate::interrupt;
use crate::level::{self, Ready};
use crate::report as console;
use crate::tile_size::TileCells;
use estimate::Estimate;
use events::Events;
use last::Last;
use navtile::{Meta, TileCoord};
use outcome::{Outcome, Run};
use phases::Phases;
use recast::Tiling;
use serde_json::json;
use spool::Spool;
use std::time::Instant;
use targets::Targets;
use work::{Bench, Settled, Stop};

pub(crate) fn run(args: &BakeArgs) -> Result<Answer, Failure> {
    if flat::is_map(&args.source) {
        return flat::run(args);
    }
    let started = Instant::now();
    interrupt::watch();
    let pool = thread_pool(args.threads)?;
    let events = Events::new(args.events.as_deref(), started)?;
    let answer = pool.install(|| bake(args, started, &events));
    if let Err(failure) = &answer {
        events.tell("failed", json!({ "message": failure.to_string(), "status": failure.status() }))?;
    }
    answer
}

/// The pool that everything runs on: as many threads as asked for, or as there are cores.
pub(crate) fn thread_pool(threads: Option<usize>) -> Result<rayon::ThreadPool, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    pool.map_err(|error| Failure::circumstances(format!("no threads to bake with: {error}")))
}

fn bake(args: &BakeArgs, started: Instant, events: &Events) -> Result<Answer, Failure> {
    let mut phases = Phases::start(started);
    // The level is looked for first: a wrong name there is the likelier slip than a bad folder.
    let source = level::open(&args.source)?;
    let targets = Targets::new(args, &source)?;
    let tile_size = source.tile_size(args.tile_size);
    let reachable_from = source.reachable_from(args.reachable_from);
    let ready = source.prepare()?;
    phases.lap("read");
    let failed = |stop: Stop| ready.stopped(stop);
    events.tell("level", json!({ "triangles": ready.levels[0].triangle_count(), "levels": ready.names }))?;

    let tile_cells = TileCells::choose(tile_size, &ready.levels[0])?.0;
    let tiling = Tiling::for_agents(&ready.levels, tile_cells).map_err(|error| failed(error.into()))?;
    let coords: Result<Vec<Vec<TileCoord>>, _> =
        (0..ready.levels.len()).map(|agent| tiling.coords_of(agent)).collect();
    let coords = coords.map_err(|error| failed(error.into()))?;
    phases.lap("bin");
    let estimate = Estimate::new(&tiling, &tiling.coords()).map_err(|error| failed(error.into()))?;
    let title = ready.title.display().to_string();
    if args.estimate {
        estimate.print(&title, args.json)?;
        return Ok(if estimate.fits() { Answer::Yes } else { Answer::No });
    }
    let memory = estimate.memory_for_tiles(&title)?;
    estimate.announce(args.json);

    let metas: Vec<Meta> =
        ready.levels.iter().map(|level| meta::of(level, tile_cells, reachable_from)).collect();
    phases.lap("digest");
    let lasts: Vec<Option<Last>> = targets.lasts(args, &metas);
    phases.lap("last file");
    let nothing: Vec<Option<Last>> = metas.iter().map(|_| None).collect();
    let hashes = work::hashes(&tiling, &coords).map_err(|error| failed(error.into()))?;
    phases.lap("hash");
    let spool = Spool::new(targets.scratch_file()?);
    let bench = Bench {
        tiling: &tiling,
        coords: &coords,
        hashes,
        lasts: if args.changed || args.check { &lasts } else { &nothing },
        reachable_from,
        memory,
        spool: &spool,
        events,
    };
    if args.check {
        return check(args, &bench, &metas, &targets);
    }
    let settled = bench.settle(&mut phases).map_err(failed)?;

    let mut run = Run {
        levels: &ready.names,
        of_level: &ready.warnings,
        tile_cells,
        reached: coords.iter().map(Vec::len).collect(),
        tiling: &tiling,
        changed_only: args.changed,
        started,
        phases: Vec::new(),
    };
    let outcomes = write_all(&bench, &targets, &metas, settled, &lasts)?;
    phases.lap("write");
    run.phases = phases.laps;
    finish(args, &run, &ready, &outcomes, &targets, events)
}

/// Writes the file of each agent. `lasts` is what the last bakes left, to compare with.
fn write_all<'a>(
    bench: &Bench<'_>,
    targets: &'a Targets,
    metas: &[Meta],
    settled: Vec<Settled>,
    lasts: &[Option<Last>],
) -> Result<Vec<Outcome<'a>>, Failure> {
    let mut outcomes = Vec::with_capacity(settled.len());
    for (agent, settled) in settled.into_iter().enumerate() {
        let target = &targets.files[agent];
        let (written, bytes) =
            write::write(target, &metas[agent], agent, &settled, bench.spool, bench.lasts[agent].as_ref())?;
        let changes = outcome::changes(&settled, &written, lasts[agent].as_ref());
        outcomes.push(Outcome {
            agent,
            name: targets.names[agent].as_deref(),
            target,
            settled,
            written,
            bytes,
            changes,
        });
    }
    Ok(outcomes)
}

/// Tells what was done: the page, the stream of events, and standard output.
fn finish(
    args: &BakeArgs,
    run: &Run<'_>,
    ready: &Ready,
    outcomes: &[Outcome<'_>],
    targets: &Targets,
    events: &Events,
) -> Result<Answer, Failure> {
    let mut documents = Vec::with_capacity(outcomes.len());
    let mut text = String::new();
    for (agent, outcome) in outcomes.iter().enumerate() {
        let level = &ready.levels[agent];
        let warnings = run.warnings(outcome, level);
        let stage_times = outcome.settled.gathered.stage_times();
        let report = run.report(outcome, level, &warnings, &stage_times);
        if let Some(page) = &targets.pages[agent] {
            page.write(run.page(outcome, level, &warnings, &report)?.as_bytes())?;
        }
        documents.push(
            serde_json::to_value(report.json())
                .map_err(|error| Failure::circumstances(format!("the report as JSON: {error}")))?,
        );
        if agent > 0 {
            text.push('\n');
        }
        text.push_str(&report.text());
        if !args.json {
            outcome::warn(&warnings);
        }
    }
    events.tell("done", json!({ "reports": documents }))?;
    if Events::take_standard_output(args.events.as_deref()) {
        return Ok(Answer::Yes);
    }
    if !args.json {
        console::print(&text)?;
    } else if let [document] = documents.as_slice() {
        console::print_json(document)?;
    } else {
        console::print_json(&json!({ "agents": documents }))?;
    }
    Ok(Answer::Yes)
}

/// Whether the files are what this bake would write, without baking.
fn check(args: &BakeArgs, bench: &Bench<'_>, metas: &[Meta], targets: &Targets) -> Result<Answer, Failure> {
    let mut stale = Vec::new();
    for (agent, meta) in metas.iter().enumerate() {
        let name = targets.files[agent].path().display().to_string();
        let tiles = bench.changed(agent);
        let why = match &bench.lasts[agent] {
            None => Some("is not there, or cannot be used".to_owned()),
            Some(last) => outcome::stale(last, meta, &bench.coords[agent], &tiles),
        };
        stale.extend(why.map(|why| (name, why, tiles)));
    }
    if args.json {
        let coord = |coord: &TileCoord| json!([coord.x, coord.z, coord.layer]);
        let files: Vec<_> = stale
            .iter()
            .map(|(name, why, tiles)| {
                json!({ "file": name, "why": why, "tiles": tiles.iter().map(coord).collect::<Vec<_>>() })
            })
            .collect();
        console::print_json(&json!({ "up_to_date": stale.is_empty(), "files": files }))?;
    } else if stale.is_empty() {
        console::print("up to date\n")?;
    } else {
        for (name, why, _) in &stale {
            console::print(&format!("{name}: out of date: {why}\n"))?;
        }
    }
    Ok(if stale.is_empty() { Answer::Yes } else { Answer::No })
}

impl Ready {
    fn stopped(&self, stop: Stop) -> Failure {
        match stop {
            Stop::Failure(failure) => failure,
            Stop::Bake(recast::Error::Cancelled) => write::interrupted(),
            Stop::Bake(error) => level::failed(&self.title, &error),
        }
    }
}
