//! Compares our crowd with DetourCrowd: the tables of docs/crowds-reference.md.
//!
//! The same agents walk every level between the same random places, and every scenario from the same starts
//! to the same goals. Each crowd takes one step in turn.
#![allow(clippy::print_stdout)] // It is a program.

mod contender;
mod contest;
mod ours;
mod rvo;
mod scenes;
mod table;
mod theirs;
mod twin;
mod walkers;

use clap::Parser;
use contest::Round;
use navscenes::build::{Builder, rect};
use navscenes::crowds::CrowdScene;
use oracle::runtime::report::tiles;
use oracle::subject::{self, Subject};
use recast::Settings;
use std::error::Error;
use std::path::PathBuf;
use walkers::CrowdsError;

/// Scenes that are walked in addition to the well-known levels.
const SCENES: [&str; 2] = ["terrain", "boxes"];
/// The name of the ground without walls.
const OPEN: &str = "open";
/// Square metres of ground per agent.
const ROOM: f64 = 10.0;

/// Compares our crowd with DetourCrowd: the cost of a step, and arrivals, delays and overlaps
#[derive(Debug, Parser)]
struct Call {
    /// A scene, an OBJ file, or `open` for level ground without walls [default: the well-known levels,
    /// terrain, boxes, open]
    level: Option<String>,
    /// Agents; fewer if there is no room for more
    #[arg(long, default_value_t = 200)]
    agents: usize,
    /// Seconds of walking
    #[arg(long, default_value_t = 60.0)]
    seconds: f32,
    /// Decides starts and goals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Runs this scenario instead; may be repeated
    #[arg(long, conflicts_with = "level")]
    scenario: Vec<String>,
    /// Walks all levels and runs all scenarios, and puts the tables into this document
    #[arg(long, conflicts_with_all = ["level", "scenario"])]
    document: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let call = Call::parse();
    if !call.scenario.is_empty() {
        let scenes = call.scenario.iter().map(|name| {
            navscenes::crowds::by_name(name).ok_or_else(|| format!("there is no scenario {name}"))
        });
        scenarios(&scenes.collect::<Result<Vec<_>, _>>()?)?;
        return Ok(());
    }
    let walked = walks(&call)?;
    let Some(path) = &call.document else { return Ok(()) };
    let ran = scenarios(navscenes::crowds::all())?;
    let name = path.display().to_string();
    let failed = |error| CrowdsError::File(name.clone(), error);
    let text = std::fs::read_to_string(path).map_err(failed)?;
    let text = table::put(&text, &name, "walks", &walked)?;
    let text = table::put(&text, &name, "beside", &ran)?;
    std::fs::write(path, text).map_err(failed)?;
    Ok(())
}

/// Prints the table of random walks, and returns its lines.
fn walks(call: &Call) -> Result<Vec<String>, Box<dyn Error>> {
    let subjects = match &call.level {
        Some(name) if name == OPEN => vec![open_ground(call.agents)],
        Some(name) => vec![match Subject::from_scene(name) {
            Some(scene) => scene,
            None => Subject::from_file(name.as_ref())?,
        }],
        None => [well_known()?, vec![open_ground(call.agents)]].concat(),
    };
    let mut lines = vec![table::WALKS.to_owned()];
    println!("{}", table::WALKS);
    for subject in &subjects {
        let &Call { agents, seconds, seed, .. } = call;
        let plan = Round { agents, seconds, seed, open: subject.name == OPEN };
        let standings = contest::run(&tiles(subject, None)?, &plan)?;
        let name = subject.name.trim_end_matches(".obj");
        let own = table::walks(name, &standings);
        own.iter().for_each(|line| println!("{line}"));
        lines.extend(own);
    }
    Ok(lines)
}

/// Prints the table of scenarios, and returns its lines.
fn scenarios(scenes: &[CrowdScene]) -> Result<Vec<String>, CrowdsError> {
    let mut lines = vec![table::SCENARIOS.to_owned()];
    println!("{}", table::SCENARIOS);
    for scene in scenes {
        let own = table::scenario(scene.title, &scenes::run(scene)?);
        own.iter().for_each(|line| println!("{line}"));
        lines.extend(own);
    }
    Ok(lines)
}

fn well_known() -> Result<Vec<Subject>, Box<dyn Error>> {
    let mut subjects = Vec::new();
    for path in subject::well_known_levels(None)? {
        subjects.push(Subject::from_file(&path)?);
    }
    subjects.extend(SCENES.iter().filter_map(|name| Subject::from_scene(name)));
    Ok(subjects)
}

/// Level ground without walls, of the same density for any number of agents.
fn open_ground(agents: usize) -> Subject {
    let side = (agents as f64 * ROOM).sqrt();
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, side, side), 0.0);
    Subject { name: OPEN.to_owned(), level: builder.finish(), settings: Settings::default() }
}
