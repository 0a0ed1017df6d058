//! Numbers as bytes, and back.

use super::RecordingError;
use navmath::bytes::{EndsEarly, Reader};

/// A checksum of bytes: FNV-1a, folded to 32 bits.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, add);
    (hash ^ hash >> 32) as u32
}

/// Seven bits per byte, lowest bits first. The highest bit is set if more bytes follow.
pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A number of either sign: 0, -1, 1, -2, .. as 0, 1, 2, 3, ..
pub(super) fn put_signed(out: &mut Vec<u8>, value: i32) {
    put_varint(out, u64::from((value << 1 ^ value >> 31) as u32));
}

impl From<EndsEarly> for RecordingError {
    fn from(early: EndsEarly) -> RecordingError {
        wrong(early.at, "unexpected end: the file was cut short")
    }
}

pub(super) fn wrong(at: usize, problem: &'static str) -> RecordingError {
    RecordingError { at, problem }
}

/// Reads the number of elements that each take at least `size` bytes. Fails if there are not enough bytes for
/// them.
pub(super) fn count(from: &mut Reader<'_>, size: usize) -> Result<usize, RecordingError> {
    let at = from.at();
    let count = from.read::<u32>()?;
    from.expect(count.into(), size).map_err(|_| wrong(at, "a count exceeds the size of the file"))
}

pub(super) fn varint(from: &mut Reader<'_>) -> Result<u64, RecordingError> {
    from.varint()?.ok_or_else(|| wrong(from.at(), "a number has more than nine bytes"))
}

pub(super) fn signed(from: &mut Reader<'_>) -> Result<i32, RecordingError> {
    let value = u32::try_from(varint(from)?).map_err(|_| wrong(from.at(), "a coordinate is too large"))?;
    Ok((value >> 1) as i32 ^ -((value & 1) as i32))
}
