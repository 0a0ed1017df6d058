//! `speed`: compares the times of bakes, queries and loading with the C++ library's.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use clap::{Parser, ValueEnum};
use oracle::runtime::pair::for_detour;
use oracle::speed::plan::{self, Origin, Plan, TILE_CELLS};
use oracle::speed::rounds::Rounds;
use oracle::speed::table::Section;
use oracle::speed::{SpeedError, bakes, levels, loading, memory, on_one_thread, queries, scaling};
use oracle::subject;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compares our times with the C++ library's, in one run and in turns, in CPU time of one thread, and prints
/// medians
///
/// Build it with `--profile speed`, and the C++ library with CXXFLAGS="-O3 -DRC_DISABLE_ASSERTS";
/// `cargo xtask bench` does.
#[derive(Debug, Parser)]
#[command(
    name = "speed",
    after_help = "Exit status: 0 measured, 1 a result is wrong, 2 the call was wrong, 3 it could not be done."
)]
struct Call {
    topic: Topic,
    /// OBJ files, scenes, or nav_test or dungeon from the folder of meshes [default: all that are present]
    #[arg(value_name = "LEVEL")]
    levels: Vec<String>,
    /// Fewer levels and rounds
    #[arg(long)]
    quick: bool,
    /// One JSON object per topic instead of Markdown
    #[arg(long)]
    json: bool,
    /// Draw the growth with cells into an SVG file (with scaling or all)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// The folder of meshes [default: $NAVTILE_MESHES, else shared/meshes next to the repository]
    #[arg(long, value_name = "DIR")]
    meshes: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Topic {
    /// From the bytes of a file to a mesh that answers, 100 times nav_test in tiles
    Loading,
    /// Each level as one tile, group of stages by group of stages; rerecast too
    Bakes,
    /// Identical random queries over tiles of nav_test
    Queries,
    /// Random queries over every level of the folder of meshes, as one tile and in tiles
    Levels,
    /// Growth of times with cells, triangles, tiles and threads
    Scaling,
    /// Peak memory, in one process per library
    Memory,
    /// All of the above
    All,
    /// The process that `memory` measures; a role, a level and a cell size follow
    #[value(hide = true)]
    MemoryOf,
}

const TOPICS: [Topic; 6] =
    [Topic::Loading, Topic::Bakes, Topic::Queries, Topic::Levels, Topic::Scaling, Topic::Memory];

fn main() -> ExitCode {
    let call = Call::parse();
    let done = if call.topic == Topic::MemoryOf { child(&call.levels) } else { run(&call) };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("speed: {error}");
            ExitCode::from(if matches!(error, SpeedError::Wrong { .. }) { 1 } else { 3 })
        }
    }
}

/// The work of a measured process: role, level, cell size.
fn child(arguments: &[String]) -> Result<(), SpeedError> {
    let wrong = || SpeedError::Level("memory-of takes a role, a level and a cell size".to_owned());
    let [role, named, size] = arguments else { return Err(wrong()) };
    let size = size.parse().map_err(|_| wrong())?;
    let plan = memory::plan(plan::origin(named, None)?, size);
    let peak = on_one_thread(|| memory::child(role, &plan))?;
    say(&format!("{peak}\n"))
}

fn run(call: &Call) -> Result<(), SpeedError> {
    if option_env!("CXXFLAGS").is_none_or(|flags| !flags.contains("RC_DISABLE_ASSERTS")) {
        eprintln!(
            "speed: built without CXXFLAGS=\"-O3 -DRC_DISABLE_ASSERTS\": the C++ library checks itself"
        );
    }
    if cfg!(debug_assertions) {
        eprintln!("speed: a debug build: its figures say nothing");
    }
    let topics = if call.topic == Topic::All { &TOPICS[..] } else { &[call.topic] };
    for &topic in topics {
        let section = on_one_thread(|| measure(topic, call))?;
        say(&if call.json { format!("{}\n", section.json()) } else { section.markdown() })?;
    }
    if topics.len() > 1 {
        let flags = option_env!("CXXFLAGS");
        let known = flags.unwrap_or("the default ones");
        let json = json!({ "cxxflags": flags });
        say(&if call.json {
            format!("{json}\n")
        } else {
            format!("Flags of the C++ compiler: `{known}`.\n")
        })?;
    }
    Ok(())
}

/// Writes to standard output and flushes, because the next topic takes a while.
fn say(text: &str) -> Result<(), SpeedError> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| SpeedError::Io { what: "writing to standard output".to_owned(), source })
}

