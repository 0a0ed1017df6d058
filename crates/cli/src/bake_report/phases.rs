//! The times of a whole run, from reading the level to writing the file.

use std::time::{Duration, Instant};

/// Phases of a run with the time of each; repeated phases add up.
pub(crate) struct Phases {
    /// The start of the run.
    pub(crate) started: Instant,
    last: Instant,
    pub(crate) laps: Vec<(&'static str, Duration)>,
}

impl Phases {
    /// Starts the clock.
    pub(crate) fn start(at: Instant) -> Phases {
        Phases { started: at, last: at, laps: Vec::new() }
    }

    /// Ends a phase, which takes the time since the last call.
    pub(crate) fn lap(&mut self, name: &'static str) {
        let now = Instant::now();
        let elapsed = now - std::mem::replace(&mut self.last, now);
        match self.laps.iter_mut().find(|(known, _)| *known == name) {
            Some((_, total)) => *total += elapsed,
            None => self.laps.push((name, elapsed)),
        }
    }
}
