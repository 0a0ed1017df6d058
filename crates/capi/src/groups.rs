//! Groups in formation and shared fields of crowds, agents that the caller moves, and discs.

use crate::crowd::{NtAgent, NtAgentParams, Walkers, send, with};
use crate::mesh::snapshot;
use crate::pointers::{fill, present, slice, write};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::types::{NtCrowd, NtMesh, NtPlace, NtVec3, place};
use crowd::{AgentId, FieldId, Formation, GroupId, MovingDisc, Target};
use detour::Place;
use std::mem::MaybeUninit;

/// A group of agents of a crowd. A handle of a group that was dissolved names nothing.
pub type NtGroup = u64;
/// A field of a crowd. A handle of a field that was removed names nothing.
pub type NtCrowdField = u64;

/// Side by side, the leader in the middle.
pub const NT_FORMATION_LINE: u32 = 0;
/// One behind another.
pub const NT_FORMATION_COLUMN: u32 = 1;
/// A wedge with the leader at its tip.
pub const NT_FORMATION_WEDGE: u32 = 2;
/// Rows of the same length, the leader in the middle of the first.
pub const NT_FORMATION_BOX: u32 = 3;
/// Slots of the caller's, by nt_crowd_set_slots.
pub const NT_FORMATION_OWN: u32 = 4;

/// A group as it is now. Its followers are read by nt_crowd_followers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtGroupView {
    pub leader: NtAgent,
    pub followers: u32,
    /// NT_FORMATION_LINE and so on.
    pub formation: u32,
    /// Distance of neighbours, metres.
    pub spacing: f32,
}

/// The slot of a follower in its group.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtSlot {
    /// Where the agent is to be: the slot, or a place in the leader's track if there is no room for it.
    pub position: NtVec3,
    /// Its number: 0 for the slot nearest to the leader.
    pub number: u32,
    /// 1 if it goes in the leader's track.
    pub is_folded: u8,
}

/// A round thing that agents avoid, and that the caller moves: a cart, a player.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtDisc {
    /// Its middle, at its feet.
    pub position: NtVec3,
    /// Metres a second.
    pub velocity: NtVec3,
    /// Metres, 0 to 100.
    pub radius: f32,
    pub height: f32,
    /// The layers that it is on: a bit for each.
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

/// Makes a group: the followers keep their slots around the leader, which goes where it is sent, at the pace of the slowest and waiting
/// for stragglers. `form` is NT_FORMATION_LINE, NT_FORMATION_COLUMN, NT_FORMATION_WEDGE or NT_FORMATION_BOX; `spacing` is the distance of
/// neighbours, metres. An agent can be in one group; up to 255 can follow one leader.
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

/// Sends a group to a place: its leader, and so all who follow.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_send_group(crowd: NtCrowd, group: NtGroup, to: NtPlace) -> NtStatus {
    with(crowd, |walkers| {
        let to = Target::Place(place(to)?);
        Ok(walkers.crowd.send_group(GroupId::from_bits(group), to)?)
    })
}

/// Changes the formation of a group; slots are given out anew, to those that are near them. `form` and `spacing` as in
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

/// Gives a group slots of its own: `count` pairs of metres from the leader, to the right of its way and along it. Followers for whom there
/// is no slot go in a column, `spacing` metres apart.
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
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such group or agent, or in a group already), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_join(crowd: NtCrowd, group: NtGroup, agent: NtAgent) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.join(GroupId::from_bits(group), AgentId::from_bits(agent))?))
}

/// Takes an agent out of its group, if it is in one; it stays where it is. After a leader, the follower in the first slot takes over.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_leave_group(crowd: NtCrowd, agent: NtAgent) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.leave_group(AgentId::from_bits(agent))?))
}

/// Dissolves a group; its followers have no target from now on.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such group), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_remove_group(crowd: NtCrowd, group: NtGroup) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.remove_group(GroupId::from_bits(group))?))
}

/// A group as it is now.
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

/// The followers of a group, in the order in which they joined, into an array of `capacity` handles.
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

/// The group that an agent is in.
/// Returns NT_OK, NT_NOT_FOUND (it is in none), NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
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

/// The slot of a follower, as of the last step.
/// Returns NT_OK, NT_NOT_FOUND (the agent follows nobody, or there was no step yet), NT_ERROR_ARGUMENT (no such agent),
/// NT_ERROR_HANDLE. Any thread.
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

/// Adds a field that agents can follow: it leads to the nearest of `count` goals by the cheapest way, with one search for any number of
/// agents, done at once and again when the mesh has changed where it reaches. `filter` is that of the agents, as in NtAgentParams; no way
/// leads from places whose way costs more than `bound`, which may be infinite.
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
            let kind = walkers.kind(filter)?;
            out.write(walkers.crowd.add_field(&mesh, &goals, bound, kind)?.to_bits());
            Ok(())
        })
    })
}

/// Removes a field; agents that follow it have no target from now on.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_remove_field(crowd: NtCrowd, field: NtCrowdField) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.remove_field(FieldId::from_bits(field))?))
}

/// Lets an agent follow a field of its own filter, to the nearest goal.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent or field, or one of another filter), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_follow_field(crowd: NtCrowd, agent: NtAgent, field: NtCrowdField) -> NtStatus {
    send(crowd, agent, Target::Field(FieldId::from_bits(field)))
}

/// The cost of the way from a place to the nearest goal of a field, on the mesh of the last step or of nt_crowd_add_field.
/// Returns NT_OK, NT_NOT_FOUND (no way leads to a goal), NT_ERROR_ARGUMENT (no such field), NT_ERROR_HANDLE, NT_ERROR_REFERENCE.
/// Any thread.
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
            write(out, "out", cost.ok_or_else(|| Fault::not_found("no way leads to a goal"))?)
        })
    })
}

/// Lets an agent go to its slot in its group again, after it was sent elsewhere.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent, or it follows nobody in the group), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_follow_group(crowd: NtCrowd, agent: NtAgent, group: NtGroup) -> NtStatus {
    send(crowd, agent, Target::Group(GroupId::from_bits(group)))
}

/// Lets the caller move an agent, by nt_crowd_place, for 1; or gives it back to the crowd, for 0. Others avoid it; it avoids nobody.
/// Returns NT_OK, NT_ERROR_ARGUMENT (no such agent), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_crowd_set_kinematic(crowd: NtCrowd, agent: NtAgent, is_kinematic: u8) -> NtStatus {
    with(crowd, |walkers| Ok(walkers.crowd.set_kinematic(AgentId::from_bits(agent), is_kinematic != 0)?))
}

/// Puts an agent elsewhere, on the ground nearest to a position, with a velocity, metres a second: a teleport, or the step of an agent
/// that the caller moves.
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

/// Replaces all discs by `count` others, for the next steps.
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

/// How many agents wait for a path.
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
