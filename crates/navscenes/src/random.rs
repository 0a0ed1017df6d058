//! Random levels from a seed, with a generator of our own so that the meaning of a seed never changes.
//! Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014 (SplitMix64).

use crate::build::{Builder, Up, rect};
use crate::{Scene, place};
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

/// The SplitMix64 generator: 64 bits of state, and all seeds are equally good.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that starts at `seed`.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` up to, but less than, `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        low + unit * (high - low)
    }
}

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
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix64::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([(); 3].map(|()| random.next_u64()), expected);
    }

    #[test]
    fn a_seed_is_a_level() {
        assert_eq!(boxes(1, 20), boxes(1, 20));
        assert_ne!(boxes(1, 20), boxes(2, 20));
        assert_eq!(boxes(1, 20).triangles.len(), 2 + 20 * 12);
    }
}
