//! Path searches, with a bounded number of polygons per step. Agents queue, wait for their turn, and get the
//! result.
//!
//! A few lanes work in parallel. Each has its own share of the queue and of the step's polygons, so that the
//! result does not depend on the number of threads. If its lane's share does not suffice, a search continues
//! in the next step.

use crate::agent::{Agent, PathState, Target};
use crate::agents::AgentList;
use crate::error::CrowdError;
use crate::filters::CrowdFilter;
use crate::ids::AgentId;
use crate::parallel::for_each_chunk;
use crate::stored::{Reader, Stored, stored_fields};
use detour::{NavMesh, Path, PathOptions, PathStatus, Place, Progress, Query, QueryError, SlicedPath, Vec3};
use std::collections::VecDeque;
use std::ops::Range;

/// Number of lanes that work in parallel.
const LANES: usize = 8;
/// The cost to begin a search, in polygons.
const BEGINNING: u32 = 16;

/// A search that has begun.
#[derive(Debug)]
struct Running {
    begun: Begun,
    search: SlicedPath<CrowdFilter>,
}

/// A search that has begun, as it is stored.
#[derive(Clone, Copy, Debug)]
struct Begun {
    agent: AgentId,
    start: Place,
    goal: Place,
    /// Number of polygons that it was given so far.
    spent: u32,
}
stored_fields!(Begun { agent, start, goal, spent });

impl Running {
    fn new(
        query: &mut Query,
        mesh: &NavMesh,
        begun: Begun,
        filter: &CrowdFilter,
    ) -> Result<Running, QueryError> {
        let options = PathOptions::default();
        let search = SlicedPath::new(query, mesh.clone(), begun.start, begun.goal, filter.clone(), options)?;
        Ok(Running { begun, search })
    }
}

/// The path that was found for an agent.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) agent: AgentId,
    /// The goal of the path.
    pub(crate) goal: Place,
    /// The status and the end of the path, or an error for a place that the mesh no longer has.
    pub(crate) outcome: Result<(PathStatus, Vec3), QueryError>,
    polygons: Range<usize>,
}

/// One of the lanes that work in parallel.
#[derive(Debug, Default)]
struct Lane {
    query: Query,
    running: Option<Running>,
    /// Number of agents of its share of the queue that it has handled.
    taken: usize,
    found: Vec<Found>,
    /// The polygons of the paths that were found, one path after another.
    polygons: Vec<detour::PolyRef>,
    path: Path,
}

/// All searches of a crowd.
#[derive(Debug)]
pub(crate) struct Searches {
    queue: VecDeque<u32>,
    lanes: Vec<Lane>,
    units: Vec<()>,
}

impl Default for Searches {
    fn default() -> Searches {
        let lanes = (0..LANES).map(|_| Lane::default()).collect();
        Searches { queue: VecDeque::new(), lanes, units: vec![(); LANES] }
    }
}

impl Searches {
    /// Puts an agent at the end of the queue.
    pub(crate) fn ask(&mut self, agent: u32) {
        self.queue.push_back(agent);
    }

    /// Number of agents whose search has not begun.
    pub(crate) fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Sorts the agents after the first `before` by number.
    pub(crate) fn order_from(&mut self, before: usize) {
        if before < self.queue.len() {
            self.queue.make_contiguous()[before..].sort_unstable();
        }
    }

    /// Number of agents whose search is queued or running.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len() + self.lanes.iter().filter(|lane| lane.running.is_some()).count()
    }

    /// Restarts all running searches, as the mesh has changed.
    pub(crate) fn restart(&mut self) {
        for lane in self.lanes.iter_mut().rev() {
            if let Some(running) = lane.running.take() {
                self.queue.push_front(running.begun.agent.index);
                lane.query = running.search.into_query();
            }
        }
    }

    /// Searches up to `nodes` polygons. [`Searches::take_found`] then has the paths.
    pub(crate) fn run(&mut self, mesh: &NavMesh, agents: &AgentList, filters: &[CrowdFilter], nodes: u32) {
        let Searches { queue, lanes, units } = self;
        let share = (nodes / LANES as u32).max(1);
        let is_busy = lanes.iter().filter(|lane| lane.running.is_some()).count() + queue.len() > 1;
        let queue_now = &*queue;
        let workers = if is_busy { LANES } else { 1 };
        for_each_chunk(lanes, &mut units[..workers], |(), first, chunk| {
            for (number, lane) in chunk.iter_mut().enumerate() {
                let own = queue_now.iter().skip(first + number).step_by(LANES).copied();
                lane.run(own, share, mesh, agents, filters);
            }
        });
        // Agents whose search has begun leave the queue; the rest keeps its order.
        let mut number = 0;
        queue.retain(|_| {
            let (lane, place) = (number % LANES, number / LANES);
            number += 1;
            place >= lanes[lane].taken
        });
    }

    /// Calls `take` for each result, lane by lane.
    pub(crate) fn take_found(&mut self, mut take: impl FnMut(&Found, &[detour::PolyRef])) {
        for lane in &mut self.lanes {
            for found in lane.found.drain(..) {
                take(&found, &lane.polygons[found.polygons.clone()]);
            }
            lane.polygons.clear();
        }
    }
}

