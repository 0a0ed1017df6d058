//! Detail meshes of small polygons on known ground.

use super::*;
use crate::data::DetailTriangle;
use crate::data::compact::CompactArrays;
use crate::data::{CompactField, EdgeKind, RegionId};
use crate::stage::compact;
use crate::stage::testing::uneven;
use navmath::predicates::in_circle;
use navtile::area::AreaId;

/// A room of `size` by `size` cells of 1 m over ground of the given height, as one polygon of one region.
fn room(size: i32, ground: impl Fn(i32, i32) -> i32) -> (PolyMesh, RegionField) {
    let regions = uneven(size, &ground);
    let corners = [[0, 0], [0, size], [size, size], [size, 0]];
    let height = |x: i32, z: i32| ground(x.min(size - 1), z.min(size - 1));
    let mesh = PolyMesh {
        grid: regions.field.grid,
        vertices: corners.iter().map(|&[x, z]| [x * FIXED_ONE, height(x, z), z * FIXED_ONE]).collect(),
        polygons: vec![Polygon {
            first: 0,
            count: 4,
            region: Some(RegionId::inner(1)),
            first_region: RegionId::inner(1),
            area: AreaId::GROUND,
        }],
        corners: vec![0, 1, 2, 3],
        edges: vec![EdgeKind::Wall; 4],
    };
    (mesh, regions)
}

fn build(ground: impl Fn(i32, i32) -> i32, sample_distance: f32) -> DetailMesh {
    let (mesh, regions) = room(24, ground);
    regions.check().unwrap();
    let params = Params { sample_distance, max_error: 1.0, contour_max_error: 1.3, max_vertices: 6 };
    let mut context = Context::new();
    let detail = run((&mesh, &regions), &params, &mut context).unwrap();
    detail.check(&mesh).unwrap();
    assert!(context.report.diagnostics.is_empty());
    detail
}

/// Twice the area of a triangle as seen from above; negative with its interior to the left.
fn cross(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> f32 {
    (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])
}

