//! `cargo xtask tidy`: the rules of the house, over all files that git knows or would add.

mod crates;
mod maxima;
pub(crate) mod source;
mod text;

use crate::outputs::root;
use crate::{Error, Outcome};
use crates::{Manifest, Sources};
use maxima::Lengths;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Where exceptions are recorded.
const RECORD: &str = "xtask/tidy.toml";
/// Half of all Rust files are at most this long, lines.
const MEDIAN_LINES: usize = 200;

/// A rule that is broken, and where.
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

/// The recorded exceptions.
#[derive(Debug, Default, PartialEq)]
struct Record {
    unsafe_allowed: Vec<String>,
    functions: Lengths,
}

pub(crate) fn run(update: bool) -> Outcome {
    let root = root();
    let files = tracked(&root)?;
    let texts = read(&root, &files)?;
    let record = parse_record(texts.get(RECORD).map_or("", String::as_str))?;
    let (mut complaints, long) = check(&root, &texts, &record)?;
    if update {
        let lowered = maxima::lowered(&long, &record.functions);
        std::fs::write(root.join(RECORD), record_text(&Record { functions: lowered.clone(), ..record }))?;
        maxima::compare(&long, &lowered, &mut complaints);
    } else {
        maxima::compare(&long, &record.functions, &mut complaints);
    }
    complaints.sort();
    for complaint in &complaints {
        println!("{complaint}");
    }
    println!("{} files, {} complaints", texts.len(), complaints.len());
    Ok(complaints.is_empty())
}

/// Runs every rule but the recorded maxima; with the functions that are longer than the limit.
fn check(root: &Path, texts: &Sources, record: &Record) -> Result<(Vec<Complaint>, Lengths), Error> {
    let mut complaints = Vec::new();
    let mut long = Lengths::new();
    let mut manifests = Vec::new();
    let mut sources = Sources::new();
    let exists = |path: &str| root.join(path).exists();
    for (path, text) in texts {
        text::any(path, text, &mut complaints);
        if path.ends_with(".rs") {
            text::rust(path, text, record.unsafe_allowed.contains(path), &mut complaints);
            text::figures(path, text, &exists, &mut complaints);
            maxima::gather(path, &source::functions(&source::code_only(text)), &mut long);
            sources.insert(path.clone(), text.clone());
        } else if path.ends_with(".md") {
            let folder = Path::new(path).parent().unwrap_or(Path::new(""));
            text::links(
                path,
                text,
                &|target| root.join(plain(&folder.join(target))).exists(),
                &mut complaints,
            );
        } else if let Some(folder) = path.strip_suffix("Cargo.toml") {
            manifests.push(Manifest::parse(folder.trim_end_matches('/'), text)?);
        }
    }
    for path in record.unsafe_allowed.iter().filter(|path| !sources.contains_key(*path)) {
        complaints.push(Complaint::whole(RECORD, format!("`{path}` is not there")));
    }
    crates::directions(&manifests, &mut complaints);
    crates::forbid_unsafe(&manifests, &sources, &mut complaints);
    crates::dead_files(&manifests, &sources, &mut complaints);
    let documentation = texts.get("docs/dependencies.md").map_or("", String::as_str);
    crates::documented(&manifests, documentation, &mut complaints);
    let median = median_lines(&sources);
    if median > MEDIAN_LINES {
        let what = format!("half of all Rust files have more than {median} lines, aim at {MEDIAN_LINES}");
        complaints.push(Complaint::whole("crates", what));
    }
    Ok((complaints, long))
}

fn median_lines(sources: &Sources) -> usize {
    let mut lines: Vec<usize> = sources.values().map(|text| text.lines().count()).collect();
    lines.sort_unstable();
    lines.get(lines.len() / 2).copied().unwrap_or(0)
}

/// Files that git knows, or would add.
fn tracked(root: &Path) -> Result<Vec<String>, Error> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("starting git: {error}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr).trim()).into());
    }
    let names = String::from_utf8(output.stdout)?;
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// The text files among them, by path. Generated lists of versions and pictures are left out.
fn read(root: &Path, files: &[String]) -> Result<Sources, Error> {
    let mut texts = Sources::new();
    for path in files {
        let made = path.ends_with("Cargo.lock") || path.ends_with(".obj") || path.ends_with(".svg");
        let full = root.join(path);
        // A file that git knows may have been removed.
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

fn parse_record(text: &str) -> Result<Record, Error> {
    let table: toml::Table = text.parse().map_err(|error| format!("{RECORD}: {error}"))?;
    let wrong = |what: &str| format!("{RECORD}: {what}");
    let mut record = Record::default();
    for (key, value) in &table {
        match (key.as_str(), value) {
            ("unsafe_allowed", toml::Value::Array(paths)) => {
                for path in paths {
                    let path = path.as_str().ok_or_else(|| wrong("unsafe_allowed is a list of paths"))?;
                    record.unsafe_allowed.push(path.to_owned());
                }
            }
            ("functions", toml::Value::Table(files)) => {
                for (path, functions) in files {
                    let functions =
                        functions.as_table().ok_or_else(|| wrong("functions are given by file"))?;
                    for (name, lines) in functions {
                        let lines = lines.as_integer().and_then(|lines| usize::try_from(lines).ok());
                        let lines = lines.ok_or_else(|| wrong("a function's length is a number of lines"))?;
                        record.functions.entry(path.clone()).or_default().insert(name.clone(), lines);
                    }
                }
            }
            (other, _) => {
                return Err(wrong(&format!("`{other}` is not known here, or of the wrong type")).into());
            }
        }
    }
    Ok(record)
}

fn record_text(record: &Record) -> String {
    let paths: Vec<String> = record.unsafe_allowed.iter().map(|path| format!("    \"{path}\",\n")).collect();
    format!(
        "# Exceptions to the rules that `cargo xtask tidy` checks. They may only become fewer and smaller.\n\n\
         # Files that may say `unsafe`.\nunsafe_allowed = [\n{}]\n\n\
         # Functions of more than {} lines, by file, with their lines.\n{}",
        paths.concat(),
        maxima::MAX_FUNCTION_LINES,
        maxima::to_toml(&record.functions),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_record_survives_writing() {
        let functions = BTreeMap::from([("a.rs".to_owned(), BTreeMap::from([("f".to_owned(), 80)]))]);
        let record = Record { unsafe_allowed: vec!["b.rs".to_owned()], functions };
        assert_eq!(parse_record(&record_text(&record)).unwrap(), record);
        assert_eq!(parse_record("").unwrap(), Record::default());
        assert!(parse_record("functoins = 1").unwrap_err().to_string().contains("functoins"));
        assert!(parse_record("unsafe_allowed = [1]").is_err());
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
        let (complaints, long) = check(Path::new("nowhere"), &texts, &Record::default()).unwrap();
        let mut found: Vec<_> = complaints.iter().map(|complaint| complaint.path.as_str()).collect();
        found.sort_unstable();
        // No reason for x, no forbid(unsafe_code), a link that leads nowhere.
        assert_eq!(found, ["a/Cargo.toml", "a/src/lib.rs", "docs/dependencies.md"]);
        assert_eq!(long["a/src/b.rs"]["f"], 72);
    }

    #[test]
    fn this_repository_is_tidy() {
        assert!(run(false).unwrap());
    }
}
