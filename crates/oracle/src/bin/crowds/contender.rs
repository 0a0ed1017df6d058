//! A crowd with its clock and all counters. Every crowd is measured by this, from positions only.

use crate::walkers::{Aim, CrowdsError, News, Sent, Walkers};
use crowdlab::scenario::{Flow, GateCounter};
use crowdlab::trial::{Seen, Watch};
use detour::{NavMesh, Vec3};
use oracle::speed::clock;
use std::time::Duration;

/// Steps in a second.
pub(crate) const RATE: f32 = 60.0;

/// Figures of a crowd.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// Its name.
    pub(crate) name: &'static str,
    /// Microseconds of CPU time per agent and step.
    pub(crate) cost: f64,
    /// Agents that were sent.
    pub(crate) sent: usize,
    /// Agents that arrived.
    pub(crate) arrived: usize,
    /// Mean delay of the agents that arrived: seconds more than each would have taken alone. `None` if that
    /// is not known.
    pub(crate) delay: Option<f64>,
    /// As [`Watch::worst_overlap`].
    pub(crate) overlap: f32,
    /// Mean time that an agent was inside another by more than 5 % of a radius, seconds; each of several at
    /// once counts.
    pub(crate) merged: f64,
    /// As [`Watch::left_mesh`].
    pub(crate) left_mesh: u64,
    /// As [`Watch::mean_jerk`].
    pub(crate) jerk: f32,
    /// Flows through the gates.
    pub(crate) flows: Vec<Flow>,
}

/// One crowd with its watcher and its clock.
pub(crate) struct Contender<'a> {
    walkers: Box<dyn Walkers + 'a>,
    watch: Watch,
    took: Duration,
    steps: u32,
    /// Time at which each agent arrived.
    arrived: Vec<Option<f32>>,
    before: Vec<Vec3>,
    gates: Vec<GateCounter>,
}

impl<'a> Contender<'a> {
    /// A crowd that has not moved yet.
    pub(crate) fn new(walkers: Box<dyn Walkers + 'a>, all: &[Sent], gates: &[GateCounter]) -> Contender<'a> {
        Contender {
            walkers,
            watch: Watch::default(),
            took: Duration::ZERO,
            steps: 0,
            arrived: vec![None; all.len()],
            before: all.iter().map(|sent| sent.start).collect(),
            gates: gates.to_vec(),
        }
    }

    /// Moves the crowd by a step.
    pub(crate) fn step(&mut self, news: &News<'_>) -> Result<(), CrowdsError> {
        self.walkers.prepare(news)?;
        let (moved, took) = clock::timed(|| self.walkers.step(1.0 / RATE));
        moved?;
        self.took += took;
        self.steps += 1;
        Ok(())
    }

    /// Looks at all agents after a step.
    pub(crate) fn look(&mut self, mesh: &NavMesh, all: &[Sent]) -> Result<(), CrowdsError> {
        let time = self.steps as f32 / RATE;
        let seen =
            (0..all.len()).map(|number| self.walkers.seen(number)).collect::<Result<Vec<Seen>, _>>()?;
        for (number, sent) in all.iter().enumerate() {
            let at = seen[number].position;
            let goal = match sent.aim {
                Aim::Place(place) => place,
                Aim::Chase(other) => seen[other].position,
                Aim::Stand | Aim::Patrol(_) | Aim::Follow => continue,
            };
            let is_there = (at - goal).with_y(0.0).length() <= sent.reach()
                && (at.y - goal.y).abs() <= sent.params.height;
            if is_there && time > sent.at {
                self.arrived[number] = self.arrived[number].or(Some(time));
            }
        }
        for gate in &mut self.gates {
            for (number, (before, seen)) in self.before.iter().zip(&seen).enumerate() {
                gate.look(number, [*before, seen.position], time);
            }
        }
        self.before.clear();
        self.before.extend(seen.iter().map(|seen| seen.position));
        self.watch.look(mesh, seen.into_iter());
        Ok(())
    }

    /// Returns true if all agents that were sent have arrived.
    pub(crate) fn is_over(&self, all: &[Sent]) -> bool {
        all.iter().zip(&self.arrived).all(|(sent, arrived)| !sent.counts() || arrived.is_some())
    }

    /// The figures so far.
    pub(crate) fn standing(&self, all: &[Sent]) -> Standing {
        let late = |(sent, arrived): (&Sent, &Option<f32>)| {
            let ideal = (sent.ideal - sent.reach() / sent.params.max_speed).max(0.0);
            let known = sent.ideal.is_finite();
            (*arrived).filter(|_| known).map(|arrived| f64::from(arrived - sent.at - ideal))
        };
        let late: Vec<f64> = all.iter().zip(&self.arrived).filter_map(late).collect();
        let samples = f64::from(self.steps) * all.len() as f64;
        Standing {
            name: self.walkers.name(),
            cost: self.took.as_secs_f64() * 1e6 / samples.max(1.0),
            sent: all.iter().filter(|sent| sent.counts()).count(),
            arrived: self.arrived.iter().flatten().count(),
            delay: (!late.is_empty()).then(|| late.iter().sum::<f64>() / late.len() as f64),
            overlap: self.watch.worst_overlap(),
            merged: self.watch.deep_pairs() as f64 * 2.0 / f64::from(RATE) / all.len().max(1) as f64,
            left_mesh: self.watch.left_mesh(),
            jerk: self.watch.mean_jerk(),
            flows: self.gates.iter().map(GateCounter::flow).collect(),
        }
    }
}
