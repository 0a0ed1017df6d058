//! From contours to polygons, work grows with the corners: the worst known families, twice as wide and deep
//! the second time, so with four times the corners. Steps are counted, not time.

use crate::data::{Contour, ContourVertex, RegionId, SimplifiedContours};
use crate::meshing::steps::steps_of;
use crate::stage::testing::grid;
use crate::stage::{Context, merge_holes, poly_mesh, triangulate};
use navtile::area::AreaId;

fn contour(corners: impl IntoIterator<Item = [i32; 2]>) -> Contour {
    let vertex = |[x, z]: [i32; 2]| ContourVertex {
        position: [x, 0, z],
        beyond: RegionId::NONE,
        area_border: false,
        border_vertex: false,
    };
    let vertices = corners.into_iter().map(vertex).collect();
    Contour { region: RegionId::inner(1), area: AreaId::GROUND, vertices }
}

/// Checks that a family of regions takes at most five times the steps for four times the corners: the extra
/// is only the logarithm of a longer list.
fn grows_with_its_corners(family: impl Fn(i32) -> (i32, Vec<Contour>)) {
    let steps = |size: i32| {
        let (width, contours) = family(size);
        let corners: usize = contours.iter().map(|contour| contour.vertices.len()).sum();
        let simplified =
            SimplifiedContours { grid: grid(width as u32, width as u32), region_count: 1, contours };
        let context = &mut Context::new();
        let steps = steps_of(|| {
            let (contours, faults) = merge_holes::run(simplified, &(), context).unwrap();
            let triangulation = triangulate::run(&contours, &(), context).unwrap();
            assert!(faults.is_empty() && triangulation.faults.is_empty());
            let params = poly_mesh::Params { max_vertices: 6 };
            poly_mesh::run((&contours, &triangulation), &params, context).unwrap();
        });
        (corners as f64, steps as f64)
    };
    let ((few, before), (many, after)) = (steps(32), steps(64));
    assert!(after / before <= 1.25 * many / few, "{before} steps for {few} corners, {after} for {many}");
}

#[test]
fn a_field_of_pillars() {
    grows_with_its_corners(|side| {
        let width = 6 * side + 1;
        let floor = contour([[0, 0], [0, width], [width, width], [width, 0]]);
        let pillar = |at: i32| {
            let [x, z] = [at % side, at / side].map(|cell| 6 * cell + 1);
            contour([[x + 1, z], [x + 4, z], [x + 5, z + 1], [x + 5, z + 5], [x, z + 5], [x, z + 1]])
        };
        (width, std::iter::once(floor).chain((0..side * side).map(pillar)).collect())
    });
}

#[test]
fn a_border_of_many_vertices() {
    // The floor ends at the tile's border, where other regions beyond it left a vertex in each cell.
    grows_with_its_corners(|side| {
        let width = side * side;
        let mut floor = contour((0..=width).rev().map(|x| [x, 0]).chain([[0, 9], [width, 9]]));
        for vertex in &mut floor.vertices[..width as usize] {
            vertex.beyond = RegionId::border(1);
            vertex.border_vertex = (1..width).contains(&vertex.position[0]);
        }
        (width, vec![floor])
    });
}

#[test]
fn a_comb() {
    grows_with_its_corners(|side| {
        let teeth = side * side;
        let tooth = |at: i32| [[4 * at, 60], [4 * at + 1, 0], [4 * at + 3, 0], [4 * at + 4, 60]];
        let mut corners: Vec<[i32; 2]> =
            (0..teeth).rev().flat_map(|at| tooth(at).into_iter().rev()).collect();
        corners.extend([[0, 64], [4 * teeth, 64]]);
        corners.dedup();
        (4 * teeth, vec![contour(corners)])
    });
}
