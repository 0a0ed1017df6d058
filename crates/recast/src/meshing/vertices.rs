//! Vertices shared between contours: vertices at one place and nearly one height become one.

/// Vertices within this height of each other, in cells, become one: the corners of neighbouring meshes may
/// differ slightly.
const HEIGHT_TOLERANCE: i32 = 2;

/// Finds vertices by their position seen from above.
#[derive(Default)]
pub struct SharedVertices {
    /// The latest vertex in each bucket of places; the number of buckets is a power of two.
    latest: Vec<u32>,
    /// For each vertex, the one before it in the same bucket.
    before: Vec<u32>,
}

/// Marks the end of a bucket in place of a vertex.
const NONE: u32 = u32::MAX;

impl SharedVertices {
    /// Forgets all vertices, and reserves room for `count`.
    pub fn start(&mut self, count: usize) {
        self.latest.clear();
        self.latest.resize(count.max(2).next_power_of_two(), NONE);
        self.before.clear();
        self.before.reserve(count);
    }

    /// Returns the index of the vertex at `position`, and adds the vertex if it is missing. Of several
    /// vertices, takes the latest.
    pub fn add(&mut self, position: [i32; 3], vertices: &mut Vec<[i32; 3]>) -> u32 {
        self.add_within(position, HEIGHT_TOLERANCE, vertices)
    }

    /// Returns the index of the vertex at exactly `position`, and adds the vertex if it is missing. Corners
    /// of contours have one height from all sides, and a slightly higher vertex may belong to a storey that
    /// no step leads to.
    pub fn add_exactly(&mut self, position: [i32; 3], vertices: &mut Vec<[i32; 3]>) -> u32 {
        self.add_within(position, 0, vertices)
    }

    fn add_within(&mut self, position: [i32; 3], tolerance: i32, vertices: &mut Vec<[i32; 3]>) -> u32 {
        let [x, y, z] = position;
        if self.before.len() >= self.latest.len() {
            self.enlarge(vertices);
        }
        let bucket = self.bucket(position);
        let mut known = self.latest[bucket];
        while let Some(&[other_x, other_y, other_z]) = vertices.get(known as usize) {
            if (other_x, other_z) == (x, z) && (other_y - y).abs() <= tolerance {
                return known;
            }
            known = self.before[known as usize];
        }
        let vertex = vertices.len() as u32;
        vertices.push(position);
        self.before.push(std::mem::replace(&mut self.latest[bucket], vertex));
        vertex
    }

    /// The bucket of a place, by M. Roberts' R2 sequence, which spreads the places of a grid, and of rows and
    /// columns of it, evenly. The number of places in a bucket is at most the number of cells per vertex, so
    /// that no level takes longer to look up than to bake.
    fn bucket(&self, [x, _, z]: [i32; 3]) -> usize {
        let by_x = u64::from(x as u32).wrapping_mul(0xC13F_A9A9_02A6_328F);
        let by_z = u64::from(z as u32).wrapping_mul(0x91E1_0DA5_C79E_7B1D);
        // Two buckets or more: the shift is below 64.
        (by_x.wrapping_add(by_z) >> (64 - self.latest.len().ilog2())) as usize
    }

    /// Doubles the number of buckets.
    fn enlarge(&mut self, vertices: &[[i32; 3]]) {
        let count = (2 * self.latest.len()).max(16);
        self.latest.clear();
        self.latest.resize(count, NONE);
        for (vertex, &position) in (0..).zip(&vertices[..self.before.len()]) {
            let bucket = self.bucket(position);
            self.before[vertex as usize] = std::mem::replace(&mut self.latest[bucket], vertex);
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
    fn many_places_are_distinguished() {
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
            // The latest of those in reach.
            assert_eq!(shared.add([x, y, z], &mut vertices), 1600);
        }
    }
}
