//! `cargo xtask platforms`: the same bytes on every platform. One program bakes all scenes, asks for routes and walks crowds;
//! it runs here, in debug and release, on Arm under qemu, and as WebAssembly under node.

use crate::outputs::{cargo, root, starts};
use crate::{Error, Outcome};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A platform, and what it takes to build for it and run there.
struct Platform {
    name: &'static str,
    /// As rustc calls it; `None` is the machine itself.
    target: Option<&'static str>,
    release: bool,
    /// Variables of the environment for cargo.
    variables: &'static [(&'static str, &'static str)],
    /// The program that runs others of this platform, and its first arguments.
    runner: &'static [&'static str],
    /// Programs that must be installed besides, and how to get all of them.
    tools: &'static [&'static str],
    remedy: &'static str,
}

/// All platforms; the others are compared with the first.
const PLATFORMS: [Platform; 4] = [
    Platform {
        name: "this machine, release",
        target: None,
        release: true,
        variables: &[],
        runner: &[],
        tools: &[],
        remedy: "",
    },
    Platform {
        name: "this machine, debug",
        target: None,
        release: false,
        variables: &[],
        runner: &[],
        tools: &[],
        remedy: "",
    },
    Platform {
        name: "Arm, 64 bits (qemu)",
        target: Some("aarch64-unknown-linux-gnu"),
        release: true,
        variables: &[("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc")],
        runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
        tools: &["aarch64-linux-gnu-gcc"],
        remedy: "apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user; \
                 rustup target add aarch64-unknown-linux-gnu",
    },
    Platform {
        name: "WebAssembly, 32 bits (node)",
        target: Some("wasm32-wasip1"),
        release: true,
        variables: &[("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", "-Ctarget-feature=+simd128")],
        runner: &["node", "--no-warnings", "xtask/src/wasi.mjs"],
        tools: &[],
        remedy: "apt-get install nodejs; rustup target add wasm32-wasip1",
    },
];

/// The lane of `ci`, and the command. A platform whose tools are missing is skipped, and says so.
pub(crate) fn run() -> Outcome {
    let mut first: Option<Vec<String>> = None;
    let mut good = true;
    for platform in &PLATFORMS {
        if !platform.is_there()? {
            println!("{:<28} skipped: {}", platform.name, platform.remedy);
            continue;
        }
        let lines = platform.lines()?;
        let Some(expected) = &first else {
            println!("{:<28} {} digests", platform.name, lines.len());
            first = Some(lines);
            continue;
        };
        let others = differences(expected, &lines);
        let verdict = if others.is_empty() { "the same" } else { "OTHER DIGESTS" };
        println!("{:<28} {verdict}", platform.name);
        others.iter().for_each(|line| println!("  {line}"));
        good &= others.is_empty();
    }
    Ok(good)
}

/// The lines of either that the other lacks in that place.
fn differences(expected: &[String], found: &[String]) -> Vec<String> {
    let longest = expected.len().max(found.len());
    let at = |lines: &[String], index: usize| lines.get(index).cloned().unwrap_or_else(|| "nothing".into());
    let pairs = (0..longest).map(|index| (at(expected, index), at(found, index)));
    pairs.filter(|(a, b)| a != b).map(|(a, b)| format!("{b}, expected {a}")).collect()
}

impl Platform {
    /// Whether everything that it takes is installed.
    fn is_there(&self) -> Result<bool, Error> {
        let Some(target) = self.target else { return Ok(true) };
        let programs = self.tools.iter().chain(self.runner.first());
        let installed = programs.into_iter().all(|program| starts(Command::new(program)));
        let rustc = Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output()?;
        let library = PathBuf::from(String::from_utf8(rustc.stdout)?.trim());
        Ok(installed && library.is_dir())
    }

    /// Builds the program and runs it: a line for each digest.
    fn lines(&self) -> Result<Vec<String>, Error> {
        let mut build = cargo();
        build.args(["build", "--quiet", "--package", "navtile-benches", "--bin", "digests"]);
        build.args(self.release.then_some("--release")).envs(self.variables.iter().copied());
        if let Some(target) = self.target {
            build.args(["--target", target]);
        }
        if !build.status()?.success() {
            return Err(format!("{}: the program cannot be built", self.name).into());
        }
        let output = self.run_program()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("{}: {}", self.name, said.trim()).into());
        }
        let lines: Vec<String> = String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect();
        if lines.is_empty() { Err(format!("{}: no digests", self.name).into()) } else { Ok(lines) }
    }

    fn run_program(&self) -> Result<Output, Error> {
        let folder = root().join("target").join(self.target.unwrap_or_default());
        let folder = folder.join(if self.release { "release" } else { "debug" });
        let is_wasm = self.target.is_some_and(|target| target.starts_with("wasm32"));
        let program = folder.join(if is_wasm { "digests.wasm" } else { "digests" });
        let mut words = self.runner.iter().map(OsStr::new).chain([program.as_os_str()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        Ok(command.args(words).current_dir(root()).output()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_differ_or_are_missing_are_named() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert!(differences(&lines("a 1\nb 2"), &lines("a 1\nb 2")).is_empty());
        assert_eq!(differences(&lines("a 1\nb 2"), &lines("a 1\nb 3")), ["b 3, expected b 2"]);
        assert_eq!(differences(&lines("a 1"), &lines("a 1\nc 4")), ["c 4, expected nothing"]);
        assert_eq!(differences(&lines("a 1\nb 2"), &lines("a 1")), ["nothing, expected b 2"]);
    }
}
