//! Trials: sends agents over a mesh and watches them from outside. A build server tests a level with it, and
//! so do the crowd's own tests.
//!
//! Everything is measured from positions alone, not from the crowd's internal state.

use crowd::{AgentId, AgentParams, AgentState, Crowd, CrowdError, Event, EventKind, Overlaps, Target};
use detour::{Filter, Ground, NavMesh, Path, PathOptions, PathStatus, Place, Query, RouteOptions, Vec3};
use std::collections::BTreeMap;

/// Number of times that an unsuitable start is drawn again.
const TRIES: u32 = 2000;
/// Number of times that a goal is drawn again for one start.
const GOALS: u32 = 20;

/// An agent that is sent from a start to a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// Start position, metres from the mesh's anchor.
    pub start: Vec3,
    /// Goal of the walk.
    pub goal: Place,
    /// Its properties.
    pub params: AgentParams,
}

/// The order of an agent whose arrival counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errand {
    /// Time of departure, seconds from the start.
    pub sent: f32,
    /// Seconds that it would take alone. NaN if that is not known, so that its delay does not count.
    pub ideal: f32,
}

/// An agent that is watched.
#[derive(Clone, Copy, Debug)]
struct Walker {
    id: AgentId,
    /// `None` for an agent that is only watched.
    errand: Option<Errand>,
    /// Time of its arrival.
    arrived: Option<f32>,
}

/// The state of a walking agent, of our crowd or of another library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Position of its feet.
    pub position: Vec3,
    /// Metres per second.
    pub velocity: Vec3,
    /// Radius of its body, metres.
    pub radius: f32,
    /// Height of its body, metres.
    pub height: f32,
    /// True if it walks on the mesh, not over an off-mesh link or off ground that was removed.
    pub walks: bool,
}

impl Seen {
    /// The state of an agent of our crowd.
    pub fn of(crowd: &Crowd, id: AgentId) -> Result<Seen, CrowdError> {
        let (view, params) = (crowd.agent(id)?, crowd.params(id)?);
        Ok(Seen {
            position: view.position,
            velocity: view.velocity,
            radius: params.radius,
            height: params.height,
            walks: !matches!(
                view.state,
                AgentState::OnLink(_)
                    | AgentState::SteppingOut
                    | AgentState::Falling
                    | AgentState::Lost
                    | AgentState::Carried
            ),
        })
    }
}

/// Watches walking agents, ours or those of another library, by their positions alone.
#[derive(Debug, Default)]
pub struct Watch {
    overlaps: Overlaps,
    left_mesh: u64,
    jerk: f64,
    samples: u64,
    velocities: Vec<Vec3>,
    query: Query,
}

impl Watch {
    /// Measures all agents after a step. They must always be in the same order.
    pub fn look(&mut self, mesh: &NavMesh, all: impl Iterator<Item = Seen>) {
        let cell = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size as f32);
        let everything = Filter::default();
        self.overlaps.clear();
        for (number, seen) in all.enumerate() {
            if number == self.velocities.len() {
                self.velocities.push(Vec3::ZERO);
            }
            self.jerk += f64::from(seen.velocity.distance(self.velocities[number]));
            self.velocities[number] = seen.velocity;
            self.samples += 1;
            if seen.walks {
                self.overlaps.push(number as u32, seen.position, seen.radius, seen.height);
                let half_extents = Vec3::new(cell, cell.max(seen.height), cell);
                let nearest = self.query.nearest(mesh, seen.position, half_extents, &everything);
                self.left_mesh += u64::from(nearest.is_err());
            }
        }
        self.overlaps.measure();
    }

    /// The largest overlap of two bodies after both had been apart, in radii of the smaller.
    pub fn worst_overlap(&self) -> f32 {
        self.overlaps.worst()
    }

    /// Number of pairs of bodies that overlapped by more than 5 % of a radius after both had been apart,
    /// summed over all steps.
    pub fn deep_pairs(&self) -> u64 {
        self.overlaps.deep_pairs()
    }

    /// Number of positions farther than one cell from the mesh.
    pub fn left_mesh(&self) -> u64 {
        self.left_mesh
    }

    /// Mean change of velocity in a step, metres per second.
    pub fn mean_jerk(&self) -> f32 {
        if self.samples > 0 { (self.jerk / self.samples as f64) as f32 } else { 0.0 }
    }
}

