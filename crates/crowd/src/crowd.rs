//! The crowd: agents, moving discs and filters, and the step that moves them all.

use crate::agent::{Agent, AgentState, AgentView, Route, Target};
use crate::agent_id::AgentId;
use crate::bodies::{Bodies, Body};
use crate::error::{CrowdError, check_finite, check_range};
use crate::event::{Event, EventKind};
use crate::filters::CrowdFilter;
use crate::parallel::{for_each_piece, worker_count};
use crate::searches::Searches;
use crate::settings::{AgentParams, CrowdSettings, FilterKind};
use crate::step::admit::Gate;
use crate::step::separate::{HOLDING_ROUNDS, ROUNDS, Spots, held_back, pushed};
use crate::step::{Worker, advance, decide, upkeep};
use detour::{Filter, NavMesh, PathStatus, Place, Query, Vec3};
use glam::{Vec2, Vec3Swizzles};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The longest step, seconds; longer ones are cut into several.
const LONGEST_STEP: f32 = 0.1;
/// The longest time that one call may move a crowd by, seconds.
const LONGEST_TIME: f32 = 10.0;

/// A body that is no agent and is moved by the caller: a vehicle, a rolling stone.
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
        check_finite("the position of a disc", self.position)?;
        check_finite("the velocity of a disc", self.velocity)?;
        check_range("the radius of a disc", self.radius, (0.0, 100.0), " m")?;
        check_range("the height of a disc", self.height, (0.0, 100.0), " m")
    }
}

/// Agents that walk over a mesh. See the [crate](crate) for how it is used.
#[derive(Debug, Default)]
pub struct Crowd {
    pub(crate) settings: CrowdSettings,
    pub(crate) agents: Vec<Agent>,
    /// Places of agents that were removed, the last one first to be used again.
    pub(crate) free: Vec<u32>,
    pub(crate) discs: Vec<MovingDisc>,
    pub(crate) filters: Vec<CrowdFilter>,
    /// The mesh of the last step.
    pub(crate) mesh: NavMesh,
    pub(crate) steps: u64,
    pub(crate) searches: Searches,
    query: Query,
    bodies: Bodies,
    own: Vec<Body>,
    spots: Spots,
    gate: Gate,
    workers: Vec<Worker>,
}

impl Crowd {
    /// Creates a crowd without agents.
    pub fn new(settings: CrowdSettings) -> Result<Crowd, CrowdError> {
        settings.check()?;
        let everything = CrowdFilter(Arc::new(Filter::default()));
        Ok(Crowd { settings, filters: vec![everything], ..Crowd::default() })
    }

    /// The settings that it was created with.
    pub fn settings(&self) -> &CrowdSettings {
        &self.settings
    }

    /// Adds a filter that agents can have. Up to 255 can be added.
    pub fn add_filter(&mut self, filter: Filter) -> Result<FilterKind, CrowdError> {
        let kind = u8::try_from(self.filters.len()).map_err(|_| CrowdError::TooManyFilters)?;
        self.filters.push(CrowdFilter(Arc::new(filter)));
        Ok(FilterKind(kind))
    }

    /// Adds an agent at the ground nearest to `position`, within its own size or 2 m of it.
    pub fn add(
        &mut self,
        mesh: &NavMesh,
        position: Vec3,
        params: &AgentParams,
    ) -> Result<AgentId, CrowdError> {
        params.check()?;
        check_finite("the position", position)?;
        let place = self.ground_near(mesh, position, params)?;
        let index = match self.free.pop() {
            Some(index) => index,
            None => u32::try_from(self.agents.len()).map_err(|_| CrowdError::TooManyAgents)?,
        };
        let salt = self.agents.get(index as usize).map_or(1, |old| old.salt.wrapping_add(1));
        let agent = Agent::new(place, salt, *params);
        match self.agents.get_mut(index as usize) {
            Some(old) => *old = agent,
            None => self.agents.push(agent),
        }
        Ok(AgentId { index, salt })
    }

    /// The ground that an agent may enter nearest to a position, within its own size or 2 m of it.
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

    /// Removes an agent; its handle names nothing from now on.
    pub fn remove(&mut self, id: AgentId) -> Result<(), CrowdError> {
        let agent = self.agent_mut(id)?;
        agent.is_there = false;
        agent.aim(Target::None);
        agent.passage = None;
        self.free.push(id.index);
        Ok(())
    }

