//! A crowd as bytes: everything that the next step depends on, so that a restored crowd continues bit for
//! bit.
//!
//! A running search is stored as the number of polygons that it has used, and runs again up to that point.
//! Polygon handles are stored as they are: they name the same polygons in a mesh to which the same tiles were
//! added in the same order.

use crate::agent::{Agent, Footing, MOST_FAILURES, Progress, Role, Target};
use crate::agents::AgentList;
use crate::crowd::{Crowd, MovingDisc};
use crate::error::{CrowdError, FARTHEST, check_position_within, check_range, check_velocity};
use crate::exit::Exits;
use crate::fields::Fields;
use crate::filters::CrowdFilter;
use crate::group::{Follower, Group, MOST_FOLLOWERS};
use crate::groups::check_form;
use crate::holder::Holder;
use crate::ids::{FieldId, GroupId};
use crate::registry::Registry;
use crate::settings::CrowdSettings;
use crate::stored::{Reader, Stored, stored_fields};
use detour::{Corridor, NavMesh, Vec3};
use glam::Vec2;
use navmath::Lattice;
use std::num::NonZeroU32;

/// The first bytes of a stored crowd: a name and the version of the format.
const MAGIC: [u8; 8] = *b"NTCROWD\x08";

stored_fields!(CrowdSettings { search_nodes, field_nodes, avoid_every, far_every, stuck_after, held_detour });
stored_fields!(MovingDisc { position, velocity, radius, height, layers });
// The rest is computed by each step before it is read.
stored_fields!(Agent {
    is_there,
    salt,
    params,
    is_kinematic,
    corridor,
    target,
    chosen_exit,
    goal,
    path,
    footing,
    velocity,
    preferred,
    chosen,
    heading,
    ahead,
    walls,
    progress,
    in_jam,
    claimed,
    keeps_right,
    in_lane,
    forwarded_claim,
    waited,
    until_review,
} rest = Agent::new(Corridor::place(&corridor), salt, params));

impl Crowd {
    /// Returns everything that the next step depends on, as bytes: agents, discs, fields, exits and
    /// pending searches. The caller keeps the filters.
    pub fn save(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        self.parts.settings.write(&mut out);
        self.parts.filters.iter().map(CrowdFilter::hash).collect::<Vec<u64>>().write(&mut out);
        self.parts.steps.write(&mut out);
        self.parts.fields.list.write(&mut out);
        self.exits.write(&mut out);
        self.groups.write(&mut out);
        self.parts.interest.write(&mut out);
        self.holders.list.write(&mut out);
        self.agents.write(&mut out);
        (self.free.clone(), self.discs.clone()).write(&mut out);
        self.searches.write(&mut out);
        out
    }

