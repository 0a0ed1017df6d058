//! Vertices shared between contours: those at one place and nearly one height are one.

use std::collections::HashMap;

/// Vertices within this height of each other, in cells, are one: the corners of neighbouring contours may differ
/// by a little where more than two regions meet.
const HEIGHT_TOLERANCE: i32 = 2;

/// Finds vertices by their place seen from above. The map is only asked, never listed.
#[derive(Default)]
pub(crate) struct SharedVertices(HashMap<[i32; 2], Vec<u32>>);

impl SharedVertices {
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
        let [x, y, z] = position;
        let here = self.0.entry([x, z]).or_default();
        let near = |&&index: &&u32| (vertices[index as usize][1] - y).abs() <= tolerance;
        if let Some(&index) = here.iter().rev().find(near) {
            return index;
        }
        let index = vertices.len() as u32;
        here.push(index);
        vertices.push(position);
        index
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
}
