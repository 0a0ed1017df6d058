//! Crowds.

use crate::agent::NtAgentParams;
use crate::bake::BYTES;
use crate::mesh::snapshot;
use crate::pointers::{Options, fill, present, sized, slice, write};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::table::Table;
use crate::types::{NtBytes, NtCrowd, NtFilter, NtMesh, NtPlace, NtPolyRef, NtVec3, place};
use bytemuck::{Pod, Zeroable};
use crowd::{
    AgentId, AgentState, AgentView, Crowd, CrowdSettings, Event, EventKind, FilterKind, HoldUp, HoldUpCause,
    StuckCause, Target,
};
use detour::Vec3;
use std::mem::MaybeUninit;

pub(crate) static CROWDS: Table<Walkers> = Table::new(5, "crowd");

#[derive(Debug)]
pub(crate) struct Walkers {
    pub(crate) crowd: Crowd,
    /// Filters in the order in which they were added.
    pub(crate) filters: Vec<FilterKind>,
    /// Events of the last step.
    events: Vec<Event>,
}

/// An agent of a crowd; 0 means no agent. The handle of a removed agent is invalid.
pub type NtAgent = u64;

/// Settings of a crowd. Set them by nt_crowd_settings_init before you change them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct NtCrowdSettings {
    /// Size of this struct, bytes.
    pub size: u32,
    /// Number of polygons that all path searches together may visit in a step. At least 1.
    pub search_nodes: u32,
    /// Avoidance is computed for each agent in every n-th step. At least 1.
    pub avoid_every: u32,
    /// Agents far from all points of interest are steered in every n-th step, and walk straight in between. 1
    /// to 60.
    pub far_every: u32,
    /// An agent that has made no progress towards its target for this long is stuck, seconds.
    pub stuck_after: f32,
    /// Number of nodes that the search for a field may use, about three for each polygon that it reaches. At
    /// least 1.
    pub field_nodes: u32,
    /// Length of the detour that agents accept around a passage that a body holds, metres: a body that has
    /// kept still for a second and does not step aside, such as a kinematic agent in a doorway. At 0 paths
    /// ignore bodies.
    pub held_detour: f32,
}

/// States of an agent.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NtAgentState {
    NT_AGENT_IDLE = 0,
    /// Its path is being searched for.
    NT_AGENT_SEARCHING = 1,
    NT_AGENT_WALKING = 2,
    NT_AGENT_ARRIVED = 3,
    /// At the start of an off-mesh link that other agents are using.
    NT_AGENT_WAITING = 4,
    NT_AGENT_ON_LINK = 5,
    /// There is no ground under the agent.
    NT_AGENT_LOST = 6,
    /// The ground under the agent was removed, and it leaves that place.
    NT_AGENT_STEPPING_OUT = 7,
    /// The ground under the agent was removed, and it falls to the ground below.
    NT_AGENT_FALLING = 8,
    /// The caller carries the agent: see nt_crowd_carry.
    NT_AGENT_CARRIED = 9,
}

/// An agent as it is after a step.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtAgentView {
    pub agent: NtAgent,
    pub place: NtPlace,
    /// Metres a second.
    pub velocity: NtVec3,
    /// A horizontal unit vector.
    pub heading: NtVec3,
    pub state: NtAgentState,
    /// The off-mesh link that the agent waits for or is using; 0 without one.
    pub link: NtPolyRef,
}

/// The kinds of events.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NtEventKind {
    NT_EVENT_ARRIVED = 0,
    /// Other agents block the agent, and it makes no progress.
    NT_EVENT_STUCK_CROWDED = 1,
    /// The agent waits for a busy off-mesh link.
    NT_EVENT_STUCK_LINK_BUSY = 2,
    /// The agent is at the end of a path that does not lead to its target.
    NT_EVENT_STUCK_NO_WAY = 3,
    NT_EVENT_STUCK_SLOW = 4,
    /// The agent's path ends before its target.
    NT_EVENT_PATH_PARTIAL = 5,
    /// Tiles or flags changed, and a search for a new path begins; or the agent that it pursued was removed.
    NT_EVENT_PATH_LOST = 6,
    NT_EVENT_GROUND_LOST = 7,
    NT_EVENT_GROUND_FOUND = 8,
    NT_EVENT_STEPPING_OUT = 9,
    NT_EVENT_SLOT_CHANGED = 10,
    NT_EVENT_LINK_ENTERED = 11,
    NT_EVENT_LINK_LEFT = 12,
    NT_EVENT_FALLING = 13,
    /// The ground under the agent was removed, and so was the agent. Its handle is invalid.
    NT_EVENT_REMOVED = 14,
}

