//! The checksum of a blob: CRC-32 (IEEE) over the whole blob, with its own field taken as zero. O(bytes).
//!
//! A file's directory stores the sum of the same bytes as they are. CRC sums are linear: two blobs that
//! differ only in the checksum field have sums that differ by the field as a polynomial, times x to the
//! number of bits from the start of the field to the end of the blob. So one pass over the bytes is enough
//! for both.

use crate::layout::Header;
use std::mem::offset_of;
use std::ops::Range;

/// Byte range of the checksum in the header.
const FIELD: Range<usize> = offset_of!(Header, checksum)..offset_of!(Header, checksum) + size_of::<u32>();

/// Shorter byte strings are not blobs.
const LEAST: usize = 32;

/// The checksum that `blob` should carry in its header; the current content of that field is taken as zero.
/// Byte strings shorter than 32 bytes are not blobs and are summed as they are.
pub fn tile_checksum(blob: &[u8]) -> u32 {
    checksum_of_summed(blob, navmath::crc32(blob))
}

/// [`tile_checksum`] of bytes whose CRC-32, as they are, is known.
pub(crate) fn checksum_of_summed(blob: &[u8], sum: u32) -> u32 {
    let field = blob.get(FIELD).and_then(|field| field.first_chunk());
    match field.filter(|_| blob.len() >= LEAST) {
        Some(field) => sum ^ move_up(u32::from_le_bytes(*field), blob.len() - FIELD.start),
        None => sum,
    }
}

/// CRC-32's polynomial without its highest term. As in sums, the lowest term of a polynomial is in the
/// highest bit.
const POLYNOMIAL: u32 = 0xEDB8_8320;
/// Powers of x.
const X0: u32 = 1 << 31;
const X8: u32 = X0 >> 8;
const X31: u32 = X0 >> 31;

/// Lengths of blobs and the position of the field are multiples of this.
const UNIT: usize = 8;
/// Digits of a number of units are up to this.
const BASE: usize = 32;
/// x to the number of bits of up to [`BASE`] units, and of multiples of [`BASE`] units up to its square.
/// Nearly all tiles are shorter.
static OF_FEW: [[u32; BASE]; 2] = {
    // x^64 is twice x^31 times x^2.
    let ones = powers(multiply(multiply(X31, X31), X0 >> 2));
    [ones, powers(multiply(ones[BASE / 2], ones[BASE / 2]))]
};
/// x to the number of bits of the units beyond these, of twice their number, and so on.
static OF_MANY: [u32; (usize::BITS - (UNIT * BASE * BASE).ilog2()) as usize] = {
    let mut powers = [multiply(OF_FEW[1][BASE / 2], OF_FEW[1][BASE / 2]); _];
    let mut doubled = 1;
    while doubled < powers.len() {
        powers[doubled] = multiply(powers[doubled - 1], powers[doubled - 1]);
        doubled += 1;
    }
    powers
};

/// The first powers of a polynomial.
const fn powers(polynomial: u32) -> [u32; BASE] {
    let (mut powers, mut exponent) = ([X0; BASE], 1);
    while exponent < BASE {
        powers[exponent] = multiply(powers[exponent - 1], polynomial);
        exponent += 1;
    }
    powers
}

/// A polynomial times x.
const fn times_x(polynomial: u32) -> u32 {
    polynomial >> 1 ^ POLYNOMIAL & (polynomial & 1).wrapping_neg()
}

/// Polynomials of four terms, times x^4.
const SHIFTED: [u32; 16] = {
    let (mut shifted, mut four) = ([0; 16], 0);
    while four < 16 {
        shifted[four] = times_x(times_x(times_x(times_x(four as u32))));
        four += 1;
    }
    shifted
};

/// The product of two polynomials, modulo that of CRC-32: Horner's rule, four terms of `a` at a time.
const fn multiply(a: u32, b: u32) -> u32 {
    // `b` times each polynomial of four terms, whose lowest is the highest bit.
    let mut products = [0; 16];
    (products[8], products[4]) = (b, times_x(b));
    products[2] = times_x(products[4]);
    products[1] = times_x(products[2]);
    let mut four = 3;
    while four < 16 {
        // `four` without its lowest set bit, and the lowest set bit alone.
        products[four] = products[four & (four - 1)] ^ products[four & four.wrapping_neg()];
        four += 1;
    }
    let (mut product, mut bit) = (0, 0);
    while bit < u32::BITS {
        product = product >> 4 ^ SHIFTED[(product & 15) as usize] ^ products[(a >> bit & 15) as usize];
        bit += 4;
    }
    product
}

/// A polynomial times x to the number of bits of `bytes`, modulo that of CRC-32.
fn move_up(polynomial: u32, bytes: usize) -> u32 {
    let mut moved = (0..bytes % UNIT).fold(polynomial, |moved, _| multiply(moved, X8));
    let units = bytes / UNIT;
    moved = multiply(moved, OF_FEW[0][units % BASE]);
    if units >= BASE {
        moved = multiply(moved, OF_FEW[1][units / BASE % BASE]);
    }
    let mut rest = units / (BASE * BASE);
    for power in &OF_MANY {
        if rest == 0 {
            break;
        }
        if rest & 1 != 0 {
            moved = multiply(moved, *power);
        }
        rest >>= 1;
    }
    moved
}

/// Writes the checksum into a blob at least as long as a header.
pub(crate) fn seal(blob: &mut [u8]) {
    let sum = tile_checksum(blob);
    blob[FIELD].copy_from_slice(&sum.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_itself_does_not_count() {
        let mut blob = vec![7u8; 300];
        let sum = tile_checksum(&blob);
        seal(&mut blob);
        assert_eq!(blob[FIELD], sum.to_le_bytes());
        assert_eq!(tile_checksum(&blob), sum);
        blob[FIELD].fill(0);
        assert_eq!(crc32fast::hash(&blob), sum);
        blob[299] ^= 1;
        assert_ne!(tile_checksum(&blob), sum);
        assert_eq!(tile_checksum(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn the_sum_of_all_bytes_gives_the_checksum_whatever_the_length() {
        let blob: Vec<u8> = (0..9 << 20).map(|at: u32| (at.wrapping_mul(0x9E37_79B9) >> 24) as u8).collect();
        // Longer than the small table covers.
        let long = [8 * 1026, 8 * 1027, 8 * 1028 + 3, 24 << 10, 8 << 20, (9 << 20) - 5];
        for length in (LEAST..400).chain(long) {
            let blob = &blob[..length];
            let mut zeroed = blob.to_vec();
            zeroed[FIELD].fill(0);
            assert_eq!(tile_checksum(blob), crc32fast::hash(&zeroed), "{length} bytes");
        }
    }

    #[test]
    fn bytes_too_short_for_a_head_are_summed_as_they_are() {
        for length in 0..LEAST {
            let blob = &[0xA5; LEAST][..length];
            assert_eq!(tile_checksum(blob), crc32fast::hash(blob));
        }
    }
}
