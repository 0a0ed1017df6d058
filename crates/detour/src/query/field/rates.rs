//! The cost of a metre on a polygon.

use crate::filter::{CostModel, Step, cost_of};
use crate::mesh::Poly;
use glam::Vec3;

/// Rates are rounded to one of this many values between a number and its double, so that areas of the same
/// cost have the same rate.
const RATE_STEPS: f64 = 65_536.0;

/// The cost of a metre on a polygon, as the model answers for moves from its middle to its corners; `None` if
/// none of them is possible.
pub(super) fn rate_of(poly: &Poly<'_>, filter: &impl CostModel) -> Option<f64> {
    let polygon = poly.attributes();
    let (sum, count) = poly.outline().fold((Vec3::ZERO, 0u16), |(sum, count), (at, _)| (sum + at, count + 1));
    let middle = sum / f32::from(count.max(1));
    let (mut cost, mut length) = (0.0, 0.0);
    for (at, _) in poly.outline() {
        for [from, to] in [[middle, at], [at, middle]] {
            if let Some(step) = cost_of(filter, &Step { from, to, polygon, next: None }) {
                cost += step;
                length += from.as_dvec3().distance(to.as_dvec3());
            }
        }
    }
    let rate = cost / length;
    let step = (rate.log2() * RATE_STEPS).round() / RATE_STEPS;
    rate.is_finite().then(|| if step.is_finite() { step.exp2() } else { 0.0 })
}