fn measure(topic: Topic, call: &Call) -> Result<Section, SpeedError> {
    let origins = call.levels.iter().map(|named| plan::origin(named, call.meshes.as_deref()));
    let origins = origins.collect::<Result<Vec<Origin>, _>>()?;
    let first = match origins.first() {
        Some(origin) => origin.clone(),
        // Without the folder of meshes, a scene is used instead.
        None => plan::origin("nav_test", call.meshes.as_deref()).unwrap_or(Origin::Scene("boxes")),
    };
    match topic {
        Topic::Bakes => bakes_of(call, &origins),
        Topic::Queries => queries_of(call, first),
        Topic::Levels => levels_of(call),
        Topic::Loading => loading_of(call, first),
        Topic::Scaling => scaling_of(call, &first),
        _ => memory_of(call, &first),
    }
}

fn bakes_of(call: &Call, origins: &[Origin]) -> Result<Section, SpeedError> {
    let plans = match origins {
        [] => plan::everything(call.quick, call.meshes.as_deref())?,
        _ => origins.iter().flat_map(|origin| plan::of_level(origin, call.quick)).collect(),
    };
    Ok(bakes::section(&bakes::all(&plans, Rounds::new(call.quick))?))
}

fn tiled(origin: Origin, copies: u32) -> Plan {
    Plan { copies, tile_cells: Some(TILE_CELLS), ..Plan::solo(origin, 0.3) }
}

fn queries_of(call: &Call, origin: Origin) -> Result<Section, SpeedError> {
    let bench = tiled(origin, 1).bench()?;
    let (count, rounds) = if call.quick { (1_000, 3) } else { (queries::QUESTIONS, 7) };
    Ok(queries::section(&bench.name, count, &queries::measure(&for_detour(&bench.tiles()?)?, count, rounds)?))
}

fn levels_of(call: &Call) -> Result<Section, SpeedError> {
    let folder = subject::folder_of_levels(call.meshes.as_deref()).map_err(SpeedError::Level)?;
    levels::measure(&folder, call.quick)
}

fn loading_of(call: &Call, origin: Origin) -> Result<Section, SpeedError> {
    let bench = tiled(origin, if call.quick { 3 } else { 10 }).bench()?;
    let rounds = if call.quick { 5 } else { 31 };
    Ok(loading::measure(&bench.tiles()?, rounds)?.section(&bench.name))
}

fn scaling_of(call: &Call, origin: &Origin) -> Result<Section, SpeedError> {
    let scaling = scaling::measure(origin, call.quick)?;
    if let Some(path) = &call.plot {
        let failed = |source| SpeedError::Io { what: format!("writing {}", path.display()), source };
        std::fs::write(path, scaling.plot()).map_err(failed)?;
    }
    Ok(scaling.section())
}

fn memory_of(call: &Call, first: &Origin) -> Result<Section, SpeedError> {
    let program = std::env::current_exe()
        .map_err(|source| SpeedError::Io { what: "finding this program".to_owned(), source })?;
    let sizes: &[f64] = if call.quick { &[0.3] } else { &[0.3, 0.1] };
    let named = match first {
        Origin::File(path) => path.to_string_lossy().into_owned(),
        Origin::Scene(name) => (*name).to_owned(),
        Origin::Terrain(..) => "terrain".to_owned(),
    };
    let mut rows = Vec::new();
    for name in [named.as_str(), "terrain"] {
        for &size in sizes {
            let shown = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
            rows.push((format!("{shown}, {size} m"), memory::measure(&program, name, size)?));
        }
    }
    Ok(memory::section(&rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Call, clap::Error> {
        Call::try_parse_from(std::iter::once("speed").chain(text.split_whitespace()))
    }

    #[test]
    fn calls_are_understood() {
        let call = parsed("bakes --quick --json plane a.obj").unwrap();
        assert_eq!((call.topic, call.levels.len()), (Topic::Bakes, 2));
        assert!(call.quick && call.json);
        assert_eq!(parsed("memory-of ours plane 0.3").unwrap().levels.len(), 3);
    }

    #[test]
    fn wrong_calls_are_refused() {
        let refused = |text: &str| parsed(text).unwrap_err().to_string();
        assert!(refused("").contains("<TOPIC>"));
        assert!(refused("baking").contains("loading"));
        assert!(refused("bakes --fast").contains("--fast"));
        assert!(refused("all --plot").contains("a value is required"));
    }
}
