//! Joining what tiles share: vertices by their place, then edges by their vertices.
//! Cost: O(vertices) expected, O(edges · log edges).

use crate::data::{EdgeKind, PolyMesh};
use std::collections::HashMap;

/// Vertices within this height of each other, in cells, are one, as in each tile's own mesh: neighbouring tiles
/// may take the height of a shared corner from different columns around it.
const HEIGHT_TOLERANCE: u32 = 2;

/// Finds vertices by their place seen from above. The map is only asked, never listed.
#[derive(Default)]
pub(super) struct Welder(HashMap<[i32; 2], Vec<u32>>);

impl Welder {
    /// Index of the vertex at `position`, which is added if there is none. Of several the latest is taken, as
    /// the reference does.
    pub(super) fn add(&mut self, position: [i32; 3], vertices: &mut Vec<[i32; 3]>) -> u32 {
        let [x, y, z] = position;
        let here = self.0.entry([x, z]).or_default();
        let near = |&&index: &&u32| vertices[index as usize][1].abs_diff(y) <= HEIGHT_TOLERANCE;
        if let Some(&index) = here.iter().rev().find(near) {
            return index;
        }
        let index = vertices.len() as u32;
        here.push(index);
        vertices.push(position);
        index
    }
}

/// An edge of a polygon.
#[derive(Clone, Copy)]
struct Edge {
    /// Its vertices, the smaller first.
    ends: [u32; 2],
    /// Whether it runs from the larger vertex to the smaller.
    back: bool,
    /// Index into `PolyMesh::edges`.
    edge: usize,
    polygon: u32,
}

/// Makes edges that run between the same vertices, one each way, each other's neighbours.
///
/// Where more than two edges share their vertices (surfaces within the height tolerance of each other), every edge
/// that runs back, in order, takes the latest one forth that is left: the reference's choice. An edge is never
/// paired with one of its own polygon.
pub(super) fn pair_edges(mesh: &mut PolyMesh) {
    let mut edges = Vec::with_capacity(mesh.corners.len());
    for (index, polygon) in mesh.polygons.iter().enumerate() {
        let corners = mesh.polygon_corners(polygon);
        for (corner, &from) in corners.iter().enumerate() {
            let to = corners[(corner + 1) % corners.len()];
            let ends = [from.min(to), from.max(to)];
            let edge = polygon.first as usize + corner;
            edges.push(Edge { ends, back: from > to, edge, polygon: index as u32 });
        }
    }
    edges.sort_unstable_by_key(|edge| (edge.ends, edge.back, edge.edge));
    for group in edges.chunk_by(|a, b| a.ends == b.ends) {
        let (forth, back) = group.split_at(group.partition_point(|edge| !edge.back));
        let mut left = forth.to_vec();
        for edge in back {
            // The latest decides: if it is of the same polygon, this edge goes without.
            if let Some(other) = left.pop_if(|other| other.polygon != edge.polygon) {
                mesh.edges[edge.edge] = EdgeKind::Internal(other.polygon);
                mesh.edges[other.edge] = EdgeKind::Internal(edge.polygon);
            }
        }
    }
}
