//! Rules of the detail triangles: three different vertices of their polygon.

use super::{Verdict, refuse};
use crate::tile::View;

pub(super) fn check(tile: &View<'_>) -> Verdict {
    for (index, polygon) in tile.polygons.iter().enumerate() {
        let count = u32::from(polygon.edge_count) + u32::from(polygon.detail_vertex_count);
        for (local, triangle) in tile.detail_triangles[polygon.detail_triangles()].iter().enumerate() {
            let [a, b, c] = triangle.vertices;
            if u32::from(a.max(b).max(c)) >= count || a == b || b == c || c == a {
                let place = format_args!("polygon {index}, detail triangle {local}");
                let expected = format_args!("three different vertices below {count} in {place}");
                return refuse("detail-vertices", expected, format_args!("{:?}", triangle.vertices));
            }
            if triangle.boundary > 0b111 {
                let expected =
                    format_args!("three boundary bits in polygon {index}, detail triangle {local}");
                return refuse("detail-boundary", expected, format_args!("{:#b}", triangle.boundary));
            }
        }
    }
    Ok(())
}
