//! The bake of levels of triangles: a `.navtile` file for each agent, and a report.

use super::args::BakeArgs;
use super::baker::{AgentTiles, TileBaker, input_hashes};
use super::estimate::Estimate;
use super::events::Events;
use super::outcome::{self, AgentOutcome, BakeRun};
use super::phases::Phases;
use super::previous::PreviousBake;
use super::shard::Shard;
use super::spool::{Spool, Wanted};
use super::targets::Targets;
use super::write::BakedNow;
use super::{bound, shard_bake, warning, write};
use crate::failure::{Answer, Failure};
use crate::files::is_standard;
use crate::pieces;
use crate::report as console;
use crate::source::{self, PreparedLevels, Source, Stop};
use crate::threads::thread_pool;
use crate::tile_size::tile_cells;
use navbake::part::{AgentFacts, PartHead};
use navinput::TileSize;
use navtile::{Meta, TileCoord};
use recast::meta::meta;
use recast::{PreparedPiece, Tiling};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) fn run(args: &BakeArgs) -> Result<Answer, Failure> {
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
    // The level is looked for first: a wrong name there is more likely than a bad folder.
    let source = source::open(&args.source)?;
    let shard = Shard::of(args.shard.as_deref())?;
    let mut targets = Targets::for_shard(args, &source, shard)?;
    keep_bound(args, &source)?;
    let (tile_size, reachable_from) = (source.tile_size(), source.reachable_from());
    let prepared = source.prepare()?;
    targets.also_read(&prepared.beside)?;
    events.open()?;
    phases.lap("read");
    let failed = |stop: Stop| prepared.stopped(stop);
    let triangles = prepared.levels[0].triangle_count();
    events.send("level", json!({ "triangles": triangles, "levels": prepared.names }))?;

    let tiling = tiling(args, &prepared, tile_size, &mut targets)?;
    let coords = own_tiles(&tiling, shard).map_err(|error| failed(error.into()))?;
    let tiles: BTreeSet<TileCoord> = coords.iter().flatten().copied().collect();
    let tiles: Vec<TileCoord> = tiles.into_iter().collect();
    phases.lap("bin");
    let estimate = Estimate::new(&tiling, &tiles).map_err(|error| failed(error.into()))?;
    let title = prepared.title.display().to_string();
    if args.estimate {
        let expected = estimate.expect(&tiling, &tiles, started).map_err(|error| failed(error.into()))?;
        return estimate.print(&title, expected.as_ref(), args.json);
    }
    let memory = estimate.memory_for_tiles(&title)?;
    estimate.announce(args.json || args.quiet);

    let run =
        LevelRun { args, shard, prepared: &prepared, targets: &targets, tiling: &tiling, coords: &coords };
    run.bake(events, reachable_from, (memory, estimate.largest), phases)
}

/// A bake whose level, tiles and results are known.
struct LevelRun<'a> {
    args: &'a BakeArgs,
    shard: Option<Shard>,
    prepared: &'a PreparedLevels,
    targets: &'a Targets,
    tiling: &'a Tiling<'a>,
    /// For each agent, the tiles that this run bakes, in canonical order.
    coords: &'a [Vec<TileCoord>],
}

impl LevelRun<'_> {
    /// Bakes the tiles with this much memory for them, of which the largest takes so much, and writes the results.
    fn bake(
        &self,
        events: &Events<'_>,
        reachable_from: Option<[f64; 3]>,
        (memory, largest): (u64, u64),
        mut phases: Phases,
    ) -> Result<Answer, Failure> {
        let LevelRun { args, shard, prepared, targets, tiling, coords } = *self;
        let failed = |stop: Stop| prepared.stopped(stop);
        let tile_cells = tiling.tile_cells();
        let metas: Vec<Meta> =
            prepared.levels.iter().map(|level| meta(level, tile_cells, reachable_from)).collect();
        phases.lap("digest");
        let none = || metas.iter().map(|_| None).collect::<Vec<Option<PreviousBake>>>();
        let previous = match shard {
            None => targets.previous_bakes(args, &metas, memory - largest),
            // It reuses the tiles of its part.
            Some(_) => none(),
        };
        let (nothing, reuses) = (none(), args.changed || args.check);
        let memory = memory - previous.iter().flatten().map(PreviousBake::memory).sum::<u64>();
        phases.lap("previous file");
        let hashes = input_hashes(tiling, coords).map_err(|error| failed(error.into()))?;
        phases.lap("hash");
        let wanted = Wanted { tiling, coords, hashes: &hashes, dynamic: args.dynamic };
        let spool = spool(args, shard, &wanted, prepared, &metas, targets)?;
        let baker = TileBaker {
            tiling,
            coords,
            hashes,
            previous: if reuses { &previous } else { &nothing },
            reachable_from,
            memory,
            spool: &spool,
            events,
            dynamic: args.dynamic,
            quiet: args.quiet,
        };
        if let Some(shard) = shard {
            return shard_bake::bake(args, shard, &baker, targets, phases).map_err(failed);
        }
        if args.check {
            return check(args, &baker, &metas, targets, &failed);
        }
        let tiles = baker.run(&mut phases).map_err(failed)?;
        let outcomes = write_all(&baker, targets, &metas, tiles, &previous)?;
        spool.remove()?;
        phases.lap("write");
        let run = BakeRun {
            levels: &prepared.names,
            of_level: &prepared.warnings,
            tile_cells,
            reached: coords.iter().map(Vec::len).collect(),
            tiling,
            changed_only: args.changed,
            started: phases.started,
            phases: phases.laps,
        };
        finish(args, &run, prepared, &outcomes, targets, events)
    }
}

