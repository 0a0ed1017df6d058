//! Adjacency: edges are paired by their vertices; edges on the tile's border become portals.

use crate::data::{EdgeKind, PolyMesh, Side};
use crate::lists::next_in_ring;
use navmath::FIXED_ONE;

struct SharedEdge {
    /// The larger vertex; the list belongs to the smaller one.
    to: u32,
    polygon: u32,
    /// Index into `PolyMesh::edges`.
    edge: u32,
    taken: bool,
    /// The next entry of its list.
    next: u32,
}

/// The end of a list.
const NONE: u32 = u32::MAX;

/// Edges by their smaller vertices, in lists.
#[derive(Default)]
pub struct Buffers {
    /// Head of the list of each vertex.
    first: Vec<u32>,
    shared: Vec<SharedEdge>,
}

/// Pairs each edge with the one in the opposite direction between the same vertices. Leaves out edges between
/// the vertices of `walls`, which hold the smaller vertex first and are sorted.
pub fn connect(mesh: &mut PolyMesh, walls: &[[u32; 2]], buffers: &mut Buffers) {
    let PolyMesh { vertices, polygons, corners: all, edges, .. } = mesh;
    if polygons.len() < 2 {
        // A polygon that touches itself is not its own neighbour.
        return;
    }
    let Buffers { first, shared } = buffers;
    first.clear();
    first.resize(vertices.len(), NONE);
    shared.clear();
    shared.reserve(all.len());
    let ends =
        |corners: &[u32], corner: usize| (corners[corner], corners[next_in_ring(corner, corners.len())]);
    let is_wall = |ends: [u32; 2]| !walls.is_empty() && walls.binary_search(&ends).is_ok();
    for (index, polygon) in (0u32..).zip(&*polygons) {
        let corners = &all[polygon.range()];
        for corner in 0..corners.len() {
            let (from, to) = ends(corners, corner);
            if from < to && !is_wall([from, to]) {
                // Polygons have fewer than 2^32 corners, as checked.
                let next = std::mem::replace(&mut first[from as usize], shared.len() as u32);
                let edge = polygon.first + corner as u32;
                shared.push(SharedEdge { to, polygon: index, edge, taken: false, next });
            }
        }
    }
    for (index, polygon) in (0u32..).zip(&*polygons) {
        let corners = &all[polygon.range()];
        for corner in 0..corners.len() {
            let (from, to) = ends(corners, corner);
            if from <= to {
                continue;
            }
            let mut at = first[to as usize];
            while let Some(other) = shared.get_mut(at as usize) {
                if other.to == from && !other.taken {
                    if other.polygon != index {
                        other.taken = true;
                        edges[other.edge as usize] = EdgeKind::Internal(index);
                        edges[polygon.first as usize + corner] = EdgeKind::Internal(other.polygon);
                    }
                    break;
                }
                at = other.next;
            }
        }
    }
}

/// Turns edges into portals if the tile's border continues beyond them; a solo mesh has no portals. Border
/// edges are sorted.
pub fn find_portals(mesh: &mut PolyMesh, border_edges: &[[u32; 2]]) {
    if mesh.grid.border == 0 {
        return;
    }
    let [width, depth] =
        [mesh.grid.inner_width(), mesh.grid.inner_depth()].map(|cells| cells as i32 * FIXED_ONE);
    for polygon in &mesh.polygons {
        let corners = &mesh.corners[polygon.range()];
        for corner in 0..corners.len() {
            let edge = polygon.first as usize + corner;
            let ends = [corners[corner], corners[next_in_ring(corner, corners.len())]];
            if mesh.edges[edge] != EdgeKind::Wall {
                continue;
            }
            let [[ax, _, az], [bx, _, bz]] = ends.map(|vertex| mesh.vertices[vertex as usize]);
            let side = match () {
                () if ax == 0 && bx == 0 => Side::XMin,
                () if az == depth && bz == depth => Side::ZMax,
                () if ax == width && bx == width => Side::XMax,
                () if az == 0 && bz == 0 => Side::ZMin,
                () => continue,
            };
            if border_edges.binary_search(&ends).is_ok() {
                mesh.edges[edge] = EdgeKind::Portal(side);
            }
        }
    }
}
