//! Groups in formation, shared fields and exits of crowds, kinematic agents, and discs.

use crate::agent::{NtAgentParams, filter_kind};
use crate::crowd::{NtAgent, Walkers, send, with};
use crate::mesh::snapshot;
use crate::pointers::{fill, present, slice, write};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::types::{NtCrowd, NtMesh, NtPlace, NtVec3, place};
use crowd::{AgentId, Exit, ExitsId, FieldId, Formation, GroupId, MovingDisc, Target};
use detour::Place;
use std::mem::MaybeUninit;

/// A group of agents of a crowd. The handle of a dissolved group is invalid.
pub type NtGroup = u64;
/// A field of a crowd. The handle of a removed field is invalid.
pub type NtCrowdField = u64;
/// Exits of a crowd that were added together. The handle of removed exits is invalid.
pub type NtCrowdExits = u64;

/// Side by side, the leader in the middle.
pub const NT_FORMATION_LINE: u32 = 0;
/// One behind another.
pub const NT_FORMATION_COLUMN: u32 = 1;
/// A wedge with the leader at its tip.
pub const NT_FORMATION_WEDGE: u32 = 2;
/// Rows of the same length, the leader in the middle of the first.
pub const NT_FORMATION_BOX: u32 = 3;
/// Slots that the caller sets by nt_crowd_set_slots.
pub const NT_FORMATION_OWN: u32 = 4;

/// A group as it is now. Its followers are read by nt_crowd_followers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtGroupView {
    pub leader: NtAgent,
    pub followers: u32,
    /// NT_FORMATION_LINE and so on.
    pub formation: u32,
    /// Distance between neighbours, metres.
    pub spacing: f32,
}

/// The slot of a follower in its group.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtSlot {
    /// The position that the agent is sent to: the slot, or a place in the leader's track if there is no room
    /// for the slot.
    pub position: NtVec3,
    /// Number of the slot: 0 for the slot nearest to the leader.
    pub number: u32,
    /// 1 if the agent follows the leader's track.
    pub is_folded: u8,
}

/// An exit that agents of a crowd may choose.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtExit {
    /// Behind the exit: an agent is through when it arrives there. Agents that have arrived are around it.
    pub place: NtPlace,
    /// Number of agents that the exit lets through per second, 0.001 to 1000: for people, about 1.3 for each
    /// metre of its width.
    pub rate: f32,
}

/// A moving disc that agents avoid and the caller moves: a cart, a player.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtDisc {
    /// Centre of the disc, at its bottom.
    pub position: NtVec3,
    /// Metres a second.
    pub velocity: NtVec3,
    /// Metres, 0 to 100.
    pub radius: f32,
    pub height: f32,
    /// The layers that the disc is on: one bit for each.
    pub layers: u32,
}

fn formation(number: u32) -> Answer<Formation> {
    Ok(match number {
        NT_FORMATION_LINE => Formation::Line,
        NT_FORMATION_COLUMN => Formation::Column,
        NT_FORMATION_WEDGE => Formation::Wedge,
        NT_FORMATION_BOX => Formation::Box,
        other => return Err(Fault::argument(format!("formation is {other}: 0 to 3"))),
    })
}

/// Makes a group. The followers keep their slots around the leader. The leader walks at the pace of the
/// slowest follower, and waits for stragglers. `form` is NT_FORMATION_LINE, NT_FORMATION_COLUMN,
/// NT_FORMATION_WEDGE or NT_FORMATION_BOX; `spacing` is the distance between neighbours, metres. An agent can
/// be in one group; up to 255 can follow one leader.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or in a group already), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_add_group(
    crowd: NtCrowd,
    leader: NtAgent,
    followers: *const NtAgent,
    count: usize,
    form: u32,
    spacing: f32,
    out: Option<&mut MaybeUninit<NtGroup>>,
) -> NtStatus {
    with(crowd, |Walkers { crowd, .. }| {
        let out = present(out)?;
        let followers = slice(followers, count, "followers")?.iter();
        let followers: Vec<AgentId> = followers.map(|follower| AgentId::from_bits(*follower)).collect();
        let group = crowd.add_group(AgentId::from_bits(leader), &followers, formation(form)?, spacing)?;
        out.write(group.to_bits());
        Ok(())
    })
}

