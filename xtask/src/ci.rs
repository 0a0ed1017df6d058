//! `cargo xtask ci`: runs the lanes one after the other, and all of them even if some fail.

use crate::outputs::{cargo, root};
use crate::{
    Error, Outcome, assets, bevy, callgrind, capi, far, farm, figures, fuzz, growth, instructions, oracle,
    package, platforms, threads, tidy, walkthrough, web,
};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Instant;

/// The work of a lane.
#[derive(Clone, Copy)]
enum Work {
    /// A cargo command, with a variable of the environment.
    Cargo(&'static [&'static str], Option<(&'static str, &'static str)>),
    /// A cargo command that runs tests; the test counts are read from its output.
    Tests(&'static [&'static str]),
    /// A command of this program.
    Own(fn() -> Outcome),
}

/// A lane: a name and what it does.
#[derive(Clone, Copy)]
pub(crate) struct Lane {
    pub(crate) name: &'static str,
    work: Work,
}

/// The lanes, cheapest first. `golden` runs in release, to check that optimised code gives the same bytes;
/// the tests compare them in debug.
pub(crate) const LANES: [Lane; 23] = [
    Lane { name: "fmt", work: Work::Cargo(&["fmt", "--all", "--check"], None) },
    Lane { name: "tidy", work: Work::Own(|| tidy::run(false)) },
    Lane {
        name: "clippy",
        work: Work::Cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], None),
    },
    Lane { name: "test", work: Work::Tests(&["test", "--workspace"]) },
    Lane {
        name: "doc",
        work: Work::Cargo(&["doc", "--workspace", "--no-deps"], Some(("RUSTDOCFLAGS", "-D warnings"))),
    },
    Lane { name: "assets", work: Work::Own(|| assets::run(true)) },
    Lane { name: "figures", work: Work::Own(|| figures::run(true)) },
    Lane { name: "golden", work: Work::Own(|| in_release(&["golden"])) },
    Lane { name: "scenarios", work: Work::Own(|| in_release(&["scenarios", "--check"])) },
    Lane { name: "threads", work: Work::Own(threads::lane) },
    Lane { name: "growth", work: Work::Own(growth::lane) },
    Lane { name: "platforms", work: Work::Own(platforms::lane) },
    Lane { name: "farm", work: Work::Own(farm::lane) },
    Lane { name: "far", work: Work::Own(far::lane) },
    Lane { name: "capi", work: Work::Own(capi::lane) },
    Lane { name: "bevy", work: Work::Own(bevy::lane) },
    Lane { name: "web", work: Work::Own(web::lane) },
    Lane { name: "instructions", work: Work::Own(instructions::lane) },
    Lane { name: "package", work: Work::Own(package::lane) },
    Lane { name: "readme", work: Work::Own(readme) },
    Lane { name: "getting-started", work: Work::Own(walkthrough::lane) },
    Lane { name: "oracle", work: Work::Own(oracle::lane) },
    Lane { name: "fuzz", work: Work::Own(fuzz::lane) },
];

/// The lane that runs in parallel with the lanes after it. It counts instructions on one core, and a
/// machine's load does not change them.
const BESIDE: &str = "growth";

/// Runs the lanes of these names, or all of them if `names` is empty.
pub(crate) fn run(names: &[String]) -> Outcome {
    let mut results = Vec::new();
    let mut counts = None;
    let mut beside = None;
    for lane in LANES.iter().filter(|lane| names.is_empty() || names.iter().any(|name| name == lane.name)) {
        if lane.name == BESIDE && names.len() != 1 {
            beside = Some(Beside::start(lane.name)?);
            continue;
        }
        println!("\n== {} ==", lane.name);
        let start = Instant::now();
        let outcome = match lane.work {
            Work::Own(run) => run(),
            Work::Cargo(arguments, variable) => run_cargo(arguments, variable),
            Work::Tests(arguments) => tests(arguments).map(|(passed, found)| {
                counts = Some(found);
                passed
            }),
        };
        let passed = outcome.unwrap_or_else(|error| {
            eprintln!("{}: {error}", lane.name);
            false
        });
        results.push((lane.name, passed, start.elapsed().as_secs_f64()));
    }
    results.extend(beside.map(Beside::finish).transpose()?);
    println!("{SUMMARY}");
    for (name, passed, seconds) in &results {
        println!("{name:<15} {} {seconds:>7.1} s", if *passed { "passed" } else { "FAILED" });
    }
    if let Some(TestCounts { passed, failed }) = counts {
        println!("tests: {passed} passed, {failed} failed");
    }
    Ok(results.iter().all(|(_, passed, _)| *passed))
}

