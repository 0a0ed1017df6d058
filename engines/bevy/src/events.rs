//! Events of meshes and agents: as messages, for systems that read many, and as events for observers.

use bevy_ecs::prelude::{Entity, EntityEvent, Message};
use bevy_reflect::Reflect;

/// Something happened to a [`NavWorld`](crate::NavWorld). A message, and an event of its entity.
#[derive(Message, EntityEvent, Reflect, Clone, Debug, PartialEq)]
#[reflect(Clone, PartialEq, Debug)]
pub struct NavMeshEvent {
    /// The entity with the [`NavWorld`](crate::NavWorld).
    pub entity: Entity,
    /// The kind of event.
    pub kind: NavMeshEventKind,
}

/// The kinds of events of meshes.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Clone, PartialEq, Debug)]
pub enum NavMeshEventKind {
    /// A mesh was built or loaded. Unchanged tiles are not counted.
    Ready {
        /// Number of tiles that are new, changed or removed.
        changed: usize,
    },
    /// Obstacles have changed tiles.
    Changed {
        /// Number of tiles.
        tiles: usize,
        /// Number of islands that were split, for example because a door has shut.
        parted: usize,
        /// Number of islands that were joined, for example because of a bridge.
        joined: usize,
    },
    /// A build was cancelled. The mesh is unchanged.
    Cancelled,
    /// A file could not be loaded, or a build or an obstacle failed. The text has the reason and the remedy.
    /// The mesh is unchanged.
    Failed(String),
}

/// Something happened to an agent. A message, and an event of its entity.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, PartialEq, Debug)]
pub struct NavAgentEvent {
    /// The agent.
    pub entity: Entity,
    /// The kind of event.
    pub kind: NavAgentEventKind,
}

/// The kinds of events of agents.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, PartialEq, Debug)]
pub enum NavAgentEventKind {
    /// The agent is at its target, or as near to it as the agents that are already there allow.
    Arrived,
    /// No path leads to the target, for this reason. The agent walks as near as it can. Reported once for
    /// each target and reason.
    NoPath(NoPathReason),
    /// The agent has made no progress towards its target for a while, for this reason.
    Stuck(StuckReason),
    /// The path is no longer valid. If the mesh changed, a new path is searched for; if the agent that it led
    /// to was removed, the agent has no target any more.
    PathLost,
    /// There is no ground near the agent. It waits until there is.
    GroundLost,
    /// The ground under the agent was removed, and it walks to the nearest remaining ground.
    SteppingOut,
    /// The ground under the agent was removed, and it falls to the ground below.
    Falling,
    /// The ground under the agent was removed, and it leaves the crowd. Its [`NavAgent`](crate::NavAgent) is
    /// removed.
    Removed,
    /// The agent is on ground again.
    GroundFound,
    /// The agent got another slot of its group, returned to its slot, or left it for a column because the
    /// slot has no room.
    SlotChanged {
        /// The slot's number. The slot nearest to the leader has number 0.
        slot: u32,
        /// True if it walks in a column after the leader.
        in_column: bool,
    },
    /// The agent stepped onto an off-mesh link.
    LinkEntered(LinkId),
    /// The agent stepped off an off-mesh link.
    LinkLeft(LinkId),
}

/// An off-mesh link.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, PartialEq, Debug)]
pub enum LinkId {
    /// The link of an entity with an [`OffMeshLink`](crate::OffMeshLink).
    Entity(Entity),
    /// A link from a file, by the number that its author gave it.
    User(u64),
    /// A link that the mesh no longer has.
    Gone,
}

/// The reason why no path leads to a target.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, PartialEq, Debug)]
pub enum NoPathReason {
    /// There is no ground at the target: within 2 m of it horizontally and 4 m in height.
    OffMesh,
    /// The target is on ground that cannot be reached.
    Unreachable,
    /// The agent's filter excludes the ground there.
    Excluded,
    /// The search used up its nodes; raise [`NavCrowdSettings::search_nodes`](crate::NavCrowdSettings).
    OutOfNodes,
}

/// The reason why an agent makes no progress.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, PartialEq, Debug)]
pub enum StuckReason {
    /// Other bodies block it.
    Crowded,
    /// It waits for an off-mesh link that other agents are on.
    LinkBusy,
    /// It is at the end of a path that does not lead to its target.
    NoWay,
    /// None of these.
    Slow,
}
