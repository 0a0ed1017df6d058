//! The two readings of an OBJ file: for its vertices, then for its faces as triangles.

use super::polygon::{Flaws, triangulate};
use super::reader::ObjSink;

/// Marks a vertex that no triangle uses; larger than any vertex index.
pub(crate) const UNUSED: u32 = u32::MAX;

/// Vertices. Faces are skipped, or only checked.
#[derive(Default)]
pub(crate) struct Positions<const CHECKS_FACES: bool>(pub(crate) Vec<[f64; 3]>);

impl<const CHECKS_FACES: bool> ObjSink for Positions<CHECKS_FACES> {
    const TAKES_FACES: bool = CHECKS_FACES;

    fn vertex(&mut self, position: [f64; 3]) {
        self.0.push(position);
    }

    fn face(&mut self, _: &[u64]) -> (usize, Flaws) {
        (0, Flaws::default())
    }
}

/// Faces as triangles, and no vertices.
pub(crate) struct Faces<'p> {
    positions: &'p [[f64; 3]],
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The corners of the face that is being read.
    corners: Vec<[f64; 3]>,
}

impl<'p> Faces<'p> {
    pub(crate) fn new(positions: &'p [[f64; 3]]) -> Faces<'p> {
        Faces { positions, triangles: Vec::new(), corners: Vec::new() }
    }
}

impl ObjSink for Faces<'_> {
    const TAKES_VERTICES: bool = false;

    fn vertex(&mut self, _: [f64; 3]) {}

    fn face(&mut self, corners: &[u64]) -> (usize, Flaws) {
        // No index is larger than the number of vertices, which fits 32 bits.
        let vertex = |corner: u64| (corner - 1) as u32;
        if let [a, b, c] = *corners {
            self.triangles.push([a, b, c].map(vertex));
            return (1, Flaws::default());
        }
        self.corners.clear();
        self.corners.extend(corners.iter().map(|&corner| self.positions[vertex(corner) as usize]));
        let first = self.triangles.len();
        let flaws = triangulate(&self.corners, &mut self.triangles);
        for corner in self.triangles[first..].as_flattened_mut() {
            *corner = vertex(corners[*corner as usize]);
        }
        (self.triangles.len() - first, flaws)
    }
}

/// Returns the vertices that triangles use, in the order of their first use, and renumbers the triangles to
/// match. `places` holds [`UNUSED`] for every vertex, before and after the call.
pub(crate) fn used(positions: &[[f64; 3]], places: &mut [u32], triangles: &mut [[u32; 3]]) -> Vec<[f64; 3]> {
    let mut used: Vec<u32> = Vec::new();
    for corner in triangles.as_flattened_mut() {
        let place = &mut places[*corner as usize];
        if *place == UNUSED {
            *place = used.len() as u32;
            used.push(*corner);
        }
        *corner = *place;
    }
    used.iter().for_each(|&vertex| places[vertex as usize] = UNUSED);
    used.iter().map(|&vertex| positions[vertex as usize]).collect()
}
