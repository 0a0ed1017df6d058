//! Vertices by their place in canonical order.

/// A vertex as it is sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// x and z, in an order that numbers without a sign have.
    plan: u64,
    y: i32,
    /// Its index among those given.
    index: u32,
}

/// The ranks of some vertices in the order of [`vertex_key`](super::vertex_key): those at one place have the same.
#[derive(Default)]
pub(super) struct Ranks {
    entries: Vec<Entry>,
    /// The rank of each vertex.
    pub(super) ranks: Vec<u32>,
    /// The position of each rank.
    pub(super) positions: Vec<[i32; 3]>,
}

impl Ranks {
    /// Ranks `vertices` in place of those before. Vertices beyond 2^32, which no index reaches, have none.
    pub(super) fn rank(&mut self, vertices: &[[i32; 3]]) {
        let unsigned = |value: i32| u64::from(value.cast_unsigned() ^ 1 << 31);
        self.entries.clear();
        self.entries.extend((0..=u32::MAX).zip(vertices).map(|(index, &[x, y, z])| Entry {
            plan: unsigned(x) << 32 | unsigned(z),
            y,
            index,
        }));
        self.entries.sort_unstable();
        self.ranks.clear();
        self.ranks.resize(self.entries.len(), 0);
        self.positions.clear();
        let mut last = None;
        for &Entry { plan, y, index } in &self.entries {
            if last.replace((plan, y)) != Some((plan, y)) {
                self.positions.push(vertices[index as usize]);
            }
            // Not more than there are vertices.
            self.ranks[index as usize] = (self.positions.len() - 1) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::vertex_key;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranks_are_places_among_sorted_positions(
            vertices in prop::collection::vec(prop::array::uniform3(-3..4i32), 0..40)
        ) {
            let mut ranks = Ranks::default();
            ranks.rank(&[[7, 8, 9]]);
            ranks.rank(&vertices);
            let mut sorted = vertices.clone();
            sorted.sort_by_key(|vertex| vertex_key(*vertex));
            sorted.dedup();
            prop_assert_eq!(&ranks.positions, &sorted);
            for (vertex, rank) in vertices.iter().zip(&ranks.ranks) {
                prop_assert_eq!(vertex, &sorted[*rank as usize]);
            }
        }
    }
}
