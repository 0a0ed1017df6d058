//! The step of a crowd: its phases in their order, each over all agents.

use crate::agent::{Activity, Agent, Meanwhile, PathState, Role, Target};
use crate::bodies::{Body, Errand, NONE};
use crate::crowd::{Crowd, MovingDisc};
use crate::error::{CrowdError, check_range};
use crate::event::{Event, EventKind};
use crate::filters::Ground;
use crate::ids::GroupId;
use crate::parallel::{for_each_chunk, worker_count};
use crate::searches::Found;
use crate::step::admit::OnLink;
use crate::step::lead::LeadScene;
use crate::step::separate::{Contacts, HOLDING_ROUNDS, PushRound, ROUNDS, Spots, furthest};
use crate::step::{Parts, Scene, Worker, advance, decide, lead, upkeep};
use detour::{NavMesh, PathStatus, PolyRef};
use glam::{Vec2, Vec3Swizzles};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};

/// A leader that is slower than this is at rest, metres per second.
const STANDING: f32 = 0.05;
/// The longest step, seconds; longer steps are split.
const LONGEST_STEP: f32 = 0.1;
/// The longest time that one call may move a crowd by, seconds.
const LONGEST_TIME: f32 = 10.0;

/// Tolerance, in metres: a move along the surface misses its spot by no more than this. Also the part by
/// which a move may be longer.
const SLACK: f32 = 1e-3;
/// Number of steps after which agents are sorted by position, so that neighbours are near each other in
/// memory.
const ARRANGED: u64 = 256;

impl Crowd {
    /// Moves all agents by `dt` seconds, 0 to 10, over this mesh, and adds what happened to `events`. Steps
    /// longer than a tenth of a second are split.
    pub fn step(&mut self, mesh: &NavMesh, dt: f32, events: &mut Vec<Event>) -> Result<(), CrowdError> {
        check_range("dt", dt, 0.0..=LONGEST_TIME, " s")?;
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
        self.workers.iter_mut().for_each(Worker::clear);
        let has_changed = self.follow_mesh(mesh, workers, events);
        self.find_ground(mesh, has_changed, events);
        self.find_holders(mesh, dt, has_changed);
        self.choose_exits(mesh, has_changed);
        self.lead(mesh, dt, workers);
        self.workers.iter_mut().for_each(|worker| events.append(&mut worker.events));
        self.parts.moved = self.gather_bodies(dt);
        self.search(mesh, events);
        self.sort_bodies();
        self.decide(mesh, dt, workers);
        self.gather_events(events);
        self.separate(workers);
        self.advance(mesh, dt, workers);
        self.gather_events(events);
        self.admit(mesh, dt, events);
        if self.parts.steps.is_multiple_of(ARRANGED) {
            let count = self.agents.len() as u32;
            let order = self.parts.bodies.sorted.iter().map(|body| body.place);
            self.agents.arrange(order.filter(|place| *place < count));
        }
        self.parts.steps += 1;
    }

    /// Hands out the events of a phase in the order of the agents' numbers, for any number of workers.
    fn gather_events(&mut self, events: &mut Vec<Event>) {
        let Crowd { news, workers, .. } = self;
        news.clear();
        let found = workers.iter_mut().flat_map(|worker| worker.events.drain(..));
        news.extend((0..).zip(found).map(|(turn, event)| (event.agent.index, turn, event)));
        news.sort_unstable_by_key(|(number, turn, _)| (*number, *turn));
        events.extend(news.iter().map(|(_, _, event)| *event));
    }

    /// Lets agents off off-mesh links and onto them.
    fn admit(&mut self, mesh: &NavMesh, dt: f32, events: &mut Vec<Event>) {
        let at_links = self.workers.iter().flat_map(|worker| &worker.at_links).copied();
        self.gate.run(at_links, &mut self.agents, mesh, dt, events);
    }

