//! Path searches, with a bounded number of polygons per step. Agents queue, wait for their turn, and get the
//! result.
//!
//! A few lanes work in parallel. Each has its own share of the queue and of the step's polygons, so that the
//! result does not depend on the number of threads. If its lane's share does not suffice, a search continues
//! in the next step.

use crate::agent::{Agent, Route, Target};
use crate::agents::AgentList;
use crate::error::CrowdError;
use crate::filters::CrowdFilter;
use crate::parallel::for_each_piece;
use crate::stored::{Reader, Stored};
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
    agent: u32,
    salt: u32,
    start: Place,
    goal: Place,
    /// Number of polygons that it was given so far.
    spent: u32,
    search: SlicedPath<CrowdFilter>,
}

impl Running {
    fn new(
        query: &mut Query,
        mesh: &NavMesh,
        (agent, salt): (u32, u32),
        [start, goal]: [Place; 2],
        filter: &CrowdFilter,
    ) -> Result<Running, QueryError> {
        let options = PathOptions::default();
        let search = SlicedPath::new(query, mesh.clone(), start, goal, filter.clone(), options)?;
        Ok(Running { agent, salt, start, goal, spent: 0, search })
    }
}

/// The path that was found for an agent.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) agent: u32,
    pub(crate) salt: u32,
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
                self.queue.push_front(running.agent);
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
        for_each_piece(lanes, &mut units[..workers], |(), first, piece| {
            for (number, lane) in piece.iter_mut().enumerate() {
                let own = queue_now.iter().skip(first + number).step_by(LANES).copied();
                lane.run(mesh, agents, filters, own, share);
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

/// A running search, as it is stored: its lane, its agent, its ends, and the number of polygons that it was
/// given.
type Begun = (u32, ((u32, u32), ((Place, Place), u32)));

impl Searches {
    /// Writes the queue and the running searches.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let queue: Vec<u32> = self.queue.iter().copied().collect();
        let running = (0u32..).zip(&self.lanes).filter_map(|(lane, own)| {
            let Running { agent, salt, start, goal, spent, .. } = own.running.as_ref()?;
            Some((lane, ((*agent, *salt), ((*start, *goal), *spent))))
        });
        (queue, running.collect::<Vec<Begun>>()).write(out);
    }

    /// Reads what [`Searches::write`] wrote, and runs each search up to the same point.
    pub(crate) fn read(
        &self,
        from: &mut Reader<'_>,
        (mesh, agents, filters): (&NavMesh, &AgentList, &[CrowdFilter]),
    ) -> Result<Searches, CrowdError> {
        let (queue, begun): (Vec<u32>, Vec<Begun>) = Stored::read(from)?;
        let mut searches = Searches::default();
        if queue.iter().any(|index| *index as usize >= agents.len()) {
            return from.fail("the queue has an unknown agent");
        }
        searches.queue.extend(queue);
        for (lane, ((index, salt), ((start, goal), spent))) in begun {
            let (Some(agent), Some(lane)) =
                (agents.get(index as usize), searches.lanes.get_mut(lane as usize))
            else {
                return from.fail("a search has an unknown agent or lane");
            };
            let filter = &filters[usize::from(agent.params.filter.0)];
            // A search that cannot continue on this mesh begins again in its turn.
            let begun = Running::new(&mut lane.query, mesh, (index, salt), [start, goal], filter);
            let caught_up = begun.and_then(|mut running| {
                running.search.update(spent)?;
                Ok(Running { spent, ..running })
            });
            match caught_up {
                Ok(running) => lane.running = Some(running),
                Err(_) => searches.queue.push_front(index),
            }
        }
        Ok(searches)
    }
}

impl Lane {
    fn run(
        &mut self,
        mesh: &NavMesh,
        agents: &AgentList,
        filters: &[CrowdFilter],
        mut own: impl Iterator<Item = u32>,
        share: u32,
    ) {
        self.taken = 0;
        let mut left = share;
        loop {
            if self.running.is_none() {
                let Some(index) = own.next() else { return };
                self.taken += 1;
                self.begin(mesh, agents, filters, index);
                left = left.saturating_sub(BEGINNING);
            }
            let Some(mut running) = self.running.take() else { continue };
            if left == 0 {
                self.running = Some(running);
                return;
            }
            let stepped = running.search.update(left);
            running.spent = running.spent.saturating_add(left);
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
                agent: running.agent,
                salt: running.salt,
                goal: running.goal,
                outcome,
                polygons: self.polygons.len()..self.polygons.len() + polygons.len(),
            });
            self.polygons.extend_from_slice(polygons);
        }
    }

    /// Begins the search of an agent, if it still needs one.
    fn begin(&mut self, mesh: &NavMesh, agents: &AgentList, filters: &[CrowdFilter], index: u32) {
        let Some(agent) = agents.get(index as usize).filter(|agent| agent.is_there) else { return };
        let target = match agent.target {
            Target::Place(place) => Some(place),
            Target::Agent(other) => agents
                .get(other.index())
                .filter(|agent| agent.is_there && agent.salt == other.salt)
                .map(|agent| agent.corridor.place()),
            Target::Group(_) => agent.slot,
            Target::None | Target::Velocity(_) | Target::Field(_) => None,
        };
        let (Some(target), Route::Queued) = (target, agent.route) else { return };
        let filter = &filters[usize::from(agent.params.filter.0)];
        let begun = self.goal(mesh, target, agent, filter).and_then(|goal| {
            let ends = [agent.corridor.place(), goal];
            Running::new(&mut self.query, mesh, (index, agent.salt), ends, filter)
        });
        match begun {
            Ok(running) => self.running = Some(running),
            Err(error) => self.found.push(Found {
                agent: index,
                salt: agent.salt,
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
