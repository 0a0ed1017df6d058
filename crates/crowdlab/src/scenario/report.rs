//! The figures of a run.

use super::flow::Flow;
use crate::trial::TrialReport;

/// The figures of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunReport {
    /// The figures of the agents.
    pub trial: TrialReport,
    /// The figures of the gates.
    pub flows: Vec<Flow>,
}
