//! The repository's root, and files that are generated there: written if they changed, or only compared.

use crate::{Error, Outcome};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The folder that cargo builds in.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Cargo, started at the repository's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Returns true if a program starts: it is asked for its version.
pub(crate) fn starts(mut command: Command) -> bool {
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs cargo at the root. Returns true if it succeeded.
pub(crate) fn run_cargo<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Outcome {
    let status = cargo().args(arguments).status();
    Ok(status.map_err(|error| format!("starting cargo: {error}"))?.success())
}

/// The output of git at the root.
pub(crate) fn git(arguments: &[&str]) -> Result<String, Error> {
    let output = Command::new("git").args(arguments).current_dir(root()).output();
    let output = output.map_err(|error| format!("starting git: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("git {}: {}", arguments[0], said.trim()).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The files that git knows, or would add, in these folders; everywhere if `folders` is empty.
pub(crate) fn known_files(folders: &[&str]) -> Result<Vec<String>, Error> {
    let listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let names = git(&[&listed[..], folders].concat())?;
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// Generated files under one root, written or compared one by one.
pub(crate) struct Outputs {
    root: PathBuf,
    write: bool,
    seen: BTreeSet<PathBuf>,
    changed: Vec<String>,
}

impl Outputs {
    /// Files below `root`. If `write`, files that differ are written, otherwise only compared.
    pub(crate) fn new(root: PathBuf, write: bool) -> Outputs {
        Outputs { root, write, seen: BTreeSet::new(), changed: Vec::new() }
    }

    /// The expected content of a file; `path` is relative to the root, with forward slashes.
    pub(crate) fn put(&mut self, path: &str, content: &[u8]) -> Result<(), Error> {
        let full = self.root.join(path);
        self.seen.insert(full.clone());
        let old = match fs::read(&full) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(format!("reading {path}: {error}").into()),
        };
        if old.as_deref() == Some(content) {
            return Ok(());
        }
        self.changed.push(match (self.write, old.is_some()) {
            (true, true) => format!("{path}: changed"),
            (true, false) => format!("{path}: new"),
            (false, true) => format!("{path}: differs"),
            (false, false) => format!("{path}: missing"),
        });
        if self.write {
            let folder = full.parent().unwrap_or(&self.root);
            fs::create_dir_all(folder).map_err(|error| format!("making the folder of {path}: {error}"))?;
            fs::write(&full, content).map_err(|error| format!("writing {path}: {error}"))?;
        }
        Ok(())
    }

    /// Removes, or reports, files below `folder` that end in `.extension` and have not been put.
    pub(crate) fn no_others(&mut self, folder: &str, extension: &str) -> Result<(), Error> {
        let mut left = vec![self.root.join(folder)];
        while let Some(folder) = left.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(format!("reading {}: {error}", folder.display()).into()),
            };
            for entry in entries {
                let path = entry?.path();
                if path.is_dir() {
                    left.push(path);
                } else if path.extension().is_some_and(|own| own == extension) && !self.seen.contains(&path) {
                    let name = path.strip_prefix(&self.root).unwrap_or(&path).display().to_string();
                    self.changed.push(format!("{name}: no longer made"));
                    if self.write {
                        fs::remove_file(&path).map_err(|error| format!("removing {name}: {error}"))?;
                    }
                }
            }
        }
        self.changed.sort();
        Ok(())
    }

    /// Files that were changed or are out of date.
    #[cfg(test)]
    pub(crate) fn changed(&self) -> &[String] {
        &self.changed
    }

    /// Prints the files that were changed or are out of date. Returns true if all is well now. `remedy` is
    /// the command to run.
    pub(crate) fn report(&self, remedy: &str) -> bool {
        for line in &self.changed {
            println!("{line}");
        }
        let well = self.write || self.changed.is_empty();
        if well {
            println!("{} files, {} changed", self.seen.len(), self.changed.len());
        } else {
            println!("{} of {} files are out of date: run `{remedy}`", self.changed.len(), self.seen.len());
        }
        well
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_compared_and_removed() {
        let folder = std::env::temp_dir().join(format!("xtask-outputs-{}", std::process::id()));
        let pass = |write: bool, content: &str, names: &[&str]| {
            let mut outputs = Outputs::new(folder.clone(), write);
            for name in names {
                outputs.put(name, content.as_bytes()).unwrap();
            }
            outputs.no_others("a", "txt").unwrap();
            outputs.changed().to_vec()
        };
        assert_eq!(pass(false, "1", &["a/x.txt"]), ["a/x.txt: missing"]);
        assert_eq!(pass(true, "1", &["a/x.txt", "a/b/y.txt"]), ["a/b/y.txt: new", "a/x.txt: new"]);
        assert!(pass(false, "1", &["a/x.txt", "a/b/y.txt"]).is_empty());
        assert_eq!(pass(false, "2", &["a/x.txt"]), ["a/b/y.txt: no longer made", "a/x.txt: differs"]);
        assert_eq!(pass(true, "1", &["a/x.txt"]), ["a/b/y.txt: no longer made"]);
        assert!(pass(false, "1", &["a/x.txt"]).is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }
}
