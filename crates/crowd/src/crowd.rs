//! The crowd: agents, moving discs and filters, and the step that moves them all.

use crate::agent::{Agent, AgentView, Footing, Target};
use crate::agents::AgentList;
use crate::error::{CrowdError, check_position, check_range, check_velocity};
use crate::event::Event;
use crate::exit::{ExitPass, Exits};
use crate::fields::CrowdField;
use crate::filters::CrowdFilter;
use crate::fnv::Fnv;
use crate::group::Group;
use crate::holder::Holders;
use crate::ids::{AgentId, FieldId};
use crate::registry::Registry;
use crate::searches::Searches;
use crate::settings::{AgentParams, CrowdSettings, FilterKind};
use crate::step::admit::Gate;
use crate::step::ground::Groundless;
use crate::step::{Parts, Worker, advance};
use detour::{Corridor, Field, Filter, NavMesh, Place, Query, Vec3};
use glam::{Vec2, Vec3Swizzles};
use std::num::NonZeroU32;
use std::sync::Arc;

/// A body that is not an agent and is moved by the caller: a vehicle, a rolling stone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingDisc {
    /// Its middle at its feet, metres from the mesh's anchor.
    pub position: Vec3,
    /// Metres per second.
    pub velocity: Vec3,
    /// Metres, 0 to 100.
    pub radius: f32,
    /// Metres, 0 to 100.
    pub height: f32,
    /// The layers that it is on.
    pub layers: u32,
}

impl MovingDisc {
    pub(crate) fn check(&self) -> Result<(), CrowdError> {
        check_position("the position of a disc", self.position)?;
        check_velocity("the velocity of a disc", self.velocity)?;
        check_range("the radius of a disc", self.radius, 0.0..=100.0, " m")?;
        check_range("the height of a disc", self.height, 0.0..=100.0, " m")
    }
}

/// Agents that walk over a mesh. The [crate](crate) documentation has an example.
#[derive(Debug, Default)]
pub struct Crowd {
    pub(crate) parts: Parts,
    pub(crate) agents: AgentList,
    /// Numbers of agents that were removed, for reuse: last removed, first reused.
    pub(crate) free: Vec<u32>,
    pub(crate) discs: Vec<MovingDisc>,
    /// The mesh of the last step.
    pub(crate) mesh: NavMesh,
    pub(crate) searches: Searches,
    pub(crate) exits: Registry<Exits>,
    pub(crate) pass: ExitPass,
    pub(crate) groups: Registry<Group>,
    pub(crate) holders: Holders,
    pub(crate) query: Query,
    pub(crate) gate: Gate,
    pub(crate) groundless: Groundless,
    pub(crate) workers: Vec<Worker>,
    /// The places of the agents that may need a path. Scratch memory.
    pub(crate) seekers: Vec<u32>,
    /// The events of a phase, sorted by agent number and then in their order. Scratch memory.
    pub(crate) news: Vec<(u32, u32, Event)>,
}

impl Crowd {
    /// Creates a crowd without agents.
    pub fn new(settings: CrowdSettings) -> Result<Crowd, CrowdError> {
        settings.check()?;
        let everything = CrowdFilter::new(Filter::default(), None);
        let parts = Parts { settings, filters: vec![everything], ..Parts::default() };
        Ok(Crowd { parts, ..Crowd::default() })
    }

    /// The settings that it was created with.
    pub fn settings(&self) -> &CrowdSettings {
        &self.parts.settings
    }

    /// Adds a filter that agents can have. Up to 255 can be added.
    pub fn add_filter(&mut self, filter: Filter) -> Result<FilterKind, CrowdError> {
        let kind = u8::try_from(self.parts.filters.len()).map_err(|_| CrowdError::TooManyFilters)?;
        let held = self.parts.filters.first().and_then(|first| first.held.clone());
        self.parts.filters.push(CrowdFilter::new(filter, held));
        Ok(FilterKind(kind))
    }

