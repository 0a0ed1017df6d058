//! Cached spans as bytes: each column is predicted from the columns to the left and above, and the
//! differences are coded as decisions of a range coder.
//!
//! ```text
//!   corner   above    right
//!   left     column
//! ```
//!
//! If the three columns before have the same number of spans, the predicted column has this number too. Each
//! of its tops and bottoms is left + above - corner, clamped to the range between left and above. This
//! predicts flat ground and slopes, and walls that run straight. A column that differs from the predicted
//! one, the left one and the one above has its heights coded as differences.
//!
//! One function, [`Columns::code`], defines the decisions and their order; the [`Coder`] reads or writes
//! them.
//! Source of the prediction: M. Weinberger, G. Seroussi, G. Sapiro, LOCO-I (1996).

use super::range_coder::{Coder, Probability, RangeDecoder, RangeEncoder};
use navtile::area::AreaId;
use recast::inside::data::Fragment;
use recast::inside::data::MergedSpans;
use std::ops::Range;
use thiserror::Error;

/// Columns with more spans are not taken over whole, so that no single decision makes many spans.
const MOST_TAKEN: usize = 8;
/// Heights of a [`PredictedSpan`] have 26 bits.
const MAX_HEIGHT: i64 = (1 << 26) - 1;
/// Bits of the largest difference of heights.
const NUMBER_BITS: usize = 27;

/// Contexts of the decisions to take a column over: the column that is taken, and the known facts about its
/// neighbours.
const TAKEN: usize = 0;
/// Contexts of the number of spans: equal to that of the left column, equal to that of the column above.
const COUNT_IS: usize = TAKEN + 3 * 32;
/// Contexts of an area that is the predicted one: of the lowest span, of other spans. Then the bits of any
/// other area.
const AREA_IS: usize = COUNT_IS + 2;
const AREA: usize = AREA_IS + 2;
/// Contexts of numbers, one list each: number of spans; tops; bottoms, by the result for the top.
const COUNT: usize = AREA + 8;
const TOPS: usize = COUNT + OF_NUMBER;
const BOTTOMS: usize = TOPS + SITUATIONS * OF_NUMBER;
const CONTEXTS: usize = BOTTOMS + SITUATIONS * 3 * OF_NUMBER;
/// Contexts of a number: zero, sign, number of bits, and the second highest bit for each number of bits.
pub(crate) const OF_NUMBER: usize = 2 + 2 * NUMBER_BITS;
/// Situations of a span's heights: which neighbours have the corner's height, or that the three differ in
/// number of spans.
const SITUATIONS: usize = 6;

/// The names of all rules of the packed spans of a tile, as in docs/format.md.
pub const SPAN_RULES: [&str; 5] = ["spans-end", "spans-height", "spans-order", "spans-number", "spans-count"];

/// The name of the rule against spans that take more memory than is allowed. Such spans are otherwise valid.
const OVER_MEMORY: &str = "spans-memory";

/// Cached spans that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cached spans, {rule}: expected {expected}, found {found}")]
pub struct CachedSpansError {
    /// Name of the rule in docs/format.md.
    pub rule: &'static str,
    /// The property that the rule requires.
    pub expected: String,
    /// The value found.
    pub found: String,
}

impl CachedSpansError {
    /// Returns true if the spans were refused only for their memory: see
    /// [`crate::CachedSpans::unpack_within`].
    pub fn is_over_memory(&self) -> bool {
        self.rule == OVER_MEMORY
    }
}

/// Spans as bytes, in rows of `width` columns.
pub(crate) fn pack_spans(width: usize, spans: &MergedSpans) -> Vec<u8> {
    let (mut encoder, mut columns) = (RangeEncoder::new(), Columns::new(width));
    for at in 0..spans.offsets.len() - 1 {
        let near = columns.before(at).map(|column| of_earlier(spans, column));
        // Merged spans are always valid. Any others are refused when they are read, at the same place.
        if columns.code(&mut encoder, &ColumnsBefore::new(near), column_of(spans, at)).is_err() {
            break;
        }
    }
    encoder.finish()
}

