//! `cargo xtask release`: the archive of a release for the platform that it runs on: the program with its manual pages and completions,
//! and the C interface. `.github/workflows/release.yml` calls it on each platform.

use crate::outputs::{root, run_cargo, target};
use crate::{Error, Outcome, capi};
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Files at the root that go along.
const ALONG: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// The command.
pub(crate) fn run() -> Outcome {
    let build = ["build", "--release", "--package", "navtile-cli", "--features", "manual"];
    if !run_cargo(build)? {
        return Ok(false);
    }
    let target = target();
    let name = format!("navtile-{}-{}", env!("CARGO_PKG_VERSION"), platform()?);
    let folder = target.join("release-archive").join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let program = format!("navtile{}", env::consts::EXE_SUFFIX);
    copy(&target.join("release").join(&program), &folder.join("bin").join(&program))?;
    for file in ALONG {
        copy(&root().join(file), &folder.join(file))?;
    }
    let status =
        Command::new(folder.join("bin").join(&program)).arg("manual").arg(folder.join("share")).status()?;
    if !status.success() {
        return Err("the manual cannot be written".into());
    }
    copy_all(&capi::make()?, &folder)?;
    let archive = format!("{name}.tar.gz");
    let status = Command::new("tar")
        .args(["-czf", &archive, &name])
        .current_dir(target.join("release-archive"))
        .status()
        .map_err(|error| format!("starting tar: {error}"))?;
    if status.success() {
        println!("{}", target.join("release-archive").join(archive).display());
    }
    Ok(status.success())
}

/// The platform as rustc calls it, by which cargo-binstall finds the archive.
fn platform() -> Result<String, Error> {
    let output =
        Command::new("rustc").arg("-vV").output().map_err(|error| format!("starting rustc: {error}"))?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say its platform".into())
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).map_err(|error| format!("copying {}: {error}", from.display()))?;
    Ok(())
}

/// Copies what is in a folder into another.
fn copy_all(from: &Path, to: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy_all(&path, &target)? } else { copy(&path, &target)? }
    }
    Ok(())
}
