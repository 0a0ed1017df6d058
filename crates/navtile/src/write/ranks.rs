//! Vertices by their place in canonical order.

use navmath::IBox3;

/// The ranks of some vertices in the order of [`vertex_key`](super::vertex_key): those at one place have the same.
pub(super) struct Ranks {
    /// Vertices as numbers whose order is theirs: x, z, y and the index among those given.
    keys: Vec<u64>,
    /// The same for those that lie too far apart.
    wide: Vec<u128>,
    /// The rank of each vertex.
    pub(super) ranks: Vec<u32>,
    /// The position of each rank.
    pub(super) positions: Vec<[i32; 3]>,
    /// What all of them lie in.
    pub(super) bounds: IBox3,
}

impl Default for Ranks {
    fn default() -> Ranks {
        let (keys, wide, ranks, positions) = Default::default();
        Ranks { keys, wide, ranks, positions, bounds: IBox3::EMPTY }
    }
}

impl Ranks {
    /// Ranks `vertices` in place of those before. Only the first 2^32 - 1 have any.
    pub(super) fn rank(&mut self, vertices: &[[i32; 3]]) {
        let vertices = &vertices[..vertices.len().min(u32::MAX as usize)];
        let Ranks { keys, wide, ranks, positions, bounds } = self;
        *bounds = IBox3::around(vertices.iter().copied());
        ranks.clear();
        ranks.resize(vertices.len(), 0);
        positions.clear();
        positions.reserve(vertices.len());
        // How far each coordinate is from the least, and how many bits that takes.
        let least = bounds.min;
        let from =
            move |vertex: &[i32; 3], axis: usize| vertex[axis].wrapping_sub(least[axis]).cast_unsigned();
        let bits = |number: u32| u32::BITS - number.leading_zeros();
        let [_, of_y, of_z] = [0, 1, 2].map(|axis| bits(from(&bounds.max, axis)));
        let of_index = bits(vertices.len() as u32);
        if bits(from(&bounds.max, 0)) + of_y + of_z + of_index <= u64::BITS {
            let place = |vertex| {
                let [x, y, z] = [0, 1, 2].map(|axis| u64::from(from(vertex, axis)));
                (x << of_z | z) << of_y | y
            };
            keys.clear();
            keys.extend((0u64..).zip(vertices).map(|(index, vertex)| place(vertex) << of_index | index));
            keys.sort_unstable();
            let index = |key: u64| (key & ((1 << of_index) - 1)) as usize;
            number(keys.iter().map(|&key| (key >> of_index, index(key))), vertices, ranks, positions);
        } else {
            let place = |vertex| {
                let [x, y, z] = [0, 1, 2].map(|axis| u128::from(from(vertex, axis)));
                (x << 32 | z) << 32 | y
            };
            wide.clear();
            wide.extend((0u128..).zip(vertices).map(|(index, vertex)| place(vertex) << 32 | index));
            wide.sort_unstable();
            let index = |key: u128| key as u32 as usize;
            number(wide.iter().map(|&key| (key >> 32, index(key))), vertices, ranks, positions);
        }
    }
}

/// Gives vertices, in order with their places, their ranks.
fn number<P: PartialEq>(
    sorted: impl Iterator<Item = (P, usize)>,
    vertices: &[[i32; 3]],
    ranks: &mut [u32],
    positions: &mut Vec<[i32; 3]>,
) {
    let mut last = None;
    for (place, index) in sorted {
        if last.as_ref() != Some(&place) {
            positions.push(vertices[index]);
        }
        last = Some(place);
        // Not more than there are vertices.
        ranks[index] = (positions.len() - 1) as u32;
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
