//! The status of a path: complete, or the reason why it ends short of its goal.

/// The reason why a path ends short of the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialReason {
    /// No path leads to the goal.
    Unreachable,
    /// The filter excludes the goal's polygon.
    GoalExcluded,
    /// The search used up the query's nodes. A query with a larger limit may find a path.
    OutOfNodes,
}

impl std::fmt::Display for PartialReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            PartialReason::Unreachable => "no path leads to the goal",
            PartialReason::GoalExcluded => "the filter excludes the goal's polygon",
            PartialReason::OutOfNodes => "the search ran out of nodes; raise the query's limit",
        })
    }
}

/// The status of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStatus {
    /// The path reaches its goal.
    Complete,
    /// The path ends in the reached polygon with the smallest estimated distance to the goal.
    Partial(PartialReason),
}

impl Default for PathStatus {
    /// No path.
    fn default() -> PathStatus {
        PathStatus::Partial(PartialReason::Unreachable)
    }
}

impl PathStatus {
    /// The reason why the path ends short of the goal; `None` if it is complete.
    pub fn reason(self) -> Option<PartialReason> {
        match self {
            PathStatus::Complete => None,
            PathStatus::Partial(reason) => Some(reason),
        }
    }
}
