//! Exits that agents choose by queue as well as by distance.
//!
//! Each exit has its own field, and an agent follows the field of the exit that it expects to pass first:
//!
//! ```text
//! seconds = cost of the path / speed + agents ahead / agents that the exit lets through per second
//! ```
//!
//! Agents ahead have the same exits as their target, head for this exit, and are nearer to it.
//!
//! In a pass, agents with the shortest paths choose first. All agents ahead of an agent have then chosen
//! before it, and its queue gets no longer by later choices. An agent changes its exit later only if that
//! saves a share of its time and some seconds, so that nobody swings to and fro.
//!
//! Each agent has its turn once in 60 steps, and a sixth of all agents in every tenth step. The others count
//! at the distance of their own last turn.
//!
//! Cost: for n agents and e exits, a pass takes O(n log n) for the counts. Each agent that chooses takes e
//! lookups in fields, and O(e log n).
//!
//! Source: the rule of minimum expected travel time, for test 11 of RiMEA e.V., Richtlinie für mikroskopische
//! Entfluchtungsanalysen, version 3 (2016). For the counts: P. Fenwick, A new data structure for cumulative
//! frequency tables (1994).

use crate::agent::{Activity, Agent, PathState, Target};
use crate::error::{CrowdError, check_range};
use crate::ids::FieldId;
use crate::stored::{Reader, Stored};
use detour::Place;
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
    /// Behind the exit: an agent is through when it arrives there. Agents that have arrived are around it, so
    /// that it needs room, unless the caller removes them.
    pub place: Place,
    /// Number of agents that it lets through per second, 0.001 to 1000: for people, about 1.3 for each metre
    /// of its width.
    pub rate: f32,
}

/// Exits that agents choose among, with their fields and rates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exits {
    pub(crate) list: Vec<(FieldId, f32)>,
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
    pub(crate) fn number(&self, field: FieldId) -> Option<usize> {
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

pub(crate) fn check_count(count: usize) -> Result<(), CrowdError> {
    check_range("the number of exits", count as f32, 1.0..=MOST as f32, "")
}

pub(crate) fn check_rate(rate: f32) -> Result<(), CrowdError> {
    check_range("the rate of an exit", rate, RATES, " agents per second")
}

/// An agent that takes part in a pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chooser {
    pub(crate) number: u32,
    /// Metres per second.
    speed: f32,
    /// The number of its exit, and whether it may choose another.
    own: Option<usize>,
    chooses: bool,
    /// The costs of the paths to the exits; infinite without a path. If it does not choose, only the cost to
    /// its own exit is known.
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

    /// Computes the costs that the pass needs. An agent whose path was cut by a change of the mesh
    /// chooses.
    pub(crate) fn look(&mut self, exits: &Exits, call: PassCall, cost: impl Fn(FieldId) -> f32) {
        if let Some(own) = self.own.filter(|_| call.has_changed && !self.chooses) {
            self.costs[own] = cost(exits.list[own].0);
            self.chooses = self.costs[own].is_infinite();
        }
        if self.chooses {
            self.costs.iter_mut().zip(exits.fields()).for_each(|(own, field)| *own = cost(field));
            self.own = self.own.filter(|own| self.costs[*own].is_finite());
        }
    }

    /// The field of its exit, and the cost of the path there.
    pub(crate) fn chosen(&self, exits: &Exits) -> Option<(FieldId, f32)> {
        self.own.map(|number| (exits.list[number].0, self.costs[number]))
    }

    /// The cost of the shortest path.
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
    pub(crate) choosers: Vec<Chooser>,
    /// The choosers in the order in which they choose: the seconds of their shortest paths, and their
    /// indices.
    order: Vec<(f32, u32)>,
    queues: Vec<Queue>,
}

impl ExitPass {
    /// Gathers the agents on their paths to these exits, in the order of their numbers.
    pub(crate) fn gather<'a>(
        &mut self,
        exits: &Exits,
        call: PassCall,
        agents: impl Iterator<Item = &'a Agent>,
    ) {
        self.choosers.clear();
        self.choosers.extend(agents.map(|agent| Chooser::new(agent, exits, call)));
    }

    /// Lets agents choose.
    pub(crate) fn choose(&mut self, exits: &Exits) {
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

/// The agents that choose in a pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassCall {
    /// Agents with this turn choose. `None` in steps between two passes.
    turn: Option<u64>,
    /// If the mesh has changed, agents whose path was cut choose too.
    has_changed: bool,
}

impl PassCall {
    pub(crate) fn new(steps: u64, has_changed: bool) -> PassCall {
        PassCall { turn: steps.is_multiple_of(EVERY).then_some(steps / EVERY % TURNS), has_changed }
    }

    /// Returns true if agents may choose that have chosen before.
    pub(crate) fn is_due(self) -> bool {
        self.turn.is_some() || self.has_changed
    }

    fn is_its_turn(self, agent: &Agent) -> bool {
        self.turn == Some(u64::from(agent.number) % TURNS)
    }
}

/// Returns true if an agent with exits has ground and has not arrived.
pub(crate) fn is_leaving(agent: &Agent) -> bool {
    agent.is_there && !agent.is_lost() && !agent.is(Activity::Arrived)
}

/// Returns true if an agent was sent since the last pass. An agent without a path to any exit waits for its
/// turn or a change of the mesh.
pub(crate) fn is_new(agent: &Agent) -> bool {
    let has_none = matches!(agent.target, Target::Exits(_)) && agent.chosen_exit.is_none();
    has_none && agent.path == PathState::Field && is_leaving(agent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_queue_counts_lower_costs(
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
