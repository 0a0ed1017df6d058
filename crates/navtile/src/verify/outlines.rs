//! Rules of the polygons' outlines: corners that are polygon vertices and make a convex polygon.

use super::{Verdict, refuse};
use crate::convex::{Chain, Flaw, flaw};
use crate::layout::Edge;
use crate::tile::View;
use navmath::predicates::Point;

pub(super) fn check(tile: &View<'_>) -> Verdict {
    let vertices = &tile.vertices[..tile.header.polygon_vertex_count as usize];
    for (index, polygon) in tile.polygons.iter().enumerate() {
        let edges = &tile.edges[polygon.edges()];
        if !is_convex(vertices, edges) {
            return refuse_outline(index, vertices, edges);
        }
    }
    Ok(())
}

/// Whether all corners exist and make a convex polygon.
#[inline(always)]
fn is_convex(vertices: &[[i32; 3]], edges: &[Edge]) -> bool {
    let corner = |edge: &Edge| vertices.get(edge.vertex as usize).map(|&[x, _, z]| [x, z]);
    let [.., before, last] = edges else { return false };
    let (Some(before), Some(last)) = (corner(before), corner(last)) else { return false };
    let mut chain = Chain::into_last(before, last);
    for edge in edges {
        let Some(corner) = corner(edge) else { return false };
        if !chain.go_to(corner) {
            return false;
        }
    }
    chain.was_convex()
}

/// Words the rule that an outline breaks.
#[cold]
fn refuse_outline(index: usize, vertices: &[[i32; 3]], edges: &[Edge]) -> Verdict {
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
            refuse("polygon-area", expected, "no area, or a polygon wound the other way")
        }
        Some(Flaw::Turn(at)) => {
            let expected = format_args!("no right turn in polygon {index}");
            refuse("polygon-convex", expected, format_args!("one at corner {at}, {:?}", corners[at]))
        }
        Some(Flaw::Winding) | None => {
            let expected = format_args!("edges of polygon {index} that go round once");
            refuse("polygon-winding", expected, "more than once")
        }
    }
}
