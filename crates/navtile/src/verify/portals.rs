//! Rules of the portals: each belongs to an edge on the tile's border, and they stand in merge-join order.

use super::{Verdict, refuse};
use crate::border::{Crowd, crowd, portal_ends};
use crate::layout::{Portal, edge_kind};
use crate::limits::PORTAL_STACK_LIMIT;
use crate::tile::View;

/// What portals are sorted by.
pub(crate) fn portal_key(portal: &Portal) -> (u8, i32, i32, u32, u8) {
    (portal.side, portal.start, portal.start_height, portal.polygon, portal.edge)
}

pub(super) fn check(tile: &View<'_>) -> Verdict {
    let portals = tile.portals();
    for (index, portal) in portals.iter().enumerate() {
        place(tile, index, portal)?;
    }
    if let Some(at) = portals.windows(2).position(|pair| portal_key(&pair[0]) >= portal_key(&pair[1])) {
        let expected = "portals sorted by side, start, start height, polygon and edge";
        return refuse("portal-order", expected, format!("portal {at} not before the next"));
    }
    match crowd(portals) {
        None => Ok(()),
        Some(Crowd::Overlap(first, second)) => {
            let expected = "no two portals along the same stretch at the same height";
            refuse("portal-overlap", expected, format!("portals {first} and {second}"))
        }
        Some(Crowd::Stack(at)) => {
            let expected = format!("at most {PORTAL_STACK_LIMIT} portals of a side over one point");
            refuse("portal-stack", expected, format!("more at portal {at}"))
        }
    }
}

fn place(tile: &View<'_>, index: usize, portal: &Portal) -> Verdict {
    if portal.reserved != 0 {
        let expected = format!("zero in the reserved field of portal {index}");
        return refuse("portal-reserved", expected, format!("{}", portal.reserved));
    }
    let polygon = tile.polygons().get(portal.polygon as usize);
    let edges = polygon.map_or(&[][..], |polygon| tile.polygon_edges(polygon));
    let at = usize::from(portal.edge);
    let owner =
        edges.get(at).filter(|edge| edge.kind == edge_kind::PORTAL && edge.neighbour as usize == index);
    let Some(edge) = owner else {
        let expected = format!("portal {index} to belong to an edge that leads to it");
        return refuse("portal-owner", expected, format!("polygon {}, edge {at}", portal.polygon));
    };
    let next = &edges[if at + 1 == edges.len() { 0 } else { at + 1 }];
    let (a, b) = (tile.vertices()[edge.vertex as usize], tile.vertices()[next.vertex as usize]);
    let header = tile.header();
    let Some(ends) = portal_ends(&a, &b, portal.side, [header.width, header.depth]) else {
        let expected = format!("portal {index} on its side of the tile, with the tile to its left");
        return refuse("portal-side", expected, format!("side {}, {a:?} to {b:?}", portal.side));
    };
    let found = [portal.start, portal.end, portal.start_height, portal.end_height];
    if found != ends {
        let expected = format!("portal {index} with the ends of its edge, {ends:?}");
        return refuse("portal-ends", expected, format!("{found:?}"));
    }
    Ok(())
}
