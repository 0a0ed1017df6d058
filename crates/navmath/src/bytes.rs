//! Numbers from untrusted bytes, front to back.

pub use bytemuck::Pod;
use std::error::Error;
use std::fmt;

/// Bytes that are read from front to back. A failed read moves nothing.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The bytes end before what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndsEarly {
    /// Offset of the expected bytes.
    pub at: usize,
    /// Number of expected bytes.
    pub expected: u64,
    /// Number of bytes that are left there.
    pub left: usize,
}

impl fmt::Display for EndsEarly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EndsEarly { at, expected, left } = self;
        write!(f, "{expected} bytes are expected at byte {at}, but {left} are left")
    }
}

impl Error for EndsEarly {}

impl<'a> Reader<'a> {
    /// Reads from the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    /// Offset of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The bytes that are not read yet.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Checks that enough bytes are left for `count` elements of at least `size` bytes each, before memory is
    /// reserved for them. Returns the count.
    pub fn expect(&self, count: u64, size: usize) -> Result<usize, EndsEarly> {
        let (expected, left) = (count.saturating_mul(size as u64), self.rest().len());
        if expected <= left as u64 {
            Ok(count as usize)
        } else {
            Err(EndsEarly { at: self.at, expected, left })
        }
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: u64) -> Result<&'a [u8], EndsEarly> {
        let taken = &self.rest()[..self.expect(count, 1)?];
        self.at += taken.len();
        Ok(taken)
    }

    /// A number, or an array of numbers: little-endian.
    pub fn read<T: Pod>(&mut self) -> Result<T, EndsEarly> {
        self.take(size_of::<T>() as u64).map(bytemuck::pod_read_unaligned)
    }

    /// A big-endian number.
    pub fn read_big<T: Pod>(&mut self) -> Result<T, EndsEarly> {
        let mut number = self.read()?;
        bytemuck::bytes_of_mut::<T>(&mut number).reverse();
        Ok(number)
    }

    /// A number with seven bits in each byte, lowest bits first. The highest bit is set if more bytes follow.
    /// Returns `None` if more than nine bytes belong to it.
    pub fn varint(&mut self) -> Result<Option<u64>, EndsEarly> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.read::<u8>()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_either_byte_order() {
        let mut from = Reader::new(&[1, 0, 0, 2, 1, 2, 3, 0]);
        assert_eq!((from.read::<u16>(), from.read_big::<u16>()), (Ok(1), Ok(2)));
        assert_eq!((from.read::<[u8; 3]>(), from.at(), from.rest()), (Ok([1, 2, 3]), 7, &[0][..]));
    }

    #[test]
    fn numbers_of_seven_bits_a_byte_have_at_most_nine() {
        assert_eq!(Reader::new(&[0xac, 2]).varint(), Ok(Some(300)));
        assert_eq!(Reader::new(&[0x80]).varint(), Err(EndsEarly { at: 1, expected: 1, left: 0 }));
        assert_eq!(Reader::new(&[0x80; 12]).varint(), Ok(None));
    }

    #[test]
    fn an_early_end_says_what_is_missing_and_moves_nothing() {
        let mut from = Reader::new(&[7; 6]);
        assert_eq!(from.read::<u32>(), Ok(0x0707_0707));
        let early = from.read::<[f64; 3]>().unwrap_err();
        assert_eq!(early.to_string(), "24 bytes are expected at byte 4, but 2 are left");
        assert_eq!((from.at(), from.take(2)), (4, Ok(&[7, 7][..])));
    }

    #[test]
    fn counts_are_bounded_by_the_bytes_that_are_left() {
        let from = Reader::new(&[0; 8]);
        assert_eq!((from.expect(2, 4), from.expect(0, 100)), (Ok(2), Ok(0)));
        assert_eq!(from.expect(3, 4), Err(EndsEarly { at: 0, expected: 12, left: 8 }));
        assert_eq!(from.expect(u64::MAX, 4).map_err(|early| early.expected), Err(u64::MAX));
        assert_eq!(from.expect(u64::MAX, 0).map_err(|early| early.expected), Ok(usize::MAX));
    }
}
