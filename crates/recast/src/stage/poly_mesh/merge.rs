//! Merging triangles into convex polygons: again and again the two that share the longest edge, as long as what
//! comes out is convex and has few enough corners.

use super::{Draft, Piece};
use navmath::predicates::{distance_squared, left};

/// Two pieces that can become one, `first < second`, over an edge of each.
#[derive(Clone, Copy)]
struct Candidate {
    squared_length: i64,
    first: usize,
    second: usize,
    first_edge: usize,
    second_edge: usize,
}

/// Merges pieces of one contour. Ties go to the pieces that come first; pieces made of several regions belong to
/// none.
pub(super) fn merge_convex(mut pieces: Vec<Piece>, max_vertices: usize, draft: &Draft) -> Vec<Piece> {
    if max_vertices <= 3 {
        return pieces;
    }
    let mut candidates: Vec<Candidate> = Vec::new();
    for second in 1..pieces.len() {
        candidates
            .extend((0..second).filter_map(|first| candidate(&pieces, first, second, max_vertices, draft)));
    }
    let key = |c: &Candidate| (std::cmp::Reverse(c.squared_length), c.first, c.second);
    while let Some(best) = candidates.iter().copied().min_by_key(key) {
        let removed = best.second;
        let last = pieces.len() - 1;
        pieces[best.first] = join(&pieces, &best);
        pieces.swap_remove(removed);
        let stale = |index: usize| index == best.first || index == removed || index == last;
        candidates.retain(|c| !stale(c.first) && !stale(c.second));
        // The merged piece is new, and the last one has moved into the gap.
        for changed in [best.first, removed] {
            if changed >= pieces.len() {
                continue;
            }
            for other in (0..pieces.len()).filter(|&other| other != changed) {
                if changed == removed && other == best.first {
                    continue;
                }
                let (first, second) = (changed.min(other), changed.max(other));
                candidates.extend(candidate(&pieces, first, second, max_vertices, draft));
            }
        }
    }
    pieces
}

/// The pair, if it shares an edge and could be one convex piece.
fn candidate(
    pieces: &[Piece],
    first: usize,
    second: usize,
    max_vertices: usize,
    draft: &Draft,
) -> Option<Candidate> {
    let (a, b) = (&pieces[first].corners, &pieces[second].corners);
    if a.len() + b.len() - 2 > max_vertices {
        return None;
    }
    let (first_edge, second_edge) = shared_edge(a, b)?;
    let plan = |vertex| draft.plan(vertex);
    let turn = |p: &[u32], at: usize, q: &[u32], other: usize| {
        let before = p[(at + p.len() - 1) % p.len()];
        left(plan(before), plan(p[at]), plan(q[(other + 2) % q.len()]))
    };
    if !turn(a, first_edge, b, second_edge) || !turn(b, second_edge, a, first_edge) {
        return None;
    }
    let squared_length = distance_squared(plan(a[first_edge]), plan(a[(first_edge + 1) % a.len()]));
    (squared_length > 0).then_some(Candidate { squared_length, first, second, first_edge, second_edge })
}

/// The last edge of `a` that `b` has too, in either direction.
fn shared_edge(a: &[u32], b: &[u32]) -> Option<(usize, usize)> {
    let ends = |corners: &[u32], edge: usize| {
        let (from, to) = (corners[edge], corners[(edge + 1) % corners.len()]);
        (from.min(to), from.max(to))
    };
    (0..a.len()).rev().find_map(|edge| {
        let wanted = ends(a, edge);
        (0..b.len()).find(|&other| ends(b, other) == wanted).map(|other| (edge, other))
    })
}

fn join(pieces: &[Piece], pair: &Candidate) -> Piece {
    let (a, b) = (&pieces[pair.first], &pieces[pair.second]);
    let rest = |corners: &[u32], edge: usize| -> Vec<u32> {
        (1..corners.len()).map(|step| corners[(edge + step) % corners.len()]).collect()
    };
    let mut corners = rest(&a.corners, pair.first_edge);
    corners.extend(rest(&b.corners, pair.second_edge));
    Piece { corners, region: if a.region == b.region { a.region } else { None }, area: a.area }
}
