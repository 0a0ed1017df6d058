//! Leaves out polygons without area, seen from above, and joins their neighbours across them.
//!
//! Triangulating a polygon with flat corners leaves slivers: a long edge on one side, short ones along the
//! same line on the other. Dropping only the sliver would cut its neighbours off from each other. So the
//! corners between the short edges are inserted into the neighbour at the long edge, on which they are flat,
//! and the pieces of that edge get the sliver's neighbours. A sliver with corners between on both sides is
//! dropped without joining: its neighbours get walls.

use super::draft::{Corner, Drafts};
use crate::content::{Beyond, DetailTriangleContent, TileContent};
use crate::convex::long_edge;
use navmath::predicates::{Point, polygon_area2};
use navmath::sort::SharedSort;

/// Drops every polygon without area, in the order of their corners, so that the order of the content has no
/// effect. Cost: O(corners of all polygons), and the corners of the slivers' neighbours once more for each
/// sliver.
pub(super) fn drop_flat(drafts: &mut Drafts, content: &TileContent) {
    let is_flat = |&i: &usize| !drafts.list[i].is_convex && polygon_area2(drafts.plan(i)) == 0;
    let mut flat: Vec<usize> = (0..drafts.list.len()).filter(is_flat).collect();
    let vertices = |i: usize| drafts.corners(i).iter().map(|corner| corner.vertex);
    flat.shared_sort_by(|&a, &b| vertices(a).cmp(vertices(b)));
    for index in flat {
        drafts.list[index].dropped = true;
        let plan: Vec<Point> = drafts.plan(index).collect();
        if let Some(long) = long_edge(&plan) {
            join_across(drafts, content, index, long);
        }
    }
}

/// Replaces the neighbour's edge at the sliver's long edge with the sliver's short edges.
fn join_across(drafts: &mut Drafts, content: &TileContent, sliver: usize, long: usize) {
    let mut short = drafts.corners(sliver).to_vec();
    let count = short.len();
    let beyond_long = short[long].beyond;
    let [start, end] = drafts.ends(sliver, long);
    // From the long edge's end back to its start: corners, each with the other side of its short edge.
    short.rotate_left((long + 1) % count);
    short.pop();
    let short_ends: Vec<[u32; 2]> = (0..short.len())
        .map(|i| [short[i].vertex, short.get(i + 1).map_or(start, |next| next.vertex)])
        .collect();
    let inherited = match beyond_long {
        Beyond::Internal(other) if drafts.list[other as usize].dropped => Beyond::Wall,
        other => other,
    };
    let far_side = match inherited {
        Beyond::Internal(other) => {
            let other = other as usize;
            match edge_towards(drafts, other, sliver, [end, start]) {
                Some(at) => {
                    insert(drafts, content, other, at, &short);
                    inherited
                }
                None => Beyond::Wall,
            }
        }
        beyond => beyond,
    };
    for (corner, ends) in short.iter().zip(&short_ends) {
        if let Beyond::Internal(other) = corner.beyond {
            let other = other as usize;
            if let Some(at) = edge_towards(drafts, other, sliver, [ends[1], ends[0]]) {
                let first = drafts.list[other].first;
                drafts.corners[first + at].beyond = far_side;
            }
        }
    }
}

/// The edge of a draft with these ends that leads to the sliver.
fn edge_towards(drafts: &Drafts, draft: usize, sliver: usize, ends: [u32; 2]) -> Option<usize> {
    let towards =
        |corner: &Corner| matches!(corner.beyond, Beyond::Internal(other) if other as usize == sliver);
    let corners = drafts.corners(draft);
    (0..corners.len()).find(|&at| towards(&corners[at]) && drafts.ends(draft, at) == ends)
}

/// Inserts `chain` in place of edge `at` of a draft.
fn insert(drafts: &mut Drafts, content: &TileContent, draft: usize, at: usize, chain: &[Corner]) {
    let mut corners = drafts.corners(draft).to_vec();
    corners[at].beyond = chain[0].beyond;
    corners.splice(at + 1..at + 1, chain[1..].iter().copied());
    let added = chain.len() - 1;
    let Drafts { list, triangles, .. } = drafts;
    let changed = &mut list[draft];
    let own = changed.triangles.clone().unwrap_or_else(|| {
        let first = triangles.len();
        triangles.extend(content.polygons[draft].detail_triangles.iter().map(|triangle| {
            // At most the number of indices that were given.
            let turned = |local: u32| match local as usize {
                local if local < changed.count => changed.turned(local) as u32,
                _ => local,
            };
            DetailTriangleContent { vertices: triangle.vertices.map(turned), ..*triangle }
        }));
        first..triangles.len()
    });
    for vertex in triangles[own.clone()].iter_mut().flat_map(|triangle| &mut triangle.vertices) {
        if *vertex as usize > at {
            *vertex += added as u32;
        }
    }
    changed.triangles = Some(own);
    // They do not fit into their old place.
    (changed.first, changed.count) = (drafts.corners.len(), corners.len());
    drafts.corners.extend(corners);
    drafts.find_shape(draft);
}
