//! A scenario on a mesh: adds the agents, sends them, changes the world over time, and watches.

use super::discs::disc_at;
use super::error::ScenarioError;
use super::flow::GateCounter;
use super::gates::Gates;
use super::plan::{DiscCourse, GateLine, Scenario};
use super::report::RunReport;
use super::setup::{Order, Ready, Round, ready};
use super::world::{Terrain, World};
use crate::recording::Change;
use crate::trial::{Errand, Trial, Walk};
use crowd::{AgentId, Crowd, Event, EventKind, MovingDisc, Target};
use detour::{Filter, NavMesh, Vec3};
use std::collections::BTreeMap;

/// A running scenario.
#[derive(Debug)]
pub struct Run {
    trial: Trial,
    world: World,
    /// The agents of each `[[agents]]`.
    cohorts: Vec<Vec<AgentId>>,
    /// In the order of time; the first `next` have been given.
    orders: Vec<Order>,
    next: usize,
    rounds: BTreeMap<AgentId, Round>,
    discs: Vec<DiscCourse>,
    gates: Gates,
    positions: Vec<Vec3>,
    changes: Vec<Change>,
    /// Steps so far.
    steps: u64,
    /// The number of the last step.
    last_step: u64,
    rate: f64,
}

impl Run {
    /// Puts a scenario on a mesh. `terrain` gives the meaning of area names there.
    ///
    /// # Errors
    /// [`ScenarioError::Misfit`] if the scenario does not fit the mesh: no room for all agents, a place
    /// without ground, a door that shares its polygons, a tile that does not exist, an unknown area name.
    pub fn new(scenario: &Scenario, mesh: NavMesh, terrain: &Terrain) -> Result<Run, ScenarioError> {
        let world = World::new(scenario, mesh.clone(), terrain)?;
        let ready = ready(scenario, &mesh, terrain, world.door_flags())?;
        Run::starting(scenario, world, ready)
    }

    /// Random walks or other walks without a scenario, for some seconds, at a number of steps per second.
    pub fn of_walks(
        crowd: Crowd,
        mesh: NavMesh,
        filter: &Filter,
        walks: &[Walk],
        seconds: f64,
        rate: f64,
    ) -> Result<Run, ScenarioError> {
        let trial = Trial::new(crowd, &mesh, filter, walks)?;
        let cohorts = vec![trial.walkers().collect()];
        let scenario = Scenario { seconds, rate, ..Scenario::default() };
        let world = World::new(&scenario, mesh, &Terrain::default())?;
        let ready = Ready { trial, cohorts, orders: Vec::new(), rounds: BTreeMap::new() };
        Run::starting(&scenario, world, ready)
    }

    fn starting(scenario: &Scenario, world: World, ready: Ready) -> Result<Run, ScenarioError> {
        let Ready { trial, cohorts, orders, rounds } = ready;
        let positions = trial.positions()?;
        let counter =
            |gate: &GateLine| GateCounter::new(&gate.name, gate.line.map(|end| world.mesh.from_world(end)));
        Ok(Run {
            gates: Gates::new(scenario.gate.iter().map(counter).collect()),
            trial,
            cohorts,
            orders,
            next: 0,
            rounds,
            discs: scenario.disc.clone(),
            positions,
            changes: Vec::new(),
            steps: 0,
            last_step: (scenario.seconds * scenario.rate).ceil() as u64,
            rate: scenario.rate,
            world,
        })
    }

    /// Makes the changes of the world that are due, gives orders, and moves the crowd by one step.
    /// [`Run::watch`] then measures it.
    pub fn step(&mut self) -> Result<(), ScenarioError> {
        let time = self.steps as f64 / self.rate;
        self.changes.clear();
        self.world.change(time, &mut self.changes).map_err(|error| {
            ScenarioError::misfit("tile".to_owned(), error.to_string(), "check the times of doors and tiles")
        })?;
        let crowd = &mut self.trial.crowd;
        while let Some((_, id, target)) = self.orders.get(self.next).filter(|(due, ..)| *due <= time) {
            crowd.set_target(*id, *target)?;
            self.next += 1;
        }
        if !self.discs.is_empty() {
            let at = |disc: &DiscCourse| disc_at(disc, time, &self.world.mesh);
            let discs: Vec<MovingDisc> = self.discs.iter().map(at).collect();
            crowd.set_discs(&discs)?;
        }
        self.trial.step(&self.world.mesh, (1.0 / self.rate) as f32)?;
        self.steps += 1;
        Ok(())
    }

    /// Adds the measurements after a step to the report.
    pub fn watch(&mut self) -> Result<(), ScenarioError> {
        self.trial.watch(&self.world.mesh)?;
        let now = self.trial.positions()?;
        let time = self.trial.time();
        for (number, (before, now)) in self.positions.iter().zip(&now).enumerate() {
            self.gates.look(number, [*before, *now], time);
        }
        self.positions = now;
        if !self.rounds.is_empty() {
            self.go_round()?;
        }
        Ok(())
    }

    /// Sends patrolling agents that have arrived at a place to their next place.
    fn go_round(&mut self) -> Result<(), ScenarioError> {
        let has_arrived = |event: &&Event| event.kind == EventKind::Arrived;
        let arrived: Vec<AgentId> =
            self.trial.events().iter().filter(has_arrived).map(|event| event.agent).collect();
        for id in arrived {
            if let Some((places, next)) = self.rounds.get_mut(&id) {
                *next = (*next + 1) % places.len();
                self.trial.crowd.set_target(id, Target::Place(places[*next]))?;
            }
        }
        Ok(())
    }

    /// Returns true if the time is over, or if all agents that were sent have arrived.
    pub fn is_over(&self) -> bool {
        self.steps >= self.last_step || self.trial.errands() > 0 && self.trial.is_over()
    }

    /// The figures so far.
    pub fn report(&self) -> RunReport {
        RunReport { trial: self.trial.report(), flows: self.gates.flows() }
    }

    /// The crowd.
    pub fn crowd(&self) -> &Crowd {
        &self.trial.crowd
    }

    /// The mesh in its present state.
    pub fn mesh(&self) -> &NavMesh {
        &self.world.mesh
    }

    /// The agents of each `[[agents]]`, in the order of the file.
    pub fn cohorts(&self) -> &[Vec<AgentId>] {
        &self.cohorts
    }

    /// The agents, in the order of the file.
    pub fn agents(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.cohorts.iter().flatten().copied()
    }

    /// The orders that are not given yet, the earliest first: time in seconds, agent, and target.
    pub fn orders(&self) -> &[(f64, AgentId, Target)] {
        &self.orders[self.next..]
    }

    /// The errand of an agent; `None` if its arrival does not count.
    pub fn errand(&self, id: AgentId) -> Option<Errand> {
        self.trial.errand(id)
    }

    /// The counters of the gates, in the order of the file.
    pub fn gates(&self) -> &[GateCounter] {
        &self.gates.counters
    }

    /// Changes of the world right before the last step.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The boxes of the doors, world metres, in the order of the file.
    pub fn doors(&self) -> Vec<[[f64; 3]; 2]> {
        self.world.boxes()
    }

    /// The tiles that change, in the order of the file: x, z, layer.
    pub fn tiles(&self) -> &[[i32; 3]] {
        self.world.tiles()
    }

    /// Steps per second.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}
