//! Outlines of many shapes are covered by their triangles, and knots are reported.

use super::*;
use crate::meshing::ear_clipping::triangulate;
use navmath::predicates::{area2, polygon_area2};
use proptest::prelude::*;

fn covers(outline: &[Point]) -> bool {
    let (triangles, complete) = triangulate(outline);
    let sum: i128 = triangles
        .iter()
        .map(|t| i128::from(area2(outline[t[0] as usize], outline[t[1] as usize], outline[t[2] as usize])))
        .sum();
    complete && triangles.len() == outline.len() - 2 && sum == polygon_area2(outline.iter().copied())
}

#[test]
fn convex_and_concave_outlines_are_covered() {
    assert!(covers(&[[0, 0], [0, 4], [4, 4], [4, 0]]));
    assert!(covers(&[[0, 0], [0, 4], [2, 1], [4, 4], [4, 0]]));
}

#[test]
fn a_bridge_to_a_hole_is_walked_both_ways() {
    let outline = [[0, 0], [0, 9], [9, 9], [9, 0], [0, 0], [3, 3], [6, 3], [6, 6], [3, 6], [3, 3]];
    assert!(covers(&outline));
}

#[test]
fn spikes_do_not_get_in_the_way() {
    // Two spikes into the ground that leave no proper ear.
    let outline = [
        [5, 8],
        [4, 8],
        [5, 8],
        [5, 6],
        [3, 6],
        [3, 9],
        [17, 9],
        [17, 7],
        [7, 7],
        [11, 7],
        [11, 4],
        [6, 4],
        [6, 8],
    ];
    let (triangles, complete) = triangulate(&outline);
    assert!(complete && is_exact_cover(&outline, &triangles, &mut Ring::default()));
    let area = |t: &[u32; 3]| polygon_area2(t.map(|corner| outline[corner as usize]));
    assert_eq!(triangles.iter().map(area).sum::<i128>(), polygon_area2(outline));
}

#[test]
fn a_knot_ends_and_says_so() {
    let (_, complete) = triangulate(&[[0, 0], [4, 4], [0, 4], [4, 0], [8, 2], [2, 9]]);
    assert!(!complete);
}

proptest! {
    // Outlines with one point above and one below in each column: simple at any heights.
    #[test]
    fn combs_are_covered(upper in prop::collection::vec(1..30i32, 2..20), lower in prop::collection::vec(-30..-1i32, 20)) {
        let count = upper.len() as i32;
        let mut outline: Vec<Point> = (0..count).map(|x| [x, upper[x as usize]]).collect();
        outline.extend((0..count).rev().map(|x| [x, lower[x as usize]]));
        prop_assert!(polygon_area2(outline.iter().copied()) < 0);
        prop_assert!(covers(&outline));
    }
}
