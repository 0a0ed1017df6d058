//! The stable hash behind golden tests and geometry digests: BLAKE3 over little-endian bytes. Equal values
//! give equal digests on every platform, in debug and release.

use std::fmt;

/// The first 128 bits of a BLAKE3 hash: enough that two different bakes never have the same digest by chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Digest(pub [u8; 16]);

impl Digest {
    fn of(hash: blake3::Hash) -> Digest {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash.as_bytes()[..16]);
        Digest(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A block of BLAKE3, bytes.
const SHORT: usize = 64;

/// Gathers values into a [`Digest`]. Every slice is preceded by its length, so that moving elements between
/// two neighbouring slices changes the digest.
///
/// ```
/// use navmath::Hasher;
///
/// let together = Hasher::new().write_u32s(&[1, 2, 3]).finish();
/// let apart = Hasher::new().write_u32s(&[1, 2]).write_u32s(&[3]).finish();
/// assert_ne!(together, apart);
/// ```
#[derive(Clone, Default)]
pub struct Hasher(blake3::Hasher);

macro_rules! write_slice {
    ($name:ident, $type:ty) => {
        /// Adds a slice: its length, then each value in little-endian order.
        pub fn $name(&mut self, values: &[$type]) -> &mut Self {
            self.0.update(&(values.len() as u64).to_le_bytes());
            self.0.update(bytemuck::cast_slice(values));
            self
        }
    };
}

impl Hasher {
    /// Creates a hasher without values.
    pub fn new() -> Hasher {
        Hasher::default()
    }

    write_slice!(write_u8s, u8);
    write_slice!(write_u16s, u16);
    write_slice!(write_u32s, u32);
    write_slice!(write_i32s, i32);
    write_slice!(write_u64s, u64);

    /// Adds floats by their bits.
    pub fn write_f32s(&mut self, values: &[f32]) -> &mut Self {
        self.write_u32s(bytemuck::cast_slice(values))
    }

    /// Adds doubles by their bits.
    pub fn write_f64s(&mut self, values: &[f64]) -> &mut Self {
        self.write_u64s(bytemuck::cast_slice(values))
    }

    /// The digest of a hasher with this one short slice, without making a hasher: for values that are hashed
    /// by the thousand.
    pub fn of_u32s<const N: usize>(values: &[u32; N]) -> Digest {
        const { assert!(8 + 4 * N <= SHORT, "a length and the values are one block of BLAKE3") };
        let mut bytes = [0; SHORT];
        bytes[..8].copy_from_slice(&(N as u64).to_le_bytes());
        for (place, value) in bytes[8..].as_chunks_mut().0.iter_mut().zip(values) {
            *place = value.to_le_bytes();
        }
        Digest::of(blake3::hash(&bytes[..8 + 4 * N]))
    }

    /// The digest of all added values.
    pub fn finish(&self) -> Digest {
        Digest::of(self.0.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_keep_neighbours_apart() {
        let a = Hasher::new().write_u32s(&[1, 2]).write_u32s(&[3]).finish();
        let b = Hasher::new().write_u32s(&[1]).write_u32s(&[2, 3]).finish();
        assert_ne!(a, b);
        assert_eq!(a, Hasher::new().write_u32s(&[1, 2]).write_u32s(&[3]).finish());
    }

    #[test]
    fn short_slices_need_no_hasher() {
        assert_eq!(Hasher::of_u32s(&[]), Hasher::new().write_u32s(&[]).finish());
        assert_eq!(Hasher::of_u32s(&[7]), Hasher::new().write_u32s(&[7]).finish());
        let longest = std::array::from_fn::<u32, 14, _>(|value| value as u32 * 0x0123_4567);
        assert_eq!(Hasher::of_u32s(&longest), Hasher::new().write_u32s(&longest).finish());
    }

    #[test]
    fn long_slices_cross_chunks() {
        let values: Vec<u16> = (0..10_000).collect();
        let mut changed = values.clone();
        changed[9_999] = 1;
        assert_ne!(Hasher::new().write_u16s(&values).finish(), Hasher::new().write_u16s(&changed).finish());
        assert_eq!(Hasher::new().write_u16s(&values).finish().to_string().len(), 32);
    }
}
