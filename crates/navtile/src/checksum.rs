//! The checksum of a blob: CRC-32 (IEEE) over all of it, its own field taken as zero. O(bytes).
//!
//! Sums of equal lengths differ by what their bytes differ by: the sum without the field follows from that of
//! the bytes as they are in a step or two, however long they are. Source: M. Adler, crc32_combine of zlib,
//! for the arithmetic of remainders; here with tables.

use crate::layout::Header;
use std::mem::offset_of;

/// Where the checksum stands in the header, bytes.
pub(crate) const CHECKSUM_OFFSET: usize = offset_of!(Header, checksum);

/// The polynomial without its highest term. In remainders the highest bit is that of x^0.
const POLYNOMIAL: u32 = 0xEDB8_8320;
const ONE: u32 = 1 << 31;

/// `POWERS[digit][value]`: the remainder of x to the power of 64 * value * 256^digit, that is what as many
/// times eight bytes of zeros make of 1.
static POWERS: [[u32; 256]; 4] = powers();
/// What the lowest four bits of a remainder become when it is multiplied by x^4.
const CARRIED: [u32; 16] = carried();

/// The checksum that `blob` should carry in its header; whatever it carries there now is taken as zero.
/// Bytes too short to hold the field are summed as they are.
pub fn tile_checksum(blob: &[u8]) -> u32 {
    without_field(crc32fast::hash(blob), blob)
}

/// As [`tile_checksum`], of a blob whose bytes as they are have the CRC-32 `sum`.
pub(crate) fn without_field(sum: u32, blob: &[u8]) -> u32 {
    difference(blob).map_or_else(|| pieces(blob), |difference| sum ^ difference)
}

/// By what the CRC-32 of a blob's bytes as they are differs from its checksum. `None` of a blob for which that takes
/// longer than to sum it again; no such blob is sound.
fn difference(blob: &[u8]) -> Option<u32> {
    let Some((_, from_field)) = blob.split_at_checked(CHECKSUM_OFFSET) else { return Some(0) };
    let Some((field, _)) = from_field.split_first_chunk() else { return Some(0) };
    let (eights, rest) = (from_field.len() / 8, from_field.len() % 8);
    if rest != 0 || eights >> 32 != 0 {
        return None;
    }
    let mut difference = u32::from_le_bytes(*field);
    if difference == 0 {
        // As while it is written.
        return Some(0);
    }
    for (digit, powers) in POWERS.iter().enumerate() {
        match eights >> (8 * digit) & 0xFF {
            0 => {}
            value => difference = product(difference, powers[value]),
        }
    }
    Some(difference)
}

/// As [`tile_checksum`], the long way.
fn pieces(blob: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    let end = CHECKSUM_OFFSET + size_of::<u32>();
    hasher.update(&blob[..CHECKSUM_OFFSET]);
    hasher.update(&[0; size_of::<u32>()]);
    hasher.update(&blob[end..]);
    hasher.finalize()
}

/// A remainder, times x.
const fn times_x(a: u32) -> u32 {
    (a >> 1) ^ if a & 1 == 0 { 0 } else { POLYNOMIAL }
}

/// The product of two remainders, four terms of `b` at a time.
const fn product(a: u32, b: u32) -> u32 {
    let (a1, a2) = (times_x(a), times_x(times_x(a)));
    let a3 = times_x(a2);
    // All sums of a, a x, a x^2 and a x^3; the highest bit is for a.
    let (low, high) = ([0, a3, a2, a2 ^ a3], [0, a1, a, a ^ a1]);
    let mut sums = [0; 16];
    let mut i = 0;
    while i < 16 {
        sums[i] = high[i >> 2] ^ low[i & 3];
        i += 1;
    }
    let mut product = 0;
    let mut digit = 0;
    while digit < 8 {
        product = (product >> 4) ^ CARRIED[product as usize & 15] ^ sums[(b >> (4 * digit)) as usize & 15];
        digit += 1;
    }
    product
}

const fn carried() -> [u32; 16] {
    let mut table = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        table[bits] = times_x(times_x(times_x(times_x(bits as u32))));
        bits += 1;
    }
    table
}

const fn powers() -> [[u32; 256]; 4] {
    let mut table = [[ONE; 256]; 4];
    let mut step = ONE;
    let mut bit = 0;
    while bit < 64 {
        step = times_x(step);
        bit += 1;
    }
    let mut digit = 0;
    while digit < 4 {
        let mut value = 1;
        while value < 256 {
            table[digit][value] = product(table[digit][value - 1], step);
            value += 1;
        }
        step = product(table[digit][255], step);
        digit += 1;
    }
    table
}

/// Writes the checksum into a blob at least as long as a header; gives the CRC-32 of the bytes as they then are.
pub(crate) fn seal(blob: &mut [u8]) -> u32 {
    let sum = tile_checksum(blob);
    blob[CHECKSUM_OFFSET..CHECKSUM_OFFSET + size_of::<u32>()].copy_from_slice(&sum.to_le_bytes());
    difference(blob).map_or_else(|| crc32fast::hash(blob), |difference| sum ^ difference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_itself_does_not_count() {
        let mut blob = vec![7u8; 300];
        let sum = tile_checksum(&blob);
        assert_eq!(seal(&mut blob), crc32fast::hash(&blob));
        assert_eq!(tile_checksum(&blob), sum);
        let mut longer = vec![7u8; 304];
        assert_eq!(seal(&mut longer), crc32fast::hash(&longer));
        blob[299] ^= 1;
        assert_ne!(tile_checksum(&blob), sum);
        assert_eq!(tile_checksum(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn the_short_way_says_the_same() {
        // Lengths with every digit of the short way but the last, and those that it leaves to the long way.
        let lengths = (28..400).chain([2_072, 2_080, 4_096 + 24, 65_536, 524_312, 1 << 20, (3 << 20) + 5]);
        for (seed, length) in (1u32..).zip(lengths) {
            let byte = |i: u32| (i.wrapping_mul(2_654_435_761).wrapping_add(seed * 40_503) >> 13) as u8;
            let blob: Vec<u8> = (0..length).map(byte).collect();
            assert_eq!(tile_checksum(&blob), pieces(&blob), "{length} bytes");
        }
    }

    #[test]
    fn zeros_multiply_by_powers() {
        // 2^27 times eight bytes of zeros is more than a test should sum: eight times the digit before it.
        for (digit, powers) in POWERS.iter().enumerate().skip(1) {
            let eighth = POWERS[digit - 1][32];
            let power = (0..7).fold(eighth, |power, _| product(power, eighth));
            assert_eq!(power, powers[1]);
            assert_eq!(product(powers[1], powers[254]), powers[255]);
        }
        assert_eq!(product(ONE, 0x1234_5678), 0x1234_5678);
        assert_eq!(product(0x9ABC_DEF0, ONE), 0x9ABC_DEF0);
    }
}
