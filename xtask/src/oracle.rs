//! `cargo xtask oracle`: our bake beside the C++ library's. Its crate is a workspace of its own, as it needs a
//! C++ compiler.

use crate::Outcome;
use crate::outputs::root;
use std::process::Command;

/// The lane of `ci`: all levels there are, and all scenes, in the coarser of the two cells; the courtyard in tiles
/// too. Without arguments, `cargo xtask oracle` measures everything.
pub(crate) fn lane() -> Outcome {
    run(&["--quick".to_owned(), "--brief".to_owned()])
}

/// Runs the program with these arguments.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    start("oracle", arguments)
}

/// Our tile sets in the npm package `recast-navigation`, under node.
pub(crate) fn node() -> Outcome {
    start("node", &[])
}

/// Runs one of the crate's programs.
fn start(program: &str, arguments: &[String]) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--manifest-path", "crates/oracle/Cargo.toml"])
        .args(["--bin", program, "--"])
        .args(arguments)
        .current_dir(root())
        .status()
        .map_err(|error| format!("starting cargo: {error}"))?;
    Ok(status.success())
}
