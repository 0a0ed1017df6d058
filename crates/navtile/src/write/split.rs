//! Splits polygons that are not convex: ear clipping, shortest diagonal first, then merging across the
//! longest diagonals while the union stays convex. All predicates exact.
//!
//! Cost: O(n²) for the usual polygon of n corners, O(n³) at worst; at most four times the least number of
//! pieces. Source: G. H. Meisters, Polygons have ears (1975); S. Hertel, K. Mehlhorn, Fast triangulation of
//! simple polygons (1983).

use super::SMALLER_TILES;
use super::draft::{Drafts, refuse};
use super::twins::{ConvexPolygon, ConvexPolygons, EdgeBeyond, PolygonEdge};
use crate::content::WriteError;
use crate::convex::{Flaw, flaw, runs_on};
use crate::limits::EDGE_LIMIT;
use navmath::limit;
use navmath::predicates::{Point, collinear, distance_squared, intersect, left, left_on, polygon_area2};
use navmath::sort::SharedSort;
use std::collections::HashMap;

/// Adds a draft to `pieces`: whole if it is convex, else split. A draft starts at its smallest corner, so the
/// result does not depend on the first corner in the content.
pub(super) fn add_convex(
    drafts: &Drafts,
    index: usize,
    pieces: &mut ConvexPolygons,
) -> Result<(), WriteError> {
    let draft = &drafts.list[index];
    let whole = ConvexPolygon {
        source: draft.index,
        draft: index,
        is_whole: true,
        first: pieces.first_of[index],
        count: draft.count,
        detail_vertices: 0..0,
        detail_triangles: 0..0,
    };
    if draft.is_convex && draft.count <= EDGE_LIMIT {
        pieces.list.push(whole);
        return Ok(());
    }
    let plan: Vec<Point> = drafts.plan(index).collect();
    if let Some(found) = flaw(&plan) {
        check_simple(draft.index, &plan, found)?;
    }
    let Some(triangles) = triangulate(&plan) else {
        return refuse(draft.index, "it cannot be split into triangles: its edges touch each other");
    };
    add_parts(&whole, merge(&plan, triangles), pieces)
}

/// Adds the parts that a polygon was split into.
fn add_parts(
    whole: &ConvexPolygon,
    parts: Vec<Vec<usize>>,
    pieces: &mut ConvexPolygons,
) -> Result<(), WriteError> {
    // The two directions of a diagonal, each with the number of its edge. Only looked up, never iterated.
    let mut diagonals: HashMap<(usize, usize), u32> = HashMap::new();
    for (from, to) in parts.iter().flat_map(|part| sides(part)) {
        if (from + 1) % whole.count != to {
            diagonals.insert((from, to), pieces.ids);
            pieces.ids = limit::to_u32("edges in a tile", pieces.ids as usize + 1, SMALLER_TILES)?;
        }
    }
    for part in parts {
        let first = pieces.edges.len();
        for (from, to) in sides(&part) {
            let edge = pieces.edges[whole.first + from];
            pieces.edges.push(match (diagonals.get(&(from, to)), diagonals.get(&(to, from))) {
                (Some(&id), Some(&twin)) => {
                    PolygonEdge { vertex: edge.vertex, id, beyond: EdgeBeyond::Twin(twin) }
                }
                _ => edge,
            });
        }
        let edges = &mut pieces.edges[first..];
        let smallest = (0..edges.len()).min_by_key(|&i| edges[i].vertex).unwrap_or(0);
        edges.rotate_left(smallest);
        pieces.list.push(ConvexPolygon { is_whole: false, first, count: part.len(), ..whole.clone() });
    }
    Ok(())
}

/// The sides of a polygon, which is given by its corners' indices.
fn sides(part: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    part.iter().copied().zip(part.iter().copied().cycle().skip(1))
}

/// Refuses a polygon that is wound in the wrong direction, or whose edges touch except at shared corners.
fn check_simple(polygon: u32, plan: &[Point], found: Flaw) -> Result<(), WriteError> {
    let count = plan.len();
    let end = |i: usize| plan[(i + 1) % count];
    if let Flaw::Length(at) = found {
        return refuse(polygon, format!("edge {at} has no length seen from above, at {:?}", plan[at]));
    }
    if polygon_area2(plan.iter().copied()) >= 0 {
        return refuse(polygon, "its winding is reversed: its interior must be to the left of its edges");
    }
    for i in 0..count {
        if collinear(plan[i], end(i), end(i + 1)) && !runs_on(plan[i], end(i), end(i + 1)) {
            return refuse(polygon, format!("it turns back on itself at {:?}", end(i)));
        }
        for j in i + 2..count {
            let adjacent = i == 0 && j + 1 == count;
            if !adjacent && intersect(plan[i], end(i), plan[j], end(j)) {
                let what = format!("its edges at {:?} and {:?} touch or cross", plan[i], plan[j]);
                return refuse(polygon, what);
            }
        }
    }
    Ok(())
}

