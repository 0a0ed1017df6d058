//! Numbers of a stream, and the memory that it may still use.
//! Source: Draco bitstream specification 2.2, conventions and variable-length numbers.

use navmath::bytes::{EndsEarly, Pod, Reader};
use std::fmt::Display;

/// A fault of a stream, in words that follow "the Draco stream".
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault(pub(crate) String);

/// The bytes that are not read yet.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a>(pub(super) Reader<'a>);

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

impl From<EndsEarly> for Fault {
    fn from(_: EndsEarly) -> Fault {
        fault("ends too early")
    }
}

impl<'a> Cursor<'a> {
    pub(super) fn take(&mut self, count: u64) -> Result<&'a [u8], Fault> {
        Ok(self.0.take(count)?)
    }

    pub(super) fn read<T: Pod>(&mut self) -> Result<T, Fault> {
        Ok(self.0.read()?)
    }

    /// A number in groups of seven bits, the low ones first.
    pub(super) fn number(&mut self) -> Result<u64, Fault> {
        self.0.varint()?.ok_or_else(|| fault("has a number of more than nine bytes"))
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
        self.take(length)
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
    pub(super) fn read_bytes(&self) -> u64 {
        self.place.div_ceil(8) as u64
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
