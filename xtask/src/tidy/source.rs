//! The part of Rust's syntax that tidy needs: code without comments and strings, and functions with their
//! length.

use proc_macro2::{TokenStream, TokenTree};

/// The text with comments and the insides of string and character literals blanked; line breaks stay.
pub(crate) fn code_only(text: &str) -> String {
    let mut code: Vec<u8> = text.bytes().map(|byte| if byte == b'\n' { byte } else { b' ' }).collect();
    // Text that is not Rust has no code.
    copy(text.parse().unwrap_or_default(), text, &mut code);
    String::from_utf8_lossy(&code).into_owned()
}

/// Copies the code among `tokens` to its place in `code`.
fn copy(tokens: TokenStream, text: &str, code: &mut [u8]) {
    for token in tokens {
        let spans = match &token {
            // Doc comments are attributes, whose tokens have the position of the comment.
            TokenTree::Group(group) if text[group.span().byte_range()].starts_with('/') => continue,
            TokenTree::Group(group) => {
                copy(group.stream(), text, code);
                vec![group.span_open(), group.span_close()]
            }
            other => vec![other.span()],
        };
        for range in spans.into_iter().map(|span| span.byte_range()) {
            let source = &text[range.clone()];
            let is_quoted =
                matches!(&token, TokenTree::Literal(_)) && !source.starts_with(|c: char| c.is_ascii_digit());
            if !is_quoted && !source.starts_with("//") && !source.starts_with("/*") {
                code[range].copy_from_slice(source.as_bytes());
            }
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A function: its name, the line it starts on (from 1), and how many lines it has.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) lines: usize,
}

/// The functions with a body in `code`, which has been through [`code_only`].
pub(crate) fn functions(code: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for (start, name) in words_after(code, "fn") {
        let Some(end) = body_end(&code[start..]) else { continue };
        let line = code[..start].matches('\n').count() + 1;
        let lines = code[start..start + end].matches('\n').count() + 1;
        found.push(Function { name: name.to_owned(), line, lines });
    }
    found
}

/// Returns true if a file holds tests only.
pub(crate) fn is_test_file(path: &str) -> bool {
    let stem = path.trim_end_matches(".rs");
    format!("/{path}").contains("/tests/") || stem.ends_with("tests") || stem.ends_with("/testing")
}

/// Ranges of the items under `#[cfg(test)]` in `code`, which has been through [`code_only`].
pub(crate) fn test_items(code: &str) -> Vec<std::ops::Range<usize>> {
    code.match_indices("#[cfg(test)]").map(|(at, _)| at..at + item_end(&code[at..])).collect()
}

/// Number of bytes of the word that a text begins with.
pub(crate) fn word_bytes(text: &str) -> usize {
    text.bytes().take_while(|&byte| is_word_byte(byte)).count()
}

/// Positions of `keyword` followed by a word, and that word.
pub(crate) fn words_after<'a>(code: &'a str, keyword: &str) -> Vec<(usize, &'a str)> {
    word_positions(code, keyword)
        .filter_map(|start| {
            let rest = &code[start + keyword.len()..];
            let trimmed = rest.trim_start();
            let length = word_bytes(trimmed);
            (length > 0 && trimmed.len() < rest.len()).then(|| (start, &trimmed[..length]))
        })
        .collect()
}

/// Positions of `word` as a whole word.
pub(crate) fn word_positions<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let bytes = code.as_bytes();
    code.match_indices(word).map(|(start, _)| start).filter(move |&start| {
        let before = start.checked_sub(1).is_some_and(|at| is_word_byte(bytes[at]));
        !before && !bytes.get(start + word.len()).is_some_and(|&byte| is_word_byte(byte))
    })
}

/// Length of an item: to the brace that closes its body, or else to its semicolon.
fn item_end(code: &str) -> usize {
    body_end(code).or_else(|| code.find(';').map(|at| at + 1)).unwrap_or(code.len())
}

/// Length of a function from its keyword to the brace that closes its body; `None` if it has no body.
fn body_end(code: &str) -> Option<usize> {
    let (mut braces, mut nested) = (0, 0);
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            // Braces within brackets, as in `[u8; { N }]`, are not the body.
            b'(' | b'[' if braces == 0 => nested += 1,
            b')' | b']' if braces == 0 => nested -= 1,
            b';' if braces == 0 && nested == 0 => return None,
            b'{' if nested == 0 => braces += 1,
            b'}' if nested == 0 => {
                braces -= 1;
                if braces <= 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked() {
        let blank = |text: &str| code_only(text).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(blank("a // b\nc"), "a c");
        assert_eq!(blank("a /* b /* c */ d */ e"), "a e");
        assert_eq!(blank(r#"a("b \" // c") d"#), "a( ) d");
        assert_eq!(blank(r###"r#"a " b"# c"###), "c");
        assert_eq!(blank(r####"br##"a "# b"## c"####), "c");
        assert_eq!(blank("f('{', '\\'', '\\u{7b}', 'é') { 'a: loop {} }"), "f( , , , ) { 'a: loop {} }");
        assert_eq!(blank("fn f<'a>(x: &'a str) {}"), "fn f<'a>(x: &'a str) {}");
        assert_eq!(blank("for_\"x\" y"), "for_ y");
        assert_eq!(code_only("/*\n*/\n").matches('\n').count(), 2);
    }

    #[test]
    fn functions_are_measured() {
        let code = "trait T {\n  fn a(&self);\n  fn b(&self) {\n    1;\n  }\n}\nfn c(x: [u8; { 2 }]) -> u8 { x[0] }\n";
        let function = |name: &str, line, lines| Function { name: name.to_owned(), line, lines };
        assert_eq!(functions(code), [function("b", 3, 3), function("c", 7, 1)]);
        assert!(functions("type F = fn(u8) -> u8; struct S { f: fn(u8) }").is_empty());
    }

    #[test]
    fn words_are_whole() {
        assert_eq!(word_positions("unsafe_code unsafe x_unsafe", "unsafe").collect::<Vec<_>>(), [12]);
        assert_eq!(words_after("mod a; pub mod b {} modulo c", "mod"), [(0, "a"), (11, "b")]);
    }
}
