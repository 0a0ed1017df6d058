//! Our crowd beside DetourCrowd: the tables of docs/crowds.md.
//!
//! Every level is walked by the same agents between the same random places, one step of each crowd after the other.
#![allow(clippy::print_stdout)] // It is a program.

mod contest;
mod table;
mod theirs;
mod walkers;

use clap::Parser;
use contest::{Round, run};
use oracle::runtime::pair::Pair;
use oracle::runtime::report::tiles;
use oracle::subject::{self, Subject};
use std::error::Error;

/// Scenes that are walked besides the well-known levels.
const SCENES: [&str; 2] = ["terrain", "boxes"];

/// Compares our crowd with DetourCrowd: what a step costs, and how the agents get on
#[derive(Debug, Parser)]
struct Call {
    /// A scene or an OBJ file [default: the well-known levels, terrain and boxes]
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
        Some(name) => vec![match Subject::from_scene(&name) {
            Some(scene) => scene,
            None => Subject::from_file(name.as_ref())?,
        }],
        None => well_known()?,
    };
    println!("{}", table::HEAD);
    for subject in &subjects {
        let mut pair = Pair::new(&tiles(subject, None)?)?;
        let outcomes = run(&mut pair, &Round { agents, seconds, seed })?;
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
