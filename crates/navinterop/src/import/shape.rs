//! Shapes of polygons: corners that rounding joined, winding, edges that cross, neighbours that do not agree.

use super::diagnostic::Repair;
use super::draft::Draft;
use navmath::Sets;
use navmath::predicates::{Point, collinear, intersect, polygon_area2};
use navtile::content::{Beyond, PolygonContent};
use navtile::convex::{flaw, runs_on};
use std::collections::HashMap;

/// Mends every polygon, or marks it to be left out. The others have three corners or more, no edge without
/// length, and its interior to the left; edges do not cross, and neighbours agree. Polygons without area are the
/// writer's to drop.
pub(super) fn mend(draft: &mut Draft<'_>) {
    weld(draft);
    for polygon in 0..draft.polygons.len() {
        join_corners(draft, polygon);
    }
    for polygon in 0..draft.polygons.len() {
        collapse(draft, polygon);
    }
    turn_all(draft);
    for polygon in 0..draft.polygons.len() {
        if draft.keep[polygon] {
            drop_crossing(draft, polygon);
        }
    }
    agree(draft);
}

fn plan(vertex: [i32; 3]) -> Point {
    [vertex[0], vertex[2]]
}

/// Makes the ends of every edge without length seen from above one position, the same for all polygons that share
/// them: that of the vertex that comes first.
fn weld(draft: &mut Draft<'_>) {
    // A file numbers vertices with 16 bits.
    let mut places = Sets::new(draft.vertices.len() as u32);
    for polygon in &draft.polygons {
        for (at, edge) in polygon.edges.iter().enumerate() {
            let next = polygon.edges[(at + 1) % polygon.edges.len()];
            let [a, b] = [edge, &next].map(|edge| plan(draft.vertices[edge.vertex as usize]));
            if a == b {
                places.join(edge.vertex, next.vertex);
            }
        }
    }
    for vertex in 0..draft.vertices.len() {
        draft.vertices[vertex] = draft.vertices[places.root(vertex as u32) as usize];
    }
}

/// Removes edges without length, and detail triangles that lose a corner by it.
fn join_corners(draft: &mut Draft<'_>, polygon: usize) {
    let count = draft.polygons[polygon].edges.len();
    let short: Vec<bool> = (0..count)
        .map(|edge| {
            let [a, b] = draft.ends(polygon, edge);
            plan(a) == plan(b)
        })
        .collect();
    let removed = short.iter().filter(|short| **short).count();
    if removed > 0 {
        // A corner at the start of a removed edge becomes the next one that stays.
        let kept: Vec<usize> = (0..count).filter(|&edge| !short[edge]).collect();
        let new = |corner: usize| kept.partition_point(|&edge| edge < corner) % kept.len().max(1);
        let content = &mut draft.polygons[polygon];
        content.edges = kept.iter().map(|&edge| content.edges[edge]).collect();
        renumber(content, count, new);
        if kept.len() >= 3 {
            let source = draft.sources[polygon];
            draft.note_source(source, Repair::CornersJoined { polygon: source });
        }
    }
    let content = &mut draft.polygons[polygon];
    let before = content.detail_triangles.len();
    content.detail_triangles.retain(|triangle| {
        let [a, b, c] = triangle.vertices;
        a != b && b != c && c != a
    });
    // Joined corners take triangles with them; only others are worth a word.
    if content.detail_triangles.len() < before && removed == 0 {
        let source = draft.sources[polygon];
        draft.note_source(source, Repair::DetailTriangle { polygon: source });
    }
}

/// Renumbers the corners of detail triangles, and the detail vertices behind them.
fn renumber(content: &mut PolygonContent, count: usize, new: impl Fn(usize) -> usize) {
    let corners = content.edges.len();
    for vertex in content.detail_triangles.iter_mut().flat_map(|triangle| &mut triangle.vertices) {
        let old = *vertex as usize;
        // Local numbers are bytes in the file.
        *vertex = if old < count { new(old) } else { old - count + corners } as u32;
    }
}

/// Leaves out a polygon with fewer than three corners. The polygons beyond its two edges become neighbours.
fn collapse(draft: &mut Draft<'_>, polygon: usize) {
    let edges = draft.polygons[polygon].edges.clone();
    if edges.len() >= 3 {
        return;
    }
    let source = draft.sources[polygon];
    draft.note_source(source, Repair::Collapsed { polygon: source });
    draft.keep[polygon] = false;
    if let [first, second] = edges[..] {
        let ends = draft.ends(polygon, 0);
        redirect(draft, first.beyond, polygon, [ends[1], ends[0]], second.beyond);
        redirect(draft, second.beyond, polygon, ends, first.beyond);
    }
}

