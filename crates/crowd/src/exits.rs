//! Exits among which agents choose by queue as well as by distance.
//!
//! Each exit has a field of its own, and an agent follows the field of the exit that it expects to pass first:
//!
//! ```text
//! seconds = cost of the way there / speed + agents ahead / agents per second that the exit lets through
//! ```
//!
//! Agents ahead have the same exits as their target, head for this exit, and are nearer to it.
//!
//! Agents choose in one pass, those with the shortest way first. So all that are ahead of an agent have chosen
//! before it, and nobody finds a longer queue than expected because others chose the same exit afterwards.
//! Agents that have chosen change later only if that gains a share of their time and some seconds, so that
//! nobody swings to and fro.
//!
//! An agent has its turn in every 60th step; in every tenth, a sixth of them. The others are counted where they
//! were in their own turn.
//!
//! Cost: for n agents and e exits, a pass takes O(n log n) for the counts, and e lookups in fields and O(e log n)
//! for each agent that chooses.
//!
//! Source: the rule of minimum expected travel time, for test 11 of RiMEA e.V., Richtlinie für mikroskopische
//! Entfluchtungsanalysen, version 3 (2016). The counts: P. Fenwick, A new data structure for cumulative frequency
//! tables (1994).

use crate::agent::{Activity, Agent, PathState, Target};
use crate::crowd::Crowd;
use crate::error::{CrowdError, check_range};
use crate::ids::{AgentId, ExitsId, FieldId};
use crate::parallel::{for_each_chunk, worker_count};
use crate::settings::FilterKind;
use crate::stored::{Reader, Stored};
use detour::{NavMesh, Place};
use std::ops::RangeInclusive;

/// The largest number of exits of a target.
const MOST: usize = 64;
/// Agents that one exit lets through, per second.
const RATES: RangeInclusive<f32> = 0.001..=1000.0;
/// Number of steps between two passes, and number of passes in which each agent has its turn once.
const EVERY: u64 = 10;
const TURNS: u64 = 6;
/// An agent changes its exit if that gains this share of its time, and this many seconds.
const GAIN: f32 = 0.15;
const LEAST_GAIN: f32 = 3.0;
/// Slower agents are taken to walk at this speed, so that times are finite. Metres per second.
const SLOWEST: f32 = 1e-3;

/// An exit, or another place that lets agents through one after another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exit {
    /// Where an agent is through. Agents that have arrived stand around it, so that it should not be in the
    /// exit itself, unless the caller removes them.
    pub place: Place,
    /// Number of agents that it lets through per second, 0.001 to 1000: for people, about 1.3 for each metre of
    /// its width.
    pub rate: f32,
}

/// Exits that agents choose among, with their fields and rates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exits {
    list: Vec<(FieldId, f32)>,
}

impl Exits {
    /// Returns true if a field leads to one of them.
    pub(crate) fn has(&self, field: FieldId) -> bool {
        self.number(field).is_some()
    }

    /// Their fields.
    pub(crate) fn fields(&self) -> impl Iterator<Item = FieldId> {
        self.list.iter().map(|(field, _)| *field)
    }

    /// The number of the exit that a field leads to.
    fn number(&self, field: FieldId) -> Option<usize> {
        self.list.iter().position(|(own, _)| *own == field)
    }
}

impl Stored for Exits {
    fn write(&self, out: &mut Vec<u8>) {
        self.list.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let list: Vec<(FieldId, f32)> = Stored::read(from)?;
        check_count(list.len())?;
        list.iter().try_for_each(|(_, rate)| check_rate(*rate))?;
        Ok(Exits { list })
    }
}

fn check_count(count: usize) -> Result<(), CrowdError> {
    check_range("the number of exits", count as f32, 1.0..=MOST as f32, "")
}

fn check_rate(rate: f32) -> Result<(), CrowdError> {
    check_range("the rate of an exit", rate, RATES, " agents per second")
}

