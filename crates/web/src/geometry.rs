//! The mesh as arrays: triangles for a BufferGeometry, and lines.

use crate::convert::{Answer, floats, object};
use detour::NavMesh;
use js_sys::{BigUint64Array, Uint8Array, Uint32Array};
use navtile::layout::{Polygon, edge_kind};
use navtile::{LinkKind, Tile};
use wasm_bindgen::prelude::JsValue;

/// The detail mesh. Polygons do not share vertices, so that each has its own area and island.
pub(crate) fn triangles(mesh: &NavMesh) -> Answer<JsValue> {
    let islands = mesh.islands();
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    let (mut areas, mut of_island, mut polygons) = (Vec::new(), Vec::new(), Vec::new());
    for tile in mesh.tiles() {
        for (index, polygon) in tile.polygons().iter().enumerate() {
            let Some(reference) = mesh.reference(tile.coord(), index as u32) else { continue };
            let area = mesh.attributes(reference).map_or(polygon.area, |attributes| attributes.area);
            let island = islands.of(reference).map_or(u32::MAX, |island| island as u32);
            let first = positions.len() as u32;
            let corners = u16::from(polygon.edge_count) + polygon.detail_vertex_count;
            positions.extend((0..corners).map(|local| corner(tile, polygon, local)));
            areas.resize(positions.len(), area);
            of_island.resize(positions.len(), island);
            for triangle in tile.polygon_detail_triangles(polygon) {
                let [a, b, c] = triangle.vertices;
                let flat = [a, b, c].map(|local| {
                    let [x, _, z] = tile.vertices()[tile.detail_vertex_index(polygon, local)];
                    [i64::from(x), i64::from(z)]
                });
                let turn = (flat[1][0] - flat[0][0]) * (flat[2][1] - flat[0][1])
                    - (flat[2][0] - flat[0][0]) * (flat[1][1] - flat[0][1]);
                // With z to the south, counter-clockwise from above has the opposite sign.
                let ordered = if turn > 0 { [a, c, b] } else { [a, b, c] };
                indices.extend(ordered.map(|local| first + u32::from(local)));
                polygons.push(reference.to_bits());
            }
        }
    }
    Ok(object(&[
        ("positions", floats(positions).into()),
        ("indices", Uint32Array::from(indices.as_slice()).into()),
        ("areas", Uint8Array::from(areas.as_slice()).into()),
        ("islands", Uint32Array::from(of_island.as_slice()).into()),
        ("polygons", BigUint64Array::from(polygons.as_slice()).into()),
    ]))
}

/// A corner of a polygon's detail mesh, world metres.
fn corner(tile: &Tile, polygon: &Polygon, local: u16) -> [f64; 3] {
    tile.to_world(tile.vertices()[tile.detail_vertex_index(polygon, local)])
}

/// Edges by kind, and off-mesh links.
pub(crate) fn lines(mesh: &NavMesh) -> Answer<JsValue> {
    let [mut inner, mut border, mut seams] = [const { Vec::new() }; 3];
    for tile in mesh.tiles() {
        for (index, polygon) in tile.polygons().iter().enumerate() {
            let edges = tile.polygon_edges(polygon);
            for (at, edge) in edges.iter().enumerate() {
                let next = &edges[(at + 1) % edges.len()];
                let ends = [edge, next].map(|edge| tile.to_world(tile.vertices()[edge.vertex as usize]));
                match edge.kind {
                    edge_kind::WALL => border.extend(ends),
                    edge_kind::PORTAL => seams.extend(ends),
                    // Each inner edge is drawn once.
                    _ if edge.neighbour as usize > index => inner.extend(ends),
                    _ => {}
                }
            }
        }
    }
    let (mut links, mut link_edges) = (Vec::new(), Vec::new());
    // The kind of each pair of points in both lists: 0 for the user's own link, or 1 + the kind of a
    // generated one.
    let (mut kinds, mut edge_kinds): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    for link in mesh.off_mesh_links() {
        // Links that are not joined to the mesh lead nowhere.
        let Ok(link) = mesh.off_mesh(link) else { continue };
        let kind = LinkKind::of_user_id(link.user_id).map_or(0, |(kind, _)| 1 + kind as u8);
        if let Some([start, end]) = link.edges() {
            kinds.push(kind);
            links.extend([start[0], end[0]].map(|point| mesh.to_world(point)));
            if start[0] != start[1] {
                kinds.push(kind);
                edge_kinds.extend([kind; 2]);
                links.extend([start[1], end[1]].map(|point| mesh.to_world(point)));
                link_edges.extend([start, end].as_flattened().iter().map(|point| mesh.to_world(*point)));
            }
        }
    }
    Ok(object(&[
        ("inner", floats(inner).into()),
        ("border", floats(border).into()),
        ("seams", floats(seams).into()),
        ("links", floats(links).into()),
        ("linkEdges", floats(link_edges).into()),
        ("linkKinds", Uint8Array::from(kinds.as_slice()).into()),
        ("linkEdgeKinds", Uint8Array::from(edge_kinds.as_slice()).into()),
    ]))
}
