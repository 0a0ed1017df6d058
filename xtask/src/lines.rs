//! `cargo xtask lines`: lines of code, documentation, comments and tests per crate, now and at another
//! revision. Also counts the code that a newcomer reads as a whole.

use crate::outputs::git;
use crate::tidy::crate_name;
use crate::tidy::line_counts::{KINDS, LineCounts, lines_of};
use crate::tidy::reading::{Readings, recorded};
use crate::{Error, Outcome};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The rule by which lines are counted.
pub(crate) const RULE: &str = "\
Counts lines that are not blank, in Rust files that git knows or would add.
  test     in items under #[cfg(test)], in files *tests.rs and testing.rs, in folders tests/
  doc      /// and //!, and examples that documentation includes, in folders doctests/
  comment  other lines that are only a comment
  code     all other lines, examples and benches included
`product` is the code of everything but crates/oracle; `reading` that of what a newcomer reads as a whole, which
xtask/tidy.toml names.";
/// The crates whose code does not belong to the product.
const MEASURING: [&str; 1] = ["oracle"];

/// Lines by file.
type CountedFiles = BTreeMap<String, LineCounts>;
/// Lines by crate.
type Crates = BTreeMap<String, LineCounts>;

#[derive(Debug, clap::Args)]
pub(crate) struct LinesArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Count a commit too, and show the change since
    #[arg(long, value_name = "REVISION")]
    against: Option<String>,
}

pub(crate) fn run(call: &LinesArgs) -> Outcome {
    let readings = recorded()?;
    let now = count(None)?;
    let before = call.against.as_deref().map(|revision| count(Some(revision))).transpose()?;
    match call.json {
        true => println!("{}", json(&now, before.as_ref(), &readings)),
        false => println!("{}", table(&now, before.as_ref(), &readings)),
    }
    Ok(true)
}

/// Counts the working tree, or a revision.
fn count(revision: Option<&str>) -> Result<CountedFiles, Error> {
    let which = revision.unwrap_or("--untracked");
    let lines = git(&["grep", "-z", "-I", "--no-color", "-e", "", which, "--", "*.rs"])?;
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    for (path, line) in lines.lines().filter_map(|line| line.split_once('\0')) {
        let path = revision.map_or(path, |revision| path[revision.len()..].trim_start_matches(':'));
        files.entry(path).or_default().extend([line, "\n"]);
    }
    Ok(files.into_iter().map(|(path, text)| (path.to_owned(), lines_of(path, &text))).collect())
}

/// The lines of all files by their crate.
fn by_crate(files: &CountedFiles) -> Crates {
    let mut crates = Crates::new();
    for (path, counted) in files {
        let counts = crates.entry(crate_name(path).to_owned()).or_default();
        for (sum, lines) in counts.iter_mut().zip(counted) {
            *sum += lines;
        }
    }
    crates
}

/// The code of everything except the crates that only measure.
fn product(crates: &Crates) -> i64 {
    crates.iter().filter(|(name, _)| !MEASURING.contains(&name.as_str())).map(|(_, counts)| counts[0]).sum()
}

/// The crates, and their sum as `all`.
fn rows(crates: &Crates) -> Vec<(&str, LineCounts)> {
    let mut rows: Vec<_> = crates.iter().map(|(name, counts)| (name.as_str(), *counts)).collect();
    rows.push(("all", std::array::from_fn(|kind| crates.values().map(|counts| counts[kind]).sum())));
    rows
}

fn table(now: &CountedFiles, before: Option<&CountedFiles>, readings: &Readings) -> String {
    let mut text = format!("{:<12}{}\n", "", KINDS.map(|kind| format!("{kind:>9}")).concat());
    let (all, all_before) = (by_crate(now), before.map(by_crate));
    let old: BTreeMap<&str, LineCounts> =
        all_before.as_ref().map(rows).unwrap_or_default().into_iter().collect();
    for (name, counts) in rows(&all) {
        let change = match (before, old.get(name)) {
            (None, _) => String::new(),
            (_, old) => format!("  code {:+}", counts[0] - old.map_or(0, |old| old[0])),
        };
        text += &format!("{name:<12}{}{change}\n", counts.map(|lines| format!("{lines:>9}")).concat());
    }
    for (name, old) in old.iter().filter(|(name, _)| **name != "all" && !all.contains_key(**name)) {
        text += &format!("{name:<12} is gone  code {:+}\n", -old[0]);
    }
    let counted = |count: &dyn Fn(&CountedFiles) -> i64| {
        let change = before.map(|before| format!(", {:+}", count(now) - count(before)));
        format!("{}{}", count(now), change.unwrap_or_default())
    };
    text += &format!("product {}", counted(&|files| product(&by_crate(files))));
    for (name, reading) in readings {
        let lines = counted(&|files| reading.lines(files));
        text += &format!("\nreading {name}: {lines} (at most {})", reading.most);
    }
    text
}

fn json(now: &CountedFiles, before: Option<&CountedFiles>, readings: &Readings) -> Value {
    let object = |files: &CountedFiles| {
        let crates = by_crate(files);
        let kinds = |counts| std::iter::zip(KINDS, counts).collect::<BTreeMap<&str, i64>>();
        let rows: BTreeMap<_, _> =
            rows(&crates).into_iter().map(|(name, counts)| (name, kinds(counts))).collect();
        let read: BTreeMap<_, _> =
            readings.iter().map(|(name, reading)| (name, reading.lines(files))).collect();
        json!({ "product": product(&crates), "crates": rows, "reading": read })
    };
    json!({ "now": object(now), "before": before.map(object) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::reading::Reading;

    fn files(list: &[(&str, LineCounts)]) -> CountedFiles {
        list.iter().map(|&(path, counts)| (path.to_owned(), counts)).collect()
    }

    #[test]
    fn the_oracle_is_no_product() {
        let now = files(&[("crates/a/src/lib.rs", [5, 1, 1, 1]), ("crates/oracle/src/lib.rs", [7, 0, 0, 0])]);
        assert_eq!(product(&by_crate(&now)), 5);
        let old = files(&[("crates/b/src/lib.rs", [9, 0, 0, 0])]);
        let text = table(&now, Some(&old), &Readings::new());
        assert!(text.ends_with("product 5, -4") && text.contains("b            is gone  code -9"), "{text}");
        assert_eq!(json(&old, None, &Readings::new())["now"]["product"], 9);
    }

    #[test]
    fn what_is_read_as_a_whole_is_counted() {
        let now =
            files(&[("a/src/b.rs", [5, 1, 1, 1]), ("a/src/b/c.rs", [7, 0, 0, 9]), ("a/src/d.rs", [9; 4])]);
        let reading = Reading { most: 20, paths: vec!["a/src/b.rs".to_owned(), "a/src/b/".to_owned()] };
        let readings = Readings::from([("b".to_owned(), reading)]);
        assert!(table(&now, None, &readings).ends_with("\nreading b: 12 (at most 20)"));
        let old = files(&[("a/src/b.rs", [15, 0, 0, 0])]);
        assert!(table(&now, Some(&old), &readings).ends_with("\nreading b: 12, -3 (at most 20)"));
        assert_eq!(json(&now, None, &readings)["now"]["reading"]["b"], 12);
    }
}
