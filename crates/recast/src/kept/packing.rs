//! Kept spans as bytes: columns in rows, each like the one to the left or the one above where it is, else in full.
//!
//! A token of one byte stands for one or more columns:
//!
//! | token | meaning |
//! |---|---|
//! | 0 to 63 | 1 to 64 columns that equal the one before them |
//! | 64 to 127 | 1 to 64 columns, each of which equals the one above it |
//! | 128 to 191 | a column of 0 to 62 spans, or, for 63, of a number that stands behind it; its spans follow |
//! | 192 to 255 | the column before it, all its spans higher by -32 to 31 cells |
//!
//! A span is two numbers and perhaps a byte: by how much its top is above that of the span in the same place of the column
//! before (or zero), doubled, plus one if its area differs; by how much it is thicker than that span; the rank of its
//! area. Numbers are in groups of seven bits, the lowest first, the sign in the lowest bit.
//!
//! Columns of one token have at most 64 spans together, so that what is read takes memory in proportion to the bytes.

use super::KeptSpans;
use crate::area::AreaId;
use crate::stage::rasterize::Fragment;
use crate::tile_build::TileBuild;
use std::ops::Range;
use thiserror::Error;

/// Most columns, and most spans, of one token.
const TOGETHER: usize = 64;
const ABOVE: u8 = 64;
const NEW: u8 = 128;
const SHIFTED: u8 = 192;
/// The count of spans that says that the count follows.
const LONG: usize = 63;
/// Shifts are -32 to 31.
const SHIFT_ZERO: i64 = 32;
/// Heights have 26 bits.
const MAX_HEIGHT: i64 = (1 << 26) - 1;

/// The names of all rules of the packed spans of a tile, as docs/format.md has them.
pub const SPAN_RULES: [&str; 7] =
    ["spans-end", "spans-columns", "spans-run", "spans-height", "spans-order", "spans-number", "spans-count"];

/// Kept spans that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("kept spans, {rule}: expected {expected}, found {found}")]
pub struct KeptError {
    /// The rule, by the name it has in docs/format.md.
    pub rule: &'static str,
    /// The property that the rule asks for.
    pub expected: String,
    /// The value found.
    pub found: String,
}

impl KeptSpans {
    /// The spans as bytes.
    pub fn pack(&self) -> Vec<u8> {
        let width = self.grid.width as usize;
        let (mut bytes, mut at) = (Vec::new(), 0);
        while at < self.grid.columns() {
            let left = self.run(at, |column| column.checked_sub(1));
            let above = self.run(at, |column| column.checked_sub(width));
            if left > 0 && left >= above {
                bytes.push(left as u8 - 1);
                at += left;
            } else if above > 0 {
                bytes.push(ABOVE + above as u8 - 1);
                at += above;
            } else {
                self.pack_column(at, &mut bytes);
                at += 1;
            }
        }
        bytes
    }

    /// How many columns from `at` on equal the one that `like` names, none before the first column, and fit in one token.
    fn run(&self, at: usize, like: impl Fn(usize) -> Option<usize>) -> usize {
        let (mut run, mut spans) = (0, 0);
        while run < TOGETHER && at + run < self.grid.columns() {
            let own = self.column(at + run);
            spans += own.len();
            let other = like(at + run).map_or(&[][..], |column| self.column(column));
            if own != other || spans > TOGETHER {
                break;
            }
            run += 1;
        }
        run
    }

    fn pack_column(&self, at: usize, bytes: &mut Vec<u8>) {
        let own = self.column(at);
        let before = at.checked_sub(1).map_or(&[][..], |before| self.column(before));
        if let Some(shift) = shift(own, before) {
            bytes.push(SHIFTED + (shift + SHIFT_ZERO) as u8);
            return;
        }
        bytes.push(NEW + own.len().min(LONG) as u8);
        if own.len() >= LONG {
            push_number(bytes, own.len() as u64);
        }
        for (index, span) in own.iter().enumerate() {
            let like = before.get(index);
            let (top, thickness) = like.map_or((0, 0), |like| (like.top(), like.top() - like.bottom()));
            let rank = like.map_or(AreaId::NULL, |like| like.area());
            let differs = u64::from(span.area() != rank);
            push_number(bytes, folded(i64::from(span.top() - top)) << 1 | differs);
            push_number(bytes, folded(i64::from(span.top() - span.bottom() - thickness)));
            if differs == 1 {
                bytes.push(span.area().0);
            }
        }
    }

    /// Reads the packed spans of a tile, and checks every rule about them.
    pub fn unpack(bytes: &[u8], build: &TileBuild) -> Result<KeptSpans, KeptError> {
        let grid = build.grid;
        let mut kept = KeptSpans { grid, offsets: vec![0], fragments: Vec::new() };
        let mut reader = Reader { bytes, at: 0 };
        while kept.offsets.len() <= grid.columns() {
            let at = kept.offsets.len() - 1;
            let token = reader.byte()?;
            let low = usize::from(token % 64);
            match token {
                0..ABOVE => kept.repeat(at, low + 1, |column| column.checked_sub(1))?,
                ABOVE..NEW => kept.repeat(at, low + 1, |column| column.checked_sub(grid.width as usize))?,
                NEW..SHIFTED => kept.read_column(at, low, &mut reader)?,
                SHIFTED.. => kept.read_shifted(at, low as i64 - SHIFT_ZERO)?,
            }
        }
        if reader.at < bytes.len() {
            return refuse("spans-end", format!("{} bytes", reader.at), format!("{} bytes", bytes.len()));
        }
        Ok(kept)
    }

