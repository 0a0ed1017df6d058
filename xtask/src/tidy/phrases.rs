//! Phrases that no text here uses: xtask/tidy.toml lists them with their replacements.

use super::Complaint;
use std::collections::BTreeMap;

/// Phrases in small letters are searched for in any case and anywhere, also across line ends. A phrase that
/// begins with a capital is the start of a sentence: it is searched for in Rust only, and a question may
/// begin with it.
pub(crate) fn check(
    path: &str,
    text: &str,
    phrases: &BTreeMap<String, String>,
    complaints: &mut Vec<Complaint>,
) {
    let words = words(text);
    for (phrase, instead) in phrases {
        let opening = phrase.starts_with(char::is_uppercase);
        if opening && !path.ends_with(".rs") {
            continue;
        }
        let wanted: Vec<&str> = phrase.split(' ').collect();
        let same = |found: &str, wanted: &str| match opening {
            true => found == wanted,
            false => found.eq_ignore_ascii_case(wanted),
        };
        for found in words.windows(wanted.len()) {
            let start = found[0].0;
            let whole = found.iter().zip(&wanted).all(|(&(_, word), wanted)| same(word, wanted))
                && found.windows(2).all(|pair| joined(&text[pair[0].0 + pair[0].1.len()..pair[1].0]));
            if whole && !(opening && is_question(&text[start..])) {
                let line = text[..start].matches('\n').count() + 1;
                complaints.push(Complaint::new(path, line, format!("`{phrase}`: say {instead}")));
            }
        }
    }
}

/// The words of a text with their offsets; an underscore separates words.
fn words(text: &str) -> Vec<(usize, &str)> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word)).collect()
}

/// Returns true if two words with this text between them belong to one phrase.
fn joined(between: &str) -> bool {
    between.chars().all(|c| c.is_whitespace() || matches!(c, '/' | '!' | '_' | '*'))
}

/// Returns true if the sentence that a text begins with asks.
pub(super) fn is_question(text: &str) -> bool {
    text.find(['?', '.', ';']).is_some_and(|end| text[end..].starts_with('?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<usize> {
        let phrases = ["near by", "whom", "Which of"].map(|phrase| (phrase.to_owned(), "better".to_owned()));
        let mut complaints = Vec::new();
        check(path, text, &BTreeMap::from(phrases), &mut complaints);
        complaints.iter().map(|complaint| complaint.line).collect()
    }

    #[test]
    fn phrases_are_found_whole_in_any_case_and_over_line_ends() {
        assert_eq!(found("a.md", "Near by it is.\nTo whom? nearby, near, by, whomever"), [1, 2]);
        assert_eq!(
            found("a.rs", "fn f() {\n    // It is near\n    // by.\n    near_by(\"whom\");\n}"),
            [2, 4, 4]
        );
    }

    #[test]
    fn openings_are_found_in_rust_unless_they_ask() {
        assert_eq!(found("a.rs", "/// Which of them.\n/// That which of.\n/// Which of them? No."), [1]);
        assert!(found("a.md", "Which of them.").is_empty());
    }
}
