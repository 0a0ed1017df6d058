//! Polygons in boxes, around places, below and above: by hand, against Dijkstra's algorithm and a search of
//! all.

use crate::common;
use crate::common::{
    Grid, METRE, METRE_UP, Random, at, is_linked, mesh, place, random_grid, rectangles, unit,
};
use detour::{
    Attributes, CostModel, Filter, NavMesh, Neighbourhood, Place, PolyRef, Query, QueryError, ShapeProblem,
    Step, Surroundings, Vec3,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

fn in_box(mesh: &NavMesh, centre: Vec3, half_extents: Vec3, filter: &Filter) -> BTreeSet<PolyRef> {
    let mut found = BTreeSet::new();
    let each = |polygon| assert!(found.insert(polygon), "visited twice");
    Query::new().polygons_in_box(mesh, centre, half_extents, filter, each).unwrap();
    found
}

#[test]
fn a_box_meets_what_it_touches() {
    let mesh = Grid::new("...\n...\n..2").mesh();
    let all = Filter::default();
    assert_eq!(in_box(&mesh, at(1.5, 1.5), Vec3::splat(0.4), &all).len(), 1);
    assert_eq!(in_box(&mesh, at(1.5, 1.5), Vec3::splat(0.5), &all).len(), 9);
    assert_eq!(in_box(&mesh, at(1.5, 1.5), Vec3::splat(0.5), &all.clone().with_exclude(2)).len(), 8);
    assert!(in_box(&mesh, Vec3::new(1.5, 0.6, 1.5), Vec3::splat(0.5), &all).is_empty());
    assert_eq!(in_box(&mesh, at(0.0, 0.0), Vec3::MAX, &all).len(), 9);
    assert!(in_box(&NavMesh::default(), at(0.0, 0.0), Vec3::ONE, &all).is_empty());
}

#[test]
fn the_corner_of_a_bounding_box_is_not_the_polygon() {
    let mut slanted = Grid::new(".");
    slanted.vertex = Box::new(|column, row| [(column + row) * METRE, 0, (1 - column + row) * METRE]);
    let mesh = slanted.mesh();
    assert!(in_box(&mesh, at(0.2, 0.2), Vec3::splat(0.25), &Filter::default()).is_empty());
    assert_eq!(in_box(&mesh, at(0.2, 0.2), Vec3::splat(0.35), &Filter::default()).len(), 1);
}

#[test]
fn below_and_above_are_straight() {
    let floors = [[0, 0, METRE, METRE, 0, 0], [0, 0, METRE, METRE, 2 * METRE_UP, 3 * METRE_UP]];
    let mesh = mesh([rectangles(&floors)]);
    let mut query = Query::new();
    let filter = Filter::default();
    let mut look = |y: f32, reach: f32| {
        let p = Vec3::new(0.5, y, 0.5);
        let height = |place: Option<Place>| place.map(|place| place.point.y);
        (
            height(query.below(&mesh, p, reach, &filter).unwrap()),
            height(query.above(&mesh, p, reach, &filter).unwrap()),
        )
    };
    assert_eq!(look(1.0, 5.0), (Some(0.0), Some(2.5)));
    assert_eq!(look(1.0, 1.0), (Some(0.0), None));
    assert_eq!(look(1.0, 0.5), (None, None));
    assert_eq!(look(2.5, 0.0), (Some(2.5), Some(2.5)));
    assert_eq!(look(9.0, f32::MAX), (Some(2.5), None));
    assert_eq!(query.below(&mesh, at(1.01, 0.5), 5.0, &filter), Ok(None));
    assert!(query.below(&mesh, at(f32::NAN, 0.5), 5.0, &filter).is_err());
    assert!(query.above(&mesh, at(0.0, 0.5), -1.0, &filter).is_err());
}

#[test]
fn around_a_circle_costs_add_up_over_the_middles_of_edges() {
    let mesh = Grid::new("...#.").mesh();
    let mut found = Surroundings::default();
    let filter = Filter::default();
    Query::new().around_circle(&mesh, place(&mesh, at(0.5, 0.5)), 9.0, &filter, &mut found).unwrap();
    let costs: Vec<f64> = found.polygons.iter().map(|p| p.cost).collect();
    let parents: Vec<Option<u32>> = found.polygons.iter().map(|p| p.parent).collect();
    assert_eq!((costs, parents), (vec![0.0, 0.5, 1.5], vec![None, Some(0), Some(1)]));
    assert_eq!((found.polygons[2].point, found.complete), (at(2.0, 0.5), true));
    let mut path = Vec::new();
    assert!(found.path_to(2, &mut path) && path.len() == 3 && is_linked(&mesh, &path));
    assert!(!found.path_to(3, &mut path) && path.is_empty());
    Query::new().around_circle(&mesh, place(&mesh, at(0.5, 0.5)), 0.5, &filter, &mut found).unwrap();
    assert_eq!(found.polygons.len(), 2);
    let mut small = Query::with_max_nodes(NonZeroU32::new(2).unwrap());
    small.around_circle(&mesh, place(&mesh, at(0.5, 0.5)), 9.0, &filter, &mut found).unwrap();
    assert_eq!((found.polygons.len(), found.complete), (2, false));
}

#[test]
fn around_a_shape_only_openings_in_it_count() {
    let mesh = Grid::new(".....\n.....\n.....").mesh();
    let start = place(&mesh, at(0.5, 1.5));
    let band = [at(0.25, 1.25), at(3.5, 1.25), at(3.5, 1.75), at(0.25, 1.75)];
    let mut found = Surroundings::default();
    let (mut query, filter) = (Query::new(), Filter::default());
    query.around_shape(&mesh, start, &band, &filter, &mut found).unwrap();
    assert_eq!(found.polygons.len(), 4);
    let turned: Vec<Vec3> = band.into_iter().rev().collect();
    let mut same = Surroundings::default();
    query.around_shape(&mesh, start, &turned, &filter, &mut same).unwrap();
    assert_eq!(found, same);
    // A triangle that only touches edges in their middle.
    let triangle = [at(0.5, 1.5), at(2.0, 0.5), at(2.0, 1.75)];
    query.around_shape(&mesh, start, &triangle, &filter, &mut found).unwrap();
    assert_eq!(found.polygons.len(), 5);
    let mut refusal = |shape: &[Vec3]| match query.around_shape(&mesh, start, shape, &filter, &mut found) {
        Err(QueryError::Shape(problem)) => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(refusal(&band[..2]), ShapeProblem::TooFewCorners);
    assert_eq!(refusal(&[at(0.0, 0.0), at(1.0, f32::NAN), at(1.0, 0.0)]), ShapeProblem::NotFinite);
    assert_eq!(refusal(&[at(0.0, 0.0), at(1.0, 1.0), at(2.0, 2.0)]), ShapeProblem::NoArea);
    let dart = [at(0.0, 0.0), at(4.0, 2.0), at(0.0, 4.0), at(1.0, 2.0)];
    assert_eq!(refusal(&dart), ShapeProblem::NotConvex);
}

/// A fixed cost for crossing each polygon.
struct Tolls(BTreeMap<PolyRef, f32>);

impl CostModel for Tolls {
    fn passes(&self, polygon: &Attributes) -> bool {
        polygon.area != 4
    }
    fn cost(&self, step: &Step) -> f32 {
        self.0[&step.polygon.polygon]
    }
    fn minimum_cost(&self) -> f32 {
        0.0
    }
}

fn segment_distance(a: Vec3, b: Vec3, p: Vec3) -> f64 {
    let (a, b, p) = (a.as_dvec3(), b.as_dvec3(), p.as_dvec3());
    a.lerp(b, ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0)).distance(p)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn around_a_circle_is_what_dijkstra_finds(seed in 0u64..1_000_000) {
        let mut text = String::new();
        let mesh = random_grid(seed, 10, 20, &mut text).mesh();
        let mut random = Random(seed + 2);
        let tolls = Tolls(mesh.polygons().map(|p| (p, 1.0 + random.below(9) as f32)).collect());
        let polygons: Vec<PolyRef> = mesh.polygons().collect();
        let polygon = polygons[random.below(polygons.len() as u64) as usize];
        let start = Place { polygon, point: mesh.corners(polygon).unwrap().sum::<Vec3>() / 4.0 };
        let radius = unit(&mut random) as f32 * 6.0;
        let mut found = Surroundings::default();
        Query::new().around_circle(&mesh, start, radius, &tolls, &mut found).unwrap();
        let mut expected = BTreeMap::new();
        let mut open = BTreeSet::from([(0u32, polygon)]);
        while let Some((cost, polygon)) = open.pop_first() {
            if expected.contains_key(&polygon) {
                continue;
            }
            expected.insert(polygon, cost);
            mesh.visit_links(polygon, |link| {
                let near = segment_distance(link.left, link.right, start.point) <= f64::from(radius);
                if near && tolls.passes(&mesh.attributes(link.to).unwrap()) {
                    open.insert((cost + tolls.0[&polygon] as u32, link.to));
                }
            }).unwrap();
        }
        let costs: BTreeMap<PolyRef, u32> = found.polygons.iter().map(|p| (p.polygon, p.cost as u32)).collect();
        prop_assert_eq!(costs.len(), found.polygons.len());
        prop_assert_eq!(&costs, &expected);
        prop_assert!(found.polygons.windows(2).all(|pair| pair[0].cost <= pair[1].cost));
        let mut path = Vec::new();
        for (index, reached) in found.polygons.iter().enumerate() {
            prop_assert!(found.path_to(index, &mut path) && is_linked(&mesh, &path));
            prop_assert_eq!((path[0], *path.last().unwrap()), (polygon, reached.polygon));
            let sum: f32 = path[..path.len() - 1].iter().map(|p| tolls.0[p]).sum();
            prop_assert_eq!(f64::from(sum), reached.cost);
        }
    }

    #[test]
    fn a_box_meets_what_sampling_finds(
        seed in 0u64..1_000_000, centre in (0f32..10.0, 0f32..10.0), half in (0.05f32..3.0, 0.05f32..3.0),
    ) {
        let mut text = String::new();
        let mesh = random_grid(seed, 10, 20, &mut text).mesh();
        let (centre, half) = (at(centre.0, centre.1), Vec3::new(half.0, 1.0, half.1));
        let found = in_box(&mesh, centre, half, &Filter::default());
        for polygon in mesh.polygons() {
            // A part of the polygon is left after clipping to the box. If it is tiny, either answer is right.
            let left = |grow: f32| {
                let mut corners: Vec<Vec3> = mesh.corners(polygon).unwrap().collect();
                for (axis, sign) in [(0, 1.0f32), (0, -1.0), (2, 1.0), (2, -1.0)] {
                    let out = |p: Vec3| (p[axis] - centre[axis]) * sign - half[axis] - grow;
                    corners = (0..corners.len()).flat_map(|i| {
                        let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                        let crossing = (out(a) * out(b) < 0.0).then(|| a.lerp(b, out(a) / (out(a) - out(b))));
                        (out(a) <= 0.0).then_some(a).into_iter().chain(crossing)
                    }).collect();
                }
                !corners.is_empty()
            };
            if left(-1e-3) {
                prop_assert!(found.contains(&polygon));
            } else if !left(1e-3) {
                prop_assert!(!found.contains(&polygon));
            }
        }
    }
}

fn neighbours(mesh: &NavMesh, centre: Vec3, radius: f32, limit: usize) -> Neighbourhood {
    let mut found = Neighbourhood::default();
    let start = place(mesh, centre);
    Query::new().neighbourhood(mesh, start, radius, limit, &Filter::default(), &mut found).unwrap();
    found
}

#[test]
fn a_neighbourhood_is_what_openings_within_the_radius_lead_to() {
    let mesh = Grid::new("...\n...\n..#").mesh();
    assert_eq!(neighbours(&mesh, at(0.5, 0.5), 0.4, 64).polygons.len(), 1);
    assert_eq!(neighbours(&mesh, at(0.5, 0.5), 0.6, 64).polygons.len(), 3);
    assert_eq!(neighbours(&mesh, at(0.5, 0.5), 0.8, 64).polygons.len(), 4);
    let all = neighbours(&mesh, at(0.5, 0.5), 9.0, 64);
    assert_eq!((all.polygons.len(), all.complete), (8, true));
    for neighbour in &all.polygons[1..] {
        let parent = all.polygons[neighbour.parent.unwrap() as usize].polygon;
        assert!(is_linked(&mesh, &[parent, neighbour.polygon]));
    }
    assert!(neighbours(&mesh, at(0.5, 0.5), 9.0, 8).complete);
    let some = neighbours(&mesh, at(0.5, 0.5), 9.0, 3);
    assert_eq!((&some.polygons[..], some.complete), (&all.polygons[..3], false));
    assert_eq!(neighbours(&mesh, at(0.5, 0.5), 9.0, 0), Neighbourhood::default());
    // Distorted squares touch one another along rounded edges, and do not overlap.
    let mut text = String::new();
    let moved = random_grid(3, 12, 0, &mut text).mesh();
    assert_eq!(neighbours(&moved, at(6.5, 6.5), 99.0, 1000).polygons.len(), 144);
}

#[test]
fn a_neighbourhood_lies_flat() {
    let mut helix = Grid::new("............");
    helix.vertex = Box::new(common::helix);
    let mesh = helix.mesh();
    let order: Vec<PolyRef> = {
        let mut order: Vec<PolyRef> = mesh.polygons().collect();
        let height = |p: &PolyRef| mesh.corners(*p).unwrap().map(|corner| corner.y).fold(f32::MAX, f32::min);
        order.sort_by(|a, b| height(a).total_cmp(&height(b)));
        order
    };
    let from = |start: usize| {
        let start =
            Place { polygon: order[start], point: mesh.corners(order[start]).unwrap().sum::<Vec3>() / 4.0 };
        let mut found = Neighbourhood::default();
        Query::new().neighbourhood(&mesh, start, 99.0, 64, &Filter::default(), &mut found).unwrap();
        assert!(found.complete);
        found.polygons.iter().map(|neighbour| neighbour.polygon).collect::<BTreeSet<_>>()
    };
    // A turn has eight squares; the ninth would be above the first.
    assert_eq!(from(0), order[..8].iter().copied().collect());
    assert_eq!(from(11), order[4..].iter().copied().collect());
    assert_eq!(from(5).len(), 8);
}

#[test]
fn bad_calls_are_errors() {
    let mut mesh = Grid::new("..").mesh();
    let start = place(&mesh, at(0.5, 0.5));
    let (mut query, filter) = (Query::new(), Filter::default());
    let (mut around, mut flat) = (Surroundings::default(), Neighbourhood::default());
    for bad in [f32::NAN, f32::INFINITY, -1.0] {
        let refused = query.around_circle(&mesh, start, bad, &filter, &mut around);
        assert!(matches!(refused, Err(QueryError::Radius(_))));
        assert!(query.neighbourhood(&mesh, start, bad, 9, &filter, &mut flat).is_err());
        assert!(query.polygons_in_box(&mesh, at(0.0, 0.0), Vec3::splat(bad), &filter, |_| {}).is_err());
    }
    let nowhere = Place { point: at(f32::NAN, 0.0), ..start };
    assert!(query.around_circle(&mesh, nowhere, 1.0, &filter, &mut around).is_err());
    assert!(query.neighbourhood(&mesh, nowhere, 1.0, 9, &filter, &mut flat).is_err());
    assert!(query.polygons_in_box(&mesh, nowhere.point, Vec3::ONE, &filter, |_| {}).is_err());
    mesh.remove_tile(Default::default()).unwrap();
    let stale = query.around_circle(&mesh, start, 1.0, &filter, &mut around);
    assert!(matches!(stale, Err(QueryError::Reference(_))));
    assert!(query.neighbourhood(&mesh, start, 1.0, 9, &filter, &mut flat).is_err());
}
