//! The open list: a four-ary heap of nodes by what they are ordered by, packed into one integer. A cheaper way to a
//! node adds it once more; the entry that comes out later finds the node settled, and whoever takes it out passes it
//! over. So a list holds no more entries than ways were looked at. Cost: O(log4 n) an operation.
//! Source: J. W. J. Williams, Heapsort (1964); D. B. Johnson, Priority queues with update and finding minimum spanning
//! trees (1975), for the four children.

const ARITY: usize = 4;

/// What nodes are ordered by: the whole estimate, then the part that is a guess, as f32, then the number. Among equals
/// the one nearest to the goal comes first, and ties never depend on the heap's history.
type Key = u128;

/// Bits of numbers that are not negative are ordered as they are.
#[inline]
fn key(node: u32, total: f64, remaining: f64) -> Key {
    debug_assert!(total >= 0.0 && remaining >= 0.0, "{total} {remaining}");
    // The sum makes zero of a negative zero.
    let (total, remaining) = ((total + 0.0).to_bits(), (remaining as f32 + 0.0).to_bits());
    u128::from(total) << 64 | u128::from(remaining) << 32 | u128::from(node)
}

#[derive(Debug, Default)]
pub(crate) struct OpenList {
    /// The least, if it is not in the heap: a search mostly goes on with what it has just found.
    least: Option<Key>,
    keys: Vec<Key>,
}

impl OpenList {
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.least = None;
        self.keys.clear();
    }

    /// Adds a node, or adds it again with a smaller estimate; neither number is negative.
    #[inline]
    pub(crate) fn push(&mut self, node: u32, total: f64, remaining: f64) {
        let key = key(node, total, remaining);
        let key = match self.least {
            Some(least) if key < least => {
                self.least = Some(key);
                least
            }
            None if self.keys.first().is_none_or(|first| key < *first) => {
                self.least = Some(key);
                return;
            }
            _ => key,
        };
        let mut place = self.keys.len();
        self.keys.push(key);
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if key >= self.keys[parent] {
                break;
            }
            self.keys[place] = self.keys[parent];
            place = parent;
        }
        self.keys[place] = key;
    }

    /// Takes out the node with the smallest estimate. It may have been taken out before, with a smaller one still.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        if let Some(least) = self.least.take() {
            return Some(least as u32);
        }
        let last = self.keys.pop()?;
        let Some(first) = self.keys.first().copied() else { return Some(last as u32) };
        self.sink(last);
        Some(first as u32)
    }

    /// Fills the hole at the top with `key`.
    #[inline]
    fn sink(&mut self, key: Key) {
        let keys = self.keys.as_mut_slice();
        let mut place = 0;
        loop {
            let first = place * ARITY + 1;
            let Some(children) = keys.get(first..(first + ARITY).min(keys.len())) else { break };
            let (mut best, mut least) = (first, key);
            let mut found = false;
            for (at, child) in children.iter().enumerate() {
                if *child < least {
                    (best, least, found) = (first + at, *child, true);
                }
            }
            if !found {
                break;
            }
            keys[place] = least;
            place = best;
        }
        keys[place] = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_nearest_to_the_goal_comes_first_of_equals() {
        let mut list = OpenList::default();
        for (node, total, remaining) in [(4, 2.0, 1.0), (3, 2.0, 0.5), (2, 2.0, 0.5), (1, -0.0, 0.0)] {
            list.push(node, total, remaining);
        }
        assert_eq!(std::iter::from_fn(|| list.pop()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }

    proptest! {
        #[test]
        fn nodes_come_out_in_order(pushes in prop::collection::vec((0u32..60, 0u8..40), 0..200)) {
            let mut list = OpenList::default();
            let mut model: std::collections::BTreeMap<u32, u8> = Default::default();
            for (node, total) in &pushes {
                list.push(*node, f64::from(*total), 0.0);
                let known = model.entry(*node).or_insert(*total);
                *known = (*total).min(*known);
            }
            let mut expected: Vec<(u8, u32)> = model.into_iter().map(|(node, total)| (total, node)).collect();
            expected.sort();
            let mut taken = std::collections::BTreeSet::new();
            let order: Vec<u32> = std::iter::from_fn(|| list.pop()).collect();
            prop_assert_eq!(order.len(), pushes.len());
            // Each node where its smallest estimate puts it.
            let order: Vec<u32> = order.into_iter().filter(|node| taken.insert(*node)).collect();
            prop_assert_eq!(order, expected.into_iter().map(|(_, node)| node).collect::<Vec<_>>());
        }
    }
}
