//! Small operations on lists that several stages share: scans, binary search and counting sort.

/// Items that a scan compares at once: without an early exit in between, the comparisons become vector
/// instructions.
const SCANNED_TOGETHER: usize = 8;

/// Number of leading indices below `count`, from 0 on, that satisfy `holds`. `holds` may also be called for
/// indices after the first failure.
#[inline(always)]
pub(crate) fn leading(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let mut at = 0;
    // Most scans are short: the first few items are looked at one by one.
    while at < count.min(4) {
        if !holds(at) {
            return at;
        }
        at += 1;
    }
    // Written so that the compiler sees that no index overflows, and needs no bounds check per item.
    while at < count && count - at >= SCANNED_TOGETHER {
        if !(0..SCANNED_TOGETHER).fold(true, |all, index| all & holds(at + index)) {
            break;
        }
        at += SCANNED_TOGETHER;
    }
    while at < count && holds(at) {
        at += 1;
    }
    at
}

/// Number of leading items that are equal to the first.
#[inline]
pub(crate) fn leading_equal<T: Copy + PartialEq>(items: &[T]) -> usize {
    let Some(&first) = items.first() else { return 0 };
    // The first item is often the last of its kind.
    if items.get(1) != Some(&first) {
        return 1;
    }
    leading(items.len(), |index| items[index] == first)
}

/// The index after another in a ring of `count` items.
#[inline(always)]
pub(crate) fn next_in_ring(index: usize, count: usize) -> usize {
    if index + 1 < count { index + 1 } else { 0 }
}

/// The index before another in a ring of `count` items.
#[inline(always)]
pub(crate) fn previous_in_ring(index: usize, count: usize) -> usize {
    if index > 0 { index - 1 } else { count - 1 }
}

/// Like `partition_point` of a slice, for the indices below `count`: the number of indices, from 0 on, that
/// satisfy `before`.
pub fn partition_point(count: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// Sorts items into buckets numbered from 0 and keeps their order within each (a counting sort). Bucket `b`
/// is `sorted[offsets[b]..offsets[b + 1]]`. There must be fewer than 2^32 items.
pub fn bucket_sort<T: Copy + Default>(
    buckets: usize,
    items: impl Iterator<Item = (usize, T)> + Clone,
    offsets: &mut Vec<u32>,
    sorted: &mut Vec<T>,
) {
    start_counting(buckets, offsets);
    items.clone().for_each(|(bucket, _)| count_item(bucket, offsets));
    sort_counted(items, offsets, sorted);
}

/// Starts the counts of a [`bucket_sort`] whose items are counted as they are made.
pub(crate) fn start_counting(buckets: usize, offsets: &mut Vec<u32>) {
    offsets.clear();
    offsets.resize(buckets + 2, 0);
}

/// Counts an item of a bucket.
#[inline(always)]
pub(crate) fn count_item(bucket: usize, offsets: &mut [u32]) {
    // Count two places further, so that `offsets[b + 1]` becomes the start of bucket `b`. Placing the
    // bucket's items moves this cursor to the bucket's end, which is the start of the next one.
    offsets[bucket + 2] += 1;
}

/// Like [`bucket_sort`], with items that are counted already.
pub(crate) fn sort_counted<T: Copy + Default>(
    items: impl Iterator<Item = (usize, T)>,
    offsets: &mut Vec<u32>,
    sorted: &mut Vec<T>,
) {
    let mut sum = 0;
    for offset in &mut offsets[2..] {
        sum += *offset;
        *offset = sum;
    }
    // All of it is written over.
    sorted.resize(sum as usize, T::default());
    for (bucket, item) in items {
        let cursor = &mut offsets[bucket + 1];
        sorted[*cursor as usize] = item;
        *cursor += 1;
    }
    offsets.pop();
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_other_item_ends_a_scan(items in prop::collection::vec(prop::bool::weighted(0.95), 0..90)) {
            let expected = items.iter().position(|item| *item != items[0]).unwrap_or(items.len());
            prop_assert_eq!(leading_equal(&items), expected);
            let expected = items.iter().position(|item| !item).unwrap_or(items.len());
            prop_assert_eq!(leading(items.len(), |index| items[index]), expected);
            let ahead = |index: usize| index < expected;
            prop_assert_eq!(partition_point(items.len(), ahead), expected);
        }

        #[test]
        fn buckets_keep_the_order_of_their_items(items in prop::collection::vec((0usize..7, any::<u8>()), 0..40)) {
            let (mut offsets, mut sorted) = (vec![9; 3], vec![9; 3]);
            bucket_sort(7, items.iter().copied(), &mut offsets, &mut sorted);
            prop_assert_eq!((offsets.len(), offsets[0], offsets[7] as usize), (8, 0, items.len()));
            for bucket in 0..7 {
                let own: Vec<u8> = items.iter().filter(|item| item.0 == bucket).map(|item| item.1).collect();
                let range = offsets[bucket] as usize..offsets[bucket + 1] as usize;
                prop_assert_eq!(&sorted[range], own);
            }
        }
    }
}