    /// Checks all corridors if the mesh differs from that of the last step. Returns true if it does.
    fn follow_mesh(&mut self, mesh: &NavMesh, workers: usize, events: &mut Vec<Event>) -> bool {
        if self.mesh.is_same(mesh) {
            return false;
        }
        let before = std::mem::replace(&mut self.mesh, mesh.clone());
        self.searches.restart();
        let nodes = NonZeroU32::new(self.parts.settings.field_nodes).unwrap_or(NonZeroU32::MIN);
        self.parts.fields.refresh(nodes, mesh, &self.parts.filters);
        let (filters, fields) = (&self.parts.filters, &self.parts.fields);
        for_each_chunk(&mut self.agents.list, &mut self.workers[..workers], |worker, _, chunk| {
            for agent in chunk.iter_mut().filter(|agent| agent.is_there) {
                let ground = Ground { mesh, filter: &filters[usize::from(agent.params.filter.0)] };
                let has_moved = |id| fields.get(id).is_ok_and(|own| own.has_moved);
                if agent.is(Activity::Arrived) && agent.field().is_some_and(has_moved) {
                    agent.act(Activity::Walking);
                }
                upkeep::after_change(agent, &before, ground, worker);
            }
        });
        self.gather_events(events);
        true
    }

    /// Computes the positions of the followers of all groups, and the speed of the leaders.
    fn lead(&mut self, mesh: &NavMesh, dt: f32, workers: usize) {
        let scene = LeadScene { mesh, filters: &self.parts.filters, agents: &self.agents, dt };
        let groups = self.groups.places_mut();
        let workers = workers.min(groups.len() / 2).max(1);
        for_each_chunk(groups, &mut self.workers[..workers], |worker, first, chunk| {
            for (index, (salt, group)) in (first..).zip(chunk) {
                let id = GroupId { index: index as u32, salt: *salt };
                group.iter_mut().for_each(|group| lead::run(group, id, &scene, worker));
            }
        });
        for ((index, salt), own) in self.groups.iter() {
            let group = GroupId { index, salt };
            let leader = &mut self.agents[own.leader.index()];
            leader.role = Role::Leader { group, pace: own.pace };
            let may_arrive = leader.is_at_rest() && leader.velocity.length() < STANDING;
            for follower in &own.followers {
                let role = Role::Follower { group, slot: follower.place, may_arrive };
                self.agents[follower.agent.index()].role = role;
            }
        }
    }

    /// Queues agents that need a path, searches for a while, and hands out the results. Updates the bodies of
    /// these agents.
    fn search(&mut self, mesh: &NavMesh, events: &mut Vec<Event>) {
        let (before, epoch) = (self.searches.queued(), self.epoch());
        let mut seekers = std::mem::take(&mut self.seekers);
        seekers.clear();
        self.workers.iter_mut().for_each(|worker| seekers.append(&mut worker.seekers));
        for place in seekers.iter().map(|place| *place as usize) {
            self.chase(place, mesh, events);
            let agent = &mut self.agents.list[place];
            // A follower has no slot until its leader has ground.
            let has_aim = !matches!(agent.target, Target::Group(_)) || agent.slot().is_some();
            if let PathState::Wanted(meanwhile) = agent.path
                && !agent.is_lost()
                && has_aim
            {
                agent.path = PathState::Queued(meanwhile);
                // An agent that has arrived keeps its goal, to compare it with that of the new path.
                if let Target::Place(place) = agent.target
                    && !agent.is(Activity::Arrived)
                {
                    agent.goal = Some(place);
                }
                self.searches.ask(agent.number);
            }
            self.parts.own[place] = body_of(agent, epoch);
        }
        self.seekers = seekers;
        self.searches.order_from(before);
        if self.searches.waiting() == 0 {
            return;
        }
        self.searches.run(mesh, &self.agents, &self.parts.filters, self.parts.settings.search_nodes);
        let (agents, own) = (&mut self.agents, &mut self.parts.own);
        self.searches.take_found(|found, polygons| {
            let agent = &mut agents[found.agent.index()];
            let PathState::Queued(meanwhile) = agent.path else { return };
            if !agent.is_there || agent.salt != found.agent.salt {
                return;
            }
            if agent.is_lost() {
                // It requests a path again once it has found ground.
                agent.path = PathState::Wanted(meanwhile);
                return;
            }
            take_path(agent, meanwhile, found, mesh, polygons, events);
            own[agent.place as usize] = body_of(agent, epoch);
        });
    }