/// Something that happened to an agent.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtEvent {
    pub agent: NtAgent,
    pub kind: NtEventKind,
    /// The link that was entered or left; 0 for other events.
    pub link: NtPolyRef,
}

/// The reasons why an agent is held up.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NtHoldUpCause {
    /// Another body blocks it.
    NT_HELD_CROWDED = 1,
    /// It makes room in a jam for another agent, which goes first.
    NT_HELD_RIGHT_OF_WAY = 2,
    /// It waits for an off-mesh link that another agent is on.
    NT_HELD_LINK_BUSY = 3,
    /// It leads a group and waits for its followers.
    NT_HELD_FOLLOWERS = 4,
    /// Its path is being searched for.
    NT_HELD_SEARCHING = 5,
    /// No path leads to its target, and it is as near to the target as it can get.
    NT_HELD_NO_WAY = 6,
    /// There is no ground under it.
    NT_HELD_GROUND_LOST = 7,
}

/// The reason why an agent is held up.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtHoldUp {
    /// The agent that it waits for; 0 if it waits for something else, such as a disc, or for nobody.
    pub by: NtAgent,
    pub cause: NtHoldUpCause,
}

impl Options for NtCrowdSettings {
    fn defaults() -> NtCrowdSettings {
        let own = CrowdSettings::default();
        NtCrowdSettings {
            size: size_of::<NtCrowdSettings>() as u32,
            search_nodes: own.search_nodes,
            avoid_every: own.avoid_every,
            far_every: own.far_every,
            stuck_after: own.stuck_after,
            field_nodes: own.field_nodes,
            held_detour: own.held_detour,
        }
    }
}

pub(crate) fn with(crowd: NtCrowd, work: impl FnOnce(&mut Walkers) -> Answer<()>) -> NtStatus {
    call(|| CROWDS.with(crowd.id, work))
}

fn view(agent: AgentId, of: &AgentView) -> NtAgentView {
    let (state, link) = match of.state {
        AgentState::Idle => (NtAgentState::NT_AGENT_IDLE, None),
        AgentState::Searching => (NtAgentState::NT_AGENT_SEARCHING, None),
        AgentState::Walking => (NtAgentState::NT_AGENT_WALKING, None),
        AgentState::Arrived => (NtAgentState::NT_AGENT_ARRIVED, None),
        AgentState::Waiting(link) => (NtAgentState::NT_AGENT_WAITING, Some(link)),
        AgentState::OnLink(link) => (NtAgentState::NT_AGENT_ON_LINK, Some(link)),
        AgentState::Lost => (NtAgentState::NT_AGENT_LOST, None),
        AgentState::SteppingOut => (NtAgentState::NT_AGENT_STEPPING_OUT, None),
        AgentState::Falling => (NtAgentState::NT_AGENT_FALLING, None),
        AgentState::Carried => (NtAgentState::NT_AGENT_CARRIED, None),
    };
    NtAgentView {
        agent: agent.to_bits(),
        place: NtPlace { polygon: of.polygon.to_bits(), point: of.position.into() },
        velocity: of.velocity.into(),
        heading: of.heading.into(),
        state,
        link: link.map_or(0, |link| link.to_bits()),
    }
}

fn hold_up(of: &HoldUp) -> NtHoldUp {
    let cause = match of.cause {
        HoldUpCause::Crowded => NtHoldUpCause::NT_HELD_CROWDED,
        HoldUpCause::RightOfWay => NtHoldUpCause::NT_HELD_RIGHT_OF_WAY,
        HoldUpCause::LinkBusy => NtHoldUpCause::NT_HELD_LINK_BUSY,
        HoldUpCause::Followers => NtHoldUpCause::NT_HELD_FOLLOWERS,
        HoldUpCause::Searching => NtHoldUpCause::NT_HELD_SEARCHING,
        HoldUpCause::NoWay => NtHoldUpCause::NT_HELD_NO_WAY,
        HoldUpCause::GroundLost => NtHoldUpCause::NT_HELD_GROUND_LOST,
    };
    NtHoldUp { by: of.by.map_or(0, AgentId::to_bits), cause }
}

