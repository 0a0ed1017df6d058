//! The open list: a four-ary heap of nodes, with each node's place in it, so that a cheaper way moves the node
//! up rather than adding it again. Cost: O(log4 n) an operation.
//! Source: D. B. Johnson, Priority queues with update and finding minimum spanning trees (1975).

/// No place in the heap.
const NOWHERE: u32 = u32::MAX;
const ARITY: usize = 4;

/// What nodes are ordered by: the whole estimate, then the part that is a guess, then the number. Among equals
/// the one nearest to the goal comes first, and ties never depend on the heap's history.
#[derive(Clone, Copy, Debug)]
struct Item {
    total: f64,
    remaining: f64,
    node: u32,
}

impl Item {
    #[inline]
    fn before(&self, other: &Item) -> bool {
        let order =
            self.total.total_cmp(&other.total).then_with(|| self.remaining.total_cmp(&other.remaining));
        order.then_with(|| self.node.cmp(&other.node)).is_lt()
    }
}

#[derive(Debug, Default)]
pub(crate) struct OpenList {
    items: Vec<Item>,
    /// Place of each node.
    places: Vec<u32>,
}

impl OpenList {
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.places.clear();
    }

    /// Adds a node, or moves it up to a smaller estimate.
    pub(crate) fn push(&mut self, node: u32, total: f64, remaining: f64) {
        if self.places.len() <= node as usize {
            self.places.resize(node as usize + 1, NOWHERE);
        }
        let item = Item { total, remaining, node };
        let mut place = self.places[node as usize];
        if place == NOWHERE {
            place = self.items.len() as u32;
            self.items.push(item);
        } else if !item.before(&self.items[place as usize]) {
            return;
        }
        self.rise(place as usize, item);
    }

    /// Takes out the node with the smallest estimate.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let last = self.items.pop()?;
        let Some(&first) = self.items.first() else {
            self.places[last.node as usize] = NOWHERE;
            return Some(last.node);
        };
        self.places[first.node as usize] = NOWHERE;
        self.sink(last);
        Some(first.node)
    }

    fn put(&mut self, place: usize, item: Item) {
        self.items[place] = item;
        self.places[item.node as usize] = place as u32;
    }

    fn rise(&mut self, mut place: usize, item: Item) {
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if !item.before(&self.items[parent]) {
                break;
            }
            self.put(place, self.items[parent]);
            place = parent;
        }
        self.put(place, item);
    }

    /// Fills the hole at the top with `item`.
    fn sink(&mut self, item: Item) {
        let mut place = 0;
        loop {
            let first = place * ARITY + 1;
            let end = (first + ARITY).min(self.items.len());
            let Some(best) =
                (first..end).reduce(|a, b| if self.items[b].before(&self.items[a]) { b } else { a })
            else {
                break;
            };
            if !self.items[best].before(&item) {
                break;
            }
            self.put(place, self.items[best]);
            place = best;
        }
        self.put(place, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nodes_come_out_in_order(pushes in prop::collection::vec((0u32..60, 0u8..40), 0..200)) {
            let mut list = OpenList::default();
            let mut model: std::collections::BTreeMap<u32, u8> = Default::default();
            for (node, total) in pushes {
                list.push(node, f64::from(total), 0.0);
                let known = model.entry(node).or_insert(total);
                *known = total.min(*known);
            }
            let mut expected: Vec<(u8, u32)> = model.into_iter().map(|(node, total)| (total, node)).collect();
            expected.sort();
            for (_, node) in expected {
                prop_assert_eq!(list.pop(), Some(node));
            }
            prop_assert_eq!(list.pop(), None);
        }
    }
}
