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
