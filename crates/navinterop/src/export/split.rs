//! Polygons that Detour cannot hold, cut along diagonals: those of more than six corners, and those with a
//! corner on a straight side. Of two edges on one line Detour takes either as the one through which a ray or
//! a string leaves, so that rays would end at an edge that they do not meet.

use crate::detour::MAX_CORNERS;
use navmath::predicates::{Point, area2, polygon_area2};

/// Cuts a convex polygon into pieces of three to six corners, none of them on a straight side, each with
/// area. A piece is a list of corners of the polygon, in order around it. O(corners³), with at most 255
/// corners.
pub(super) fn split(plan: &[Point]) -> Vec<Vec<usize>> {
    let mut pieces = Vec::new();
    let mut open: Vec<Vec<usize>> = vec![(0..plan.len()).collect()];
    while let Some(ring) = open.pop() {
        if let Some((piece, rest)) = cut_at_flat_corner(plan, &ring) {
            open.extend([rest, piece]);
        } else if ring.len() > MAX_CORNERS {
            // If rounding has bent the polygon, the rest may have no area.
            let (piece, rest) =
                cut(plan, &ring).unwrap_or_else(|| (ring[..3].to_vec(), [&ring[..1], &ring[2..]].concat()));
            open.extend([rest, piece]);
        } else {
            pieces.push(ring);
        }
    }
    pieces
}

/// Cuts at the first corner that does not turn, so that both parts have area. Of such cuts it takes the one
/// with the largest smaller part.
fn cut_at_flat_corner(plan: &[Point], ring: &[usize]) -> Option<(Vec<usize>, Vec<usize>)> {
    let count = ring.len();
    let at = |index: usize| plan[ring[index % count]];
    let flat = (0..count).find(|&index| area2(at(index + count - 1), at(index), at(index + 1)) >= 0)?;
    let mut turned = ring.to_vec();
    turned.rotate_left(flat);
    let parts = |end: usize| (turned[..=end].to_vec(), [&turned[end..], &turned[..1]].concat());
    let smaller = |end: usize| {
        let (piece, rest) = parts(end);
        area(plan, &piece).min(area(plan, &rest))
    };
    let best = (2..count - 1).map(|end| (smaller(end), std::cmp::Reverse(end))).max()?;
    (best.0 > 0).then(|| parts(best.1.0))
}

/// Twice the area of a ring of corners.
fn area(plan: &[Point], ring: &[usize]) -> i128 {
    -polygon_area2(ring.iter().map(|&corner| plan[corner]))
}

/// Cuts off all corners that a piece can hold, so that piece and rest have area. Of such cuts it takes the
/// one with the largest smaller part. Corners may be flat, or bent by rounding; then some cuts leave next to
/// nothing on one side, and a smaller piece is better. A valid cut always exists, at least a triangle at a
/// corner that turns.
fn cut(plan: &[Point], ring: &[usize]) -> Option<(Vec<usize>, Vec<usize>)> {
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
            let smaller = area(plan, &turned).min(area(plan, &rest));
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
        assert!(pieces.iter().all(|piece| cut_at_flat_corner(plan, piece).is_none()), "{plan:?}: {pieces:?}");
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
