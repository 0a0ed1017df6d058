//! Values that differ from agent to agent.

use navinput::tables::{Field, Key, Named, Put, Schema};
use navmath::SplitMix64;

/// Number of times that a value out of bounds is drawn again.
const TRIES: u32 = 100;

/// A value that is drawn for each agent: normally distributed about a mean, within bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distribution {
    /// The mean, before values out of bounds are drawn again.
    pub mean: f32,
    /// The standard deviation; 0 for a value that all agents share.
    pub deviation: f32,
    /// The smallest value.
    pub least: f32,
    /// The largest value.
    pub most: f32,
}

impl Distribution {
    /// The same value for all agents.
    pub fn fixed(value: f32) -> Distribution {
        Distribution { mean: value, deviation: 0.0, least: value, most: value }
    }

    /// The value of the next agent: the same on every machine for the same seed.
    pub(super) fn draw(&self, random: &mut SplitMix64) -> f32 {
        // The sum of twelve numbers from 0 to 1 is normal enough: its deviation is 1.
        let mut normal = || (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
        let mut value = || self.mean + self.deviation * normal() as f32;
        let drawn = (0..TRIES).map(|_| value()).find(|value| (self.least..=self.most).contains(value));
        drawn.unwrap_or(self.mean)
    }
}

static DISTRIBUTION: Schema<Distribution> = Named("distribution").keys(&[
    Key::required("mean", |own, f| f.single(NUMBERS, "").put(&mut own.mean)),
    Key::required("deviation", |own, f| f.single(NUMBERS, "").put(&mut own.deviation)),
    Key::new("least", |own, f| f.single(NUMBERS, "").put(&mut own.least)),
    Key::new("most", |own, f| f.single(NUMBERS, "").put(&mut own.most)),
]);

const NUMBERS: (f64, f64) = (0.0, 100_000.0);

/// Reads a number, or a table with a mean and a deviation. All values are in the range.
pub(super) fn distribution(f: &mut Field<'_, '_>, range: (f64, f64), unit: &str) -> Option<Distribution> {
    if !f.is_table() {
        return f.single(range, unit).map(Distribution::fixed);
    }
    let (least, most) = (range.0 as f32, range.1 as f32);
    let mut own = Distribution { mean: least, deviation: 0.0, least, most };
    f.table(&DISTRIBUTION, &mut own);
    if own.least < least || own.most > most {
        return f.refuse(
            &format!("leaves the range from {least} to {most}{unit}: change `least` or `most`"),
            None,
        );
    }
    if !(own.least..=own.most).contains(&own.mean) {
        return f.refuse("has a mean that is not between `least` and `most`", None);
    }
    Some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_mean_and_the_deviation_and_keep_the_bounds() {
        let own = Distribution { mean: 1.34, deviation: 0.26, least: 0.5, most: 2.2 };
        let mut random = SplitMix64::new(7);
        let drawn: Vec<f32> = (0..10_000).map(|_| own.draw(&mut random)).collect();
        let mean = drawn.iter().sum::<f32>() / drawn.len() as f32;
        let variance = drawn.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / drawn.len() as f32;
        assert!((mean - 1.34).abs() < 0.01 && (variance.sqrt() - 0.26).abs() < 0.01, "{mean} {variance}");
        assert!(drawn.iter().all(|value| (0.5..=2.2).contains(value)));
        assert_eq!(Distribution::fixed(2.0).draw(&mut random), 2.0);
        let nearly_never = Distribution { mean: 1.0, deviation: 1000.0, least: 1.0, most: 1.0 };
        assert_eq!(nearly_never.draw(&mut random), 1.0);
    }
}