/// For each agent, the tiles that this run bakes, in canonical order.
fn own_tiles(tiling: &Tiling<'_>, shard: Option<Shard>) -> Result<Vec<Vec<TileCoord>>, recast::Error> {
    let all = (0..tiling.levels().len()).map(|agent| tiling.coords_of(agent));
    let all: Vec<_> = all.collect::<Result<_, _>>()?;
    match shard {
        None => Ok(all),
        Some(shard) => shard.own(tiling, &all),
    }
}

/// Links are found on all tiles at once: not where tiles are baked one by one, or apart from others.
fn refuse_links_in_part(args: &BakeArgs, prepared: &PreparedLevels) -> Result<(), Failure> {
    if prepared.levels.iter().all(|level| level.config.settings.links.is_empty()) {
        return Ok(());
    }
    let given = [("--dynamic", args.dynamic), ("--shard", args.shard.is_some()), ("--resume", args.resume)];
    let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
    Err(Failure::call(format!("{option}: generated links are found by bakes of the whole level alone"))
        .help(format!("take the [[links]] out of the settings, or bake without {option}")))
}

/// The level in tiles, with its pieces.
fn tiling<'a>(
    args: &BakeArgs,
    prepared: &'a PreparedLevels,
    tile_size: TileSize,
    targets: &mut Targets,
) -> Result<Tiling<'a>, Failure> {
    refuse_links_in_part(args, prepared)?;
    let failed = |error: recast::Error| prepared.stopped(error.into());
    let tile_cells = tile_cells(tile_size, &prepared.levels[0])?;
    let tiling = Tiling::for_agents(&prepared.levels, tile_cells).map_err(failed)?;
    let Some(path) = &args.pieces else { return Ok(tiling) };
    let (pieces, named) = placed_pieces(path, prepared)?;
    targets.also_read(&named)?;
    tiling.with_pieces(pieces).map_err(failed)
}

/// The file that baked tiles wait in: without a name, unless they are to outlive the bake.
fn spool(
    args: &BakeArgs,
    shard: Option<Shard>,
    wanted: &Wanted<'_>,
    prepared: &PreparedLevels,
    metas: &[Meta],
    targets: &Targets,
) -> Result<Spool, Failure> {
    let target = &targets.files[0];
    if shard.is_none() && !args.resume {
        return Spool::unnamed(target.scratch_file()?).map_err(|error| target.unwritable(&error));
    }
    let Some(result) = target.file() else {
        return Err(
            Failure::call("a bake to standard output cannot be resumed").help("name the result with -o")
        );
    };
    let mut agents = Vec::with_capacity(metas.len());
    for (agent, (level, meta)) in prepared.levels.iter().zip(metas).enumerate() {
        let name = targets.names[agent].clone();
        let pieces: Vec<_> = wanted.tiling.pieces(agent).map(PreparedPiece::digest).collect();
        let mut facts = AgentFacts::new(level, name, meta.clone(), &prepared.warnings).with_pieces(&pieces);
        facts.kept_settings = args.dynamic.then(|| write::kept_settings(level)).transpose()?;
        agents.push(facts);
    }
    let share = shard.map_or([1, 1], |shard| [shard.index, shard.of]);
    // A whole bake reuses the tiles of its previous file by itself.
    let previous = (shard.is_some() && (args.changed || args.resume)).then_some(result);
    let previous = previous.filter(|path| path.is_file());
    Spool::beside(result, &PartHead::new(share, agents), args.resume, previous, wanted)
}

