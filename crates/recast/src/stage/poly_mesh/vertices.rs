//! Vertices shared between contours: those at one place and nearly one height are one.

/// Vertices within this height of each other, in cells, are one: the corners of neighbouring contours may differ
/// by a little where more than two regions meet.
const HEIGHT_TOLERANCE: i32 = 2;

/// No vertex.
const NONE: u32 = u32::MAX;

/// Finds vertices by their place seen from above: in lists by what the place's number comes to, the latest first.
#[derive(Default)]
pub(crate) struct SharedVertices {
    /// Where lists start, as indices of `entries`; a power of two of them.
    first: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    vertex: u32,
    /// The entry before it in its list.
    next: u32,
}

impl SharedVertices {
    /// Forgets all vertices, and makes room for so many.
    pub(super) fn start(&mut self, count: usize) {
        self.first.clear();
        self.first.resize(count.next_power_of_two(), NONE);
        self.entries.clear();
        self.entries.reserve(count);
    }

    /// Index of the vertex at `position`, which is added if there is none. Of several the latest is taken.
    pub(crate) fn add(&mut self, position: [i32; 3], vertices: &mut Vec<[i32; 3]>) -> u32 {
        self.add_within(position, HEIGHT_TOLERANCE, vertices)
    }

    /// As [`SharedVertices::add`], but only a vertex of the very same height will do: on the tile's border, where
    /// the neighbouring tile has the same vertices and must come to the same ones.
    pub(crate) fn add_exactly(&mut self, position: [i32; 3], vertices: &mut Vec<[i32; 3]>) -> u32 {
        self.add_within(position, 0, vertices)
    }

    fn add_within(&mut self, position: [i32; 3], tolerance: i32, vertices: &mut Vec<[i32; 3]>) -> u32 {
        if self.entries.len() >= self.first.len() {
            self.grow(vertices);
        }
        let list = self.list(position);
        let mut at = self.first[list];
        while let Some(entry) = self.entries.get(at as usize) {
            let other = vertices[entry.vertex as usize];
            let is_here = other[0] == position[0] && other[2] == position[2];
            if is_here && (other[1] - position[1]).abs() <= tolerance {
                return entry.vertex;
            }
            at = entry.next;
        }
        let vertex = vertices.len() as u32;
        vertices.push(position);
        let next = std::mem::replace(&mut self.first[list], self.entries.len() as u32);
        self.entries.push(Entry { vertex, next });
        vertex
    }

    /// The list for a place.
    fn list(&self, [x, _, z]: [i32; 3]) -> usize {
        let place = u64::from(x.cast_unsigned()) << 32 | u64::from(z.cast_unsigned());
        // The highest bits of a product with an odd number depend on all bits of the factor.
        let mixed = (place ^ place >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize & (self.first.len() - 1)
    }

    /// Twice as many lists.
    fn grow(&mut self, vertices: &[[i32; 3]]) {
        self.first = vec![NONE; (2 * self.first.len()).max(16)];
        for index in 0..self.entries.len() {
            let list = self.list(vertices[self.entries[index].vertex as usize]);
            self.entries[index].next = std::mem::replace(&mut self.first[list], index as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_heights_are_one_vertex() {
        let (mut shared, mut vertices) = (SharedVertices::default(), Vec::new());
        let heights = [0, 2, 4, 3, -1];
        let indices = heights.map(|y| shared.add([7, y, 9], &mut vertices));
        assert_eq!(indices, [0, 0, 1, 1, 0]);
        assert_eq!(shared.add([9, 0, 7], &mut vertices), 2);
    }

    #[test]
    fn many_places_are_told_apart() {
        let mut started = SharedVertices::default();
        started.add([1, 2, 3], &mut Vec::new());
        started.start(5);
        for mut shared in [SharedVertices::default(), started] {
            let mut vertices = Vec::new();
            let place = |index: i32| [index % 40 - 20, index % 7, index / 40 - 20];
            for index in 0..1600 {
                assert_eq!(shared.add(place(index), &mut vertices), index as u32);
            }
            for index in 0..1600 {
                assert_eq!(shared.add_exactly(place(index), &mut vertices), index as u32);
            }
            let [x, y, z] = place(77);
            assert_eq!(shared.add_exactly([x, y + 1, z], &mut vertices), 1600);
            // The latest of those within reach.
            assert_eq!(shared.add([x, y, z], &mut vertices), 1600);
        }
    }
}