    /// The agents, in the order of their places.
    pub fn agents(&self) -> impl Iterator<Item = AgentId> + '_ {
        let there = self.agents.iter().enumerate().filter(|(_, agent)| agent.is_there);
        there.map(|(index, agent)| AgentId { index: index as u32, salt: agent.salt })
    }

    /// Number of agents.
    pub fn len(&self) -> usize {
        self.agents.len() - self.free.len()
    }

    /// Whether there are no agents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How an agent is doing.
    pub fn agent(&self, id: AgentId) -> Result<AgentView, CrowdError> {
        let agent = self.get(id)?;
        let level = |v: Vec2| Vec3::new(v.x, 0.0, v.y);
        Ok(AgentView {
            position: agent.position(),
            polygon: agent.corridor.first(),
            velocity: level(agent.velocity),
            heading: level(agent.heading),
            state: agent.state,
            target: agent.target,
        })
    }

    /// The properties of an agent.
    pub fn params(&self, id: AgentId) -> Result<&AgentParams, CrowdError> {
        Ok(&self.get(id)?.params)
    }

    /// Changes the properties of an agent.
    pub fn set_params(&mut self, id: AgentId, params: &AgentParams) -> Result<(), CrowdError> {
        params.check()?;
        self.filter(params.filter)?;
        let agent = self.agent_mut(id)?;
        if agent.params.filter != params.filter {
            agent.lose_route();
        }
        agent.params = *params;
        agent.walls.clear();
        Ok(())
    }

    /// Sends an agent somewhere. It moves in the next step already; its path is found as soon as it is its turn.
    pub fn set_target(&mut self, id: AgentId, target: Target) -> Result<(), CrowdError> {
        match target {
            Target::Place(place) => check_finite("the target", place.point)?,
            Target::Velocity(v) => check_finite("the velocity", Vec3::new(v.x, 0.0, v.y))?,
            Target::Agent(other) => drop(self.get(other)?),
            Target::None => {}
        }
        let agent = self.agent_mut(id)?;
        if !agent.is_kinematic {
            agent.aim(target);
        }
        Ok(())
    }

    /// Lets the caller move an agent from now on, by [`Crowd::place`], or gives it back to the crowd. Others avoid it; it
    /// avoids nobody.
    pub fn set_kinematic(&mut self, id: AgentId, is_kinematic: bool) -> Result<(), CrowdError> {
        let agent = self.agent_mut(id)?;
        if agent.is_kinematic != is_kinematic {
            agent.aim(Target::None);
            agent.is_kinematic = is_kinematic;
        }
        Ok(())
    }

    /// Puts an agent elsewhere, on the ground nearest to `position`, with this velocity: a teleport, or the step of a
    /// kinematic agent.
    pub fn place(
        &mut self,
        mesh: &NavMesh,
        id: AgentId,
        position: Vec3,
        velocity: Vec3,
    ) -> Result<(), CrowdError> {
        check_finite("the position", position)?;
        check_finite("the velocity", velocity)?;
        let params = self.get(id)?.params;
        let place = self.ground_near(mesh, position, &params)?;
        let agent = self.agent_mut(id)?;
        agent.passage = None;
        agent.corridor.reset(place);
        agent.velocity = velocity.xz();
        agent.walls.clear();
        agent.lose_route();
        if agent.velocity != Vec2::ZERO {
            agent.heading = agent.velocity.normalize_or(agent.heading);
        }
        Ok(())
    }

    /// Takes an agent that is on an off-mesh link to its far end: the caller's animation has ended. Does nothing for one that
    /// is on none.
    pub fn finish_link(&mut self, id: AgentId, events: &mut Vec<Event>) -> Result<(), CrowdError> {
        let agent = self.agent_mut(id)?;
        if let Some(passage) = agent.passage {
            events.push(advance::step_off(agent, id, passage));
        }
        Ok(())
    }

    /// Replaces all moving discs.
    pub fn set_discs(&mut self, discs: &[MovingDisc]) -> Result<(), CrowdError> {
        discs.iter().try_for_each(MovingDisc::check)?;
        self.discs.clear();
        self.discs.extend_from_slice(discs);
        Ok(())
    }

    /// How many agents wait for a path.
    pub fn waiting_for_paths(&self) -> usize {
        self.searches.waiting()
    }

    /// Moves all agents by `dt` seconds, 0 to 10, over the mesh as it is now, and adds what happened to `events`. Steps
    /// longer than a tenth of a second are cut into several.
    pub fn step(&mut self, mesh: &NavMesh, dt: f32, events: &mut Vec<Event>) -> Result<(), CrowdError> {
        check_range("dt", dt, (0.0, LONGEST_TIME), " s")?;
        if dt == 0.0 {
            return Ok(());
        }
        let parts = (dt / LONGEST_STEP).ceil().max(1.0);
        for _ in 0..parts as u32 {
            self.step_once(mesh, dt / parts, events);
        }
        Ok(())
    }

    fn step_once(&mut self, mesh: &NavMesh, dt: f32, events: &mut Vec<Event>) {
        let workers = worker_count(self.agents.len());
        self.workers.resize_with(workers.max(self.workers.len()), Worker::default);
        self.follow_mesh(mesh, workers);
        self.search(mesh, events);
        self.sort_bodies();
        self.decide(mesh, dt, workers);
        self.separate(dt, workers);
        self.advance(mesh, dt, workers);
        for worker in &mut self.workers {
            events.append(&mut worker.events);
        }
        self.gate.run(&mut self.agents, mesh, dt, events);
        self.steps += 1;
    }

    /// Looks over all corridors if the mesh is another than in the last step.
    fn follow_mesh(&mut self, mesh: &NavMesh, workers: usize) {
        if self.mesh.is_same(mesh) {
            return;
        }
        self.mesh = mesh.clone();
        self.searches.restart();
        let filters = &self.filters;
        for_each_piece(&mut self.agents, &mut self.workers[..workers], |worker, first, piece| {
            for (index, agent) in (first..).zip(piece).filter(|(_, agent)| agent.is_there) {
                let filter = &filters[usize::from(agent.params.filter.0)];
                let id = AgentId { index: index as u32, salt: agent.salt };
                upkeep::after_change(agent, id, mesh, filter, worker);
            }
        });
    }

    /// Queues those that want a path, searches for a while, and hands out what was found.
    fn search(&mut self, mesh: &NavMesh, events: &mut Vec<Event>) {
        for index in 0..self.agents.len() {
            if self.agents[index].is_there {
                self.chase(index, mesh);
            }
            let agent = &mut self.agents[index];
            if agent.is_there && agent.route == Route::Wanted && agent.state != AgentState::Lost {
                agent.route = Route::Queued;
                if let Target::Place(place) = agent.target {
                    agent.goal = Some(place);
                }
                self.searches.ask(index as u32);
            }
        }
        if self.searches.waiting() == 0 {
            return;
        }
        self.searches.run(mesh, &self.agents, &self.filters, self.settings.search_nodes);
        let agents = &mut self.agents;
        self.searches.take_found(|found, polygons| {
            let agent = &mut agents[found.agent as usize];
            if !agent.is_there || agent.salt != found.salt || agent.route != Route::Queued {
                return;
            }
            let id = AgentId { index: found.agent, salt: found.salt };
            take_path(agent, id, found.outcome.clone().ok(), found.goal, (mesh, polygons), events);
        });
    }

    /// Keeps the path of one that follows another up with where that one is.
    fn chase(&mut self, index: usize, mesh: &NavMesh) {
        let Target::Agent(other) = self.agents[index].target else { return };
        let Ok(place) = self.get(other).map(|other| other.corridor.place()) else {
            // It was removed: there is nobody to follow.
            self.agents[index].aim(Target::None);
            return;
        };
        let filter = self.filters[usize::from(self.agents[index].params.filter.0)].clone();
        let agent = &mut self.agents[index];
        agent.goal = Some(place);
        if !matches!(agent.route, Route::Complete | Route::Partial(_)) || agent.passage.is_some() {
            return;
        }
        let (at, end) = (agent.corridor.position(), agent.corridor.target());
        let moved = end.distance(place.point);
        // The nearer it is, the more a small move of the other counts.
        if moved <= 0.1 + 0.05 * at.distance(place.point) {
            return;
        }
        let followed = agent.corridor.move_target(&mut self.query, mesh, place.point, &filter);
        agent.ahead = None;
        if agent.state == AgentState::Arrived {
            agent.state = AgentState::Walking;
        }
        if followed.is_err() || agent.corridor.target().distance(place.point) > 0.5 {
            agent.route = Route::Wanted;
        }
    }

    /// Gathers the bodies as they are now.
    fn sort_bodies(&mut self) {
        let Crowd { own, agents, discs, bodies, steps, .. } = self;
        // Jams that one order does not resolve get another now and then.
        let epoch = (*steps >> 8) as u32;
        own.clear();
        own.extend(agents.iter().enumerate().map(|(index, agent)| body_of(agent, index as u32, epoch)));
        let count = agents.len() as u32;
        own.extend(discs.iter().zip(count..).map(|(disc, owner)| Body {
            at: disc.position.xz(),
            feet: disc.position.y,
            height: disc.height,
            velocity: disc.velocity.xz(),
            wanted: disc.velocity.xz(),
            radius: disc.radius,
            layers: disc.layers,
            owner,
            ..Body::default()
        }));
        bodies.sort(own);
    }

    fn decide(&mut self, mesh: &NavMesh, dt: f32, workers: usize) {
        let scene = decide::DecideInput {
            mesh,
            filters: &self.filters,
            bodies: &self.bodies,
            own: &self.own,
            dt,
            step: self.steps,
            avoid_every: self.settings.avoid_every,
        };
        for_each_piece(&mut self.agents, &mut self.workers[..workers], |worker, first, piece| {
            for (index, agent) in (first..).zip(piece).filter(|(_, agent)| agent.is_there) {
                decide::run(agent, index, &scene, worker);
            }
        });
    }

    /// Where agents will be: their velocities changed as fast as they can, and overlaps pushed apart.
    fn separate(&mut self, dt: f32, workers: usize) {
        let Crowd { spots, agents, own, discs, .. } = self;
        spots.now.clear();
        spots.now.extend(agents.iter().zip(&*own).map(|(agent, own)| {
            let most = agent.params.max_acceleration * dt;
            let change = (agent.chosen - agent.velocity).clamp_length_max(most);
            let moves = !agent.is_kinematic && agent.passage.is_none();
            own.at + if moves { (agent.velocity + change) * dt } else { Vec2::ZERO }
        }));
        spots.now.extend(discs.iter().map(|disc| disc.position.xz() + disc.velocity.xz() * dt));
        let place = |agent: &Agent, index: usize, own: &Body, bodies: &Bodies, spots: &[Vec2]| {
            pushed(agent, index, own, bodies, spots, dt)
        };
        self.push_rounds(ROUNDS, workers, place);
    }

    /// Gives each agent the place that `place` works out from those of the round before, a few times over; until nothing
    /// changes at the longest.
    fn push_rounds(
        &mut self,
        rounds: usize,
        workers: usize,
        place: impl Fn(&Agent, usize, &Body, &Bodies, &[Vec2]) -> Vec2 + Sync,
    ) {
        let Crowd { spots, agents, own, bodies, .. } = self;
        spots.next.clone_from(&spots.now);
        for _ in 0..rounds {
            let (now, changes) = (&spots.now, AtomicBool::new(false));
            let work = |_: &mut Worker, first: usize, piece: &mut [Vec2]| {
                let mut piece_changes = false;
                for (index, spot) in (first..).zip(piece) {
                    *spot = place(&agents[index], index, &own[index], bodies, now);
                    piece_changes |= *spot != now[index];
                }
                changes.fetch_or(piece_changes, Ordering::Relaxed);
            };
            for_each_piece(&mut spots.next[..agents.len()], &mut self.workers[..workers], work);
            std::mem::swap(&mut spots.now, &mut spots.next);
            if !changes.into_inner() {
                break;
            }
        }
    }

    /// Moves agents to their spots, and takes those back that have come into others on the way.
    fn advance(&mut self, mesh: &NavMesh, dt: f32, workers: usize) {
        self.for_each_agent(mesh, dt, workers, advance::travel);
        let agents = self.agents.iter();
        for (spot, agent) in
            self.spots.now.iter_mut().zip(agents).filter(|(_, agent)| agent.passage.is_none())
        {
            *spot = agent.corridor.position().xz();
        }
        self.push_rounds(HOLDING_ROUNDS, workers, held_back);
        self.for_each_agent(mesh, dt, workers, advance::conclude);
    }

    fn for_each_agent(
        &mut self,
        mesh: &NavMesh,
        dt: f32,
        workers: usize,
        work: impl Fn(&mut Agent, AgentId, &advance::AdvanceInput<'_>, &mut Worker) + Sync,
    ) {
        let scene = advance::AdvanceInput {
            mesh,
            filters: &self.filters,
            bodies: &self.bodies,
            own: &self.own,
            spots: &self.spots.now,
            dt,
            stuck_after: self.settings.stuck_after,
        };
        for_each_piece(&mut self.agents, &mut self.workers[..workers], |worker, first, piece| {
            for (index, agent) in (first..).zip(piece).filter(|(_, agent)| agent.is_there) {
                let id = AgentId { index: index as u32, salt: agent.salt };
                work(agent, id, &scene, worker);
            }
        });
    }

    /// A hash of the positions and velocities of all agents: the same for the same run on any machine, with any number
    /// of threads.
    pub fn hash(&self) -> u64 {
        // FNV-1a over the bits, in the order of the agents' places.
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |value: u32| {
            for byte in value.to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        for (index, agent) in self.agents.iter().enumerate().filter(|(_, agent)| agent.is_there) {
            add(index as u32);
            add(agent.salt);
            let position = agent.position();
            let numbers = [position.x, position.y, position.z, agent.velocity.x, agent.velocity.y];
            numbers.iter().for_each(|number| add(number.to_bits()));
        }
        hash
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
        let found = self.filters.get(usize::from(kind.0));
        found.ok_or(CrowdError::NoFilter { given: kind.0, count: self.filters.len() })
    }
}

/// The body of an agent. One on an off-mesh link keeps its far end free: others make room there.
fn body_of(agent: &Agent, index: u32, epoch: u32) -> Body {
    let lands_at = agent.passage.map(|passage| passage.to.point);
    let position = lands_at.unwrap_or(agent.corridor.position());
    let is_solid = agent.is_there && agent.state != AgentState::Lost;
    Body {
        at: position.xz(),
        feet: position.y,
        height: agent.params.height,
        velocity: if lands_at.is_some() { Vec2::ZERO } else { agent.velocity },
        wanted: agent.wanted,
        radius: agent.params.radius,
        yielding: agent.yielding(index),
        priority: agent.params.priority,
        rank: agent.rank(index, epoch),
        claims: agent.claims > 0.0 || agent.lent.is_some() || lands_at.is_some(),
        press: agent.lent.map_or(agent.wanted, |(_, press)| press),
        gives: agent.gives > 0.0 || agent.stalled > advance::JAMMED * 0.5 || agent.stands(),
        lands: lands_at.is_some(),
        has_arrived: agent.state == AgentState::Arrived,
        target: agent.corridor.target().xz(),
        layers: if is_solid { agent.params.layers } else { 0 },
        owner: index,
    }
}

/// Gives an agent the path that was found for it.
fn take_path(
    agent: &mut Agent,
    id: AgentId,
    found: Option<(PathStatus, Vec3)>,
    goal: Place,
    (mesh, polygons): (&NavMesh, &[detour::PolyRef]),
    events: &mut Vec<Event>,
) {
    let Some((status, end)) = found else {
        // The target is off the mesh: it stays where it is until the mesh changes or it is sent elsewhere.
        agent.route = Route::None;
        agent.state = AgentState::Idle;
        events.push(Event { agent: id, kind: EventKind::PathLost });
        return;
    };
    match agent.corridor.set_path(mesh, polygons, end) {
        Ok(true) => {
            agent.goal = Some(goal);
            agent.holds = false;
            agent.ahead = None;
            agent.route = match status {
                PathStatus::Complete => Route::Complete,
                PathStatus::Partial(reason) => Route::Partial(reason),
            };
            if let PathStatus::Partial(reason) = status {
                events.push(Event { agent: id, kind: EventKind::PathPartial(reason) });
            }
            if agent.passage.is_none() {
                agent.state = AgentState::Walking;
            }
        }
        // It walked off the beginning of the path meanwhile: it waits for the next.
        Ok(false) | Err(_) => {
            agent.holds = true;
            agent.route = Route::Wanted;
        }
    }
}
