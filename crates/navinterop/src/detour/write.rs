//! Writes the bytes of a tile.

use super::tile::{DetourPolygon, DetourTile, MAGIC, VERSION, starts};
use crate::bytes::Writer;
use crate::encoding::Encoding;
use navmath::{LimitError, limit};

const SMALLER_TILES: &str = "bake in tiles, or in smaller ones";

/// The bytes of a tile. Links, and each polygon's first link, are zeros: the runtime builds them.
///
/// Errors: more than 2^31 - 1 bytes, which the format cannot represent.
pub fn write(tile: &DetourTile, encoding: Encoding) -> Result<Vec<u8>, LimitError> {
    let starts = starts(tile.counts(), encoding.width);
    let length = starts[8];
    limit::check("bytes of a Detour tile", length, i32::MAX as u64, SMALLER_TILES)?;
    let mut out = Writer::new(encoding.order);
    out.bytes.reserve_exact(length as usize);
    header(&mut out, tile);
    tile.vertices.iter().for_each(|vertex| out.f32s(vertex));
    tile.polygons.iter().for_each(|each| polygon(&mut out, each));
    out.zeros((starts[3] - starts[2]) as usize);
    for mesh in &tile.detail_meshes {
        out.u32s(&[mesh.first_vertex, mesh.first_triangle]);
        out.u8s(&[mesh.vertex_count, mesh.triangle_count, 0, 0]);
    }
    tile.detail_vertices.iter().for_each(|vertex| out.f32s(vertex));
    tile.detail_triangles.iter().for_each(|triangle| out.u8s(triangle));
    for node in &tile.bv_nodes {
        out.u16s(&node.min);
        out.u16s(&node.max);
        out.i32s(&[node.index]);
    }
    for connection in &tile.off_mesh_connections {
        out.f32s(&connection.start);
        out.f32s(&connection.end);
        out.f32s(&[connection.radius]);
        out.u16s(&[connection.polygon]);
        out.u8s(&[connection.flags, connection.side]);
        out.u32s(&[connection.user_id]);
    }
    Ok(out.bytes)
}

fn header(out: &mut Writer, tile: &DetourTile) {
    out.u32s(&[MAGIC]);
    out.i32s(&[VERSION, tile.x, tile.y, tile.layer]);
    let [vertices, polygons, links, rest @ ..] = tile.counts();
    // Each takes four bytes or more of a length that is below 2^31.
    out.u32s(&[tile.user_id]);
    out.u32s(&[polygons, vertices, links].map(|count| count as u32));
    out.u32s(&rest.map(|count: u64| count as u32));
    out.u32s(&[tile.off_mesh_base]);
    out.f32s(&[tile.walkable_height, tile.walkable_radius, tile.walkable_climb]);
    out.f32s(&tile.bounds_min);
    out.f32s(&tile.bounds_max);
    out.f32s(&[tile.bv_quant_factor]);
}

fn polygon(out: &mut Writer, polygon: &DetourPolygon) {
    out.u32s(&[0]);
    out.u16s(&polygon.vertices);
    out.u16s(&polygon.neighbours);
    out.u16s(&[polygon.flags]);
    out.u8s(&[polygon.corner_count, polygon.area | u8::from(polygon.off_mesh) << 6]);
}
