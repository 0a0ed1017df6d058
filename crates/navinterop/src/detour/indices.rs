//! Checks the indices of a tile: each must refer to an existing element, or it is refused with its place.

use super::tile::{
    BV_NODE, CONNECTION, DETAIL_MESH, DETAIL_TRIANGLE, DetourTile, EXTERNAL, MAX_CORNERS, POLYGON, starts,
};
use crate::encoding::RefWidth;
use crate::error::{FormatError, refuse};

type Verdict = Result<(), FormatError>;

/// Checks every index of a tile that starts at `start` in its file.
pub(super) fn check(tile: &DetourTile, start: u64, width: RefWidth) -> Verdict {
    let starts = starts(tile.counts(), width).map(|at| start + at);
    let [_, polygons_at, _, meshes_at, _, triangles_at, nodes_at, connections_at, _] = starts;
    polygons(tile, polygons_at)?;
    detail_meshes(tile, meshes_at, triangles_at)?;
    bv_nodes(tile, nodes_at)?;
    connections(tile, connections_at)
}

fn polygons(tile: &DetourTile, place: u64) -> Verdict {
    for (index, polygon) in tile.polygons.iter().enumerate() {
        let at = place + index as u64 * POLYGON;
        let count = usize::from(polygon.corner_count);
        let allowed = if polygon.off_mesh { 2..=2 } else { 3..=MAX_CORNERS };
        if !allowed.contains(&count) {
            let what = format!("corners of polygon {index}");
            return refuse(what, at + 30, format!("{} to {}", allowed.start(), allowed.end()), count);
        }
        for (corner, &vertex) in polygon.vertices[..count].iter().enumerate() {
            if usize::from(vertex) >= tile.vertices.len() {
                let what = format!("corner {corner} of polygon {index}");
                let expected = format!("a vertex below {}", tile.vertices.len());
                return refuse(what, at + 4 + 2 * corner as u64, expected, vertex);
            }
        }
        for (edge, &neighbour) in polygon.neighbours[..count].iter().enumerate() {
            if neighbour & EXTERNAL == 0 && usize::from(neighbour) > tile.polygons.len() {
                let what = format!("neighbour beyond edge {edge} of polygon {index}");
                let expected = format!("a polygon below {}, plus 1", tile.polygons.len());
                return refuse(what, at + 16 + 2 * edge as u64, expected, neighbour);
            }
        }
    }
    Ok(())
}

fn detail_meshes(tile: &DetourTile, place: u64, triangles_place: u64) -> Verdict {
    // The polygons of off-mesh connections follow those of the ground and have no detail.
    let ground = tile.polygons.iter().rposition(|polygon| !polygon.off_mesh).map_or(0, |last| last + 1);
    let count = tile.detail_meshes.len();
    if count != 0 && !(ground..=tile.polygons.len()).contains(&count) {
        return refuse("detail meshes", place, format!("one per polygon, {ground}, or none"), count);
    }
    for (index, (mesh, polygon)) in tile.detail_meshes.iter().zip(&tile.polygons).enumerate() {
        let at = place + index as u64 * DETAIL_MESH;
        let vertices = u64::from(mesh.first_vertex) + u64::from(mesh.vertex_count);
        if vertices > tile.detail_vertices.len() as u64 {
            let expected = format!("vertices within {}", tile.detail_vertices.len());
            return refuse(format!("detail mesh {index}"), at, expected, format!("up to {vertices}"));
        }
        let end = u64::from(mesh.first_triangle) + u64::from(mesh.triangle_count);
        if end > tile.detail_triangles.len() as u64 {
            let expected = format!("triangles within {}", tile.detail_triangles.len());
            return refuse(format!("detail mesh {index}"), at + 4, expected, format!("up to {end}"));
        }
        let local = usize::from(polygon.corner_count) + usize::from(mesh.vertex_count);
        for number in mesh.first_triangle as usize..end as usize {
            let triangle = tile.detail_triangles[number];
            if triangle[..3].iter().any(|&vertex| usize::from(vertex) >= local) {
                let what = format!("detail triangle {number} of polygon {index}");
                let offset = triangles_place + number as u64 * DETAIL_TRIANGLE;
                return refuse(
                    what,
                    offset,
                    format!("vertices below {local}"),
                    format!("{:?}", &triangle[..3]),
                );
            }
        }
    }
    Ok(())
}

fn bv_nodes(tile: &DetourTile, place: u64) -> Verdict {
    for (index, node) in tile.bv_nodes.iter().enumerate() {
        // A leaf's polygon, or the node that follows the subtree.
        let (target, below, what) = match usize::try_from(node.index) {
            Ok(polygon) => (polygon, tile.polygons.len(), "polygon"),
            Err(_) => (
                index.saturating_add(node.index.unsigned_abs() as usize),
                tile.bv_nodes.len() + 1,
                "node to skip to",
            ),
        };
        if target >= below {
            let offset = place + index as u64 * BV_NODE + 12;
            let expected = format!("a {what} below {below}");
            return refuse(format!("BV node {index}"), offset, expected, target);
        }
    }
    Ok(())
}

fn connections(tile: &DetourTile, place: u64) -> Verdict {
    for (index, connection) in tile.off_mesh_connections.iter().enumerate() {
        let polygon = tile.polygons.get(usize::from(connection.polygon));
        if !polygon.is_some_and(|polygon| polygon.off_mesh) {
            let offset = place + index as u64 * CONNECTION + 28;
            let expected = "a polygon that represents an off-mesh connection";
            let found = format!("polygon {} of {}", connection.polygon, tile.polygons.len());
            return refuse(format!("off-mesh connection {index}"), offset, expected, found);
        }
    }
    Ok(())
}
