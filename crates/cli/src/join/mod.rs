//! `navtile join`: joins the files of all shards into the file that one machine would have baked.

mod handle;
mod report;
mod shards;
mod store;

use crate::bake::baked::{AgentTiles, BakedTiles};
use crate::bake::estimate::KEPT_OF_TILE;
use crate::bake::outcome::{areas_present, other_hierarchy, tile_warnings, written_mesh};
use crate::bake::previous;
use crate::bake::targets::of_agent;
use crate::bake::write::{BakedStore, WrittenTile, unjudged, write};
use crate::bake_report::{phases::Phases, warning};
use crate::failure::{Answer, Failure};
use crate::files::{FileList, Target, is_standard};
use crate::memory::{self, readable};
use crate::threads::thread_pool;
use crate::values;
use clap::Args;
use navbake::shard::AgentFacts;
use navbake::{Warning, loose_ends, lost_areas};
use navlevel::assemble::Judge;
use navlinks::{GroundStore, ground_memory};
use navtile::IslandGraph;
use recast::PreparedLevel;
use report::JoinReport;
use shards::ShardSet;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;
use store::{ShardGround, ShardStore};

#[derive(Debug, Args)]
pub(crate) struct JoinArgs {
    /// The files of all shards, in any order.
    #[arg(required = true, value_name = "SHARD.navpart")]
    shards: Vec<PathBuf>,
    /// The file to write. With several agents, each agent's name is put before the extension.
    #[arg(short, long, value_name = "OUT.navtile", required_unless_present = "report")]
    output: Option<PathBuf>,
    /// Report each shard, too: its tiles, time, memory, and its slowest tile. Without -o nothing is written,
    /// and shard files may be missing.
    #[arg(long)]
    report: bool,
    /// Leave the file unchanged if it already holds exactly these tiles.
    #[arg(long, requires = "output")]
    changed: bool,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
    /// Print nothing but warnings and errors.
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
    /// Maximum memory for the ground on which links are found at a time, and for the cached spans of a tile:
    /// 512MiB, 4GB [default: 8GiB].
    #[arg(long, value_name = "SIZE", value_parser = values::memory)]
    memory: Option<u64>,
    /// Threads to join on [default: one per core].
    #[arg(long, value_name = "COUNT", value_parser = values::thread_count)]
    threads: Option<usize>,
}

/// The file of one agent.
struct Joined {
    agent: Option<String>,
    file: String,
    tiles: AgentTiles,
    written: Vec<WrittenTile>,
    bytes: u64,
    /// True if the file held all of it before.
    up_to_date: bool,
    warnings: Vec<Warning>,
}

pub(crate) fn run(args: &JoinArgs) -> Result<Answer, Failure> {
    let started = Instant::now();
    thread_pool(args.threads)?.install(|| join(args, started))
}

fn join(args: &JoinArgs, started: Instant) -> Result<Answer, Failure> {
    let mut phases = Phases::start(started);
    let shards = ShardSet::open(&args.shards)?;
    let mut files = Vec::new();
    if let Some(output) = &args.output {
        shards.check_complete()?;
        phases.lap("read");
        let mut list = FileList::reading(args.shards.iter().map(PathBuf::as_path));
        let target = |facts: &AgentFacts| list.target(&of_agent(output, facts.name.as_deref()));
        let targets: Vec<Target> = shards.agents().iter().map(target).collect::<Result<_, _>>()?;
        for (agent, target) in targets.iter().enumerate() {
            files.push(join_agent(args, &shards, agent, target, &mut phases)?);
        }
    }
    let report =
        JoinReport { shards: &shards, files: &files, phases: &phases.laps, elapsed: started.elapsed() };
    for file in files.iter().filter(|_| !args.json) {
        warning::warn(&file.warnings, false);
    }
    if !args.quiet && !args.output.as_deref().is_some_and(is_standard) {
        crate::report::answer(args.json, &report.json(), || report.text(args.report))?;
    }
    Ok(if shards.is_complete() { Answer::Yes } else { Answer::No })
}

/// Writes the file of one agent.
fn join_agent(
    args: &JoinArgs,
    shards: &ShardSet,
    agent: usize,
    target: &Target,
    phases: &mut Phases,
) -> Result<Joined, Failure> {
    let facts = &shards.agents()[agent];
    let level = facts.level().map_err(|error| Failure::of(&args.shards[0], error))?;
    let tiles = judge(args, shards, agent, &level)?;
    phases.lap("islands");
    let store = ShardStore { shards, agent, target, bound: bound(args, &level) };
    let name = facts.name.clone();
    let file = target.path().display().to_string();
    if args.changed && is_up_to_date(target, facts, &tiles, &store)? {
        let (written, warnings) = (Vec::new(), Vec::new());
        return Ok(Joined { agent: name, file, tiles, written, bytes: 0, up_to_date: true, warnings });
    }
    let (written, bytes) = write(target, &facts.meta, &tiles, &store)?;
    phases.lap("write");
    let warnings = warnings(facts, &level, target, &tiles, &written);
    phases.lap("check");
    Ok(Joined { agent: name, file, tiles, written, bytes, up_to_date: false, warnings })
}

