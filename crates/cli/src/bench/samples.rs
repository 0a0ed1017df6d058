//! Durations of repeated work, and their statistics.

use std::time::Duration;

/// Durations of the same work.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Samples(Vec<Duration>);

impl Samples {
    pub(super) fn push(&mut self, duration: Duration) {
        self.0.push(duration);
    }

    /// The middle one, or the mean of the two middle ones; zero without samples.
    pub(super) fn median(&self) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        match sorted.len() {
            0 => Duration::ZERO,
            count => (sorted[(count - 1) / 2] + sorted[count / 2]) / 2,
        }
    }

    /// The longest duration minus the shortest.
    pub(super) fn spread(&self) -> Duration {
        let longest = self.0.iter().max().copied().unwrap_or_default();
        longest - self.0.iter().min().copied().unwrap_or_default()
    }
}

/// Milliseconds, to the microsecond.
pub(super) fn ms(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(values: &[u64]) -> Samples {
        Samples(values.iter().map(|&value| Duration::from_micros(value)).collect())
    }

    #[test]
    fn median_and_spread() {
        assert_eq!(samples(&[9, 1, 5]).median(), Duration::from_micros(5));
        assert_eq!(samples(&[9, 1, 5, 6]).median(), Duration::from_nanos(5_500));
        assert_eq!(samples(&[9, 1, 5]).spread(), Duration::from_micros(8));
        assert_eq!((Samples::default().median(), Samples::default().spread()), Default::default());
    }

    #[test]
    fn milliseconds_are_rounded() {
        assert_eq!(ms(Duration::from_nanos(1_234_567)), 1.235);
    }
}
