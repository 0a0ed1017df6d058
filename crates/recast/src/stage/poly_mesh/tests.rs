//! Polygon meshes of small plans.

use super::twins::find_twins;
use super::*;
use crate::data::RegionId;
use crate::data::draft_polygons::DraftPolygons;
use crate::stage::testing::flat;
use crate::stage::{distance_field, merge_holes, regions, simplify_contours, trace_contours, triangulate};
use navtile::area::AreaId;

fn mesh_of(picture: &str, border: u32, max_vertices: u32) -> PolyMesh {
    let mut field = flat(picture);
    field.grid.border = border;
    let context = &mut Context::new();
    let distance = distance_field::run(field, &(), context).unwrap();
    let params = regions::Params { min_cells: 0, merge_cells: 400, join: false };
    let regions = regions::watershed(distance, &params, context).unwrap();
    let raw = trace_contours::run(&regions, &(), context).unwrap();
    let params = simplify_contours::Params {
        max_error: 1.3,
        max_edge: 0,
        split_walls: true,
        split_areas: false,
        walkable_climb: 1,
    };
    let refinement = simplify_contours::Refinement::none(&raw);
    let (simplified, _) = simplify_contours::run((&raw, &refinement), &params, context).unwrap();
    let area: i128 = simplified.contours.iter().map(|contour| contour.area2()).sum();
    let (contours, _) = merge_holes::run(simplified, &(), context).unwrap();
    let triangulation = triangulate::run(&contours, &(), context).unwrap();
    assert!(triangulation.faults.is_empty());
    let mesh = run((&contours, &triangulation), &Params { max_vertices }, context).unwrap();
    mesh.check().unwrap();
    let diagnostics = &context.report.diagnostics;
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(area, mesh.polygons.iter().map(|polygon| mesh.polygon_area2(polygon)).sum::<i128>());
    mesh
}

fn room(width: usize, depth: usize) -> String {
    vec!["#".repeat(width); depth].join("\n")
}

#[test]
fn a_room_is_one_polygon() {
    let mesh = mesh_of(&room(8, 5), 0, 6);
    assert_eq!((mesh.polygons.len(), mesh.polygons[0].count), (1, 4));
    assert!(mesh.edges.iter().all(|edge| *edge == EdgeKind::Wall));
    assert_eq!(mesh_of(&room(8, 5), 0, 3).polygons.len(), 2);
}

#[test]
fn polygons_go_round_a_pillar() {
    let plan =
        "##########\n##########\n##########\n####..####\n####..####\n##########\n##########\n##########";
    let mesh = mesh_of(plan, 0, 6);
    assert!(mesh.polygons.len() >= 3);
    let internal = mesh.edges.iter().filter(|edge| matches!(edge, EdgeKind::Internal(_))).count();
    assert!(internal >= 2 * mesh.polygons.len(), "a ring closes");
}

#[test]
fn sides_of_a_bordered_tile_are_portals() {
    let mesh = mesh_of(&room(12, 12), 3, 6);
    assert_eq!((mesh.polygons.len(), mesh.vertices.len()), (1, 4));
    let mut sides: Vec<_> = mesh.edges.clone();
    sides.sort_by_key(|edge| format!("{edge:?}"));
    let expected = [Side::XMax, Side::XMin, Side::ZMax, Side::ZMin].map(EdgeKind::Portal);
    assert_eq!(sides, expected);
}

use crate::data::Side;

#[test]
fn two_areas_share_their_edge() {
    let row = "11111222222";
    let mesh = mesh_of(&[row; 6].join("\n"), 0, 6);
    assert_eq!(mesh.polygons.len(), 2);
    assert_eq!(mesh.edges.iter().filter(|edge| matches!(edge, EdgeKind::Internal(_))).count(), 2);
}

#[test]
fn polygons_with_the_same_corners_are_twins() {
    let polygons = |all: &[&[u32]]| {
        let mut polygons = DraftPolygons::default();
        all.iter().for_each(|corners| polygons.add(corners, RegionSpan::of(RegionId::inner(1)), AreaId(1)));
        polygons
    };
    let apart = polygons(&[&[0, 1, 2], &[0, 1, 3], &[1, 2, 3, 4], &[0, 3, 4, 2]]);
    assert!(!find_twins(&apart).contains(&true));
    let twins = polygons(&[&[0, 1, 2], &[4, 5, 6, 7], &[2, 0, 1], &[0, 1, 3], &[7, 6, 5, 4]]);
    assert_eq!(find_twins(&twins), [false, false, true, false, true]);
}
