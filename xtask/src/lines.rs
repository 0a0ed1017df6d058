//! `cargo xtask lines`: lines of code, documentation, comments and tests per crate, now and at another revision.

use crate::outputs::git;
use crate::tidy::crate_name;
use crate::tidy::source::{code_only, is_test_file, test_items};
use crate::{Error, Outcome};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How lines are counted.
pub(crate) const RULE: &str = "\
LineCounts lines that are not blank, in Rust files that git knows or would add.
  test     in items under #[cfg(test)], in files *tests.rs and testing.rs, in folders tests/
  doc      /// and //!, and examples that documentation includes, in folders doctests/
  comment  other lines that are only a comment
  code     all other lines, examples and benches included
`product` is the code of everything but crates/oracle.";
/// The crates whose code is no part of the product.
const MEASURING: [&str; 1] = ["oracle"];
const KINDS: [&str; 4] = ["code", "doc", "comment", "test"];

/// Lines of each of [`KINDS`].
type LineCounts = [i64; KINDS.len()];
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
    let now = count(None)?;
    let before = call.against.as_deref().map(|revision| count(Some(revision))).transpose()?;
    match call.json {
        true => println!("{}", json(&now, before.as_ref())),
        false => println!("{}", table(&now, before.as_ref())),
    }
    Ok(true)
}

/// LineCounts the working tree, or a revision.
fn count(revision: Option<&str>) -> Result<Crates, Error> {
    let which = revision.unwrap_or("--untracked");
    let lines = git(&["grep", "-z", "-I", "--no-color", "-e", "", which, "--", "*.rs"])?;
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    for (path, line) in lines.lines().filter_map(|line| line.split_once('\0')) {
        let path = revision.map_or(path, |revision| path[revision.len()..].trim_start_matches(':'));
        files.entry(path).or_default().extend([line, "\n"]);
    }
    let mut crates = Crates::new();
    for (path, text) in files {
        let counts = crates.entry(crate_name(path).to_owned()).or_default();
        for (sum, lines) in counts.iter_mut().zip(lines_of(path, &text)) {
            *sum += lines;
        }
    }
    Ok(crates)
}

/// Lines of a file.
fn lines_of(path: &str, text: &str) -> LineCounts {
    let all_tests = is_test_file(path);
    let code = code_only(text);
    let tests = test_items(&code);
    let mut counts = LineCounts::default();
    let mut at = 0;
    for (line, code) in text.lines().zip(code.lines()) {
        let line_end = at + line.len();
        let trimmed = line.trim_start();
        let kind = if path.contains("/doctests/") {
            1
        } else if all_tests || tests.iter().any(|item| at < item.end && item.start < line_end) {
            3
        } else if !code.trim().is_empty() || !trimmed.starts_with("//") {
            0
        } else if trimmed.starts_with("///") || trimmed.starts_with("//!") {
            1
        } else {
            2
        };
        counts[kind] += i64::from(!trimmed.is_empty());
        at = line_end + 1;
    }
    counts
}

/// The code of everything that is not there to measure.
fn product(crates: &Crates) -> i64 {
    crates.iter().filter(|(name, _)| !MEASURING.contains(&name.as_str())).map(|(_, counts)| counts[0]).sum()
}

/// The crates, their sum as `all`.
fn rows(crates: &Crates) -> Vec<(&str, LineCounts)> {
    let mut rows: Vec<_> = crates.iter().map(|(name, counts)| (name.as_str(), *counts)).collect();
    rows.push(("all", std::array::from_fn(|kind| crates.values().map(|counts| counts[kind]).sum())));
    rows
}

fn table(now: &Crates, before: Option<&Crates>) -> String {
    let mut text = format!("{:<12}{}\n", "", KINDS.map(|kind| format!("{kind:>9}")).concat());
    let old: BTreeMap<&str, LineCounts> = before.map(rows).unwrap_or_default().into_iter().collect();
    for (name, counts) in rows(now) {
        let change = match (before, old.get(name)) {
            (None, _) => String::new(),
            (_, old) => format!("  code {:+}", counts[0] - old.map_or(0, |old| old[0])),
        };
        text += &format!("{name:<12}{}{change}\n", counts.map(|lines| format!("{lines:>9}")).concat());
    }
    for (name, old) in old.iter().filter(|(name, _)| **name != "all" && !now.contains_key(**name)) {
        text += &format!("{name:<12} is gone  code {:+}\n", -old[0]);
    }
    text += &format!("product {}", product(now));
    before.map(product).map_or(text.clone(), |old| format!("{text}, {:+}", product(now) - old))
}

fn json(now: &Crates, before: Option<&Crates>) -> Value {
    let object = |crates: &Crates| {
        let kinds = |counts| std::iter::zip(KINDS, counts).collect::<BTreeMap<&str, i64>>();
        let rows = rows(crates).into_iter().map(|(name, counts)| (name, kinds(counts)));
        json!({ "product": product(crates), "crates": rows.collect::<BTreeMap<_, _>>() })
    };
    json!({ "now": object(now), "before": before.map(object) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_a_kind() {
        let text = "//! A.\n\nuse x;\n/// F.\nfn f() {\n    // Why.\n    \"a\n  b\"; // c\n}\n#[cfg(test)]\n\
                    mod tests {\n    // T.\n    fn t() {}\n}\nfn g() {}\n";
        assert_eq!(lines_of("crates/a/src/a.rs", text), [6, 2, 1, 5]);
        assert_eq!(lines_of("crates/a/src/a.rs", "#[cfg(test)]\nmod tests;\nmod b;\n"), [1, 0, 0, 2]);
        for path in ["a/tests/b.rs", "tests/a.rs", "a/b/tests.rs", "a/map_tests.rs", "a/testing.rs"] {
            assert_eq!(lines_of(path, text), [0, 0, 0, 14], "{path}");
        }
    }

    #[test]
    fn the_oracle_is_no_product() {
        let crates = Crates::from([("a".to_owned(), [5, 1, 1, 1]), ("oracle".to_owned(), [7, 0, 0, 0])]);
        assert_eq!(product(&crates), 5);
        let old = Crates::from([("b".to_owned(), [9, 0, 0, 0])]);
        let text = table(&crates, Some(&old));
        assert!(text.ends_with("product 5, -4") && text.contains("b            is gone  code -9"), "{text}");
        assert_eq!(json(&old, None)["now"]["product"], 9);
    }
}
