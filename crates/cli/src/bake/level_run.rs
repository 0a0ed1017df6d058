//! The bake of a known level, held whole or in windows: its tiles, its files, its report.

use super::args::BakeArgs;
use super::baked::AgentTiles;
use super::baked_now::BakedNow;
use super::baker::TileBaker;
use super::estimate::Estimate;
use super::events::Events;
use super::outcome::{self, AgentOutcome, BakeRun};
use super::previous::PreviousBake;
use super::shard::Shard;
use super::spool::{Spool, Wanted};
use super::targets::Targets;
use super::{shard_bake, write};
use crate::bake_report::phases::Phases;
use crate::bake_report::warning;
use crate::failure::{Answer, Failure};
use crate::files::is_standard;
use crate::obstacles;
use crate::report as console;
use crate::source::{PreparedLevels, Stop};
use navbake::lost_areas::AreaFloors;
use navbake::shard::{AgentFacts, ReadChunks, ShardHead};
use navinput::HierarchyInput;
use navlevel::triangles::{TileInputs, Triangles};
use navlevel::{GroundKeeper, PreparedObstacle, Tiling};
use navtile::{Meta, TileCoord};
use recast::PreparedLevel;
use serde_json::json;
use std::path::Path;

/// A bake with a known level and known results.
pub(crate) struct LevelRun<'a> {
    pub(crate) args: &'a BakeArgs,
    pub(crate) shard: Option<Shard>,
    pub(crate) prepared: &'a PreparedLevels,
    pub(crate) targets: &'a Targets,
    pub(crate) source: &'a Triangles<'a>,
    /// Triangles that have an area.
    pub(crate) triangles: usize,
    /// For each agent, the metadata of its file.
    pub(crate) metas: Vec<Meta>,
    pub(crate) reachable_from: Option<[f64; 3]>,
    /// The hierarchy of each file.
    pub(crate) hierarchy: Option<HierarchyInput>,
    /// The chunks that were read, for a level in chunks.
    pub(crate) chunks: Option<&'a ReadChunks>,
    /// For each agent, the floors of its areas, if all chunks of its level were read.
    pub(crate) floors: Option<&'a [Vec<AreaFloors>]>,
}

