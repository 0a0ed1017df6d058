//! Rules of the edges: corners that make a convex polygon, and neighbours that refer to each other.

use super::{Verdict, refuse};
use crate::common::parts::Parts;
use navmath::predicates::{Point, area2, polygon_area2};
use navtile::layout::{Edge, edge_kind};

/// The rules of the corners.
pub(super) fn outlines(tile: &Parts) -> Verdict {
    let vertices = &tile.vertices[..tile.header.polygon_vertex_count as usize];
    for (index, polygon) in tile.polygons.iter().enumerate() {
        let mut corners: Vec<Point> = Vec::new();
        for (local, edge) in tile.edges[polygon.edges()].iter().enumerate() {
            let Some(vertex) = vertices.get(edge.vertex as usize) else {
                let expected = format!("a vertex below {} at polygon {index}, edge {local}", vertices.len());
                return refuse("edge-vertex", expected, format!("{}", edge.vertex));
            };
            corners.push([vertex[0], vertex[2]]);
        }
        convex(index, &corners)?;
    }
    Ok(())
}

/// The rules of the other side of each edge.
pub(super) fn beyond(tile: &Parts) -> Verdict {
    for (index, polygon) in tile.polygons.iter().enumerate() {
        for (local, edge) in tile.edges[polygon.edges()].iter().enumerate() {
            check_one(tile, index, local, edge)?;
        }
    }
    Ok(())
}

/// A polygon is convex if every corner turns left or runs straight on, and the directions of its edges make
/// one revolution.
fn convex(index: usize, corners: &[Point]) -> Verdict {
    let count = corners.len();
    let at = |i: usize| corners[i % count];
    if let Some(i) = (0..count).find(|&i| at(i) == at(i + 1)) {
        let expected = format!("edges of positive length seen from above in polygon {index}");
        return refuse("edge-length", expected, format!("edge {i} at {:?}", at(i)));
    }
    if polygon_area2(corners.iter().copied()) >= 0 {
        let expected = format!("positive area, the interior left of the edges, in polygon {index}");
        return refuse("polygon-area", expected, "no area, or a polygon with the opposite winding");
    }
    let direction = |i: usize| [0, 1].map(|axis| i64::from(at(i + 1)[axis]) - i64::from(at(i)[axis]));
    let turns_back = |i: usize| {
        let ([ax, az], [bx, bz]) = (direction(i).map(i128::from), direction(i + 1).map(i128::from));
        area2(at(i), at(i + 1), at(i + 2)) == 0 && ax * bx + az * bz < 0
    };
    if let Some(i) = (0..count).find(|&i| area2(at(i), at(i + 1), at(i + 2)) > 0 || turns_back(i)) {
        let expected = format!("no right turn in polygon {index}");
        return refuse(
            "polygon-convex",
            expected,
            format!("one at corner {}, {:?}", (i + 1) % count, at(i + 1)),
        );
    }
    // Each revolution to the left passes once from directions up to directions down.
    let is_up = |i: usize| matches!(direction(i), [x, z] if z < 0 || (z == 0 && x > 0));
    if (0..count).filter(|&i| is_up(i) && !is_up(i + 1)).count() != 1 {
        let expected = format!("edges of polygon {index} that make one revolution");
        return refuse("polygon-winding", expected, "more than one");
    }
    Ok(())
}

fn check_one(tile: &Parts, index: usize, local: usize, edge: &Edge) -> Verdict {
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
            let portal = tile.portals.get(edge.neighbour as usize);
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
fn twin(tile: &Parts, index: usize, local: usize, edge: &Edge) -> Verdict {
    let next = |edges: &[Edge], at: usize| edges[if at + 1 == edges.len() { 0 } else { at + 1 }].vertex;
    let other = tile.polygons.get(edge.neighbour as usize).filter(|_| edge.neighbour as usize != index);
    let Some(other) = other else {
        let expected = format!("another polygon beyond polygon {index}, edge {local}");
        return refuse("edge-neighbour", expected, format!("{}", edge.neighbour));
    };
    let mine = &tile.edges[tile.polygons[index].edges()];
    let theirs = &tile.edges[other.edges()];
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
