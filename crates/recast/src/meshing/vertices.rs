//! Vertices shared between contours: vertices at one place and nearly one height become one.

use std::collections::HashMap;

/// Vertices within this height of each other, in cells, are one: the corners of neighbouring meshes may differ by a
/// little.
const HEIGHT_TOLERANCE: i32 = 2;

/// Finds vertices by their place seen from above.
#[derive(Default)]
pub(crate) struct SharedVertices {
    /// By x and z: the latest vertex there.
    latest: HashMap<[i32; 2], u32>,
    /// By vertex: the one before it at the same place.
    before: Vec<Option<u32>>,
}

impl SharedVertices {
    /// Forgets all vertices, and reserves room for `count`.
    pub(crate) fn start(&mut self, count: usize) {
        self.latest.clear();
        self.latest.reserve(count);
        self.before.clear();
        self.before.reserve(count);
    }

    /// Index of the vertex at `position`, which is added if there is none. Of several the latest is taken.
    pub(crate) fn add(&mut self, position: [i32; 3], vertices: &mut Vec<[i32; 3]>) -> u32 {
        self.add_within(position, HEIGHT_TOLERANCE, vertices)
    }

    /// Index of the vertex at exactly `position`, which is added if there is none: corners of contours have one height
    /// from all sides, and what stands a little higher may be a storey that no step leads to.
    pub(crate) fn add_exactly(&mut self, position: [i32; 3], vertices: &mut Vec<[i32; 3]>) -> u32 {
        self.add_within(position, 0, vertices)
    }

    fn add_within(&mut self, position: [i32; 3], tolerance: i32, vertices: &mut Vec<[i32; 3]>) -> u32 {
        let [x, y, z] = position;
        let mut known = self.latest.get(&[x, z]).copied();
        while let Some(vertex) = known {
            if (vertices[vertex as usize][1] - y).abs() <= tolerance {
                return vertex;
            }
            known = self.before[vertex as usize];
        }
        let vertex = vertices.len() as u32;
        vertices.push(position);
        self.before.push(self.latest.insert([x, z], vertex));
        vertex
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
            // The latest of those within reach.
            assert_eq!(shared.add([x, y, z], &mut vertices), 1600);
        }
    }
}
