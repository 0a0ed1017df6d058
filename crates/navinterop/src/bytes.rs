//! Numbers of either byte order: reading, with the place of every failure, and writing.

use crate::encoding::ByteOrder;
use crate::error::{FormatError, refuse};
use navmath::bytes::{self, EndsEarly, Pod};

/// Reads numbers one after another. Offsets in errors count from the start of the file.
pub(crate) struct Reader<'a> {
    bytes: bytes::Reader<'a>,
    start: u64,
    order: ByteOrder,
}

impl<'a> Reader<'a> {
    /// Reads `bytes`, which start at `start` in their file.
    pub(crate) fn new(bytes: &'a [u8], start: u64, order: ByteOrder) -> Reader<'a> {
        Reader { bytes: bytes::Reader::new(bytes), start, order }
    }

    /// The place of the next byte in the file.
    pub(crate) fn offset(&self) -> u64 {
        self.start + self.bytes.at() as u64
    }

    fn ends_early<T>(&self, what: &str, early: EndsEarly) -> Result<T, FormatError> {
        let EndsEarly { expected, left, .. } = early;
        refuse(what, self.offset(), format!("{expected} bytes"), format!("{left} left"))
    }

    /// The next `count` bytes.
    pub(crate) fn take(&mut self, what: &str, count: usize) -> Result<&'a [u8], FormatError> {
        self.bytes.take(count as u64).or_else(|early| self.ends_early(what, early))
    }

    /// A number.
    pub(crate) fn number<T: Pod>(&mut self, what: &str) -> Result<T, FormatError> {
        let number = match self.order {
            ByteOrder::Little => self.bytes.read(),
            ByteOrder::Big => self.bytes.read_big(),
        };
        number.or_else(|early| self.ends_early(what, early))
    }

    /// Numbers.
    pub(crate) fn numbers<T: Pod, const N: usize>(&mut self, what: &str) -> Result<[T; N], FormatError> {
        let mut values = [T::zeroed(); N];
        for value in &mut values {
            *value = self.number(what)?;
        }
        Ok(values)
    }

    /// A count: an `i32` that is not negative.
    pub(crate) fn count(&mut self, what: &str) -> Result<u32, FormatError> {
        let offset = self.offset();
        let value: i32 = self.number(what)?;
        u32::try_from(value).or_else(|_| refuse(what, offset, "a count of 0 or more", value))
    }

    /// A finite number.
    pub(crate) fn f32(&mut self, what: &str) -> Result<f32, FormatError> {
        let offset = self.offset();
        let value: f32 = self.number(what)?;
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