/// An agent that takes part in a pass.
#[derive(Clone, Copy, Debug)]
struct Chooser {
    number: u32,
    /// Metres per second.
    speed: f32,
    /// The number of its exit, and whether it may choose another.
    own: Option<usize>,
    chooses: bool,
    /// The costs of the ways to the exits; infinite without a way. Of an agent that does not choose, only that
    /// of its own way is known.
    costs: [f32; MOST],
}

impl Chooser {
    fn new(agent: &Agent, exits: &Exits, call: PassCall) -> Chooser {
        let known = agent.chosen_exit.and_then(|(field, cost)| Some((exits.number(field)?, cost)));
        let mut costs = [f32::INFINITY; MOST];
        known.iter().for_each(|(own, cost)| costs[*own] = *cost);
        Chooser {
            number: agent.number,
            speed: agent.params.max_speed.max(SLOWEST),
            own: known.map(|(own, _)| own),
            chooses: call.is_its_turn(agent) || is_new(agent) || known.is_none() && call.has_changed,
            costs,
        }
    }

    /// Computes the costs that the pass needs. An agent whose way was cut by a change of the mesh chooses.
    fn look(&mut self, exits: &Exits, call: PassCall, cost: impl Fn(FieldId) -> f32) {
        if let Some(own) = self.own.filter(|_| call.has_changed && !self.chooses) {
            self.costs[own] = cost(exits.list[own].0);
            self.chooses = self.costs[own].is_infinite();
        }
        if self.chooses {
            self.costs.iter_mut().zip(exits.fields()).for_each(|(own, field)| *own = cost(field));
            self.own = self.own.filter(|own| self.costs[*own].is_finite());
        }
    }

    /// The cost of the shortest way.
    fn nearest(&self) -> f32 {
        self.costs.iter().copied().fold(f32::INFINITY, f32::min)
    }

    /// The exit that it expects to pass first, or its present exit if that is not much worse.
    fn choice(&self, exits: &Exits, queues: &[Queue]) -> Option<usize> {
        let seconds = |number: usize| {
            self.costs[number] / self.speed + queues[number].ahead(self.costs[number]) / exits.list[number].1
        };
        let reachable = (0..exits.list.len()).filter(|number| self.costs[*number].is_finite());
        let all = reachable.map(|number| (number, seconds(number)));
        let (best, shortest) = all.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let own = self.own.filter(|own| {
            let now = seconds(*own);
            now - shortest < (now * GAIN).max(LEAST_GAIN)
        });
        own.or(Some(best))
    }
}

/// The agents that head for an exit: a tree of counts over the sorted costs of all choosers.
#[derive(Debug, Default)]
struct Queue {
    costs: Vec<f32>,
    /// The count at index i is that of the `i & -i` costs before index i.
    counts: Vec<u32>,
}

impl Queue {
    /// Begins with nobody, for agents with these costs.
    fn begin(&mut self, costs: impl Iterator<Item = f32>) {
        self.costs.clear();
        self.costs.extend(costs.filter(|cost| cost.is_finite()));
        self.costs.sort_unstable_by(f32::total_cmp);
        self.counts.clear();
        self.counts.resize(self.costs.len() + 1, 0);
    }

    /// Number of costs below this one.
    fn rank(&self, cost: f32) -> usize {
        self.costs.partition_point(|other| *other < cost)
    }

    fn change(&mut self, cost: f32, change: impl Fn(&mut u32)) {
        let mut at = self.rank(cost) + 1;
        while let Some(count) = self.counts.get_mut(at) {
            change(count);
            at += at & at.wrapping_neg();
        }
    }

    /// Number of agents in the queue with a lower cost.
    fn ahead(&self, cost: f32) -> f32 {
        let (mut at, mut sum) = (self.rank(cost), 0);
        while at > 0 {
            sum += self.counts[at];
            at &= at - 1;
        }
        sum as f32
    }
}

