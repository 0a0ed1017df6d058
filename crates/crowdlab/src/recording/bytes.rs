//! Numbers as bytes, and back.

use super::RecordingError;

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

/// Reads bytes from front to back.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Cursor<'a> {
        Cursor { bytes, at }
    }

    pub(super) fn wrong(&self, problem: &'static str) -> RecordingError {
        RecordingError { at: self.at, problem }
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], RecordingError> {
        if count > self.left() {
            return Err(self.wrong("unexpected end: the file was cut short"));
        }
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], RecordingError> {
        let taken = self.take(N)?;
        Ok(std::array::from_fn(|index| taken[index]))
    }

    pub(super) fn byte(&mut self) -> Result<u8, RecordingError> {
        Ok(self.array::<1>()?[0])
    }

    pub(super) fn u32(&mut self) -> Result<u32, RecordingError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn f32(&mut self) -> Result<f32, RecordingError> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    pub(super) fn f64(&mut self) -> Result<f64, RecordingError> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    /// Reads the number of elements that each take at least `size` bytes. Fails if there are not enough bytes
    /// for them.
    pub(super) fn count(&mut self, size: usize) -> Result<u32, RecordingError> {
        let at = self.at;
        let count = self.u32()?;
        if (count as usize).checked_mul(size).is_none_or(|bytes| bytes > self.left()) {
            return Err(RecordingError { at, problem: "a count exceeds the size of the file" });
        }
        Ok(count)
    }

    pub(super) fn varint(&mut self) -> Result<u64, RecordingError> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.wrong("a number has more than nine bytes"))
    }

    pub(super) fn signed(&mut self) -> Result<i32, RecordingError> {
        let value = u32::try_from(self.varint()?).map_err(|_| self.wrong("a coordinate is too large"))?;
        Ok((value >> 1) as i32 ^ -((value & 1) as i32))
    }
}
