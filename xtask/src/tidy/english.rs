//! English that native engineers hardly write: xtask/tidy.toml lists the constructions, and the number of
//! lines per 1,000 that may still hold one.

use super::phrases::is_question;
use super::{Complaint, RECORD, Sources};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Files whose comments are read. Prose is that of docs/ and README.md.
const CODE: [&str; 10] = ["rs", "ts", "tsx", "js", "mjs", "cs", "c", "h", "cpp", "hpp"];

/// The table `english` of the record.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct English {
    /// Largest number of lines with a construction among 1,000, by kind of text: `code` and `docs`.
    pub(super) most: BTreeMap<String, f64>,
    constructions: Vec<Construction>,
}

/// A construction, and the way to write without it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Construction {
    name: String,
    say: String,
    /// It begins a sentence, and the sentence does not ask.
    #[serde(default)]
    opens: bool,
    forms: Vec<Form>,
}

/// Words in a row. As text: `|` separates alternatives, `*` is any word in small letters, a last `!` precedes
/// words that may not follow, and a last `,` is a comma, semicolon or stop.
#[derive(Debug, Deserialize)]
#[serde(from = "String")]
struct Form {
    words: Vec<Vec<String>>,
    unless: Vec<String>,
    ends: bool,
}

impl From<String> for Form {
    fn from(text: String) -> Form {
        let alternatives = |words: &str| words.split('|').map(str::to_owned).collect::<Vec<_>>();
        let (text, unless) = match text.split_once(" !") {
            Some((text, unless)) => (text, alternatives(unless)),
            None => (text.as_str(), Vec::new()),
        };
        let (text, ends) = text.strip_suffix(" ,").map_or((text, false), |text| (text, true));
        Form { words: text.split(' ').map(alternatives).collect(), unless, ends }
    }
}

impl Form {
    /// Returns true if these words, which one space separates in `line`, begin with the form.
    fn starts(&self, words: &[&str], line: &str) -> bool {
        let (Some(found), next) = (words.get(..self.words.len()), words.get(self.words.len())) else {
            return false;
        };
        let is_word = |word: &str, wanted: &[String]| {
            let any = word.bytes().all(|byte| byte.is_ascii_lowercase());
            wanted.iter().any(|wanted| wanted == word || any && wanted == "*")
        };
        let joined = |pair: &[&str]| &line[end(pair[0], line)..offset(pair[1], line)] == " ";
        let last = found[found.len() - 1];
        let continues =
            |next: &&&str| joined(&[last, next]) && self.unless.iter().any(|unless| unless == *next);
        found.iter().zip(&self.words).all(|(word, wanted)| is_word(word, wanted))
            && found.windows(2).all(joined)
            && next.filter(continues).is_none()
            && (!self.ends || line[end(last, line)..].starts_with(['.', ',', ';']))
    }
}

impl Construction {
    fn is_in(&self, line: &str, words: &[&str]) -> bool {
        (0..words.len()).any(|at| {
            let start = offset(words[at], line);
            (!self.opens || opens(line, start) && !is_question(&line[start..]))
                && self.forms.iter().any(|form| form.starts(&words[at..], line))
        })
    }
}

/// Lines of one kind of text, and those among them that hold a construction.
#[derive(Default)]
pub(super) struct Count {
    lines: usize,
    found: Vec<Complaint>,
}

impl Count {
    /// Lines with a construction among 1,000.
    pub(super) fn per_thousand(&self) -> f64 {
        1000.0 * self.found.len() as f64 / self.lines.max(1) as f64
    }
}

