//! Who is next to whom: edges are paired by their vertices; edges on the tile's border become portals.

use crate::data::{EdgeKind, PolyMesh, Side};

struct SharedEdge {
    /// The larger vertex; the smaller one is where the list hangs.
    to: u32,
    polygon: u32,
    /// Index into `PolyMesh::edges`.
    edge: usize,
    taken: bool,
    next: Option<usize>,
}

/// Pairs each edge with the one that runs the other way between the same vertices.
pub(crate) fn connect(mesh: &mut PolyMesh) {
    let mut first: Vec<Option<usize>> = vec![None; mesh.vertices.len()];
    let mut shared: Vec<SharedEdge> = Vec::with_capacity(mesh.corners.len() / 2);
    let ends = |corners: &[u32], corner: usize| {
        (corners[corner], corners[if corner + 1 < corners.len() { corner + 1 } else { 0 }])
    };
    for (index, polygon) in mesh.polygons.iter().enumerate() {
        let corners = mesh.polygon_corners(polygon);
        for corner in 0..corners.len() {
            let (from, to) = ends(corners, corner);
            if from < to {
                let next = first[from as usize].replace(shared.len());
                let edge = polygon.first as usize + corner;
                shared.push(SharedEdge { to, polygon: index as u32, edge, taken: false, next });
            }
        }
    }
    let mut pairs: Vec<(usize, u32, usize, u32)> = Vec::with_capacity(shared.len());
    for (index, polygon) in mesh.polygons.iter().enumerate() {
        let corners = mesh.polygon_corners(polygon);
        for corner in 0..corners.len() {
            let (from, to) = ends(corners, corner);
            if from <= to {
                continue;
            }
            let mut at = first[to as usize];
            while let Some(candidate) = at {
                let other = &mut shared[candidate];
                if other.to == from && !other.taken {
                    // A polygon that touches itself is no neighbour of its own.
                    if other.polygon != index as u32 {
                        other.taken = true;
                        pairs.push((
                            other.edge,
                            other.polygon,
                            polygon.first as usize + corner,
                            index as u32,
                        ));
                    }
                    break;
                }
                at = other.next;
            }
        }
    }
    for (edge, polygon, twin, neighbour) in pairs {
        mesh.edges[edge] = EdgeKind::Internal(neighbour);
        mesh.edges[twin] = EdgeKind::Internal(polygon);
    }
}

/// Turns edges beyond which the tile's border goes on into portals; a solo mesh has none. Border edges are
/// sorted.
pub(super) fn find_portals(mesh: &mut PolyMesh, border_edges: &[[u32; 2]]) {
    if mesh.grid.border == 0 {
        return;
    }
    let (width, depth) = (mesh.grid.inner_width() as i32, mesh.grid.inner_depth() as i32);
    for polygon in &mesh.polygons {
        let corners = &mesh.corners[polygon.range()];
        for corner in 0..corners.len() {
            let edge = polygon.first as usize + corner;
            let ends = [corners[corner], corners[(corner + 1) % corners.len()]];
            if mesh.edges[edge] != EdgeKind::Wall || border_edges.binary_search(&ends).is_err() {
                continue;
            }
            let [[ax, _, az], [bx, _, bz]] = ends.map(|vertex| mesh.vertices[vertex as usize]);
            let side = match () {
                () if ax == 0 && bx == 0 => Some(Side::XMin),
                () if az == depth && bz == depth => Some(Side::ZMax),
                () if ax == width && bx == width => Some(Side::XMax),
                () if az == 0 && bz == 0 => Some(Side::ZMin),
                () => None,
            };
            if let Some(side) = side {
                mesh.edges[edge] = EdgeKind::Portal(side);
            }
        }
    }
}