    /// Updates the path of an agent that pursues another agent or its slot when that moves.
    fn chase(&mut self, place: usize, mesh: &NavMesh, events: &mut Vec<Event>) {
        let agent = &self.agents.list[place];
        // Slots are near, and often move a little.
        let (goal, least, standoff) = match agent.target {
            Target::Agent(other) => match self.get(other) {
                Ok(other) => (other.corridor.place(), 0.1, agent.params.radius + other.params.radius),
                Err(_) => {
                    // The other agent was removed.
                    let agent = &mut self.agents.list[place];
                    agent.aim(Target::None);
                    events.push(Event { agent: agent.id(), kind: EventKind::PathLost });
                    return;
                }
            },
            Target::Group(_) => match agent.slot() {
                Some(slot) => (slot, 0.03, 0.0),
                None => return,
            },
            _ => return,
        };
        let filter = self.parts.filters[usize::from(agent.params.filter.0)].clone();
        let agent = &mut self.agents.list[place];
        agent.standoff = standoff;
        if agent.path.is_found() || !agent.is(Activity::Arrived) {
            agent.goal = Some(goal);
        }
        if !agent.path.is_found() || agent.passage().is_some() {
            return;
        }
        let (at, end) = (agent.corridor.position(), agent.corridor.target());
        let moved = end.distance(goal.point);
        // An agent that was pushed out of its slot returns to it.
        let is_out = matches!(agent.target, Target::Group(_))
            && agent.is(Activity::Arrived)
            && at.xz().distance(agent.progress.at)
                > agent.params.stopping_distance + agent.params.radius * 0.25;
        if is_out {
            agent.act(Activity::Walking);
        }
        // The nearer the agent is, the more a small move of its target matters.
        if moved <= least + 0.05 * at.distance(goal.point) {
            return;
        }
        let followed = agent.corridor.move_target(&mut self.query, mesh, goal.point, &filter);
        agent.ahead = None;
        // An agent next to its quarry stays there while the quarry moves only a little.
        let stays = standoff > 0.0
            && at.xz().distance(goal.point.xz()) <= standoff + agent.params.stopping_distance * 2.0;
        if agent.is(Activity::Arrived) && !stays {
            agent.act(Activity::Walking);
        }
        if followed.is_err() || agent.corridor.target().distance(goal.point) > 0.5 {
            agent.path = agent.path.again();
        }
    }

    /// Number of the epoch. Jams that one order does not resolve get another order from time to time.
    pub(crate) fn epoch(&self) -> u32 {
        (self.parts.steps >> 8) as u32
    }

    /// Gathers the bodies of all agents, the agents that may need a path, and the agents on off-mesh links.
    /// One pass over the agents collects all of it. Returns the largest distance that anybody may move in a
    /// step of `dt` seconds, metres.
    pub(crate) fn gather_bodies(&mut self, dt: f32) -> f32 {
        let epoch = self.epoch();
        let Crowd { parts: Parts { own, .. }, agents, discs, workers, .. } = self;
        own.clear();
        own.resize(agents.len(), Body::default());
        let list = &agents.list;
        for worker in workers.iter_mut() {
            worker.farthest = 0.0;
            worker.seekers.clear();
            worker.on_links.clear();
        }
        for_each_chunk(own, &mut workers[..worker_count(list.len())], |worker, first, chunk| {
            for (body, agent) in chunk.iter_mut().zip(&list[first..]) {
                *body = body_of(agent, epoch);
                if agent.is_there {
                    let fastest = body.velocity.length_squared().max(agent.chosen.length_squared()).sqrt();
                    worker.farthest = worker.farthest.max(furthest(agent, dt)).max(fastest * dt);
                    let follows = matches!(agent.target, Target::Agent(_) | Target::Group(_));
                    worker.seekers.extend(
                        (follows || matches!(agent.path, PathState::Wanted(_))).then_some(agent.place),
                    );
                    worker.on_links.extend(OnLink::of(agent));
                }
            }
        });
        let farthest = workers.iter().map(|worker| worker.farthest).fold(0.0, f32::max);
        let discs = discs.iter().map(|disc| disc.velocity.xz().length() * dt);
        discs.fold(farthest, f32::max) * (1.0 + SLACK) + SLACK
    }

