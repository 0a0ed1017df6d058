//! Numbers, texts and lists as bytes: little-endian, each list after its length.

use super::Damage;
use crate::warning::Warning;
use navmath::bytes::{Pod, Reader};

/// The largest number of triangles in a chunk.
pub(super) const MOST_TRIANGLES: u64 = 1 << 36;

/// Bytes that are being written.
#[derive(Default)]
pub(super) struct Out(pub(super) Vec<u8>);

impl Out {
    pub(super) fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn place(&mut self, place: [f64; 3]) {
        place.into_iter().for_each(|value| self.u64(value.to_bits()));
    }

    /// Bytes after their length.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.0.extend(bytes);
    }

    pub(super) fn option<T>(&mut self, value: Option<T>, write: impl Fn(&mut Out, T)) {
        self.u32(u32::from(value.is_some()));
        value.into_iter().for_each(|value| write(self, value));
    }

    pub(super) fn list<T>(&mut self, values: &[T], write: impl Fn(&mut Out, &T)) {
        self.u32(values.len() as u32);
        values.iter().for_each(|value| write(self, value));
    }

    pub(super) fn warning(&mut self, warning: &Warning) {
        self.bytes(warning.kind.as_bytes());
        self.bytes(warning.message.as_bytes());
        self.u32(u32::from(warning.is_note));
        self.option(warning.place, Out::place);
        self.option(warning.tile, |out, tile| {
            tile.into_iter().for_each(|value| out.u32(value.cast_unsigned()));
        });
    }
}

/// Bytes that are left to read.
pub(super) struct In<'a>(pub(super) Reader<'a>);

impl<'a> In<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> In<'a> {
        In(Reader::new(bytes))
    }

    pub(super) fn read<T: Pod>(&mut self) -> Result<T, Damage> {
        self.0.read().map_err(|early| early.to_string())
    }

    /// Reads a number of triangles of a chunk. Chunks that fit on a disk have fewer than the limit, so that
    /// sums over all chunks of a shard file do not overflow.
    pub(super) fn triangles(&mut self) -> Result<u64, Damage> {
        let count = self.read()?;
        if count > MOST_TRIANGLES {
            return Err(format!("{count} triangles, but a chunk has at most {MOST_TRIANGLES}"));
        }
        Ok(count)
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Damage> {
        let length = self.read()?;
        self.0.take(length).map_err(|early| early.to_string())
    }

    pub(super) fn text(&mut self) -> Result<String, Damage> {
        String::from_utf8(self.bytes()?.to_vec()).map_err(|_| "a text is not UTF-8".to_owned())
    }

    pub(super) fn option<T>(
        &mut self,
        read: impl Fn(&mut In<'a>) -> Result<T, Damage>,
    ) -> Result<Option<T>, Damage> {
        match self.read::<u32>()? {
            0 => Ok(None),
            1 => read(self).map(Some),
            other => Err(format!("{other} before an optional value, expected 0 or 1")),
        }
    }

    /// A list after its length, with entries of at least a byte each.
    pub(super) fn list<T>(
        &mut self,
        read: impl Fn(&mut In<'a>) -> Result<T, Damage>,
    ) -> Result<Vec<T>, Damage> {
        let mut list = Vec::new();
        for _ in 0..self.read::<u32>()? {
            list.push(read(self)?);
        }
        Ok(list)
    }

    pub(super) fn warning(&mut self) -> Result<Warning, Damage> {
        let (kind, message) = (self.text()?, self.text()?);
        let is_note = self.read::<u32>()? != 0;
        Ok(Warning { kind, is_note, message, place: self.option(In::read)?, tile: self.option(In::read)? })
    }

    /// Returns an error if bytes are left.
    pub(super) fn end(self) -> Result<(), Damage> {
        match self.0.rest().len() {
            0 => Ok(()),
            more => Err(navmath::count::counted(more as u64, "byte follows its end", "bytes follow its end")),
        }
    }
}
