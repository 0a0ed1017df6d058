//! Counts of instructions: programs of `benches` that are cut into intervals, run under valgrind.

use crate::outputs::{cargo, root, starts};
use crate::{Error, Outcome};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The C library copies and clears memory with the processor's best instructions. This setting restricts it
/// to those of all x86-64 processors, so that counts are the same on each. A library ignores names that it
/// does not know.
const PLAIN_COPIES: &str =
    "glibc.cpu.hwcaps=-AVX512VL,-AVX512F,-AVX2,-AVX,-AVX_Fast_Unaligned_Load,-SSSE3,-ERMS,-FSRM";

const MISSING: &str = "valgrind is not there: apt-get install valgrind";

fn there() -> bool {
    starts(Command::new("valgrind"))
}

/// Does the work of a lane. Without valgrind, prints that the lane is skipped.
pub(crate) fn if_there(work: impl FnOnce() -> Outcome) -> Outcome {
    if there() {
        return work();
    }
    println!("skipped: {MISSING}");
    Ok(true)
}

/// Does the work of a command. Error: valgrind is missing.
pub(crate) fn or_error(work: impl FnOnce() -> Outcome) -> Outcome {
    if there() { work() } else { Err(MISSING.into()) }
}

/// Builds a program of `benches` or of this package in release, and returns its path. It is built with the
/// features of all these packages, as they have crates in common that would be compiled twice.
pub(crate) fn build(program: &str) -> Result<PathBuf, Error> {
    let output = cargo()
        .args(["build", "--release", "--package", "navtile-cli", "--package", "navtile-benches"])
        .args(["--package", "xtask", "--bin", program, "--message-format=json"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("starting cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program} cannot be built").into());
    }
    let text = String::from_utf8(output.stdout)?;
    let found = text.lines().rev().find_map(executable);
    found.map(PathBuf::from).ok_or_else(|| "cargo does not say where the program is".into())
}

/// The program that a message of cargo names.
fn executable(message: &str) -> Option<String> {
    let message: serde_json::Value = serde_json::from_str(message).ok()?;
    Some(message.get("executable")?.as_str()?.to_owned())
}

/// Runs a program under valgrind, which writes a file of counts at each boundary. Returns the instructions of
/// each interval under the name that the program printed for it. Intervals named `-` do not count. The files
/// are in a folder of the name `run`, which no other run has at the same time.
pub(crate) fn intervals(
    program: &Path,
    run: &str,
    arguments: &[String],
) -> Result<Vec<(String, u64)>, Error> {
    let folder = root().join("target/instructions").join(run);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-before=*stage_boundary*", "--quiet"])
        .arg(format!("--callgrind-out-file={}", folder.join("counts").display()))
        .arg(program)
        .args(arguments)
        // A second thread would wait and look for work, and its instructions would be counted.
        .env("RAYON_NUM_THREADS", "1")
        .env("GLIBC_TUNABLES", PLAIN_COPIES)
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("starting valgrind: {error}"))?;
    if !output.status.success() {
        return Err(format!("counting failed: {}", output.status).into());
    }
    let counts = gather(&folder, &String::from_utf8(output.stdout)?)?;
    std::fs::remove_dir_all(&folder)?;
    Ok(counts)
}

/// Matches names with counts. File number i was written before boundary i, so it holds the interval after
/// boundary i - 1; the first name belongs to the interval after the first boundary.
fn gather(folder: &Path, names: &str) -> Result<Vec<(String, u64)>, Error> {
    let mut counts = Vec::new();
    for (index, name) in names.lines().enumerate().filter(|(_, name)| *name != "-") {
        let file = folder.join(format!("counts.{}", index + 2));
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        counts.push((name.to_owned(), total(&text).ok_or("a file has no total")?));
    }
    if counts.is_empty() {
        return Err("nothing was counted".into());
    }
    Ok(counts)
}

/// The total of a file of counts.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("totals: "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_and_programs_are_found() {
        assert_eq!(total("summary: 5\n\ntotals: 123 4\n"), Some(123));
        assert_eq!(total("none"), None);
        assert_eq!(
            executable(r#"{"a":1,"executable":"/x/count","fresh":true}"#),
            Some("/x/count".to_owned())
        );
        assert_eq!(executable(r#"{"executable":null}"#), None);
    }
}
