//! Measure 4, height: the finished mesh's height over the middle of each covered floor, minus the floor's
//! height.
//! Units: cells. Cost: O(floors log floors).

use super::ground::Ground;
use super::worst::{Spot, worst};

/// The result of the measure; errors are absolute values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Height {
    /// Floors measured.
    pub floors: usize,
    /// Mean error.
    pub mean: f64,
    /// The error that 99 of 100 floors do not exceed.
    pub percentile_99: f64,
    /// Floors whose error is above one climb.
    pub above_climb: usize,
    /// The places with the largest errors; value: error.
    pub worst: Vec<Spot>,
}

impl Height {
    /// The largest error.
    pub fn largest(&self) -> f64 {
        self.worst.first().map_or(0.0, |spot| spot.value)
    }
}

/// Measures the covered floors; `footing` is the result of `Surface::footing`.
pub fn measure(ground: &Ground, footing: &[Option<(u32, f64)>], climb: i32) -> Height {
    let spots: Vec<Spot> = ground
        .spans
        .iter()
        .zip(footing)
        .filter_map(|(span, footing)| {
            let (_, above) = (*footing)?;
            let cells = [f64::from(span.x) + 0.5, f64::from(span.floor), f64::from(span.z) + 0.5];
            Some(Spot { value: above.abs(), cells })
        })
        .collect();
    if spots.is_empty() {
        return Height::default();
    }
    let mut errors: Vec<f64> = spots.iter().map(|spot| spot.value).collect();
    errors.sort_by(f64::total_cmp);
    Height {
        floors: errors.len(),
        mean: errors.iter().sum::<f64>() / errors.len() as f64,
        percentile_99: errors[(errors.len() * 99).div_ceil(100) - 1],
        above_climb: errors.iter().filter(|&&error| error > f64::from(climb)).count(),
        worst: worst(spots),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::surface::{Patch, Surface};
    use crate::quality::testing::{rectangle, room};

    fn measured(patches: Vec<Patch>) -> Height {
        let ground = room("####\n####", 5);
        let surface = Surface::new(patches, ground.width, ground.depth);
        measure(&ground, &surface.footing(&ground, 10), 2)
    }

    #[test]
    fn errors_are_measured_without_their_sign() {
        assert_eq!(measured(vec![rectangle([0, 0], [4, 2], 5)]).largest(), 0.0);
        let found = measured(vec![rectangle([0, 0], [2, 2], 8), rectangle([2, 0], [4, 2], 4)]);
        assert_eq!((found.floors, found.mean, found.percentile_99), (8, 2.0, 3.0));
        assert_eq!((found.above_climb, found.largest()), (4, 3.0));
    }

    #[test]
    fn a_slope_is_measured_in_the_middle_of_columns() {
        // Two cells up over four: a quarter, three quarters, ... above the floor.
        let mut slope = rectangle([0, 0], [4, 2], 5);
        for corner in slope.corners.iter_mut().filter(|corner| corner[0] > 0) {
            corner[1] += 512;
        }
        let found = measured(vec![Patch::flat(slope.corners)]);
        assert_eq!((found.mean, found.largest()), (1.0, 1.75));
    }

    #[test]
    fn floors_without_a_polygon_are_not_measured() {
        assert_eq!(measured(vec![rectangle([0, 0], [4, 2], 15)]), Height::default());
        assert_eq!(measured(vec![rectangle([0, 0], [1, 2], 5)]).floors, 2);
    }
}
