//! The pages: builds the studio and the page of `navtile view` from `web/` into `target/web/site` and
//! `target/web/view`, and tests them in a browser. The pages that the program embeds are checked in, and
//! compared with the result of the build. Also builds pages as users of the npm package make them, with their
//! bundlers.

use crate::outputs::root;
use crate::{Error, Outcome};
use std::fs;
use std::process::Command;

/// The list of installed packages is written next to this file.
const LOCK: &str = "package-lock.json";

/// Builds the pages and tests them; with `update`, puts them into the program's sources.
pub(crate) fn built_and_tested(update: bool) -> Outcome {
    install("web")?;
    if !succeeds("web", "npm", &["run", "--silent", "build"])? {
        return Ok(false);
    }
    let pack: &[&str] = if update { &["pack.mjs"] } else { &["pack.mjs", "--check"] };
    let is_same = succeeds("web", "node", pack)?;
    let has_passed = succeeds("web", "node", &["--test", "test/"])?;
    Ok(is_same && has_passed)
}

/// Bundles the npm package in an empty project with all bundlers, and tests the pages and the package's
/// types.
pub(crate) fn bundled() -> Outcome {
    install("web/bundlers")?;
    succeeds("web/bundlers", "node", &["--test"])
}

/// Measures the package against recast-navigation-js.
pub(crate) fn compare() -> Outcome {
    if !root().join("target/web/npm/index.js").exists() {
        return Err("there is no package to measure: cargo xtask web builds it".into());
    }
    install("web/compare")?;
    succeeds("web/compare", "node", &["compare.mjs"])
}

/// Installs the packages of a folder's lock file, unless they are already installed.
fn install(folder: &str) -> Result<(), Error> {
    let place = root().join(folder);
    let wanted = fs::read(place.join(LOCK))?;
    let stamp = place.join("node_modules/.installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    println!("npm ci: the packages of {folder}/{LOCK}, into {folder}/node_modules");
    if !succeeds(folder, "npm", &["ci", "--no-audit", "--no-fund"])? {
        return Err(format!("the packages cannot be installed: npm ci in {folder} says why").into());
    }
    Ok(fs::write(stamp, wanted)?)
}

/// Runs a program in a folder. Returns true if it succeeded.
fn succeeds(folder: &str, program: &str, arguments: &[&str]) -> Outcome {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root().join(folder));
    let status = command.status().map_err(|error| format!("starting {program}: {error}"))?;
    Ok(status.success())
}
