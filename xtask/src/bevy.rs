//! `cargo xtask bevy`: the plugin for Bevy, a workspace of its own: format, clippy, tests, examples and
//! documentation.

use crate::Outcome;
use crate::outputs::{cargo, root};
use crate::passed::Note;
use std::fs;

/// Its folder.
const FOLDER: &str = "engines/bevy";
/// Notes that the command passed, with the crates that the plugin is built from, tests included.
const PASSED: Note = Note {
    path: "xtask/passed/bevy.txt",
    inputs: &[
        FOLDER,
        "crates/crowd",
        "crates/detour",
        "crates/navlayers",
        "crates/navlevel",
        "crates/navlinks",
        "crates/navmath",
        "crates/navtile",
        "crates/recast",
        "crates/tilecache",
        "Cargo.toml",
        "rustfmt.toml",
    ],
};
/// The picture that the playground draws instead of gizmos, relative to its folder.
const PICTURE: &str = "../../target/playground.png";
/// The arguments of a command, and a variable of its environment.
type CargoCall = (&'static [&'static str], Option<(&'static str, &'static str)>);
/// The commands, one after the other.
const COMMANDS: [CargoCall; 6] = [
    (&["fmt", "--check"], None),
    (&["clippy", "--locked", "--all-targets", "--", "-D", "warnings"], None),
    (&["test", "--locked", "--no-fail-fast"], None),
    (&["run", "--locked", "--quiet", "--example", "minimal"], None),
    (
        &[
            "run",
            "--locked",
            "--quiet",
            "--example",
            "playground",
            "--",
            "--seconds",
            "6",
            "--picture",
            PICTURE,
        ],
        None,
    ),
    (&["doc", "--locked", "--no-deps"], Some(("RUSTDOCFLAGS", "-D warnings"))),
];

/// The command. Notes that all passed.
pub(crate) fn run() -> Outcome {
    PASSED.noted(all)
}

/// The lane. Skipped if nothing has changed since the command passed.
pub(crate) fn lane() -> Outcome {
    PASSED.unless_unchanged(run)
}

fn all() -> Outcome {
    fs::create_dir_all(root().join("target"))?;
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
