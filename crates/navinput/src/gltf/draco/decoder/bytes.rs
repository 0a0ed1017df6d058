//! Numbers of a stream, and the memory that it may still use.
//! Source: Draco bitstream specification 2.2, conventions and variable-length numbers.

use std::fmt::Display;

/// A fault of a stream, in words that follow "the Draco stream".
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault(pub(crate) String);

/// The bytes that are not read yet.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a>(pub(super) &'a [u8]);

/// Bits of a part of a stream, the low ones of each byte first. Past the end there are zeros: callers bound
/// their counts.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    place: usize,
}

/// Bytes of memory that the stream may still use. Counts of a stream are checked against it before they are
/// used, because entropy coding can write any number of equal values in zero bytes.
pub(crate) struct Budget(pub(crate) u64);

/// A fault in words.
pub(super) fn fault(what: impl Display) -> Fault {
    Fault(what.to_string())
}

impl<'a> Cursor<'a> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(|| fault("ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        self.take(N).map(|bytes| std::array::from_fn(|at| bytes[at]))
    }

    pub(super) fn byte(&mut self) -> Result<u8, Fault> {
        self.array().map(|[byte]| byte)
    }

    /// A number in groups of seven bits, the low ones first.
    pub(super) fn number(&mut self) -> Result<u64, Fault> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(fault("has a number of more than nine bytes"))
    }

    /// A number of 32 bits, as indices and identifiers are.
    pub(super) fn index(&mut self) -> Result<u32, Fault> {
        let number = self.number()?;
        u32::try_from(number)
            .map_err(|_| fault(format_args!("has the number {number}, which takes more than 32 bits")))
    }

    /// A part that is preceded by its length.
    pub(super) fn part(&mut self) -> Result<&'a [u8], Fault> {
        let length = self.number()?;
        // Longer than memory is longer than the stream.
        self.take(usize::try_from(length).unwrap_or(usize::MAX))
    }
}

impl<'a> Bits<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Bits<'a> {
        Bits { bytes, place: 0 }
    }

    /// The next `count` bits, at most 32.
    pub(super) fn take(&mut self, count: u32) -> u32 {
        let first = self.place / 8;
        let byte = |at: usize| u64::from(self.bytes.get(first + at).copied().unwrap_or(0));
        let window = (0..5).fold(0_u64, |window, at| window | byte(at) << (8 * at));
        let value = window >> (self.place % 8) & ((1 << count) - 1);
        self.place += count as usize;
        value as u32
    }

    /// Number of bytes that were read, the last of them perhaps in part.
    pub(super) fn read_bytes(&self) -> usize {
        self.place.div_ceil(8)
    }
}

impl Budget {
    /// Accounts for `count` items of `bytes` bytes each, and returns their count for a list in memory.
    pub(super) fn take(&mut self, count: u64, bytes: u64, what: &'static str) -> Result<usize, Fault> {
        let total = count.saturating_mul(bytes);
        // No list is longer than this, for any budget.
        let fits = isize::try_from(total).is_ok();
        match self.0.checked_sub(total).filter(|_| fits) {
            Some(left) => {
                self.0 = left;
                Ok(count as usize)
            }
            None => {
                let most = self.0.min(isize::MAX as u64) / bytes.max(1);
                Err(fault(format_args!(
                    "declares {count} {what}, and the size of the file accounts for {most}"
                )))
            }
        }
    }
}