/// Reads packed spans of a number of columns along x and z, and checks all their rules. There are at most
/// `most` spans.
pub(crate) fn unpack_spans(bytes: &[u8], size: [u32; 2], most: u32) -> Result<MergedSpans, CachedSpansError> {
    let (unpacked, rest) = unpack_first(bytes, size, most)?;
    if !rest.is_empty() {
        let found = format!("{} of {} bytes", bytes.len() - rest.len(), bytes.len());
        return refuse("spans-end", "an end after the last column", found);
    }
    Ok(unpacked)
}

/// Like [`unpack_spans`], but more bytes may follow: returns these, too.
pub(crate) fn unpack_first(
    bytes: &[u8],
    [width, depth]: [u32; 2],
    most: u32,
) -> Result<(MergedSpans, &[u8]), CachedSpansError> {
    let mut unpacked = MergedSpans { offsets: vec![0], spans: Vec::new() };
    let (mut decoder, mut columns) = (RangeDecoder::new(bytes), Columns::new(width as usize));
    for at in 0..width as usize * depth as usize {
        let before = columns.before(at);
        let near = before.map(|column| of_earlier(&unpacked, column));
        match columns.code(&mut decoder, &ColumnsBefore::new(near), &[])? {
            Coded::Left => repeat(&mut unpacked, before[0]),
            Coded::Above => repeat(&mut unpacked, before[1]),
            Coded::Other => unpacked.spans.extend_from_slice(&columns.column),
        }
        let end = u32::try_from(unpacked.spans.len()).ok().filter(|end| *end <= most);
        let Some(end) = end else {
            return refuse(OVER_MEMORY, format!("at most {most} spans"), "more");
        };
        unpacked.offsets.push(end);
    }
    match decoder.rest() {
        Some(rest) => Ok((unpacked, rest)),
        None => {
            let found = format!("{} of {} bytes", decoder.position(), bytes.len());
            refuse("spans-end", "an end after the last column", found)
        }
    }
}

#[inline]
fn range(spans: &MergedSpans, column: usize) -> Range<usize> {
    spans.offsets[column] as usize..spans.offsets[column + 1] as usize
}

#[inline]
fn column_of(spans: &MergedSpans, column: usize) -> &[Fragment] {
    &spans.spans[range(spans, column)]
}

/// The spans of a column; empty before the first column.
#[inline]
fn of_earlier(spans: &MergedSpans, column: Option<usize>) -> &[Fragment] {
    column.map_or(&[], |column| column_of(spans, column))
}

#[inline]
fn repeat(spans: &mut MergedSpans, column: Option<usize>) {
    if let Some(column) = column {
        // Most columns have one or two spans: copying them one by one is faster than as a block.
        for index in range(spans, column) {
            spans.spans.push(spans.spans[index]);
        }
    }
}

/// The columns before the next one: to the left, above it, and above the left one. In the first column of a
/// row, all three are the column above; in the first row, the column to the left.
#[derive(Clone, Copy)]
struct ColumnsBefore<'a> {
    left: &'a [Fragment],
    above: &'a [Fragment],
    corner: &'a [Fragment],
}

