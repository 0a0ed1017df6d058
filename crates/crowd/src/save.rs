//! A crowd as bytes: everything that the next step depends on, so that a restored crowd continues bit for
//! bit.
//!
//! A running search is stored as the number of polygons that it has used, and runs again up to that point.
//! Polygon handles are stored as they are: they name the same polygons in a mesh to which the same tiles were
//! added in the same order.

use crate::agent::{Agent, AgentState, Target};
use crate::agents::AgentList;
use crate::crowd::{Crowd, MovingDisc};
use crate::error::{CrowdError, FARTHEST, check_position_within, check_range, check_velocity};
use crate::fields::Fields;
use crate::filters::CrowdFilter;
use crate::group::{Group, MOST_FOLLOWERS};
use crate::groups::check_form;
use crate::ids::GroupId;
use crate::registry::Registry;
use crate::settings::CrowdSettings;
use crate::stored::{Reader, Stored};
use detour::{Corridor, NavMesh, Vec3};
use glam::Vec2;
use navmath::Lattice;
use std::num::NonZeroU32;

/// The first bytes of a stored crowd: a name and the version of the format.
const MAGIC: [u8; 8] = *b"NTCROWD\x05";

impl Stored for CrowdSettings {
    fn write(&self, out: &mut Vec<u8>) {
        ((self.search_nodes, self.field_nodes), (self.avoid_every, self.far_every)).write(out);
        self.stuck_after.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let ((search_nodes, field_nodes), (avoid_every, far_every)) = Stored::read(from)?;
        let stuck_after = Stored::read(from)?;
        Ok(CrowdSettings { search_nodes, field_nodes, avoid_every, far_every, stuck_after })
    }
}

impl Stored for MovingDisc {
    fn write(&self, out: &mut Vec<u8>) {
        ((self.position, self.velocity), ((self.radius, self.height), self.layers)).write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let ((position, velocity), ((radius, height), layers)) = Stored::read(from)?;
        Ok(MovingDisc { position, velocity, radius, height, layers })
    }
}

/// The fields of an agent, without the fields that each step computes before it reads them.
impl Stored for Agent {
    fn write(&self, out: &mut Vec<u8>) {
        (self.is_there, self.salt).write(out);
        (self.params, self.is_kinematic).write(out);
        self.corridor.write(out);
        (self.target, self.goal).write(out);
        (self.route, (self.state, self.holds)).write(out);
        (self.velocity, (self.wanted, (self.chosen, self.heading))).write(out);
        (self.ahead, (self.passage, self.may_land)).write(out);
        self.walls.write(out);
        (self.progress_at, (self.stalled, (self.claims, self.gives))).write(out);
        (self.nearest, (self.nearest_to, self.looked)).write(out);
        (self.lent, (self.exit, (self.waited, self.until_review))).write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let (is_there, salt) = Stored::read(from)?;
        let (params, is_kinematic) = Stored::read(from)?;
        let corridor: Corridor = Stored::read(from)?;
        let mut agent = Agent::new(corridor.place(), salt, params);
        (agent.is_there, agent.is_kinematic, agent.corridor) = (is_there, is_kinematic, corridor);
        (agent.target, agent.goal) = Stored::read(from)?;
        (agent.route, (agent.state, agent.holds)) = Stored::read(from)?;
        (agent.velocity, (agent.wanted, (agent.chosen, agent.heading))) = Stored::read(from)?;
        (agent.ahead, (agent.passage, agent.may_land)) = Stored::read(from)?;
        agent.walls = Stored::read(from)?;
        (agent.progress_at, (agent.stalled, (agent.claims, agent.gives))) = Stored::read(from)?;
        (agent.nearest, (agent.nearest_to, agent.looked)) = Stored::read(from)?;
        (agent.lent, (agent.exit, (agent.waited, agent.until_review))) = Stored::read(from)?;
        Ok(agent)
    }
}