/// The heading of the summary, which is printed last.
const SUMMARY: &str = "\n== summary ==";

/// A lane in a process of its own, and its output.
struct Beside {
    name: &'static str,
    printed: thread::JoinHandle<std::io::Result<Output>>,
    start: Instant,
}

impl Beside {
    fn start(name: &'static str) -> Result<Self, Error> {
        println!("\n== {name} ==\nruns in parallel with the next lanes; its output comes after theirs");
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["ci", name]).current_dir(root());
        Ok(Self { name, printed: thread::spawn(move || command.output()), start: Instant::now() })
    }

    /// Waits for the lane and prints all but its summary. Returns its name, true if it passed, and the
    /// seconds until then.
    fn finish(self) -> Result<(&'static str, bool, f64), Error> {
        let output = self.printed.join().map_err(|_| format!("{}: its thread stopped", self.name))??;
        let printed = String::from_utf8_lossy(&output.stdout);
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        println!("{}", printed.split(SUMMARY).next().unwrap_or_default());
        Ok((self.name, output.status.success(), self.start.elapsed().as_secs_f64()))
    }
}

fn run_cargo(arguments: &[&str], variable: Option<(&str, &str)>) -> Outcome {
    println!("cargo {}", arguments.join(" "));
    let status = cargo().args(arguments).envs(variable).status();
    Ok(status.map_err(|error| format!("starting cargo: {error}"))?.success())
}

/// Numbers of tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TestCounts {
    passed: u64,
    failed: u64,
}

impl TestCounts {
    /// Adds the counts of a line like `test result: ok. 3 passed; 0 failed; ..`.
    fn add(&mut self, line: &str) {
        let Some(rest) = line.strip_prefix("test result: ") else { return };
        let number = |what: &str| -> u64 {
            let before = rest.split(what).next().filter(|before| before.len() < rest.len());
            before.and_then(|before| before.split_whitespace().last()?.parse().ok()).unwrap_or(0)
        };
        self.passed += number(" passed");
        self.failed += number(" failed");
    }
}

/// Runs a command of this program in release.
fn in_release(arguments: &[&str]) -> Outcome {
    let program = callgrind::build("xtask")?;
    Ok(Command::new(program).args(arguments).current_dir(root()).status()?.success())
}

/// Runs all tests to their full length; their output passes through and is counted. Without a single test the
/// lane fails.
fn tests(arguments: &[&str]) -> Result<(bool, TestCounts), Error> {
    println!("cargo {}", arguments.join(" "));
    // All crates are run even if one fails, so that the counts are complete.
    let mut child = cargo()
        .args(arguments)
        .arg("--no-fail-fast")
        .env("NAVTILE_LONG", "1")
        .stdout(Stdio::piped())
        .spawn()?;
    let output = child.stdout.take().ok_or("the tests have no output")?;
    let mut counts = TestCounts::default();
    for line in BufReader::new(output).lines() {
        let line = line?;
        counts.add(&line);
        writeln!(std::io::stdout(), "{line}")?;
    }
    let status = child.wait()?;
    Ok((status.success() && counts.passed > 0, counts))
}

/// Runs the commands of the README's first `sh` block, as a newcomer would.
fn readme() -> Outcome {
    let text = std::fs::read_to_string(root().join("README.md"))?;
    let commands = first_block(&text).ok_or("README.md has no block of commands (```sh)")?;
    println!("{commands}");
    let status =
        Command::new("bash").args(["-euo", "pipefail", "-c", commands]).current_dir(root()).status()?;
    Ok(status.success())
}

fn first_block(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("```sh\n")?;
    Some(rest.split_once("```")?.0.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_from_the_output() {
        let mut counts = TestCounts::default();
        counts.add("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; in 0.1s");
        counts.add("test result: FAILED. 3 passed; 2 failed; 0 ignored");
        counts.add("test a::b ... ok");
        assert_eq!(counts, TestCounts { passed: 15, failed: 2 });
    }

    #[test]
    fn the_first_block_of_commands_is_found() {
        assert_eq!(first_block("x\n```sh\na\nb\n```\n```sh\nc\n```"), Some("a\nb"));
        assert_eq!(first_block("none"), None);
    }
}
