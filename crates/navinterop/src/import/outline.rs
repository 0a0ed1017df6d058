//! Outlines of polygons of a draft: their corners seen from above, their faults, and edits that keep
//! neighbours consistent.

use super::draft::Draft;
use navmath::predicates::{Point, collinear, intersect, polygon_area2};
use navtile::content::{Beyond, PolygonContent};
use navtile::convex::{flaw, runs_on};

pub(super) fn plan(vertex: [i32; 3]) -> Point {
    [vertex[0], vertex[2]]
}

/// The corners of a polygon seen from above.
pub(super) fn corners(draft: &Draft<'_>, polygon: usize) -> Vec<Point> {
    let edges = &draft.polygons[polygon].edges;
    edges.iter().map(|edge| plan(draft.vertices[edge.vertex as usize])).collect()
}

/// Twice the area of a polygon seen from above: negative if its interior is to the left of its edges.
pub(super) fn area2(draft: &Draft<'_>, polygon: usize) -> i128 {
    polygon_area2(corners(draft, polygon))
}

/// The polygon of the draft beyond an edge, if that polygon stays.
pub(super) fn neighbour(draft: &Draft<'_>, polygon: usize, edge: usize) -> Option<usize> {
    match draft.polygons[polygon].edges[edge].beyond {
        Beyond::Internal(other) if draft.keep[other as usize] => Some(other as usize),
        _ => None,
    }
}

/// True if every filter passes either both polygons or neither.
pub(super) fn is_alike(draft: &Draft<'_>, polygon: usize, other: usize) -> bool {
    let attributes = |polygon: usize| (draft.polygons[polygon].area, draft.polygons[polygon].flags);
    attributes(polygon) == attributes(other)
}

/// True if edges of a polygon with area cross, or touch anywhere but at shared corners.
pub(super) fn is_crossed(draft: &Draft<'_>, polygon: usize) -> bool {
    let plan = corners(draft, polygon);
    if flaw(&plan).is_none() || polygon_area2(plan.iter().copied()) == 0 {
        return false;
    }
    let count = plan.len();
    let at = |corner: usize| plan[corner % count];
    let turns_back =
        |i: usize| collinear(at(i), at(i + 1), at(i + 2)) && !runs_on(at(i), at(i + 1), at(i + 2));
    let touches =
        |i: usize, j: usize| !(i == 0 && j + 1 == count) && intersect(at(i), at(i + 1), at(j), at(j + 1));
    (0..count).any(|i| turns_back(i) || (i + 2..count).any(|j| touches(i, j)))
}

/// True if a polygon has an edge between these ends that leads to the polygon `to`.
pub(super) fn leads_back(draft: &Draft<'_>, polygon: usize, to: usize, ends: [[i32; 3]; 2]) -> bool {
    let edges = &draft.polygons[polygon].edges;
    (0..edges.len())
        .any(|edge| edges[edge].beyond == Beyond::Internal(to as u32) && draft.ends(polygon, edge) == ends)
}

/// Reverses a polygon.
pub(super) fn turn(draft: &mut Draft<'_>, polygon: usize) {
    let content = &mut draft.polygons[polygon];
    let count = content.edges.len();
    let beyond: Vec<Beyond> = content.edges.iter().map(|edge| edge.beyond).collect();
    content.edges.reverse();
    // Corner i is the old corner count - 1 - i; the edge from it is the old edge to it.
    for (at, edge) in content.edges.iter_mut().enumerate() {
        edge.beyond = beyond[(2 * count - 2 - at) % count];
    }
    renumber(content, count, |corner| count - 1 - corner);
}

/// Renumbers the corners of detail triangles, and the detail vertices after them.
pub(super) fn renumber(content: &mut PolygonContent, count: usize, new: impl Fn(usize) -> usize) {
    let corners = content.edges.len();
    for vertex in content.detail_triangles.iter_mut().flat_map(|triangle| &mut triangle.vertices) {
        let old = *vertex as usize;
        // Local numbers are bytes in the file.
        *vertex = if old < count { new(old) } else { old - count + corners } as u32;
    }
}

/// Redirects the edge between `ends` of the polygon `beyond` from `from` to `to`.
pub(super) fn redirect(draft: &mut Draft<'_>, beyond: Beyond, from: usize, ends: [[i32; 3]; 2], to: Beyond) {
    let Beyond::Internal(other) = beyond else { return };
    let other = other as usize;
    let leads = |edge: &usize| {
        draft.polygons[other].edges[*edge].beyond == Beyond::Internal(from as u32)
            && draft.ends(other, *edge) == ends
    };
    let Some(edge) = (0..draft.polygons[other].edges.len()).find(leads) else { return };
    let itself = to == Beyond::Internal(other as u32) || to == Beyond::Internal(from as u32);
    draft.polygons[other].edges[edge].beyond = if itself { Beyond::Wall } else { to };
}
