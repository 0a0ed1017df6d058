//! The arguments of `navtile crowd`.

use crate::ask::FilterArgs;
use crate::values;
use clap::Args;
use std::path::PathBuf;

/// The most agents that a call takes.
const MOST_AGENTS: usize = 1_000_000;

/// Options that a scenario has in its file.
const OF_RANDOM_WALKS: [&str; 8] = ["agents", "seconds", "seed", "radius", "speed", "rate", "cost", "avoid"];

#[derive(Debug, Args)]
pub(crate) struct CrowdArgs {
    /// The .navtile file.
    pub(super) file: PathBuf,
    /// Run a scenario: who starts where and goes where, doors and tiles that change, and bounds to check.
    #[arg(short = 'c', long = "config", value_name = "CROWD.toml", conflicts_with_all = OF_RANDOM_WALKS)]
    pub(super) scenario: Option<PathBuf>,
    /// Check the bounds of the scenario's `[check]`: exit status 1 if one is broken, instead of if not all arrived.
    #[arg(long, requires = "scenario")]
    pub(super) check: bool,
    /// Number of agents: each starts at a random place, none in another, and goes to a random place that it can reach.
    #[arg(long, value_name = "COUNT", default_value = "100", value_parser = agent_count)]
    pub(super) agents: usize,
    /// How long they have, seconds of their world; it ends sooner if all have arrived.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(super) seconds: f64,
    /// Where the random places come from: the same seed gives the same run.
    #[arg(long, value_name = "SEED", default_value = "1")]
    pub(super) seed: u64,
    /// Threads to step on; the run is the same for any number. One per core if not given.
    #[arg(long, value_name = "COUNT", value_parser = values::thread_count)]
    pub(super) threads: Option<usize>,
    /// Radius of an agent, metres. That which the mesh was baked for if not given.
    #[arg(long, value_name = "METRES", value_parser = radius)]
    pub(super) radius: Option<f32>,
    /// Speed of an agent, metres per second.
    #[arg(long, value_name = "M/S", default_value = "2", value_parser = speed)]
    pub(super) speed: f32,
    /// Steps per second.
    #[arg(long, value_name = "STEPS", default_value = "60", value_parser = rate)]
    pub(super) rate: f32,
    #[command(flatten)]
    pub(super) filter: FilterArgs,
    /// Draw the ways of all agents, and how crowded it was, into a picture.
    #[arg(long, value_name = "OUT.svg|OUT.png")]
    pub(super) picture: Option<PathBuf>,
    /// Record where all were, ten times a second or so, into a file that --play reads.
    #[arg(long, value_name = "OUT.navcrowd")]
    pub(super) record: Option<PathBuf>,
    /// Steps from frame to frame of a recording.
    #[arg(long, value_name = "STEPS", default_value = "6", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) record_every: u32,
    /// Show a recording instead of running a crowd; with --picture, draw all as they were at a time.
    #[arg(long, value_name = "FILE.navcrowd", conflicts_with_all = OF_RANDOM_WALKS, conflicts_with_all = ["scenario", "check", "record", "record_every", "threads"])]
    pub(super) play: Option<PathBuf>,
    /// The time that is drawn of a recording, seconds; its end if not given.
    #[arg(long, value_name = "SECONDS", requires = "play", value_parser = seconds)]
    pub(super) at: Option<f64>,
    /// Answer as one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

fn agent_count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=MOST_AGENTS).contains(count));
    count.ok_or(format!("expected 1 to {MOST_AGENTS} agents"))
}

/// A number within bounds.
fn within(text: &str, (least, most): (f64, f64)) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or(format!("found `{text}`, expected a number from {least} to {most}"))
}

fn seconds(text: &str) -> Result<f64, String> {
    within(text, (0.0, 100_000.0))
}

fn radius(text: &str) -> Result<f32, String> {
    Ok(within(text, (0.0, 100.0))? as f32)
}

fn speed(text: &str) -> Result<f32, String> {
    Ok(within(text, (0.001, 100.0))? as f32)
}

fn rate(text: &str) -> Result<f32, String> {
    Ok(within(text, (1.0, 1000.0))? as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_within_bounds() {
        assert_eq!(agent_count("5"), Ok(5));
        assert!(agent_count("0").is_err() && agent_count("-1").is_err() && agent_count("1000001").is_err());
        assert!(seconds("nan").is_err() && speed("0").is_err() && rate("inf").is_err());
        assert_eq!(radius("0.25"), Ok(0.25));
    }
}