impl<'a> ColumnsBefore<'a> {
    fn new([left, above, corner]: [&'a [Fragment]; 3]) -> ColumnsBefore<'a> {
        ColumnsBefore { left, above, corner }
    }

    fn have(&self, count: usize) -> bool {
        (self.left.len(), self.above.len(), self.corner.len()) == (count, count, count)
    }

    /// Predicts a span from those of the three columns. All three must have it.
    #[inline]
    fn goes_on(&self, index: usize) -> PredictedSpan {
        let [left, above, corner] =
            [self.left, self.above, self.corner].map(|column| PredictedSpan::of(column[index]));
        PredictedSpan {
            bottom: goes_on(left.bottom, above.bottom, corner.bottom),
            top: goes_on(left.top, above.top, corner.top),
            area: if left.area == corner.area { above.area } else { left.area },
        }
    }
}

/// Returns left + above - corner, clamped to the range between left and above.
#[inline]
fn goes_on(left: i32, above: i32, corner: i32) -> i32 {
    (left + above - corner).clamp(left.min(above), left.max(above))
}

/// A predicted span. It may be invalid: its height may be zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PredictedSpan {
    bottom: i32,
    top: i32,
    area: AreaId,
}

impl PredictedSpan {
    #[inline]
    fn of(span: Fragment) -> PredictedSpan {
        PredictedSpan { bottom: span.bottom(), top: span.top(), area: span.area() }
    }
}

/// Returns true if two columns are equal. Columns are short.
#[inline]
fn same(a: &[Fragment], b: &[Fragment]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// A column, once it is known.
enum Coded {
    /// The column to the left.
    Left,
    /// The column above.
    Above,
    /// Another one, in [`Columns::column`].
    Other,
}

/// The predicted column.
#[derive(PartialEq)]
enum Predicted {
    Left,
    Above,
    /// Another one, in [`Columns::column`].
    Other,
    /// No prediction: its spans would overlap, have no height, or be too many.
    Nothing,
}

/// The state of coding: contexts, and the columns of the last row.
struct Columns {
    contexts: [Probability; CONTEXTS],
    /// True for each column that was the predicted one, in the row above and in this row up to now; has one
    /// more item than there are columns.
    predicted: Vec<bool>,
    /// The same for the left column and the column above it.
    left_predicted: bool,
    corner_predicted: bool,
    x: usize,
    /// The column that is being predicted or coded.
    column: Vec<Fragment>,
}

impl Columns {
    fn new(width: usize) -> Columns {
        Columns {
            contexts: [Probability::EVEN; CONTEXTS],
            predicted: vec![false; width + 1],
            left_predicted: false,
            corner_predicted: false,
            x: 0,
            column: Vec::new(),
        }
    }

    /// The columns to the left, above, and above the left one of the next column, `at`.
    #[inline]
    fn before(&self, at: usize) -> [Option<usize>; 3] {
        let width = self.predicted.len() - 1;
        if at < width {
            return [at.checked_sub(1); 3];
        }
        let above = at - width;
        if self.x == 0 { [Some(above); 3] } else { [Some(at - 1), Some(above), Some(above - 1)] }
    }

    /// Codes the next column; when writing, `own` is that column.
    #[inline]
    fn code(
        &mut self,
        coder: &mut impl Coder,
        near: &ColumnsBefore<'_>,
        own: &[Fragment],
    ) -> Result<Coded, CachedSpansError> {
        let (coded, is_predicted) = match self.take_over(coder, near, own) {
            Some(taken) => taken,
            None => {
                self.code_spans(coder, near, own)?;
                (Coded::Other, false)
            }
        };
        if coder.is_short() {
            return refuse("spans-end", "more columns", "the end");
        }
        self.left_predicted = is_predicted;
        self.corner_predicted = std::mem::replace(&mut self.predicted[self.x], is_predicted);
        self.x += 1;
        if self.x + 1 == self.predicted.len() {
            (self.x, self.left_predicted, self.corner_predicted) = (0, false, false);
        }
        Ok(coded)
    }

    /// Codes the decisions to take over the predicted column, the left one or the one above. Returns the
    /// column taken over and true if it is the predicted one; `None` if the column differs from all three.
    #[inline]
    fn take_over(
        &mut self,
        coder: &mut impl Coder,
        near: &ColumnsBefore<'_>,
        own: &[Fragment],
    ) -> Option<(Coded, bool)> {
        let predicted = self.predict(near);
        let known =
            [self.left_predicted, self.predicted[self.x], self.predicted[self.x + 1], self.corner_predicted];
        let known = known
            .iter()
            .fold(usize::from(near.have(near.left.len())), |bits, bit| bits << 1 | usize::from(*bit));
        let Columns { contexts, column, .. } = self;
        let (expected, coded) = match predicted {
            Predicted::Left => (near.left, Coded::Left),
            Predicted::Above => (near.above, Coded::Above),
            Predicted::Other | Predicted::Nothing => (column.as_slice(), Coded::Other),
        };
        let is_possible = predicted != Predicted::Nothing;
        if is_possible && coder.decide(&mut contexts[TAKEN + known], || same(own, expected)) {
            return Some((coded, true));
        }
        let is_known = is_possible && same(near.left, expected) || near.left.len() > MOST_TAKEN;
        if !is_known && coder.decide(&mut contexts[TAKEN + 32 + known], || same(own, near.left)) {
            return Some((Coded::Left, false));
        }
        let is_known = is_possible && same(near.above, expected) || same(near.above, near.left);
        let is_known = is_known || near.above.len() > MOST_TAKEN;
        if !is_known && coder.decide(&mut contexts[TAKEN + 64 + known], || same(own, near.above)) {
            return Some((Coded::Above, false));
        }
        None
    }

    /// Finds the predicted column.
    #[inline]
    fn predict(&mut self, near: &ColumnsBefore<'_>) -> Predicted {
        let limited = |predicted: Predicted, column: &[Fragment]| {
            if column.len() <= MOST_TAKEN { predicted } else { Predicted::Nothing }
        };
        // Equal columns give the same prediction as [`ColumnsBefore::goes_on`] for each span.
        if same(near.left, near.corner) {
            return limited(Predicted::Above, near.above);
        }
        if same(near.above, near.corner) || !near.have(near.left.len()) {
            return limited(Predicted::Left, near.left);
        }
        self.column.clear();
        let mut end = -1;
        for index in 0..near.left.len() {
            let PredictedSpan { bottom, top, area } = near.goes_on(index);
            if bottom <= end || top <= bottom || index == MOST_TAKEN {
                return Predicted::Nothing;
            }
            end = top;
            self.column.push(Fragment::new(bottom, top, area));
        }
        Predicted::Other
    }

    /// Codes a column span by span.
    fn code_spans(
        &mut self,
        coder: &mut impl Coder,
        near: &ColumnsBefore<'_>,
        own: &[Fragment],
    ) -> Result<(), CachedSpansError> {
        let count = self.code_count(coder, near, own.len())?;
        let goes_on = near.have(count);
        let like = if near.left.len() != count && near.above.len() == count { near.above } else { near.left };
        self.column.clear();
        let mut last = PredictedSpan::default();
        for index in 0..count {
            let (predicted, situation) = match like.get(index) {
                _ if goes_on => {
                    let is_as_corner = |column: &[Fragment]| usize::from(column[index] == near.corner[index]);
                    (near.goes_on(index), is_as_corner(near.left) << 1 | is_as_corner(near.above))
                }
                Some(span) => (PredictedSpan::of(*span), if like.len() == count { 4 } else { 5 }),
                None => (last, 5),
            };
            let own = own.get(index).map_or(last, |span| PredictedSpan::of(*span));
            let span = self.code_span(coder, predicted, situation, index, own)?;
            if index > 0 && span.bottom() <= last.top {
                let found = format!("one from {} after one up to {}", span.bottom(), last.top);
                return refuse(
                    "spans-order",
                    "spans of a column from bottom to top, apart from each other",
                    found,
                );
            }
            if coder.is_short() {
                return refuse("spans-end", "more spans", "the end");
            }
            last = PredictedSpan::of(span);
            self.column.push(span);
        }
        Ok(())
    }

    fn code_count(
        &mut self,
        coder: &mut impl Coder,
        near: &ColumnsBefore<'_>,
        own: usize,
    ) -> Result<usize, CachedSpansError> {
        let [left, above] = [near.left.len(), near.above.len()];
        if coder.decide(&mut self.contexts[COUNT_IS], || own == left) {
            return Ok(left);
        }
        if above != left && coder.decide(&mut self.contexts[COUNT_IS + 1], || own == above) {
            return Ok(above);
        }
        let count = code_number(coder, &mut self.contexts[COUNT..][..OF_NUMBER], own as i64)?;
        usize::try_from(count).or_else(|_| refuse("spans-count", "a number of spans", count))
    }

    fn code_span(
        &mut self,
        coder: &mut impl Coder,
        predicted: PredictedSpan,
        situation: usize,
        index: usize,
        own: PredictedSpan,
    ) -> Result<Fragment, CachedSpansError> {
        let mut height = |contexts: usize, predicted: i32, own: i32| {
            let difference = i64::from(own) - i64::from(predicted);
            let contexts = &mut self.contexts[contexts..][..OF_NUMBER];
            Ok(code_number(coder, contexts, difference)? + i64::from(predicted))
        };
        let top = height(TOPS + situation * OF_NUMBER, predicted.top, own.top)?;
        let differs = (top - i64::from(predicted.top)).signum() + 1;
        let bottoms = BOTTOMS + (situation * 3 + differs as usize) * OF_NUMBER;
        let bottom = height(bottoms, predicted.bottom, own.bottom)?;
        if !(0 <= bottom && bottom < top && top <= MAX_HEIGHT) {
            let expected = format!("a span between 0 and {MAX_HEIGHT}");
            return refuse("spans-height", expected, format!("{bottom} to {top}"));
        }
        let context = AREA_IS + index.min(1);
        let mut area = predicted.area;
        if !coder.decide(&mut self.contexts[context], || own.area == predicted.area) {
            area = AreaId((0..8).fold(0, |bits, bit| {
                let is_set = coder.decide(&mut self.contexts[AREA + bit], || own.area.0 >> bit & 1 == 1);
                bits | u8::from(is_set) << bit
            }));
        }
        Ok(Fragment::new(bottom as i32, top as i32, area))
    }
}

/// Codes a number: a decision for zero, the sign, the number of bits, and these bits from the highest on.
pub(crate) fn code_number(
    coder: &mut impl Coder,
    contexts: &mut [Probability],
    own: i64,
) -> Result<i64, CachedSpansError> {
    let (head, bits) = contexts.split_at_mut(2);
    let (many, second) = bits.split_at_mut(NUMBER_BITS);
    if !coder.decide(&mut head[0], || own != 0) {
        return Ok(0);
    }
    let is_negative = coder.decide(&mut head[1], || own < 0);
    let own = own.unsigned_abs();
    // Bits below the highest one.
    let mut below = 0;
    while coder.decide(&mut many[below], || own >> below > 1) {
        below += 1;
        if below == NUMBER_BITS {
            return refuse("spans-number", format!("numbers of at most {NUMBER_BITS} bits"), "more");
        }
    }
    let mut value = 1u64;
    for bit in (0..below).rev() {
        let find = || own >> bit & 1 == 1;
        let is_set = match bit + 1 == below {
            true => coder.decide(&mut second[below], find),
            false => coder.decide_evenly(find),
        };
        value = value << 1 | u64::from(is_set);
    }
    Ok(if is_negative { -(value as i64) } else { value as i64 })
}

#[cold]
pub(crate) fn refuse<T>(
    rule: &'static str,
    expected: impl ToString,
    found: impl ToString,
) -> Result<T, CachedSpansError> {
    Err(CachedSpansError { rule, expected: expected.to_string(), found: found.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span_cache::CachedSpans;
    use navtile::TileCoord;
    use recast::TileBuild;
    use recast::data::Grid;

    fn build() -> TileBuild {
        let grid =
            Grid { width: 2, depth: 2, border: 0, base_x: 0, base_z: 0, cell_size: 1.0, cell_height: 1.0 };
        TileBuild { coord: TileCoord::default(), grid }
    }

    /// The spans of no column yet.
    fn none(build: &TileBuild) -> CachedSpans {
        CachedSpans::without_columns(build)
    }

    /// The rule that is broken if the first column has `count` spans, which follow as differences of top and
    /// bottom.
    fn rule(count: i64, spans: &[[i64; 2]]) -> &'static str {
        let (mut encoder, mut columns) = (RangeEncoder::new(), Columns::new(2));
        let contexts = &mut columns.contexts;
        encoder.decide(&mut contexts[TAKEN], || false);
        encoder.decide(&mut contexts[COUNT_IS], || false);
        let mut number = |contexts: &mut [Probability], value| {
            code_number(&mut encoder, &mut contexts[..OF_NUMBER], value).unwrap();
        };
        number(&mut contexts[COUNT..], count);
        for [top, bottom] in spans {
            number(&mut contexts[TOPS + 5 * OF_NUMBER..], *top);
            let differs = (top.signum() + 1) as usize;
            number(&mut contexts[BOTTOMS + (5 * 3 + differs) * OF_NUMBER..], *bottom);
            // The area is the predicted one. In all these tests the error comes before any second span with
            // its own context.
        }
        CachedSpans::unpack(&encoder.finish(), &build()).unwrap_err().rule
    }

    #[test]
    fn what_is_wrong_with_packed_spans_is_named() {
        assert_eq!(CachedSpans::unpack(&[], &build()).unwrap_err().rule, "spans-end");
        assert_eq!(rule(-1, &[]), "spans-count");
        // No height, upside down, below zero, too high.
        for span in [[0, 0], [3, 4], [4, -1], [1 << 26, 3]] {
            assert_eq!(rule(1, &[span]), "spans-height", "{span:?}");
        }
        let mut columns = Columns::new(2);
        let mut encoder = RangeEncoder::new();
        encoder.decide(&mut columns.contexts[TAKEN], || false);
        encoder.decide(&mut columns.contexts[COUNT_IS], || false);
        let contexts = &mut columns.contexts[COUNT..];
        encoder.decide(&mut contexts[0], || true);
        encoder.decide(&mut contexts[1], || false);
        (0..NUMBER_BITS).for_each(|bit| {
            encoder.decide(&mut contexts[2 + bit], || true);
        });
        assert_eq!(CachedSpans::unpack(&encoder.finish(), &build()).unwrap_err().rule, "spans-number");
    }

    #[test]
    fn spans_that_meet_are_refused() {
        let mut cached = none(&build());
        cached.push(&[Fragment::new(0, 2, AreaId::NULL), Fragment::new(2, 4, AreaId::NULL)]);
        (0..3).for_each(|_| cached.push(&[]));
        assert_eq!(CachedSpans::unpack(&cached.pack(), &build()).unwrap_err().rule, "spans-order");
    }

    #[test]
    fn flat_ground_takes_few_bytes_and_few_bytes_little_memory() {
        let mut build = build();
        (build.grid.width, build.grid.depth) = (64, 64);
        let mut cached = none(&build);
        let storeys: Vec<Fragment> =
            (0..40).map(|storey| Fragment::new(10 * storey, 10 * storey + 1, AreaId::GROUND)).collect();
        (0..64 * 64).for_each(|_| cached.push(&storeys[..MOST_TAKEN]));
        let bytes = cached.pack();
        assert!(bytes.len() < 64, "{} bytes", bytes.len());
        assert_eq!(CachedSpans::unpack(&bytes, &build).unwrap(), cached);
        assert!(cached.memory() < (bytes.len() as u64) << 14);

        // Columns of many spans are not taken over whole.
        let mut cached = none(&build);
        (0..64 * 64).for_each(|_| cached.push(&storeys));
        let bytes = cached.pack();
        assert_eq!(CachedSpans::unpack(&bytes, &build).unwrap(), cached);
        assert!(cached.memory() < bytes.len() as u64 * 1024, "{} bytes", bytes.len());
    }
}
