//! `cargo xtask draco`: decodes tens of thousands of Draco streams with navinput and compares them with the
//! reference decoder's triangles. The streams come from the reference encoder, compiled to WebAssembly and
//! run by node. `--update` writes the few that navinput's tests keep.

use crate::outputs::{cargo, root, target};
use crate::{Error, Outcome};
use std::path::Path;
use std::process::Command;

/// The list that the tests of navinput keep.
const KEPT: &str = "crates/navinput/tests/it/draco.txt";

pub(crate) fn run(update: bool) -> Outcome {
    let folder = root().join("crates/oracle/node");
    let installed = Command::new("npm").args(["ci", "--silent"]).current_dir(&folder).status();
    if !installed.map_err(|error| format!("starting npm: {error}"))?.success() {
        return Err("npm installs nothing".into());
    }
    if update {
        return write(&folder, "few", &root().join(KEPT));
    }
    let list = target().join("draco.txt");
    if !write(&folder, "all", &list)? {
        return Ok(false);
    }
    let test = ["test", "--release", "-p", "navtile-input", "--test", "it", "draco"];
    Ok(cargo().args(test).env("NAVTILE_DRACO", list).status()?.success())
}

/// Writes a list of streams.
fn write(folder: &Path, which: &str, list: &Path) -> Result<bool, Error> {
    let status = Command::new("node").args(["draco.mjs", which]).arg(list).current_dir(folder).status();
    Ok(status.map_err(|error| format!("starting node: {error}"))?.success())
}
