//! Rules about crates: who may know whom, no file outside the tree of modules, `unsafe` forbidden at the
//! root.

use super::Complaint;
use super::source::{code_only, words_after};
use std::collections::{BTreeMap, BTreeSet};

/// Each crate of ours and the others it may know; see docs/architecture.md. Tests may also read levels, use
/// scenes, and bake.
const MAY_KNOW: [(&str, &[&str]); 19] = [
    ("navmath", &[]),
    ("navtile", &["navmath"]),
    ("recast", &["navmath", "navtile"]),
    ("detour", &["navmath", "navtile"]),
    ("navstream", &["detour", "navmath", "navtile"]),
    ("hierarchy", &["detour", "navmath", "navtile"]),
    ("crowd", &["detour", "navmath"]),
    ("crowdlab", &["crowd", "detour", "navinput", "navmath"]),
    ("navplane", &["navmath", "navtile"]),
    ("navinterop", &["navmath", "navtile"]),
    ("navlinks", &["navmath", "navtile", "recast"]),
    ("navlevel", &["navlinks", "navmath", "navtile", "recast"]),
    ("navexplain", &["navlevel", "navlinks", "navmath", "navtile", "recast"]),
    ("navlayers", &["navmath", "navtile", "recast"]),
    (
        "tilecache",
        &["detour", "navinterop", "navlayers", "navlevel", "navlinks", "navmath", "navtile", "recast"],
    ),
    ("navinput", &["navlevel", "navmath", "navplane", "recast"]),
    (
        "navbake",
        &[
            "detour",
            "hierarchy",
            "navexplain",
            "navinput",
            "navlevel",
            "navlinks",
            "navmath",
            "navtile",
            "recast",
        ],
    ),
    ("navdraw", &["navmath", "navtile", "recast"]),
    ("navscenes", &["navlevel", "navmath", "navplane", "navtile", "recast"]),
];
/// Crates at the top, which may know all the libraries but are known by none.
const TOP: [&str; 10] = [
    "bevy_navtile",
    "bevy_navtile_playground",
    "navtile-cli",
    "navtile-benches",
    "navtile-fuzz",
    "navtile_c",
    "navtile_web",
    "oracle",
    "oracle-planar",
    "xtask",
];
/// Libraries with unsafe code: an allocator that counts, in a file that `xtask/tidy.toml` names, which never
/// ships; the calls from JavaScript, whose unsafe code wasm-bindgen generates; and the calls from C, whose
/// pointers are handled in a single module.
const WITH_UNSAFE: [&str; 3] = ["navtile-fuzz", "navtile_c", "navtile_web"];
/// Additional crates that tests of any crate but navmath may use.
const FOR_TESTS: [&str; 5] = ["navinput", "navlevel", "navplane", "navscenes", "recast"];
/// Additional crates that tests and examples of one crate may use: agents walk in worlds that change, and
/// the laboratory watches them. The cookbook, which tilecache compiles, has a world that streams. Agents
/// cross such worlds on far routes.
const FOR_TESTS_OF: [(&str, &[&str]); 3] = [
    ("crowd", &["crowdlab"]),
    ("navstream", &["hierarchy"]),
    ("tilecache", &["crowd", "crowdlab", "navdraw", "navstream"]),
];
/// A crate at the top that xtask may know, and the tests of other top crates. It has the scenes as meshes,
/// and all their digests.
const SCENES_ON_TOP: &str = "navtile-benches";

/// Crates at the top that may know one other top crate: the fuzzer calls the C interface, and the playground
/// shows the plugin.
const KNOWN_ON_TOP: [(&str, &str); 2] =
    [("navtile-fuzz", "navtile_c"), ("bevy_navtile_playground", "bevy_navtile")];

/// A `Cargo.toml`, parsed; `folder` is relative to the root.
pub(crate) struct Manifest {
    pub(crate) folder: String,
    pub(crate) toml: toml::Table,
}

impl Manifest {
    pub(crate) fn parse(folder: &str, text: &str) -> Result<Manifest, String> {
        let toml = text.parse().map_err(|error| format!("{folder}/Cargo.toml: {error}"))?;
        Ok(Manifest { folder: folder.to_owned(), toml })
    }

    pub(crate) fn path(&self) -> String {
        if self.folder.is_empty() { "Cargo.toml".to_owned() } else { format!("{}/Cargo.toml", self.folder) }
    }

    /// The name of the crate in code: its library's name if that differs from the package's.
    pub(crate) fn name(&self) -> Option<&str> {
        let name = |table: &str| self.toml.get(table)?.get("name")?.as_str();
        name("lib").or_else(|| name("package"))
    }

    /// Names in a table of dependencies, including those for some platforms only; a dotted `table` descends.
    pub(crate) fn keys(&self, table: &str) -> Vec<&str> {
        let platforms = self.toml.get("target").and_then(toml::Value::as_table);
        let of_platforms =
            platforms.into_iter().flatten().filter_map(|(_, platform)| platform.get(table)?.as_table());
        let mut keys = self.keys_of(table);
        keys.extend(of_platforms.flat_map(|table| table.keys().map(String::as_str)));
        keys
    }

