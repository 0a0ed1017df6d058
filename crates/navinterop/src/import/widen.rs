//! Widens polygons without area, seen from above, and lengthens edges without length: a corner is moved by
//! 1/256 of a cell.
//!
//! So they stay what they are in Detour: polygons between their neighbours, with area and flags of their own.
//! A corner is moved only if every polygon around it stays convex or was flat, if it stays in the tile, and
//! if no portal ends there. Cost: a check of the polygons around each corner, at most [`CROWD_LIMIT`], for
//! each of eight directions.

use super::diagnostic::Repair;
use super::draft::Draft;
use super::outline::{area2, corners, leads_back, neighbour, plan};
use super::ribbon::{is_joined_by_writer, joins_others};
use navmath::FIXED_ONE;
use navmath::predicates::polygon_area2;
use navtile::content::Beyond;
use navtile::convex::flaw;
use std::collections::HashMap;

/// Most polygons around a corner that is moved.
const CROWD_LIMIT: usize = 64;

/// The directions that a corner may move in: x, z.
const DIRECTIONS: [[i32; 2]; 8] = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]];

/// Lengthens edges without length that lead to another polygon, if possible: navtile has no such edges.
pub(super) fn part_ends(draft: &mut Draft<'_>) {
    let is_short = |draft: &Draft<'_>, polygon: usize, edge: usize| {
        let [a, b] = draft.ends(polygon, edge);
        plan(a) == plan(b)
            && neighbour(draft, polygon, edge).is_some_and(|other| leads_back(draft, other, polygon, [b, a]))
    };
    let edges = |polygon: usize| (0..draft.polygons[polygon].edges.len()).map(move |edge| [polygon, edge]);
    let all = (0..draft.polygons.len()).flat_map(edges);
    let short: Vec<[usize; 2]> = all.filter(|&[polygon, edge]| is_short(draft, polygon, edge)).collect();
    if short.is_empty() {
        return;
    }
    let users = users(draft);
    for [polygon, edge] in short {
        let edges = &draft.polygons[polygon].edges;
        let ends = [edges[edge].vertex, edges[(edge + 1) % edges.len()].vertex];
        let has_length = |draft: &Draft<'_>| !is_short(draft, polygon, edge);
        if ends[0] != ends[1]
            && is_short(draft, polygon, edge)
            && ends.iter().any(|&end| move_vertex(draft, &users, end as usize, &has_length))
        {
            let source = draft.sources[polygon];
            draft.note_source(source, Repair::Lengthened { polygon: source });
        }
    }
}

/// Widens polygons without area that join several others, if possible.
pub(super) fn widen(draft: &mut Draft<'_>) {
    let is_needed = |polygon: &usize| {
        draft.keep[*polygon]
            && area2(draft, *polygon) == 0
            && joins_others(draft, *polygon)
            && !is_joined_by_writer(draft, *polygon)
    };
    let flat: Vec<usize> = (0..draft.polygons.len()).filter(is_needed).collect();
    if flat.is_empty() {
        return;
    }
    unite(draft);
    let users = users(draft);
    for polygon in flat {
        let has_area = |draft: &Draft<'_>| area2(draft, polygon) < 0;
        let mut corners = (0..draft.polygons[polygon].edges.len()).collect::<Vec<_>>().into_iter();
        let widened = area2(draft, polygon) != 0
            || corners.any(|corner| {
                let vertex = draft.polygons[polygon].edges[corner].vertex as usize;
                move_vertex(draft, &users, vertex, &has_area)
            });
        if widened {
            let content = &mut draft.polygons[polygon];
            (content.detail_vertices, content.detail_triangles) = (Vec::new(), Vec::new());
            let source = draft.sources[polygon];
            draft.note_source(source, Repair::Widened { polygon: source });
        }
    }
}

/// Merges vertices of corners at the same position, including height.
fn unite(draft: &mut Draft<'_>) {
    // Only looked up, never iterated, so its order has no effect.
    let mut first: HashMap<[i32; 3], u32> = HashMap::new();
    for edge in draft.polygons.iter_mut().flat_map(|polygon| &mut polygon.edges) {
        edge.vertex = *first.entry(draft.vertices[edge.vertex as usize]).or_insert(edge.vertex);
    }
}

