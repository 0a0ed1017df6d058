//! The public levels of Recast's own demo, which we must not ship. They are read if their folder exists.

use crate::obj::from_obj;
use recast::Level;
use std::path::{Path, PathBuf};

/// The levels that tests bake if they can.
const NAMES: [&str; 2] = ["nav_test.obj", "dungeon.obj"];

/// The public levels under the names of their files: from the folder in `NAVTILE_MESHES`, otherwise from
/// shared/meshes next to the repository. The list is empty if the folder does not exist.
pub fn public_levels() -> Vec<(&'static str, Level)> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes");
    let folder = std::env::var_os("NAVTILE_MESHES").map_or_else(beside, PathBuf::from);
    let level = |name| from_obj(&std::fs::read_to_string(folder.join(name)).ok()?);
    NAMES.into_iter().filter_map(|name| Some((name, level(name)?))).collect()
}

/// Returns true if each test may take its full time (`NAVTILE_LONG`). By default a test takes a part of its
/// levels; in the lane `test` it takes all.
pub fn is_long() -> bool {
    std::env::var_os("NAVTILE_LONG").is_some()
}

/// The public levels, if there is time for them and their folder is next to the repository.
pub fn long_levels() -> Vec<(&'static str, Level)> {
    if is_long() { public_levels() } else { Vec::new() }
}