/// The pieces of a file for each agent, and the files that it names.
fn placed_pieces(
    path: &Path,
    prepared: &PreparedLevels,
) -> Result<(Vec<Vec<PreparedPiece>>, Vec<PathBuf>), Failure> {
    let areas = prepared.levels[0].config.settings.areas.iter();
    let (listed, named) = pieces::read(path, &areas.map(|area| (area.name.clone(), area.id.0)).collect())?;
    let place = |level| {
        let prepare = |(index, piece)| {
            PreparedPiece::new(piece, level).map_err(|error| pieces::refused(path, index, &error))
        };
        listed.iter().enumerate().map(prepare).collect()
    };
    Ok((prepared.levels.iter().map(place).collect::<Result<_, _>>()?, named))
}

/// Bounds the memory from here on, unless only the estimate is asked for.
fn keep_bound(args: &BakeArgs, source: &Source) -> Result<(), Failure> {
    if args.estimate {
        return Ok(());
    }
    let name = source.first_level().display().to_string();
    let remedy = "choose smaller tiles, enlarge the cell size, or cut the level into several bakes; \
                  --estimate shows how much it takes";
    bound::keep(source.memory_bound(), &name, &source.inputs(), remedy)
}

/// Writes the file of each agent; `previous` are the previous bakes to compare with.
fn write_all<'a>(
    baker: &TileBaker<'_>,
    targets: &'a Targets,
    metas: &[Meta],
    tiles: Vec<AgentTiles>,
    previous: &[Option<PreviousBake>],
) -> Result<Vec<AgentOutcome<'a>>, Failure> {
    let mut outcomes = Vec::with_capacity(tiles.len());
    for (agent, tiles) in tiles.into_iter().enumerate() {
        let target = &targets.files[agent];
        let (written, bytes) =
            write::write(target, &metas[agent], &tiles, &BakedNow { target, agent, baker })?;
        let changes = outcome::changes(&tiles, &written, previous[agent].as_ref());
        outcomes.push(AgentOutcome {
            agent,
            name: targets.names[agent].as_deref(),
            target,
            tiles,
            written,
            bytes,
            changes,
        });
    }
    Ok(outcomes)
}

/// Reports the bake: the page, the stream of events, and standard output.
fn finish(
    args: &BakeArgs,
    run: &BakeRun<'_>,
    prepared: &PreparedLevels,
    outcomes: &[AgentOutcome<'_>],
    targets: &Targets,
    events: &Events<'_>,
) -> Result<Answer, Failure> {
    let mut documents = Vec::with_capacity(outcomes.len());
    let mut text = String::new();
    for (agent, outcome) in outcomes.iter().enumerate() {
        let level = &prepared.levels[agent];
        let warnings = run.warnings(outcome, level);
        let stage_times = outcome.tiles.baked.stage_times();
        let report = run.report(outcome, level, &warnings, &stage_times);
        if let Some(page) = &targets.pages[agent] {
            page.write(run.page(outcome, &report)?.as_bytes())?;
        }
        documents.push(report.json());
        if agent > 0 {
            text.push('\n');
        }
        text.push_str(&report.text(args.verbose));
        if !args.json {
            warning::warn(&warnings, args.verbose);
        }
    }
    events.send("done", json!({ "reports": documents }))?;
    if args.quiet || args.events.as_deref().is_some_and(is_standard) {
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

/// Whether the files equal what this bake would write, without baking.
fn check(
    args: &BakeArgs,
    baker: &TileBaker<'_>,
    metas: &[Meta],
    targets: &Targets,
    failed: &dyn Fn(Stop) -> Failure,
) -> Result<Answer, Failure> {
    let mut stale = Vec::new();
    for (agent, meta) in metas.iter().enumerate() {
        let name = targets.files[agent].path().display().to_string();
        let mut tiles = baker.changed(agent);
        let mut why = match &baker.previous[agent] {
            None => Some("it does not exist, or cannot be used".to_owned()),
            Some(previous) => outcome::stale(previous, meta, &baker.coords[agent], &tiles),
        };
        if why.is_none() {
            tiles = baker.kept_otherwise(agent).map_err(failed)?;
            why = outcome::kept_otherwise(&tiles);
        }
        stale.extend(why.map(|why| (name, why, tiles)));
    }
    let answer = if stale.is_empty() { Answer::Yes } else { Answer::No };
    if args.quiet {
        return Ok(answer);
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
    Ok(answer)
}
