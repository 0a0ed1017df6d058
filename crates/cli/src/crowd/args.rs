//! The arguments of `navtile crowd`.

use crate::ask::FilterArgs;
use crate::values;
use clap::Args;
use std::path::PathBuf;

/// Maximum number of agents of a call.
const MOST_AGENTS: usize = 1_000_000;

/// Options that a scenario gives in its file.
const OF_RANDOM_WALKS: [&str; 8] = ["agents", "seconds", "seed", "radius", "speed", "rate", "cost", "avoid"];

#[derive(Debug, Args)]
pub(crate) struct CrowdArgs {
    /// The .navtile file.
    pub(super) file: PathBuf,
    /// Run a scenario: starts and targets of agents, doors and tiles that change, and bounds to check.
    #[arg(short = 'c', long = "config", value_name = "CROWD.toml", conflicts_with_all = OF_RANDOM_WALKS)]
    pub(super) scenario: Option<PathBuf>,
    /// Check the bounds of the scenario's `[check]`: exit status 1 if a bound is broken. Agents that did not
    /// arrive do not count then.
    #[arg(long, requires = "scenario")]
    pub(super) check: bool,
    /// Number of agents. Each starts at a random place without overlapping another, and walks to a random
    /// place that it can reach.
    #[arg(long, value_name = "COUNT", default_value = "100", value_parser = agent_count)]
    pub(super) agents: usize,
    /// Time limit, seconds of simulated time; the run ends earlier if all have arrived.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(super) seconds: f64,
    /// Seed of the random places: the same seed gives the same run.
    #[arg(long, value_name = "SEED", default_value = "1")]
    pub(super) seed: u64,
    /// Threads to step on; the run is the same for any number [default: one per core].
    #[arg(long, value_name = "COUNT", value_parser = values::thread_count)]
    pub(super) threads: Option<usize>,
    /// Radius of an agent, metres [default: that of the mesh].
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
    /// Draw the paths of all agents, and their density, into a picture.
    #[arg(long, value_name = "OUT.svg|OUT.png")]
    pub(super) picture: Option<PathBuf>,
    /// Record the positions of all agents, about ten times a second, into a file for --play.
    #[arg(long, value_name = "OUT.navcrowd")]
    pub(super) record: Option<PathBuf>,
    /// Number of steps between frames of a recording.
    #[arg(long, value_name = "STEPS", default_value = "6", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) record_every: u32,
    /// Show a recording instead of running a crowd; with --picture, draw all agents at one time.
    #[arg(long, value_name = "FILE.navcrowd", conflicts_with_all = OF_RANDOM_WALKS, conflicts_with_all = ["scenario", "check", "record", "record_every", "threads"])]
    pub(super) play: Option<PathBuf>,
    /// The time of a recording to draw, seconds [default: its end].
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
