//! Rules of the polygons' surfaces: corners that make a convex polygon, detail triangles of three different
//! vertices, and everything within the box of the polygon's leaf.

use super::boxes::{Leaf, Region, quantise, slot_box};
use super::{Verdict, refuse};
use crate::convex::{Chain, Flaw, flaw};
use crate::layout::Edge;
use crate::tile::View;
use navmath::IBox3;
use navmath::predicates::Point;

/// Checks a polygon against the box of its leaf, if the tree leads to it. Its ranges have been checked.
#[inline(always)]
pub(super) fn check(tile: &View<'_>, index: usize, leaf: Option<Leaf<'_>>) -> Verdict {
    let polygon = &tile.polygons[index];
    let edges = &tile.edges[polygon.edges()];
    let vertices = &tile.vertices[polygon.detail_vertices()];
    let region = leaf.map_or(Region::ALL, |leaf| Region::of(tile.header, leaf));
    if !outline_is_sound(tile, edges, &region) {
        return refuse_outline(tile, index, edges, leaf);
    }
    let count = u32::from(polygon.edge_count) + u32::from(polygon.detail_vertex_count);
    for (local, triangle) in tile.detail_triangles[polygon.detail_triangles()].iter().enumerate() {
        let [a, b, c] = triangle.vertices;
        if u32::from(a.max(b).max(c)) >= count || a == b || b == c || c == a {
            let place = format_args!("polygon {index}, detail triangle {local}");
            let expected = format_args!("three different vertices below {count} in {place}");
            return refuse("detail-vertices", expected, format_args!("{:?}", triangle.vertices));
        }
        if triangle.boundary > 0b111 {
            let expected = format_args!("three boundary bits in polygon {index}, detail triangle {local}");
            return refuse("detail-boundary", expected, format_args!("{:#b}", triangle.boundary));
        }
    }
    match vertices.iter().all(|vertex| region.contains(vertex)) {
        true => Ok(()),
        false => refuse_bounds(tile, index, leaf),
    }
}

/// Returns true if all corners exist, are within the region and make a convex polygon. Each corner is looked
/// up once.
#[inline(always)]
fn outline_is_sound(tile: &View<'_>, edges: &[Edge], region: &Region) -> bool {
    let corners = &tile.vertices[..tile.header.polygon_vertex_count as usize];
    let corner = |edge: &Edge| corners.get(edge.vertex as usize);
    let [.., before, last] = edges else { return false };
    let (Some(&[a_x, _, a_z]), Some(&[b_x, _, b_z])) = (corner(before), corner(last)) else { return false };
    let mut chain = Chain::into_last([a_x, a_z], [b_x, b_z]);
    for edge in edges {
        let Some(position) = corner(edge) else { return false };
        if !region.contains(position) || !chain.go_to([position[0], position[2]]) {
            return false;
        }
    }
    chain.was_convex()
}

/// Makes the error for the rule that an outline breaks.
#[cold]
fn refuse_outline(tile: &View<'_>, index: usize, edges: &[Edge], leaf: Option<Leaf<'_>>) -> Verdict {
    let vertices = &tile.vertices[..tile.header.polygon_vertex_count as usize];
    let mut corners: Vec<Point> = Vec::with_capacity(edges.len());
    for (local, edge) in edges.iter().enumerate() {
        let Some(&[x, _, z]) = vertices.get(edge.vertex as usize) else {
            let count = vertices.len();
            let expected = format_args!("a vertex below {count} at polygon {index}, edge {local}");
            return refuse("edge-vertex", expected, edge.vertex);
        };
        corners.push([x, z]);
    }
    match flaw(&corners) {
        Some(Flaw::Length(at)) => {
            let expected = format_args!("edges of positive length seen from above in polygon {index}");
            refuse("edge-length", expected, format_args!("edge {at} at {:?}", corners[at]))
        }
        Some(Flaw::Area) => {
            let expected = format_args!("positive area, the interior left of the edges, in polygon {index}");
            refuse("polygon-area", expected, "no area, or a polygon with the opposite winding")
        }
        Some(Flaw::Turn(at)) => {
            let expected = format_args!("no right turn in polygon {index}");
            refuse("polygon-convex", expected, format_args!("one at corner {at}, {:?}", corners[at]))
        }
        Some(Flaw::Winding) => {
            let expected = format_args!("edges of polygon {index} that make one revolution");
            refuse("polygon-winding", expected, "more than one")
        }
        None => refuse_bounds(tile, index, leaf),
    }
}

/// Makes the error for a polygon that reaches out of the box of its leaf.
#[cold]
fn refuse_bounds(tile: &View<'_>, index: usize, leaf: Option<Leaf<'_>>) -> Verdict {
    let View { header, vertices, edges, .. } = *tile;
    let polygon = &tile.polygons[index];
    let corners = edges[polygon.edges()].iter().map(|edge| vertices[edge.vertex as usize]);
    let bounds = IBox3::around(corners.chain(vertices[polygon.detail_vertices()].iter().copied()));
    let bounds = quantise(bounds, header.bounds_min, header.bv_shift);
    let expected = format_args!("bounds of polygon {index} around {bounds:?}");
    refuse(
        "bv-bounds",
        expected,
        format_args!("{:?}", leaf.map(|(node, slot)| slot_box(node, slot)).unwrap_or_default()),
    )
}
