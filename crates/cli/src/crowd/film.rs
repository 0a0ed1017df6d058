//! Records a run into a file.

use super::{CrowdArgs, refused};
use crate::failure::Failure;
use crate::files::{Pending, Target};
use crowd::{AgentId, HoldUp};
use crowdlab::recording::{Held, Pose, RecordedBody, Recorder, RecordingHeader};
use crowdlab::scenario::Run;
use std::collections::BTreeMap;

/// Positions are whole multiples of this, metres: 4 mm.
const QUANTUM: f32 = 1.0 / 256.0;

/// A recording that is being written.
pub(super) struct Film<'a> {
    target: &'a Target,
    recorder: Recorder<Pending>,
    /// The index of each agent in the header.
    numbers: BTreeMap<AgentId, u32>,
}

impl<'a> Film<'a> {
    pub(super) fn new(
        target: &'a Target,
        run: &Run,
        names: &[String],
        args: &CrowdArgs,
    ) -> Result<Film<'a>, Failure> {
        let body = |id| {
            let params = run.crowd().params(id).map_err(refused)?;
            Ok(RecordedBody { radius: params.radius, height: params.height })
        };
        let cohorts = names.iter().zip(run.cohorts());
        let header = RecordingHeader {
            rate: run.rate() as f32,
            every: args.record_every,
            quantum: QUANTUM,
            anchor: run.mesh().anchor(),
            bodies: run.agents().map(body).collect::<Result<_, Failure>>()?,
            cohorts: cohorts.map(|(name, ids)| (name.clone(), ids.len() as u32)).collect(),
            doors: run.doors(),
            tiles: run.tiles().to_vec(),
        };
        let recorder = Recorder::new(target.begin()?, &header).map_err(|error| target.unwritable(&error))?;
        Ok(Film { target, recorder, numbers: run.agents().zip(0..).collect() })
    }

    /// Records a frame. Called before the first step, and after each.
    pub(super) fn look(&mut self, run: &Run) -> Result<(), Failure> {
        self.recorder.changed(run.changes());
        if self.recorder.wants(run.steps()) { self.take(run) } else { Ok(()) }
    }

    fn take(&mut self, run: &Run) -> Result<(), Failure> {
        let pose = |id| {
            let view = run.crowd().agent(id).map_err(refused)?;
            let held = run.crowd().hold_up(id).map_err(refused)?.map(|HoldUp { cause, by }| Held {
                cause,
                by: by.and_then(|by| self.numbers.get(&by).copied()),
            });
            Ok(Pose { held, ..Pose::new(view.position, view.heading, view.state) })
        };
        let poses = run.agents().map(pose).collect::<Result<Vec<_>, Failure>>()?;
        self.recorder.frame(run.steps(), poses).map_err(|error| self.target.unwritable(&error))
    }

    /// Ends the recording with the final positions of all agents.
    pub(super) fn finish(mut self, run: &Run) -> Result<(), Failure> {
        if !self.recorder.wants(run.steps()) {
            self.take(run)?;
        }
        let pending = self.recorder.finish().map_err(|error| self.target.unwritable(&error))?;
        self.target.commit(pending)
    }
}
