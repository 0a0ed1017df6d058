//! Names of types that a crate uses twice.

use super::Complaint;
use super::crates::{Manifest, Sources, crate_of};
use super::source::{code_only, is_test_file, word_bytes};
use std::collections::BTreeMap;

/// Names that every module may use for its own.
const COMMON: [&str; 4] = ["Params", "Buffers", "Error", "Scratch"];

/// Complains about two types of a crate that have the same name. Tests, examples, benches and the programs of
/// a crate are left out, and so are types within functions and associated types, which do not begin a line.
pub(crate) fn twice(manifests: &[Manifest], sources: &Sources, complaints: &mut Vec<Complaint>) {
    let mut seen: BTreeMap<(&str, String), &str> = BTreeMap::new();
    for (path, text) in sources.iter().filter(|(path, _)| !is_test_file(path)) {
        let Some(folder) = crate_of(path, manifests).map(|manifest| manifest.folder.as_str()) else {
            continue;
        };
        let inside = path[folder.len()..].trim_start_matches('/');
        if !inside.starts_with("src/") || inside.starts_with("src/bin/") {
            continue;
        }
        for (index, line) in code_only(text).lines().enumerate() {
            let Some(name) = declared(line).filter(|name| !COMMON.contains(name)) else { continue };
            if let Some(first) = seen.insert((folder, name.to_owned()), path) {
                let what = format!("`{name}` is also a type of {first}: say what this one is");
                complaints.push(Complaint::new(path, index + 1, what));
            }
        }
    }
}

/// The type that a line declares.
fn declared(line: &str) -> Option<&str> {
    let rest = match line.strip_prefix("pub") {
        Some(public) => {
            public.strip_prefix('(').map_or(public, |rest| rest.split_once(')').map_or("", |(_, rest)| rest))
        }
        None => line,
    };
    let (keyword, rest) = rest.trim_start().split_once(' ')?;
    let is_type = matches!(keyword, "struct" | "enum" | "union" | "trait" | "type");
    (is_type && !line.starts_with(' ')).then(|| &rest[..word_bytes(rest)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_used_once_in_a_crate() {
        let manifest = |name: &str| Manifest::parse(name, &format!("[package]\nname = \"{name}\"")).unwrap();
        let files = [
            (
                "a/src/lib.rs",
                "pub struct Run {\n    x: u8,\n}\nstruct Params;\nfn f() {\n    struct Inner;\n}\n",
            ),
            ("a/src/b.rs", "pub(crate) enum Run { A }\ntype Params = u8;\nstruct Inner;\n// struct Inner;\n"),
            ("a/src/b/tests.rs", "struct Run;\n"),
            ("a/src/bin/c.rs", "struct Run;\n"),
            ("b/src/lib.rs", "pub trait Run {\n    type Inner;\n}\n"),
        ];
        let sources = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let mut complaints = Vec::new();
        twice(&[manifest("a"), manifest("b")], &sources, &mut complaints);
        let found: Vec<_> = complaints.iter().map(ToString::to_string).collect();
        assert_eq!(found, ["a/src/lib.rs:1: `Run` is also a type of a/src/b.rs: say what this one is"]);
    }
}
