//! Measures time on targets that have a clock. WebAssembly without an operating system has no clock, and
//! reading the time there ends the program.

use std::time::{Duration, Instant};

/// True if the target has a clock.
const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Measures how long something takes.
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch(Option<Instant>);

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch(HAS_CLOCK.then(Instant::now))
    }

    /// The time since the start; 0 without a clock.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.map_or(Duration::ZERO, |start| start.elapsed())
    }
}