/// Cuts a simple polygon into triangles with area, as indices into `plan`. `None` if it is not simple.
fn triangulate(plan: &[Point]) -> Option<Vec<Vec<usize>>> {
    let mut ring: Vec<usize> = (0..plan.len()).collect();
    let mut ears: Vec<bool> = (0..plan.len()).map(|i| is_ear(plan, &ring, i)).collect();
    let mut triangles = Vec::with_capacity(plan.len().saturating_sub(2));
    while ring.len() > 3 {
        let around =
            |i: usize| (ring[(i + ring.len() - 1) % ring.len()], ring[i], ring[(i + 1) % ring.len()]);
        let cost = |i: usize| distance_squared(plan[around(i).0], plan[around(i).2]);
        let best = (0..ring.len()).filter(|&i| ears[i]).min_by_key(|&i| (cost(i), ring[i]))?;
        let (before, at, after) = around(best);
        triangles.push(vec![before, at, after]);
        ring.remove(best);
        ears.remove(best);
        let count = ring.len();
        for neighbour in [(best + count - 1) % count, best % count] {
            ears[neighbour] = is_ear(plan, &ring, neighbour);
        }
    }
    triangles.push(ring);
    Some(triangles)
}

/// Returns true if corner `i` of the ring can be cut off: a strict left turn, and no other corner in or on
/// the triangle.
fn is_ear(plan: &[Point], ring: &[usize], i: usize) -> bool {
    let count = ring.len();
    let (before, after) = ((i + count - 1) % count, (i + 1) % count);
    let (a, b, c) = (plan[ring[before]], plan[ring[i]], plan[ring[after]]);
    left(a, b, c)
        && (0..count).filter(|other| ![before, i, after].contains(other)).all(|other| {
            let point = plan[ring[other]];
            !(left_on(a, b, point) && left_on(b, c, point) && left_on(c, a, point))
        })
}

/// Joins triangles across their diagonals, longest first, as long as the union is convex and within the limit
/// of corners. Joining two pieces never makes another pair joinable, so one pass is enough.
fn merge(plan: &[Point], mut parts: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut diagonals: Vec<(usize, usize)> = parts
        .iter()
        .flat_map(|part| sides(part))
        .filter(|&(from, to)| from < to && from + 1 != to && (to + 1) % plan.len() != from)
        .collect();
    diagonals.shared_sort_by_key(|&(from, to)| {
        (std::cmp::Reverse(distance_squared(plan[from], plan[to])), from, to)
    });
    for (from, to) in diagonals {
        let holder = |side: (usize, usize)| {
            parts.iter().enumerate().find_map(|(part, corners)| {
                sides(corners).position(|other| other == side).map(|at| (part, at))
            })
        };
        let (Some((first, at)), Some((second, back))) = (holder((from, to)), holder((to, from))) else {
            continue;
        };
        let union = joined(&parts[first], at, &parts[second], back);
        let corners: Vec<Point> = union.iter().map(|&corner| plan[corner]).collect();
        if union.len() <= EDGE_LIMIT && flaw(&corners).is_none() {
            parts[first.min(second)] = union;
            parts.swap_remove(first.max(second));
        }
    }
    parts
}

/// The union of two polygons whose sides `at` and `back` are the same, in opposite directions.
fn joined(first: &[usize], at: usize, second: &[usize], back: usize) -> Vec<usize> {
    let cut = |part: &[usize], at: usize| {
        part.iter().cycle().skip(at + 1).take(part.len() - 1).copied().collect::<Vec<_>>()
    };
    [cut(first, at), cut(second, back)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(parts: &[Vec<usize>], plan: &[Point]) -> i128 {
        parts.iter().map(|part| polygon_area2(part.iter().map(|&i| plan[i]))).sum()
    }

    fn split(plan: &[Point]) -> Vec<Vec<usize>> {
        merge(plan, triangulate(plan).unwrap())
    }

    #[test]
    fn an_l_becomes_few_pieces() {
        let plan = [[0, 0], [4, 0], [4, -2], [2, -2], [2, -4], [0, -4]];
        let parts = split(&plan);
        assert!((2..=3).contains(&parts.len()));
        assert_eq!(area(&parts, &plan), polygon_area2(plan));
        assert!(parts.iter().all(|part| flaw(&part.iter().map(|&i| plan[i]).collect::<Vec<_>>()).is_none()));
    }

    #[test]
    fn flat_corners_stay_corners() {
        let plan = [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [4, -2], [3, -2], [2, -1], [1, -2], [0, -2]];
        let parts = split(&plan);
        let mut used: Vec<usize> = parts.concat();
        used.sort_unstable();
        used.dedup();
        assert_eq!(used.len(), plan.len());
        assert_eq!(area(&parts, &plan), polygon_area2(plan));
    }

    #[test]
    fn a_comb_is_cut_at_its_teeth() {
        let mut plan: Vec<Point> = vec![[0, 0], [40, 0]];
        for tooth in 0..10 {
            plan.extend([[40 - 4 * tooth, -20], [38 - 4 * tooth, -2]]);
        }
        plan.push([0, -20]);
        assert!(check_simple(0, &plan, Flaw::Turn(0)).is_ok());
        let parts = split(&plan);
        assert!(parts.len() >= 11 && parts.len() <= 22, "{}", parts.len());
        assert_eq!(area(&parts, &plan), polygon_area2(plan.iter().copied()));
    }

    #[test]
    fn touching_edges_are_refused() {
        let bow = [[0, 0], [4, 0], [0, -3], [4, -4]];
        let bow = if polygon_area2(bow) < 0 { bow } else { [bow[3], bow[2], bow[1], bow[0]] };
        assert!(check_simple(0, &bow, Flaw::Turn(0)).is_err());
        let pinched = [[0, 0], [4, 0], [4, -4], [2, 0], [0, -4]];
        assert!(check_simple(0, &pinched, Flaw::Turn(0)).is_err());
        assert!(check_simple(0, &[[0, 0], [0, -4], [4, 0]], Flaw::Area).is_err());
    }
}
