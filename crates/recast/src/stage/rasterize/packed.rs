//! A fragment in one number, so that fragments are moved, compared and sorted as numbers.

use super::Fragment;
use crate::area::AreaId;

/// A fragment, or a merged span, of a column: top, bottom, area, from the highest bits down. Their order is that
/// of [`Fragment`]. Heights are below 2^26: a level has at most 2^24 cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Packed(u64);

const HEIGHT_BITS: u32 = 26;
const AREA_BITS: u32 = 8;
const HEIGHT_MASK: u64 = (1 << HEIGHT_BITS) - 1;

impl Packed {
    #[inline]
    pub(crate) fn new(min: i32, max: i32, area: AreaId) -> Packed {
        debug_assert!(min >= 0 && min < max && u64::from(max.unsigned_abs()) <= HEIGHT_MASK);
        let (min, max) = (u64::from(min as u32), u64::from(max as u32));
        Packed(max << (HEIGHT_BITS + AREA_BITS) | min << AREA_BITS | u64::from(area.0))
    }

    /// No fragment: those have a top above zero.
    pub(crate) const NOTHING: Packed = Packed(0);

    /// As [`Packed::new`], the upper and the lower half of the number; whatever the heights are. Free of branches.
    #[inline(always)]
    pub(super) fn halves(min: u32, max: u32, area: AreaId) -> [u32; 2] {
        let upper = max << (HEIGHT_BITS + AREA_BITS - u32::BITS) | min >> (u32::BITS - AREA_BITS);
        [upper, min << AREA_BITS | u32::from(area.0)]
    }

    #[inline(always)]
    pub(super) fn from_halves(upper: u32, lower: u32) -> Packed {
        Packed(u64::from(upper) << u32::BITS | u64::from(lower))
    }

    /// This fragment together with one below, whose top is not higher; but itself if all bits of `apart` are set. Free
    /// of branches.
    #[inline(always)]
    fn swallow(self, below: Packed, threshold: i32, apart: Packed) -> Packed {
        const BOTTOM: u64 = HEIGHT_MASK << AREA_BITS;
        let bottom = (self.0 & BOTTOM).min((below.0 | apart.0) & BOTTOM);
        let is_near = self.top() - below.top() <= threshold;
        let near = u64::from(is_near).wrapping_neg() & !apart.0;
        let area = u64::from(self.area().0).max(u64::from(below.area().0) & near);
        Packed(self.0 >> (HEIGHT_BITS + AREA_BITS) << (HEIGHT_BITS + AREA_BITS) | bottom | area)
    }

    #[inline]
    pub(crate) fn top(self) -> i32 {
        (self.0 >> (HEIGHT_BITS + AREA_BITS)) as i32
    }

    #[inline]
    pub(crate) fn bottom(self) -> i32 {
        ((self.0 >> AREA_BITS) & HEIGHT_MASK) as i32
    }

    #[inline]
    pub(crate) fn area(self) -> AreaId {
        AreaId(self.0 as u8)
    }
}

/// As [`super::merge_column`]: folds the fragments of one column into spans, in place, and returns how many. They need not
/// be in order.
#[inline(always)]
pub(crate) fn merge_packed(fragments: &mut [Packed], threshold: i32) -> usize {
    sort(fragments);
    fold(fragments, threshold)
}

/// As [`merge_few`], for twice as many.
#[inline(always)]
pub(super) fn merge_many(fragments: &mut [Packed; 2 * FEW], count: usize, threshold: i32) -> usize {
    clear_from(count, fragments);
    sort_sixteen(fragments);
    fold(&mut fragments[..count.min(2 * FEW)], threshold)
}

/// As [`merge_packed`], for the first `count` of them; further ones may be anything, and are anything afterwards. Hardly
/// a branch depends on the heights.
#[inline(always)]
pub(super) fn merge_few(fragments: &mut [Packed; FEW], count: usize, threshold: i32) -> usize {
    match count {
        0 | 1 => return count,
        2 => {
            order(fragments, 0, 1);
            let (below, above) = (fragments[0], fragments[1]);
            if below.top() < above.bottom() {
                return 2;
            }
            fragments[0] = above.swallow(below, threshold, Packed(0));
            return 1;
        }
        3 | 4 => {
            if let Some(four) = fragments.first_chunk_mut() {
                clear_from(count, four);
                sort_four(four);
            }
        }
        _ => {
            clear_from(count, fragments);
            sort_eight(fragments);
        }
    }
    fold(&mut fragments[..count.min(FEW)], threshold)
}