/// Counts the lines, by kind of text.
pub(super) fn count(english: &English, texts: &Sources) -> BTreeMap<&'static str, Count> {
    let mut counts = BTreeMap::from([("code", Count::default()), ("docs", Count::default())]);
    for (path, text) in texts {
        let Some((kind, lines)) = lines(path, text) else { continue };
        let count = counts.entry(kind).or_default();
        count.lines += lines.len();
        for (number, line) in lines {
            let words: Vec<&str> =
                line.split(|c: char| !is_word_char(c)).filter(|word| !word.is_empty()).collect();
            let found = english.constructions.iter().find(|construction| construction.is_in(line, &words));
            count.found.extend(found.map(|Construction { name, say, .. }| {
                Complaint::new(path, number, format!("{name}: say {say}"))
            }));
        }
    }
    counts
}

/// Complains about each line with a construction in a kind of text that has more of them than allowed.
pub(super) fn check(english: &English, texts: &Sources, complaints: &mut Vec<Complaint>) {
    for (kind, count) in count(english, texts) {
        let (now, most) = (count.per_thousand(), english.most.get(kind).copied().unwrap_or(0.0));
        if now > most {
            let what = format!(
                "{} of {} lines of {kind} hold a construction of [english], {now:.2} per 1,000, at most {most}",
                count.found.len(),
                count.lines
            );
            complaints.push(Complaint::whole(RECORD, what));
            complaints.extend(count.found);
        }
    }
}

/// The kind of a text and its lines of English by number; `None` for files that are not read.
fn lines<'a>(path: &str, text: &'a str) -> Option<(&'static str, Vec<(usize, &'a str)>)> {
    let extension = path.rsplit_once('.')?.1;
    if CODE.contains(&extension) {
        Some(("code", comments(text)))
    } else if extension == "md" && (path == "README.md" || path.starts_with("docs/")) {
        Some(("docs", prose(text)))
    } else {
        None
    }
}

/// Lines that are comments, without what marks them, examples, and lines without a word.
fn comments(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut in_block, mut in_fence) = (Vec::new(), false, false);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let strip = |marks: &[&str]| marks.iter().find_map(|mark| line.strip_prefix(mark));
        let comment = if in_block {
            Some(line.strip_prefix('*').unwrap_or(line))
        } else if let Some(comment) = strip(&["/**", "/*!", "/*"]) {
            in_block = true;
            Some(comment)
        } else {
            strip(&["///", "//!", "//"])
        };
        in_block &= !line.contains("*/");
        let Some(comment) = comment else { continue };
        let comment = comment.strip_prefix(' ').unwrap_or(comment);
        let has_word = comment.as_bytes().windows(3).any(|bytes| bytes.iter().all(u8::is_ascii_alphabetic));
        if comment.starts_with("```") {
            in_fence = !in_fence;
        } else if !in_fence && has_word {
            found.push((index + 1, comment));
        }
    }
    found
}

/// Lines of Markdown without code, pictures and rules of tables.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut in_fence) = (Vec::new(), false);
    for (index, line) in text.lines().enumerate() {
        let prose = line.trim();
        let is_left_out = ["|--", "<!--", "!["].iter().any(|mark| prose.starts_with(mark));
        if prose.starts_with("```") {
            in_fence = !in_fence;
        } else if !in_fence && !prose.is_empty() && !is_left_out && !line.starts_with("    ") {
            found.push((index + 1, prose));
        }
    }
    found
}

