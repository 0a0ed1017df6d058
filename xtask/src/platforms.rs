//! `cargo xtask platforms`: checks for the same bytes on every platform. One program bakes all scenes, asks
//! the runtime every kind of query and walks crowds. It runs here, in debug and release, on 64-bit and 32-bit
//! Arm under qemu, as a 32-bit program for x86, as a program for Windows under wine, and as WebAssembly under
//! node. Platforms without a linker here are only checked with `cargo check`.

use crate::outputs::{cargo, root, starts, target};
use crate::passed::Note;
use crate::{Error, Outcome};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A platform, and the tools to build for it and run there.
struct Platform {
    name: &'static str,
    /// The target as rustc names it; `None` is the machine itself.
    target: Option<&'static str>,
    release: bool,
    /// Variables of the environment for cargo.
    variables: &'static [(&'static str, &'static str)],
    /// The program that runs others of this platform, and its first arguments.
    runner: &'static [&'static str],
    /// Other programs that must be installed.
    tools: &'static [&'static str],
    /// Packages to install for all of that.
    packages: &'static str,
    /// True if every run of CI has the time for it.
    in_lane: bool,
}

/// The machine that this runs on.
const HERE: Platform = Platform {
    name: "this machine, release",
    target: None,
    release: true,
    variables: &[],
    runner: &[],
    tools: &[],
    packages: "",
    in_lane: true,
};

/// All platforms; the others are compared with the first.
const PLATFORMS: [Platform; 7] = [
    HERE,
    Platform { name: "this machine, debug", release: false, ..HERE },
    Platform {
        name: "Arm, 64 bits (qemu)",
        target: Some("aarch64-unknown-linux-gnu"),
        variables: &[("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc")],
        runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
        tools: &["aarch64-linux-gnu-gcc"],
        packages: "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user",
        ..HERE
    },
    Platform {
        name: "Arm, 32 bits (qemu)",
        target: Some("armv7-unknown-linux-gnueabihf"),
        variables: &[("CARGO_TARGET_ARMV7_UNKNOWN_LINUX_GNUEABIHF_LINKER", "arm-linux-gnueabihf-gcc")],
        runner: &["qemu-arm", "-L", "/usr/arm-linux-gnueabihf"],
        tools: &["arm-linux-gnueabihf-gcc"],
        packages: "gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user",
        in_lane: false,
        ..HERE
    },
    Platform {
        name: "x86, 32 bits",
        target: Some("i686-unknown-linux-gnu"),
        variables: &[("CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER", "i686-linux-gnu-gcc")],
        // Its own loader, since the libraries are in the folder of the cross compiler.
        runner: &["/usr/i686-linux-gnu/lib/ld-linux.so.2", "--library-path", "/usr/i686-linux-gnu/lib"],
        tools: &["i686-linux-gnu-gcc"],
        packages: "gcc-i686-linux-gnu libc6-dev-i386-cross",
        in_lane: false,
        ..HERE
    },
    Platform {
        name: "Windows, 64 bits (wine)",
        target: Some("x86_64-pc-windows-gnu"),
        variables: &[("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", "x86_64-w64-mingw32-gcc")],
        runner: &["wine"],
        tools: &["x86_64-w64-mingw32-gcc"],
        packages: "gcc-mingw-w64-x86-64 wine wine64",
        in_lane: false,
        ..HERE
    },
    Platform {
        name: "WebAssembly, 32 bits (node)",
        target: Some("wasm32-wasip1"),
        variables: &[("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", "-Ctarget-feature=+simd128")],
        runner: &["node", "--no-warnings", "xtask/src/wasi.mjs"],
        packages: "nodejs",
        ..HERE
    },
];

/// Platforms of a release without a linker here: the program and the C interface are checked.
const CHECKED: [(&str, &str); 2] =
    [("macOS, 64-bit Arm", "aarch64-apple-darwin"), ("Windows, 64 bits (MSVC)", "x86_64-pc-windows-msvc")];

/// Notes that platforms gave the same, with everything that their output depends on.
const PASSED: Note = Note {
    path: "xtask/passed/platforms.txt",
    inputs: &[
        "crates",
        "benches",
        "Cargo.toml",
        "Cargo.lock",
        "xtask/src/platforms.rs",
        "xtask/src/process_prng.c",
        "xtask/src/wasi.mjs",
    ],
};

/// The lane of `ci`: the platforms that differ most from this machine, as the others take longer than a run
/// of CI has. Skipped if nothing has changed since they passed.
pub(crate) fn lane() -> Outcome {
    PASSED.unless_unchanged(|| compare(&|platform| platform.in_lane))
}

/// The command: all platforms. Notes that they passed if none of the lane's is skipped.
pub(crate) fn run() -> Outcome {
    for platform in PLATFORMS.iter().filter(|platform| platform.in_lane) {
        if !platform.is_there()? {
            return all();
        }
    }
    PASSED.noted(all)
}

fn all() -> Outcome {
    let mut good = compare(&|_| true)?;
    for (name, target) in CHECKED {
        good &= check(name, target)?;
    }
    Ok(good)
}

