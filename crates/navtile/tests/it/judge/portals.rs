//! Rules of the portals: each belongs to an edge on the tile's border, and they are in merge-join order.

use super::{Verdict, refuse};
use crate::common::parts::Parts;
use navtile::layout::{Portal, edge_kind, side};
use navtile::limits::PORTAL_STACK_LIMIT;

/// The sort key of portals.
fn portal_key(portal: &Portal) -> (u8, i32, i32, u32, u8) {
    (portal.side, portal.start, portal.start_height, portal.polygon, portal.edge)
}

pub(super) fn check(tile: &Parts) -> Verdict {
    let portals = &tile.portals;
    for (index, portal) in portals.iter().enumerate() {
        place(tile, index, portal)?;
    }
    if let Some(at) = portals.windows(2).position(|pair| portal_key(&pair[0]) >= portal_key(&pair[1])) {
        let expected = "portals sorted by side, start, start height, polygon and edge";
        return refuse("portal-order", expected, format!("portal {at} not before the next"));
    }
    for (index, portal) in portals.iter().enumerate() {
        let over = |(_, other): &(usize, &Portal)| other.side == portal.side && other.end > portal.start;
        let over: Vec<(usize, &Portal)> = portals[..index].iter().enumerate().filter(over).collect();
        if let Some((other, _)) = over.iter().find(|(_, other)| overlap(other, portal)) {
            let expected = "no two portals along the same stretch at the same height";
            return refuse("portal-overlap", expected, format!("portals {other} and {index}"));
        }
        if over.len() >= PORTAL_STACK_LIMIT {
            let expected = format!("at most {PORTAL_STACK_LIMIT} portals of a side over one point");
            return refuse("portal-stack", expected, format!("more at portal {index}"));
        }
    }
    Ok(())
}

/// Returns true if two portals of a side share an interval and have the same height at both its ends.
fn overlap(a: &Portal, b: &Portal) -> bool {
    let (start, end) = (a.start.max(b.start), a.end.min(b.end));
    // Height above the start, times the portal's length.
    let rise = |portal: &Portal, at: i32| {
        let [start, end, from, to, at] =
            [portal.start, portal.end, portal.start_height, portal.end_height, at].map(i128::from);
        (from * (end - start) + (to - from) * (at - start), end - start)
    };
    let same = |at: i32| {
        let ((a, a_length), (b, b_length)) = (rise(a, at), rise(b, at));
        a * b_length == b * a_length
    };
    start < end && same(start) && same(end)
}

/// Start, end and heights of the edge from `a` to `b` on a side of a tile; `None` if the edge is not on that
/// side, or the tile is not to its left.
fn portal_ends(a: &[i32; 3], b: &[i32; 3], on: u8, [width, depth]: [u32; 2]) -> Option<[i32; 4]> {
    let border = |cells: u32| i64::from(cells) * 256;
    let lies = |axis: usize, at: i64| i64::from(a[axis]) == at && i64::from(b[axis]) == at;
    let (lies, along, [low, high]) = match on {
        side::X_MIN => (lies(0, 0), 2, [a, b]),
        side::Z_MAX => (lies(2, border(depth)), 0, [a, b]),
        side::X_MAX => (lies(0, border(width)), 2, [b, a]),
        side::Z_MIN => (lies(2, 0), 0, [b, a]),
        _ => return None,
    };
    (lies && low[along] < high[along]).then_some([low[along], high[along], low[1], high[1]])
}

fn place(tile: &Parts, index: usize, portal: &Portal) -> Verdict {
    if portal.reserved != 0 {
        let expected = format!("zero in the reserved field of portal {index}");
        return refuse("portal-reserved", expected, format!("{}", portal.reserved));
    }
    let polygon = tile.polygons.get(portal.polygon as usize);
    let edges = polygon.map_or(&[][..], |polygon| &tile.edges[polygon.edges()]);
    let at = usize::from(portal.edge);
    let owner =
        edges.get(at).filter(|edge| edge.kind == edge_kind::PORTAL && edge.neighbour as usize == index);
    let Some(edge) = owner else {
        let expected = format!("portal {index} to belong to an edge that leads to it");
        return refuse("portal-owner", expected, format!("polygon {}, edge {at}", portal.polygon));
    };
    let next = &edges[if at + 1 == edges.len() { 0 } else { at + 1 }];
    let (a, b) = (tile.vertices[edge.vertex as usize], tile.vertices[next.vertex as usize]);
    let header = &tile.header;
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