impl Crowd {
    /// Returns everything that the next step depends on, as bytes: agents, discs, fields and pending
    /// searches. The caller keeps the filters.
    pub fn save(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        self.settings.write(&mut out);
        self.filters.iter().map(CrowdFilter::hash).collect::<Vec<u64>>().write(&mut out);
        self.steps.write(&mut out);
        self.fields.list.write(&mut out);
        self.groups.write(&mut out);
        self.interest.write(&mut out);
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
        if CrowdSettings::read(&mut from)? != self.settings {
            return from
                .fail("the settings differ from those of the crowd: create the crowd with equal settings");
        }
        self.check_filters(&Vec::<u64>::read(&mut from)?, &from)?;
        let steps = u64::read(&mut from)?;
        if steps > u64::MAX / 2 {
            return from.fail("the number of steps is out of range");
        }
        let mut fields = Fields::new(Stored::read(&mut from)?);
        let groups: Registry<Group> = Stored::read(&mut from)?;
        let interest = Stored::read(&mut from)?;
        let mut agents: Vec<Agent> = Stored::read(&mut from)?;
        let (free, discs): (Vec<u32>, Vec<MovingDisc>) = Stored::read(&mut from)?;
        self.check_stored(&agents, &free, &discs, &from)?;
        agents.iter().filter(|agent| agent.is_there).try_for_each(|agent| check_place(agent, mesh))?;
        self.check_fields(&fields, &agents, &from)?;
        let mut joined = join_groups(&groups, &mut agents);
        joined &= agents.iter().all(|agent| match agent.target {
            Target::Group(group) => !agent.is_there || agent.group == Some(group),
            _ => true,
        });
        if !joined {
            return from.fail("a group does not match its members");
        }
        let agents = AgentList::of(agents);
        let searches = self.searches.read(&mut from, (mesh, &agents, &self.filters))?;
        if from.at != bytes.len() {
            return from.fail("bytes follow the end of the crowd");
        }
        // Agents on polygons that this mesh does not have find ground, as after any change.
        let is_known = |agent: &Agent| {
            let has_ground = mesh.attributes(agent.corridor.first()).is_ok();
            !agent.is_there || agent.state == AgentState::Lost || has_ground
        };
        self.mesh = if agents.list.iter().all(is_known) { mesh.clone() } else { NavMesh::default() };
        fields.take_over(std::mem::take(&mut self.fields));
        let nodes = NonZeroU32::new(self.settings.field_nodes).unwrap_or(NonZeroU32::MIN);
        fields.refresh(nodes, mesh, &self.filters);
        (self.fields, self.groups, self.interest) = (fields, groups, interest);
        (self.steps, self.agents, self.free, self.discs) = (steps, agents, free, discs);
        self.searches = searches;
        self.list_groundless();
        Ok(())
    }

    /// Rejects filters that differ from those of the crowd, compared by the hashes of their contents.
    fn check_filters(&self, hashes: &[u64], from: &Reader<'_>) -> Result<(), CrowdError> {
        if hashes.len() != self.filters.len() {
            return from.fail("the number of filters differs: add the same filters, in the same order");
        }
        let differs = |(own, hash): (&CrowdFilter, &u64)| own.hash() != *hash;
        match self.filters.iter().zip(hashes).position(differs) {
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
            let press = agent.lent.map_or(Vec2::ZERO, |(_, press)| press);
            for velocity in [agent.velocity, agent.wanted, agent.chosen, agent.heading, press] {
                check_velocity("a velocity", Vec3::new(velocity.x, 0.0, velocity.y))?;
            }
            if ![agent.stalled, agent.looked, agent.until_review].iter().all(|time| time.is_finite()) {
                return from.fail("a time is infinite");
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

/// Rejects an agent at an impossible position: farther from the anchor than a tile may be, or off its
/// polygon. Its path may end anywhere, as targets may be anywhere.
fn check_place(agent: &Agent, mesh: &NavMesh) -> Result<(), CrowdError> {
    let corridor = &agent.corridor;
    let most = mesh.lattice().map_or(FARTHEST, |lattice| farthest_tile(&lattice).min(FARTHEST));
    let level = |at: Vec2| Vec3::new(at.x, 0.0, at.y);
    check_position_within("the position of an agent", corridor.position(), most)?;
    check_position_within("an earlier position of an agent", level(agent.progress_at), most)?;
    if let Some(exit) = agent.exit {
        check_position_within("the exit of an agent without ground", exit.point, most)?;
    }
    if let Some(passage) = agent.passage {
        check_position_within("the start of a passage", passage.from, most)?;
        check_position_within("the end of a passage", passage.to.point, most)?;
        check_range("the length of a passage", passage.length, (0.0, most * 4.0), " m")?;
        check_range("the progress along a passage", passage.progress, (0.0, f32::MAX), " m")?;
    }
    // An agent without ground may be anywhere. An agent on a polygon that the mesh does not have finds other
    // ground.
    let found = mesh.closest_point(corridor.first(), corridor.position());
    if let (Ok(closest), Some(lattice)) = (found, mesh.lattice())
        && (agent.state != AgentState::Lost || agent.passage.is_some())
    {
        let beside = closest.point.distance(corridor.position());
        let most = lattice.cell_size.max(lattice.cell_height) as f32;
        check_range("the distance of an agent from its polygon", beside, (0.0, most), " m")?;
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
        for member in group.members() {
            let agent =
                agents.get_mut(member.index()).filter(|agent| agent.is_there && agent.salt == member.salt);
            let Some(agent) = agent.filter(|agent| agent.group.is_none()) else { return false };
            agent.group = Some(GroupId { index, salt });
        }
        // The next step computes the rest.
        agents[group.leader.index()].pace = group.pace;
    }
    true
}
