//! Rules of the vertices: within the limit, and the header's bounds exactly around them.

use super::{Verdict, refuse};
use crate::layout::COORD_LIMIT;
use crate::tile::View;
use navmath::IBox3;

pub(super) fn check(tile: &View<'_>) -> Verdict {
    let View { header, vertices, .. } = *tile;
    if header.polygon_vertex_count as usize > vertices.len() {
        let expected =
            format_args!("at most {} polygon vertices, the number of all vertices", vertices.len());
        return refuse("polygon-vertex-count", expected, header.polygon_vertex_count);
    }
    let bounds = match vertices.is_empty() {
        true => IBox3 { min: [0; 3], max: [0; 3] },
        false => IBox3::around(vertices.iter().copied()),
    };
    let range = -COORD_LIMIT..=COORD_LIMIT;
    if !bounds.min.iter().chain(&bounds.max).all(|value| range.contains(value)) {
        let expected = format_args!("vertices within {COORD_LIMIT} of zero");
        return refuse("vertex-range", expected, format_args!("{:?} to {:?}", bounds.min, bounds.max));
    }
    if (header.bounds_min, header.bounds_max) != (bounds.min, bounds.max) {
        let expected = format_args!("the bounds of the vertices, {:?} to {:?}", bounds.min, bounds.max);
        let found = format_args!("{:?} to {:?}", header.bounds_min, header.bounds_max);
        return refuse("bounds", expected, found);
    }
    Ok(())
}
