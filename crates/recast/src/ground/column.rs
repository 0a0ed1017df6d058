//! Summary of a column of the ground. For most columns it alone shows that they can be skipped. Units: cells
//! from the lattice's zero, in 16 bits. Heights are clamped to that range, so a column may seem to have more
//! than it has.

use crate::ground::floor::{GroundFloor, is_over_seam};
use navmath::sort::SharedSort;

/// Bounds of the spans and the floors of a column. The parts of each number are combined before they are
/// stored: storing them separately and loading them at once stalls the processor for longer than everything
/// else done for a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundColumn {
    /// From the lowest bits: the lowest bottom and the highest top of its spans; then the largest gap between
    /// two spans, as the top of the lower span and the bottom of the upper span.
    spans: u64,
    /// Its lowest and its highest floor; [`WHOLE`]; and the sides on which the ground may end at any of its
    /// floors.
    floors: u64,
}

/// Bit that is set if the bounds and the gap describe all spans of the column.
const WHOLE: u64 = 16 << 32;
/// The greatest height that is stored as itself; [`ABOVE`] represents all greater ones.
const HIGHEST: i32 = u16::MAX as i32 - 1;
const ABOVE: u16 = u16::MAX;

/// A height, clamped to [`HIGHEST`].
#[inline]
fn cut(height: i32) -> u16 {
    height.clamp(0, HIGHEST) as u16
}

/// A height, or [`ABOVE`].
#[inline]
fn cut_up(height: i32) -> u16 {
    height.clamp(0, i32::from(ABOVE)) as u16
}

/// A range of heights in the form that columns store.
#[derive(Clone, Copy)]
pub struct CutRange {
    low: u16,
    high: u16,
}

impl CutRange {
    /// The heights strictly between two heights.
    #[inline]
    pub fn between(low: i32, high: i32) -> CutRange {
        CutRange { low: cut(low), high: cut_up(high) }
    }

    /// The heights from a first to a last one, both included.
    #[inline]
    pub fn through([low, high]: [i32; 2]) -> CutRange {
        CutRange { low: cut(low), high: cut(high) }
    }
}

/// Four numbers in one, the first in the lowest bits.
#[inline(always)]
const fn packed([a, b, c, d]: [u16; 4]) -> u64 {
    a as u64 | (b as u64) << 16 | (c as u64) << 32 | (d as u64) << 48
}

/// Bounds of spans, the largest gap between them, and true if these describe all spans.
type SpanBounds = ([i32; 2], [i32; 2], bool);

/// No gap.
const NO_GAP: [i32; 2] = [i32::MAX, 0];

/// The bounds of any number of spans.
fn sum_up(spans: &[[i32; 2]]) -> SpanBounds {
    let mut few = [[0; 2]; 8];
    let mut many = Vec::new();
    let spans = match few.get_mut(..spans.len()) {
        Some(few) => {
            few.copy_from_slice(spans);
            few
        }
        None => {
            many.extend_from_slice(spans);
            many.as_mut_slice()
        }
    };
    spans.shared_sort();
    let (mut top, mut gap, mut highest) = (spans[0][1], NO_GAP, 0);
    for &mut [lower, upper] in &mut *spans {
        // A part of a share is untrusted: its spans may have any values.
        let height = lower.saturating_sub(top);
        if height > highest {
            (gap, highest) = ([top, lower], height);
        }
        top = top.max(upper);
    }
    ([spans[0][0], top], gap, false)
}

impl GroundColumn {
    /// No spans, no floors.
    pub const EMPTY: GroundColumn =
        GroundColumn { spans: packed([ABOVE, 0, ABOVE, 0]), floors: packed([ABOVE, 0, 0, 0]) | WHOLE };

