//! Rules of the portals: each belongs to an edge on the tile's border, and they are in merge-join order.

use super::edges::{self, place};
use super::{Verdict, refuse};
use crate::border::{Crowd, crowd, portal_ends, portal_key};
use crate::layout::{Edge, Portal, edge_kind};
use crate::limits::PORTAL_STACK_LIMIT;
use crate::tile::View;

pub(super) fn check(tile: &View<'_>) -> Verdict {
    for (index, portal) in tile.portals.iter().enumerate() {
        check_one(tile, index, portal)?;
    }
    // Side and start decide the order of nearly all portals.
    let along = |portal: &Portal| (i64::from(portal.side) << 32) + i64::from(portal.start);
    let unsorted = |[a, b]: &[Portal; 2]| along(a) >= along(b) && portal_key(a) >= portal_key(b);
    if let Some(at) = tile.portals.array_windows().position(unsorted) {
        let expected = "portals sorted by side, start, start height, polygon and edge";
        return refuse("portal-order", expected, format_args!("portal {at} not before the next"));
    }
    match crowd(tile.portals) {
        None => Ok(()),
        Some(Crowd::Overlap(first, second)) => {
            let expected = "no two portals along the same stretch at the same height";
            refuse("portal-overlap", expected, format_args!("portals {first} and {second}"))
        }
        Some(Crowd::Stack(at)) => {
            let expected = format_args!("at most {PORTAL_STACK_LIMIT} portals of a side over one point");
            refuse("portal-stack", expected, format_args!("more at portal {at}"))
        }
    }
}

fn check_one(tile: &View<'_>, index: usize, portal: &Portal) -> Verdict {
    if portal.reserved != 0 {
        let expected = format_args!("zero in the reserved field of portal {index}");
        return refuse("portal-reserved", expected, portal.reserved);
    }
    let leads_here = |edge: &Edge| {
        (edge.kind, edge.neighbour as usize, edge.twin, edge.reserved) == (edge_kind::PORTAL, index, 0, 0)
    };
    let owner = place(tile.polygons, portal.polygon, portal.edge.into())
        .map(|places| places.map(|at| &tile.edges[at]))
        .filter(|[edge, _]| leads_here(edge));
    let Some([edge, next]) = owner else {
        // If an edge breaks a rule, report that instead.
        edges::check_each(tile)?;
        let expected = format_args!("portal {index} to belong to an edge that leads to it");
        return refuse(
            "portal-owner",
            expected,
            format_args!("polygon {}, edge {}", portal.polygon, portal.edge),
        );
    };
    let [a, b] = [edge, next].map(|edge| &tile.vertices[edge.vertex as usize]);
    let Some(ends) = portal_ends(a, b, portal.side, [tile.header.width, tile.header.depth]) else {
        let expected = format_args!("portal {index} on its side of the tile, with the tile to its left");
        return refuse("portal-side", expected, format_args!("side {}, {a:?} to {b:?}", portal.side));
    };
    let Portal { start, end, start_height, end_height, .. } = *portal;
    // One by one: comparing arrays would wait for them to be stored.
    let [first, last, first_height, last_height] = ends;
    if start != first || end != last || start_height != first_height || end_height != last_height {
        let expected = format_args!("portal {index} with the ends of its edge, {ends:?}");
        return refuse("portal-ends", expected, format_args!("{:?}", [start, end, start_height, end_height]));
    }
    Ok(())
}