    /// Adds the bodies of the discs and sorts all bodies.
    pub(crate) fn sort_bodies(&mut self) {
        let Crowd { parts: Parts { own, bodies, .. }, agents, discs, gate, workers, .. } = self;
        gate.hide_followers(workers.iter().flat_map(|worker| &worker.on_links).copied(), agents, own);
        let count = agents.len() as u32;
        own.extend(discs.iter().zip(count..).map(|(disc, owner)| body_of_disc(disc, owner)));
        bodies.sort(own);
    }

    /// Computes the velocity of each agent, its position if nobody blocks it, and the bodies that it may
    /// touch.
    fn decide(&mut self, mesh: &NavMesh, dt: f32, workers: usize) {
        self.for_each_agent(mesh, dt, workers, |agent, _, scene, worker| {
            let mut spot = scene.parts.own[agent.place as usize].at;
            worker.near.clear();
            if agent.is_there {
                decide::run(agent, scene, worker);
                worker.contacts.gather(agent, scene.nearby(worker.near.list()), scene);
                if !agent.is_kinematic && agent.passage().is_none() {
                    let most = agent.params.max_acceleration * dt;
                    let change = (agent.chosen - agent.velocity).clamp_length_max(most);
                    spot += (agent.velocity + change) * dt;
                }
            }
            worker.near_lists.push(&worker.near);
            worker.spots.push(spot);
        });
        self.gather_spots(workers);
        let discs = self.discs.iter();
        self.parts.spots.now.extend(discs.map(|disc| disc.position.xz() + disc.velocity.xz() * dt));
    }

    /// Takes the spots that the workers have found for their agents, in the order of the agents.
    fn gather_spots(&mut self, workers: usize) {
        self.parts.spots.now.clear();
        for worker in &mut self.workers[..workers] {
            self.parts.spots.now.append(&mut worker.spots);
        }
    }

    /// Pushes overlapping agents apart.
    fn separate(&mut self, workers: usize) {
        let (agents, own, bodies) = (&self.agents.list, &self.parts.own, &self.parts.bodies);
        let push = |contacts: &Contacts, spots: PushRound<'_>| contacts.push(spots, agents, own, bodies);
        rounds(ROUNDS, &mut self.parts.spots, agents.len(), &mut self.workers[..workers], push);
    }

    /// Moves agents to their spots, and moves agents back that ran into others.
    fn advance(&mut self, mesh: &NavMesh, dt: f32, workers: usize) {
        self.for_each_agent(mesh, dt, workers, |agent, _, scene, worker| {
            if agent.is_there {
                advance::travel(agent, scene, worker);
            }
            let is_on_ground = agent.passage().is_none();
            let before = scene.parts.spots.now[agent.place as usize];
            worker.spots.push(if is_on_ground { agent.corridor.position().xz() } else { before });
        });
        let discs = self.agents.len();
        self.parts.spots.next.clear();
        self.parts.spots.next.extend_from_slice(&self.parts.spots.now[discs..]);
        self.gather_spots(workers);
        self.parts.spots.now.append(&mut self.parts.spots.next);
        let hold = |contacts: &Contacts, spots: PushRound<'_>| contacts.hold_back(spots);
        rounds(HOLDING_ROUNDS, &mut self.parts.spots, discs, &mut self.workers[..workers], hold);
        self.for_each_agent(mesh, dt, workers, |agent, index, scene, worker| {
            if agent.is_there {
                advance::conclude(agent, index, scene, worker);
                if agent.passage().is_some() || advance::at_link(agent) {
                    worker.at_links.push(agent.number);
                }
            }
        });
    }

