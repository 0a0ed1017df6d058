//! From fragments to spans: a fold of each column in sorted order.

use crate::area::AreaId;

/// The part of a triangle within one column, in cells; also a merged span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fragment {
    /// Top; first, as fragments are ordered by top, then bottom, then area.
    pub max: i32,
    /// Bottom, below the top.
    pub min: i32,
    /// Area of the top.
    pub area: AreaId,
}

/// Folds the fragments of one column into spans, in place, and returns them from bottom to top.
///
/// Fragments are taken by (top, bottom, area). Each swallows the spans it meets or touches; where the tops
/// differ by no more than `threshold` cells, the higher area id wins, else the new top's own area stands.
pub fn merge_column(fragments: &mut [Fragment], threshold: i32) -> &[Fragment] {
    if fragments.len() < 2 {
        return fragments;
    }
    fragments.sort_unstable();
    let mut count = 0;
    for index in 0..fragments.len() {
        let mut span = fragments[index];
        // The tops only rise, so what the new fragment can meet is at the end of the list.
        while count > 0 && fragments[count - 1].max >= span.min {
            let below = fragments[count - 1];
            span.min = span.min.min(below.min);
            if span.max - below.max <= threshold {
                span.area = span.area.max(below.area);
            }
            count -= 1;
        }
        fragments[count] = span;
        count += 1;
    }
    &fragments[..count]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fragment(min: i32, max: i32, area: u8) -> Fragment {
        Fragment { min, max, area: AreaId(area) }
    }

    fn merged(mut fragments: Vec<Fragment>, threshold: i32) -> Vec<Fragment> {
        merge_column(&mut fragments, threshold).to_vec()
    }

    #[test]
    fn touching_spans_become_one() {
        assert_eq!(merged(vec![fragment(4, 6, 1), fragment(0, 4, 0)], 1), [fragment(0, 6, 1)]);
        assert_eq!(
            merged(vec![fragment(5, 6, 1), fragment(0, 4, 0)], 1),
            [fragment(0, 4, 0), fragment(5, 6, 1)]
        );
    }

    #[test]
    fn near_tops_share_the_higher_area() {
        assert_eq!(merged(vec![fragment(0, 5, 9), fragment(0, 6, 0)], 1), [fragment(0, 6, 9)]);
        assert_eq!(merged(vec![fragment(0, 4, 9), fragment(0, 6, 0)], 1), [fragment(0, 6, 0)]);
    }

    #[test]
    fn a_tall_fragment_swallows_several() {
        let spans = merged(vec![fragment(0, 1, 1), fragment(3, 4, 1), fragment(0, 9, 0)], 1);
        assert_eq!(spans, [fragment(0, 9, 0)]);
    }

    proptest! {
        #[test]
        fn order_does_not_matter_and_spans_stay_apart(
            fragments in prop::collection::vec((0..20i32, 1..6i32, 0..3u8), 0..12),
            threshold in 0..4i32,
            seed in any::<u64>(),
        ) {
            let fragments: Vec<_> =
                fragments.into_iter().map(|(min, height, area)| fragment(min, min + height, area)).collect();
            let mut shuffled = fragments.clone();
            for i in (1..shuffled.len()).rev() {
                shuffled.swap(i, (seed.rotate_left(i as u32 * 7) as usize) % (i + 1));
            }
            let spans = merged(fragments.clone(), threshold);
            prop_assert_eq!(&spans, &merged(shuffled, threshold));
            prop_assert!(spans.windows(2).all(|pair| pair[0].max < pair[1].min));
            for cell in 0..26 {
                let solid = |list: &[Fragment]| list.iter().any(|f| f.min <= cell && cell < f.max);
                prop_assert_eq!(solid(&spans), solid(&fragments));
            }
        }
    }
}
