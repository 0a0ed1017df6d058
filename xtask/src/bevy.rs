//! `cargo xtask bevy`: the plugin for Bevy, a workspace of its own: format, clippy, tests, examples and documentation.

use crate::outputs::{cargo, git, root};
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
/// Where the playground draws what gizmos would show, from its folder.
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

/// The command; if all passes it is noted.
pub(crate) fn run() -> Outcome {
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
    fs::write(root().join(PASSED), inputs()?)?;
    Ok(true)
}

/// The digest of everything that the plugin was built from when it last passed. It is kept with the sources, so that the
/// lane need not build Bevy, which takes minutes, where nothing has changed.
const PASSED: &str = "engines/bevy/passed.txt";

/// The lane: left out where nothing has changed since the command passed.
pub(crate) fn lane() -> Outcome {
    if fs::read_to_string(root().join(PASSED)).is_ok_and(|passed| inputs().is_ok_and(|now| passed == now)) {
        println!("neither the plugin nor anything that it is built from has changed since it passed");
        return Ok(true);
    }
    run()
}

/// A digest of the compiler, and of all files that the plugin is built from.
fn inputs() -> Result<String, Error> {
    let rustc = std::process::Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", FOLDER];
    let names = git(&[&listed[..], &STANDS_ON].concat())?;
    // One that was removed makes another list.
    let is_input = |name: &&str| *name != PASSED && root().join(name).is_file();
    let there: Vec<&str> = names.split('\0').filter(is_input).collect();
    let digests = git(&[&["hash-object"], there.as_slice()].concat())?;
    let all = text + &there.join("\n") + "\n" + &digests;
    let digest = navmath::Hasher::new().write_u8s(all.as_bytes()).finish().0;
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n")
}
