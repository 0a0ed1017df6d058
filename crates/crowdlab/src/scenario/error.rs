//! Errors of scenarios.

use crowd::CrowdError;
use std::fmt;
use std::ops::Range;
use thiserror::Error;

/// A fault in the text of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioProblem {
    /// Its line, from 1.
    pub line: usize,
    /// Byte range of the fault.
    pub span: Range<usize>,
    /// The value that was found, the value that was expected, and the remedy.
    pub what: String,
}

impl fmt::Display for ScenarioProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// A scenario that cannot be run.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ScenarioError {
    /// The text has faults; they are in the order of its lines.
    #[error("{}", .0.iter().map(|problem| problem.to_string()).collect::<Vec<_>>().join("\n"))]
    Text(Vec<ScenarioProblem>),
    /// The scenario does not fit the mesh.
    #[error("`{field}`: {what}; {remedy}")]
    Misfit {
        /// The key with the fault: `agents[1].start`.
        field: String,
        /// The fault.
        what: String,
        /// The remedy.
        remedy: &'static str,
    },
    /// The crowd rejected a call.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
}

impl ScenarioError {
    pub(super) fn misfit(field: String, what: impl Into<String>, remedy: &'static str) -> ScenarioError {
        ScenarioError::Misfit { field, what: what.into(), remedy }
    }
}
