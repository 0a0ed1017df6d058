//! Polygons without area, seen from above, are left out, and their neighbours joined across them.
//!
//! Triangulating a polygon with flat corners leaves slivers: a long edge on one side, short ones along the
//! same line on the other. Dropping one as it is would cut its neighbours off from each other. So the corners
//! between are inserted into the neighbour at the long edge, where they are flat, and its pieces get the
//! sliver's neighbours. A sliver with corners between on both sides is dropped without that: its neighbours
//! get walls.

use super::draft::Draft;
use super::vertex_key;
use crate::content::Beyond;
use crate::convex::runs_on;
use navmath::predicates::{Point, collinear, polygon_area2};

/// Drops every polygon without area, in the order of their corners, so that the order of the content does not
/// matter. Cost: O(corners of all polygons), and of the slivers' neighbours once more for each sliver.
pub(super) fn drop_flat(drafts: &mut [Draft]) {
    let mut flat: Vec<usize> = (0..drafts.len()).filter(|&i| polygon_area2(plan(&drafts[i])) == 0).collect();
    flat.sort_by_cached_key(|&i| {
        drafts[i].corners.iter().map(|corner| vertex_key(corner.0)).collect::<Vec<_>>()
    });
    for index in flat {
        drafts[index].dropped = true;
        let plan: Vec<Point> = plan(&drafts[index]).collect();
        if let Some(long) = long_edge(&plan) {
            join_across(drafts, index, long);
        }
    }
}

/// The corners seen from above.
fn plan(draft: &Draft) -> impl Iterator<Item = Point> {
    draft.corners.iter().map(|(corner, _)| [corner[0], corner[2]])
}

/// The edge that runs along all the others, if there is one: they follow each other back along it.
fn long_edge(plan: &[Point]) -> Option<usize> {
    let count = plan.len();
    let at = |i: usize| plan[i % count];
    (0..count).find(|&long| {
        (1..count - 1).all(|step| {
            let (a, b, c) = (at(long + step), at(long + step + 1), at(long + step + 2));
            collinear(a, b, c) && runs_on(a, b, c)
        })
    })
}

/// Replaces the neighbour's edge at the sliver's long edge by the sliver's short ones.
fn join_across(drafts: &mut [Draft], sliver: usize, long: usize) {
    let mut short = drafts[sliver].corners.clone();
    let count = short.len();
    let beyond_long = short[long].1;
    let [start, end] = drafts[sliver].ends(long);
    // From the long edge's end back to its start: corners with what lies beyond each short edge.
    short.rotate_left((long + 1) % count);
    short.pop();
    let short_ends: Vec<[[i32; 3]; 2]> =
        (0..short.len()).map(|i| [short[i].0, short.get(i + 1).map_or(start, |next| next.0)]).collect();
    let inherited = match beyond_long {
        Beyond::Internal(other) if drafts[other as usize].dropped => Beyond::Wall,
        other => other,
    };
    let far_side = match inherited {
        Beyond::Internal(other) if !insert(&mut drafts[other as usize], sliver, [end, start], &short) => {
            Beyond::Wall
        }
        beyond => beyond,
    };
    for (&(_, beyond), ends) in short.iter().zip(&short_ends) {
        if let Beyond::Internal(other) = beyond {
            let other = &mut drafts[other as usize];
            let back = [ends[1], ends[0]];
            if let Some(at) = edge_towards(other, sliver, back) {
                other.corners[at].1 = far_side;
            }
        }
    }
}

/// The edge with these ends that leads to the sliver.
fn edge_towards(draft: &Draft, sliver: usize, ends: [[i32; 3]; 2]) -> Option<usize> {
    let towards =
        |at: usize| matches!(draft.corners[at].1, Beyond::Internal(other) if other as usize == sliver);
    (0..draft.corners.len()).find(|&at| towards(at) && draft.ends(at) == ends)
}

/// Puts `chain` in the place of the edge with these ends that leads to the sliver; false if there is none.
fn insert(draft: &mut Draft, sliver: usize, ends: [[i32; 3]; 2], chain: &[([i32; 3], Beyond)]) -> bool {
    let Some(at) = edge_towards(draft, sliver, ends) else { return false };
    draft.corners[at].1 = chain[0].1;
    draft.corners.splice(at + 1..at + 1, chain[1..].iter().copied());
    let added = chain.len() - 1;
    for vertex in draft.detail_triangles.iter_mut().flat_map(|triangle| &mut triangle.vertices) {
        if *vertex as usize > at {
            *vertex += added as u32;
        }
    }
    true
}