    /// Calls `work` for each agent, with its index in its worker's chunk.
    fn for_each_agent(
        &mut self,
        mesh: &NavMesh,
        dt: f32,
        workers: usize,
        work: impl Fn(&mut Agent, usize, &Scene<'_>, &mut Worker) + Sync,
    ) {
        let scene = Scene { mesh, parts: &self.parts, dt };
        for_each_chunk(&mut self.agents.list, &mut self.workers[..workers], |worker, _, chunk| {
            chunk.iter_mut().enumerate().for_each(|(index, agent)| work(agent, index, &scene, worker));
        });
    }
}

/// Runs up to `most` rounds, in which `round` computes the spot of each of the first `agents` from the spots
/// of the round before. Stops early when nothing changes.
fn rounds(
    most: usize,
    spots: &mut Spots,
    agents: usize,
    workers: &mut [Worker],
    round: impl Fn(&Contacts, PushRound<'_>) -> bool + Sync,
) {
    spots.next.clone_from(&spots.now);
    for _ in 0..most {
        let (now, changes) = (&spots.now, AtomicBool::new(false));
        for_each_chunk(&mut spots.next[..agents], workers, |worker, first, next| {
            let chunk_changes = round(&worker.contacts, PushRound { now, first, next });
            changes.fetch_or(chunk_changes, Ordering::Relaxed);
        });
        std::mem::swap(&mut spots.now, &mut spots.next);
        if !changes.into_inner() {
            break;
        }
    }
}

/// The body of an agent. An agent on an off-mesh link occupies the link's far end, so that others make room
/// there.
pub(crate) fn body_of(agent: &Agent, epoch: u32) -> Body {
    let lands_at = agent.passage().map(|passage| passage.to.point);
    let position = lands_at.unwrap_or(agent.corridor.position());
    let is_solid = agent.is_there && !agent.is_lost();
    Body {
        at: position.xz(),
        feet: position.y,
        height: agent.params.height,
        radius: agent.params.radius,
        layers: if is_solid { agent.params.layers } else { 0 },
        velocity: if lands_at.is_some() { Vec2::ZERO } else { agent.velocity },
        preferred: agent.preferred,
        lands: lands_at.is_some(),
        right_of_way: agent.right_of_way(epoch),
        keeps_right: agent.keeps_right,
        errand: agent.errand(),
        owner: agent.number,
        place: agent.place,
    }
}

/// The body of a moving disc. `owner` is its number among all bodies.
pub(crate) fn body_of_disc(disc: &MovingDisc, owner: u32) -> Body {
    Body {
        at: disc.position.xz(),
        feet: disc.position.y,
        height: disc.height,
        velocity: disc.velocity.xz(),
        preferred: disc.velocity.xz(),
        radius: disc.radius,
        layers: disc.layers,
        errand: Errand { field: NONE, group: NONE, quarry: NONE, ..Errand::default() },
        owner,
        place: owner,
        ..Body::default()
    }
}

/// Gives an agent the path that was found for it.
fn take_path(
    agent: &mut Agent,
    meanwhile: Meanwhile,
    found: &Found,
    mesh: &NavMesh,
    polygons: &[PolyRef],
    events: &mut Vec<Event>,
) {
    let Ok((status, end)) = found.outcome else {
        // The target is off the mesh: the agent stays where it is until the mesh changes or it is sent
        // elsewhere.
        agent.path = PathState::NoGoal(meanwhile);
        agent.act(Activity::Idle);
        events.push(Event { agent: agent.id(), kind: EventKind::PathLost });
        return;
    };
    match agent.corridor.set_path(mesh, polygons, end) {
        Ok(true) => {
            let apart = agent.goal.map_or(f32::INFINITY, |goal| goal.point.distance(found.goal.point));
            let is_same = apart <= agent.params.stopping_distance.max(1e-3);
            let stays = agent.is(Activity::Arrived) && is_same && status == PathStatus::Complete;
            agent.goal = Some(found.goal);
            agent.ahead = None;
            agent.progress.shortest = f32::INFINITY;
            agent.path = match status {
                PathStatus::Complete => PathState::Complete,
                PathStatus::Partial(reason) => PathState::Partial(reason),
            };
            if let PathStatus::Partial(reason) = status {
                events.push(Event { agent: agent.id(), kind: EventKind::PathPartial(reason) });
            }
            if !stays {
                agent.act(Activity::Walking);
            }
        }
        // It left the beginning of the path in the meantime, and waits for the next path.
        Ok(false) | Err(_) => agent.path = PathState::Wanted(Meanwhile::Wait),
    }
}
