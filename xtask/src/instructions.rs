//! `cargo xtask instructions`: compares the instructions of each stage over each scene with
//! benches/instructions.toml. A machine's load does not change them, so even a small loss shows.

use crate::outputs::root;
use crate::{Error, Outcome, callgrind};
use clap::builder::NonEmptyStringValueParser;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const RECORD: &str = "benches/instructions.toml";
/// Limits of a count's rise: a share, and a number for stages so small that memory addresses matter.
const SHARE: f64 = 0.03;
const FEW: u64 = 3_000;
/// Largest difference between runs of the same program, as a share.
const NOISE: f64 = 0.002;

/// Number of runs; the least count is kept, because the seeds of hash tables differ from run to run.
const RUNS: usize = 2;

/// Instructions by `scene/stage`.
type Counts = BTreeMap<String, u64>;

/// The record: counts, the compiler they were taken with, and the reasons why counts were allowed to rise.
#[derive(Clone, Debug, Default, PartialEq)]
struct Record {
    compiler: String,
    counts: Counts,
    reasons: BTreeMap<String, String>,
}

#[derive(Debug, Default, clap::Args)]
pub(crate) struct InstructionsArgs {
    /// Record the counts
    #[arg(long)]
    update: bool,
    /// Why counts may rise
    #[arg(long, value_name = "WHY", requires = "update", value_parser = NonEmptyStringValueParser::new())]
    reason: Option<String>,
}

/// The lane of `ci`. Without valgrind, prints that it is skipped.
pub(crate) fn lane() -> Outcome {
    callgrind::if_there(|| compare(&InstructionsArgs::default()))
}

/// Compares, or records new counts.
pub(crate) fn run(call: &InstructionsArgs) -> Outcome {
    callgrind::or_error(|| compare(call))
}

fn compare(call: &InstructionsArgs) -> Outcome {
    let path = root().join(RECORD);
    let old = match std::fs::read_to_string(&path) {
        Ok(text) => read(&text)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Record::default(),
        Err(error) => return Err(format!("reading {RECORD}: {error}").into()),
    };
    let new = Record { compiler: compiler()?, counts: count()?, reasons: old.reasons.clone() };
    let differences = Differences::of(&old.counts, &new.counts);
    print!("{}", differences.text(&old, &new));
    let allowed = old.counts.is_empty() || differences.raised.is_empty();
    if !call.update {
        return Ok(allowed && !old.counts.is_empty() && differences.names.is_empty());
    }
    let mut new = new;
    match &call.reason {
        Some(reason) => {
            let reasons = differences.raised.iter().map(|name| (name.clone(), reason.clone()));
            new.reasons.extend(reasons);
        }
        None if !allowed => {
            println!("counts have risen: say why with --update --reason WHY");
            return Ok(false);
        }
        None => {}
    }
    new.counts = kept(&old.counts, &new.counts);
    new.reasons.retain(|name, _| new.counts.contains_key(name));
    std::fs::write(&path, write(&new)?).map_err(|error| format!("writing {RECORD}: {error}"))?;
    println!("{RECORD}: written");
    Ok(true)
}

/// The counts to record. Counts that are new, too high, or lower by more than the noise are replaced. The
/// others stay as they were, so that many small steps up cannot add up unnoticed.
fn kept(old: &Counts, new: &Counts) -> Counts {
    let keep = |(name, &to): (&String, &u64)| {
        let count = match old.get(name) {
            Some(&from) if !more(from, to) && to as f64 >= from as f64 * (1.0 - NOISE) => from,
            _ => to,
        };
        (name.clone(), count)
    };
    new.iter().map(keep).collect()
}

/// Returns true if a count has risen by more than the limits.
fn more(from: u64, to: u64) -> bool {
    to > from + FEW && to as f64 > from as f64 * (1.0 + SHARE)
}

/// Differences between counts, by name.
#[derive(Clone, Debug, Default, PartialEq)]
struct Differences {
    /// Counts that rose by more than the limits.
    raised: Vec<String>,
    /// Counts that fell by more than the limits.
    lowered: Vec<String>,
    /// Names that only one of the two records has.
    names: Vec<String>,
}

impl Differences {
    fn of(old: &Counts, new: &Counts) -> Differences {
        let mut differences = Differences::default();
        for (name, &to) in new {
            match old.get(name) {
                None => differences.names.push(name.clone()),
                Some(&from) if more(from, to) => differences.raised.push(name.clone()),
                Some(&from) if more(to, from) => differences.lowered.push(name.clone()),
                Some(_) => {}
            }
        }
        differences.names.extend(old.keys().filter(|name| !new.contains_key(*name)).cloned());
        differences
    }

    fn text(&self, old: &Record, new: &Record) -> String {
        let mut text = String::new();
        let mut tell = |names: &[String], what: &str| {
            for name in names {
                let of = |record: &Record| record.counts.get(name).map_or("none".to_owned(), u64::to_string);
                // Writing to a string does not fail.
                let _ = writeln!(text, "{name}: {what}, {} to {}", of(old), of(new));
            }
        };
        tell(&self.raised, "raised");
        tell(&self.lowered, "lowered");
        if !old.counts.is_empty() {
            tell(&self.names, "in one of the two only");
        }
        let sum = |record: &Record| record.counts.values().sum::<u64>();
        let _ = writeln!(
            text,
            "{} counts, {} instructions before and {} now",
            new.counts.len(),
            sum(old),
            sum(new)
        );
        if !self.raised.is_empty() {
            let _ = writeln!(
                text,
                "more than {:.0} % is too much: cargo xtask instructions --update --reason WHY",
                SHARE * 100.0
            );
        }
        if old.compiler != new.compiler {
            let _ = writeln!(text, "the record is of {}, this is {}", old.compiler, new.compiler);
        }
        text
    }
}