/// A crowd that is stepped and watched.
#[derive(Debug, Default)]
pub struct Trial {
    /// The crowd.
    pub crowd: Crowd,
    walkers: Vec<Walker>,
    /// Index of each agent of the crowd among the walkers.
    numbers: BTreeMap<AgentId, usize>,
    time: f64,
    watch: Watch,
    hash: u64,
    stuck: u64,
    events: Vec<Event>,
}

/// The figures of a trial.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrialReport {
    /// Number of agents that were sent.
    pub agents: usize,
    /// Number of agents that arrived.
    pub arrived: usize,
    /// The largest overlap of two bodies after both had been apart, in radii of the smaller.
    pub worst_overlap: f32,
    /// Number of positions farther than one cell from the mesh, of all agents in all steps, without agents on
    /// off-mesh links.
    pub left_mesh: u64,
    /// Mean delay of the agents that arrived: seconds beyond the time that each would have taken alone.
    pub mean_delay: f32,
    /// The delay that one in twenty of these agents exceeds.
    pub p95_delay: f32,
    /// Mean change of velocity in a step, metres per second, over all agents and steps: a measure of jitter.
    pub mean_jerk: f32,
    /// Number of times that an agent was reported as stuck.
    pub stuck: u64,
    /// Duration of the trial, seconds.
    pub seconds: f32,
    /// A hash of all positions of all steps.
    pub hash: u64,
}

/// Draws walks between random places. Starts are no closer to each other than the agents' radii allow, and
/// each goal is reachable from its start. `random` returns numbers from 0 to 1. Returns fewer walks than
/// asked for if there is no room for more.
pub fn random_walks(
    mesh: &NavMesh,
    filter: &Filter,
    count: usize,
    params: &AgentParams,
    random: &mut impl FnMut() -> f64,
) -> Vec<Walk> {
    let ground = Ground::new(mesh, filter);
    let (mut query, mut path) = (Query::new(), Path::default());
    let mut taken: BTreeMap<(i32, i32), Vec<Vec3>> = BTreeMap::new();
    let width = (params.radius * 2.0).max(0.01);
    let cell = |p: Vec3| ((p.x / width).floor() as i32, (p.z / width).floor() as i32);
    let mut walks = Vec::with_capacity(count);
    let mut tries = 0;
    while walks.len() < count && tries < TRIES {
        tries += 1;
        let Ok(start) = query.random_point_on(&ground, &mut *random) else { continue };
        let (x, z) = cell(start.point);
        let around = (x - 1..=x + 1).flat_map(|x| (z - 1..=z + 1).map(move |z| (x, z)));
        let mut near = around.filter_map(|cell| taken.get(&cell)).flatten();
        if !near.all(|other| is_apart(*other, start.point, params)) {
            continue;
        }
        let goal = (0..GOALS).find_map(|_| {
            let goal = query.random_point_on(&ground, &mut *random).ok()?;
            query.find_path(mesh, start, goal, filter, &PathOptions::default(), &mut path).ok()?;
            (path.status == PathStatus::Complete).then_some(goal)
        });
        let Some(goal) = goal else { continue };
        tries = 0;
        taken.entry(cell(start.point)).or_default().push(start.point);
        walks.push(Walk { start: start.point, goal, params: *params });
    }
    walks
}

/// Returns true if two agents at these places do not touch.
fn is_apart(a: Vec3, b: Vec3, params: &AgentParams) -> bool {
    let away = (a - b).with_y(0.0).length();
    away >= params.radius * 2.0 || (a.y - b.y).abs() > params.height
}

impl Trial {
    /// Puts agents at the starts of their walks and sends them off.
    pub fn new(
        mut crowd: Crowd,
        mesh: &NavMesh,
        filter: &Filter,
        walks: &[Walk],
    ) -> Result<Trial, CrowdError> {
        let mut query = Query::new();
        let mut sent = Vec::with_capacity(walks.len());
        for walk in walks {
            let id = crowd.add(mesh, walk.start, &walk.params)?;
            crowd.set_target(id, Target::Place(walk.goal))?;
            let start = crowd.agent(id)?.position;
            let options = RouteOptions::default();
            let route = query.route(mesh, start, walk.goal.point, filter, &options);
            let length = route.map_or(f32::NAN, |route| route.length);
            sent.push((id, Errand { sent: 0.0, ideal: length / walk.params.max_speed }));
        }
        let mut trial = Trial { crowd, ..Trial::default() };
        sent.into_iter().for_each(|(id, errand)| trial.add(id, Some(errand)));
        Ok(trial)
    }