/// Returns true if a sentence, or what follows a colon or semicolon, begins at `start`.
fn opens(line: &str, start: usize) -> bool {
    let before = line[..start].trim_end();
    start == 0 || before.len() < start && before.ends_with(['.', ':', ';', '!', '?'])
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The place of a word, which is a part of `line`.
fn offset(word: &str, line: &str) -> usize {
    word.as_ptr() as usize - line.as_ptr() as usize
}

fn end(word: &str, line: &str) -> usize {
    offset(word, line) + word.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::Rules;

    fn english() -> English {
        Rules::read(include_str!("../../tidy.toml")).unwrap().english
    }

    /// The name of the construction in a line; empty without one.
    fn found(line: &str) -> String {
        let texts = Sources::from([("a.rs".to_owned(), format!("// {line}\n"))]);
        let found = count(&english(), &texts).remove("code").unwrap().found.pop();
        found.map_or(String::new(), |complaint| complaint.what.split(':').next().unwrap().to_owned())
    }

    #[test]
    fn constructions_are_found() {
        for (line, name) in [
            ("Where the wall ends.", "bare opening"),
            ("It ends. Whether it holds is open.", "bare opening"),
            ("Two lists: Those of the tile.", "bare opening"),
            ("It stands at the end.", "stand or lie"),
            ("Tiles lie side by side.", "stand or lie"),
            ("The list beside it.", "old adverb"),
            ("The last is the one that counts.", "pronoun and clause"),
            ("It drops those of which both ends are gone.", "pronoun and clause"),
            ("It finds no way.", "way"),
            ("Both ways ways are free.", "way"),
            ("The tile, or zero if there is none.", "none"),
            ("If there is no ground, it ends.", "none"),
            ("The same, the other end.", "verbless sentence"),
            ("A tile. As above, in reverse.", "verbless sentence"),
            ("The floor over which it is.", "preposition and pronoun"),
            ("It goes on to the end.", "go on"),
            ("It is no farther than that.", "go on"),
            ("A wall, be it low.", "old phrase"),
        ] {
            assert_eq!(found(line), name, "{line}");
        }
    }

    #[test]
    fn what_resembles_them_is_not() {
        for line in [
            "Where does it end? There.",
            "Where possible, it ends.",
            "How to end.",
            "It knows where it ends.",
            "Agents stand still, or stand for others.",
            "A way to the goal, and its ways of ending.",
            "There is no ground at the seam.",
            "The same as before. The same way.",
            "Of the walls, which are low.",
            "off which",
            "on; of, which",
            "gone, on",
            "no_way, standstill",
        ] {
            assert_eq!(found(line), "", "{line}");
        }
    }

    #[test]
    fn only_lines_of_english_count() {
        let text = "//! A.\n//! Head of it\n//!\n/// ```\n/// let x = five;\n/// ```\nfn f() {} // Not this\n    // This\n*four = 4;\n";
        assert_eq!(comments(text), [(2, "Head of it"), (8, "This")]);
        let text = "/** One line. */\n/*\n * More lines\n   yes\n */\n*four = 4;\n#include <stdio.h>\n";
        assert_eq!(comments(text), [(1, "One line. */"), (3, "More lines"), (4, "yes")]);
        let text = "# Head\n\n    code\n```\ncode\n```\n|---|\n| row |\n![picture](x)\ntext\n";
        assert_eq!(prose(text), [(1, "# Head"), (8, "| row |"), (10, "text")]);
        let kind = |path: &str| lines(path, "").map(|(kind, _)| kind);
        assert_eq!(
            ["README.md", "docs/a/b.md", "a.mjs"].map(kind),
            [Some("docs"), Some("docs"), Some("code")]
        );
        assert_eq!(["CHANGELOG.md", "a.toml", "LICENSE"].map(kind), [None; 3]);
    }

    #[test]
    fn lines_are_listed_if_there_are_too_many() {
        let text = "//! A file.\n// The end of which.\n// Two\n// Three\n// Four\n";
        let texts = Sources::from([("a.rs".to_owned(), text.to_owned())]);
        let complaints = |most: f64| {
            let mut complaints = Vec::new();
            check(
                &English { most: BTreeMap::from([("code".to_owned(), most)]), ..english() },
                &texts,
                &mut complaints,
            );
            complaints.into_iter().map(|complaint| complaint.to_string()).collect::<Vec<_>>()
        };
        assert!(complaints(200.0).is_empty());
        let found = complaints(199.9);
        assert!(
            found[0].contains("1 of 5 lines of code")
                && found[0].ends_with("200.00 per 1,000, at most 199.9")
        );
        assert!(
            found.len() == 2 && found[1].starts_with("a.rs:2: preposition and pronoun: say "),
            "{found:?}"
        );
    }
}