fn event(of: &Event) -> NtEvent {
    let (kind, link) = match of.kind {
        EventKind::Arrived => (NtEventKind::NT_EVENT_ARRIVED, None),
        EventKind::Stuck(StuckCause::Crowded) => (NtEventKind::NT_EVENT_STUCK_CROWDED, None),
        EventKind::Stuck(StuckCause::LinkBusy) => (NtEventKind::NT_EVENT_STUCK_LINK_BUSY, None),
        EventKind::Stuck(StuckCause::NoWay) => (NtEventKind::NT_EVENT_STUCK_NO_WAY, None),
        EventKind::Stuck(StuckCause::Slow) => (NtEventKind::NT_EVENT_STUCK_SLOW, None),
        EventKind::PathPartial(_) => (NtEventKind::NT_EVENT_PATH_PARTIAL, None),
        EventKind::PathLost => (NtEventKind::NT_EVENT_PATH_LOST, None),
        EventKind::GroundLost => (NtEventKind::NT_EVENT_GROUND_LOST, None),
        EventKind::GroundFound => (NtEventKind::NT_EVENT_GROUND_FOUND, None),
        EventKind::SteppingOut => (NtEventKind::NT_EVENT_STEPPING_OUT, None),
        EventKind::Falling => (NtEventKind::NT_EVENT_FALLING, None),
        EventKind::Removed => (NtEventKind::NT_EVENT_REMOVED, None),
        EventKind::SlotChanged { .. } => (NtEventKind::NT_EVENT_SLOT_CHANGED, None),
        EventKind::LinkEntered(link) => (NtEventKind::NT_EVENT_LINK_ENTERED, Some(link)),
        EventKind::LinkLeft(link) => (NtEventKind::NT_EVENT_LINK_LEFT, Some(link)),
    };
    NtEvent { agent: of.agent.to_bits(), kind, link: link.map_or(0, |link| link.to_bits()) }
}

/// Sets the settings to the library's defaults.
/// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_settings_init(settings: Option<&mut MaybeUninit<NtCrowdSettings>>) -> NtStatus {
    call(|| write(settings, "settings", NtCrowdSettings::defaults()))
}

/// Makes a crowd without agents; NULL for the library's default settings. Equal calls give equal positions,
/// bit for bit, on every machine and with any number of threads.
/// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_new(
    settings: *const NtCrowdSettings,
    out: Option<&mut MaybeUninit<NtCrowd>>,
) -> NtStatus {
    call(|| {
        let out = present(out)?;
        let given = sized(settings, "settings")?;
        let crowd = Crowd::new(CrowdSettings {
            search_nodes: given.search_nodes,
            avoid_every: given.avoid_every,
            far_every: given.far_every,
            stuck_after: given.stuck_after,
            field_nodes: given.field_nodes,
            held_detour: given.held_detour,
        })?;
        let walkers = Walkers { crowd, filters: Vec::new(), events: Vec::new() };
        out.write(NtCrowd { id: CROWDS.add(walkers)? });
        Ok(())
    })
}

/// Frees a crowd with its agents.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_free(crowd: NtCrowd) -> NtStatus {
    call(|| CROWDS.remove(crowd.id).map(drop))
}

/// Adds a copy of a filter for the field `filter` of agents' properties. The first filter has the number 1.
/// Returns NT_OK, NT_ERROR_ARGUMENT (there are 255), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_add_filter(
    crowd: NtCrowd,
    filter: NtFilter,
    out: Option<&mut MaybeUninit<u32>>,
) -> NtStatus {
    call(|| {
        let filter = crate::mesh::FILTERS.with(filter.id, |filter| Ok(filter.clone()))?;
        CROWDS.with(crowd.id, |walkers| {
            walkers.filters.push(walkers.crowd.add_filter(filter)?);
            write(out, "out", walkers.filters.len() as u32)
        })
    })
}

