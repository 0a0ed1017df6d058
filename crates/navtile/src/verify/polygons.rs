//! Rules of the polygon records: ranges that follow each other without gap or overlap, areas, kinds.

use super::{Verdict, refuse};
use crate::limits::POLYGON_LIMIT;
use crate::tile::View;

pub(super) fn check(tile: &View<'_>) -> Verdict {
    let polygons = tile.polygons();
    if polygons.len() > POLYGON_LIMIT {
        let expected = format!("at most {POLYGON_LIMIT} polygons");
        return refuse("polygon-count", expected, format!("{}", polygons.len()));
    }
    // Counts of all polygons are more than the pointers of some machines have bits for.
    let mut edge = 0;
    let mut vertex = u64::from(tile.header().polygon_vertex_count);
    let mut triangle = 0;
    for (index, polygon) in polygons.iter().enumerate() {
        if polygon.edge_count < 3 {
            return refuse(
                "polygon-edges",
                format!("3 edges or more in polygon {index}"),
                format!("{}", polygon.edge_count),
            );
        }
        if u64::from(polygon.first_edge) != edge {
            let expected = format!("the edges of polygon {index} at {edge}, after those before");
            return refuse("polygon-edges", expected, format!("{}", polygon.first_edge));
        }
        if (u64::from(polygon.first_detail_vertex), u64::from(polygon.first_detail_triangle))
            != (vertex, triangle)
        {
            let expected = format!("detail of polygon {index} at vertex {vertex}, triangle {triangle}");
            let found = format!("{} and {}", polygon.first_detail_vertex, polygon.first_detail_triangle);
            return refuse("polygon-detail", expected, found);
        }
        if polygon.detail_triangle_count == 0 {
            return refuse("polygon-detail", format!("a detail triangle in polygon {index}"), "none");
        }
        if polygon.area == 0 {
            return refuse("polygon-area-id", format!("an area id from 1 to 255 in polygon {index}"), "0");
        }
        if polygon.kind != 0 || polygon.reserved != 0 {
            let found = format!("{} and {}", polygon.kind, polygon.reserved);
            return refuse("polygon-kind", format!("kind and reserved byte 0 in polygon {index}"), found);
        }
        edge += u64::from(polygon.edge_count);
        vertex += u64::from(polygon.detail_vertex_count);
        triangle += u64::from(polygon.detail_triangle_count);
    }
    if edge != tile.edges().len() as u64 {
        return refuse(
            "polygon-edges",
            format!("{edge} edges, those of all polygons"),
            format!("{}", tile.edges().len()),
        );
    }
    let found = (tile.vertices().len() as u64, tile.detail_triangles().len() as u64);
    if (vertex, triangle) != found {
        let expected = format!("{vertex} vertices and {triangle} detail triangles, those of all polygons");
        return refuse("polygon-detail", expected, format!("{} and {}", found.0, found.1));
    }
    Ok(())
}
