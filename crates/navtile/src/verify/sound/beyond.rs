//! What edges lead to: nothing, their twins, or portals.

use crate::border::{crowd, portal_ends};
use crate::layout::{Polygon, Portal, edge_kind};
use crate::tile::View;
use crate::verify::portals::portal_key;

/// Kind, twin and reserved field of an edge as one number.
const WALL: u32 = edge_kind::WALL as u32;
const INTERNAL: u32 = edge_kind::INTERNAL as u32;
const PORTAL: u32 = edge_kind::PORTAL as u32;
const TWIN: u32 = 0xFF00;

/// Edges as three numbers each: vertex, neighbour, and the rest.
fn as_numbers<'a>(tile: &View<'a>) -> &'a [[u32; 3]] {
    bytemuck::cast_slice(tile.edges())
}

/// Where an edge of a polygon stands among all, and the one after it. Of polygons that have edges.
#[inline]
fn place(polygons: &[Polygon], polygon: u32, edge: u32) -> Option<[usize; 2]> {
    let polygon = polygons.get(polygon as usize)?;
    let (first, count) = (polygon.first_edge as usize, u32::from(polygon.edge_count));
    let next = if edge + 1 == count { 0 } else { edge + 1 };
    (edge < count).then_some([first + edge as usize, first + next as usize])
}

/// Whether each edge is a wall, one of two twins, or belongs to a portal; of a tile whose portals belong to edges.
pub(super) fn edges(tile: &View<'_>) -> bool {
    let (polygons, all) = (tile.polygons(), as_numbers(tile));
    let mut known = tile.portals().len();
    for (start, edges) in (0..).step_by(64).zip(all.chunks(64)) {
        // A bit for each internal edge, the first one lowest.
        let mut internal = 0u64;
        for &[_, neighbour, kind] in edges.iter().rev() {
            known += usize::from(neighbour | kind == WALL);
            internal = internal << 1 | u64::from(kind & !TWIN == INTERNAL);
        }
        known += internal.count_ones() as usize;
        while internal != 0 {
            let edge = start + internal.trailing_zeros() as usize;
            internal &= internal - 1;
            let Some(twin) = twin(polygons, all, edge) else { return false };
            // Seen from both sides.
            let ahead = twin.wrapping_sub(start);
            if ahead < 64 {
                internal &= !(1 << ahead);
            }
        }
    }
    known == all.len()
}

/// Where the twin of an internal edge is, if it has one.
#[inline]
fn twin(polygons: &[Polygon], all: &[[u32; 3]], edge: usize) -> Option<usize> {
    let [from, neighbour, kind] = all[edge];
    let [twin, behind_twin] = place(polygons, neighbour, (kind & TWIN) >> 8)?;
    let [to, back, twin_kind] = all[twin];
    let [own, behind] = place(polygons, back, (twin_kind & TWIN) >> 8)?;
    let is_twin = own == edge
        && neighbour != back
        && twin_kind & !TWIN == INTERNAL
        && all[behind][0] == to
        && all[behind_twin][0] == from;
    is_twin.then_some(twin)
}

/// Whether portals stand in order and apart, each at an edge that leads to it; of polygons that have edges and corners.
pub(super) fn portals(tile: &View<'_>, corners: &[[i32; 3]]) -> bool {
    let (header, polygons, all) = (tile.header(), tile.polygons(), as_numbers(tile));
    let size = [header.width, header.depth];
    for (index, portal) in (0u32..).zip(tile.portals()) {
        let Some([edge, next]) = place(polygons, portal.polygon, portal.edge.into()) else { return false };
        let [from, neighbour, kind] = all[edge];
        let (a, b) = (&corners[from as usize], &corners[all[next][0] as usize]);
        let Portal { start, end, start_height, end_height, .. } = *portal;
        if (neighbour, kind, portal.reserved) != (index, PORTAL, 0)
            || portal_ends(a, b, portal.side, size) != Some([start, end, start_height, end_height])
        {
            return false;
        }
    }
    in_order(tile.portals())
}

/// Whether portals, whose sides and ends are right, stand in order and apart.
fn in_order(portals: &[Portal]) -> bool {
    // Side and a place along it as one number.
    let along = |portal: &Portal, at: i32| (i64::from(portal.side) << 32) + i64::from(at);
    let mut crowded = false;
    for [first, second] in portals.array_windows() {
        let (from, to, next) =
            (along(first, first.start), along(first, first.end), along(second, second.start));
        // Few start at one place: those of storeys, and then the keys tell.
        if next < from || (next == from && portal_key(first) >= portal_key(second)) {
            return false;
        }
        crowded |= next < to;
    }
    !crowded || crowd(portals).is_none()
}
