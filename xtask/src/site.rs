//! The pages: the studio and the page of `navtile view`, from `web/` to `target/web/site` and `target/web/view`, and their tests in
//! a browser. The pages that the program embeds are checked in, and compared with what the sources build.

use crate::outputs::root;
use crate::{Error, Outcome};
use std::fs;
use std::process::Command;

/// The list of packages that were installed is written beside this.
const LOCK: &str = "package-lock.json";

/// Builds the pages and tests them; with `update`, puts them into the program's sources.
pub(crate) fn built_and_tested(update: bool) -> Outcome {
    install()?;
    if !succeeds("npm", &["run", "--silent", "build"])? {
        return Ok(false);
    }
    let pack: &[&str] = if update { &["pack.mjs"] } else { &["pack.mjs", "--check"] };
    let is_same = succeeds("node", pack)?;
    let has_passed = succeeds("node", &["--test", "test/"])?;
    Ok(is_same && has_passed)
}

/// Installs the packages of the lock file, unless they are there.
fn install() -> Result<(), Error> {
    let web = root().join("web");
    let wanted = fs::read(web.join(LOCK))?;
    let stamp = web.join("node_modules/.installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    println!("npm ci: the packages of web/{LOCK}, into web/node_modules");
    if !succeeds("npm", &["ci", "--no-audit", "--no-fund"])? {
        return Err("the packages of the studio cannot be installed: npm ci in web/ says why".into());
    }
    Ok(fs::write(stamp, wanted)?)
}

/// Runs a program in `web/`; whether it succeeded.
fn succeeds(program: &str, arguments: &[&str]) -> Outcome {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root().join("web"));
    let status = command.status().map_err(|error| format!("starting {program}: {error}"))?;
    Ok(status.success())
}