    /// Restores the state that [`Crowd::save`] returned. The mesh must be the same, or have the same tiles,
    /// added in the same order, with the same flags and areas. The crowd must have the same settings and the
    /// same filters, else the bytes are rejected. It then continues bit for bit like the saved crowd. Fields
    /// are searched again, unless the crowd already has equal ones. If the bytes are rejected, the crowd is
    /// unchanged. Bytes with agents that are not on the ground of this mesh are rejected too.
    pub fn restore(&mut self, mesh: &NavMesh, bytes: &[u8]) -> Result<(), CrowdError> {
        let mut from = Reader { bytes, at: 0 };
        if from.take()? != MAGIC {
            from.at = 0;
            return from.fail("not a stored crowd, or a different version of the format");
        }
        if CrowdSettings::read(&mut from)? != self.parts.settings {
            return from
                .fail("the settings differ from those of the crowd: create the crowd with equal settings");
        }
        self.check_filters(&Vec::<u64>::read(&mut from)?, &from)?;
        let steps = u64::read(&mut from)?;
        if steps > u64::MAX / 2 {
            return from.fail("the number of steps is out of range");
        }
        let mut fields = Fields::new(Stored::read(&mut from)?);
        let exits: Registry<Exits> = Stored::read(&mut from)?;
        let groups: Registry<Group> = Stored::read(&mut from)?;
        if !groups.iter().all(|(_, group)| group.heading.is_normalized()) {
            return from.fail("a heading is not a unit vector");
        }
        let interest = Stored::read(&mut from)?;
        let holders: Vec<Holder> = Stored::read(&mut from)?;
        let mut agents: Vec<Agent> = Stored::read(&mut from)?;
        let (free, discs): (Vec<u32>, Vec<MovingDisc>) = Stored::read(&mut from)?;
        self.check_stored(&agents, &free, &discs, &from)?;
        agents.iter().filter(|agent| agent.is_there).try_for_each(|agent| check_place(agent, mesh))?;
        self.check_fields(&fields, &agents, &from)?;
        check_exits(&exits, &fields, &agents, &from)?;
        let mut joined = join_groups(&groups, &mut agents);
        joined &= agents.iter().all(|agent| match agent.target {
            Target::Group(group) => !agent.is_there || agent.group() == Some(group),
            _ => true,
        });
        if !joined {
            return from.fail("a group does not match its members");
        }
        let agents = AgentList::of(agents);
        let filters = self.held_filters(mesh, &holders);
        let searches = self.searches.read(&mut from, mesh, &agents, &filters)?;
        if from.at != bytes.len() {
            return from.fail("bytes follow the end of the crowd");
        }
        // Agents on polygons that this mesh does not have find ground, as after any change.
        let is_known = |agent: &Agent| {
            let has_ground = mesh.attributes(agent.corridor.first()).is_ok();
            !agent.is_there || agent.is_lost() || has_ground
        };
        self.mesh = if agents.list.iter().all(is_known) { mesh.clone() } else { NavMesh::default() };
        fields.take_over(std::mem::take(&mut self.parts.fields));
        let nodes = NonZeroU32::new(self.parts.settings.field_nodes).unwrap_or(NonZeroU32::MIN);
        fields.refresh(nodes, mesh, &self.parts.filters);
        (self.parts.fields, self.exits, self.groups, self.parts.interest) = (fields, exits, groups, interest);
        (self.parts.steps, self.agents, self.free, self.discs) = (steps, agents, free, discs);
        (self.searches, self.parts.filters, self.holders.list) = (searches, filters, holders);
        self.list_groundless();
        self.sort_present_bodies();
        Ok(())
    }

    /// Rejects filters that differ from those of the crowd, compared by the hashes of their contents.
    fn check_filters(&self, hashes: &[u64], from: &Reader<'_>) -> Result<(), CrowdError> {
        if hashes.len() != self.parts.filters.len() {
            return from.fail("the number of filters differs: add the same filters, in the same order");
        }
        let differs = |(own, hash): (&CrowdFilter, &u64)| own.hash() != *hash;
        match self.parts.filters.iter().zip(hashes).position(differs) {
            Some(number) => Err(CrowdError::FilterChanged { filter: number as u8 }),
            None => Ok(()),
        }
    }

    /// Rejects fields with unknown filters, and agents that follow unknown fields.
    fn check_fields(&self, fields: &Fields, agents: &[Agent], from: &Reader<'_>) -> Result<(), CrowdError> {
        fields.list.iter().try_for_each(|(_, own)| self.filter(own.filter).map(drop))?;
        for agent in agents.iter().filter(|agent| agent.is_there) {
            let has_filter = |id| fields.get(id).is_ok_and(|own| own.filter == agent.params.filter);
            if !agent.field().is_none_or(has_filter) {
                return from.fail("an agent follows an unknown field, or a field with another filter");
            }
        }
        Ok(())
    }

    fn check_stored(
        &self,
        agents: &[Agent],
        free: &[u32],
        discs: &[MovingDisc],
        from: &Reader<'_>,
    ) -> Result<(), CrowdError> {
        for agent in agents {
            agent.params.check()?;
            self.filter(agent.params.filter)?;
            let push = agent.push();
            for velocity in [agent.velocity, agent.preferred, agent.chosen, agent.heading, push] {
                check_velocity("a velocity", Vec3::new(velocity.x, 0.0, velocity.y))?;
            }
            let Progress { stalled, unchecked, failures, .. } = agent.progress;
            if ![stalled, unchecked, agent.until_review, agent.keeps_right]
                .iter()
                .all(|time| time.is_finite())
            {
                return from.fail("a time is infinite");
            }
            if failures > MOST_FAILURES {
                return from.fail("an agent failed more often than is counted");
            }
            if !agent.heading.is_normalized() {
                return from.fail("a heading is not a unit vector");
            }
        }
        discs.iter().try_for_each(MovingDisc::check)?;
        let mut is_free: Vec<bool> = agents.iter().map(|agent| !agent.is_there).collect();
        for index in free {
            match is_free.get_mut(*index as usize) {
                Some(is_free) if *is_free => *is_free = false,
                _ => return from.fail("a free place is occupied or does not exist"),
            }
        }
        if is_free.contains(&true) { from.fail("a place is neither occupied nor free") } else { Ok(()) }
    }
}

