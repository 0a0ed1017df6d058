//! Lines by kind: code, documentation, comments and tests.

use super::source::{code_only, is_test_file, test_items};

/// The kinds of lines.
pub(crate) const KINDS: [&str; 4] = ["code", "doc", "comment", "test"];

/// Lines of each of [`KINDS`].
pub(crate) type LineCounts = [i64; KINDS.len()];

/// Lines of a file.
pub(crate) fn lines_of(path: &str, text: &str) -> LineCounts {
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
}
