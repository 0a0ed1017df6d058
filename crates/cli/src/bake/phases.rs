//! Where the time of a whole run goes, from reading the level to having written the file.

use std::time::{Duration, Instant};

/// Phases of a run and how long each took; one that comes again is added to.
pub(super) struct Phases {
    last: Instant,
    pub(super) laps: Vec<(&'static str, Duration)>,
}

impl Phases {
    /// Starts the clock.
    pub(super) fn start(at: Instant) -> Phases {
        Phases { last: at, laps: Vec::new() }
    }

    /// What happened since the last call was this.
    pub(super) fn lap(&mut self, name: &'static str) {
        let now = Instant::now();
        let took = now - std::mem::replace(&mut self.last, now);
        match self.laps.iter_mut().find(|(known, _)| *known == name) {
            Some((_, total)) => *total += took,
            None => self.laps.push((name, took)),
        }
    }
}
