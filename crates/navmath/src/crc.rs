//! The checksum of files and tiles: CRC-32 (IEEE).
//!
//! `crc32fast` uses instructions of the processor. WebAssembly has no such instructions, and the tables of
//! `crc32fast` would add 16 incompressible kilobytes to the module. So the tables are computed for the first
//! checksum, at the cost of summing about ten kilobytes.

/// The checksum of some bytes.
///
/// ```
/// assert_eq!(navmath::crc32(b"123456789"), 0xCBF4_3926);
/// ```
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32_of_parts(&[bytes])
}

/// The checksum of several byte slices, as if they were one after the other.
pub fn crc32_of_parts(parts: &[&[u8]]) -> u32 {
    parts.iter().fold(0, |sum, part| extended(sum, part))
}

/// The checksum of bytes that follow other bytes with the checksum `sum`.
#[cfg(not(target_family = "wasm"))]
fn extended(sum: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(sum);
    hasher.update(bytes);
    hasher.finalize()
}

#[cfg(target_family = "wasm")]
use tables::extended;

/// Sums sixteen bytes at a time, each with its own table.
/// Source: M. Kounavis, F. Berry, A systematic approach to building high performance software-based CRC
/// generators (2005).
#[cfg(any(test, target_family = "wasm"))]
mod tables {
    use std::sync::LazyLock;

    /// CRC-32's polynomial without its highest term. The lowest term is in the highest bit.
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    /// Number of bytes that are summed at once.
    const STRIDE: usize = 16;

    /// The contribution of each byte to the sum after this number of further bytes.
    static TABLES: LazyLock<[[u32; 256]; STRIDE]> = LazyLock::new(|| {
        let shifted = |sum: u32| sum >> 1 ^ POLYNOMIAL & (sum & 1).wrapping_neg();
        let first: [u32; 256] = std::array::from_fn(|byte| (0..8).fold(byte as u32, |sum, _| shifted(sum)));
        let mut tables = [first; STRIDE];
        for followed in 1..STRIDE {
            tables[followed] = tables[followed - 1].map(|sum| sum >> 8 ^ first[usize::from(sum as u8)]);
        }
        tables
    });

    pub(super) fn extended(sum: u32, bytes: &[u8]) -> u32 {
        let tables = &*TABLES;
        let (blocks, rest) = bytes.as_chunks::<STRIDE>();
        let mut sum = !sum;
        for block in blocks {
            let mut block = *block;
            for (byte, of_sum) in block.iter_mut().zip(sum.to_le_bytes()) {
                *byte ^= of_sum;
            }
            let parts = block.iter().zip(tables.iter().rev());
            sum = parts.fold(0, |sum, (byte, table)| sum ^ table[usize::from(*byte)]);
        }
        for byte in rest {
            sum = sum >> 8 ^ tables[0][usize::from(sum as u8 ^ byte)];
        }
        !sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tables_give_the_sums_of_the_processor(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            cut in 0_usize..200,
        ) {
            let (front, back) = bytes.split_at(cut.min(bytes.len()));
            let sum = crc32fast::hash(&bytes);
            prop_assert_eq!(crc32(&bytes), sum);
            prop_assert_eq!(crc32_of_parts(&[front, back]), sum);
            prop_assert_eq!(tables::extended(tables::extended(0, front), back), sum);
        }
    }
}