impl LevelRun<'_> {
    /// Bakes the tiles and writes the results.
    pub(crate) fn bake(&self, events: &Events<'_>, mut phases: Phases) -> Result<Answer, Failure> {
        let LevelRun { args, shard, prepared, targets, source, triangles, metas, .. } = self;
        let (title, failed) = (prepared.title.display().to_string(), |stop: Stop| prepared.stopped(stop));
        self.warn_before();
        events.send("level", json!({ "triangles": triangles, "levels": prepared.names }))?;
        let own = |tiling: &Tiling<'_>, all: Vec<Vec<TileCoord>>| match shard {
            // The shares of a level in windows are made from its list.
            Some(shard) if self.chunks.is_none() => shard.own(tiling, &all),
            _ => Ok(all),
        };
        let inputs = TileInputs::of(source, args.dynamic, &own).map_err(failed)?;
        phases.lap("tiles");
        let estimate = Estimate::new(source, &inputs, *triangles, shard.is_none());
        if args.estimate {
            let expected = estimate.expect(source, &inputs, phases.started).map_err(failed)?;
            return estimate.print(&title, expected.as_ref(), args.json);
        }
        let (memory, largest) = (estimate.memory_for_tiles(&title)?, estimate.largest);
        estimate.announce(args.json || args.quiet);
        let none = || metas.iter().map(|_| None).collect::<Vec<Option<PreviousBake>>>();
        let previous = match shard {
            None => targets.previous_bakes(args, metas, memory - largest),
            // It reuses the tiles of its shard file.
            Some(_) => none(),
        };
        let (nothing, reuses) = (none(), args.changed || args.check);
        let memory = memory - previous.iter().flatten().map(PreviousBake::memory).sum::<u64>();
        phases.lap("previous file");
        let wanted = Wanted { inputs: &inputs, dynamic: args.dynamic };
        let spool = self.spool(&wanted)?;
        let unpacked = if spool.keeps_ground() { 0 } else { estimate.unpacked.min((memory - largest) / 4) };
        let baker = TileBaker {
            source,
            inputs: &inputs,
            previous: if reuses { &previous } else { &nothing },
            reachable_from: self.reachable_from,
            memory: memory - unpacked,
            spool: &spool,
            keeper: GroundKeeper::new(unpacked),
            events,
            dynamic: args.dynamic,
            hierarchy: self.hierarchy.as_ref(),
            finds_links: shard.is_none(),
            quiet: args.quiet,
        };
        if let Some(shard) = *shard {
            let of_level = (&prepared.warnings[..], self.chunks);
            return shard_bake::bake(args, shard, &baker, targets, of_level, phases).map_err(failed);
        }
        if args.check {
            return check(args, &baker, metas, targets);
        }
        let tiles = baker.run(&mut phases).map_err(failed)?;
        let outcomes = write_all(&baker, targets, metas, tiles, &previous)?;
        spool.remove()?;
        phases.lap("write");
        let run = BakeRun {
            levels: &prepared.names,
            of_level: &prepared.warnings,
            tile_cells: source.tile_cells(),
            reached: inputs.coords.iter().map(Vec::len).collect(),
            inputs: &inputs,
            floors: self.floors,
            triangles: *triangles,
            changed_only: args.changed,
            started: phases.started,
            phases: phases.laps,
        };
        finish(args, &run, prepared, &outcomes, targets, events)
    }

    /// Shows doubts about the level's files before any work: a wrong unit may make the bake a thousand times
    /// as large.
    fn warn_before(&self) {
        if !self.args.json && !self.args.quiet {
            warning::warn(&warning::of_level(&self.prepared.warnings), false);
        }
    }

    /// The file that stores baked tiles. It has no name, unless the tiles are to outlive the bake.
    fn spool(&self, wanted: &Wanted<'_>) -> Result<Spool, Failure> {
        let LevelRun { args, shard, prepared, targets, source, metas, .. } = self;
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
        // Only the join knows all chunks.
        let of_level = if self.chunks.is_some() { &[][..] } else { &prepared.warnings[..] };
        for (agent, (level, meta)) in source.levels().iter().zip(metas).enumerate() {
            let name = targets.names[agent].clone();
            let obstacles: Vec<_> = source.obstacles(agent).map(PreparedObstacle::digest).collect();
            let mut facts = AgentFacts::new(level, name, meta.clone(), of_level).with_obstacles(&obstacles);
            facts.cache_settings = args.dynamic.then(|| write::cache_settings(level)).transpose()?;
            // A whole bake builds it from its tiles, whatever an interrupted one was to build.
            facts.hierarchy = self.hierarchy.clone().filter(|_| shard.is_some());
            agents.push(facts);
        }
        let share = shard.map_or([1, 1], |shard| [shard.index, shard.of]);
        // A whole bake reuses the tiles of its previous file by itself.
        let previous = (shard.is_some() && (args.changed || args.resume)).then_some(result);
        let previous = previous.filter(|path| path.is_file());
        Spool::beside((target, result), &ShardHead::new(share, agents), args.resume, previous, wanted)
    }
}

/// The obstacles of a file for each agent.
pub(crate) fn placed_obstacles(
    path: &Path,
    levels: &[PreparedLevel],
) -> Result<Vec<Vec<PreparedObstacle>>, Failure> {
    let areas = levels[0].config.settings.areas.iter();
    let listed = obstacles::read(path, &areas.map(|area| (area.name.clone(), area.id.0)).collect())?;
    let place = |level| {
        let prepare = |(index, obstacle)| {
            PreparedObstacle::new(obstacle, level).map_err(|error| obstacles::refused(path, index, &error))
        };
        listed.iter().enumerate().map(prepare).collect()
    };
    levels.iter().map(place).collect()
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
        let store = BakedNow { target, agent, baker, ground_only: &tiles.ground_only };
        let (written, bytes) = write::write(target, &metas[agent], &tiles, &store)?;
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
            // Warnings about the level were shown before the bake, unless it is quiet.
            let rest = warnings.iter().filter(|warning| args.quiet || warning.kind != warning::LEVEL);
            warning::warn(rest, args.verbose);
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

/// Returns true if the files are up to date, without baking.
fn check(
    args: &BakeArgs,
    baker: &TileBaker<'_>,
    metas: &[Meta],
    targets: &Targets,
) -> Result<Answer, Failure> {
    let mut stale = Vec::new();
    for (agent, meta) in metas.iter().enumerate() {
        let name = targets.files[agent].path().display().to_string();
        let change = baker.change(agent);
        let mut tiles = change.changed();
        let mut why = match &baker.previous[agent] {
            None => Some("it does not exist, or cannot be used".to_owned()),
            Some(previous) => outcome::stale(previous, meta, &baker.inputs.coords[agent], &tiles),
        };
        if why.is_none() {
            tiles = baker.kept_otherwise(agent, &change)?;
            why = outcome::kept_otherwise(&tiles);
        }
        if let (None, Some(previous)) = (&why, &baker.previous[agent]) {
            why = outcome::other_hierarchy(previous, baker.hierarchy);
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
            console::print_line(&format!("{name}: out of date: {why}"))?;
        }
    }
    Ok(answer)
}
