//! `cargo xtask fuzz`: all fuzz targets in turn, by cargo-fuzz. Their crate is a workspace of its own, as it
//! needs a C++ compiler for libFuzzer and an allocator that counts.

use crate::outputs::{cargo, root, starts};
use crate::{Error, Outcome};
use std::path::Path;
use std::process::Command;

/// Time that the lane of `ci` fuzzes, seconds over all targets.
const LANE_SECONDS: u64 = 120;
/// The options of every run. An input takes at most a second. Findings and new inputs go into folders that
/// git ignores.
const OPTIONS: [&str; 4] = ["-timeout=1", "-rss_limit_mb=2048", "-print_final_stats=1", "-max_len=16384"];

/// The lane of `ci`. Without cargo-fuzz or a C++ compiler, it prints that it is skipped.
pub(crate) fn lane() -> Outcome {
    if let Some(what) = missing() {
        println!("skipped: {what}");
        return Ok(true);
    }
    fuzz(LANE_SECONDS)
}

/// Fuzzes all targets for `seconds` in all.
pub(crate) fn run(seconds: u64) -> Outcome {
    missing().map_or_else(|| fuzz(seconds), |what| Err(what.into()))
}

/// Lists how soon the changes of the target `tile_rules` break exactly one rule, for each rule.
pub(crate) fn rules(seconds: u64) -> Outcome {
    let program = ["run", "--release", "--manifest-path", "fuzz/Cargo.toml", "--example", "rules", "--"];
    Ok(cargo().args(program).arg(seconds.to_string()).status()?.success())
}

/// The remedy if a tool is missing.
fn missing() -> Option<&'static str> {
    let mut tool = cargo();
    tool.arg("fuzz");
    if !starts(tool) {
        return Some("cargo-fuzz is not there: cargo install cargo-fuzz --locked");
    }
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    (!starts(Command::new(compiler)))
        .then_some("there is no C++ compiler for libFuzzer: install one, or set CXX")
}

/// Builds all targets and runs them in turn, each for its share of the time.
fn fuzz(seconds: u64) -> Outcome {
    // The stable compiler can build this without a sanitizer. All code except the allocator's is safe.
    let built = cargo().args(["fuzz", "build", "--sanitizer", "none"]).status()?;
    if !built.success() {
        return Err("the targets do not build".into());
    }
    let list = cargo().args(["fuzz", "list"]).output()?;
    let list = String::from_utf8(list.stdout)?;
    let targets: Vec<&str> = list.split_whitespace().collect();
    if targets.is_empty() {
        return Err("cargo fuzz lists no targets".into());
    }
    let share = (seconds / targets.len() as u64).max(1);
    let (mut total, mut passed) = (0, true);
    for target in targets {
        let (executions, sound) = one(target, share)?;
        println!(
            "{target:<16} {executions:>10} executions  {}",
            if sound { "nothing found" } else { "FAILED" }
        );
        total += executions;
        passed &= sound;
    }
    println!("{total} executions in all");
    Ok(passed)
}

/// Runs one target for `seconds`. Returns the number of executions, and true if none of them failed. If one
/// failed, prints libFuzzer's output.
fn one(target: &str, seconds: u64) -> Result<(u64, bool), Error> {
    let found = Path::new("fuzz/found").join(target);
    std::fs::create_dir_all(root().join(&found))?;
    let corpus = Path::new("fuzz/corpus").join(target);
    let output = cargo()
        .args(["fuzz", "run", "--sanitizer", "none", target])
        // The first folder takes new inputs; the second holds the seeds and is only read.
        .args([&found, &corpus])
        .arg("--")
        .args(OPTIONS)
        .arg(format!("-max_total_time={seconds}"))
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let sound = output.status.success();
    if !sound {
        println!("{text}");
    }
    Ok((executions(&text), sound))
}

/// Number of executions that libFuzzer counted.
fn executions(text: &str) -> u64 {
    let number = |line: &str| line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok();
    text.lines().find_map(number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_are_read_from_the_output() {
        let text = "#8 DONE\nstat::number_of_executed_units: 1234\nstat::average_exec_per_sec:     61\n";
        assert_eq!(executions(text), 1234);
        assert_eq!(executions("nothing of the kind"), 0);
    }
}
