//! Errors of scenarios.

use crowd::CrowdError;
use navinput::InputError;
use thiserror::Error;

/// A scenario that cannot be run.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ScenarioError {
    /// The text has faults.
    #[error(transparent)]
    Text(#[from] InputError),
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