/// The scratch memory of a pass.
#[derive(Debug, Default)]
pub(crate) struct ExitPass {
    choosers: Vec<Chooser>,
    /// The choosers in the order in which they choose: the seconds of their shortest way, and their indices.
    order: Vec<(f32, u32)>,
    queues: Vec<Queue>,
}

impl ExitPass {
    /// Lets agents choose.
    fn choose(&mut self, exits: &Exits) {
        let ExitPass { choosers, order, queues } = self;
        let count = exits.list.len();
        queues.resize_with(count.max(queues.len()), Queue::default);
        for (number, queue) in queues.iter_mut().enumerate().take(count) {
            queue.begin(choosers.iter().map(|chooser| chooser.costs[number]));
            for chooser in choosers.iter().filter(|chooser| chooser.own == Some(number)) {
                queue.change(chooser.costs[number], |count| *count += 1);
            }
        }
        order.clear();
        let indexed = (0u32..).zip(&*choosers).filter(|(_, chooser)| chooser.chooses);
        order.extend(indexed.map(|(index, chooser)| (chooser.nearest() / chooser.speed, index)));
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, index) in order {
            let chooser = &mut choosers[*index as usize];
            let choice = chooser.choice(exits, queues);
            if choice != chooser.own {
                let costs = &chooser.costs;
                chooser.own.iter().for_each(|own| queues[*own].change(costs[*own], |count| *count -= 1));
                choice.iter().for_each(|own| queues[*own].change(costs[*own], |count| *count += 1));
                chooser.own = choice;
            }
        }
    }
}

/// The reason for a pass.
#[derive(Clone, Copy, Debug)]
struct PassCall {
    /// Its turn, in steps that are for passes.
    turn: Option<u64>,
    /// True if the mesh has changed.
    has_changed: bool,
}

impl PassCall {
    fn is_its_turn(self, agent: &Agent) -> bool {
        self.turn == Some(u64::from(agent.number) % TURNS)
    }
}

/// Returns true if an agent has ground and has not arrived.
fn is_on_its_way(agent: &Agent) -> bool {
    agent.is_there && !agent.is_lost() && !agent.is(Activity::Arrived)
}

/// Returns true if an agent was sent since the last pass. An agent that has found no way is not: it waits for
/// its turn or a change of the mesh.
fn is_new(agent: &Agent) -> bool {
    let has_none = matches!(agent.target, Target::Exits(_)) && agent.chosen_exit.is_none();
    has_none && agent.path == PathState::Field && is_on_its_way(agent)
}

impl Crowd {
    /// Adds 1 to 64 exits that agents with this filter can choose among, by [`Target::Exits`]. There is one
    /// field for each exit: see [`Crowd::add_field`]. An agent walks to the exit that it expects to pass
    /// first, by the way there and by the agents before it: see [`Crowd::exit_of`].
    pub fn add_exits(
        &mut self,
        mesh: &NavMesh,
        exits: &[Exit],
        kind: FilterKind,
    ) -> Result<ExitsId, CrowdError> {
        check_count(exits.len())?;
        exits.iter().try_for_each(|exit| check_rate(exit.rate))?;
        let search = |exit: &Exit| self.searched_field(mesh, &[exit.place], f32::INFINITY, kind);
        let fields = exits.iter().map(search).collect::<Result<Vec<_>, _>>()?;
        let ids = fields.into_iter().map(|field| {
            let (index, salt) = self.fields.list.add(field);
            FieldId { index, salt }
        });
        let list = ids.zip(exits).map(|(field, exit)| (field, exit.rate)).collect();
        let (index, salt) = self.exits.add(Exits { list });
        Ok(ExitsId { index, salt })
    }

    /// Removes exits. Agents that were sent there have no target any more.
    pub fn remove_exits(&mut self, id: ExitsId) -> Result<(), CrowdError> {
        let exits = self.exits.remove(id.index, id.salt).ok_or(CrowdError::NoExits(id))?;
        for field in exits.fields() {
            self.fields.list.remove(field.index, field.salt);
        }
        let own = self.agents.list.iter_mut().filter(|agent| agent.target == Target::Exits(id));
        own.for_each(|agent| agent.aim(Target::None));
        Ok(())
    }

