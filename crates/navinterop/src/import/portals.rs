//! Portals: edges towards other tiles are moved onto the tile's border, or become walls.

use super::diagnostic::Repair;
use super::draft::{Draft, REFUSAL_LIMIT};
use navmath::FIXED_ONE;
use navmath::predicates::polygon_area2;
use navmath::sort::SharedSort;
use navtile::border::{Crowd, crowd, portal_ends, portal_key};
use navtile::content::Beyond;
use navtile::layout::{Portal, side};

/// Largest distance of a portal's end from the border, 1/256 cell: a quarter of a cell.
const TOLERANCE: i64 = FIXED_ONE as i64 / 4;
/// Largest distance from the border that rounding explains, 1/256 cell.
const ROUNDING: i64 = 2;

/// Moves the ends of portals onto the border, for all polygons that share them. A portal with an end more
/// than a quarter of a cell away becomes a wall and moves nothing.
pub(super) fn snap(draft: &mut Draft<'_>) {
    for polygon in 0..draft.polygons.len() {
        for edge in 0..draft.polygons[polygon].edges.len() {
            let Beyond::Portal(on) = draft.polygons[polygon].edges[edge].beyond else { continue };
            let (axis, border) = border(draft, on);
            let ends = draft.ends(polygon, edge);
            let off = ends.map(|end| (i64::from(end[axis]) - border).abs());
            let farthest = off[0].max(off[1]);
            if farthest > TOLERANCE {
                draft.polygons[polygon].edges[edge].beyond = Beyond::Wall;
                let (polygon, distance) = (draft.sources[polygon], metres(draft, farthest));
                draft.note_at(ends[0], Repair::OffBorder { polygon, distance });
                continue;
            }
            let edges = &draft.polygons[polygon].edges;
            let vertices = [edges[edge].vertex, edges[(edge + 1) % edges.len()].vertex];
            for (vertex, off) in vertices.into_iter().zip(off) {
                if off > ROUNDING {
                    let distance = metres(draft, off);
                    draft.note_at(draft.vertices[vertex as usize], Repair::Snapped { distance });
                }
                // Within the limit of a tile's size.
                draft.vertices[vertex as usize][axis] = border as i32;
            }
        }
    }
}

/// The axis across a side, and the position of the side on it, fixed-point.
fn border(draft: &Draft<'_>, on: u8) -> (usize, i64) {
    let [width, depth] = draft.grid.size_cells;
    let (axis, cells) = match on {
        side::X_MIN => (0, 0),
        side::X_MAX => (0, width),
        side::Z_MIN => (2, 0),
        _ => (2, depth),
    };
    (axis, i64::from(cells) * i64::from(FIXED_ONE))
}

fn metres(draft: &Draft<'_>, fixed: i64) -> f64 {
    fixed as f64 * draft.grid.lattice.cell_size / f64::from(FIXED_ONE)
}

/// Turns portals into walls if they run in the wrong direction, or are at the place of another portal.
/// Polygons without area are ignored, because the writer passes their portals on.
pub(super) fn check(draft: &mut Draft<'_>) {
    let size = draft.grid.size_cells;
    let mut portals = Vec::new();
    for polygon in (0..draft.polygons.len()).filter(|&polygon| draft.keep[polygon]).collect::<Vec<_>>() {
        let edges = 0..draft.polygons[polygon].edges.len();
        let corners =
            edges.clone().map(|edge| draft.ends(polygon, edge)[0]).map(|corner| [corner[0], corner[2]]);
        if polygon_area2(corners) == 0 {
            continue;
        }
        for edge in edges {
            let Beyond::Portal(on) = draft.polygons[polygon].edges[edge].beyond else { continue };
            let [a, b] = draft.ends(polygon, edge);
            let Some([start, end, start_height, end_height]) = portal_ends(&a, &b, on, size) else {
                draft.polygons[polygon].edges[edge].beyond = Beyond::Wall;
                let polygon = draft.sources[polygon];
                draft.note_at(a, Repair::WrongWay { polygon });
                continue;
            };
            // A file has fewer than 2^32 polygons, with at most six edges each.
            let (polygon, edge) = (polygon as u32, edge as u8);
            portals.push(Portal {
                polygon,
                edge,
                side: on,
                reserved: 0,
                start,
                end,
                start_height,
                end_height,
            });
        }
    }
    portals.shared_sort_by_key(portal_key);
    drop_doubles(draft, portals);
}

/// Turns portals into walls that coincide with an earlier one, up to [`REFUSAL_LIMIT`] of them. The writer
/// refuses a tile with more.
fn drop_doubles(draft: &mut Draft<'_>, mut portals: Vec<Portal>) {
    for _ in 0..REFUSAL_LIMIT {
        let Some(Crowd::Overlap(_, second)) = crowd(&portals) else { return };
        let Portal { polygon, edge, .. } = portals.remove(second);
        let (polygon, edge) = (polygon as usize, usize::from(edge));
        let at = draft.ends(polygon, edge)[0];
        draft.polygons[polygon].edges[edge].beyond = Beyond::Wall;
        let polygon = draft.sources[polygon];
        draft.note_at(at, Repair::SamePortal { polygon });
    }
}