/// Sends the leader of a group to a place. Its followers come with it.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_send_group(crowd: NtCrowd, group: NtGroup, to: NtPlace) -> NtStatus {
    with(crowd, |walkers| {
        let to = Target::Place(place(to)?);
        Ok(walkers.crowd.send_group(GroupId::from_bits(group), to)?)
    })
}

/// Changes the formation of a group, and assigns each slot to a follower near it. `form` and `spacing` as in
/// nt_crowd_add_group.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_set_formation(
    crowd: NtCrowd,
    group: NtGroup,
    form: u32,
    spacing: f32,
) -> NtStatus {
    with(crowd, |walkers| {
        Ok(walkers.crowd.set_formation(GroupId::from_bits(group), formation(form)?, spacing)?)
    })
}

/// Sets custom slots for a group: `count` pairs of metres from the leader, to the right of its direction and
/// along it. Followers without a slot walk in a column, `spacing` metres apart.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_set_slots(
    crowd: NtCrowd,
    group: NtGroup,
    slots: *const f32,
    count: usize,
    spacing: f32,
) -> NtStatus {
    with(crowd, |walkers| {
        let length = count.checked_mul(2).ok_or_else(|| Fault::argument("slots are too many"))?;
        let slots: &[[f32; 2]] = slice(slots, length, "slots")?.as_chunks().0;
        let own = Formation::Own(slots.iter().map(|slot| (*slot).into()).collect());
        Ok(walkers.crowd.set_formation(GroupId::from_bits(group), own, spacing)?)
    })
}

/// Adds a follower to a group.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such group or agent, or in a group already), NT_ERROR_HANDLE. Any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_join(crowd: NtCrowd, group: NtGroup, agent: NtAgent) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.join(GroupId::from_bits(group), AgentId::from_bits(agent))?))
}

/// Takes an agent out of its group, if it is in one. The agent stops. If the agent was the leader, the
/// follower in the first slot replaces it.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_leave_group(crowd: NtCrowd, agent: NtAgent) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.leave_group(AgentId::from_bits(agent))?))
}

/// Dissolves a group. Its followers have no target then.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_remove_group(crowd: NtCrowd, group: NtGroup) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.remove_group(GroupId::from_bits(group))?))
}

/// Writes the current state of a group.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_group(
    crowd: NtCrowd,
    group: NtGroup,
    out: Option<&mut MaybeUninit<NtGroupView>>,
) -> NtStatus {
    with(crowd, |walkers| {
        let group = walkers.crowd.group(GroupId::from_bits(group))?;
        let formation = match group.formation {
            Formation::Line => NT_FORMATION_LINE,
            Formation::Column => NT_FORMATION_COLUMN,
            Formation::Wedge => NT_FORMATION_WEDGE,
            Formation::Box => NT_FORMATION_BOX,
            Formation::Own(_) => NT_FORMATION_OWN,
        };
        let (leader, followers) = (group.leader.to_bits(), group.followers.len() as u32);
        write(out, "out", NtGroupView { leader, followers, formation, spacing: group.spacing })
    })
}

/// Writes the followers of a group, in the order in which they joined, into an array of `capacity` handles.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_followers(
    crowd: NtCrowd,
    group: NtGroup,
    out: *mut NtAgent,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(crowd, |walkers| {
        let group = walkers.crowd.group(GroupId::from_bits(group))?;
        fill(out, capacity, count, group.followers.into_iter().map(AgentId::to_bits))
    })
}

/// Writes the group of an agent.
/// Returns NT_OK, NT_NOT_FOUND (it is in no group), NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_group_of(
    crowd: NtCrowd,
    agent: NtAgent,
    out: Option<&mut MaybeUninit<NtGroup>>,
) -> NtStatus {
    with(crowd, |walkers| {
        let group = walkers.crowd.group_of(AgentId::from_bits(agent))?;
        write(out, "out", group.ok_or_else(|| Fault::not_found("the agent is in no group"))?.to_bits())
    })
}

