//! Random numbers that are the same for the same seed everywhere.
//! Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014 (SplitMix64).

/// The generator.
#[derive(Clone, Debug)]
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// A number from 0 up to, but less than, 1.
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 11) as f64 / (1u64 << 53) as f64
    }
}