/// Sets the speed of agents with a filter in an area, such as stairs: shares of their own speed, 0.01 to 1,
/// if their path leads up, or is level, and if it leads down. Filter 0 lets everything pass.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such filter, or a share out of its range), NT_ERROR_HANDLE. Any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_set_area_speed(
    crowd: NtCrowd,
    filter: u32,
    area: u8,
    up: f32,
    down: f32,
) -> NtStatus {
    with(crowd, |walkers| {
        let kind = crate::agent::filter_kind(&walkers.filters, filter)?;
        Ok(walkers.crowd.set_area_speed(kind, area, up, down)?)
    })
}

/// Adds an agent on the ground nearest to a position; NULL for a walking person.
/// Returns NT_OK, NT_ERROR_ARGUMENT (a property out of its range, or no ground near), NT_ERROR_HANDLE. Any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_add(
    crowd: NtCrowd,
    mesh: NtMesh,
    position: NtVec3,
    params: *const NtAgentParams,
    out: Option<&mut MaybeUninit<NtAgent>>,
) -> NtStatus {
    call(|| {
        let out = present(out)?;
        let (mesh, params) = (snapshot(mesh)?, sized(params, "params")?);
        CROWDS.with(crowd.id, |walkers| {
            let params = params.params(&walkers.filters)?;
            let agent = walkers.crowd.add(&mesh.mesh, position.into(), &params)?;
            out.write(agent.to_bits());
            Ok(())
        })
    })
}

/// Changes the properties of an agent.
/// Returns NT_OK, NT_ERROR_ARGUMENT (out of range, or no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_set_params(
    crowd: NtCrowd,
    agent: NtAgent,
    params: *const NtAgentParams,
) -> NtStatus {
    with(crowd, |walkers| {
        let params = sized(params, "params")?.params(&walkers.filters)?;
        Ok(walkers.crowd.set_params(AgentId::from_bits(agent), &params)?)
    })
}

/// Removes an agent.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_remove(crowd: NtCrowd, agent: NtAgent) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.remove(AgentId::from_bits(agent))?))
}

pub(crate) fn send(crowd: NtCrowd, agent: NtAgent, target: Target) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.set_target(AgentId::from_bits(agent), target)?))
}

/// Sends an agent to a place on the mesh, for example from nt_query_nearest.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_send(crowd: NtCrowd, agent: NtAgent, to: NtPlace) -> NtStatus {
    match place(to) {
        Ok(to) => send(crowd, agent, Target::Place(to)),
        Err(fault) => call(|| Err(fault)),
    }
}

/// Lets an agent follow another one wherever it moves.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_chase(crowd: NtCrowd, agent: NtAgent, other: NtAgent) -> NtStatus {
    send(crowd, agent, Target::Agent(AgentId::from_bits(other)))
}

/// Lets an agent walk at a horizontal velocity, metres a second. It slides along walls that block it.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_set_velocity(crowd: NtCrowd, agent: NtAgent, x: f32, z: f32) -> NtStatus {
    send(crowd, agent, Target::Velocity([x, z].into()))
}

/// Stops an agent. It keeps its place, and steps aside for others.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_stop(crowd: NtCrowd, agent: NtAgent) -> NtStatus {
    send(crowd, agent, Target::None)
}

/// Moves an agent with a link_speed of 0 to the far end of its off-mesh link, after its animation has ended.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or on no link), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_finish_link(crowd: NtCrowd, agent: NtAgent) -> NtStatus {
    with(crowd, |Walkers { crowd, events, .. }| Ok(crowd.finish_link(AgentId::from_bits(agent), events)?))
}

/// Sets the points of interest. Agents farther than `radius` from all of them are steered less often. Without
/// points, all agents are steered in every step.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_set_interest(
    crowd: NtCrowd,
    points: *const NtVec3,
    count: usize,
    radius: f32,
) -> NtStatus {
    with(crowd, |walkers| {
        let points: Vec<Vec3> = slice(points, count, "points")?.iter().map(|point| (*point).into()).collect();
        Ok(walkers.crowd.set_points_of_interest(&points, radius)?)
    })
}