impl Searches {
    /// Writes the queue and the running searches.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        self.queue.write(out);
        let lanes = (0u32..).zip(&self.lanes);
        let begun = lanes.filter_map(|(number, lane)| Some((number, lane.running.as_ref()?.begun)));
        begun.collect::<Vec<(u32, Begun)>>().write(out);
    }

    /// Reads what [`Searches::write`] wrote, and runs each search up to the same point.
    pub(crate) fn read(
        &self,
        from: &mut Reader<'_>,
        mesh: &NavMesh,
        agents: &AgentList,
        filters: &[CrowdFilter],
    ) -> Result<Searches, CrowdError> {
        let mut searches = Searches { queue: Stored::read(from)?, ..Searches::default() };
        if searches.queue.iter().any(|index| *index as usize >= agents.len()) {
            return from.fail("the queue has an unknown agent");
        }
        for (lane, begun) in Vec::<(u32, Begun)>::read(from)? {
            let lane = searches.lanes.get_mut(lane as usize);
            let (Some(agent), Some(lane)) = (agents.get(begun.agent.index()), lane) else {
                return from.fail("a search has an unknown agent or lane");
            };
            let filter = &filters[usize::from(agent.params.filter.0)];
            // A search that cannot continue on this mesh begins again in its turn.
            let running = Running::new(&mut lane.query, mesh, begun, filter);
            let caught_up = running.and_then(|mut running| {
                running.search.update(begun.spent)?;
                Ok(running)
            });
            match caught_up {
                Ok(running) => lane.running = Some(running),
                Err(_) => searches.queue.push_front(begun.agent.index),
            }
        }
        Ok(searches)
    }
}

impl Lane {
    fn run(
        &mut self,
        mut own: impl Iterator<Item = u32>,
        share: u32,
        mesh: &NavMesh,
        agents: &AgentList,
        filters: &[CrowdFilter],
    ) {
        self.taken = 0;
        let mut left = share;
        loop {
            if self.running.is_none() {
                let Some(index) = own.next() else { return };
                self.taken += 1;
                self.begin(index, mesh, agents, filters);
                left = left.saturating_sub(BEGINNING);
            }
            let Some(mut running) = self.running.take() else { continue };
            if left == 0 {
                self.running = Some(running);
                return;
            }
            let stepped = running.search.update(left);
            running.begun.spent = running.begun.spent.saturating_add(left);
            if matches!(stepped, Ok(Progress::Running)) {
                self.running = Some(running);
                return;
            }
            let outcome = stepped.and_then(|_| running.search.finish(&mut self.path));
            let outcome = outcome.map(|_| (self.path.status, self.path.end));
            left = left.saturating_sub(u32::try_from(self.path.touched).unwrap_or(u32::MAX));
            self.query = running.search.into_query();
            let polygons: &[_] = if outcome.is_ok() { &self.path.polygons } else { &[] };
            self.found.push(Found {
                agent: running.begun.agent,
                goal: running.begun.goal,
                outcome,
                polygons: self.polygons.len()..self.polygons.len() + polygons.len(),
            });
            self.polygons.extend_from_slice(polygons);
        }
    }

    /// Begins the search of an agent, if it still needs one.
    fn begin(&mut self, index: u32, mesh: &NavMesh, agents: &AgentList, filters: &[CrowdFilter]) {
        let Some(agent) = agents.get(index as usize).filter(|agent| agent.is_there) else { return };
        let target = match agent.target {
            Target::Place(place) => Some(place),
            Target::Agent(other) => agents
                .get(other.index())
                .filter(|agent| agent.is_there && agent.salt == other.salt)
                .map(|agent| agent.corridor.place()),
            Target::Group(_) => agent.slot(),
            Target::None | Target::Velocity(_) | Target::Field(_) | Target::Exits(_) => None,
        };
        let (Some(target), PathState::Queued(_)) = (target, agent.path) else { return };
        let filter = &filters[usize::from(agent.params.filter.0)];
        let begun = self.goal(mesh, target, agent, filter).and_then(|goal| {
            let begun = Begun { agent: agent.id(), start: agent.corridor.place(), goal, spent: 0 };
            Running::new(&mut self.query, mesh, begun, filter)
        });
        match begun {
            Ok(running) => self.running = Some(running),
            Err(error) => self.found.push(Found {
                agent: agent.id(),
                goal: target,
                outcome: Err(error),
                polygons: 0..0,
            }),
        }
    }

    /// The target's place in this mesh. If its polygon is gone, the ground nearest to it.
    fn goal(
        &mut self,
        mesh: &NavMesh,
        target: Place,
        agent: &Agent,
        filter: &CrowdFilter,
    ) -> Result<Place, QueryError> {
        if mesh.attributes(target.polygon).is_ok() {
            return Ok(target);
        }
        let reach = agent.params.radius * 2.0 + 1.0;
        let half_extents = Vec3::new(reach, agent.params.height + 1.0, reach);
        Ok(self.query.nearest(mesh, target.point, half_extents, filter)?.place())
    }
}
