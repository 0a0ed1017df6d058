//! `cargo xtask oracle`: our bake beside the C++ library's. Its crate is a workspace of its own, as it needs a
//! C++ compiler.

use crate::Outcome;
use crate::outputs::root;
use std::path::PathBuf;
use std::process::Command;

/// Levels of our own that the lane compares.
const LEVELS: [&str; 2] = ["assets/courtyard.obj", "assets/terrain.obj"];

/// The lane of `ci`: our levels, and those that the program finds by itself where they are.
pub(crate) fn lane() -> Outcome {
    let ours = run(&LEVELS.map(str::to_owned))?;
    let others = match std::env::var_os("NAVTILE_MESHES") {
        Some(folder) => PathBuf::from(folder).is_dir(),
        None => root().join("../shared/meshes").is_dir(),
    };
    Ok((!others || run(&[])?) && ours)
}

/// Runs the program with these arguments.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--manifest-path", "crates/oracle/Cargo.toml", "--"])
        .args(arguments)
        .current_dir(root())
        .status()
        .map_err(|error| format!("starting cargo: {error}"))?;
    Ok(status.success())
}