    fn like(&self, column: Option<usize>) -> Range<usize> {
        column.map_or(0..0, |column| self.range(column))
    }

    fn repeat(
        &mut self,
        at: usize,
        run: usize,
        like: impl Fn(usize) -> Option<usize>,
    ) -> Result<(), KeptError> {
        if at + run > self.grid.columns() {
            let expected = format!("columns of {} in all", self.grid.columns());
            return refuse("spans-columns", expected, format!("{run} more behind {at}"));
        }
        let first = self.fragments.len();
        for column in at..at + run {
            let like = self.like(like(column));
            self.fragments.extend_from_within(like);
            if self.fragments.len() - first > TOGETHER {
                return refuse("spans-run", format!("at most {TOGETHER} spans a token"), "more");
            }
            self.offsets.push(self.fragments.len() as u32);
        }
        Ok(())
    }

    fn read_shifted(&mut self, at: usize, shift: i64) -> Result<(), KeptError> {
        let like = self.like(at.checked_sub(1));
        if like.len() > TOGETHER {
            return refuse("spans-run", format!("at most {TOGETHER} spans a token"), like.len());
        }
        for index in like {
            let span = self.fragments[index];
            let [bottom, top] = [span.bottom(), span.top()].map(|height| i64::from(height) + shift);
            self.fragments.push(checked(bottom, top, span.area())?);
        }
        self.offsets.push(self.fragments.len() as u32);
        Ok(())
    }

    fn read_column(&mut self, at: usize, count: usize, reader: &mut Reader<'_>) -> Result<(), KeptError> {
        let count = if count == LONG { reader.number()? } else { count as u64 };
        let like = self.like(at.checked_sub(1));
        let first = self.fragments.len();
        for index in 0..count {
            let like = like.clone().nth(index as usize).map(|like| self.fragments[like]);
            let (top, thickness) = like.map_or((0, 0), |like| (like.top(), like.top() - like.bottom()));
            let head = reader.number()?;
            let top = i64::from(top).saturating_add(unfolded(head >> 1));
            let thickness = i64::from(thickness).saturating_add(unfolded(reader.number()?));
            let area = match head & 1 {
                0 => like.map_or(AreaId::NULL, |like| like.area()),
                _ => AreaId(reader.byte()?),
            };
            let span = checked(top.saturating_sub(thickness), top, area)?;
            if let Some(last) = self.fragments[first..].last()
                && last.top() >= span.bottom()
            {
                let found = format!("one from {} behind one up to {}", span.bottom(), last.top());
                return refuse(
                    "spans-order",
                    "spans of a column from bottom to top, apart from each other",
                    found,
                );
            }
            self.fragments.push(span);
        }
        let Ok(end) = u32::try_from(self.fragments.len()) else {
            return refuse("spans-count", "fewer than 2^32 spans", "more");
        };
        self.offsets.push(end);
        Ok(())
    }
}

/// By how much all spans of a column are higher than those of the one before, if that is all the difference.
fn shift(own: &[Fragment], before: &[Fragment]) -> Option<i64> {
    if own.is_empty() || own.len() != before.len() || own.len() > TOGETHER {
        return None;
    }
    let shift = own[0].top() - before[0].top();
    let same = own.iter().zip(before).all(|(own, before)| {
        own.area() == before.area()
            && own.top() - before.top() == shift
            && own.bottom() - before.bottom() == shift
    });
    let shift = i64::from(shift);
    (same && (-SHIFT_ZERO..SHIFT_ZERO).contains(&shift)).then_some(shift)
}

fn checked(bottom: i64, top: i64, area: AreaId) -> Result<Fragment, KeptError> {
    if 0 <= bottom && bottom < top && top <= MAX_HEIGHT {
        return Ok(Fragment::new(bottom as i32, top as i32, area));
    }
    refuse("spans-height", format!("a span between 0 and {MAX_HEIGHT}"), format!("{bottom} to {top}"))
}

/// The sign in the lowest bit.
fn folded(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn unfolded(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

fn push_number(bytes: &mut Vec<u8>, mut value: u64) {
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, KeptError> {
        let Some(&byte) = self.bytes.get(self.at) else {
            return refuse("spans-end", "another token", "the end");
        };
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u64, KeptError> {
        let mut value = 0;
        for group in 0..6 {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << (7 * group);
            if byte < 128 {
                return Ok(value);
            }
        }
        refuse("spans-number", "a number of at most 6 bytes", "more")
    }
}

#[cold]
fn refuse<T>(rule: &'static str, expected: impl ToString, found: impl ToString) -> Result<T, KeptError> {
    Err(KeptError { rule, expected: expected.to_string(), found: found.to_string() })
}
