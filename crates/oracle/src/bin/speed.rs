//! `speed`: how long bakes, queries and loading take, ours beside the C++ library's.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use oracle::speed::plan::{self, Origin, Plan, TILE_CELLS};
use oracle::speed::rounds::Rounds;
use oracle::speed::table::Section;
use oracle::speed::{SpeedError, bakes, loading, memory, on_one_thread, queries, scaling};
use recast::{Silent, bake_tiles};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
speed PART [options] [LEVEL ...]

Measures ours beside the C++ library's, in one run and in turns, in CPU time of one thread, and prints medians. Build
it with `--profile speed`, and the C++ library with CXXFLAGS=\"-O3 -DRC_DISABLE_ASSERTS\"; `cargo xtask bench` does.

  bakes      each level as one tile, group of stages by group of stages; rerecast too
  queries    the same random questions over tiles of nav_test
  loading    from the bytes of a file to a mesh that answers, 100 times nav_test in tiles
  scaling    how times grow with cells, triangles, tiles and threads
  memory     the most that a process takes, a process for each library
  all        all of the above

A LEVEL is an OBJ file, nav_test or dungeon of the folder of meshes, or a scene. Without one, those that are there.

  --quick      fewer levels and rounds
  --json       one JSON object a part, not Markdown
  --plot FILE  draw the growth with cells into an SVG file (with scaling or all)
  --meshes DIR the folder of meshes (default: $NAVTILE_MESHES, else shared/meshes beside the repository)

Exit status: 0 measured, 1 a result is wrong, 2 the call was wrong, 3 it could not be done.
";

const PARTS: [&str; 5] = ["loading", "bakes", "queries", "scaling", "memory"];

/// What the command line asks for.
#[derive(Debug, Default, PartialEq)]
struct Call {
    parts: Vec<String>,
    quick: bool,
    json: bool,
    plot: Option<PathBuf>,
    meshes: Option<PathBuf>,
    levels: Vec<String>,
}

fn parse(arguments: Vec<String>) -> Result<Call, String> {
    let mut call = Call::default();
    let mut arguments = arguments.into_iter();
    match arguments.next() {
        Some(all) if all == "all" => call.parts = PARTS.map(str::to_owned).to_vec(),
        Some(part) if PARTS.contains(&part.as_str()) => call.parts = vec![part],
        Some(part) => return Err(format!("{part} is not a part: expected {} or all", PARTS.join(", "))),
        None => return Err("nothing is named that could be measured".to_owned()),
    }
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--quick" => call.quick = true,
            "--json" => call.json = true,
            "--plot" => call.plot = Some(value()?.into()),
            "--meshes" => call.meshes = Some(value()?.into()),
            option if option.starts_with('-') => return Err(format!("{option} is not an option")),
            _ => call.levels.push(argument),
        }
    }
    Ok(call)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let done = match arguments.split_first() {
        Some((word, rest)) if word == "memory-of" => child(rest),
        _ => match parse(arguments) {
            Ok(call) => run(&call),
            Err(message) => {
                eprintln!("speed: {message}\n\n{HELP}");
                return ExitCode::from(2);
            }
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("speed: {error}");
            ExitCode::from(if matches!(error, SpeedError::Wrong { .. }) { 1 } else { 3 })
        }
    }
}

/// What a process that is measured does: role, level, cell size.
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
    for part in &call.parts {
        let section = on_one_thread(|| measure(part, call))?;
        say(&if call.json { format!("{}\n", section.json()) } else { section.markdown() })?;
    }
    if call.parts.len() > 1 {
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

/// Writes to standard output, at once: the next part takes its time.
fn say(text: &str) -> Result<(), SpeedError> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| SpeedError::Io { what: "writing to standard output".to_owned(), source })
}

fn measure(part: &str, call: &Call) -> Result<Section, SpeedError> {
    let origins = call.levels.iter().map(|named| plan::origin(named, call.meshes.as_deref()));
    let origins = origins.collect::<Result<Vec<Origin>, _>>()?;
    let first = match origins.first() {
        Some(origin) => origin.clone(),
        // Without the folder of meshes, a scene stands in.
        None => plan::origin("nav_test", call.meshes.as_deref()).unwrap_or(Origin::Scene("boxes")),
    };
    match part {
        "bakes" => bakes_of(call, &origins),
        "queries" => queries_of(call, first),
        "loading" => loading_of(call, first),
        "scaling" => scaling_of(call, &first),
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
    let baked = bake_tiles(&bench.prepared, TILE_CELLS, &Silent)?;
    let tiles: Vec<_> = baked.into_iter().map(|baked| baked.tile).collect();
    let (count, rounds) = if call.quick { (1_000, 3) } else { (queries::QUESTIONS, 7) };
    Ok(queries::section(&bench.name, count, &queries::measure(&tiles, count, rounds)?))
}

fn loading_of(call: &Call, origin: Origin) -> Result<Section, SpeedError> {
    let bench = tiled(origin, if call.quick { 3 } else { 10 }).bench()?;
    let baked = bake_tiles(&bench.prepared, TILE_CELLS, &Silent)?;
    let tiles: Vec<_> = baked.into_iter().map(|baked| baked.tile).collect();
    let rounds = if call.quick { 5 } else { 31 };
    Ok(loading::measure(&bench.prepared, TILE_CELLS, &tiles, rounds)?.section(&bench.name))
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

    fn parsed(text: &str) -> Result<Call, String> {
        parse(text.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn calls_are_understood() {
        let call = parsed("bakes --quick --json plane a.obj").unwrap();
        assert_eq!((call.parts, call.levels.len()), (vec!["bakes".to_owned()], 2));
        assert!(call.quick && call.json);
        assert_eq!(parsed("all --plot x.svg").unwrap().parts.len(), PARTS.len());
    }

    #[test]
    fn wrong_calls_are_refused() {
        assert!(parsed("").unwrap_err().contains("nothing"));
        assert!(parsed("baking").unwrap_err().contains("expected loading"));
        assert!(parsed("bakes --fast").unwrap_err().contains("not an option"));
        assert!(parsed("all --plot").unwrap_err().contains("needs a value"));
    }
}