/// Compares platforms with this machine. Prints a message for each platform that is skipped because its tools
/// are missing.
fn compare(is_wanted: &dyn Fn(&Platform) -> bool) -> Outcome {
    let mut there = Vec::new();
    for platform in PLATFORMS.iter().filter(|platform| is_wanted(platform)) {
        if platform.is_there()? {
            there.push(platform);
        } else {
            println!("{:<28} skipped: {}", platform.name, platform.remedy());
        }
    }
    // One command for all platforms of a profile keeps the cores busy; each alone would wait for its largest
    // crate.
    let (host, others): (Vec<&Platform>, Vec<&Platform>) =
        there.iter().copied().partition(|platform| platform.target.is_none());
    host.iter().try_for_each(|platform| build(&[platform]))?;
    build(&others)?;
    let mut first: Option<Vec<String>> = None;
    let mut good = true;
    for platform in there {
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

/// Builds the program for several platforms of one profile.
fn build(platforms: &[&Platform]) -> Result<(), Error> {
    let Some(first) = platforms.first() else { return Ok(()) };
    let mut build = cargo();
    build.args(["build", "--quiet", "--package", "navtile-benches", "--no-default-features"]);
    build.args(["--bin", "digests"]).args(first.release.then_some("--release"));
    for platform in platforms {
        build.envs(platform.variables.iter().copied());
        build.args(platform.target.into_iter().flat_map(|target| ["--target", target]));
    }
    if build.status()?.success() {
        return Ok(());
    }
    let names: Vec<&str> = platforms.iter().map(|platform| platform.name).collect();
    Err(format!("the program cannot be built for {}", names.join("; ")).into())
}

/// Checks the release's crates for a platform, without linking them.
fn check(name: &str, target: &str) -> Outcome {
    if !has_library(target)? {
        println!("{name:<28} skipped: rustup target add {target}");
        return Ok(true);
    }
    let mut check = cargo();
    check.args([
        "check",
        "--quiet",
        "--target",
        target,
        "--package",
        "navtile-cli",
        "--package",
        "navtile-c",
    ]);
    let good = check.status()?.success();
    println!("{name:<28} {}", if good { "compiles; not run" } else { "DOES NOT COMPILE" });
    Ok(good)
}

/// A cargo command for this machine, or for a target with the linker that its platform has here.
pub(crate) fn cargo_for(triple: Option<&str>, command: &str) -> Command {
    let mut cargo = cargo();
    cargo.arg(command);
    if let Some(triple) = triple {
        let of_target = PLATFORMS.iter().filter(|platform| platform.target == Some(triple));
        of_target.for_each(|platform| {
            cargo.envs(platform.variables.iter().copied());
        });
        cargo.args(["--target", triple]);
    }
    cargo
}

/// Returns true if Rust's library for a target is installed.
fn has_library(target: &str) -> Outcome {
    let rustc = Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output()?;
    Ok(PathBuf::from(String::from_utf8(rustc.stdout)?.trim()).is_dir())
}

/// The lines of either list that the other lacks in that place.
fn differences(expected: &[String], found: &[String]) -> Vec<String> {
    let longest = expected.len().max(found.len());
    let at = |lines: &[String], index: usize| lines.get(index).cloned().unwrap_or_else(|| "nothing".into());
    let pairs = (0..longest).map(|index| (at(expected, index), at(found, index)));
    pairs.filter(|(a, b)| a != b).map(|(a, b)| format!("{b}, expected {a}")).collect()
}

impl Platform {
    /// Returns true if everything that the platform needs is installed.
    fn is_there(&self) -> Outcome {
        let Some(target) = self.target else { return Ok(true) };
        let programs = self.tools.iter().chain(self.runner.first());
        Ok(programs.into_iter().all(|program| starts(Command::new(program))) && has_library(target)?)
    }

    /// The command that installs the missing tools.
    fn remedy(&self) -> String {
        let target = self.target.unwrap_or_default();
        format!("apt-get install {}; rustup target add {target}", self.packages)
    }

    /// Runs the program, which has been built. Returns a line for each digest.
    fn lines(&self) -> Result<Vec<String>, Error> {
        let output = self.run_program()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("{}: {}", self.name, said.trim()).into());
        }
        let lines: Vec<String> = String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect();
        if lines.is_empty() { Err(format!("{}: no digests", self.name).into()) } else { Ok(lines) }
    }

    fn run_program(&self) -> Result<Output, Error> {
        let triple = self.target.unwrap_or_default();
        let folder = target().join(triple).join(if self.release { "release" } else { "debug" });
        let program = folder.join(match triple {
            triple if triple.starts_with("wasm32") => "digests.wasm",
            triple if triple.contains("windows") => "digests.exe",
            _ => "digests",
        });
        if triple.contains("windows") {
            add_process_prng(&folder)?;
        }
        let mut command = match self.runner.split_first() {
            Some((runner, arguments)) => {
                let mut command = Command::new(runner);
                command.args(arguments).arg(program);
                command
            }
            None => Command::new(program),
        };
        // Wine keeps a folder of its own, and complains about missing desktop features.
        command.env("WINEPREFIX", target().join("wine")).env("WINEDEBUG", "-all");
        Ok(command.current_dir(root()).output()?)
    }
}

/// Puts a library that older versions of Wine lack next to a program for Windows.
fn add_process_prng(folder: &Path) -> Result<(), Error> {
    let mut build = Command::new("x86_64-w64-mingw32-gcc");
    build.args(["-shared", "-O1", "-o"]).arg(folder.join("bcryptprimitives.dll"));
    build.arg(root().join("xtask/src/process_prng.c")).arg("-ladvapi32");
    if build.status()?.success() { Ok(()) } else { Err("process_prng.c cannot be built".into()) }
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