/// Writes the slot of a follower, as of the last step.
/// Returns NT_OK, NT_NOT_FOUND (the agent is not a follower, or there was no step yet), NT_ERROR_ARGUMENT (no
/// such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_slot(
    crowd: NtCrowd,
    agent: NtAgent,
    out: Option<&mut MaybeUninit<NtSlot>>,
) -> NtStatus {
    with(crowd, |walkers| {
        let slot = walkers.crowd.slot(AgentId::from_bits(agent))?;
        let slot = slot.ok_or_else(|| Fault::not_found("the agent has no slot"))?;
        let (position, is_folded) = (slot.position.into(), slot.is_folded.into());
        write(out, "out", NtSlot { position, number: slot.number, is_folded })
    })
}

/// Adds a field that agents can follow along the cheapest path to the nearest of `count` goals. One search
/// serves any number of agents. It runs at once, and again after a change of the mesh that the field reaches.
/// `filter` is the agents' filter, as in NtAgentParams. There is no path from places whose cost is above
/// `bound`, which may be infinite.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_add_field(
    crowd: NtCrowd,
    mesh: NtMesh,
    goals: *const NtPlace,
    count: usize,
    bound: f32,
    filter: u32,
    out: Option<&mut MaybeUninit<NtCrowdField>>,
) -> NtStatus {
    call(|| {
        let (out, mesh) = (present(out)?, snapshot(mesh)?.mesh);
        let goals: Vec<Place> =
            slice(goals, count, "goals")?.iter().map(|goal| place(*goal)).collect::<Answer<_>>()?;
        crate::crowd::CROWDS.with(crowd.id, |walkers| {
            let kind = filter_kind(&walkers.filters, filter)?;
            out.write(walkers.crowd.add_field(&mesh, &goals, bound, kind)?.to_bits());
            Ok(())
        })
    })
}

/// Removes a field. Agents that follow it have no target then.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_remove_field(crowd: NtCrowd, field: NtCrowdField) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.remove_field(FieldId::from_bits(field))?))
}

/// Lets an agent follow a field with the agent's own filter to the nearest goal.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent or field, or a field with another filter),
/// NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_follow_field(crowd: NtCrowd, agent: NtAgent, field: NtCrowdField) -> NtStatus {
    send(crowd, agent, Target::Field(FieldId::from_bits(field)))
}

/// Writes the cost of the path from a place to the nearest goal of a field, on the mesh of the last step or
/// of nt_crowd_add_field.
/// Returns NT_OK, NT_NOT_FOUND (no path to a goal), NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE,
/// NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_field_cost(
    crowd: NtCrowd,
    mesh: NtMesh,
    field: NtCrowdField,
    from: NtPlace,
    out: Option<&mut MaybeUninit<f32>>,
) -> NtStatus {
    call(|| {
        let (mesh, from) = (snapshot(mesh)?.mesh, place(from)?);
        crate::crowd::CROWDS.with(crowd.id, |walkers| {
            let cost = walkers.crowd.field(FieldId::from_bits(field))?.distance(&mesh, from);
            write(out, "out", cost.ok_or_else(|| Fault::not_found("no path leads to a goal"))?)
        })
    })
}

/// Adds 1 to 64 exits that agents can choose among, each with a field. An agent walks to the exit that it
/// expects to pass first, by its path and by the agents before it; it may change its mind once a second.
/// `filter` is the agents' filter, as in NtAgentParams.
/// Returns NT_OK, NT_ERROR_ARGUMENT (a count or a rate out of its range), NT_ERROR_HANDLE,
/// NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_add_exits(
    crowd: NtCrowd,
    mesh: NtMesh,
    exits: *const NtExit,
    count: usize,
    filter: u32,
    out: Option<&mut MaybeUninit<NtCrowdExits>>,
) -> NtStatus {
    call(|| {
        let (out, mesh) = (present(out)?, snapshot(mesh)?.mesh);
        let exit = |exit: &NtExit| Ok(Exit { place: place(exit.place)?, rate: exit.rate });
        let exits: Vec<Exit> = slice(exits, count, "exits")?.iter().map(exit).collect::<Answer<_>>()?;
        crate::crowd::CROWDS.with(crowd.id, |walkers| {
            let kind = filter_kind(&walkers.filters, filter)?;
            out.write(walkers.crowd.add_exits(&mesh, &exits, kind)?.to_bits());
            Ok(())
        })
    })
}

