//! Sorting by shared code. The standard library's sorts are compiled for every type and every key, eight
//! kilobytes each: a sixth of a WebAssembly module with a hundred of them. Here a copy takes some hundred
//! bytes. Short lists are sorted in place, and long lists by an order of indices, which one function finds
//! for all types.
//!
//! ```text
//! items    d b a c      order   2 1 3 0      the old place of each item, by comparing items[i] with
//! sorted   a b c d                           items[j]; then each cycle of the order is walked once, swapping
//! ```
//!
//! Cost: that of the standard library's sorts up to 20 items, and for items that are already sorted;
//! otherwise two indirections per comparison and four bytes per item. Loops that sort thousands of items
//! still use the standard library's.

use std::cmp::Ordering;

/// Lists up to this length are sorted by insertion, as the standard library does.
const SHORT: usize = 20;

/// Stable sorts whose code is shared between types. Their results are the same as those of the standard
/// library's sorts.
pub trait SharedSort<T> {
    /// [`slice::sort`].
    fn shared_sort(&mut self)
    where
        T: Ord;
    /// [`slice::sort_by`].
    fn shared_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);
    /// [`slice::sort_by_key`].
    fn shared_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> SharedSort<T> for [T] {
    fn shared_sort(&mut self)
    where
        T: Ord,
    {
        self.shared_sort_by(T::cmp);
    }

    fn shared_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        if self.len() <= SHORT {
            return insert(self, compare);
        }
        if self.is_sorted_by(|a, b| compare(a, b) != Ordering::Greater) {
            return;
        }
        let order = order(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        apply(order, &mut |a, b| self.swap(a, b));
    }

    fn shared_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.shared_sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

/// Moves each item back to its place among the items before it.
fn insert<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    for next in 1..items.len() {
        let mut at = next;
        while at > 0 && compare(&items[at], &items[at - 1]) == Ordering::Less {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// The indices of the items in sorted order. Equal items keep their order.
#[inline(never)]
fn order(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Brings the items into an order: `order[place]` is the old place of the item for `place`.
#[inline(never)]
fn apply(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        // Along a cycle, the first item is kept in the place that the next item comes from.
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_sorts_of_the_standard_library(keys in prop::collection::vec(0_u8..40, 0..120)) {
            // Equal keys differ by their places, which shows that the sort is stable.
            let items: Vec<(u8, usize)> = keys.into_iter().enumerate().map(|(place, key)| (key, place)).collect();
            let (mut ours, mut expected) = (items.clone(), items.clone());
            ours.shared_sort_by_key(|item| item.0);
            expected.sort_by_key(|item| item.0);
            prop_assert_eq!(&ours, &expected);
            let backwards = |a: &(u8, usize), b: &(u8, usize)| b.0.cmp(&a.0);
            ours.shared_sort_by(backwards);
            expected.sort_by(backwards);
            prop_assert_eq!(&ours, &expected);
            ours.shared_sort();
            expected.sort();
            prop_assert_eq!(&ours, &expected);
        }
    }

    #[test]
    fn items_need_not_be_copied() {
        let mut words: Vec<String> = (0..50).rev().map(|number| format!("{number:02}")).collect();
        words.shared_sort();
        assert!(words.is_sorted());
        assert_eq!(words[7], "07");
    }
}
