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

    /// As [`Packed::new`] if it is `inside`, else [`Packed::NOTHING`], whatever the heights are. Free of branches.
    #[inline]
    pub(crate) fn if_inside(inside: bool, min: i32, max: i32, area: AreaId) -> Packed {
        let (min, max) = (u64::from(min as u32), u64::from(max as u32));
        let fragment = max << (HEIGHT_BITS + AREA_BITS) | min << AREA_BITS | u64::from(area.0);
        Packed(if inside { fragment } else { 0 })
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

/// As [`super::merge_column`]: folds the fragments of one column into spans, in place, and returns how many.
#[inline(always)]
pub(crate) fn merge_packed(fragments: &mut [Packed], threshold: i32) -> usize {
    if fragments.len() < 2 {
        return fragments.len();
    }
    if let [a, b] = fragments {
        if a > b {
            std::mem::swap(a, b);
        }
        if a.top() < b.bottom() {
            return 2;
        }
    } else {
        sort_few(fragments);
        if fragments.windows(2).all(|pair| pair[0].top() < pair[1].bottom()) {
            return fragments.len();
        }
    }
    let mut count = 0;
    for index in 0..fragments.len() {
        let fragment = fragments[index];
        let (mut min, max, mut area) = (fragment.bottom(), fragment.top(), fragment.area());
        while count > 0 && fragments[count - 1].top() >= min {
            let below = fragments[count - 1];
            min = min.min(below.bottom());
            if max - below.top() <= threshold {
                area = area.max(below.area());
            }
            count -= 1;
        }
        fragments[count] = Packed::new(min, max, area);
        count += 1;
    }
    count
}

/// Sorts; columns with more than a few fragments are rare.
#[inline]
fn sort_few(fragments: &mut [Packed]) {
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
            given in prop::collection::vec((0..30i32, 1..6i32, 0..3u8), 0..24),
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
            let count = merge_packed(&mut packed, threshold * scale);
            let merged: Vec<Fragment> = packed[..count].iter().map(|&span| span.into()).collect();
            prop_assert_eq!(merged, merge_column(&mut fragments, threshold * scale));
        }
    }
}