/// Removes exits. Agents that were sent there have no target then.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such exits), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_remove_exits(crowd: NtCrowd, exits: NtCrowdExits) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.remove_exits(ExitsId::from_bits(exits))?))
}

/// Sends an agent to one of several exits, which it chooses.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent or exits, or exits with another filter), NT_ERROR_HANDLE.
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_follow_exits(crowd: NtCrowd, agent: NtAgent, exits: NtCrowdExits) -> NtStatus {
    send(crowd, agent, Target::Exits(ExitsId::from_bits(exits)))
}

/// Writes the exit that an agent has chosen, as an index into the exits of nt_crowd_add_exits.
/// Returns NT_OK, NT_NOT_FOUND (no choice yet, no path to any, or the agent was not sent to exits),
/// NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_exit_of(
    crowd: NtCrowd,
    agent: NtAgent,
    out: Option<&mut MaybeUninit<u32>>,
) -> NtStatus {
    with(crowd, |walkers| {
        let exit = walkers.crowd.exit_of(AgentId::from_bits(agent))?;
        write(out, "out", exit.ok_or_else(|| Fault::not_found("the agent has no exit"))? as u32)
    })
}

/// Sends an agent back to its slot in its group, after it was sent elsewhere.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or it is not a follower in a group), NT_ERROR_HANDLE. Any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_follow_group(crowd: NtCrowd, agent: NtAgent, group: NtGroup) -> NtStatus {
    send(crowd, agent, Target::Group(GroupId::from_bits(group)))
}

/// With 1, the caller moves an agent, by nt_crowd_place; with 0, the crowd does. Other agents avoid a
/// kinematic agent; it avoids nobody.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_set_kinematic(crowd: NtCrowd, agent: NtAgent, is_kinematic: u8) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.set_kinematic(AgentId::from_bits(agent), is_kinematic != 0)?))
}

/// Carries an agent on something that moves off the mesh, such as a raft: puts it at a position, with a
/// heading; zeros leave the heading as it is. Call it for all agents on the platform whenever the platform
/// moves. A carried agent does not walk, and nobody avoids it. nt_crowd_place ends the ride.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or not finite), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_carry(
    crowd: NtCrowd,
    agent: NtAgent,
    position: NtVec3,
    heading: NtVec3,
) -> NtStatus {
    with(crowd, |walkers| {
        Ok(walkers.crowd.carry(AgentId::from_bits(agent), position.into(), heading.into())?)
    })
}

/// Puts an agent on the ground nearest to a position, with a velocity, metres a second: a teleport, the step
/// of a kinematic agent, or the end of a ride.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or no ground near), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_place(
    crowd: NtCrowd,
    mesh: NtMesh,
    agent: NtAgent,
    position: NtVec3,
    velocity: NtVec3,
) -> NtStatus {
    call(|| {
        let mesh = snapshot(mesh)?.mesh;
        crate::crowd::CROWDS.with(crowd.id, |walkers| {
            let agent = AgentId::from_bits(agent);
            Ok(walkers.crowd.place(&mesh, agent, position.into(), velocity.into())?)
        })
    })
}

/// Replaces all discs by `count` others for the next steps.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_set_discs(crowd: NtCrowd, discs: *const NtDisc, count: usize) -> NtStatus {
    with(crowd, |walkers| {
        let disc = |disc: &NtDisc| MovingDisc {
            position: disc.position.into(),
            velocity: disc.velocity.into(),
            radius: disc.radius,
            height: disc.height,
            layers: disc.layers,
        };
        let discs: Vec<MovingDisc> = slice(discs, count, "discs")?.iter().map(disc).collect();
        Ok(walkers.crowd.set_discs(&discs)?)
    })
}

/// Number of agents that wait for a path.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_waiting(crowd: NtCrowd, out: Option<&mut MaybeUninit<usize>>) -> NtStatus {
    with(crowd, |walkers| write(out, "out", walkers.crowd.waiting_for_paths()))
}

/// The properties of an agent.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_params(
    crowd: NtCrowd,
    agent: NtAgent,
    out: Option<&mut MaybeUninit<NtAgentParams>>,
) -> NtStatus {
    with(crowd, |walkers| {
        let params = walkers.crowd.params(AgentId::from_bits(agent))?;
        write(out, "out", NtAgentParams::of(params, &walkers.filters))
    })
}
