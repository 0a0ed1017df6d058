//! A column of the ground at a glance: most are passed over by it alone.
//! Units: cells from the lattice's zero; in 16 bits, which heights above are cut to, so that a column may seem to have more than it has.

use super::floor::{GroundFloor, is_over_seam};
use navmath::sort::SharedSort;

/// Bounds of the spans and the floors of a column. The parts of each number are put together before they are stored: storing them apart and
/// loading them at once stalls a processor, for longer than all else that is done for a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GroundColumn {
    /// From the lowest bits: the lowest bottom and the highest top of its spans; of the highest gap between two spans, the top of the lower
    /// one and the bottom of the upper one.
    spans: u64,
    /// Its lowest and its highest floor; [`WHOLE`], and the sides on which the ground may end at any of its floors.
    floors: u64,
}

/// There are no spans beside those that end at the bounds and the gap.
const WHOLE: u64 = 16 << 32;
/// The highest height that is one, and what stands for all above.
const HIGHEST: i32 = u16::MAX as i32 - 1;
const ABOVE: u16 = u16::MAX;

/// A height, or the highest one if it is above.
#[inline]
fn cut(height: i32) -> u16 {
    height.clamp(0, HIGHEST) as u16
}

/// A height, or [`ABOVE`].
#[inline]
fn cut_up(height: i32) -> u16 {
    height.clamp(0, i32::from(ABOVE)) as u16
}

/// A range of heights as columns have them.
#[derive(Clone, Copy)]
pub(super) struct CutRange {
    low: u16,
    high: u16,
}

impl CutRange {
    /// The heights between two.
    #[inline]
    pub(super) fn between(low: i32, high: i32) -> CutRange {
        CutRange { low: cut(low), high: cut_up(high) }
    }

    /// The heights from a first to a last.
    #[inline]
    pub(super) fn through([low, high]: [i32; 2]) -> CutRange {
        CutRange { low: cut(low), high: cut(high) }
    }
}

/// Four numbers in one, the first in the lowest bits.
#[inline(always)]
const fn packed([a, b, c, d]: [u16; 4]) -> u64 {
    a as u64 | (b as u64) << 16 | (c as u64) << 32 | (d as u64) << 48
}

/// Bounds of spans and the highest gap between them, and whether that is all.
type SpanBounds = ([i32; 2], [i32; 2], bool);

/// No gap.
const NO_GAP: [i32; 2] = [i32::MAX, 0];

/// The bounds of many spans.
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
        // Parts of a share say of their spans what they like.
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
    pub(super) const EMPTY: GroundColumn =
        GroundColumn { spans: packed([ABOVE, 0, ABOVE, 0]), floors: packed([ABOVE, 0, 0, 0]) | WHOLE };

    /// A column of a tile, whose steps over seams are not known yet. Floors may be dropped later. Spans are in any order.
    #[inline(always)]
    pub(super) fn new(spans: &[[i32; 2]], floors: &[GroundFloor]) -> GroundColumn {
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
        // Nothing has its bottom above all heights.
        let bottom = if spans.is_empty() { ABOVE } else { cut(bounds[0]) };
        GroundColumn {
            spans: packed([bottom, cut_up(bounds[1]), cut_up(gap[0]), cut(gap[1])]),
            floors: packed([low, high, sides, 0]) | whole,
        }
    }

    /// The ground of its floors may end on all sides.
    pub(super) fn end_anywhere(&mut self) {
        self.floors |= 15 << 32;
    }

    /// Whether a span may lie in a [range between](CutRange::between) two heights: if it [is whole](Self::is_whole), one does.
    #[inline]
    pub(super) fn may_meet(&self, CutRange { low, high }: CutRange) -> bool {
        let [bottom, top, gap_low, gap_high] = [0, 16, 32, 48].map(|bits| (self.spans >> bits) as u16);
        top > low && bottom < high && !(gap_low <= low && gap_high >= high)
    }

    /// Whether there is nothing beside what the bounds say.
    #[inline]
    pub(super) fn is_whole(&self) -> bool {
        self.floors & WHOLE != 0
    }

    /// Whether the ground of any of its floors may end on one of these sides.
    #[inline]
    pub(super) fn ends_on(&self, sides: u32) -> bool {
        (self.floors >> 32) as u32 & sides != 0
    }

    /// Whether its floors reach into a [range from a first to a last](CutRange::through) height: one that lies there does.
    #[inline]
    pub(super) fn may_have_floors(&self, CutRange { low, high }: CutRange) -> bool {
        self.floors as u16 <= high && (self.floors >> 16) as u16 >= low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::floor::NO_FLOOR;
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
