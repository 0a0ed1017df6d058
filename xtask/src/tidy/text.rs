//! Rules that look at one file at a time.

use super::Complaint;
use super::source::{code_only, functions, word_positions};

/// Longest file, lines.
const MAX_LINES: usize = 600;
/// Longest function, lines.
const MAX_FUNCTION_LINES: usize = 70;
/// Widest comment line, columns; it is the width of code too.
const MAX_COMMENT_COLUMNS: usize = 110;

/// Words that mark unfinished work. They are assembled here, so that this file does not report itself.
const UNFINISHED: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];
/// Macros that replace missing code.
const STAND_INS: [&str; 2] = ["todo", "unimplemented"];
/// First folders of paths that exist on one machine only.
const MACHINE_FOLDERS: [&str; 6] = ["home", "work", "root", "Users", "farm", "mnt"];

/// The rules for a `.rs` file. `unsafe_allowed`: the file is on the list of exceptions.
pub(crate) fn rust(path: &str, text: &str, unsafe_allowed: bool, complaints: &mut Vec<Complaint>) {
    let mut complain = |line: usize, what: String| complaints.push(Complaint::new(path, line, what));
    if !text.starts_with("//! ") {
        complain(1, "the first line must be `//! ` and say what the file is".to_owned());
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        complain(lines, format!("{lines} lines, at most {MAX_LINES}: split it into modules"));
    }
    for (index, line) in text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//")) {
        let columns = line.chars().count();
        if columns > MAX_COMMENT_COLUMNS {
            complain(
                index + 1,
                format!("a comment of {columns} columns, at most {MAX_COMMENT_COLUMNS}: break the line"),
            );
        }
    }
    let code = code_only(text);
    for long in functions(&code).into_iter().filter(|function| function.lines > MAX_FUNCTION_LINES) {
        let what =
            format!("`{}` has {} lines, at most {MAX_FUNCTION_LINES}: split it", long.name, long.lines);
        complain(long.line, what);
    }
    let line_of = |at: usize| code[..at].matches('\n').count() + 1;
    if !unsafe_allowed {
        // C can call a name that an attribute exports, and the attribute does nothing unsafe.
        let does_more = |at: &usize| !code[*at..].starts_with("unsafe(no_mangle)");
        for at in word_positions(&code, "unsafe").filter(does_more) {
            complain(
                line_of(at),
                "`unsafe` outside the files that `xtask/tidy.toml` allows it in".to_owned(),
            );
        }
    }
    for name in STAND_INS {
        for at in word_positions(&code, name).filter(|at| code[at + name.len()..].starts_with('!')) {
            complain(line_of(at), format!("`{name}!` stands in for code"));
        }
    }
    let squeezed = |line: &str| line.split_whitespace().collect::<String>();
    for (index, line) in code.lines().map(squeezed).enumerate() {
        if line.contains("#[ignore") {
            complain(index + 1, "a test that does not run".to_owned());
        }
        if line.contains("assert!(true") {
            complain(index + 1, "an assertion that cannot fail".to_owned());
        }
    }
}

/// The rules for every text file.
pub(crate) fn any(path: &str, text: &str, complaints: &mut Vec<Complaint>) {
    for (index, line) in text.lines().enumerate() {
        let mut complain = |what: String| complaints.push(Complaint::new(path, index + 1, what));
        for word in UNFINISHED {
            if word_positions(line, word).next().is_some() {
                complain(format!("`{word}`: finish it or leave it out"));
            }
        }
        if let Some(path) = machine_path(line) {
            complain(format!("`{path}` is a path of one machine: make it relative to the repository"));
        }
    }
}

/// The start of a machine-specific path in a line.
fn machine_path(line: &str) -> Option<&str> {
    // A drive alone may occur in a test of path syntax; a home folder on it may not.
    let homes = concat!("C:", "\\", "Users");
    if let Some(at) = line.find(homes) {
        return Some(&line[at..at + homes.len()]);
    }
    line.match_indices('/').find_map(|(at, _)| {
        let before = line[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '*' | '}' | '>' | '-'))
        {
            return None;
        }
        MACHINE_FOLDERS.iter().find_map(|folder| {
            let rest = line[at + 1..].strip_prefix(folder)?;
            rest.starts_with('/').then(|| &line[at..at + 1 + folder.len() + 1])
        })
    })
}

/// Links of a Markdown file that lead nowhere; `exists` is called with paths relative to the file.
pub(crate) fn links(path: &str, text: &str, exists: &dyn Fn(&str) -> bool, complaints: &mut Vec<Complaint>) {
    for (index, line) in text.lines().enumerate() {
        for (at, _) in line.match_indices("](") {
            let Some(length) = line[at + 2..].find(')') else { continue };
            let target = line[at + 2..at + 2 + length].split('#').next().unwrap_or("");
            if !target.is_empty() && !target.contains("://") && !exists(target) {
                complaints.push(Complaint::new(path, index + 1, format!("`{target}` is not there")));
            }
        }
    }
}

