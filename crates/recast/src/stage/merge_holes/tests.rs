//! Bridges are the shortest, and holes that cannot be joined are reported.

use super::plain_tests::crosses;
use super::*;
use crate::stage::testing::grid;
use crate::stage::triangulate;
use navtile::area::AreaId;

pub(super) fn contour(corners: &[[i32; 2]]) -> Contour {
    let vertex = |&[x, z]: &[i32; 2]| ContourVertex {
        position: [x, 0, z],
        beyond: RegionId::NONE,
        area_border: false,
        border_vertex: false,
    };
    Contour {
        region: RegionId::inner(1),
        area: AreaId::GROUND,
        vertices: corners.iter().map(vertex).collect(),
    }
}

fn rectangle(x0: i32, z0: i32, x1: i32, z1: i32) -> Contour {
    contour(&[[x0, z0], [x0, z1], [x1, z1], [x1, z0]])
}

fn hole(x0: i32, z0: i32, x1: i32, z1: i32) -> Contour {
    contour(&[[x0, z0], [x1, z0], [x1, z1], [x0, z1]])
}

fn merged(contours: Vec<Contour>) -> (ContourSet, Report) {
    let mut context = Context::new();
    let before: i128 = contours.iter().map(Contour::area2).sum();
    let simplified = SimplifiedContours { grid: grid(99, 99), region_count: 1, contours };
    let (set, faults) = run(simplified, &(), &mut context).unwrap();
    let report = context.report;
    set.check().unwrap();
    assert_eq!(faults.is_empty(), report.diagnostics.is_empty());
    if report.diagnostics.is_empty() {
        assert_eq!(before, set.contours.iter().map(Contour::area2).sum::<i128>());
    }
    (set, report)
}

#[test]
fn a_hole_is_bridged_by_the_shortest_diagonal() {
    let (set, report) = merged(vec![rectangle(0, 0, 20, 20), hole(2, 3, 6, 7)]);
    assert!(report.diagnostics.is_empty());
    assert_eq!(set.contours[0].vertices.len(), 10);
    assert_eq!(set.contours[0].vertices[0].plan(), [0, 0]);
    assert_eq!(set.contours[0].vertices[5].plan(), [2, 3]);
    assert!(set.contours[1].vertices.is_empty());
}

#[test]
fn many_holes_conserve_area() {
    let mut contours = vec![rectangle(0, 0, 60, 60)];
    for x in 0..5 {
        for z in 0..5 {
            contours.push(hole(4 + 11 * x, 5 + 11 * z, 9 + 11 * x, 12 + 11 * z));
        }
    }
    let (set, report) = merged(contours);
    assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    assert_eq!(set.contours[0].vertices.len(), 4 + 25 * 6);
}

#[test]
fn the_diagonal_may_not_cross_the_outline_beside_it() {
    // A comb: from the hole's leftmost corner, the nearest corners of the outline are behind a tooth.
    let comb = contour(&[[0, 0], [0, 30], [30, 30], [30, 0], [13, 0], [13, 20], [11, 20], [11, 0]]);
    let (set, report) = merged(vec![comb, hole(15, 10, 18, 14)]);
    assert!(report.diagnostics.is_empty());
    let bridge = (set.contours[0].vertices[0].plan(), set.contours[0].vertices[9].plan());
    assert_eq!(bridge.1, [15, 10]);
    let outline = &set.contours[0].vertices[..9];
    assert!(!crosses(bridge.0, bridge.1, outline), "{bridge:?}");
}

#[test]
fn a_bridge_to_a_place_that_a_hole_passes_twice_crosses_nothing() {
    // Two parts meet at the hole's leftmost place: the bridge from the left must end at the corner with the
    // ground there.
    let hole = contour(&[[1, 3], [3, 7], [1, 4], [1, 3], [2, 2], [2, 3]]);
    for first in 0..hole.vertices.len() {
        let mut hole = hole.clone();
        hole.vertices.rotate_left(first);
        let (set, report) = merged(vec![rectangle(0, 0, 8, 8), hole]);
        assert!(report.diagnostics.is_empty());
        let triangulation = triangulate::run(&set, &(), &mut Context::new()).unwrap();
        assert_eq!(triangulation.faults, [], "from corner {first} on");
    }
}

#[test]
fn a_hole_can_be_joined_at_the_end_of_a_slit() {
    let hole = contour(&[[4, 2], [3, 2], [4, 2], [6, 2], [6, 5], [4, 5]]);
    let (set, report) = merged(vec![rectangle(0, 0, 8, 8), hole]);
    assert!(report.diagnostics.is_empty());
    assert_eq!(set.contours[0].vertices[5].plan(), [3, 2]);
    assert_eq!(triangulate::run(&set, &(), &mut Context::new()).unwrap().faults, []);
}

#[test]
fn a_hole_without_an_outline_is_reported() {
    let (_, report) = merged(vec![hole(2, 3, 6, 7)]);
    assert_eq!(report.diagnostics[0].kind, DiagnosticKind::BadOutline);
}
