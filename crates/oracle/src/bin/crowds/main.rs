//! Our crowd beside DetourCrowd: the tables of docs/crowds.md.
//!
//! Every level is walked by the same agents between the same random places, one step of each crowd after the other.
#![allow(clippy::print_stdout)] // It is a program.

mod contest;
mod rvo;
mod table;
mod theirs;
mod walkers;

use clap::Parser;
use contest::{Round, run};
use navscenes::build::{Builder, rect};
use oracle::runtime::pair::Pair;
use oracle::runtime::report::tiles;
use oracle::subject::{self, Subject};
use recast::Settings;
use std::error::Error;

/// Scenes that are walked besides the well-known levels.
const SCENES: [&str; 2] = ["terrain", "boxes"];
/// The name of the ground without walls.
const OPEN: &str = "open";
/// Square metres of it for an agent.
const ROOM: f64 = 10.0;

/// Compares our crowd with DetourCrowd: what a step costs, and how the agents get on
#[derive(Debug, Parser)]
struct Call {
    /// A scene, an OBJ file, or `open` for level ground without walls [default: the well-known levels, terrain, boxes, open]
    level: Option<String>,
    /// Agents; fewer where no more find room
    #[arg(long, default_value_t = 200)]
    agents: usize,
    /// Seconds that are walked
    #[arg(long, default_value_t = 60.0)]
    seconds: f32,
    /// Decides starts and goals
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Call { level, agents, seconds, seed } = Call::parse();
    let subjects = match level {
        Some(name) if name == OPEN => vec![open_ground(agents)],
        Some(name) => vec![match Subject::from_scene(&name) {
            Some(scene) => scene,
            None => Subject::from_file(name.as_ref())?,
        }],
        None => [well_known()?, vec![open_ground(agents)]].concat(),
    };
    println!("{}", table::HEAD);
    for subject in &subjects {
        let mut pair = Pair::new(&tiles(subject, None)?)?;
        let outcomes = run(&mut pair, &Round { agents, seconds, seed, open: subject.name == OPEN })?;
        table::lines(&subject.name, agents, &outcomes).iter().for_each(|line| println!("{line}"));
    }
    Ok(())
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