fn compiler() -> Result<String, Error> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
}

/// Counts all scenes [`RUNS`] times, and takes the least of each count.
fn count() -> Result<Counts, Error> {
    let program = callgrind::build("count")?;
    let mut counts = count_once(&program)?;
    for _ in 1..RUNS {
        counts = least(&counts, &count_once(&program)?)?;
    }
    Ok(counts)
}

/// The lower of each pair of counts. Error: the two do not have the same names.
fn least(one: &Counts, other: &Counts) -> Result<Counts, Error> {
    if !one.keys().eq(other.keys()) {
        return Err("two runs of one program counted different stages".into());
    }
    Ok(one.iter().zip(other.values()).map(|((name, a), b)| (name.clone(), *a.min(b))).collect())
}

/// Counts all scenes: one run under valgrind.
fn count_once(program: &Path) -> Result<Counts, Error> {
    let mut counts = Counts::new();
    for (name, count) in callgrind::intervals(program, "count", &[])? {
        *counts.entry(name.replace(' ', "/")).or_default() += count;
    }
    Ok(counts)
}

/// The record as it is written: counts by scene and stage.
#[derive(Deserialize, Serialize)]
struct Written {
    #[serde(default)]
    compiler: String,
    #[serde(flatten)]
    scenes: BTreeMap<String, BTreeMap<String, u64>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    reasons: BTreeMap<String, String>,
}

fn read(text: &str) -> Result<Record, Error> {
    let Written { compiler, scenes, reasons } =
        toml::from_str(text).map_err(|error| format!("{RECORD}: {error}"))?;
    let row = |(scene, stages): (String, BTreeMap<String, u64>)| {
        stages.into_iter().map(move |(stage, count)| (format!("{scene}/{stage}"), count))
    };
    Ok(Record { compiler, counts: scenes.into_iter().flat_map(row).collect(), reasons })
}

fn write(record: &Record) -> Result<String, Error> {
    let Record { compiler, counts, reasons } = record.clone();
    let mut scenes = BTreeMap::<String, BTreeMap<String, u64>>::new();
    for (name, count) in counts {
        let (scene, stage) = name.split_once('/').unwrap_or((&name, "all"));
        scenes.entry(scene.to_owned()).or_default().insert(stage.to_owned(), count);
    }
    let heading = "# Instructions by scene and stage. Written by `cargo xtask instructions --update`; a count that is raised needs\n\
                   # a reason, which stands at the end.\n\n";
    Ok(heading.to_owned() + &toml::to_string(&Written { compiler, scenes, reasons })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(rows: &[(&str, u64)]) -> Counts {
        rows.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
    }

    #[test]
    fn only_what_is_more_than_a_little_counts() {
        let old = counts(&[("a/x", 1_000_000), ("a/y", 1_000_000), ("a/z", 100), ("a/gone", 1)]);
        let new = counts(&[("a/x", 1_031_000), ("a/y", 1_029_000), ("a/z", 2_000), ("a/new", 1)]);
        let found = Differences::of(&old, &new);
        assert_eq!(
            (found.raised, found.names),
            (vec!["a/x".to_owned()], vec!["a/new".to_owned(), "a/gone".to_owned()])
        );
        assert_eq!(Differences::of(&new, &old).lowered, ["a/x"]);
    }

    #[test]
    fn the_least_of_runs_counts() {
        let (one, other) = (counts(&[("a/x", 3), ("a/y", 9)]), counts(&[("a/x", 5), ("a/y", 7)]));
        assert_eq!(least(&one, &other).unwrap(), counts(&[("a/x", 3), ("a/y", 7)]));
        assert!(least(&one, &counts(&[("a/x", 3)])).is_err());
    }

    #[test]
    fn small_steps_up_are_not_kept() {
        let old = counts(&[("a/low", 1_000_000), ("a/same", 1_000_000), ("a/up", 1_000_000), ("a/gone", 1)]);
        let new = counts(&[("a/low", 990_000), ("a/same", 1_020_000), ("a/up", 1_040_000), ("a/new", 5)]);
        let expected =
            counts(&[("a/low", 990_000), ("a/same", 1_000_000), ("a/up", 1_040_000), ("a/new", 5)]);
        assert_eq!(kept(&old, &new), expected);
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let mut record = Record { compiler: "rustc 1.95.0".to_owned(), ..Record::default() };
        record.counts = counts(&[("a/erode", 12), ("a/regions", 7), ("b/erode", 1)]);
        record.reasons.insert("a/erode".to_owned(), "corners are \"exact\" now".to_owned());
        assert_eq!(read(&write(&record).unwrap()).unwrap(), record);
        assert!(read("[a]\nerode = \"many\"").is_err());
        assert!(read("a = 1").is_err());
    }
}
