//! Samples of one measure, and the statistics that are reported.

use std::time::Duration;

/// Durations of the same work, repeated, nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Adds a sample.
    pub fn push(&mut self, duration: Duration) {
        self.0.push(duration.as_nanos() as f64);
    }

    /// Adds a sample that is divided by `count` questions.
    pub fn push_each(&mut self, duration: Duration, count: usize) {
        self.0.push(duration.as_nanos() as f64 / count.max(1) as f64);
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no samples.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The median, nanoseconds: the mean of the two middle samples if their number is even, 0 without
    /// samples.
    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        match sorted.len() {
            0 => 0.0,
            count => (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0,
        }
    }

    /// Half the distance between the lower and the upper quartile, as a share of the median: the scatter of
    /// the samples.
    pub fn spread(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let (count, median) = (sorted.len(), self.median());
        if count == 0 || median <= 0.0 {
            return 0.0;
        }
        (sorted[(count * 3 / 4).min(count - 1)] - sorted[count / 4]) / 2.0 / median
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(values: &[u64]) -> Samples {
        let mut samples = Samples::default();
        values.iter().for_each(|&value| samples.push(Duration::from_nanos(value)));
        samples
    }

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(samples(&[9, 1, 5]).median(), 5.0);
        assert_eq!(samples(&[9, 1, 5, 7]).median(), 6.0);
        assert_eq!(Samples::default().median(), 0.0);
    }

    #[test]
    fn the_spread_is_a_share_of_the_median() {
        assert_eq!(samples(&[100; 8]).spread(), 0.0);
        assert_eq!(samples(&[90, 100, 100, 110]).spread(), 0.05);
    }
}