/// Decides which islands are kept, and finds the links between them.
fn judge(
    args: &JoinArgs,
    shards: &ShardSet,
    agent: usize,
    level: &PreparedLevel,
) -> Result<AgentTiles, Failure> {
    let facts = &shards.agents()[agent];
    let mut baked = BakedTiles::default();
    for stored in shards.tiles_of(agent) {
        baked.add(stored.node.clone(), stored.facts.clone(), stored.ground);
    }
    let graph = IslandGraph::new(baked.nodes.values().cloned().collect());
    let rules = Judge::new(level, facts.meta.tile_cells, facts.meta.settings.reachable_from);
    let judged = rules
        .with_min_cells(facts.min_cells)
        .with_memory(memory_for_ground(args, shards, agent, level)?)
        .judge(graph, &ShardGround { shards, agent }, |coord| shards.tile(agent, coord).map(Some))
        .map_err(unjudged)?;
    Ok(AgentTiles { baked, level: judged, ground_only: BTreeSet::new() })
}

/// Maximum memory of a join, bytes.
fn bound(args: &JoinArgs, level: &PreparedLevel) -> u64 {
    args.memory.unwrap_or(level.config.settings.memory_bound)
}

/// Memory for the ground that links are found on at a time, bytes. Refused if no window of the level fits.
fn memory_for_ground(
    args: &JoinArgs,
    shards: &ShardSet,
    agent: usize,
    level: &PreparedLevel,
) -> Result<u64, Failure> {
    let facts = &shards.agents()[agent];
    if facts.profiles.is_empty() {
        return Ok(0);
    }
    let ground = ShardGround { shards, agent };
    let coords = shards.tiles_of(agent).map(|stored| stored.node.coord());
    let tiles: Vec<_> = coords.filter_map(|coord| Some((coord, ground.counts(coord)?))).collect();
    let bound = bound(args, level);
    let standing = memory::BASE.saturating_add(tiles.len() as u64 * KEPT_OF_TILE);
    let memory = bound.saturating_sub(standing);
    let needed = ground_memory(level, facts.meta.tile_cells, tiles.into_iter(), memory);
    if needed > memory {
        let (needed, bound) = (readable(needed.saturating_add(standing)), readable(bound));
        return Err(Failure::call(format!(
            "--memory is {bound}, which cannot hold the ground around a tile, on which links are found: {needed} are needed"
        ))
        .help("nothing was written; allow more memory with --memory"));
    }
    Ok(memory)
}

/// Returns true if the file at the target already has the content to write.
fn is_up_to_date(
    target: &Target,
    facts: &AgentFacts,
    tiles: &AgentTiles,
    store: &ShardStore<'_>,
) -> Result<bool, Failure> {
    let Some(path) = target.existing() else { return Ok(false) };
    let Ok(mut previous) = previous::read(path, u64::MAX) else { return Ok(false) };
    previous.check_tiles(u64::MAX);
    let tiles = &tiles.level;
    let kept: Vec<usize> = tiles.surviving_nodes().collect();
    let coord = |node: usize| tiles.graph.nodes()[node].coord();
    let same_tiles = previous.coords() == kept.iter().map(|&node| coord(node)).collect::<Vec<_>>()
        && kept
            .iter()
            .all(|&node| previous.prune_hash(coord(node)) == Some(tiles.surviving.prune_hash(node)));
    let same_spans = match store.cached_spans()? {
        None => !previous.is_dynamic(),
        Some(spans) => {
            previous.is_dynamic()
                && spans.tiles.iter().all(|(coord, level_hash)| previous.spans(*coord, *level_hash).is_some())
        }
    };
    Ok(previous.unsound().is_empty()
        && previous.meta() == &facts.meta
        && previous.graph().encode() == tiles.graph.encode()
        && same_tiles
        && same_spans
        && other_hierarchy(&previous, store.hierarchy()).is_none())
}

/// All warnings, those about the level first.
fn warnings(
    facts: &AgentFacts,
    level: &PreparedLevel,
    target: &Target,
    tiles: &AgentTiles,
    written: &[WrittenTile],
) -> Vec<Warning> {
    let mut warnings = facts.warnings.clone();
    warnings.extend(tile_warnings(tiles, written, level));
    let mesh = || written_mesh(target);
    let settings = &level.config.settings;
    warnings.extend(lost_areas::warnings_of(&facts.floors, settings, mesh, &areas_present(written)));
    warnings.extend(loose_ends::warnings_of(&facts.links, settings.agent_climb, mesh));
    warnings
}
