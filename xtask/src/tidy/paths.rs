//! Paths in backticks: documents name files of the repository, and the files must exist.

use super::Complaint;
use super::crates::Sources;

/// Endings of files that a path may name.
const ENDINGS: [&str; 6] = [".rs", ".md", ".toml", ".svg", ".hash", ".py"];

/// Complains about paths in backticks that lead nowhere. A path is relative to the root or to the document's
/// folder, or the end of a path of `texts`, such as `stage/erode.rs`. Code blocks are skipped.
pub(crate) fn check(
    path: &str,
    text: &str,
    texts: &Sources,
    exists: &dyn Fn(&str) -> bool,
    complaints: &mut Vec<Complaint>,
) {
    let mut in_block = false;
    for (index, line) in text.lines().enumerate() {
        in_block ^= line.trim_start().starts_with("```");
        for quoted in line.split('`').skip(1).step_by(2).filter(|_| !in_block) {
            let ends = |known: &&String| known.ends_with(&format!("/{quoted}"));
            if is_path(quoted, texts) && !exists(quoted) && !texts.keys().any(|known| ends(&known)) {
                complaints.push(Complaint::new(path, index + 1, format!("`{quoted}` is not there")));
            }
        }
    }
}

/// Returns true if the text is a path of the repository, without placeholders.
fn is_path(quoted: &str, texts: &Sources) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '/' | '.' | '_' | '-');
    let Some((first, _)) = quoted.split_once('/') else { return quoted.ends_with(".rs") };
    let ours = || texts.keys().any(|path| path.split_once('/').is_some_and(|(folder, _)| folder == first));
    quoted.chars().all(plain) && (ENDINGS.iter().any(|ending| quoted.ends_with(ending)) || ours())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_somewhere() {
        let texts = Sources::from([("crates/a/src/b/c.rs".to_owned(), String::new())]);
        let text = "`crates/a/` `b/c.rs` `c.rs` `crates/NAME` `a/b` `c/`\n```\n`x/y.rs`\n```\n`b/d.rs` `crates/d` `e.rs` `d/c.rs`";
        let mut complaints = Vec::new();
        check("a.md", text, &texts, &|path| path == "crates/a/", &mut complaints);
        let found: Vec<_> = complaints.iter().map(ToString::to_string).collect();
        let missing = |path: &str| format!("a.md:5: `{path}` is not there");
        assert_eq!(found, ["b/d.rs", "crates/d", "e.rs", "d/c.rs"].map(missing));
    }
}
