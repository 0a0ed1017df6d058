//! Every verb of the runtime, the crowd and the tile cache has a call, or a reason for having no call.

use std::fs;
use std::path::Path;

/// Folders that define verbs, with the block that holds them.
const PLACES: [(&str, &str); 7] = [
    ("detour/src/query", "impl Query"),
    ("detour/src/query", "impl NavMesh"),
    ("detour/src/query", "impl Field"),
    ("detour/src/mesh", "impl NavMesh"),
    ("detour/src/corridor", "impl Corridor"),
    ("crowd/src", "impl Crowd"),
    ("tilecache/src", "impl<S: Source"),
];

/// Verbs whose call has another name, or the reason for having no call.
const OTHERS: &str = include_str!("verbs.txt");

/// Public functions in blocks of this kind, of the files of a folder.
fn verbs(folder: &Path, block: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            if !folder.ends_with("src") {
                verbs(&path, block, found);
            }
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let mut inside = false;
        for line in text.lines() {
            if line.starts_with("impl") {
                inside =
                    line.strip_prefix(block).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
            }
            let name = line.strip_prefix("    pub fn ").and_then(|rest| rest.split(['(', '<']).next());
            found.extend(name.filter(|_| inside).map(str::to_owned));
        }
    }
}

#[test]
fn every_verb_has_a_call() {
    let header = include_str!("../../include/navtile.h");
    let has = |call: &str| header.contains(&format!("{call}("));
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut missing, mut known) = (Vec::new(), 0);
    for (folder, block) in PLACES {
        let mut found = Vec::new();
        verbs(&crates.join(folder), block, &mut found);
        assert!(!found.is_empty(), "{folder}: {block}");
        let kind = block.trim_start_matches("impl").trim().to_lowercase();
        let kind = match kind.as_str() {
            "navmesh" if folder.ends_with("query") => "query",
            "navmesh" => "mesh",
            "<s: source" => "cache",
            other => other,
        };
        for verb in found {
            let line = OTHERS.lines().find_map(|line| line.strip_prefix(&format!("{kind}.{verb}: ")));
            let is_known = match line {
                Some(call) if call.starts_with("nt_") => has(call),
                Some(reason) => !reason.is_empty(),
                None => has(&format!("nt_{kind}_{verb}")),
            };
            known += usize::from(line.is_some());
            if !is_known {
                missing.push(format!("{kind}.{verb}"));
            }
        }
    }
    assert!(missing.is_empty(), "no call, and no line in verbs.txt: {missing:#?}");
    assert_eq!(known, OTHERS.lines().count(), "verbs.txt has lines of verbs that are gone");
}
