//! Names from files, for messages.

use std::borrow::Cow;

/// A name from a file for a message. Control characters, which a terminal would obey, are escaped, and so are
/// characters that change the direction of text.
///
/// ```
/// assert_eq!(navinput::escaped("wall\u{1b}[2J"), "wall\\u{1b}[2J");
/// assert_eq!(navinput::escaped("Stra\u{df}e \"A\""), "Stra\u{df}e \"A\"");
/// ```
pub fn escaped(name: &str) -> Cow<'_, str> {
    if !name.contains(acts) {
        return Cow::Borrowed(name);
    }
    let mut text = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        if acts(c) {
            text.extend(c.escape_default());
        } else {
            text.push(c);
        }
    }
    Cow::Owned(text)
}

/// A text of several lines for a terminal: like [`escaped`], but line feeds and tabs stay.
///
/// ```
/// assert_eq!(navinput::escaped_lines("one\n\ttwo\u{9b}2J\n"), "one\n\ttwo\\u{9b}2J\n");
/// ```
pub fn escaped_lines(text: &str) -> Cow<'_, str> {
    let lays_out = |c: char| matches!(c, '\n' | '\t');
    if !text.contains(|c| acts(c) && !lays_out(c)) {
        return Cow::Borrowed(text);
    }
    let parts = text.split_inclusive(lays_out).flat_map(|part| {
        let end = part.len() - usize::from(part.ends_with(lays_out));
        [escaped(&part[..end]), Cow::Borrowed(&part[end..])]
    });
    Cow::Owned(parts.collect())
}

/// Returns true if a character affects the text around it instead of being part of it.
fn acts(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_tabs_stay_and_all_else_that_acts_is_escaped() {
        for (text, expected) in [
            ("plain", "plain"),
            ("one\n\ttwo\n", "one\n\ttwo\n"),
            ("one\n\ttwo\u{9b}2J\n", "one\n\ttwo\\u{9b}2J\n"),
            ("\u{1b}[2J\n\nx\r", "\\u{1b}[2J\n\nx\\r"),
        ] {
            assert_eq!(escaped_lines(text), expected);
            assert_eq!(matches!(escaped_lines(text), Cow::Borrowed(_)), text == expected, "{text:?}");
        }
        assert_eq!(escaped("a\nb\u{202e}"), "a\\nb\\u{202e}");
    }
}
