//! Why a scenario cannot be run.

use crate::error::CrowdError;
use std::fmt;
use std::ops::Range;
use thiserror::Error;

/// One thing that is wrong with the text of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioProblem {
    /// Its line, from 1.
    pub line: usize,
    /// The bytes it is about.
    pub span: Range<usize>,
    /// The value found, the one expected, and the remedy.
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
    /// The text is wrong; the problems are in the order of its lines.
    #[error("{}", .0.iter().map(|problem| problem.to_string()).collect::<Vec<_>>().join("\n"))]
    Text(Vec<ScenarioProblem>),
    /// The scenario and the mesh do not go together.
    #[error("`{field}`: {what}; {remedy}")]
    Misfit {
        /// The key that is meant: `agents[1].start`.
        field: String,
        /// The fault.
        what: String,
        /// The remedy.
        remedy: &'static str,
    },
    /// The crowd refused a call.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
}

impl ScenarioError {
    pub(super) fn misfit(field: String, what: impl Into<String>, remedy: &'static str) -> ScenarioError {
        ScenarioError::Misfit { field, what: what.into(), remedy }
    }
}