/// The polygons around each vertex.
fn users(draft: &Draft<'_>) -> Vec<Vec<usize>> {
    let mut users = vec![Vec::new(); draft.vertices.len()];
    for polygon in (0..draft.polygons.len()).filter(|&polygon| draft.keep[polygon]) {
        for edge in &draft.polygons[polygon].edges {
            let about: &mut Vec<usize> = &mut users[edge.vertex as usize];
            if about.last() != Some(&polygon) {
                about.push(polygon);
            }
        }
    }
    users
}

/// The shape of a polygon seen from above.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// Convex, with its interior to the left.
    Left,
    /// Convex, with its interior to the right: folded over, or not reversed yet.
    Right,
    Flat,
    Other,
}

fn shape(draft: &Draft<'_>, polygon: usize) -> Shape {
    let mut corners = corners(draft, polygon);
    // Edges without length are joined later.
    corners.dedup();
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    let area2 = polygon_area2(corners.iter().copied());
    if area2 > 0 {
        corners.reverse();
    }
    match area2.signum() {
        0 => Shape::Flat,
        _ if flaw(&corners).is_some() => Shape::Other,
        -1 => Shape::Left,
        _ => Shape::Right,
    }
}

/// Moves a vertex so that `is_right` holds, if every polygon around it keeps its shape; flat ones may get
/// area.
fn move_vertex(
    draft: &mut Draft<'_>,
    users: &[Vec<usize>],
    vertex: usize,
    is_right: &dyn Fn(&Draft<'_>) -> bool,
) -> bool {
    let about = &users[vertex];
    if about.len() > CROWD_LIMIT || about.iter().any(|&user| has_portal_at(draft, user, vertex)) {
        return false;
    }
    let before: Vec<Shape> = about.iter().map(|&user| shape(draft, user)).collect();
    let at = draft.vertices[vertex];
    let [width, depth] = draft.grid.size_cells.map(|cells| i64::from(cells) * i64::from(FIXED_ONE));
    let is_within = |[x, _, z]: [i32; 3]| (0..=width).contains(&x.into()) && (0..=depth).contains(&z.into());
    for [x, z] in DIRECTIONS {
        let to = [at[0] + x, at[1], at[2] + z];
        // Borders have the tile to the left of their edges.
        if is_within(at) && !is_within(to) {
            continue;
        }
        draft.vertices[vertex] = to;
        let stays = |(before, &user): (&Shape, &usize)| match (before, shape(draft, user)) {
            (Shape::Other, _) | (_, Shape::Other) => false,
            _ if meets_another(draft, user, vertex) => false,
            (Shape::Flat, _) => true,
            (before, after) => *before == after,
        };
        if is_right(draft) && before.iter().zip(about).all(stays) {
            draft.measure_vertex(vertex);
            return true;
        }
    }
    draft.vertices[vertex] = at;
    false
}

/// True if an edge of a polygon at a vertex has no length.
fn meets_another(draft: &Draft<'_>, polygon: usize, vertex: usize) -> bool {
    let edges = &draft.polygons[polygon].edges;
    (0..edges.len()).any(|at| {
        let [a, b] = [edges[at].vertex, edges[(at + 1) % edges.len()].vertex];
        let place = |vertex: u32| plan(draft.vertices[vertex as usize]);
        a != b && [a, b].contains(&(vertex as u32)) && place(a) == place(b)
    })
}

/// True if an edge of a polygon over the border starts or ends at a vertex.
fn has_portal_at(draft: &Draft<'_>, polygon: usize, vertex: usize) -> bool {
    let edges = &draft.polygons[polygon].edges;
    (0..edges.len()).any(|at| {
        let ends = [edges[at].vertex, edges[(at + 1) % edges.len()].vertex];
        matches!(edges[at].beyond, Beyond::Portal(_)) && ends.contains(&(vertex as u32))
    })
}