/// Lets the edge between `ends` of the polygon `beyond`, which leads to `from`, lead on to `to`.
fn redirect(draft: &mut Draft<'_>, beyond: Beyond, from: usize, ends: [[i32; 3]; 2], to: Beyond) {
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

fn corners(draft: &Draft<'_>, polygon: usize) -> Vec<Point> {
    let edges = &draft.polygons[polygon].edges;
    edges.iter().map(|edge| plan(draft.vertices[edge.vertex as usize])).collect()
}

/// Turns every polygon round that has its interior to the right. A polygon without area has none, so it follows its
/// neighbours: an edge runs in opposite directions on both of its sides. O(edges).
fn turn_all(draft: &mut Draft<'_>) {
    let mut is_settled = vec![false; draft.polygons.len()];
    let mut settled = Vec::new();
    for polygon in (0..draft.polygons.len()).filter(|&polygon| draft.keep[polygon]).collect::<Vec<_>>() {
        let area2 = polygon_area2(corners(draft, polygon));
        if area2 > 0 {
            turn(draft, polygon);
        }
        if area2 != 0 {
            is_settled[polygon] = true;
            settled.push(polygon);
        }
    }
    while let Some(polygon) = settled.pop() {
        for edge in 0..draft.polygons[polygon].edges.len() {
            let Beyond::Internal(other) = draft.polygons[polygon].edges[edge].beyond else { continue };
            let other = other as usize;
            if !draft.keep[other] || std::mem::replace(&mut is_settled[other], true) {
                continue;
            }
            let [a, b] = draft.ends(polygon, edge);
            if leads_back(draft, other, polygon, [a, b]) && !leads_back(draft, other, polygon, [b, a]) {
                turn(draft, other);
            }
            settled.push(other);
        }
    }
}

/// Whether a polygon has an edge between these ends that leads to the polygon `to`.
fn leads_back(draft: &Draft<'_>, polygon: usize, to: usize, ends: [[i32; 3]; 2]) -> bool {
    let edges = &draft.polygons[polygon].edges;
    (0..edges.len())
        .any(|edge| edges[edge].beyond == Beyond::Internal(to as u32) && draft.ends(polygon, edge) == ends)
}

/// Turns a polygon round.
fn turn(draft: &mut Draft<'_>, polygon: usize) {
    let content = &mut draft.polygons[polygon];
    let count = content.edges.len();
    let beyond: Vec<Beyond> = content.edges.iter().map(|edge| edge.beyond).collect();
    content.edges.reverse();
    // Corner i is the old count - 1 - i; the edge from it is the old one towards it.
    for (at, edge) in content.edges.iter_mut().enumerate() {
        edge.beyond = beyond[(2 * count - 2 - at) % count];
    }
    renumber(content, count, |corner| count - 1 - corner);
    let source = draft.sources[polygon];
    draft.note_source(source, Repair::Reversed { polygon: source });
}

/// Leaves out a polygon with area whose edges cross or touch anywhere but at shared corners.
fn drop_crossing(draft: &mut Draft<'_>, polygon: usize) {
    let plan = corners(draft, polygon);
    if flaw(&plan).is_none() || polygon_area2(plan.iter().copied()) == 0 {
        return;
    }
    let count = plan.len();
    let at = |corner: usize| plan[corner % count];
    let turns_back =
        |i: usize| collinear(at(i), at(i + 1), at(i + 2)) && !runs_on(at(i), at(i + 1), at(i + 2));
    let touches =
        |i: usize, j: usize| !(i == 0 && j + 1 == count) && intersect(at(i), at(i + 1), at(j), at(j + 1));
    if (0..count).any(|i| turns_back(i) || (i + 2..count).any(|j| touches(i, j))) {
        let source = draft.sources[polygon];
        draft.keep[polygon] = false;
        draft.note_source(source, Repair::Crossing { polygon: source });
    }
}

/// Makes walls of edges whose neighbour has no such edge back.
fn agree(draft: &mut Draft<'_>) {
    // Looked up, never walked through: its order shows nowhere.
    let mut beyond: HashMap<(usize, [[i32; 3]; 2]), Beyond> = HashMap::new();
    for polygon in (0..draft.polygons.len()).filter(|&polygon| draft.keep[polygon]) {
        for edge in 0..draft.polygons[polygon].edges.len() {
            beyond.insert((polygon, draft.ends(polygon, edge)), draft.polygons[polygon].edges[edge].beyond);
        }
    }
    let kept: Vec<usize> = (0..draft.polygons.len()).filter(|&polygon| draft.keep[polygon]).collect();
    for polygon in kept {
        for edge in 0..draft.polygons[polygon].edges.len() {
            let Beyond::Internal(other) = draft.polygons[polygon].edges[edge].beyond else { continue };
            let [a, b] = draft.ends(polygon, edge);
            // Edges towards a polygon that was left out become walls with it.
            let gone = !draft.keep[other as usize];
            if gone || beyond.get(&(other as usize, [b, a])) == Some(&Beyond::Internal(polygon as u32)) {
                continue;
            }
            draft.polygons[polygon].edges[edge].beyond = Beyond::Wall;
            let (polygon, neighbour) = (draft.sources[polygon], draft.sources[other as usize]);
            draft.note_at(a, Repair::OneSided { polygon, neighbour });
        }
    }
}
