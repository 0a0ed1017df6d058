//! Total orders over floats. If a sort leaves ties to chance, bakes differ from run to run.

use std::cmp::Ordering;

/// An `f32` ordered by IEEE 754 `totalOrder`: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
#[derive(Clone, Copy, Debug)]
pub struct TotalF32(pub f32);

impl PartialEq for TotalF32 {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for TotalF32 {}

impl PartialOrd for TotalF32 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TotalF32 {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Orders two points of three floats lexicographically (x, then y, then z), totally.
pub fn cmp_points(a: &[f32; 3], b: &[f32; 3]) -> Ordering {
    a[0].total_cmp(&b[0]).then_with(|| a[1].total_cmp(&b[1])).then_with(|| a[2].total_cmp(&b[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_and_nans_have_places() {
        let mut values = [f32::NAN, 1.0, -0.0, 0.0, f32::NEG_INFINITY].map(TotalF32);
        values.sort();
        let bits = values.map(|v| v.0.to_bits());
        let expected = [f32::NEG_INFINITY, -0.0, 0.0, 1.0, f32::NAN].map(f32::to_bits);
        assert_eq!(bits, expected);
        assert_eq!(cmp_points(&[0.0, 1.0, 2.0], &[0.0, 1.0, 3.0]), Ordering::Less);
    }
}
