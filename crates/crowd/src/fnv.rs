//! A hash of numbers: FNV-1a over their bytes, lowest byte first.
//! Source: G. Fowler, L. C. Noll, K.-P. Vo, the FNV hash (1991).

/// A hash in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a number.
    pub(crate) fn add(&mut self, number: u32) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The hash of all the numbers added.
    pub(crate) fn value(self) -> u64 {
        self.0
    }
}
