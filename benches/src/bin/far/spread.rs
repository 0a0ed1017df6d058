//! Mean and quantiles of numbers.

/// Numbers, in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spread(Vec<f64>);

impl Spread {
    pub(crate) fn add(&mut self, number: f64) {
        self.0.push(number);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    /// The number that a share of all numbers do not exceed; 0 without numbers.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().saturating_sub(1);
        sorted.get((share * last as f64).round() as usize).copied().unwrap_or(0.0)
    }

    /// Mean, 99 % and worst of ratios that should be small.
    pub(crate) fn ratio(&self) -> String {
        format!(
            "mean {:.4}, p99 {:.4}, worst {:.4}, least {:.4}",
            self.mean(),
            self.quantile(0.99),
            self.quantile(1.0),
            self.quantile(0.0)
        )
    }

    /// Median, 99 % and largest of seconds, as milliseconds.
    pub(crate) fn milliseconds(&self) -> String {
        let [half, most, worst] = [0.5, 0.99, 1.0].map(|share| self.quantile(share) * 1e3);
        format!("p50 {half:.2} ms, p99 {most:.2} ms, worst {worst:.2} ms")
    }
}
