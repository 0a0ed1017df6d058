//! Files that a newcomer reads as a whole, and the number of lines of code they may have.

use super::line_counts::{LineCounts, lines_of};
use super::{Complaint, RECORD, Rules, Sources};
use crate::Error;
use crate::outputs::root;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Sets of files that are read as a whole, by name.
pub(crate) type Readings = BTreeMap<String, Reading>;

/// Files that are read as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reading {
    /// Largest number of lines of code that they may have together.
    pub(crate) most: i64,
    /// Files, and folders with a slash at their end.
    pub(crate) paths: Vec<String>,
}

impl Reading {
    /// The lines of code among counted files.
    pub(crate) fn lines(&self, files: &BTreeMap<String, LineCounts>) -> i64 {
        files.iter().filter(|(path, _)| self.has(path)).map(|(_, counts)| counts[0]).sum()
    }

    fn has(&self, path: &str) -> bool {
        self.paths.iter().any(|part| is_in(path, part))
    }
}

/// Returns true if a path is this file, or in this folder.
fn is_in(path: &str, part: &str) -> bool {
    path == part || part.ends_with('/') && path.starts_with(part)
}

/// The sets of the record.
pub(crate) fn recorded() -> Result<Readings, Error> {
    let text =
        std::fs::read_to_string(root().join(RECORD)).map_err(|error| format!("reading {RECORD}: {error}"))?;
    Ok(Rules::read(&text)?.reading)
}

/// Complains about sets that have become longer than allowed, and about paths without a file.
pub(super) fn check(readings: &Readings, sources: &Sources, complaints: &mut Vec<Complaint>) {
    for (name, reading) in readings {
        let read = sources.iter().filter(|(path, _)| reading.has(path));
        let files = read.map(|(path, text)| (path.clone(), lines_of(path, text))).collect();
        let (lines, most) = (reading.lines(&files), reading.most);
        if lines > most {
            let what = format!(
                "reading {name} takes {lines} lines of code, at most {most}: make it simpler, or give what can be read \
                 by itself a room of its own"
            );
            complaints.push(Complaint::whole(RECORD, what));
        }
        let is_there = |part: &&String| files.keys().any(|path| is_in(path, part));
        for part in reading.paths.iter().filter(|part| !is_there(part)) {
            complaints.push(Complaint::whole(RECORD, format!("`{part}` of reading {name} is not there")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_may_not_grow() {
        let sources = Sources::from([
            ("a/src/b.rs".to_owned(), "//! B.\nfn f() {}\n".to_owned()),
            ("a/src/b/c.rs".to_owned(), "//! C.\nfn g() {}\n// Why.\nfn h() {}\n".to_owned()),
            ("a/src/b/tests.rs".to_owned(), "//! T.\nfn t() {}\n".to_owned()),
        ]);
        let complaints = |most: i64, paths: [&str; 2]| {
            let reading = Reading { most, paths: paths.map(str::to_owned).to_vec() };
            let mut complaints = Vec::new();
            check(&Readings::from([("b".to_owned(), reading)]), &sources, &mut complaints);
            complaints.into_iter().map(|complaint| complaint.what).collect::<Vec<_>>()
        };
        assert!(complaints(3, ["a/src/b.rs", "a/src/b/"]).is_empty());
        let grown = complaints(2, ["a/src/b.rs", "a/src/b/"]);
        assert!(
            grown.len() == 1 && grown[0].starts_with("reading b takes 3 lines of code, at most 2:"),
            "{grown:?}"
        );
        assert_eq!(complaints(3, ["a/src/b.rs", "a/src/d/"]), ["`a/src/d/` of reading b is not there"]);
    }
}
