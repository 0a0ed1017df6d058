//! The order of a ring's corners while corners are added: compares two of them as seen from a third.
//! Cost: O(log corners) to add one, on average over many; O(1) to compare.
//! Source: P. Dietz, D. Sleator, Two algorithms for maintaining order in a list (1987), the first one.
//!
//! Corners have labels that rise along the ring and wrap around at 2^64. A new corner gets a label between
//! those of its neighbours. If these leave no room, the labels of the following corners are spread, as far as
//! needed.

/// The labels, by corner.
pub(super) struct Order(Vec<u64>);

impl Order {
    /// The order of a ring of the first `ring` of `corners` corners; the others are added later.
    pub(super) fn new(ring: usize, corners: usize) -> Order {
        let step = u64::MAX / ring.max(1) as u64;
        let mut labels: Vec<u64> = (0..ring as u64).map(|at| at * step).collect();
        labels.resize(corners, 0);
        Order(labels)
    }

    /// Distance in labels from a start to a corner, around the ring.
    pub(super) fn behind(&self, start: u32, corner: u32) -> u64 {
        self.0[corner as usize].wrapping_sub(self.0[start as usize])
    }

    /// Adds a corner to the ring after another; `next` returns the next corner in the ring before the
    /// insertion.
    pub(super) fn insert(&mut self, after: u32, new: u32, next: impl Fn(u32) -> u32) {
        // Advance until the labels leave more room than the square of the corners between.
        let (mut count, mut end) = (1u64, next(after));
        let room = loop {
            let room = if end == after { u64::MAX } else { self.behind(after, end) };
            if room > count * count || end == after {
                break room;
            }
            (count, end) = (count + 1, next(end));
        };
        let (first, mut at) = (self.0[after as usize], next(after));
        for between in 1..count {
            let share = u128::from(room) * u128::from(between) / u128::from(count);
            self.0[at as usize] = first.wrapping_add(share as u64);
            at = next(at);
        }
        let end = next(after);
        let room = if end == after { u64::MAX } else { self.behind(after, end) };
        self.0[new as usize] = first.wrapping_add(room / 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn corners_keep_their_order(
            places in prop::collection::vec(0..40usize, 0..400), same in any::<bool>(), start in 0..40usize
        ) {
            let mut ring: Vec<u32> = (0..3).collect();
            let mut order = Order::new(3, 3 + places.len());
            for place in places {
                // Either always at the same place, where room is shortest, or at different places.
                let at = if same { 1 } else { place % ring.len() };
                let (after, new) = (ring[at], ring.len() as u32);
                order.insert(after, new, |corner| {
                    let at = ring.iter().position(|&other| other == corner).unwrap_or(0);
                    ring[(at + 1) % ring.len()]
                });
                ring.insert(at + 1, new);
            }
            let start = start % ring.len();
            ring.rotate_left(start);
            let behind: Vec<u64> = ring.iter().map(|&corner| order.behind(ring[0], corner)).collect();
            prop_assert!(behind.array_windows().all(|[a, b]| a < b), "{:?}", behind);
        }
    }
}