/// Area of all triangles as seen from above.
fn area(detail: &DetailMesh) -> f32 {
    let corner = |index: u32| detail.vertices[index as usize];
    let triangles = detail.triangles.iter();
    triangles
        .map(|t| cross(corner(t.vertices[0]), corner(t.vertices[1]), corner(t.vertices[2])).abs())
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
fn a_hill_gets_vertices_and_covers_the_polygon() {
    let hill = |x: i32, z: i32| 12 - ((x - 12).abs().max((z - 12).abs())).min(12);
    let detail = build(hill, 3.0);
    assert!(detail.vertices.len() > 4, "{detail:?}");
    assert!((area(&detail) - 576.0).abs() < 0.01);
    let highest = detail.vertices.iter().map(|v| v[1]).fold(0.0, f32::max);
    assert!(highest >= 10.0, "{highest}");
}

/// Distance of the furthest floor from the detail mesh of the only polygon, cells.
fn worst(detail: &DetailMesh, ground: impl Fn(i32, i32) -> i32, size: i32) -> f32 {
    let mut worst = vec![f32::INFINITY; (size * size) as usize];
    for triangle in &detail.triangles {
        let [a, b, c] = triangle.vertices.map(|vertex| detail.vertices[vertex as usize]);
        let range = |axis: usize| {
            let values = [a[axis], b[axis], c[axis]];
            let (low, high) =
                (values.into_iter().fold(f32::MAX, f32::min), values.into_iter().fold(0.0, f32::max));
            low as i32..(high.ceil() as i32).min(size)
        };
        for (x, z) in range(2).flat_map(|z| range(0).map(move |x| (x, z))) {
            let at = [x as f32 + 0.5, 0.0, z as f32 + 0.5];
            let weights = [cross(b, c, at), cross(c, a, at), cross(a, b, at)];
            if weights.iter().all(|&weight| weight <= 0.0) {
                let sum: f32 = weights.iter().zip([a, b, c]).map(|(weight, corner)| weight * corner[1]).sum();
                let off = (sum / cross(a, b, c) - ground(x, z) as f32).abs();
                let worst = &mut worst[(x + z * size) as usize];
                *worst = worst.min(off);
            }
        }
    }
    worst.into_iter().fold(0.0, f32::max)
}

/// A chequerboard of pits: no two neighbouring floors are on one plane.
fn pits(x: i32, z: i32) -> i32 {
    ((x * 7 + z * 13) % 9) * 4
}

/// The detail mesh of a room, and the report.
fn built(
    size: i32,
    ground: impl Fn(i32, i32) -> i32,
    max_error: f32,
    max_vertices: u32,
) -> (DetailMesh, Vec<String>) {
    let (mesh, regions) = room(size, ground);
    let params = Params { sample_distance: 2.0, max_error, contour_max_error: 1.3, max_vertices };
    let mut context = Context::new();
    let detail = run((&mesh, &regions), &params, &mut context).unwrap();
    detail.check(&mesh).unwrap();
    (detail, context.report.diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect())
}

#[test]
fn rough_ground_gets_the_vertices_it_needs() {
    let (detail, reported) = built(64, pits, 0.5, 6);
    assert_eq!(reported, [] as [String; 0]);
    assert!(detail.vertices.len() > 600, "{}", detail.vertices.len());
    assert!(detail.triangles.len() > 255);
    assert!((area(&detail) - 4096.0).abs() < 0.1, "{}", area(&detail));
    let corner = |index: u32| detail.vertices[index as usize];
    let turn =
        |t: &DetailTriangle| cross(corner(t.vertices[0]), corner(t.vertices[1]), corner(t.vertices[2]));
    assert!(detail.triangles.iter().all(|triangle| turn(triangle) < 0.0), "none is turned over");
    assert!(worst(&detail, pits, 64) <= 1.001);
}

#[test]
fn a_limit_of_vertices_is_reported() {
    let (detail, reported) = built(200, pits, 0.0, 6);
    assert_eq!(detail.vertices.len(), MOST_VERTICES);
    let off = worst(&detail, pits, 200);
    assert!(off > 1.0);
    let expected = "32000 detail vertices, the most there may be, leave a polygon ";
    assert!(reported.len() == 1 && reported[0].starts_with(expected), "{reported:?}");
    // A polygon with the greatest number of corners: fewer vertices along each edge, so that they fit.
    let (detail, reported) = built(160, |x, _| x % 2 * 4, 0.0, 255);
    let along = detail.vertices.iter().filter(|vertex| vertex[2] == 0.0).count();
    assert_eq!(along, 124 + 2);
    let expected = "124 detail vertices along an edge, the most there may be, are not enough for it";
    assert_eq!(reported, [expected, expected]);
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

proptest::proptest! {
    #[test]
    fn circles_of_triangles_are_empty(
        places in proptest::collection::vec(proptest::array::uniform2(0i32..=16), 1..60),
        along in proptest::collection::btree_set(1i32..16, 0..8),
    ) {
        // Coarse places, so that many are on common lines and circles.
        let vertex = |[x, z]: [i32; 2]| DetailVertex { plan: [x * 64, z * 64], height: 0.0 };
        let mut surface = Surface::default();
        surface.vertices.extend([[0, 0], [0, 16], [16, 16], [16, 0]].map(vertex));
        let mut between = vec![Vec::new(); 4];
        for at in along {
            between[0].push(surface.vertices.len() as u32);
            surface.vertices.push(vertex([0, at]));
        }
        proptest::prop_assert!(surface.start(&[0, 1, 2, 3], &between));
        let mut expected = surface.vertices.len();
        for place in places {
            let inside = place.iter().all(|&at| at > 0 && at < 16);
            let new = inside && surface.vertices.iter().all(|other| other.plan != vertex(place).plan);
            proptest::prop_assert_eq!(surface.insert(vertex(place), 0), new);
            expected += usize::from(new);
        }
        proptest::prop_assert_eq!(surface.vertices.len(), expected);
        let plan = |vertex: u32| surface.vertices[vertex as usize].plan;
        let mut whole = 0;
        for triangle in &surface.triangles {
            let [a, b, c] = triangle.map(plan);
            proptest::prop_assert!(area2(a, b, c) < 0);
            whole += area2(a, b, c);
            let empty = surface.vertices.iter().all(|other| !in_circle(a, b, c, other.plan));
            proptest::prop_assert!(empty);
        }
        proptest::prop_assert_eq!(whole, -2 * 1024 * 1024);
    }
}

/// The detail mesh of a level room whose region is on another storey in some columns, above a floor of
/// another region.
fn passing_itself(is_crossing: impl Fn(usize, usize) -> bool, contour_max_error: f32) -> DetailMesh {
    let (mesh, _) = room(6, |_, _| 0);
    let grid = mesh.grid;
    let (mut offsets, mut floor, mut region) = (vec![0], Vec::new(), Vec::new());
    for column in 0..grid.columns() {
        let is_crossing = is_crossing(column % 6, column / 6);
        floor.push(0);
        region.push(RegionId::inner(if is_crossing { 2 } else { 1 }));
        if is_crossing {
            floor.push(10);
            region.push(RegionId::inner(1));
        }
        offsets.push(floor.len() as u32);
    }
    let (clearance, area) = (vec![9; floor.len()], vec![AreaId::GROUND; floor.len()]);
    let params = compact::Params { walkable_height: 4, walkable_climb: 2 };
    let compact::Params { walkable_height, walkable_climb } = params;
    let neighbours = Vec::new();
    let mut parts =
        CompactArrays { grid, walkable_height, walkable_climb, offsets, floor, clearance, area, neighbours };
    parts.neighbours = compact::find_neighbours(&parts, &params);
    let regions = RegionField::new(CompactField::from_arrays(parts), region, 2);
    let params = Params { sample_distance: 1.0, max_error: 0.0, contour_max_error, max_vertices: 6 };
    run((&mesh, &regions), &params, &mut Context::new()).unwrap()
}

#[test]
fn a_polygon_stays_on_its_storey_where_its_region_passes_itself() {
    let detail = passing_itself(|x, z| (x, z) == (2, 3), 1.3);
    assert_eq!((detail.vertices.len(), detail.triangles.len()), (4, 2), "{detail:?}");
}

#[test]
fn a_polygon_stays_on_its_storey_however_far_it_strays() {
    // The middle is two steps from the region, and contours between regions deviate further than the error of
    // others.
    let detail = passing_itself(|x, z| (1..4).contains(&x) && (1..4).contains(&z), 0.0);
    assert_eq!((detail.vertices.len(), detail.triangles.len()), (4, 2), "{detail:?}");
}
