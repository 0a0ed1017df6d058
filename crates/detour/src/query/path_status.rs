//! Whether a path reaches its goal, and if not, why.

/// Why a path ends short of the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialReason {
    /// No path leads there.
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

/// Whether a path reaches its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStatus {
    /// It does.
    Complete,
    /// It ends in the polygon, among those reached, from which the goal seems nearest.
    Partial(PartialReason),
}

impl Default for PathStatus {
    /// No path.
    fn default() -> PathStatus {
        PathStatus::Partial(PartialReason::Unreachable)
    }
}

impl PathStatus {
    /// Why the path ends short of the goal; `None` if it does not.
    pub fn reason(self) -> Option<PartialReason> {
        match self {
            PathStatus::Complete => None,
            PathStatus::Partial(reason) => Some(reason),
        }
    }
}