    /// Sets the speed of agents with this filter in an area, such as stairs or mud: shares of their own
    /// speed, 0.01 to 1, if their path leads up and if it leads down. An agent on level ground walks as one
    /// that goes up. Paths depend on costs alone: a cost of 1 / share makes them the fastest.
    pub fn set_area_speed(
        &mut self,
        kind: FilterKind,
        area: u8,
        up: f32,
        down: f32,
    ) -> Result<(), CrowdError> {
        check_range("the speed up", up, 0.01..=1.0, "")?;
        check_range("the speed down", down, 0.01..=1.0, "")?;
        self.filter(kind)?;
        let own = &mut self.parts.filters[usize::from(kind.0)].area_speeds;
        Arc::make_mut(own.get_or_insert_with(|| Arc::new([[1.0; 2]; 256])))[usize::from(area)] = [up, down];
        Ok(())
    }

    /// Adds a field that agents with this filter can follow, by [`Target::Field`]. It leads to the nearest of
    /// `goals` by the cheapest path. The field is searched at once, and again when the mesh changes within
    /// its reach. This is one search for all agents together, with [`CrowdSettings::field_nodes`], and does
    /// not count for [`CrowdSettings::search_nodes`]. The field does not reach places with a path cost above
    /// `bound`.
    pub fn add_field(
        &mut self,
        mesh: &NavMesh,
        goals: &[Place],
        bound: f32,
        kind: FilterKind,
    ) -> Result<FieldId, CrowdError> {
        let field = self.searched_field(mesh, goals, bound, kind)?;
        let (index, salt) = self.parts.fields.list.add(field);
        Ok(FieldId { index, salt })
    }

    /// Searches a field, without adding it.
    pub(crate) fn searched_field(
        &self,
        mesh: &NavMesh,
        goals: &[Place],
        bound: f32,
        kind: FilterKind,
    ) -> Result<CrowdField, CrowdError> {
        let filter = &*self.filter(kind)?.filter;
        let nodes = NonZeroU32::new(self.parts.settings.field_nodes).unwrap_or(NonZeroU32::MIN);
        let mut field = Field::default();
        Query::with_max_nodes(nodes).field(mesh, goals, bound, filter, &mut field)?;
        Ok(CrowdField { field, filter: kind, has_moved: false })
    }

    /// A field in its present state, for example to get the cost from other places or to see whether its
    /// nodes sufficed.
    pub fn field(&self, id: FieldId) -> Result<&Field, CrowdError> {
        Ok(&self.known_field(id)?.field)
    }

    /// Removes a field. Agents that followed it have no target any more.
    pub fn remove_field(&mut self, id: FieldId) -> Result<(), CrowdError> {
        self.known_field(id)?;
        self.parts.fields.list.remove(id.index, id.salt);
        self.agents
            .list
            .iter_mut()
            .filter(|agent| agent.field() == Some(id))
            .for_each(|agent| agent.aim(Target::None));
        Ok(())
    }

    /// A field that was added by [`Crowd::add_field`]; those of exits are not the caller's.
    fn known_field(&self, id: FieldId) -> Result<&CrowdField, CrowdError> {
        let is_of_exit = self.exits.iter().any(|(_, exits)| exits.has(id));
        if is_of_exit { Err(CrowdError::NoField(id)) } else { self.parts.fields.get(id) }
    }

    /// Rejects a field for an agent that has another filter: ground that one filter opens may be closed to
    /// the other.
    pub(crate) fn check_field(
        &self,
        agent: AgentId,
        own: FilterKind,
        field: FieldId,
    ) -> Result<(), CrowdError> {
        let given = self.known_field(field)?.filter;
        if given == own {
            return Ok(());
        }
        Err(CrowdError::OtherFilter { agent, own: own.0, field, given: given.0 })
    }

    /// Adds an agent at the ground nearest to `position`, within its own size or 2 m of it. An agent may be
    /// wider than the agents that the mesh was baked for; [`AgentParams::depth_in_walls`] gives the
    /// difference.
    pub fn add(
        &mut self,
        mesh: &NavMesh,
        position: Vec3,
        params: &AgentParams,
    ) -> Result<AgentId, CrowdError> {
        params.check()?;
        check_position("the position", position)?;
        let place = self.ground_near(mesh, position, params)?;
        let index = match self.free.pop() {
            Some(index) => index,
            None => u32::try_from(self.agents.len()).map_err(|_| CrowdError::TooManyAgents)?,
        };
        let salt = self.agents.get(index as usize).map_or(1, |old| old.salt.wrapping_add(1));
        let agent = Agent::new(place, salt, *params);
        if (index as usize) < self.agents.len() {
            self.agents.replace(index as usize, agent);
        } else {
            self.agents.push(agent);
        }
        Ok(AgentId { index, salt })
    }

