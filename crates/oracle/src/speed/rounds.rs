//! The number of times that something is measured.

use super::SpeedError;
use std::time::{Duration, Instant};

/// At least `least` rounds, then more until the time has passed, but at most `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// The fewest.
    pub least: usize,
    /// The most.
    pub most: usize,
    /// Wall time after which the fewest rounds are enough.
    pub time: Duration,
}

impl Rounds {
    /// For tables that are kept.
    pub const FULL: Rounds = Rounds { least: 5, most: 101, time: Duration::from_secs(2) };
    /// For a quick look.
    pub const QUICK: Rounds = Rounds { least: 3, most: 21, time: Duration::from_millis(300) };

    /// Quick or full.
    pub fn new(quick: bool) -> Rounds {
        if quick { Rounds::QUICK } else { Rounds::FULL }
    }

    /// Runs the rounds.
    pub fn run(self, mut round: impl FnMut() -> Result<(), SpeedError>) -> Result<(), SpeedError> {
        let start = Instant::now();
        for done in 0..self.most {
            if done >= self.least && start.elapsed() >= self.time {
                break;
            }
            round()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_end_by_count_or_time() {
        let count = |rounds: Rounds| {
            let mut count = 0;
            let round = || {
                count += 1;
                Ok(())
            };
            rounds.run(round).unwrap();
            count
        };
        assert_eq!(count(Rounds { least: 2, most: 9, time: Duration::ZERO }), 2);
        assert_eq!(count(Rounds { least: 2, most: 4, time: Duration::from_secs(60) }), 4);
    }
}
