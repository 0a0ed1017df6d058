//! Bytes of an OBJ file as statements, and statements as words. Cost: one pass, no copies.

use crate::error::{Lines, TextPosition};

/// A statement: one line, or several joined by `\` at their ends.
#[derive(Clone, Copy)]
pub(crate) struct Statement<'a> {
    /// Its bytes, including continuation marks and line ends inside it.
    pub(crate) bytes: &'a [u8],
    /// Number of its first line, from 1.
    pub(crate) first_line: u64,
}

/// A word of a statement and its start in it.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) offset: usize,
}

/// Statements of a file, one by one.
pub(crate) struct Statements<'a> {
    rest: &'a [u8],
    line: u64,
}

impl<'a> Statements<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Statements<'a> {
        Statements { rest: bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes), line: 1 }
    }

    /// Statements of a file from line `line` on.
    pub(crate) fn from_line(bytes: &'a [u8], line: u64) -> Statements<'a> {
        if line == 1 { Statements::new(bytes) } else { Statements { rest: bytes, line } }
    }

    /// The number of the next line.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = Statement<'a>;

    fn next(&mut self) -> Option<Statement<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let first_line = self.line;
        let mut line_start = 0;
        loop {
            let line_end = self.rest[line_start..]
                .iter()
                .position(|&byte| byte == b'\n' || byte == b'\r')
                .map_or(self.rest.len(), |length| line_start + length);
            let next = line_end + line_end_length(&self.rest[line_end..]);
            self.line += 1;
            if next < self.rest.len() && is_continued(&self.rest[line_start..line_end]) {
                line_start = next;
                continue;
            }
            let bytes = &self.rest[..line_end];
            self.rest = &self.rest[next..];
            return Some(Statement { bytes, first_line });
        }
    }
}

/// The end of the last complete statement in the first part of a text; `None` if there is no complete
/// statement.
pub(crate) fn whole_statements(bytes: &[u8]) -> Option<usize> {
    (0..bytes.len()).rev().find_map(|index| {
        let ends = match bytes[index] {
            b'\n' => true,
            // One at the very end may be the first half of a CRLF.
            b'\r' => bytes.get(index + 1).is_some_and(|next| *next != b'\n'),
            _ => false,
        };
        let line = bytes[..index].strip_suffix(b"\r").unwrap_or(&bytes[..index]);
        // In a comment this is not a continuation mark, but then the statement above ends too.
        (ends && !line.ends_with(b"\\")).then_some(index + 1)
    })
}

/// Length of the line end that `bytes` starts with: LF, CRLF, CR, or none.
fn line_end_length(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Returns true if a line continues in the next. A comment does not: `# C:\levels\` would swallow the line
/// below it.
fn is_continued(line: &[u8]) -> bool {
    line.ends_with(b"\\") && comment_start(line).is_none()
}

/// The start of a comment: a `#` at the start of a word.
fn comment_start(line: &[u8]) -> Option<usize> {
    (0..line.len()).find(|&index| line[index] == b'#' && (index == 0 || is_space(line[index - 1])))
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0B
}

impl<'a> Statement<'a> {
    /// The place of a byte of the statement.
    pub(crate) fn place(&self, offset: usize) -> TextPosition {
        let place = Lines::of(self.bytes).place(offset);
        TextPosition { line: self.first_line - 1 + place.line, ..place }
    }

    /// Words up to a comment. A continuation mark is white space.
    pub(crate) fn words(&self) -> Words<'a> {
        Words { bytes: self.bytes, offset: 0 }
    }

    /// Everything after the word that ends at `offset`, without a comment: a name, which may contain spaces.
    pub(crate) fn rest(&self, offset: usize) -> &'a [u8] {
        let rest = &self.bytes[offset..];
        let rest = comment_start(rest).map_or(rest, |end| &rest[..end]);
        rest.trim_ascii()
    }
}

/// Words of a statement.
pub(crate) struct Words<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let is_mark = |offset: usize| {
            let behind = &self.bytes[offset + 1..];
            self.bytes[offset] == b'\\' && (behind.is_empty() || line_end_length(behind) > 0)
        };
        let mut start = self.offset;
        while start < self.bytes.len() && (is_space(self.bytes[start]) || is_mark(start)) {
            start += 1;
        }
        let mut end = start;
        while end < self.bytes.len() && !is_space(self.bytes[end]) && !is_mark(end) {
            end += 1;
        }
        self.offset = end;
        let bytes = &self.bytes[start..end];
        if bytes.is_empty() || bytes[0] == b'#' {
            self.offset = self.bytes.len();
            return None;
        }
        Some(Word { bytes, offset: start })
    }
}
