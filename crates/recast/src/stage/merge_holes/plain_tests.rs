//! The plain rule of bridges, which examines all corners and all edges each time, and random regions to
//! compare with it.

use super::tests::contour;
use super::*;
use crate::meshing::bridges::can_join;
use navmath::predicates::{Point, distance_squared, intersect};
use proptest::prelude::*;

type Outline = Vec<ContourVertex>;

/// Joins all holes; returns the outline and the number of holes that could not be joined.
fn join_plainly(mut outline: Outline, mut holes: Vec<Outline>) -> (Outline, usize) {
    holes.sort_by_key(|hole| hole[leftmost(hole)].plan());
    let mut left_out = 0;
    for index in 0..holes.len() {
        let hole = &holes[index];
        let corners = (0..hole.len()).map(|step| (leftmost(hole) + step) % hole.len());
        let around = |from: usize| {
            [from + hole.len() - 1, from, from + 1].map(|corner| hole[corner % hole.len()].plan())
        };
        let mut corners =
            corners.filter_map(|from| Some((nearest(&outline, around(from), &holes[index..])?, from)));
        match corners.next() {
            Some((at, from)) => {
                outline.rotate_left(at);
                outline.push(outline[0]);
                outline.extend((0..=hole.len()).map(|step| hole[(from + step) % hole.len()]));
            }
            None => left_out += 1,
        }
    }
    (outline, left_out)
}

fn nearest(outline: &[ContourVertex], corner: [Point; 3], holes: &[Outline]) -> Option<usize> {
    let from = corner[1];
    let at = |index: usize| outline[index % outline.len()].plan();
    let in_sight = (0..outline.len()).filter(|&index| {
        can_join([index + outline.len() - 1, index, index + 1].map(at), corner)
            && !crosses(at(index), from, outline)
            && !holes.iter().any(|hole| crosses(at(index), from, hole))
    });
    in_sight.min_by_key(|&index| (distance_squared(at(index), from), index))
}

/// Returns true if the segment `ab` meets an edge of the contour anywhere except at its own ends.
pub(super) fn crosses(a: Point, b: Point, contour: &[ContourVertex]) -> bool {
    (0..contour.len()).any(|index| {
        let (p, q) = (contour[index].plan(), contour[(index + 1) % contour.len()].plan());
        ![p, q].iter().any(|end| [a, b].contains(end)) && intersect(a, b, p, q)
    })
}

fn compare(outline: Outline, holes: Vec<Outline>) -> Result<(), TestCaseError> {
    let (expected, left_out) = join_plainly(outline.clone(), holes.clone());
    let (mut report, mut merged) = (Context::new().report, contour(&[]));
    merged.vertices = outline;
    prop_assert_eq!(merge_region(Some(&mut merged), holes, &mut report), left_out == 0);
    prop_assert_eq!(report.diagnostics.len(), left_out);
    prop_assert_eq!(merged.vertices, expected);
    Ok(())
}

fn hole_of(corners: impl IntoIterator<Item = Point>) -> Outline {
    contour(&corners.into_iter().collect::<Vec<_>>()).vertices
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    // A field of holes, in rows so that many bridges are equally long; now and then holes touch.
    #[test]
    fn fields_of_holes_are_joined_like_by_the_plain_rule(
        shapes in prop::collection::vec(0..6u8, 1..80), pitch in 4..8i32, wide in 1..12i32
    ) {
        let mut holes: Vec<Outline> = Vec::new();
        for (place, shape) in (0i32..).zip(&shapes) {
            let [x, z] = [pitch * (1 + place % wide), pitch * (1 + place / wide)];
            match shape {
                0 => holes.push(hole_of([[x, z], [x + 4, z], [x + 4, z + 4], [x, z + 4]])),
                1 => holes.push(hole_of([[x + 1, z + 1], [x + 2, z], [x + 3, z + 1], [x + 2, z + 3]])),
                2 => holes.push(hole_of([[x, z + 2], [x + 2, z], [x + 4, z + 2], [x + 2, z + 4]])),
                3 => holes.push(hole_of([[x + 1, z + 1], [x + 3, z + 1], [x + 3, z + 2]])),
                _ => {}
            }
        }
        let depth = pitch * (2 + shapes.len() as i32 / wide) + 4;
        let width = pitch * (wide + 1) + 4;
        compare(hole_of([[0, 0], [0, depth], [width, depth], [width, 0]]), holes)?;
    }

    // Holes that cross the outline and each other, as simplification may leave them: many cannot be joined.
    #[test]
    fn crossing_holes_are_joined_like_by_the_plain_rule(
        outline in prop::collection::vec(prop::array::uniform2(0..40i32), 3..40),
        holes in prop::collection::vec(prop::collection::vec(prop::array::uniform2(0..40i32), 3..8), 1..30)
    ) {
        let holes = holes.into_iter().map(|hole| hole_of(without_repeats(hole))).collect::<Vec<_>>();
        compare(hole_of(without_repeats(outline)), holes)?;
    }
}

/// Points without consecutive duplicates, as in contours.
fn without_repeats(mut points: Vec<Point>) -> Vec<Point> {
    points.dedup();
    while points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    points
}