    /// The exit that an agent with [`Target::Exits`] has chosen: its number in the list of
    /// [`Crowd::add_exits`]. `None` before the first step, without a way to any exit, and for agents with
    /// another target.
    ///
    /// An agent chooses in the first step after it was sent. In every 60th step it changes to another exit if
    /// that saves 15 % of its time and at least 3 s; if its own exit cannot be reached any more, at once.
    pub fn exit_of(&self, id: AgentId) -> Result<Option<usize>, CrowdError> {
        let agent = self.get(id)?;
        let Target::Exits(exits) = agent.target else { return Ok(None) };
        let exits = self.known_exits(exits)?;
        Ok(agent.chosen_exit.and_then(|(field, _)| exits.number(field)))
    }

    /// Rejects exits for an agent that has another filter.
    pub(crate) fn check_exits(
        &self,
        agent: AgentId,
        own: FilterKind,
        exits: ExitsId,
    ) -> Result<(), CrowdError> {
        for field in self.known_exits(exits)?.fields() {
            let given = self.fields.get(field)?.filter;
            if given != own {
                return Err(CrowdError::ExitsOfOtherFilter { agent, own: own.0, exits, given: given.0 });
            }
        }
        Ok(())
    }

    fn known_exits(&self, id: ExitsId) -> Result<&Exits, CrowdError> {
        self.exits.get(id.index, id.salt).ok_or(CrowdError::NoExits(id))
    }

    /// Lets agents choose their exits: those that have their turn, those that were sent since the last step,
    /// and, if the mesh `has_changed`, those whose way is cut.
    pub(crate) fn choose_exits(&mut self, mesh: &NavMesh, has_changed: bool) {
        let Crowd { exits, pass, agents, fields, workers, steps, .. } = self;
        let turn = steps.is_multiple_of(EVERY).then_some(*steps / EVERY % TURNS);
        let call = PassCall { turn, has_changed };
        let is_due = turn.is_some() || has_changed;
        if exits.iter().next().is_none() || !is_due && !agents.list.iter().any(is_new) {
            return;
        }
        for ((index, salt), own) in exits.iter() {
            let target = Target::Exits(ExitsId { index, salt });
            let on_way = agents.iter().filter(|agent| agent.target == target && is_on_its_way(agent));
            pass.choosers.clear();
            pass.choosers.extend(on_way.map(|agent| Chooser::new(agent, own, call)));
            let workers = &mut workers[..worker_count(pass.choosers.len())];
            for_each_chunk(&mut pass.choosers, workers, |_, _, chunk| {
                for chooser in chunk {
                    let place = agents[chooser.number as usize].corridor.place();
                    let cost = |field| fields.distance(field, mesh, place).unwrap_or(f32::INFINITY);
                    chooser.look(own, call, cost);
                }
            });
            pass.choose(own);
            for chooser in &pass.choosers {
                let choice = chooser.own.map(|number| (own.list[number].0, chooser.costs[number]));
                agents[chooser.number as usize].choose_exit(choice);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_queue_counts_those_with_lower_costs(
            costs in prop::collection::vec((0..12u8).prop_map(f32::from), 1..30),
            changes in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        ) {
            let mut queue = Queue::default();
            queue.begin(costs.iter().copied().chain([f32::INFINITY]));
            let mut is_in = vec![false; costs.len()];
            for change in changes {
                let index = change.index(costs.len());
                is_in[index] = !is_in[index];
                if is_in[index] {
                    queue.change(costs[index], |count| *count += 1);
                } else {
                    queue.change(costs[index], |count| *count -= 1);
                }
                for cost in &costs {
                    let ahead = costs.iter().zip(&is_in).filter(|(other, is_in)| **is_in && *other < cost);
                    prop_assert_eq!(queue.ahead(*cost), ahead.count() as f32);
                }
            }
        }
    }
}