    fn keys_of(&self, table: &str) -> Vec<&str> {
        let mut parts = table.split('.');
        let mut found = parts.next().and_then(|part| self.toml.get(part));
        for part in parts {
            found = found.and_then(|value| value.get(part));
        }
        found
            .and_then(toml::Value::as_table)
            .map(|table| table.keys().map(String::as_str).collect())
            .unwrap_or_default()
    }

    fn forbids_unsafe(&self) -> bool {
        let lint = self.toml.get("lints").and_then(|lints| lints.get("rust")?.get("unsafe_code"));
        lint.and_then(toml::Value::as_str) == Some("forbid")
    }
}

/// Complains about crates that know a crate they may not know.
pub(crate) fn directions(manifests: &[Manifest], complaints: &mut Vec<Complaint>) {
    let ours: BTreeSet<&str> = manifests.iter().filter_map(Manifest::name).collect();
    for manifest in manifests {
        let Some(name) = manifest.name() else { continue };
        let mut complain = |what: String| complaints.push(Complaint::whole(&manifest.path(), what));
        // A fuzz crate belongs to the crate whose folder contains it, and counts as a top crate too.
        let top = TOP.contains(&name) || manifest.folder.ends_with("/fuzz");
        let may_know = MAY_KNOW.iter().find(|(own, _)| *own == name).map(|(_, others)| *others);
        if may_know.is_none() && !top {
            complain(format!(
                "tidy does not know crate `{name}`: say in xtask/src/tidy/crates.rs whom it may know"
            ));
        }
        for (table, tests) in
            [("dependencies", false), ("build-dependencies", false), ("dev-dependencies", true)]
        {
            for other in manifest.keys(table).into_iter().filter(|other| ours.contains(other)) {
                let allowed = match may_know {
                    Some(others) => {
                        // Tests may turn on features of their own crate.
                        let of_one =
                            FOR_TESTS_OF.iter().any(|(own, others)| *own == name && others.contains(&other));
                        let for_tests =
                            other == name || of_one || name != "navmath" && FOR_TESTS.contains(&other);
                        others.contains(&other) || tests && for_tests
                    }
                    None => {
                        let is_known = KNOWN_ON_TOP.contains(&(name, other));
                        let has_scenes = other == SCENES_ON_TOP && (tests || name == "xtask");
                        top && (!TOP.contains(&other) || has_scenes || is_known)
                    }
                };
                if !allowed {
                    complain(format!("`{name}` must not know `{other}` ({table})"));
                }
            }
        }
    }
}

/// The Rust files of a workspace by path, relative to the root.
pub(crate) type Sources = BTreeMap<String, String>;

/// Complains about libraries that do not forbid `unsafe`, at their root or in their manifest.
pub(crate) fn forbid_unsafe(manifests: &[Manifest], sources: &Sources, complaints: &mut Vec<Complaint>) {
    let may = |manifest: &&Manifest| {
        manifest.forbids_unsafe() || manifest.name().is_some_and(|name| WITH_UNSAFE.contains(&name))
    };
    for manifest in manifests.iter().filter(|manifest| !may(manifest)) {
        let root = format!("{}/src/lib.rs", manifest.folder);
        if let Some(text) = sources.get(&root) {
            let code: String = code_only(text).split_whitespace().collect();
            if !code.contains("#![forbid(unsafe_code)]") {
                complaints.push(Complaint::whole(&root, "`#![forbid(unsafe_code)]` is missing".to_owned()));
            }
        }
    }
}

/// Rust files that are not compiled, because no `mod` leads to them.
pub(crate) fn dead_files(manifests: &[Manifest], sources: &Sources, complaints: &mut Vec<Complaint>) {
    let mut left: Vec<String> = sources.keys().filter(|path| is_root(path, manifests)).cloned().collect();
    let roots: BTreeSet<String> = left.iter().cloned().collect();
    let mut live = roots.clone();
    while let Some(path) = left.pop() {
        let Some(text) = sources.get(&path) else { continue };
        for candidate in modules(&path, roots.contains(&path), text) {
            if sources.contains_key(&candidate) && live.insert(candidate.clone()) {
                left.push(candidate);
            }
        }
    }
    for path in sources.keys().filter(|path| !live.contains(*path)) {
        complaints.push(Complaint::whole(path, "no `mod` leads to it: nothing compiles it".to_owned()));
    }
}

/// The innermost crate that contains a file.
pub(crate) fn crate_of<'a>(path: &str, manifests: &'a [Manifest]) -> Option<&'a Manifest> {
    let in_crate = |manifest: &&Manifest| {
        manifest.folder.is_empty()
            || path.strip_prefix(&manifest.folder).is_some_and(|rest| rest.starts_with('/'))
    };
    manifests.iter().filter(in_crate).max_by_key(|manifest| manifest.folder.len())
}