    /// The nearest ground that an agent may enter, within its own size or 2 m of a position.
    fn ground_near(
        &mut self,
        mesh: &NavMesh,
        position: Vec3,
        params: &AgentParams,
    ) -> Result<Place, CrowdError> {
        let filter = self.filter(params.filter)?.clone();
        let (width, height) = (params.radius.max(2.0), params.height.max(2.0));
        Ok(self.query.nearest(mesh, position, Vec3::new(width, height, width), &filter)?.place())
    }

    /// Removes an agent and makes its handle invalid.
    pub fn remove(&mut self, id: AgentId) -> Result<(), CrowdError> {
        self.leave_group(id)?;
        let agent = self.agent_mut(id)?;
        agent.is_there = false;
        agent.aim(Target::None);
        agent.touch_ground();
        self.free.push(id.index);
        Ok(())
    }

    /// The agents, in the order of their numbers.
    pub fn agents(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.agents.iter().filter(|agent| agent.is_there).map(Agent::id)
    }

    /// Number of agents.
    pub fn len(&self) -> usize {
        self.agents.len() - self.free.len()
    }

    /// Returns true if there are no agents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The present state of an agent.
    pub fn agent(&self, id: AgentId) -> Result<AgentView, CrowdError> {
        let agent = self.get(id)?;
        let level = |v: Vec2| Vec3::new(v.x, 0.0, v.y);
        Ok(AgentView {
            position: agent.position(),
            polygon: agent.corridor.first(),
            velocity: level(agent.velocity),
            heading: level(agent.heading),
            state: agent.state(),
            target: agent.target,
        })
    }

    /// The known polygons from an agent to its target, with both ends, for debug views. Without a path, this
    /// is the polygon under the agent.
    pub fn corridor(&self, id: AgentId) -> Result<&Corridor, CrowdError> {
        Ok(&self.get(id)?.corridor)
    }

    /// The properties of an agent.
    pub fn params(&self, id: AgentId) -> Result<&AgentParams, CrowdError> {
        Ok(&self.get(id)?.params)
    }

    /// Changes the properties of an agent.
    pub fn set_params(&mut self, id: AgentId, params: &AgentParams) -> Result<(), CrowdError> {
        params.check()?;
        self.filter(params.filter)?;
        match self.get(id)?.target {
            Target::Field(field) => self.check_field(id, params.filter, field)?,
            Target::Exits(exits) => self.check_exits(id, params.filter, exits)?,
            _ => {}
        }
        let agent = self.agent_mut(id)?;
        if agent.params.filter != params.filter {
            agent.lose_path();
        }
        agent.params = *params;
        agent.walls.clear();
        Ok(())
    }

    /// Sends an agent somewhere. The agent starts to move in the next step; its path is found when its search
    /// has its turn.
    pub fn set_target(&mut self, id: AgentId, target: Target) -> Result<(), CrowdError> {
        match target {
            Target::Place(place) => check_position("the target", place.point)?,
            Target::Velocity(v) => check_velocity("the velocity", Vec3::new(v.x, 0.0, v.y))?,
            Target::Agent(other) => drop(self.get(other)?),
            Target::Group(group) => self.check_follower(id, group)?,
            Target::Field(field) => self.check_field(id, self.get(id)?.params.filter, field)?,
            Target::Exits(exits) => self.check_exits(id, self.get(id)?.params.filter, exits)?,
            Target::None => {}
        }
        let agent = self.agent_mut(id)?;
        if !agent.is_kinematic {
            agent.aim(target);
        }
        Ok(())
    }

    /// Lets the caller move an agent by [`Crowd::place`] from now on, or hands it back to the crowd. Others
    /// avoid such an agent, and it avoids nobody.
    pub fn set_kinematic(&mut self, id: AgentId, is_kinematic: bool) -> Result<(), CrowdError> {
        let agent = self.agent_mut(id)?;
        if agent.is_kinematic != is_kinematic {
            agent.aim(Target::None);
            agent.is_kinematic = is_kinematic;
        }
        Ok(())
    }

