//! `cargo xtask release`: builds the archive of a release for this platform, or for another that it can link
//! for. The archive holds the program with its manual pages and completions, and the C interface.
//! `.github/workflows/release.yml` calls it for each platform.

use crate::outputs::{root, target};
use crate::platforms::cargo_for;
use crate::{Error, Outcome, capi_package};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Files at the root that are included.
const ALONG: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Options of the command.
#[derive(Debug, clap::Args)]
pub(crate) struct ReleaseArgs {
    /// The platform, as rustc names it, if it is not this one; its linker must be installed
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

/// The command.
pub(crate) fn run(args: &ReleaseArgs) -> Outcome {
    let triple = args.target.as_deref();
    let mut build = cargo_for(triple, "build");
    if !build.args(["--release", "--package", "navtile-cli", "--features", "manual"]).status()?.success() {
        return Ok(false);
    }
    let platform = triple.map_or_else(this_platform, |triple| Ok(triple.to_owned()))?;
    let archives = target().join("release-archive");
    let name = format!("navtile-{}-{platform}", env!("CARGO_PKG_VERSION"));
    let folder = archives.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let program = if platform.contains("windows") { "navtile.exe" } else { "navtile" };
    let built = triple.map_or_else(target, |triple| target().join(triple)).join("release");
    copy(&built.join(program), &folder.join("bin").join(program))?;
    for file in ALONG {
        copy(&root().join(file), &folder.join(file))?;
    }
    // The manual is the same for every platform, so a program that runs here writes it.
    let mut manual = cargo_for(None, "run");
    manual.args(["--quiet", "--package", "navtile-cli", "--features", "manual", "--", "manual"]);
    if !manual.arg(folder.join("share")).status()?.success() {
        return Err("the manual cannot be written".into());
    }
    copy_all(&capi_package::make(triple)?, &folder)?;
    let archive = format!("{name}.tar.gz");
    let status = Command::new("tar")
        .args(["-czf", &archive, &name])
        .current_dir(&archives)
        .status()
        .map_err(|error| format!("starting tar: {error}"))?;
    if status.success() {
        println!("{}", archives.join(archive).display());
    }
    Ok(status.success())
}

/// The platform as rustc names it. cargo-binstall finds the archive by this name.
fn this_platform() -> Result<String, Error> {
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

/// Copies the content of a folder into another.
fn copy_all(from: &Path, to: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy_all(&path, &target)? } else { copy(&path, &target)? }
    }
    Ok(())
}
