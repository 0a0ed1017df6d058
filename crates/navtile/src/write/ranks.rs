//! Vertices by their rank in canonical order.

use super::vertex_key;

/// The ranks of vertices in the order of [`vertex_key`]; vertices at the same position have the same rank.
#[derive(Default)]
pub(super) struct Ranks {
    /// Sort keys and indices of the vertices, packed into numbers: comparing two takes two instructions.
    sorted: Vec<u128>,
    /// The rank of each vertex.
    pub(super) ranks: Vec<u32>,
    /// The position of each rank.
    pub(super) positions: Vec<[i32; 3]>,
}

impl Ranks {
    /// Ranks `vertices` and replaces the earlier ones. Only the first 2^32 - 1 get a rank.
    pub(super) fn rank(&mut self, vertices: &[[i32; 3]]) {
        let Ranks { sorted, ranks, positions } = self;
        sorted.clear();
        sorted.extend(vertices.iter().zip(0..u32::MAX).map(|(vertex, index)| {
            // Flipping the sign bit keeps the order of signed numbers.
            let [a, b, c] = vertex_key(*vertex).map(|value| value as u32 ^ 1 << 31).map(u128::from);
            a << 96 | b << 64 | c << 32 | u128::from(index)
        }));
        sorted.sort_unstable();
        ranks.clear();
        ranks.resize(sorted.len(), 0);
        positions.clear();
        for &key in &*sorted {
            let index = key as u32;
            let vertex = vertices[index as usize];
            if positions.last() != Some(&vertex) {
                positions.push(vertex);
            }
            // At most the number of vertices.
            ranks[index as usize] = (positions.len() - 1) as u32;
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
            mut vertices in prop::collection::vec(prop::array::uniform3(-3..4i32), 0..40),
            far in prop::collection::vec(prop::array::uniform3(prop::num::i32::ANY), 0..4),
        ) {
            vertices.extend(far);
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