    /// Summarises a column of a tile before its steps over seams are resolved. Floors may be dropped later.
    /// Spans are in any order.
    #[inline(always)]
    pub fn new(spans: &[[i32; 2]], floors: &[GroundFloor]) -> GroundColumn {
        let (bounds, gap, is_all) = match *spans {
            [] => ([i32::MAX, 0], NO_GAP, true),
            [span] => (span, NO_GAP, true),
            [a, b] => {
                let [lower, upper] = if a[0] < b[0] { [a, b] } else { [b, a] };
                ([lower[0], lower[1].max(upper[1])], [lower[1], upper[0]], true)
            }
            _ => sum_up(spans),
        };
        let [low, high] = match floors {
            [] => [ABOVE, 0],
            [only] => [cut(only.height); 2],
            [first, .., last] => [cut(first.height), cut(last.height)],
        };
        let sides = |floor: &GroundFloor| {
            let ends = floor.beside.map(|beside| u16::from(is_over_seam(beside)));
            ends[0] | ends[1] << 1 | ends[2] << 2 | ends[3] << 3
        };
        let sides = floors.iter().fold(0, |all, floor| all | sides(floor));
        let whole = if is_all && bounds[1] <= HIGHEST { WHOLE } else { 0 };
        // Only a column without spans has the bottom `ABOVE`.
        let bottom = if spans.is_empty() { ABOVE } else { cut(bounds[0]) };
        GroundColumn {
            spans: packed([bottom, cut_up(bounds[1]), cut_up(gap[0]), cut(gap[1])]),
            floors: packed([low, high, sides, 0]) | whole,
        }
    }

    /// Marks the ground of its floors as possibly ending on every side.
    pub fn end_anywhere(&mut self) {
        self.floors |= 15 << 32;
    }

    /// Returns true if a span may overlap a [range between](CutRange::between) two heights; exact if the
    /// column [is whole](Self::is_whole).
    #[inline]
    pub fn may_meet(&self, CutRange { low, high }: CutRange) -> bool {
        let [bottom, top, gap_low, gap_high] = [0, 16, 32, 48].map(|bits| (self.spans >> bits) as u16);
        top > low && bottom < high && !(gap_low <= low && gap_high >= high)
    }

    /// Returns true if the bounds and the gap describe all its spans.
    #[inline]
    pub fn is_whole(&self) -> bool {
        self.floors & WHOLE != 0
    }

    /// Returns true if the ground of any of its floors may end on one of these sides.
    #[inline]
    pub fn ends_on(&self, sides: u32) -> bool {
        (self.floors >> 32) as u32 & sides != 0
    }

    /// Returns true if one of its floors may be within a [range from a first to a last](CutRange::through)
    /// height; true for every column that has a floor there.
    #[inline]
    pub fn may_have_floors(&self, CutRange { low, high }: CutRange) -> bool {
        self.floors as u16 <= high && (self.floors >> 16) as u16 >= low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::floor::NO_FLOOR;
    use proptest::prelude::*;

    fn floor(height: i32) -> GroundFloor {
        GroundFloor { at: [0, 0], height, island: 0, beside: [0, NO_FLOOR, 0, 0] }
    }

    #[test]
    fn spans_of_any_height_have_bounds() {
        let column = GroundColumn::new(&[[i32::MIN, -5], [i32::MAX - 1, i32::MAX], [3, 7]], &[]);
        assert!(column.may_meet(CutRange::between(4, 6)));
        assert!(!column.is_whole());
    }

    proptest! {
        #[test]
        fn nothing_is_passed_over(
            base in prop::sample::select(vec![0, 65_500, 1 << 20]),
            heights in prop::collection::btree_set(0..60i32, 0..9),
            turn in any::<prop::sample::Index>(),
            queries in prop::collection::vec((-9..70i32, -9..70i32), 20),
        ) {
            let heights: Vec<i32> = heights.into_iter().map(|height| base + height).collect();
            let mut spans: Vec<[i32; 2]> = heights.as_chunks().0.to_vec();
            let floors: Vec<GroundFloor> = spans.iter().map(|span| floor(span[1])).collect();
            if !spans.is_empty() {
                let by = turn.index(spans.len());
                spans.rotate_left(by);
            }
            let column = GroundColumn::new(&spans, &floors);
            let is_whole = spans.len() < 3 && spans.iter().all(|span| span[1] < 65_535);
            prop_assert_eq!(column.is_whole(), is_whole);
            for (low, high) in queries {
                let (low, high) = (base + low, base + high);
                let meets = spans.iter().any(|span| span[0] < high && span[1] > low);
                let may = column.may_meet(CutRange::between(low, high));
                prop_assert!(if column.is_whole() { may == meets } else { may || !meets }, "{low} {high}");
                let has = floors.iter().any(|floor| (low..=high).contains(&floor.height));
                prop_assert!(column.may_have_floors(CutRange::through([low, high])) || !has);
            }
            prop_assert_eq!(column.ends_on(2), !floors.is_empty());
            prop_assert!(!column.ends_on(13));
        }
    }
}
