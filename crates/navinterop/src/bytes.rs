//! Numbers of either byte order: reading, with the place of every failure, and writing.

use crate::encoding::ByteOrder;
use crate::error::{FormatError, refuse};

/// Reads numbers one after another. Offsets in errors count from the start of the file.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    start: u64,
    order: ByteOrder,
}

impl<'a> Reader<'a> {
    /// Reads `bytes`, which start at `start` in their file.
    pub(crate) fn new(bytes: &'a [u8], start: u64, order: ByteOrder) -> Reader<'a> {
        Reader { bytes, at: 0, start, order }
    }

    /// The place of the next byte in the file.
    pub(crate) fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    /// The next `count` bytes.
    pub(crate) fn take(&mut self, what: &str, count: usize) -> Result<&'a [u8], FormatError> {
        let left = &self.bytes[self.at..];
        let Some(taken) = left.get(..count) else {
            let found = format!("{} left", left.len());
            return refuse(what, self.offset(), format!("{count} bytes"), found);
        };
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], FormatError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(what, N)?);
        if self.order == ByteOrder::Big {
            array.reverse();
        }
        Ok(array)
    }

    pub(crate) fn u8(&mut self, what: &str) -> Result<u8, FormatError> {
        Ok(self.array::<1>(what)?[0])
    }

    pub(crate) fn u16(&mut self, what: &str) -> Result<u16, FormatError> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn u32(&mut self, what: &str) -> Result<u32, FormatError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn u64(&mut self, what: &str) -> Result<u64, FormatError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn i32(&mut self, what: &str) -> Result<i32, FormatError> {
        Ok(i32::from_le_bytes(self.array(what)?))
    }

    /// A count: an `i32` that is not negative.
    pub(crate) fn count(&mut self, what: &str) -> Result<u32, FormatError> {
        let offset = self.offset();
        let value = self.i32(what)?;
        u32::try_from(value).or_else(|_| refuse(what, offset, "a count of 0 or more", value))
    }

    /// A finite number.
    pub(crate) fn f32(&mut self, what: &str) -> Result<f32, FormatError> {
        let offset = self.offset();
        let value = f32::from_le_bytes(self.array(what)?);
        if value.is_finite() {
            return Ok(value);
        }
        refuse(what, offset, "a finite number", value)
    }

    /// Finite numbers.
    pub(crate) fn f32s<const N: usize>(&mut self, what: &str) -> Result<[f32; N], FormatError> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.f32(what)?;
        }
        Ok(values)
    }

    pub(crate) fn u16s<const N: usize>(&mut self, what: &str) -> Result<[u16; N], FormatError> {
        let mut values = [0; N];
        for value in &mut values {
            *value = self.u16(what)?;
        }
        Ok(values)
    }
}

/// The byte order in which the first four bytes equal this magic number.
pub(crate) fn magic_order(bytes: &[u8], magic: u32) -> Option<ByteOrder> {
    let first: [u8; 4] = bytes.get(..4)?.try_into().ok()?;
    if first == magic.to_le_bytes() {
        Some(ByteOrder::Little)
    } else {
        (first == magic.to_be_bytes()).then_some(ByteOrder::Big)
    }
}

/// Writes numbers one after another.
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
    order: ByteOrder,
}

impl Writer {
    pub(crate) fn new(order: ByteOrder) -> Writer {
        Writer { bytes: Vec::new(), order }
    }

    fn put<const N: usize>(&mut self, mut little: [u8; N]) {
        if self.order == ByteOrder::Big {
            little.reverse();
        }
        self.bytes.extend(little);
    }

    pub(crate) fn u8s(&mut self, values: &[u8]) {
        self.bytes.extend(values);
    }

    pub(crate) fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len() + count, 0);
    }

    pub(crate) fn u16s(&mut self, values: &[u16]) {
        values.iter().for_each(|value| self.put(value.to_le_bytes()));
    }

    pub(crate) fn u32s(&mut self, values: &[u32]) {
        values.iter().for_each(|value| self.put(value.to_le_bytes()));
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.put(value.to_le_bytes());
    }

    pub(crate) fn i32s(&mut self, values: &[i32]) {
        values.iter().for_each(|value| self.put(value.to_le_bytes()));
    }

    pub(crate) fn f32s(&mut self, values: &[f32]) {
        values.iter().for_each(|value| self.put(value.to_le_bytes()));
    }
}
