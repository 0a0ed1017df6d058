//! `cargo xtask mutants`: lists the changes of the code that no test notices. cargo-mutants lists the
//! possible changes. Instead of building each, all are woven into one copy of the crate and selected at run
//! time. A mutant thus costs only the tests that reach it, up to the first that fails.

mod build;
mod list;
mod run;
mod weave;

use crate::Outcome;
use clap::builder::PossibleValuesParser;
use list::Mutant;
use run::Verdict;
use std::path::PathBuf;

/// Files that are mutated together, and the tests that judge them.
struct Room {
    name: &'static str,
    package: &'static str,
    folder: &'static str,
    files: &'static [&'static str],
    /// Arguments that select the tests to build.
    tests: &'static [&'static str],
    /// Crates built on the package. Tests that use them are left out.
    without: &'static [&'static str],
}

const ROOMS: [Room; 4] = [
    Room {
        name: "verify",
        package: "navtile",
        folder: "crates/navtile",
        files: &["crates/navtile/src/verify/**"],
        tests: &["--features", "lz4", "--lib", "--test", "it"],
        without: &["recast", "navlevel", "navscenes"],
    },
    Room {
        name: "file",
        package: "navtile",
        folder: "crates/navtile",
        files: &["crates/navtile/src/file/**", "crates/navtile/src/graph/**"],
        tests: &["--features", "lz4", "--lib", "--test", "it"],
        without: &["recast", "navlevel", "navscenes"],
    },
    Room {
        name: "mesh",
        package: "navtile-detour",
        folder: "crates/detour",
        files: &["crates/detour/src/mesh/**"],
        tests: &["--lib", "--test", "it"],
        without: &[],
    },
    Room {
        name: "input",
        package: "navtile-input",
        folder: "crates/navinput",
        files: &["crates/navinput/src/**"],
        tests: &["--lib", "--test", "it"],
        without: &[],
    },
];

#[derive(Debug, clap::Args)]
pub(crate) struct MutantsArgs {
    /// The part of the code; without it all four in turn
    #[arg(value_name = "ROOM", value_parser = PossibleValuesParser::new(ROOMS.map(|room| room.name)))]
    rooms: Vec<String>,
    /// Run every N-th mutant only, starting with the K-th, counted from 0
    #[arg(long, value_name = "K/N", default_value = "0/1", value_parser = shard)]
    shard: [usize; 2],
    /// Run only mutants with one of these in their names, such as `head.rs:80`
    #[arg(long, value_name = "PART")]
    only: Vec<String>,
}

/// Reads `K/N`.
fn shard(text: &str) -> Result<[usize; 2], String> {
    let parts = text.split_once('/').and_then(|(k, n)| Some([k.parse().ok()?, n.parse().ok()?]));
    parts.filter(|[k, n]| k < n).ok_or_else(|| format!("{text} is not K/N with K below N"))
}

/// Runs the mutants of some rooms. Returns true if none was missed.
pub(crate) fn run(call: &MutantsArgs) -> Outcome {
    list::check_tool()?;
    let is_chosen = |room: &&Room| call.rooms.is_empty() || call.rooms.iter().any(|name| name == room.name);
    let mut good = true;
    for room in ROOMS.iter().filter(is_chosen) {
        good &= one(room, call)?;
    }
    Ok(good)
}

/// The folder of the copy and of its build, the same for all rooms.
fn target() -> PathBuf {
    crate::outputs::target().join("mutants")
}

/// Number of mutants by verdict.
#[derive(Debug, Default, PartialEq)]
struct Score {
    caught: usize,
    broke: usize,
    missed: usize,
    refused: usize,
    fixed: usize,
}

impl Score {
    fn add(&mut self, verdict: &Verdict) {
        let count = match verdict {
            Verdict::Refused => &mut self.refused,
            Verdict::Fixed => &mut self.fixed,
            Verdict::Caught(_) => &mut self.caught,
            Verdict::Broke => &mut self.broke,
            Verdict::Missed(_) => &mut self.missed,
        };
        *count += 1;
    }
}

fn one(room: &Room, call: &MutantsArgs) -> Outcome {
    let [first, step] = call.shard;
    let is_asked_for =
        |mutant: &&Mutant| call.only.is_empty() || call.only.iter().any(|part| mutant.name.contains(part));
    let mutants = list::mutants(room.package, room.files)?;
    let built = build::build(room, &mutants)?;
    let tests = run::trace(&built.programs, &built.package)?;
    println!("{}: {} mutants, {} tests", room.name, mutants.len(), tests.len());
    let mut score = Score::default();
    for mutant in mutants.iter().skip(first).step_by(step).filter(is_asked_for) {
        let verdict = if built.woven.contains(&mutant.id) {
            run::verdict(mutant.id, &tests, &built.package)?
        } else if built.refused.contains(&mutant.id) {
            Verdict::Refused
        } else {
            Verdict::Fixed
        };
        report(mutant, &verdict);
        score.add(&verdict);
    }
    let Score { caught, broke, missed, refused, fixed } = score;
    println!(
        "{}: of {} mutants {} were run: {caught} caught, {broke} hung or crashed, {missed} missed; \
        {refused} do not compile, {fixed} cannot be chosen at run time",
        room.name,
        mutants.len(),
        caught + broke + missed
    );
    Ok(missed == 0)
}

fn report(mutant: &Mutant, verdict: &Verdict) {
    let name = &mutant.name;
    match verdict {
        Verdict::Caught(_) => {}
        Verdict::Broke => println!("hung or crashed     {name}"),
        Verdict::Missed(0) => println!("MISSED, no test     {name}"),
        Verdict::Missed(tests) => println!("MISSED, {tests:>3} tests   {name}"),
        Verdict::Refused => println!("does not compile    {name}"),
        Verdict::Fixed => println!("cannot be chosen    {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read() {
        assert_eq!(shard("0/1"), Ok([0, 1]));
        assert_eq!(shard("2/8"), Ok([2, 8]));
        for wrong in ["", "1", "1/1", "3/2", "-1/2", "a/2", "0/0"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn verdicts_are_counted() {
        let mut score = Score::default();
        let caught = Verdict::Caught("a test".into());
        [Verdict::Refused, caught, Verdict::Missed(0), Verdict::Missed(3)]
            .iter()
            .for_each(|verdict| score.add(verdict));
        assert_eq!(score, Score { caught: 1, missed: 2, refused: 1, ..Score::default() });
    }
}
