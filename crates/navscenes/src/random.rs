//! Random levels from a seed, with a generator of our own so that the meaning of a seed never changes.

use crate::build::{Builder, Up, rect};
use crate::{Scene, place};
pub use navmath::SplitMix64;
use recast::{Level, Settings};

/// Random boxes and ramps.
pub const SCENE: Scene = Scene {
    name: "boxes",
    description: "Ground of 40 x 40 m with 60 random boxes and ramps that may overlap (seed 7).",
    level: || boxes(7, 60),
    settings: Settings::default,
    places: &[place("south_west", [-0.5, 0.0, -0.5]), place("north_east", [40.5, 0.0, 40.5])],
    routes: &[crate::route("south_west", "north_east")],
};

/// Ground of 40 x 40 m with `count` boxes on it; every fourth is a ramp. A margin of 1.5 m stays free.
/// Measures are multiples of 1/64 m, so that they are short in a file and exact in f32.
pub fn boxes(seed: u64, count: usize) -> Level {
    let mut random = SplitMix64::new(seed);
    let mut measure = |low: f64, high: f64| (random.between(low, high) * 64.0).round() / 64.0;
    let mut builder = Builder::new();
    builder.floor(rect(-1.5, -1.5, 41.5, 41.5), 0.0);
    for index in 0..count {
        let size = [measure(0.5, 5.0), measure(0.2, 3.0), measure(0.5, 5.0)];
        let [x, z] = [measure(0.0, 40.0 - size[0]), measure(0.0, 40.0 - size[2])];
        let turn = measure(0.0, 4.0);
        let place = rect(x, z, x + size[0], z + size[2]);
        if index % 4 == 0 {
            let up = [Up::XMax, Up::XMin, Up::ZMax, Up::ZMin][(turn as usize).min(3)];
            builder.ramp(place, up, -0.25, 0.0, size[1]);
        } else {
            builder.wedge(place, 0.0, [size[1]; 4]);
        }
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_level() {
        assert_eq!(boxes(1, 20), boxes(1, 20));
        assert_ne!(boxes(1, 20), boxes(2, 20));
        assert_eq!(boxes(1, 20).triangles.len(), 2 + 20 * 12);
    }
}