/// As [`merge_packed`], for fragments that are in order.
#[inline(always)]
fn fold(fragments: &mut [Packed], threshold: i32) -> usize {
    let Some((&first, _)) = fragments.split_first() else { return 0 };
    let mut span = first;
    let mut count = 0;
    for index in 1..fragments.len() {
        let next = fragments[index];
        // The tops only rise, so what the new fragment can meet is at the end of the list.
        let meets = span.top() >= next.bottom();
        fragments[count] = span;
        count += usize::from(!meets);
        let apart = Packed(!u64::from(meets).wrapping_neg());
        span = next.swallow(span, threshold, apart);
        while meets && count > 0 && fragments[count - 1].top() >= span.bottom() {
            count -= 1;
            span = span.swallow(fragments[count], threshold, Packed(0));
        }
    }
    fragments[count] = span;
    count + 1
}

/// After every fragment.
const LAST: Packed = Packed(u64::MAX);
/// Fragments that are sorted without branches.
pub(super) const FEW: usize = 8;

/// Puts those from `count` on after all others.
#[inline(always)]
fn clear_from(count: usize, fragments: &mut [Packed]) {
    for (place, fragment) in fragments.iter_mut().enumerate() {
        *fragment = if place < count { *fragment } else { LAST };
    }
}

/// Puts two into order. Free of branches.
#[inline(always)]
fn order(fragments: &mut [Packed], a: usize, b: usize) {
    let (low, high) = (fragments[a].min(fragments[b]), fragments[a].max(fragments[b]));
    (fragments[a], fragments[b]) = (low, high);
}

#[inline(always)]
fn sort_four(fragments: &mut [Packed; 4]) {
    for (a, b) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        order(fragments, a, b);
    }
}

/// Two sorted fours, merged as odd and even places (K. E. Batcher).
#[inline(always)]
fn sort_eight(fragments: &mut [Packed; FEW]) {
    for (a, b) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2), (4, 5), (6, 7), (4, 6), (5, 7), (5, 6)] {
        order(fragments, a, b);
    }
    for (a, b) in [(0, 4), (1, 5), (2, 6), (3, 7), (2, 4), (3, 5), (1, 2), (3, 4), (5, 6)] {
        order(fragments, a, b);
    }
}

/// Two sorted eights, merged as odd and even places (K. E. Batcher).
#[inline(always)]
fn sort_sixteen(fragments: &mut [Packed; 2 * FEW]) {
    let (first, second) = fragments.split_at_mut(FEW);
    if let (Some(first), Some(second)) = (first.first_chunk_mut(), second.first_chunk_mut()) {
        sort_eight(first);
        sort_eight(second);
    }
    for place in 0..8 {
        order(fragments, place, place + 8);
    }
    for place in 4..8 {
        order(fragments, place, place + 4);
    }
    for start in [2, 6, 10] {
        order(fragments, start, start + 2);
        order(fragments, start + 1, start + 3);
    }
    for start in 0..7 {
        order(fragments, 2 * start + 1, 2 * start + 2);
    }
}

/// Sorts; columns with more than a few fragments are rare.
#[inline]
fn sort(fragments: &mut [Packed]) {
    if fragments.len() > 16 {
        fragments.sort_unstable();
        return;
    }
    for end in 1..fragments.len() {
        let moved = fragments[end];
        let mut at = end;
        while at > 0 && fragments[at - 1] > moved {
            fragments[at] = fragments[at - 1];
            at -= 1;
        }
        fragments[at] = moved;
    }
}

impl From<Packed> for Fragment {
    #[inline]
    fn from(packed: Packed) -> Fragment {
        Fragment { max: packed.top(), min: packed.bottom(), area: packed.area() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::merge_column;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_fragments_merge_as_fragments_do(
            given in prop::collection::vec((0..30i32, prop_oneof![1..6i32, 1..30i32], 0..3u8), 0..24),
            scale in prop::sample::select(vec![1, 300_000]),
            threshold in 0..4i32,
        ) {
            let mut fragments: Vec<Fragment> = given
                .iter()
                .map(|&(min, height, area)| Fragment {
                    min: min * scale,
                    max: (min + height) * scale,
                    area: AreaId(area),
                })
                .collect();
            let mut packed: Vec<Packed> =
                fragments.iter().map(|fragment| Packed::new(fragment.min, fragment.max, fragment.area)).collect();
            let mut few = [Packed(7); FEW];
            for (place, fragment) in few.iter_mut().zip(&packed) {
                *place = *fragment;
            }
            let of_few = merge_few(&mut few, packed.len().min(FEW), threshold * scale);
            let mut many = [Packed(7); 2 * FEW];
            for (place, fragment) in many.iter_mut().zip(&packed) {
                *place = *fragment;
            }
            let of_many = merge_many(&mut many, packed.len().min(2 * FEW), threshold * scale);
            let given = packed.len();
            let count = merge_packed(&mut packed, threshold * scale);
            if (1..=2 * FEW).contains(&given) {
                prop_assert_eq!(&many[..of_many], &packed[..count]);
            }
            if given <= FEW {
                prop_assert_eq!(&few[..of_few], &packed[..count]);
            }
            let merged: Vec<Fragment> = packed[..count].iter().map(|&span| span.into()).collect();
            prop_assert_eq!(merged, merge_column(&mut fragments, threshold * scale));
        }
    }
}