/// Figures that a module's head names and that do not exist; `exists` is called with paths from the root.
pub(crate) fn figures(
    path: &str,
    text: &str,
    exists: &dyn Fn(&str) -> bool,
    complaints: &mut Vec<Complaint>,
) {
    for (index, line) in text.lines().enumerate().take_while(|(_, line)| line.starts_with("//!")) {
        for word in line.split(|c: char| c.is_whitespace() || matches!(c, '`' | '(' | ')' | ',' | ';')) {
            let word = word.trim_end_matches('.');
            if word.starts_with("docs/") && !exists(word) {
                complaints.push(Complaint::new(path, index + 1, format!("`{word}` is not there")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rust_complaints(text: &str) -> Vec<String> {
        let mut complaints = Vec::new();
        rust("a.rs", text, false, &mut complaints);
        complaints.iter().map(ToString::to_string).collect()
    }

    fn any_complaints(text: &str) -> usize {
        let mut complaints = Vec::new();
        any("a.md", text, &mut complaints);
        complaints.len()
    }

    #[test]
    fn a_file_says_what_it_is_and_is_short() {
        assert!(rust_complaints("//! A file.\nfn f() {}\n").is_empty());
        assert_eq!(rust_complaints("fn f() {}\n").len(), 1);
        let long = "//! A file.\n".to_owned() + &"\n".repeat(MAX_LINES);
        assert!(rust_complaints(&long)[0].contains(&format!("{} lines", MAX_LINES + 1)));
        let function = |lines: usize| format!("//! A file.\nfn f() {{{}}}\n", "\n".repeat(lines - 1));
        assert!(rust_complaints(&function(70)).is_empty());
        assert_eq!(rust_complaints(&function(71)), ["a.rs:2: `f` has 71 lines, at most 70: split it"]);
    }

    #[test]
    fn comments_are_not_wide() {
        let wide = |indent: &str, letters: usize| format!("//! A.\n{indent}// {}\n", "é".repeat(letters));
        assert!(rust_complaints(&wide("    ", 103)).is_empty());
        assert_eq!(
            rust_complaints(&wide("    ", 104)),
            ["a.rs:2: a comment of 111 columns, at most 110: break the line"]
        );
        let text = format!("//! A.\nconst A: &str = \"{}\";\n", "a".repeat(120));
        assert!(rust_complaints(&text).is_empty());
    }

    #[test]
    fn unsafe_and_stand_ins_are_found_in_code_only() {
        let spoken = "//! An unsafe todo!() here.\n#![forbid(unsafe_code)]\nfn f() { g(\"unsafe\"); }\n";
        assert!(rust_complaints(spoken).is_empty());
        let done = format!("//! A.\nfn f() {{ {} {{}} }}\nfn g() {{ {}!() }}\n", "unsafe", "todo");
        let complaints = rust_complaints(&done);
        assert_eq!(complaints.len(), 2);
        assert!(
            complaints[0].starts_with("a.rs:2:") && complaints[1].starts_with("a.rs:3:"),
            "{complaints:?}"
        );
        let mut allowed = Vec::new();
        rust("a.rs", "//! A.\nfn f() { unsafe {} }\n", true, &mut allowed);
        assert!(allowed.is_empty());
    }

    #[test]
    fn idle_tests_are_found() {
        assert_eq!(rust_complaints("//! A.\n#[ignore = \"slow\"]\nfn f() { assert!( true) }\n").len(), 2);
    }

    #[test]
    fn unfinished_words_are_found() {
        assert_eq!(any_complaints(&format!("x {}: y\n{}\n", UNFINISHED[0], UNFINISHED[1])), 2);
        assert_eq!(any_complaints("mastodon, to do\n"), 0);
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        for folder in MACHINE_FOLDERS {
            assert_eq!(any_complaints(&format!("see `/{folder}/x`")), 1, "{folder}");
            assert_eq!(any_complaints(&format!("/{folder}/x")), 1, "{folder}");
            assert_eq!(any_complaints(&format!("a/{folder}/x and https://a.b/{folder}/x")), 0, "{folder}");
        }
        assert_eq!(any_complaints(concat!("C:", "\\Users\\x")), 1);
        assert_eq!(any_complaints("and/or, 1/2, // comment"), 0);
    }

    #[test]
    fn links_and_figures_lead_somewhere() {
        let mut complaints = Vec::new();
        let exists = |path: &str| path == "docs/a.md";
        let text = "[a](docs/a.md#part) [b](https://x.y/z) [c](#here) [d](docs/b.md)";
        links("README.md", text, &exists, &mut complaints);
        assert_eq!(complaints.len(), 1);
        complaints.clear();
        figures(
            "a.rs",
            "//! Figure: docs/b.svg.\n//! See docs/a.md.\nuse x; // docs/c.svg",
            &exists,
            &mut complaints,
        );
        assert_eq!(complaints.len(), 1);
    }
}