/// Rejects exits without a field of their own, and agents that do not fit their exits.
fn check_exits(
    exits: &Registry<Exits>,
    fields: &Fields,
    agents: &[Agent],
    from: &Reader<'_>,
) -> Result<(), CrowdError> {
    let mut known: Vec<FieldId> = exits.iter().flat_map(|(_, own)| own.fields()).collect();
    known.sort_unstable();
    if !known.is_sorted_by(|a, b| a < b) || known.iter().any(|field| fields.get(*field).is_err()) {
        return from.fail("an exit has no field of its own");
    }
    for agent in agents.iter().filter(|agent| agent.is_there) {
        let has_filter = |id| fields.get(id).is_ok_and(|own| own.filter == agent.params.filter);
        let fits = match agent.target {
            Target::Exits(id) => exits.get(id.index, id.salt).is_some_and(|own| {
                own.fields().all(has_filter) && agent.chosen_exit.is_none_or(|(field, _)| own.has(field))
            }),
            Target::Field(field) => agent.chosen_exit.is_none() && known.binary_search(&field).is_err(),
            _ => agent.chosen_exit.is_none(),
        };
        if !fits {
            return from.fail("an agent has unknown exits, or exits with another filter");
        }
    }
    Ok(())
}

/// Rejects an agent at an impossible position: farther from the anchor than a tile may be, or off its
/// polygon. Its path may end anywhere, as targets may be anywhere.
fn check_place(agent: &Agent, mesh: &NavMesh) -> Result<(), CrowdError> {
    let corridor = &agent.corridor;
    let most = mesh.lattice().map_or(FARTHEST, |lattice| farthest_tile(&lattice).min(FARTHEST));
    let level = |at: Vec2| Vec3::new(at.x, 0.0, at.y);
    check_position_within("the position of an agent", corridor.position(), most)?;
    check_position_within("an earlier position of an agent", level(agent.progress.at), most)?;
    if let Some(exit) = agent.exit() {
        check_position_within("the exit of an agent without ground", exit.point, most)?;
    }
    if let Footing::Carried(position) = agent.footing {
        check_position_within("the position of a carried agent", position, FARTHEST)?;
    }
    if let Some(passage) = agent.passage() {
        check_position_within("the start of a passage", passage.from, most)?;
        check_position_within("the end of a passage", passage.to.point, most)?;
        check_range("the length of a passage", passage.length, 0.0..=most * 4.0, " m")?;
        check_range("the progress along a passage", passage.progress, 0.0..=f32::MAX, " m")?;
    }
    // An agent without ground may be anywhere. An agent on a polygon that the mesh does not have finds other
    // ground.
    let found = mesh.closest_point(corridor.first(), corridor.position());
    if let (Ok(closest), Some(lattice)) = (found, mesh.lattice())
        && !agent.is_lost()
    {
        let beside = closest.point.distance(corridor.position());
        let most = lattice.cell_size.max(lattice.cell_height) as f32;
        check_range("the distance of an agent from its polygon", beside, 0.0..=most, " m")?;
    }
    Ok(())
}

/// The largest distance of a tile from the anchor, metres. At that distance, f32 has steps of a quarter of a
/// cell.
fn farthest_tile(lattice: &Lattice) -> f32 {
    (lattice.cell_size / 4.0 / f64::from(f32::EPSILON)) as f32
}

/// Puts agents into their groups. Returns true if all members exist and each is in one group only.
fn join_groups(groups: &Registry<Group>, agents: &mut [Agent]) -> bool {
    for ((index, salt), group) in groups.iter() {
        if check_form(&group.formation, group.spacing).is_err() || group.followers.len() > MOST_FOLLOWERS {
            return false;
        }
        let group_id = GroupId { index, salt };
        let leads = (group.leader, Role::Leader { group: group_id, pace: group.pace });
        let follower = |follower: &Follower| {
            (follower.agent, Role::Follower { group: group_id, slot: None, may_arrive: true })
        };
        // The next step computes the rest.
        for (member, role) in std::iter::once(leads).chain(group.followers.iter().map(follower)) {
            let agent =
                agents.get_mut(member.index()).filter(|agent| agent.is_there && agent.salt == member.salt);
            let Some(agent) = agent.filter(|agent| agent.role == Role::Single) else { return false };
            agent.role = role;
        }
    }
    true
}
