//! Builds a copy of the workspace with all mutants woven in. Mutants that the compiler refuses are left out.

use super::list::Mutant;
use super::weave::{mutants_around, switch, weave};
use super::{Room, target};
use crate::Error;
use crate::outputs::{git, root};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A build that needs more rounds has met a bug of this program.
const MOST_ROUNDS: usize = 40;

/// The programs of tests, and the mutants that they contain.
pub(super) struct Built {
    pub(super) programs: Vec<PathBuf>,
    /// The folder that tests run in.
    pub(super) package: PathBuf,
    pub(super) woven: BTreeSet<u32>,
    /// Mutants that do not compile.
    pub(super) refused: BTreeSet<u32>,
}

/// Copies the workspace, weaves the mutants in and builds the tests.
pub(super) fn build(room: &Room, mutants: &[Mutant]) -> Result<Built, Error> {
    let copy = target().join("workspace");
    copy_workspace(&copy)?;
    without_bakes(room, &copy)?;
    let package = copy.join(room.folder);
    let mut woven: BTreeSet<u32> = mutants.iter().map(|mutant| mutant.id).collect();
    let library = format!("{}/src/lib.rs", room.folder);
    let mut refused = BTreeSet::new();
    for _ in 0..MOST_ROUNDS {
        let texts = weave_files(&library, mutants, &woven)?;
        for (file, text) in &texts {
            write_if_changed(&copy.join(file), text)?;
        }
        woven = texts.values().flat_map(|text| switched(text)).collect();
        let (programs, errors) = compile(room, &copy)?;
        if errors.is_empty() {
            return Ok(Built { programs, package, woven, refused });
        }
        let before = woven.len();
        refused.extend(errors.iter().flat_map(|error| error.mutants(&texts)));
        woven.retain(|id| !refused.contains(id));
        if woven.len() == before {
            let shown: Vec<&str> = errors.iter().map(|error| error.rendered.as_str()).collect();
            return Err(format!("the copy does not build:\n{}", shown.join("\n")).into());
        }
    }
    Err("the copy does not build, whatever is left out".into())
}

/// All files that git knows, as they are in the working tree.
fn copy_workspace(copy: &Path) -> Result<(), Error> {
    for file in git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?.split_terminator('\0')
    {
        let from = root().join(file);
        let Ok(content) = fs::read(&from) else { continue };
        let to = copy.join(file);
        if fs::read(&to).is_ok_and(|old| old == content) {
            continue;
        }
        fs::create_dir_all(to.parent().unwrap_or(copy))?;
        fs::write(to, content)?;
    }
    Ok(())
}

fn write_if_changed(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::write(path, text)?;
    }
    Ok(())
}

/// Removes the crates that the package's tests need but that are built on it, and the tests that use them.
/// They would be rebuilt in each round, with all their dependencies.
fn without_bakes(room: &Room, copy: &Path) -> Result<(), Error> {
    let package = copy.join(room.folder);
    let manifest = fs::read_to_string(root().join(room.folder).join("Cargo.toml"))?;
    let is_kept = |line: &&str| !room.without.iter().any(|name| line.starts_with(&format!("{name} =")));
    let kept: Vec<&str> = manifest.lines().filter(is_kept).collect();
    write_if_changed(&package.join("Cargo.toml"), &(kept.join("\n") + "\n"))?;
    let main = "tests/it/main.rs";
    let Ok(text) = fs::read_to_string(root().join(room.folder).join(main)) else { return Ok(()) };
    let uses = |line: &&str| {
        let module = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'));
        let text =
            module.and_then(|module| fs::read_to_string(package.join(format!("tests/it/{module}.rs"))).ok());
        text.is_none_or(|text| !room.without.iter().any(|name| text.contains(&format!("{name}::"))))
    };
    let kept: Vec<&str> = text.lines().filter(uses).collect();
    write_if_changed(&package.join(main), &(kept.join("\n") + "\n"))
}

/// The files that have mutants, and the library's root with the switch.
fn weave_files(
    library: &str,
    mutants: &[Mutant],
    woven: &BTreeSet<u32>,
) -> Result<BTreeMap<String, String>, Error> {
    let mut files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::from([(library, Vec::new())]);
    for mutant in mutants {
        let list = files.entry(&mutant.file).or_default();
        if woven.contains(&mutant.id) {
            list.push(mutant);
        }
    }
    let weave = |(file, mutants): (&str, Vec<&Mutant>)| {
        let text = weave(&fs::read_to_string(root().join(file))?, &mutants)?;
        let text = if file == library {
            text + &switch(woven.last().map_or(1, |last| *last as usize + 1))
        } else {
            text
        };
        Ok((file.to_owned(), text))
    };
    files.into_iter().map(weave).collect()
}

/// The mutants that can be switched on in a woven text.
fn switched(text: &str) -> Vec<u32> {
    let numbers = text.split("mutant_switch::on(").skip(1);
    numbers.filter_map(|rest| rest.split(')').next()?.parse().ok()).collect()
}

#[derive(Deserialize)]
struct Message {
    reason: String,
    message: Option<Refusal>,
    executable: Option<PathBuf>,
}

/// An error of the compiler.
#[derive(Deserialize)]
struct Refusal {
    level: String,
    rendered: String,
    spans: Vec<Place>,
}

#[derive(Deserialize)]
struct Place {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
}

impl Refusal {
    /// The mutants at the first of the error's places that has any.
    fn mutants(&self, texts: &BTreeMap<String, String>) -> Vec<u32> {
        let (primary, others): (Vec<_>, Vec<_>) = self.spans.iter().partition(|place| place.is_primary);
        let found = primary.into_iter().chain(others).map(|place| {
            let text = texts.get(&place.file_name);
            text.map_or(Vec::new(), |text| mutants_around(text, place.byte_start..place.byte_end))
        });
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }
}

/// Builds the tests. Returns their programs, or the errors.
fn compile(room: &Room, copy: &Path) -> Result<(Vec<PathBuf>, Vec<Refusal>), Error> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(copy).args(["test", "--no-run", "--message-format", "json", "-p", room.package]);
    command.args(room.tests).env("CARGO_TARGET_DIR", target()).stdout(Stdio::piped());
    command.env("RUSTFLAGS", "--cap-lints=allow").env("CARGO_PROFILE_DEV_INCREMENTAL", "true");
    let output = command.stderr(Stdio::inherit()).output()?;
    let (mut programs, mut errors) = (Vec::new(), Vec::new());
    for line in String::from_utf8(output.stdout)?.lines() {
        let Ok(message) = serde_json::from_str::<Message>(line) else { continue };
        programs.extend(message.executable.filter(|_| message.reason == "compiler-artifact"));
        errors.extend(message.message.filter(|message| message.level == "error"));
    }
    if !output.status.success() && errors.is_empty() {
        return Err("cargo test --no-run failed".into());
    }
    errors.retain(|error| !error.spans.is_empty());
    Ok((programs, errors))
}
