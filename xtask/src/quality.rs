//! `cargo xtask quality`: five measures of the meshes of levels, ours beside the C++ library's (docs/quality.md). The
//! program is the oracle's, as it needs a C++ compiler.

use crate::Outcome;
use crate::outputs::root;
use std::process::Command;

/// Runs the program with these arguments. `Err` if the call was wrong; the program has said why.
pub(crate) fn run(arguments: &[String]) -> Result<Outcome, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--manifest-path", "crates/oracle/Cargo.toml"])
        .args(["--bin", "quality", "--"])
        .args(arguments)
        .current_dir(root())
        .status();
    match status.map(|status| status.code()) {
        Ok(Some(0)) => Ok(Ok(true)),
        Ok(Some(2)) => Err("`cargo xtask quality --help` says what can be measured".to_owned()),
        Ok(_) => Ok(Err("the levels could not be measured".into())),
        Err(error) => Ok(Err(format!("starting cargo: {error}").into())),
    }
}
