//! The reader in front of tobj: checks every statement and hands on plain `v` and `f` lines, as a stream.

use super::labels::Labels;
use super::reader::{Ignored, ObjSink, StatementReader};
use super::statements::Statements;
use crate::error::InputError;
use std::io::{self, BufRead, Read, Write};

/// The result of reading.
pub(super) struct Normalised {
    pub(super) vertices: u64,
    pub(super) faces: u64,
    pub(super) triangles: u64,
    pub(super) materials: Labels,
    pub(super) groups: Labels,
    pub(super) objects: Labels,
    pub(super) ignored: Ignored,
}

/// Bytes of normalised text that are made at a time.
const CHUNK: usize = 64 * 1024;

/// Plain text for tobj.
struct PlainText(Vec<u8>);

impl ObjSink for PlainText {
    fn vertex(&mut self, position: [&[u8]; 3]) {
        self.0.push(b'v');
        for number in position {
            self.0.push(b' ');
            self.0.extend_from_slice(number);
        }
        self.0.push(b'\n');
    }

    fn face(&mut self, corners: &[u64]) {
        self.0.push(b'f');
        for index in corners {
            write!(self.0, " {index}").expect("writing to a Vec cannot fail");
        }
        self.0.push(b'\n');
    }
}

pub(super) struct Normaliser<'a> {
    statements: Statements<'a>,
    /// With normalised text not yet taken, from `taken` on.
    reader: StatementReader<PlainText>,
    taken: usize,
    error: Option<InputError>,
}

impl<'a> Normaliser<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Normaliser<'a> {
        let text = PlainText(Vec::with_capacity(CHUNK + 256));
        let (statements, reader) = (Statements::new(bytes), StatementReader::new(text));
        Normaliser { statements, reader, taken: 0, error: None }
    }

    /// The result, or the error that stopped reading. The rest of the text is read if the parser left some.
    pub(super) fn finish(mut self) -> Result<Normalised, InputError> {
        while self.error.is_none() && self.refill() {}
        let read = self.reader;
        match self.error {
            Some(error) => Err(error),
            None => Ok(Normalised {
                vertices: read.vertices,
                faces: read.faces,
                triangles: read.triangles,
                materials: read.materials.finish(),
                groups: read.groups.finish(),
                objects: read.objects.finish(),
                ignored: read.ignored,
            }),
        }
    }

    /// Makes the next chunk of text; false at the end and after an error.
    fn refill(&mut self) -> bool {
        self.reader.sink.0.clear();
        self.taken = 0;
        while self.error.is_none() && self.reader.sink.0.len() < CHUNK {
            let result = match self.statements.next() {
                Some(statement) => self.reader.take(&statement),
                None => {
                    self.error = self.reader.check_whole().err();
                    break;
                }
            };
            self.error = result.err();
        }
        self.error.is_none() && !self.reader.sink.0.is_empty()
    }
}

impl Read for Normaliser<'_> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let length = ready.len().min(target.len());
        target[..length].copy_from_slice(&ready[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Normaliser<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.reader.sink.0.len() && self.error.is_none() {
            self.refill();
        }
        match &self.error {
            // The parser only learns that reading stopped; `finish` has the reason.
            Some(_) => Err(io::Error::other("the level is refused")),
            None => Ok(&self.reader.sink.0[self.taken..]),
        }
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount;
    }
}
