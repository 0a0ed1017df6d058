//! `cargo xtask tidy`: checks the project's own rules over all files that git knows or would add.

mod circles;
mod crates;
mod dependencies;
mod english;
pub(crate) mod line_counts;
mod paths;
mod phrases;
pub(crate) mod reading;
pub(crate) mod source;
mod text;
mod type_names;

use crate::outputs::{known_files, root};
use crate::{Error, Outcome};
use crates::{Manifest, Sources};
use english::English;
use reading::Readings;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// The file that records exceptions and phrases.
const RECORD: &str = "xtask/tidy.toml";
/// Half of all Rust files are at most this long, lines.
const MEDIAN_LINES: usize = 200;

/// A broken rule, and its place.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Complaint {
    path: String,
    line: usize,
    what: String,
}

impl Complaint {
    fn new(path: &str, line: usize, what: String) -> Complaint {
        Complaint { path: path.to_owned(), line, what }
    }

    /// About a file as a whole.
    fn whole(path: &str, what: String) -> Complaint {
        Complaint::new(path, 1, what)
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// xtask/tidy.toml.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Rules {
    /// Files that may say `unsafe`.
    unsafe_allowed: Vec<String>,
    /// Phrases that no text uses, and the words to use instead.
    phrases: BTreeMap<String, String>,
    /// Constructions that are hardly English, and the number of lines that may hold one.
    english: English,
    /// Number of complaints that are still allowed, by rule and by crate.
    allowed: BTreeMap<String, BTreeMap<String, usize>>,
    /// Files that are read as a whole.
    reading: Readings,
}

impl Rules {
    /// Reads the record.
    fn read(text: &str) -> Result<Rules, Error> {
        toml::from_str(text).map_err(|error| format!("{RECORD}: {error}").into())
    }
}

/// Checks every rule. With `strict`, complaints that are still allowed are shown and counted too.
pub(crate) fn run(strict: bool) -> Outcome {
    let root = root();
    let texts = read(&root, &known_files(&[])?)?;
    let text = texts.get(RECORD).map_or("", String::as_str);
    let mut rules = Rules::read(text)?;
    if strict {
        rules.allowed.clear();
        rules.english.most.clear();
    }
    let mut complaints = check(&root, &texts, &rules)?;
    complaints.sort();
    for complaint in &complaints {
        println!("{complaint}");
    }
    for (kind, count) in english::count(&rules.english, &texts) {
        println!("{:.2} of 1,000 lines of {kind} hold a construction of [english]", count.per_thousand());
    }
    println!("{} files, {} complaints", texts.len(), complaints.len());
    Ok(complaints.is_empty())
}

/// Runs every rule.
fn check(root: &Path, texts: &Sources, rules: &Rules) -> Result<Vec<Complaint>, Error> {
    let mut complaints = Vec::new();
    let [mut said, mut lead] = [Vec::new(), Vec::new()];
    let mut manifests = Vec::new();
    let mut sources = Sources::new();
    let exists = |path: &str| root.join(path).exists();
    for (path, text) in texts {
        text::any(path, text, &mut complaints);
        // The corpus is input for readers and may contain anything.
        if path != RECORD && !path.starts_with("fuzz/corpus/") {
            phrases::check(path, text, &rules.phrases, &mut said);
        }
        // Examples that documentation includes are parts of files.
        if path.contains("/doctests/") {
            continue;
        }
        if path.ends_with(".rs") {
            text::rust(path, text, rules.unsafe_allowed.contains(path), &mut complaints);
            text::figures(path, text, &exists, &mut complaints);
            sources.insert(path.clone(), text.clone());
        } else if path.ends_with(".md") {
            let folder = Path::new(path).parent().unwrap_or(Path::new(""));
            let beside = |target: &str| root.join(plain(&folder.join(target))).exists();
            text::links(path, text, &beside, &mut complaints);
            paths::check(path, text, texts, &|target| exists(target) || beside(target), &mut lead);
        } else if let Some(folder) = path.strip_suffix("Cargo.toml") {
            manifests.push(Manifest::parse(folder.trim_end_matches('/'), text)?);
        }
    }
    for path in rules.unsafe_allowed.iter().filter(|path| !sources.contains_key(*path)) {
        complaints.push(Complaint::whole(RECORD, format!("`{path}` is not there")));
    }
    crates::directions(&manifests, &mut complaints);
    crates::forbid_unsafe(&manifests, &sources, &mut complaints);
    crates::dead_files(&manifests, &sources, &mut complaints);
    let documentation = texts.get("docs/dependencies.md").map_or("", String::as_str);
    dependencies::check(&manifests, &sources, documentation, &mut complaints);
    let [mut named, mut circles] = [Vec::new(), Vec::new()];
    type_names::twice(&manifests, &sources, &mut named);
    circles::check(&manifests, &sources, &mut circles);
    reading::check(&rules.reading, &sources, &mut complaints);
    english::check(&rules.english, texts, &mut complaints);
    for (rule, found) in [("phrases", said), ("paths", lead), ("type_names", named), ("circles", circles)] {
        grant(rule, found, rules, &mut complaints);
    }
    let median = median_lines(&sources);
    if median > MEDIAN_LINES {
        let what = format!("half of all Rust files have more than {median} lines, aim at {MEDIAN_LINES}");
        complaints.push(Complaint::whole("crates", what));
    }
    Ok(complaints)
}

/// Passes on the complaints of a rule, except in crates that are still allowed this number of them.
fn grant(rule: &str, found: Vec<Complaint>, rules: &Rules, complaints: &mut Vec<Complaint>) {
    let mut by_crate: BTreeMap<String, Vec<Complaint>> = BTreeMap::new();
    for complaint in found {
        by_crate.entry(crate_name(&complaint.path).to_owned()).or_default().push(complaint);
    }
    for (name, found) in by_crate {
        let allowed = rules.allowed.get(rule).and_then(|crates| crates.get(&name)).copied().unwrap_or(0);
        if found.len() > allowed {
            complaints.extend(found);
        }
    }
}

/// The crate's folder, under which its files are counted: `recast` of `crates/recast/src/lib.rs`.
pub(crate) fn crate_name(path: &str) -> &str {
    path.split('/').find(|&folder| folder != "crates").unwrap_or(path)
}

fn median_lines(sources: &Sources) -> usize {
    let mut lines: Vec<usize> = sources.values().map(|text| text.lines().count()).collect();
    lines.sort_unstable();
    lines.get(lines.len() / 2).copied().unwrap_or(0)
}

/// The text files among these, by path. Generated lists of versions and pictures are left out.
fn read(root: &Path, files: &[String]) -> Result<Sources, Error> {
    let mut texts = Sources::new();
    for path in files {
        let made = path.ends_with("Cargo.lock") || path.ends_with(".obj") || path.ends_with(".svg");
        let full = root.join(path);
        // A file that git knows may have been deleted.
        if made || !full.is_file() {
            continue;
        }
        let bytes = std::fs::read(&full).map_err(|error| format!("reading {path}: {error}"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            texts.insert(path.clone(), text);
        }
    }
    Ok(texts)
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_names_what_is_allowed() {
        let rules: Rules = toml::from_str("[allowed.phrases]\na = 1").unwrap();
        let complain = |path: &str| Complaint::whole(path, "x".to_owned());
        let count = |found: Vec<Complaint>| {
            let mut complaints = Vec::new();
            grant("phrases", found, &rules, &mut complaints);
            complaints.len()
        };
        assert_eq!(count(vec![complain("crates/a/src/b.rs")]), 0);
        assert_eq!(count(vec![complain("crates/a/src/b.rs"), complain("crates/a/src/c.rs")]), 2);
        assert_eq!(count(vec![complain("crates/b/src/b.rs")]), 1);
        assert!(toml::from_str::<Rules>("functoins = 1").is_err());
    }

    #[test]
    fn links_upwards_are_followed() {
        assert_eq!(plain(Path::new("docs/./x/../../README.md")), Path::new("README.md"));
    }

    #[test]
    fn a_workspace_is_checked_as_a_whole() {
        let texts = Sources::from([
            (
                "a/Cargo.toml".to_owned(),
                "[package]\nname = \"navmath\"\n[dependencies]\nx = \"1\"".to_owned(),
            ),
            ("a/src/lib.rs".to_owned(), "//! A.\nmod b;\n".to_owned()),
            ("a/src/b.rs".to_owned(), "//! B.\n".to_owned() + "fn f() {\n" + &"g();\n".repeat(70) + "}\n"),
            ("docs/dependencies.md".to_owned(), "See [x](../nowhere.md).".to_owned()),
        ]);
        let complaints = check(Path::new("nowhere"), &texts, &Rules::default()).unwrap();
        let mut found: Vec<_> = complaints.iter().map(|complaint| complaint.path.as_str()).collect();
        found.sort_unstable();
        // No reason for x and no use of it, a function of 72 lines, no forbid(unsafe_code), a link that leads
        // nowhere.
        let expected = ["a/Cargo.toml", "a/Cargo.toml", "a/src/b.rs", "a/src/lib.rs", "docs/dependencies.md"];
        assert_eq!(found, expected);
    }

    #[test]
    fn this_repository_is_tidy() {
        assert!(run(false).unwrap());
    }
}
