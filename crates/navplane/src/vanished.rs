//! Outlines without any ground left after the agent's radius.

use crate::boolean::{GridPolygon, HoledPolygon, Ring};
use crate::box_tree::{Bounds, BoxTree, bounds, grown, overlap};
use crate::exact::{between, turn};
use crate::grid::Point;

/// Numbers of the outlines that had ground and lost all of it. `before` are the polygons of ground without a
/// radius, `after` those with it. A polygon belongs to the first outline that contains its first corner.
pub(crate) fn outlines(
    outlines: &[GridPolygon],
    before: &[HoledPolygon],
    after: &[HoledPolygon],
) -> Vec<usize> {
    let index =
        BoxTree::new(&before.iter().map(|polygon| bounds(polygon[0].iter().copied())).collect::<Vec<_>>());
    let mut kept = vec![false; before.len()];
    for polygon in after {
        let point = polygon[0][0];
        index.visit(
            |bounds| overlap(&grown(bounds), &[point, point]),
            |found| {
                let polygon = &before[found as usize];
                kept[found as usize] |=
                    inside(&polygon[0], point) && !polygon[1..].iter().any(|h| strictly(h, point));
            },
        );
    }
    let mut stays = vec![None; outlines.len()];
    let boxes: Vec<Bounds> = outlines.iter().map(|outline| bounds(outline.ring().iter().copied())).collect();
    let index = BoxTree::new(&boxes);
    for (polygon, kept) in before.iter().zip(kept) {
        let point = polygon[0][0];
        let mut first = None;
        index.visit(
            |bounds| overlap(&grown(bounds), &[point, point]),
            |found| {
                let found = found as usize;
                if first.is_none_or(|first| found < first) && inside(outlines[found].ring(), point) {
                    first = Some(found);
                }
            },
        );
        if let Some(stays) = first.and_then(|first| stays.get_mut(first)) {
            *stays = Some(stays.unwrap_or(false) || kept);
        }
    }
    (0..outlines.len()).filter(|&at| stays[at] == Some(false)).collect()
}

/// Returns true if a ring winds around a point or has it on an edge.
fn inside(ring: &[Point], point: Point) -> bool {
    on_edge(ring, point) || winding(ring, point) != 0
}

/// Returns true if a ring winds around a point that is not on any of its edges.
fn strictly(ring: &Ring, point: Point) -> bool {
    !on_edge(ring, point) && winding(ring, point) != 0
}

fn edges(ring: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

fn on_edge(ring: &[Point], point: Point) -> bool {
    edges(ring).any(|(a, b)| between(a, b, point))
}

/// Number of times that a ring runs counter-clockwise around a point.
fn winding(ring: &[Point], point: Point) -> i32 {
    edges(ring)
        .map(|(a, b)| match (a[1] <= point[1], b[1] <= point[1]) {
            (true, false) => i32::from(turn(a, b, point) > 0),
            (false, true) => -i32::from(turn(a, b, point) < 0),
            _ => 0,
        })
        .sum()
}
