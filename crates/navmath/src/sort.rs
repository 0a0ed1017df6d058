//! Sorting by shared code. The standard library's sorts are copied for every type and every key, eight kilobytes each, a sixth
//! of a WebAssembly module that has a hundred of them. Here a copy is some hundred bytes: short lists are sorted in place, and long
//! ones by an order of indices that one function finds for all types.
//!
//! ```text
//! items    d b a c      order   2 1 3 0      where the item of each place was, found by comparing items[i] with items[j];
//! sorted   a b c d                           then each cycle of the order is walked once, swapping
//! ```
//!
//! Cost: that of the standard library's up to 20 items, and of items that are sorted already; else two indirections per comparison and four bytes per item. Loops that
//! sort thousands of items keep the standard library's.

use std::cmp::Ordering;

/// Lists up to this length are sorted by insertion, as the standard library does.
const SHORT: usize = 20;

/// Stable sorts whose code is shared between types. Their results are those of the sorts of the standard library.
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

/// Each item sinks to its place among those before it.
fn insert<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    for next in 1..items.len() {
        let mut at = next;
        while at > 0 && compare(&items[at], &items[at - 1]) == Ordering::Less {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// The indices of the items in sorted order, equal ones as they were.
#[inline(never)]
fn order(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Brings the items into an order: `order[place]` is where the item of a place was.
#[inline(never)]
fn apply(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        // Along a cycle, the first item waits where the next place was read from.
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
            // Equal keys differ by their places: the sort is stable.
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