    /// Watches a crowd that has been set up already; [`Trial::add`] adds the agents to watch.
    pub fn watching(crowd: Crowd) -> Trial {
        Trial { crowd, ..Trial::default() }
    }

    /// Positions of the watched agents.
    pub fn positions(&self) -> Result<Vec<Vec3>, CrowdError> {
        self.walkers.iter().map(|walker| Ok(self.crowd.agent(walker.id)?.position)).collect()
    }

    /// Number of agents that are sent somewhere.
    pub fn errands(&self) -> usize {
        self.sent().count()
    }

    /// The errand of a watched agent; `None` if its arrival does not count.
    pub fn errand(&self, id: AgentId) -> Option<Errand> {
        self.numbers.get(&id).and_then(|number| self.walkers[*number].errand)
    }

    /// Watches another agent of the crowd from now on. An agent without an errand is watched like the others,
    /// but not counted.
    pub fn add(&mut self, id: AgentId, errand: Option<Errand>) {
        self.numbers.insert(id, self.walkers.len());
        self.walkers.push(Walker { id, errand, arrived: None });
    }

    /// Seconds since the start of the trial.
    pub fn time(&self) -> f32 {
        self.time as f32
    }

    /// Moves the crowd by one step; [`Trial::watch`] then measures it.
    pub fn step(&mut self, mesh: &NavMesh, dt: f32) -> Result<(), CrowdError> {
        self.events.clear();
        self.crowd.step(mesh, dt, &mut self.events)?;
        self.time += f64::from(dt);
        Ok(())
    }

    /// The events of the last step.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The agents, in the order of their walks.
    pub fn walkers(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.walkers.iter().map(|walker| walker.id)
    }

    /// The agents that were sent.
    fn sent(&self) -> impl Iterator<Item = (&Walker, Errand)> {
        self.walkers.iter().filter_map(|walker| Some((walker, walker.errand?)))
    }

    /// Returns true if all agents that were sent have arrived.
    pub fn is_over(&self) -> bool {
        self.sent().all(|(walker, _)| walker.arrived.is_some())
    }

    /// Adds the measurements after a step to the report.
    pub fn watch(&mut self, mesh: &NavMesh) -> Result<(), CrowdError> {
        let time = self.time();
        for event in &self.events {
            let Some(number) = self.numbers.get(&event.agent) else { continue };
            let walker = &mut self.walkers[*number];
            match event.kind {
                // An agent that is in its slot before its leader sets out has not arrived yet.
                EventKind::Arrived if walker.errand.is_some_and(|errand| errand.sent < time) => {
                    walker.arrived = walker.arrived.or(Some(time));
                }
                EventKind::Stuck(_) => self.stuck += 1,
                _ => {}
            }
        }
        let mut all = Vec::with_capacity(self.walkers.len());
        for walker in &self.walkers {
            all.push(Seen::of(&self.crowd, walker.id)?);
        }
        self.watch.look(mesh, all.into_iter());
        self.hash = (self.hash ^ self.crowd.hash()).wrapping_mul(0x0100_0000_01b3);
        Ok(())
    }

    /// The figures so far.
    pub fn report(&self) -> TrialReport {
        let late = |(walker, errand): (&Walker, Errand)| Some(walker.arrived? - errand.sent - errand.ideal);
        let mut late: Vec<f32> = self.sent().filter_map(late).filter(|late| late.is_finite()).collect();
        // The sum of an empty list is a negative zero.
        let mean_delay = late.iter().fold(0.0, |sum, late| sum + late) / late.len().max(1) as f32;
        late.sort_by(f32::total_cmp);
        TrialReport {
            agents: self.errands(),
            arrived: self.sent().filter(|(walker, _)| walker.arrived.is_some()).count(),
            worst_overlap: self.watch.worst_overlap(),
            left_mesh: self.watch.left_mesh(),
            mean_delay,
            p95_delay: late.get(late.len() * 95 / 100).copied().unwrap_or(0.0),
            mean_jerk: self.watch.mean_jerk(),
            stuck: self.stuck,
            seconds: self.time(),
            hash: self.hash,
        }
    }
}
