//! Rules about dependencies: each has a reason in the documentation, and each is used.

use super::Complaint;
use super::crates::{Manifest, Sources};
use super::source::code_only;
use std::collections::BTreeSet;

const DOCUMENT: &str = "docs/dependencies.md";
const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// Runs all rules; `documentation` is the text of docs/dependencies.md.
pub(crate) fn check(
    manifests: &[Manifest],
    sources: &Sources,
    documentation: &str,
    complaints: &mut Vec<Complaint>,
) {
    documented(manifests, documentation, complaints);
    used_by_members(manifests, complaints);
    for manifest in manifests {
        used_by_code(manifest, manifests, sources, complaints);
    }
}

/// Checks that each external dependency has a row in the documentation, and each row a dependency.
fn documented(manifests: &[Manifest], documentation: &str, complaints: &mut Vec<Complaint>) {
    let ours: BTreeSet<&str> = manifests.iter().filter_map(Manifest::name).collect();
    let row = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned());
    let mut rows: BTreeSet<String> = documentation.lines().filter_map(row).collect();
    let mut seen = BTreeSet::new();
    for manifest in manifests {
        for name in TABLES.iter().flat_map(|table| manifest.keys(table)) {
            if seen.insert(name) && !rows.remove(name) && !ours.contains(name) {
                let what = format!("{DOCUMENT} gives no reason for `{name}`");
                complaints.push(Complaint::whole(&manifest.path(), what));
            }
        }
    }
    for row in rows {
        complaints.push(Complaint::whole(DOCUMENT, format!("`{row}` is not a dependency of any crate")));
    }
}

/// Checks that a crate depends on each entry of `[workspace.dependencies]`.
fn used_by_members(manifests: &[Manifest], complaints: &mut Vec<Complaint>) {
    let used =
        |name: &str| manifests.iter().any(|one| TABLES.iter().any(|table| one.keys(table).contains(&name)));
    for manifest in manifests {
        for name in manifest.keys("workspace.dependencies").into_iter().filter(|name| !used(name)) {
            let what = format!("`{name}` of [workspace.dependencies] is not a dependency of any crate");
            complaints.push(Complaint::whole(&manifest.path(), what));
        }
    }
}

/// Checks that the code of a crate names each of its dependencies; `[dependencies]` must be named in code
/// that ships.
fn used_by_code(
    manifest: &Manifest,
    manifests: &[Manifest],
    sources: &Sources,
    complaints: &mut Vec<Complaint>,
) {
    let inside = |folder: &str, path: &str| path.starts_with(&format!("{folder}/"));
    // A crate's folder may contain other crates.
    let inner =
        |other: &&Manifest| other.folder != manifest.folder && inside(&manifest.folder, &other.folder);
    let inner: Vec<&Manifest> = manifests.iter().filter(inner).collect();
    let own =
        |path: &str| inside(&manifest.folder, path) && !inner.iter().any(|other| inside(&other.folder, path));
    let mut shipped = BTreeSet::new();
    let mut all = BTreeSet::new();
    for (path, text) in sources.iter().filter(|(path, _)| own(path)) {
        let code = code_only(text);
        let words = code.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let words: BTreeSet<String> = words.map(str::to_owned).collect();
        let rest = &path[manifest.folder.len() + 1..];
        if !["tests/", "benches/", "examples/"].iter().any(|folder| rest.starts_with(folder)) {
            shipped.extend(words.iter().cloned());
        }
        all.extend(words);
    }
    for table in TABLES {
        let words = if table == "dev-dependencies" { &all } else { &shipped };
        for name in manifest.keys(table).into_iter().filter(|name| !words.contains(&name.replace('-', "_"))) {
            let what = format!("`{name}` of [{table}] is not named in the code");
            complaints.push(Complaint::whole(&manifest.path(), what));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(manifests: &[(&str, &str)], sources: &[(&str, &str)], documentation: &str) -> Vec<String> {
        let manifests: Vec<Manifest> =
            manifests.iter().map(|(folder, text)| Manifest::parse(folder, text).unwrap()).collect();
        let sources = sources.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let mut complaints = Vec::new();
        check(&manifests, &sources, documentation, &mut complaints);
        complaints.into_iter().map(|complaint| complaint.what).collect()
    }

    #[test]
    fn every_dependency_has_its_reason_and_every_reason_its_dependency() {
        let manifest = [("a", "[dependencies]\nglam = \"1\"\nserde = \"1\"")];
        let code = [("a/src/lib.rs", "use glam::Vec3; use serde::Serialize;")];
        assert_eq!(complaints(&manifest, &code, "| `glam` | x |\n| `serde` | y |"), [""; 0]);
        let found = complaints(&manifest, &code, "| `glam` | `serde` |\n| `rand` | z |");
        assert!(
            found[0].ends_with("no reason for `serde`") && found[1].starts_with("`rand` is not"),
            "{found:?}"
        );
    }

    #[test]
    fn unused_dependencies_are_found() {
        let root = ("", "[workspace.dependencies]\nglam = \"1\"\npng = \"1\"");
        let member = ("a", "[dependencies]\nglam = \"1\"\n[dev-dependencies]\ntiny-skia = \"1\"");
        let found =
            |sources: &[(&str, &str)]| complaints(&[root, member], sources, "| `glam` |\n| `tiny-skia` |");
        let png = "`png` of [workspace.dependencies] is not a dependency of any crate";
        let used = [("a/src/lib.rs", "use glam::Vec3;"), ("a/tests/t.rs", "tiny_skia::fill();")];
        assert_eq!(found(&used), [png]);
        let only_tests = [("a/src/lib.rs", "// glam, tiny_skia"), ("a/tests/t.rs", "use glam::Vec3;")];
        let glam = "`glam` of [dependencies] is not named in the code";
        assert_eq!(
            found(&only_tests),
            [png, glam, "`tiny-skia` of [dev-dependencies] is not named in the code"]
        );
    }
}
