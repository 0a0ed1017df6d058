//! Random numbers from a seed.

/// A small random number generator, so that a seed alone determines a tile.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `below`.
    pub(crate) fn roll(&mut self, below: u32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32 % below) as i32
    }
}
