//! The events of a step, in the order of the agents.

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
    /// The agent is at its target, or as near to it as the agents that are already there allow.
    Arrived,
    /// The agent has hardly moved for [`CrowdSettings::stuck_after`](crate::CrowdSettings::stuck_after), or
    /// it moves to and fro and its remaining path gets no shorter. Time in a queue does not count for the
    /// second case. Sent again after each such period.
    Stuck(StuckCause),
    /// The path ends before the target, which cannot be reached for this reason.
    PathPartial(PartialReason),
    /// The path is no longer valid. If tiles or flags changed, a new path is searched for; if the agent that
    /// it led to was removed, the agent has no target any more.
    PathLost,
    /// The ground under the agent was removed, and the agent has no other ground to go to. It keeps still
    /// until it has.
    GroundLost,
    /// The ground under the agent was removed, and it walks to the nearest remaining ground.
    SteppingOut,
    /// The ground under the agent was removed, and it falls to the ground below.
    Falling,
    /// The ground under the agent was removed, and so was the agent. Its handle is invalid.
    Removed,
    /// The agent is on ground again.
    GroundFound,
    /// The agent got another slot of its group, returned to its slot, or left it for the column because the
    /// slot has no room.
    SlotChanged {
        /// The slot's number.
        slot: u32,
        /// True if it walks in a column after the leader.
        is_folded: bool,
    },
    /// The agent stepped onto an off-mesh link.
    LinkEntered(PolyRef),
    /// The agent stepped off an off-mesh link.
    LinkLeft(PolyRef),
}

/// The reason why an agent makes no progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StuckCause {
    /// Other bodies block it.
    Crowded,
    /// It waits for an off-mesh link that other agents are on.
    LinkBusy,
    /// It is at the end of a path that does not lead to its target.
    NoWay,
    /// None of these: it may be too slow for the time limit, or the ground forces a detour.
    Slow,
}