/// Returns true if cargo starts compiling at this file.
fn is_root(path: &str, manifests: &[Manifest]) -> bool {
    let Some(manifest) = crate_of(path, manifests) else { return false };
    let inside = path[manifest.folder.len()..].trim_start_matches('/');
    let target_folder = ["src/bin/", "tests/", "benches/", "examples/", "fuzz_targets/"]
        .iter()
        .find_map(|folder| inside.strip_prefix(folder));
    let own_target = target_folder.is_some_and(|rest| !rest.contains('/') || rest.ends_with("/main.rs"));
    matches!(inside, "src/lib.rs" | "src/main.rs" | "build.rs") || own_target
}

/// Paths that the `mod name;` lines of a file may lead to.
fn modules(path: &str, is_root: bool, text: &str) -> Vec<String> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.trim_end_matches(".rs");
    let inside = if is_root || stem == "mod" { folder.to_owned() } else { format!("{folder}/{stem}") };
    let code = code_only(text);
    let mut found = Vec::new();
    for (start, name) in words_after(&code, "mod") {
        let rest = code[start + "mod".len()..].trim_start();
        if rest[name.len()..].trim_start().starts_with(';') {
            found.push(format!("{inside}/{name}.rs"));
            found.push(format!("{inside}/{name}/mod.rs"));
        }
    }
    // `#[path = "x.rs"]`: code_only has blanked the name, so it is read from the original text.
    for (at, _) in text.match_indices("#[path = \"") {
        if let Some(name) = text[at + "#[path = \"".len()..].split('"').next() {
            found.push(format!("{folder}/{name}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(folder: &str, text: &str) -> Manifest {
        Manifest::parse(folder, text).unwrap()
    }

    fn package(folder: &str, name: &str, dependencies: &str) -> Manifest {
        manifest(folder, &format!("[package]\nname = \"{name}\"\n{dependencies}"))
    }

    fn count(check: impl FnOnce(&mut Vec<Complaint>)) -> usize {
        let mut complaints = Vec::new();
        check(&mut complaints);
        complaints.len()
    }

    #[test]
    fn the_runtime_never_knows_the_bake() {
        let with = |dependencies: &str| {
            let all = [
                package("crates/navmath", "navmath", ""),
                package("crates/recast", "recast", ""),
                package("crates/detour", "detour", dependencies),
            ];
            count(|complaints| directions(&all, complaints))
        };
        assert_eq!(with("[dependencies]\nnavmath = \"1\"\nglam = \"1\""), 0);
        assert_eq!(with("[dependencies]\nrecast = \"1\""), 1);
        assert_eq!(with("[dev-dependencies]\nrecast = \"1\""), 0);
        let unknown = [package("crates/new", "new", "")];
        assert_eq!(count(|complaints| directions(&unknown, complaints)), 1);
        let leaf =
            [package("a", "navmath", "[dev-dependencies]\nrecast = \"1\""), package("b", "recast", "")];
        assert_eq!(count(|complaints| directions(&leaf, complaints)), 1);
        let top = [package("a", "navtile-cli", "[dependencies]\nxtask = \"1\""), package("b", "xtask", "")];
        assert_eq!(count(|complaints| directions(&top, complaints)), 1);
    }

    #[test]
    fn libraries_forbid_unsafe() {
        let plain = [package("a", "a", "")];
        let sources = |text: &str| Sources::from([("a/src/lib.rs".to_owned(), text.to_owned())]);
        assert_eq!(count(|c| forbid_unsafe(&plain, &sources("#![forbid(unsafe_code)]"), c)), 0);
        assert_eq!(count(|c| forbid_unsafe(&plain, &sources("// #![forbid(unsafe_code)]"), c)), 1);
        let lint = [package("a", "a", "[lints.rust]\nunsafe_code = \"forbid\"")];
        assert_eq!(count(|c| forbid_unsafe(&lint, &sources(""), c)), 0);
        assert_eq!(count(|c| forbid_unsafe(&[package("a", WITH_UNSAFE[0], "")], &sources(""), c)), 0);
    }

    #[test]
    fn files_that_nothing_compiles_are_found() {
        let manifests = [package("a", "a", ""), manifest("", "[workspace]")];
        let files = [
            ("a/src/lib.rs", "pub mod b;\nmod c;\n// mod dead;\n#[path = \"odd.rs\"] mod d;"),
            ("a/src/b.rs", "mod e;\nmod inline { }"),
            ("a/src/b/e.rs", ""),
            ("a/src/c/mod.rs", "mod f;"),
            ("a/src/c/f.rs", ""),
            ("a/src/odd.rs", ""),
            ("a/src/dead.rs", ""),
            ("a/tests/t.rs", "mod common;"),
            ("a/tests/common/mod.rs", ""),
            ("a/src/bin/x.rs", ""),
            ("loose.rs", ""),
        ];
        let sources = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let mut complaints = Vec::new();
        dead_files(&manifests, &sources, &mut complaints);
        let found: Vec<_> = complaints.iter().map(|complaint| complaint.path.as_str()).collect();
        assert_eq!(found, ["a/src/dead.rs", "loose.rs"]);
    }
}
