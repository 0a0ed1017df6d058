//! Rules for the other side of each edge: a wall has nothing beyond it, an internal edge has a twin that
//! leads back, a portal edge has a portal of its own.

use super::{Verdict, refuse};
use crate::layout::{Edge, Polygon, edge_kind};
use crate::tile::View;

/// An edge as three words: vertex, neighbour, and the kind with its twin and the reserved field.
type Words = [u32; 3];

const WALL: u32 = edge_kind::WALL as u32;
const INTERNAL: u32 = edge_kind::INTERNAL as u32;
const KIND: u32 = 0xFF;
const TWIN: u32 = 0xFF00;

/// Checks all edges of a tile whose portals belong to edges.
///
/// Kinds of edges are unpredictable, and a mispredicted branch costs as much as checking a corner. So kinds
/// are summed up without branches, 64 edges at a time, and only internal edges are examined one by one. No
/// two portals belong to the same edge, so the tile is valid if walls, twins and portal edges add up to the
/// number of edges.
pub(super) fn check(tile: &View<'_>) -> Verdict {
    let all = words(tile);
    let mut sound = tile.portals.len();
    for (start, edges) in (0..).step_by(64).zip(all.chunks(64)) {
        // A bit for each internal edge, the first one lowest.
        let mut internal = 0u64;
        for &[_, neighbour, kind] in edges.iter().rev() {
            sound += usize::from(neighbour | kind == WALL);
            internal = internal << 1 | u64::from(kind & !TWIN == INTERNAL);
        }
        sound += internal.count_ones() as usize;
        while internal != 0 {
            let edge = start + internal.trailing_zeros() as usize;
            internal &= internal - 1;
            let Some(twin) = twin(tile.polygons, all, edge) else { return refuse_first(tile) };
            // A pair within the chunk is checked once.
            let ahead = twin.wrapping_sub(start);
            if ahead < 64 {
                internal &= !(1 << ahead);
            }
        }
    }
    if sound == all.len() { Ok(()) } else { refuse_first(tile) }
}

fn words<'a>(tile: &View<'a>) -> &'a [Words] {
    bytemuck::cast_slice(tile.edges)
}

/// Index of an edge of a polygon among all edges, and of the edge after it.
#[inline]
pub(super) fn place(polygons: &[Polygon], polygon: u32, edge: u32) -> Option<[usize; 2]> {
    let polygon = polygons.get(polygon as usize)?;
    let (first, count) = (polygon.first_edge as usize, u32::from(polygon.edge_count));
    let next = if edge + 1 == count { 0 } else { edge + 1 };
    (edge < count).then_some([first + edge as usize, first + next as usize])
}

/// The index of an internal edge's twin: an edge of another polygon that leads back to this one and joins the
/// same vertices in the opposite direction.
#[inline]
fn twin(polygons: &[Polygon], all: &[Words], edge: usize) -> Option<usize> {
    let [from, neighbour, kind] = all[edge];
    let [twin, after_twin] = place(polygons, neighbour, (kind & TWIN) >> 8)?;
    let [to, back, twin_kind] = all[twin];
    let [own, after] = place(polygons, back, (twin_kind & TWIN) >> 8)?;
    let is_twin = own == edge
        && neighbour != back
        && twin_kind & KIND == INTERNAL
        && all[after][0] == to
        && all[after_twin][0] == from;
    is_twin.then_some(twin)
}

/// Returns true if there is a portal with this index that belongs to the edge.
fn has_portal(tile: &View<'_>, portal: u32, edge: usize) -> bool {
    let owner = tile.portals.get(portal as usize);
    owner
        .and_then(|portal| place(tile.polygons, portal.polygon, portal.edge.into()))
        .is_some_and(|[at, _]| at == edge)
}

/// Makes the error for the first edge that breaks a rule.
#[cold]
fn refuse_first(tile: &View<'_>) -> Verdict {
    check_each(tile)?;
    refuse("edge-twin", "edges that lead to each other", "edges that do not")
}

/// Checks edge by edge, rule by rule.
#[cold]
pub(super) fn check_each(tile: &View<'_>) -> Verdict {
    for (index, polygon) in tile.polygons.iter().enumerate() {
        for (local, edge) in tile.edges[polygon.edges()].iter().enumerate() {
            check_one(tile, words(tile), [index, local], edge)?;
        }
    }
    Ok(())
}

fn check_one(tile: &View<'_>, all: &[Words], [index, local]: [usize; 2], edge: &Edge) -> Verdict {
    let Edge { neighbour, kind, twin: number, reserved, .. } = *edge;
    let at = tile.polygons[index].edges().start + local;
    if reserved != 0 || (kind != edge_kind::INTERNAL && number != 0) {
        let expected = format_args!("zeros in the unused fields of polygon {index}, edge {local}");
        return refuse("edge-reserved", expected, format_args!("twin {number}, reserved {reserved}"));
    }
    match kind {
        edge_kind::WALL if neighbour != 0 => {
            let expected = format_args!("no neighbour beyond the wall at polygon {index}, edge {local}");
            refuse("edge-wall", expected, neighbour)
        }
        edge_kind::INTERNAL if neighbour as usize >= tile.polygons.len() || neighbour as usize == index => {
            let expected = format_args!("another polygon beyond polygon {index}, edge {local}");
            refuse("edge-neighbour", expected, neighbour)
        }
        edge_kind::INTERNAL if twin(tile.polygons, all, at).is_none() => {
            let back = place(tile.polygons, neighbour, number.into()).map(|[twin, _]| &tile.edges[twin]);
            let expected = format_args!(
                "edge {number} of polygon {neighbour} to be the twin of polygon {index}, edge {local}"
            );
            refuse("edge-twin", expected, format_args!("{back:?}"))
        }
        edge_kind::PORTAL if !has_portal(tile, neighbour, at) => {
            let portal = tile.portals.get(neighbour as usize);
            let expected = format_args!("a portal of polygon {index}, edge {local}");
            refuse("edge-portal", expected, format_args!("portal {neighbour}: {portal:?}"))
        }
        0..=edge_kind::PORTAL => Ok(()),
        _ => refuse("edge-kind", format_args!("a kind from 0 to 2 at polygon {index}, edge {local}"), kind),
    }
}
