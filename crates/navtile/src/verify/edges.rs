//! Rules of the edges: corners that make a convex polygon, and neighbours that know each other.

use super::{Verdict, refuse};
use crate::convex::{Flaw, flaw};
use crate::layout::{Edge, edge_kind};
use crate::tile::View;
use navmath::predicates::Point;

pub(super) fn check(tile: &View<'_>) -> Verdict {
    let vertices = &tile.vertices()[..tile.header().polygon_vertex_count as usize];
    let mut corners: [Point; u8::MAX as usize] = [[0; 2]; u8::MAX as usize];
    for (index, polygon) in tile.polygons().iter().enumerate() {
        let edges = tile.polygon_edges(polygon);
        for (local, edge) in edges.iter().enumerate() {
            let Some(vertex) = vertices.get(edge.vertex as usize) else {
                let expected = format!("a vertex below {} at polygon {index}, edge {local}", vertices.len());
                return refuse("edge-vertex", expected, format!("{}", edge.vertex));
            };
            corners[local] = [vertex[0], vertex[2]];
        }
        convex(index, &corners[..edges.len()])?;
    }
    for (index, polygon) in tile.polygons().iter().enumerate() {
        for (local, edge) in tile.polygon_edges(polygon).iter().enumerate() {
            beyond(tile, index, local, edge)?;
        }
    }
    Ok(())
}

fn convex(index: usize, corners: &[Point]) -> Verdict {
    match flaw(corners) {
        None => Ok(()),
        Some(Flaw::Length(at)) => {
            let expected = format!("edges of positive length seen from above in polygon {index}");
            refuse("edge-length", expected, format!("edge {at} at {:?}", corners[at]))
        }
        Some(Flaw::Area) => {
            let expected = format!("positive area, the interior left of the edges, in polygon {index}");
            refuse("polygon-area", expected, "no area, or a polygon wound the other way")
        }
        Some(Flaw::Turn(at)) => {
            let expected = format!("no right turn in polygon {index}");
            refuse("polygon-convex", expected, format!("one at corner {at}, {:?}", corners[at]))
        }
        Some(Flaw::Winding) => {
            let expected = format!("edges of polygon {index} that go round once");
            refuse("polygon-winding", expected, "more than once")
        }
    }
}

fn beyond(tile: &View<'_>, index: usize, local: usize, edge: &Edge) -> Verdict {
    if edge.reserved != 0 || (edge.kind != edge_kind::INTERNAL && edge.twin != 0) {
        let expected = format!("zeros in the unused fields of polygon {index}, edge {local}");
        return refuse("edge-reserved", expected, format!("twin {}, reserved {}", edge.twin, edge.reserved));
    }
    match edge.kind {
        edge_kind::WALL if edge.neighbour == 0 => Ok(()),
        edge_kind::WALL => {
            let expected = format!("no neighbour beyond the wall at polygon {index}, edge {local}");
            refuse("edge-wall", expected, format!("{}", edge.neighbour))
        }
        edge_kind::INTERNAL => twin(tile, index, local, edge),
        edge_kind::PORTAL => {
            let portal = tile.portals().get(edge.neighbour as usize);
            if portal
                .is_some_and(|portal| (portal.polygon as usize, usize::from(portal.edge)) == (index, local))
            {
                return Ok(());
            }
            let expected = format!("a portal of polygon {index}, edge {local}");
            refuse("edge-portal", expected, format!("portal {}: {portal:?}", edge.neighbour))
        }
        kind => {
            let expected = format!("a kind from 0 to 2 at polygon {index}, edge {local}");
            refuse("edge-kind", expected, format!("{kind}"))
        }
    }
}

/// The edge's twin must exist in another polygon, point back, and run between the same vertices.
fn twin(tile: &View<'_>, index: usize, local: usize, edge: &Edge) -> Verdict {
    let next = |edges: &[Edge], at: usize| edges[if at + 1 == edges.len() { 0 } else { at + 1 }].vertex;
    let other = tile.polygons().get(edge.neighbour as usize).filter(|_| edge.neighbour as usize != index);
    let Some(other) = other else {
        let expected = format!("another polygon beyond polygon {index}, edge {local}");
        return refuse("edge-neighbour", expected, format!("{}", edge.neighbour));
    };
    let mine = tile.polygon_edges(&tile.polygons()[index]);
    let theirs = tile.polygon_edges(other);
    let at = usize::from(edge.twin);
    let back = theirs.get(at);
    let mutual = back.is_some_and(|back| {
        back.kind == edge_kind::INTERNAL
            && (back.neighbour as usize, usize::from(back.twin)) == (index, local)
            && (back.vertex, next(theirs, at)) == (next(mine, local), edge.vertex)
    });
    if !mutual {
        let expected = format!(
            "edge {at} of polygon {} to be the twin of polygon {index}, edge {local}",
            edge.neighbour
        );
        return refuse("edge-twin", expected, format!("{back:?}"));
    }
    Ok(())
}
