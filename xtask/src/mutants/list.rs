//! The mutants that cargo-mutants makes of some files.

use crate::outputs::{cargo, starts};
use crate::{Error, Outcome};
use serde::Deserialize;

/// Kinds of change that make a mutant.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash)]
pub(super) enum Genre {
    /// A function returns a value at once.
    FnValue,
    /// A binary operator is replaced by another.
    BinaryOperator,
    /// A unary operator is removed.
    UnaryOperator,
    /// An arm of a match is removed.
    MatchArm,
    /// A guard always or never holds.
    MatchArmGuard,
    /// A field is taken from the base of a struct expression.
    StructField,
}

/// A place in a file, line and character from 1.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// The text that is replaced.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Span {
    pub(super) start: Position,
}

/// A mutant.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Mutant {
    /// Its number in the list.
    #[serde(skip)]
    pub(super) id: u32,
    pub(super) file: String,
    /// File, place and change, for a person.
    pub(super) name: String,
    pub(super) genre: Genre,
    pub(super) span: Span,
    pub(super) replacement: String,
}

/// The remedy if cargo-mutants is missing.
pub(super) fn check_tool() -> Outcome {
    let mut tool = cargo();
    tool.arg("mutants");
    if starts(tool) {
        return Ok(true);
    }
    Err("cargo-mutants is not there: cargo install cargo-mutants --locked".into())
}

/// The mutants of the files of a package that match one of the patterns, in the order of the files.
pub(super) fn mutants(package: &str, files: &[&str]) -> Result<Vec<Mutant>, Error> {
    let mut command = cargo();
    command.args(["mutants", "--list", "--json", "-p", package]);
    files.iter().for_each(|pattern| {
        command.args(["-f", pattern]);
    });
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("cargo mutants: {}", String::from_utf8_lossy(&output.stderr).trim()).into());
    }
    let mut mutants: Vec<Mutant> = serde_json::from_slice(&output.stdout)?;
    for (id, mutant) in mutants.iter_mut().enumerate() {
        mutant.id = id as u32;
    }
    Ok(mutants)
}
