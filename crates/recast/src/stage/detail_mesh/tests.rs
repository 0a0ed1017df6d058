//! Detail meshes of small polygons on known ground.

use super::*;
use crate::area::AreaId;
use crate::data::{EdgeKind, RegionId};
use crate::stage::testing::flat;

/// A room of `size` by `size` cells of 1 m over ground of the given height, as one polygon of one region.
fn room(size: i32, ground: impl Fn(i32, i32) -> i32) -> (PolyMesh, RegionField) {
    let row = "#".repeat(size as usize);
    let mut field = flat(&vec![row; size as usize].join("\n"));
    field.walkable_climb = 40;
    for z in 0..size {
        for x in 0..size {
            field.floor[(x + z * size) as usize] = ground(x, z);
        }
    }
    let count = field.len();
    let corners = [[0, 0], [0, size], [size, size], [size, 0]];
    let height = |x: i32, z: i32| ground(x.min(size - 1), z.min(size - 1));
    let mesh = PolyMesh {
        grid: field.grid,
        vertices: corners.iter().map(|&[x, z]| [x, height(x, z), z]).collect(),
        polygons: vec![Polygon {
            first: 0,
            count: 4,
            region: Some(RegionId::inner(1)),
            area: AreaId::GROUND,
        }],
        corners: vec![0, 1, 2, 3],
        edges: vec![EdgeKind::Wall; 4],
    };
    (mesh, RegionField { field, region: vec![RegionId::inner(1); count], count: 1 })
}

fn build(ground: impl Fn(i32, i32) -> i32, sample_distance: f32) -> DetailMesh {
    let (mesh, regions) = room(24, ground);
    regions.check().unwrap();
    let params = Params { sample_distance, max_error: 1.0, contour_max_error: 1.3 };
    let mut context = Context::new();
    let detail = run((&mesh, &regions), &params, &mut context).unwrap();
    detail.check(&mesh).unwrap();
    assert!(context.report.diagnostics.is_empty());
    detail
}

/// Area seen from above of all triangles.
fn area(detail: &DetailMesh) -> f32 {
    let corner = |index: u32| detail.vertices[index as usize];
    let triangles = detail.triangles.iter();
    triangles
        .map(|t| plane::cross(corner(t.vertices[0]), corner(t.vertices[1]), corner(t.vertices[2])).abs())
        .sum::<f32>()
        / 2.0
}

#[test]
fn flat_ground_needs_two_triangles() {
    let detail = build(|_, _| 3, 3.0);
    assert_eq!((detail.vertices.len(), detail.triangles.len()), (4, 2));
    assert!(detail.vertices.iter().all(|vertex| vertex[1] == 3.0));
    let boundary = detail.triangles.iter().flat_map(|t| t.boundary).filter(|&edge| edge).count();
    assert_eq!(boundary, 4);
}

#[test]
fn a_hill_gets_samples_and_covers_the_polygon() {
    let hill = |x: i32, z: i32| 12 - ((x - 12).abs().max((z - 12).abs())).min(12);
    let detail = build(hill, 3.0);
    assert!(detail.vertices.len() > 4, "{detail:?}");
    assert!((area(&detail) - 576.0).abs() < 0.01);
    let highest = detail.vertices.iter().map(|v| v[1]).fold(0.0, f32::max);
    assert!(highest >= 10.0, "{highest}");
}

#[test]
fn rough_ground_gets_the_samples_it_needs() {
    // A chequerboard of pits: no two neighbouring samples lie on one plane.
    let pits = |x: i32, z: i32| ((x * 7 + z * 13) % 9) * 4;
    let (mesh, regions) = room(64, pits);
    let params = Params { sample_distance: 2.0, max_error: 0.5, contour_max_error: 1.3 };
    let mut context = Context::new();
    let detail = run((&mesh, &regions), &params, &mut context).unwrap();
    detail.check(&mesh).unwrap();
    assert!(detail.vertices.len() > 600, "{}", detail.vertices.len());
    assert!(detail.triangles.len() > 255);
    assert!((area(&detail) - 4096.0).abs() < 0.1, "{}", area(&detail));
    let corner = |index: u32| detail.vertices[index as usize];
    let turn = |t: &DetailTriangle| {
        plane::cross(corner(t.vertices[0]), corner(t.vertices[1]), corner(t.vertices[2]))
    };
    assert!(detail.triangles.iter().all(|triangle| turn(triangle) < 0.0), "none is turned over");
}

#[test]
fn an_edge_follows_a_ridge() {
    let ridge = |x: i32, _: i32| 12 - (x - 12).abs();
    let detail = build(ridge, 3.0);
    let on_edge = detail.vertices.iter().filter(|v| v[2] == 0.0 && v[0] > 0.0 && v[0] < 24.0).count();
    assert!(on_edge >= 1);
}

#[test]
fn without_samples_corners_must_do() {
    let detail = build(|x, _| x, 0.0);
    assert_eq!((detail.vertices.len(), detail.triangles.len()), (4, 2));
    let boundary = detail.triangles.iter().flat_map(|t| t.boundary).filter(|&edge| edge).count();
    assert_eq!(boundary, 4);
}

/// Places in a square of 8 m, with some on lines, where circles through several points are common.
fn places() -> impl proptest::strategy::Strategy<Value = Vec<[f32; 3]>> {
    use proptest::prelude::*;
    let place = |metres: (f32, f32, f32), on_lines: bool| {
        let snap = |value: f32| if on_lines { value.round() } else { value };
        [snap(metres.0), metres.1, snap(metres.2)]
    };
    let inside = (0.5f32..7.5, 0.0f32..3.0, 0.5f32..7.5);
    prop::collection::vec((inside, any::<bool>()).prop_map(move |(m, on_lines)| place(m, on_lines)), 1..24)
}

proptest::proptest! {
    #[test]
    fn going_on_is_starting_afresh(places in places()) {
        let mut points = vec![[0.0, 1.0, 0.0], [0.0, 0.0, 8.0], [8.0, 2.0, 8.0], [8.0, 0.0, 0.0]];
        let mut hull = Hull::default();
        hull.set_corners(4);
        let mut samples: Vec<Sample> =
            places.iter().map(|&position| Sample { position, added: false }).collect();
        let (mut going_on, mut triangles) = (Delaunay::default(), Vec::new());
        let mut errors = SampleErrors::default();
        errors.reset(&samples);
        for index in 0..places.len() {
            points.push(places[index]);
            samples[index].added = true;
            errors.take(index);
            going_on.triangulate(&points, &hull.vertices, &mut triangles);
            let mut afresh = Vec::new();
            Delaunay::default().triangulate(&points, &hull.vertices, &mut afresh);
            proptest::prop_assert_eq!(&triangles, &afresh);
            let worst = errors.update(&points, &triangles);
            let mut expected: Option<(f32, usize)> = None;
            for (number, sample) in samples.iter().enumerate().filter(|(_, sample)| !sample.added) {
                let slopes = triangles.iter().map(|t| plane::Slope::new(t.map(|corner| points[corner as usize])));
                let all = slopes.filter_map(|slope| slope.height_error(sample.position));
                let least = all.min_by(f32::total_cmp);
                proptest::prop_assert_eq!(errors.of(number), least);
                expected = match least {
                    Some(error) if error > expected.map_or(0.0, |(most, _)| most) => Some((error, number)),
                    _ => expected,
                };
            }
            proptest::prop_assert_eq!(worst, expected);
        }
    }
}
