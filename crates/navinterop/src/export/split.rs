//! Polygons of more than six corners, cut along diagonals.

use crate::detour::MAX_CORNERS;
use navmath::predicates::{Point, polygon_area2};

/// Cuts a convex polygon into pieces of three to six corners, each with area. A piece is a list of corners of
/// the polygon, in order around it. O(corners²), with at most 255 corners.
pub(super) fn split(plan: &[Point]) -> Vec<Vec<usize>> {
    let mut ring: Vec<usize> = (0..plan.len()).collect();
    let mut pieces = Vec::new();
    while ring.len() > MAX_CORNERS {
        // If rounding has bent the polygon, the rest may have no area.
        let (piece, rest) =
            cut(plan, &ring).unwrap_or_else(|| (ring[..3].to_vec(), [&ring[..1], &ring[2..]].concat()));
        pieces.push(piece);
        ring = rest;
    }
    pieces.push(ring);
    pieces
}

/// Cuts off all corners that a piece can hold, so that piece and rest have area. Of such cuts it takes the
/// one with the largest smaller part. Corners may be flat, or bent by rounding; then some cuts leave next to
/// nothing on one side, and a smaller piece is better. A valid cut always exists, at least a triangle at a
/// corner that turns.
fn cut(plan: &[Point], ring: &[usize]) -> Option<(Vec<usize>, Vec<usize>)> {
    let area = |corners: &[usize]| -polygon_area2(corners.iter().map(|&corner| plan[corner]));
    let extent = |axis: usize| {
        let values = || ring.iter().map(|&corner| i128::from(plan[corner][axis]));
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    };
    // Four units on average.
    let thick = 4 * extent(0).max(extent(1));
    let mut best: Option<(i128, Vec<usize>, Vec<usize>)> = None;
    for length in (3..=MAX_CORNERS).rev() {
        for start in 0..ring.len() {
            let mut turned = ring.to_vec();
            turned.rotate_left(start);
            let rest: Vec<usize> = [&turned[..1], &turned[length - 1..]].concat();
            turned.truncate(length);
            let smaller = area(&turned).min(area(&rest));
            if smaller > best.as_ref().map_or(0, |best| best.0) {
                best = Some((smaller, turned, rest));
            }
        }
        if best.as_ref().is_some_and(|best| best.0 > thick) {
            break;
        }
    }
    best.map(|(_, piece, rest)| (piece, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(plan: &[Point]) {
        let pieces = split(plan);
        let whole = polygon_area2(plan.iter().copied());
        let parts = pieces.iter().map(|piece| polygon_area2(piece.iter().map(|&corner| plan[corner])));
        assert!(parts.clone().all(|area| area < 0), "{plan:?}: {pieces:?}");
        assert_eq!(parts.sum::<i128>(), whole);
        assert!(pieces.iter().all(|piece| (3..=MAX_CORNERS).contains(&piece.len())));
    }

    #[test]
    fn flat_corners_are_no_trap() {
        let mut triangle: Vec<Point> = (0..20).map(|x| [x, 0]).collect();
        triangle.push([10, -9]);
        check(&triangle);
        let mut square: Vec<Point> = (0..9).map(|x| [x, 0]).collect();
        square.extend((0..9).map(|x| [9, -x]));
        square.extend((0..9).map(|x| [9 - x, -9]));
        square.extend((1..9).map(|x| [0, x - 9]));
        check(&square);
    }

    proptest! {
        #[test]
        fn pieces_make_up_the_polygon(sides in prop::array::uniform4(1usize..40), seed in any::<u32>()) {
            // A quadrilateral with flat corners on its sides.
            let corners: [Point; 4] = [[0, 0], [900, -(seed as i32 & 63)], [1_000, -800], [-50, -700]];
            let mut plan = Vec::new();
            for (side, &count) in sides.iter().enumerate() {
                let (a, b) = (corners[side], corners[(side + 1) % 4]);
                // Only even divisions stay on the line.
                let divides = |part: usize| (0..2).all(|axis| (b[axis] - a[axis]) % part as i32 == 0);
                let count = (1..=count).rev().find(|&count| divides(count)).unwrap_or(1);
                let at = |i: usize, axis: usize| a[axis] + (b[axis] - a[axis]) / count as i32 * i as i32;
                plan.extend((0..count).map(|i| [at(i, 0), at(i, 1)]));
            }
            prop_assume!(plan.len() < 256);
            check(&plan);
        }
    }
}
