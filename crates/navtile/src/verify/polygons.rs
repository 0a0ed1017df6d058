//! Rules of the polygon records: ranges that follow each other without gap or overlap, areas, kinds.

use super::{Verdict, refuse};
use crate::limits::POLYGON_LIMIT;
use crate::tile::View;

pub(super) fn check(tile: &View<'_>) -> Verdict {
    let polygons = tile.polygons;
    if polygons.len() > POLYGON_LIMIT {
        return refuse("polygon-count", format_args!("at most {POLYGON_LIMIT} polygons"), polygons.len());
    }
    // In 64 bits, because the sum of all counts may exceed 32 bits.
    let mut edge = 0;
    let mut vertex = u64::from(tile.header.polygon_vertex_count);
    let mut triangle = 0;
    for (index, polygon) in polygons.iter().enumerate() {
        if polygon.edge_count < 3 {
            let expected = format_args!("3 edges or more in polygon {index}");
            return refuse("polygon-edges", expected, polygon.edge_count);
        }
        if u64::from(polygon.first_edge) != edge {
            let expected = format_args!("the edges of polygon {index} at {edge}, after those before");
            return refuse("polygon-edges", expected, polygon.first_edge);
        }
        let detail = (u64::from(polygon.first_detail_vertex), u64::from(polygon.first_detail_triangle));
        if detail != (vertex, triangle) {
            let expected = format_args!("detail of polygon {index} at vertex {vertex}, triangle {triangle}");
            return refuse("polygon-detail", expected, format_args!("{} and {}", detail.0, detail.1));
        }
        if polygon.detail_triangle_count == 0 {
            return refuse("polygon-detail", format_args!("a detail triangle in polygon {index}"), "none");
        }
        if polygon.area == 0 {
            let expected = format_args!("an area id from 1 to 255 in polygon {index}");
            return refuse("polygon-area-id", expected, 0);
        }
        if polygon.kind != 0 || polygon.reserved != 0 {
            let expected = format_args!("kind and reserved byte 0 in polygon {index}");
            return refuse(
                "polygon-kind",
                expected,
                format_args!("{} and {}", polygon.kind, polygon.reserved),
            );
        }
        edge += u64::from(polygon.edge_count);
        vertex += u64::from(polygon.detail_vertex_count);
        triangle += u64::from(polygon.detail_triangle_count);
    }
    if edge != tile.edges.len() as u64 {
        return refuse(
            "polygon-edges",
            format_args!("{edge} edges, those of all polygons"),
            tile.edges.len(),
        );
    }
    let (vertices, triangles) = (tile.vertices.len(), tile.detail_triangles.len());
    if (vertex, triangle) != (vertices as u64, triangles as u64) {
        let expected =
            format_args!("{vertex} vertices and {triangle} detail triangles, those of all polygons");
        return refuse("polygon-detail", expected, format_args!("{vertices} and {triangles}"));
    }
    Ok(())
}
