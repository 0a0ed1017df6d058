//! Shapes of polygons: corners that rounding joined, winding, crossing edges, neighbours that do not agree.

use super::diagnostic::Repair;
use super::draft::Draft;
use super::outline::{area2, is_alike, leads_back, neighbour, plan, redirect, renumber, turn};
use super::{ribbon, widen};
use navmath::Sets;
use navtile::content::Beyond;
use std::collections::HashMap;

/// Repairs every polygon, or marks it to be left out. The remaining ones have three corners or more, no edge
/// without length, and their interior to the left; edges do not cross, and neighbours agree. Polygons without
/// area are widened, replaced by ribbons, or left to the writer, which joins their neighbours across them.
pub(super) fn mend(draft: &mut Draft<'_>) {
    widen::part_ends(draft);
    weld(draft);
    for polygon in 0..draft.polygons.len() {
        join_corners(draft, polygon);
    }
    for polygon in 0..draft.polygons.len() {
        collapse(draft, polygon);
    }
    turn_all(draft);
    agree(draft);
    widen::widen(draft);
    ribbon::lay(draft);
}

/// Moves the ends of every edge without length, seen from above, to one position for all polygons that share
/// them: the position of the vertex that comes first.
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

/// Removes edges without length, and detail triangles that lose a corner because of it.
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
        // A corner at the start of a removed edge becomes the next remaining corner.
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
    // Joined corners remove triangles with them; only other losses are reported.
    if content.detail_triangles.len() < before && removed == 0 {
        let source = draft.sources[polygon];
        draft.note_source(source, Repair::DetailTriangle { polygon: source });
    }
}

/// Leaves out a polygon with fewer than three corners. The polygons beyond its two edges become neighbours,
/// if a filter that passes them passes it.
fn collapse(draft: &mut Draft<'_>, polygon: usize) {
    let edges = draft.polygons[polygon].edges.clone();
    if edges.len() >= 3 {
        return;
    }
    let source = draft.sources[polygon];
    draft.note_source(source, Repair::Collapsed { polygon: source });
    let is_joint = edges.iter().all(|edge| edge.beyond != Beyond::Wall);
    let neighbours: Vec<usize> =
        (0..edges.len()).filter_map(|edge| neighbour(draft, polygon, edge)).collect();
    if is_joint && !neighbours.is_empty() && !neighbours.iter().any(|&other| is_alike(draft, polygon, other))
    {
        return;
    }
    draft.keep[polygon] = false;
    if let [first, second] = edges[..] {
        let ends = draft.ends(polygon, 0);
        redirect(draft, first.beyond, polygon, [ends[1], ends[0]], second.beyond);
        redirect(draft, second.beyond, polygon, ends, first.beyond);
    }
}

/// Turns polygons so that neighbours run along their common edge in opposite directions, and that most of the
/// area of connected polygons is to the left of their edges. A polygon that is folded over its neighbours
/// then has its interior to the right. O(edges).
fn turn_all(draft: &mut Draft<'_>) {
    // True for a polygon whose winding is opposite to the first one of its part.
    let mut turned: Vec<Option<bool>> = vec![None; draft.polygons.len()];
    for first in 0..draft.polygons.len() {
        if !draft.keep[first] || turned[first].is_some() {
            continue;
        }
        turned[first] = Some(false);
        let (mut part, mut at, mut right) = (vec![(first, false)], 0, 0);
        while let Some(&(polygon, is_turned)) = part.get(at) {
            at += 1;
            let own = area2(draft, polygon);
            right += if is_turned { -own } else { own };
            for edge in 0..draft.polygons[polygon].edges.len() {
                let Some(other) = neighbour(draft, polygon, edge) else { continue };
                let [a, b] = draft.ends(polygon, edge);
                let is_back = leads_back(draft, other, polygon, [b, a]);
                if turned[other].is_none() && (is_back || leads_back(draft, other, polygon, [a, b])) {
                    turned[other] = Some(is_turned == is_back);
                    part.push((other, is_turned == is_back));
                }
            }
        }
        for (polygon, is_turned) in part {
            if is_turned != (right > 0) {
                turn(draft, polygon);
                let source = draft.sources[polygon];
                draft.note_source(source, Repair::Reversed { polygon: source });
            }
        }
    }
}

/// Turns edges into walls if their neighbour has no such edge back.
fn agree(draft: &mut Draft<'_>) {
    // Only looked up, never iterated, so its order has no effect.
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
