//! The events of a step: values, in the order of the agents.

use crate::ids::AgentId;
use detour::{PartialReason, PolyRef};

/// Something that happened to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The agent.
    pub agent: AgentId,
    /// The kind of event.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// It is at its target, or as near as those who stand there let it come.
    Arrived,
    /// The agent has hardly moved for [`CrowdSettings::stuck_after`](crate::CrowdSettings::stuck_after), or it moves to and fro
    /// and the rest of its path gets no shorter. Time in a queue does not count for that. Sent again after each such time.
    Stuck(StuckCause),
    /// Its path ends before its target, which it cannot reach, for this reason.
    PathPartial(PartialReason),
    /// Its path is gone: tiles or flags changed. A new one is searched for.
    PathLost,
    /// Tiles were taken away under it, and there is no ground near; it stands still until there is.
    GroundLost,
    /// The ground under it was taken, and it walks to the nearest that is left.
    SteppingOut,
    /// It stands on ground again.
    GroundFound,
    /// It was given another slot of its group, or goes to its slot again, or left it for a column as there is no room for it.
    SlotChanged {
        /// The slot's number.
        slot: u32,
        /// Whether it goes in a column behind the leader.
        is_folded: bool,
    },
    /// It stepped onto an off-mesh link.
    LinkEntered(PolyRef),
    /// It came off an off-mesh link.
    LinkLeft(PolyRef),
}

/// Why an agent makes no progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StuckCause {
    /// Others are in its way.
    Crowded,
    /// It waits for an off-mesh link that others are on.
    LinkBusy,
    /// It stands at the end of a path that does not lead to its target.
    NoWay,
    /// None of these: it may be too slow for its time, or the ground leads it round.
    Slow,
}
