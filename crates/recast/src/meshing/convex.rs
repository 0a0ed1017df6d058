//! Triangles over the corners of a convex polygon.
//! Source: M. Mononen, Recast (RecastMeshDetail.cpp, triangulateHull).

use crate::lists::{next_in_ring, previous_in_ring};

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let (dx, dz) = (b[0] - a[0], b[2] - a[2]);
    (dx * dx + dz * dz).sqrt()
}

/// Triangulates a convex polygon: starts with a short ear and continues to its left or right, on the side
/// that adds the shorter edge.
pub(crate) fn triangulate(corners: &[[f32; 3]], triangles: &mut Vec<[u32; 3]>) {
    let count = corners.len();
    let (next, previous) = (|index| next_in_ring(index, count), |index| previous_in_ring(index, count));
    let (mut start, mut left, mut right) = (0, 1, count - 1);
    let mut least = f32::MAX;
    for ear in 0..count {
        let (before, at, after) = (corners[previous(ear)], corners[ear], corners[next(ear)]);
        let perimeter = distance(before, at) + distance(at, after) + distance(after, before);
        if perimeter < least {
            (start, left, right) = (ear, next(ear), previous(ear));
            least = perimeter;
        }
    }
    let triangle = |corners: [usize; 3]| corners.map(|corner| corner as u32);
    triangles.clear();
    triangles.push(triangle([start, left, right]));
    while next(left) != right {
        let (new_left, new_right) = (next(left), previous(right));
        let by_left =
            distance(corners[left], corners[new_left]) + distance(corners[new_left], corners[right]);
        let by_right =
            distance(corners[right], corners[new_right]) + distance(corners[left], corners[new_right]);
        if by_left < by_right {
            triangles.push(triangle([left, new_left, right]));
            left = new_left;
        } else {
            triangles.push(triangle([left, new_right, right]));
            right = new_right;
        }
    }
}
