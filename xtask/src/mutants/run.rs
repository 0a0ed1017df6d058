//! Runs tests, and finds the mutants that each of them reaches and catches.

use crate::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Tests that take less time than this run first, together.
const LONG: Duration = Duration::from_millis(30);
/// Memory of a test, KiB.
const MEMORY: u32 = 8 << 20;

/// A test and the mutants that it reaches.
pub(super) struct Test {
    program: PathBuf,
    pub(super) name: String,
    takes: Duration,
    reaches: BTreeSet<u32>,
}

/// Verdict on a mutant.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    /// A test failed.
    Caught(String),
    /// A test or its program did not finish.
    Broke,
    /// This many tests run through it, and all passed.
    Missed(usize),
    /// It does not compile.
    Refused,
    /// It cannot be selected at run time: the compiler evaluates it, it is chained to a `let`, or it has
    /// another opaque type.
    Fixed,
}

/// Result of running tests of one program.
enum Run {
    Passed,
    Failed(String),
    Broke,
}

/// Runs each test alone. Returns its duration, and the mutants that it reaches. Tests that fail without a
/// mutant are an error.
pub(super) fn trace(programs: &[PathBuf], folder: &Path) -> Result<Vec<Test>, Error> {
    let mut tests = Vec::new();
    let trace = folder.join("reached.txt");
    for program in programs {
        let output = Command::new(program).args(["--list", "--format", "terse"]).output()?;
        let list = String::from_utf8(output.stdout)?;
        for name in list.lines().filter_map(|line| line.strip_suffix(": test")) {
            let _ = fs::remove_file(&trace);
            let limit = Duration::from_secs(600);
            let start = Instant::now();
            let run = tests_of(program, &[name], folder, ("trace", &trace), limit)?;
            if let Run::Failed(_) | Run::Broke = run {
                // Tests that count allocations also count the trace's.
                match tests_of(program, &[name], folder, ("none", &trace), limit)? {
                    Run::Passed => {}
                    _ => return Err(format!("{name} fails without a mutant").into()),
                }
            }
            let takes = start.elapsed();
            let reached = fs::read_to_string(&trace).unwrap_or_default();
            let reaches = reached.lines().filter_map(|line| line.parse().ok()).collect();
            tests.push(Test { program: program.clone(), name: name.into(), takes, reaches });
        }
    }
    tests.sort_by_key(|test| test.takes);
    Ok(tests)
}

/// Runs the tests that reach a mutant, the quick ones first, until one fails.
pub(super) fn verdict(mutant: u32, tests: &[Test], folder: &Path) -> Result<Verdict, Error> {
    let reaching: Vec<&Test> = tests.iter().filter(|test| test.reaches.contains(&mutant)).collect();
    let mut groups: BTreeMap<(u32, &Path), Vec<&Test>> = BTreeMap::new();
    for test in &reaching {
        groups.entry((doublings(test.takes), &test.program)).or_default().push(test);
    }
    for ((_, program), group) in groups {
        let names: Vec<&str> = group.iter().map(|test| test.name.as_str()).collect();
        let limit = group.iter().map(|test| test.takes).sum::<Duration>() * 10 + Duration::from_secs(10);
        let mutant = mutant.to_string();
        match tests_of(program, &names, folder, (&mutant, Path::new("")), limit)? {
            Run::Passed => {}
            Run::Failed(name) => return Ok(Verdict::Caught(name)),
            Run::Broke => return Ok(Verdict::Broke),
        }
    }
    Ok(Verdict::Missed(reaching.len()))
}

/// Number of times that [`LONG`] must be doubled to exceed a time. A program runs its tests in the order of
/// their names, so only tests of similar duration may share a run.
fn doublings(takes: Duration) -> u32 {
    (takes.as_nanos() / LONG.as_nanos()).checked_ilog2().map_or(0, |log| log + 1)
}

/// Runs some tests of a program with a mutant, until one fails or time is up.
fn tests_of(
    program: &Path,
    names: &[&str],
    folder: &Path,
    (mutant, trace): (&str, &Path),
    limit: Duration,
) -> Result<Run, Error> {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(program);
    command.args(names).args(["--exact", "--test-threads=1"]).current_dir(folder);
    command.env("MUTANT", mutant).env("MUTANT_TRACE", trace);
    // A failure is enough, so proptest does not look for the smallest case that fails.
    command.env("PROPTEST_MAX_SHRINK_ITERS", "0").env("PROPTEST_RNG_SEED", "1");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let output = child.stdout.take().ok_or("no output")?;
    let (sender, lines) = channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let end = Instant::now() + limit;
    let run = loop {
        match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                let name = line.strip_prefix("test ").and_then(|line| line.strip_suffix(" ... FAILED"));
                if let Some(name) = name {
                    break Run::Failed(name.into());
                }
            }
            Err(RecvTimeoutError::Timeout) => break Run::Broke,
            Err(RecvTimeoutError::Disconnected) if child.wait()?.success() => break Run::Passed,
            Err(RecvTimeoutError::Disconnected) => break Run::Broke,
        }
    };
    let _ = child.kill();
    child.wait()?;
    drop(lines);
    let _ = reader.join();
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_take_about_as_long_share_a_run() {
        let of = |millis| doublings(Duration::from_millis(millis));
        assert_eq!([0, 29, 30, 59, 60, 119, 120].map(of), [0, 0, 1, 1, 2, 2, 3]);
    }
}