    /// Moves an agent to the ground nearest to `position`, with this velocity: a teleport, the step of a
    /// kinematic agent, or the end of a ride.
    pub fn place(
        &mut self,
        mesh: &NavMesh,
        id: AgentId,
        position: Vec3,
        velocity: Vec3,
    ) -> Result<(), CrowdError> {
        check_position("the position", position)?;
        check_velocity("the velocity", velocity)?;
        let params = self.get(id)?.params;
        let place = self.ground_near(mesh, position, &params)?;
        let agent = self.agent_mut(id)?;
        agent.corridor.reset(place);
        agent.velocity = velocity.xz();
        agent.walls.clear();
        agent.touch_ground();
        agent.lose_path();
        if agent.velocity.length() > advance::LEAST_SPEED {
            agent.heading = agent.velocity.normalize_or(agent.heading);
        }
        Ok(())
    }

    /// Carries an agent on something that moves off the mesh, such as a raft or a lift: puts it at this
    /// position, with this heading; a heading of 0 leaves it as it is. Call it for all agents on the platform
    /// whenever the platform moves. A carried agent does not walk, nobody avoids it, and it keeps its target.
    /// [`Crowd::place`] puts it back on the mesh, where it continues to its target.
    pub fn carry(&mut self, id: AgentId, position: Vec3, heading: Vec3) -> Result<(), CrowdError> {
        check_position("the position", position)?;
        check_velocity("the heading", heading)?;
        let agent = self.agent_mut(id)?;
        agent.footing = Footing::Carried(position);
        agent.heading = heading.xz().normalize_or(agent.heading);
        (agent.velocity, agent.ahead) = (Vec2::ZERO, None);
        agent.walls.clear();
        Ok(())
    }

    /// Moves an agent that is on an off-mesh link to the link's far end, for example because the caller's
    /// animation has ended. An agent that steps out of removed ground reaches its new ground at once. Does
    /// nothing for other agents.
    pub fn finish_link(&mut self, id: AgentId, events: &mut Vec<Event>) -> Result<(), CrowdError> {
        events.extend(advance::step_off(self.agent_mut(id)?));
        Ok(())
    }

    /// Replaces all moving discs.
    pub fn set_discs(&mut self, discs: &[MovingDisc]) -> Result<(), CrowdError> {
        discs.iter().try_for_each(MovingDisc::check)?;
        self.discs.clear();
        self.discs.extend_from_slice(discs);
        Ok(())
    }

    /// Sets the points of interest, such as the player and the camera. Agents farther than `radius` metres
    /// from all of them are simulated coarsely: see [`CrowdSettings::far_every`]. They still move in each
    /// step, as others do, so that they do not jump when they come near. Without points, all agents are
    /// simulated in full.
    pub fn set_points_of_interest(&mut self, points: &[Vec3], radius: f32) -> Result<(), CrowdError> {
        self.parts.interest.set(points, radius)
    }

    /// Number of agents that wait for a path.
    pub fn waiting_for_paths(&self) -> usize {
        self.searches.waiting()
    }

    /// A hash of the positions and velocities of all agents. It is the same for the same run on any machine
    /// and with any number of threads.
    pub fn hash(&self) -> u64 {
        // In the order of the agents' numbers.
        let mut hash = Fnv::default();
        for agent in self.agents.iter().filter(|agent| agent.is_there) {
            hash.add(agent.number);
            hash.add(agent.salt);
            let position = agent.position();
            let numbers = [position.x, position.y, position.z, agent.velocity.x, agent.velocity.y];
            numbers.iter().for_each(|number| hash.add(number.to_bits()));
        }
        hash.value()
    }

    pub(crate) fn get(&self, id: AgentId) -> Result<&Agent, CrowdError> {
        let agent = self.agents.get(id.index as usize);
        agent.filter(|agent| agent.is_there && agent.salt == id.salt).ok_or(CrowdError::NoAgent(id))
    }

    pub(crate) fn agent_mut(&mut self, id: AgentId) -> Result<&mut Agent, CrowdError> {
        let agent = self.agents.get_mut(id.index as usize);
        agent.filter(|agent| agent.is_there && agent.salt == id.salt).ok_or(CrowdError::NoAgent(id))
    }

    pub(crate) fn filter(&self, kind: FilterKind) -> Result<&CrowdFilter, CrowdError> {
        let found = self.parts.filters.get(usize::from(kind.0));
        found.ok_or(CrowdError::NoFilter { given: kind.0, count: self.parts.filters.len() })
    }
}
