//! Events of meshes and agents: messages for systems that read many, and the same as events for observers.

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
    /// A mesh is there: built, or loaded. Tiles that are as they were before are not counted.
    Ready {
        /// Tiles that are new or other than before, or gone.
        changed: usize,
    },
    /// Obstacles have changed tiles.
    Changed {
        /// How many tiles.
        tiles: usize,
        /// Islands that fell apart: a door has shut.
        parted: usize,
        /// Islands that became one: a bridge is there.
        joined: usize,
    },
    /// A build was given up. The mesh is as it was.
    Cancelled,
    /// A file cannot be loaded, a build or an obstacle failed; the text says why, and what to do. The mesh is as it was.
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
    /// It is at its target, or as near as those who stand there let it come.
    Arrived,
    /// There is no way to its target, for this reason. It goes as near as it can. Reported once for each target and reason.
    NoPath(NoPathReason),
    /// It has come no nearer to its target for a while, for this reason.
    Stuck(StuckReason),
    /// Its path is gone, since the mesh changed. A new one is searched for.
    PathLost,
    /// There is no ground near it. It waits until there is.
    GroundLost,
    /// The ground under it was taken, and it walks to the nearest that is left.
    SteppingOut,
    /// It stands on ground again.
    GroundFound,
    /// It was given another slot of its group, goes to its slot again, or left it for a column as there is no room for it.
    SlotChanged {
        /// The slot's number: of the nearest to the leader, 0.
        slot: u32,
        /// Whether it goes in a column behind the leader.
        in_column: bool,
    },
    /// It stepped onto an off-mesh link.
    LinkEntered(LinkId),
    /// It came off an off-mesh link.
    LinkLeft(LinkId),
}

/// Which off-mesh link.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, PartialEq, Debug)]
pub enum LinkId {
    /// The link of an entity with an [`OffMeshLink`](crate::OffMeshLink).
    Entity(Entity),
    /// One of a file, by the number that its author gave it.
    User(u64),
    /// One that the mesh has not any more.
    Gone,
}

/// Why there is no way to a target.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, PartialEq, Debug)]
pub enum NoPathReason {
    /// There is no ground at the target: within 2 m of it across and 4 m in height.
    OffMesh,
    /// It is on ground that cannot be reached.
    Unreachable,
    /// The agent's filter excludes the ground there.
    Excluded,
    /// The search used up its nodes; raise [`NavCrowdSettings::search_nodes`](crate::NavCrowdSettings).
    OutOfNodes,
}

/// Why an agent makes no progress.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Clone, PartialEq, Debug)]
pub enum StuckReason {
    /// Others are in its way.
    Crowded,
    /// It waits for an off-mesh link that others are on.
    LinkBusy,
    /// It stands at the end of a path that does not lead to its target.
    NoWay,
    /// None of these.
    Slow,
}
