//! Rules of the detail triangles: three different vertices of their polygon.

use super::{Verdict, refuse};
use crate::tile::View;

pub(super) fn check(tile: &View<'_>) -> Verdict {
    for (index, polygon) in tile.polygons().iter().enumerate() {
        let count = usize::from(polygon.edge_count) + usize::from(polygon.detail_vertex_count);
        for (local, triangle) in tile.polygon_detail_triangles(polygon).iter().enumerate() {
            let [a, b, c] = triangle.vertices;
            if [a, b, c].iter().any(|vertex| usize::from(*vertex) >= count) || a == b || b == c || c == a {
                let expected = format!(
                    "three different vertices below {count} in polygon {index}, detail triangle {local}"
                );
                return refuse("detail-vertices", expected, format!("{:?}", triangle.vertices));
            }
            if triangle.boundary > 0b111 {
                let expected = format!("three boundary bits in polygon {index}, detail triangle {local}");
                return refuse("detail-boundary", expected, format!("{:#b}", triangle.boundary));
            }
        }
    }
    Ok(())
}
