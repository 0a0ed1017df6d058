//! The step that heights are multiples of: a greatest common divisor that tolerates the rounding of floats.

use navmath::sort::SharedSort;

/// Largest deviation of a height, as a share of a step.
const SHARE: f64 = 1.0 / 64.0;

/// The largest step, at least `least`, that all `heights` are whole multiples of, within `noise` and a 64th
/// of the step; `None` if no step fits. Heights are at least 0. O(n log n) in the number of heights.
///
/// Euclid's algorithm, with remainders within the noise taken as zero. The result is only an estimate: it is
/// refined with the greatest height, rounded to the decimal with the fewest digits that fits, and then
/// checked.
pub(super) fn common(heights: &[f64], noise: f64, least: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = heights.iter().copied().filter(|&height| height > noise).collect();
    sorted.shared_sort_by(f64::total_cmp);
    sorted.dedup();
    let &greatest = sorted.last()?;
    let mut step = sorted[0];
    for &height in &sorted {
        step = divisor(height, step, noise.max(step * SHARE), least)?;
    }
    let count = (greatest / step).round();
    let fits = |step: f64| {
        step >= least
            && sorted.iter().all(|height| {
                let off = (height - (height / step).round() * step).abs();
                off <= noise && off <= step * SHARE
            })
    };
    let precise = greatest / count;
    let shorter = (0..=6).map(|digits| {
        let unit = 10f64.powi(digits);
        (precise * unit).round() / unit
    });
    shorter.chain([precise]).find(|&step| step > 0.0 && fits(step))
}

fn divisor(a: f64, b: f64, noise: f64, least: f64) -> Option<f64> {
    let (mut a, mut b) = (a, b);
    loop {
        if b < least {
            return None;
        }
        let rest = (a - (a / b).round() * b).abs();
        if rest <= noise {
            return Some(b);
        }
        (a, b) = (b, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voxel_heights_have_their_cell() {
        let heights: Vec<f64> = [0, 75, 76, 3, 125].map(|k| f64::from(k as f32 * 0.2f32)).to_vec();
        assert_eq!(common(&heights, 1e-5, 0.005), Some(0.2));
        let off: Vec<f64> = heights.iter().map(|height| height + 1e-6).collect();
        assert_eq!(common(&off, 1e-5, 0.005), Some(0.2));
        assert_eq!(common(&[0.6, 0.9], 1e-5, 0.005), Some(0.3));
        assert_eq!(common(&[0.6], 1e-5, 0.005), Some(0.6));
    }

    #[test]
    fn arbitrary_heights_have_none() {
        assert_eq!(common(&[0.123, 0.4567, 0.98765, 2.7319, 1.3917], 1e-6, 0.005), None);
        assert_eq!(common(&[0.0, 1e-7], 1e-6, 0.005), None);
        assert_eq!(common(&[], 1e-6, 0.005), None);
    }
}