/// Moves all agents by `seconds` on the current mesh: one step of the game, of the same length each time.
/// Works on the threads of the library's pool.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_step(crowd: NtCrowd, mesh: NtMesh, seconds: f32) -> NtStatus {
    call(|| {
        let mesh = snapshot(mesh)?;
        CROWDS.with(crowd.id, |Walkers { crowd, events, .. }| {
            events.clear();
            Ok(crowd.step(&mesh.mesh, seconds, events)?)
        })
    })
}

/// Writes all agents, in the order of their slots in the crowd, into an array of `capacity` views.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_agents(
    crowd: NtCrowd,
    out: *mut NtAgentView,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(crowd, |Walkers { crowd, .. }| {
        let see = |agent: AgentId| Ok(view(agent, &crowd.agent(agent)?));
        let views: Vec<NtAgentView> = crowd.agents().map(see).collect::<Answer<_>>()?;
        fill(out, capacity, count, views.into_iter())
    })
}

/// Writes one agent.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_agent(
    crowd: NtCrowd,
    agent: NtAgent,
    out: Option<&mut MaybeUninit<NtAgentView>>,
) -> NtStatus {
    with(crowd, |walkers| {
        let agent = AgentId::from_bits(agent);
        write(out, "out", view(agent, &walkers.crowd.agent(agent)?))
    })
}

/// Writes the reason why an agent was much slower in the last step than it wanted to be. Costs about as much
/// as a search for neighbours.
/// Returns NT_OK, NT_NOT_FOUND (nothing holds it up, or it does not want to walk), NT_ERROR_ARGUMENT (no such
/// agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_hold_up(
    crowd: NtCrowd,
    agent: NtAgent,
    out: Option<&mut MaybeUninit<NtHoldUp>>,
) -> NtStatus {
    with(crowd, |walkers| {
        let held = walkers.crowd.hold_up(AgentId::from_bits(agent))?;
        write(out, "out", hold_up(&held.ok_or_else(|| Fault::not_found("nothing holds the agent up"))?))
    })
}

/// Writes the known polygons and off-mesh links from an agent to its target into an array of `capacity`
/// references, for debug views.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_corridor(
    crowd: NtCrowd,
    agent: NtAgent,
    out: *mut NtPolyRef,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(crowd, |walkers| {
        let corridor = walkers.crowd.corridor(AgentId::from_bits(agent))?;
        fill(out, capacity, count, corridor.polygons().iter().map(|polygon| polygon.to_bits()))
    })
}

/// Writes the events of the last step, in the order of the agents, into an array of `capacity` events.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_events(
    crowd: NtCrowd,
    out: *mut NtEvent,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(crowd, |walkers| fill(out, capacity, count, walkers.events.iter().map(event)))
}

/// Writes a hash of all positions and velocities. A run has the same hash on every machine.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_hash(crowd: NtCrowd, out: Option<&mut MaybeUninit<u64>>) -> NtStatus {
    with(crowd, |walkers| write(out, "out", walkers.crowd.hash()))
}

/// Saves the crowd as bytes for nt_crowd_restore, for saved games or rollback.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_save(crowd: NtCrowd, out: Option<&mut MaybeUninit<NtBytes>>) -> NtStatus {
    call(|| {
        let out = present(out)?;
        let bytes = CROWDS.with(crowd.id, |walkers| Ok(walkers.crowd.save()))?;
        out.write(NtBytes { id: BYTES.add(bytes.into())? });
        Ok(())
    })
}

/// Continues from bytes of nt_crowd_save, bit for bit. The crowd must have the same filters, and the mesh
/// must be the same.
/// Returns NT_OK, NT_ERROR_ARGUMENT (the bytes are not those of a crowd; nothing changes), NT_ERROR_HANDLE.
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_restore(
    crowd: NtCrowd,
    mesh: NtMesh,
    bytes: *const u8,
    length: usize,
) -> NtStatus {
    call(|| {
        let (mesh, bytes) = (snapshot(mesh)?, slice(bytes, length, "bytes")?);
        CROWDS.with(crowd.id, |Walkers { crowd, events, .. }| {
            events.clear();
            Ok(crowd.restore(&mesh.mesh, bytes)?)
        })
    })
}
