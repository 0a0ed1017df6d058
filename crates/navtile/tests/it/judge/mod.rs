//! A plain checker of all rules of tiles, which judges the checker used for loading: group by group, one pass
//! each, with no code in common. Fuzzing also compares tiles with it.

mod edges;
pub(crate) mod graph;
mod header;
mod portals;
mod table;
mod tree;

use crate::common::parts::Parts;
use navmath::IBox3;
use navtile::TileError;
use navtile::layout::COORD_LIMIT;
use navtile::limits::POLYGON_LIMIT;

type Verdict = Result<(), TileError>;

fn refuse<T>(
    rule: &'static str,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Result<T, TileError> {
    Err(TileError { rule, expected: expected.into(), found: found.into() })
}

/// Rules that the bytes break: of identity, header and table the first one, then the first one of each group
/// of rules whose prerequisites hold. A blob may break several rules at once, and the reader may report any
/// of them. Empty for a valid tile.
pub(crate) fn judge(bytes: &[u8]) -> Vec<TileError> {
    if let Err(error) = table::identity(bytes) {
        return vec![error];
    }
    if let Err(error) = header::check(&bytemuck::pod_read_unaligned(&bytes[..256])) {
        return vec![error];
    }
    match table::sections(bytes) {
        Err(faults) => faults,
        Ok(sections) => groups(&Parts::of_bytes(bytes, &sections)),
    }
}

fn groups(tile: &Parts) -> Vec<TileError> {
    for check in [vertices, polygons] {
        if let Err(error) = check(tile) {
            return vec![error];
        }
    }
    let outlines = edges::outlines(tile);
    let mut groups = vec![outlines.clone(), detail(tile), tree::check(tile), links(tile)];
    if outlines.is_ok() {
        groups.extend([edges::beyond(tile), portals::check(tile)]);
    }
    groups.into_iter().filter_map(Result::err).collect()
}

fn vertices(tile: &Parts) -> Verdict {
    let vertices = &tile.vertices;
    let header = &tile.header;
    if header.polygon_vertex_count as usize > vertices.len() {
        let expected = format!("at most {} polygon vertices, the number of all vertices", vertices.len());
        return refuse("polygon-vertex-count", expected, format!("{}", header.polygon_vertex_count));
    }
    let bounds = IBox3::around(vertices.iter().copied());
    let bounds = if vertices.is_empty() { IBox3 { min: [0; 3], max: [0; 3] } } else { bounds };
    let range = -COORD_LIMIT..=COORD_LIMIT;
    if !bounds.min.iter().chain(&bounds.max).all(|value| range.contains(value)) {
        let expected = format!("vertices within {COORD_LIMIT} of zero");
        return refuse("vertex-range", expected, format!("{:?} to {:?}", bounds.min, bounds.max));
    }
    if (header.bounds_min, header.bounds_max) != (bounds.min, bounds.max) {
        let expected = format!("the bounds of the vertices, {:?} to {:?}", bounds.min, bounds.max);
        return refuse("bounds", expected, format!("{:?} to {:?}", header.bounds_min, header.bounds_max));
    }
    Ok(())
}

fn polygons(tile: &Parts) -> Verdict {
    let polygons = &tile.polygons;
    if polygons.len() > POLYGON_LIMIT {
        let expected = format!("at most {POLYGON_LIMIT} polygons");
        return refuse("polygon-count", expected, format!("{}", polygons.len()));
    }
    let mut edge = 0;
    let mut vertex = u64::from(tile.header.polygon_vertex_count);
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
    if edge != tile.edges.len() as u64 {
        return refuse(
            "polygon-edges",
            format!("{edge} edges, those of all polygons"),
            format!("{}", tile.edges.len()),
        );
    }
    let found = (tile.vertices.len() as u64, tile.triangles.len() as u64);
    if (vertex, triangle) != found {
        let expected = format!("{vertex} vertices and {triangle} detail triangles, those of all polygons");
        return refuse("polygon-detail", expected, format!("{} and {}", found.0, found.1));
    }
    Ok(())
}

fn detail(tile: &Parts) -> Verdict {
    for (index, polygon) in tile.polygons.iter().enumerate() {
        let count = usize::from(polygon.edge_count) + usize::from(polygon.detail_vertex_count);
        for (local, triangle) in tile.triangles[polygon.detail_triangles()].iter().enumerate() {
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

fn links(tile: &Parts) -> Verdict {
    for (index, link) in tile.links.iter().enumerate() {
        if let Some((rule, expected, found)) = flaw(link) {
            return refuse(rule, format!("{expected} in off-mesh link {index}"), found);
        }
    }
    Ok(())
}

/// The rule that a link breaks, with the expected and the found value.
fn flaw(link: &navtile::layout::OffMeshLink) -> Option<(&'static str, String, String)> {
    let range = -COORD_LIMIT..=COORD_LIMIT;
    if !link.start.iter().chain(&link.end).all(|value| range.contains(value)) {
        let expected = format!("ends within {COORD_LIMIT} of zero");
        return Some(("link-range", expected, format!("{:?} to {:?}", link.start, link.end)));
    }
    if !(1..=COORD_LIMIT).contains(&link.radius) {
        return Some((
            "link-radius",
            format!("a radius from 1 to {COORD_LIMIT}"),
            format!("{}", link.radius),
        ));
    }
    if link.area == 0 {
        return Some(("link-area-id", "an area id from 1 to 255".into(), "0".into()));
    }
    if link.direction > 1 {
        return Some(("link-direction", "direction 0 or 1".into(), format!("{}", link.direction)));
    }
    let far =
        |a: i32, b: i32| !range.contains(&b) || (i64::from(a) + i64::from(b)).abs() > i64::from(COORD_LIMIT);
    if [link.start, link.end].iter().any(|end| far(end[0], link.along[0]) || far(end[2], link.along[1])) {
        let expected = format!("edges within {COORD_LIMIT} of zero, and no longer than that");
        return Some(("link-along", expected, format!("{:?}", link.along)));
    }
    if link.reserved != 0 {
        return Some(("link-reserved", "zero in the reserved field".into(), "other bytes".into()));
    }
    None
}
