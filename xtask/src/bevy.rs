//! `cargo xtask bevy`: the plugin for Bevy, a workspace of its own: format, clippy, tests, examples and documentation.

use crate::outputs::{cargo, git, root, target};
use crate::{Error, Outcome};
use std::fs;

/// Its folder.
const FOLDER: &str = "engines/bevy";
/// The crates that it is built from, tests included.
const STANDS_ON: [&str; 8] = [
    "crates/crowd",
    "crates/detour",
    "crates/navmath",
    "crates/navtile",
    "crates/recast",
    "crates/tilecache",
    "Cargo.toml",
    "rustfmt.toml",
];
/// The commands, and a variable of the environment for each.
const COMMANDS: [(&[&str], Option<(&str, &str)>); 5] = [
    (&["fmt", "--check"], None),
    (&["clippy", "--locked", "--all-targets", "--", "-D", "warnings"], None),
    (&["test", "--locked", "--no-fail-fast"], None),
    (&["run", "--locked", "--quiet", "--example", "minimal"], None),
    (&["doc", "--locked", "--no-deps"], Some(("RUSTDOCFLAGS", "-D warnings"))),
];

/// The command.
pub(crate) fn run() -> Outcome {
    for (arguments, variable) in COMMANDS {
        println!("cargo {}", arguments.join(" "));
        let status = cargo()
            .args(arguments)
            .envs(variable)
            .current_dir(root().join(FOLDER))
            .status()
            .map_err(|error| format!("starting cargo: {error}"))?;
        if !status.success() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The lane: building Bevy takes minutes, so it is left out where nothing has changed since it passed.
pub(crate) fn lane() -> Outcome {
    let stamp = target().join("bevy-lane");
    let now = inputs()?;
    if fs::read_to_string(&stamp).is_ok_and(|passed| passed == now) {
        println!("neither the plugin nor anything that it is built from has changed since it passed here");
        return Ok(true);
    }
    let passed = run()?;
    if passed {
        fs::create_dir_all(target())?;
        fs::write(&stamp, now)?;
    }
    Ok(passed)
}

/// The compiler, and all files that the plugin is built from, each with the digest of its content.
fn inputs() -> Result<String, Error> {
    let rustc = std::process::Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", FOLDER];
    let names = git(&[&listed[..], &STANDS_ON].concat())?;
    // One that was removed makes another list.
    let there: Vec<&str> = names.split('\0').filter(|name| root().join(name).is_file()).collect();
    let digests = git(&[&["hash-object"], there.as_slice()].concat())?;
    Ok(text + &there.join("\n") + "\n" + &digests)
}
