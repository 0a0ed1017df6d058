//! Lanes that take minutes are skipped if nothing has changed since their commands passed. A note in the
//! repository holds a digest of everything that they were built from.

use crate::outputs::{git, known_files, root};
use crate::{Error, Outcome};
use std::fs;
use std::process::Command;

/// The note of a command.
pub(crate) struct Note {
    /// Its file.
    pub(crate) path: &'static str,
    /// The files and folders that the command depends on, without the note.
    pub(crate) inputs: &'static [&'static str],
}

impl Note {
    /// Runs a command, and notes that it passed.
    pub(crate) fn noted(&self, command: impl FnOnce() -> Outcome) -> Outcome {
        let passed = command()?;
        if passed {
            fs::write(root().join(self.path), self.digest()?)?;
        }
        Ok(passed)
    }

    /// Runs a lane, but skips it if nothing has changed.
    pub(crate) fn unless_unchanged(&self, lane: impl FnOnce() -> Outcome) -> Outcome {
        if fs::read_to_string(root().join(self.path))
            .is_ok_and(|note| self.digest().is_ok_and(|now| note == now))
        {
            println!("left out: nothing that it is built from has changed since it passed, by {}", self.path);
            return Ok(true);
        }
        lane()
    }

    /// A digest of the compiler and of all inputs.
    fn digest(&self) -> Result<String, Error> {
        let rustc = Command::new("rustc").arg("-vV").output()?;
        let text = String::from_utf8_lossy(&rustc.stdout).into_owned();
        let names = known_files(self.inputs)?;
        // A file that was removed makes another list.
        let there: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| root().join(name).is_file()).collect();
        let digests = git(&[&["hash-object"], there.as_slice()].concat())?;
        let all = text + &there.join("\n") + "\n" + &digests;
        let digest = navmath::Hasher::new().write_u8s(all.as_bytes()).finish().0;
        Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_its_inputs() {
        let of = |inputs| Note { path: "", inputs }.digest().unwrap();
        assert_eq!(of(&["xtask/src"]), of(&["xtask/src"]));
        assert_ne!(of(&["xtask/src"]), of(&["xtask/Cargo.toml"]));
    }
}
