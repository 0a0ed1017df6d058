//! Truncated lists, rays over seams and their costs, shortcuts, paths from surroundings, many random points.

use crate::common::{Grid, Random, at, is_linked, mesh, place, random_grid, uneven_grid, unit};
use detour::{
    CornerKind, Crossings, Filter, Ground, NavMesh, Path, PathOptions, PathStatus, Place, PolyRef, Query,
    QueryError, Ray, RayEnd, ShortestPath, StraightOptions, StraightPath, Surroundings, Vec3,
};
use detour::{CostModel, Passable, Step};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

fn random_ends(mesh: &NavMesh, random: &mut Random) -> [Place; 2] {
    [0, 0].map(|_| Query::new().random_point(mesh, &Filter::default(), || unit(random)).unwrap())
}

fn corridor(mesh: &NavMesh, ends: [Place; 2], filter: &Filter) -> Path {
    let mut path = Path::default();
    let options = PathOptions::default();
    Query::new().find_path(mesh, ends[0], ends[1], filter, &options, &mut path).unwrap();
    path
}

#[test]
fn a_list_that_is_full_is_the_beginning_of_the_whole() {
    let (mut cut, mut compared) = (0, 0);
    for seed in 0..40 {
        let mut text = String::new();
        let mesh = random_grid(seed, 12, 25, &mut text).mesh();
        let mut random = Random(seed + 1);
        let ends = random_ends(&mesh, &mut random);
        let path = corridor(&mesh, ends, &Filter::default());
        for crossings in [Crossings::None, Crossings::Areas, Crossings::All] {
            let (mut whole, mut part) = (StraightPath::default(), StraightPath::default());
            let mut query = Query::new();
            let (a, b) = (ends[0].point, ends[1].point);
            query.straight_path(&mesh, a, b, &path.polygons, crossings, &mut whole).unwrap();
            assert!(!whole.truncated && whole.corners.last().unwrap().kind == CornerKind::End);
            for max_corners in 0..whole.corners.len() + 2 {
                let options = StraightOptions { crossings, max_corners };
                query.straight_path_with(&mesh, a, b, &path.polygons, &options, &mut part).unwrap();
                let shown = max_corners.min(whole.corners.len());
                assert_eq!(part.corners, whole.corners[..shown], "seed {seed}");
                assert_eq!(part.truncated, shown < whole.corners.len());
                let length: f32 = part.corners.windows(2).map(|p| p[0].point.distance(p[1].point)).sum();
                assert!((length - part.length).abs() < 1e-4);
                cut += usize::from(part.truncated);
                compared += 1;
            }
        }
    }
    assert!(cut > 300 && compared > 500, "{cut} {compared}");
}

#[test]
fn ends_beside_the_corridor_are_moved_onto_it() {
    let mesh = Grid::new("...").mesh();
    let [a, b] = [at(0.5, 0.5), at(2.5, 0.5)].map(|p| place(&mesh, p));
    let path = corridor(&mesh, [a, b], &Filter::default());
    let mut straight = StraightPath::default();
    let mut pull = |start, goal, polygons: &[PolyRef]| {
        let options = StraightOptions::default();
        Query::new().straight_path_with(&mesh, start, goal, polygons, &options, &mut straight).unwrap();
        straight.corners.iter().map(|corner| corner.point).collect::<Vec<_>>()
    };
    assert_eq!(pull(at(-3.0, 0.25), at(9.0, 0.75), &path.polygons), [at(0.0, 0.25), at(3.0, 0.75)]);
    // A partial path ends at the point of its last polygon nearest to the goal.
    assert_eq!(pull(at(0.5, 0.25), at(2.5, 0.75), &path.polygons[..2]), [at(0.5, 0.25), at(2.0, 0.75)]);
}

/// A grid as one tile, and in tiles of `size` squares.
fn both(text: &str, size: usize) -> [NavMesh; 2] {
    let rows: Vec<&str> = text.split_whitespace().collect();
    let count = rows.len() / size;
    let part = |x: usize, z: usize| {
        rows[z * size..][..size].iter().map(|row| &row[x * size..][..size]).collect::<Vec<_>>().join(" ")
    };
    let tiles = (0..count * count).map(|i| (i % count, i / count));
    let tiled = tiles.map(|(x, z)| Grid::tiled(&part(x, z), x as i32, z as i32).tile());
    [Grid::new(text).mesh(), mesh(tiled)]
}

#[test]
fn rays_cost_the_same_over_seams_and_report_when_they_are_cut() {
    let filter = Filter::default().with_area_cost(2, 3.0).unwrap().with_area_cost(3, 0.5).unwrap();
    let (mut clear, mut cut) = (0, 0);
    for seed in 0..60 {
        let mut text = String::new();
        uneven_grid(seed, 8, 8, &mut text);
        let meshes = both(&text, 4);
        let mut random = Random(seed + 5);
        for _ in 0..20 {
            let number = |random: &mut Random| 0.01 + unit(random) as f32 * 7.98;
            let [from, to] = [0, 0].map(|_| at(number(&mut random), number(&mut random)));
            let nearest = |mesh| Query::new().nearest(mesh, from, Vec3::splat(0.05), &Filter::default());
            let Ok(start) = nearest(&meshes[0]) else { continue };
            let starts = [start.place(), nearest(&meshes[1]).unwrap().place()];
            let rays = [0, 1].map(|i| {
                let mut ray = Ray::default();
                Query::new().raycast(&meshes[i], starts[i], to, &filter, &mut ray).unwrap();
                assert!(is_linked(&meshes[i], &ray.polygons));
                ray
            });
            assert!((rays[0].fraction - rays[1].fraction).abs() < 1e-6);
            assert!((rays[0].cost - rays[1].cost).abs() < 1e-4 * rays[0].cost.max(1.0));
            let normal = |end| if let RayEnd::Wall { normal, .. } = end { Some(normal) } else { None };
            assert_eq!(normal(rays[0].end), normal(rays[1].end), "{rays:?}");
            clear += usize::from(rays[0].is_clear());
            // The cost is the sum over the polygons crossed, by their areas.
            let mut summed = 0.0;
            let mut before = starts[1].point;
            for pair in rays[1].polygons.windows(2) {
                let mut over = before;
                meshes[1]
                    .visit_links(pair[0], |link| {
                        if link.to == pair[1] {
                            over = crossing(link.left, link.right, starts[1].point, to);
                        }
                    })
                    .unwrap();
                summed += leg(&meshes[1], &filter, pair[0], before, over);
                before = over;
            }
            summed += leg(&meshes[1], &filter, *rays[1].polygons.last().unwrap(), before, rays[1].point);
            assert!((summed - rays[1].cost).abs() < 1e-3 * summed.max(1.0), "{summed} {:?}", rays[1]);
            // With fewer polygons than the ray crosses, it reports this and does not reach its goal.
            let all = rays[1].polygons.len() as u32;
            if all > 1 {
                let few = Query::with_max_nodes(NonZeroU32::new(all - 1).unwrap());
                let mut ray = Ray::default();
                few.raycast(&meshes[1], starts[1], to, &filter, &mut ray).unwrap();
                assert_eq!((ray.end, ray.polygons.len()), (RayEnd::OutOfNodes, all as usize - 1));
                assert!(ray.fraction <= rays[1].fraction && ray.cost <= rays[1].cost);
                cut += 1;
            }
        }
    }
    assert!(clear > 100 && cut > 500, "{clear} {cut}");
}

fn leg(mesh: &NavMesh, filter: &Filter, polygon: PolyRef, from: Vec3, to: Vec3) -> f64 {
    let polygon = mesh.attributes(polygon).unwrap();
    f64::from(filter.cost(&Step { from, to, polygon, next: None }))
}

fn crossing(left: Vec3, right: Vec3, from: Vec3, to: Vec3) -> Vec3 {
    let cross = |p: Vec3| {
        let (along, p) = ((to - from).as_dvec3(), (p - from).as_dvec3());
        along.x * p.z - along.z * p.x
    };
    let (of_left, of_right) = (cross(left), cross(right));
    if of_left == of_right {
        left
    } else {
        left.lerp(right, (of_left / (of_left - of_right)).clamp(0.0, 1.0) as f32)
    }
}

/// Length, or cost, of a pulled string.
fn pulled(mesh: &NavMesh, ends: [Place; 2], polygons: &[PolyRef], filter: &Filter) -> f64 {
    let mut straight = StraightPath::default();
    let (a, b) = (ends[0].point, ends[1].point);
    Query::new().straight_path(mesh, a, b, polygons, Crossings::All, &mut straight).unwrap();
    let legs = straight.corners.windows(2);
    legs.map(|pair| leg(mesh, filter, pair[0].polygon, pair[0].point, pair[1].point)).sum()
}

#[test]
fn shortcuts_never_cost_more() {
    let dear = Filter::default().with_area_cost(2, 4.0).unwrap().with_area_cost(3, 2.0).unwrap();
    for filter in [Filter::default(), dear] {
        let (mut put_in, mut before, mut after, mut best) = (0, 0.0, 0.0, 0.0);
        let mut query = Query::new();
        for seed in 0..150 {
            let mut text = String::new();
            let mesh = uneven_grid(seed, 14, 10, &mut text).mesh();
            let mut random = Random(seed + 31);
            for _ in 0..4 {
                let ends = random_ends(&mesh, &mut random);
                let mut path = Path::default();
                let options = PathOptions::default();
                query.find_path(&mesh, ends[0], ends[1], &filter, &options, &mut path).unwrap();
                if path.status != PathStatus::Complete {
                    continue;
                }
                let mut polygons = path.polygons.clone();
                let [a, b] = ends.map(|end| end.point);
                let legs = query.shortcut(&mesh, a, b, f32::MAX, &filter, &mut polygons).unwrap();
                assert!(is_linked(&mesh, &polygons));
                assert_eq!([polygons[0], polygons[polygons.len() - 1]], ends.map(|end| end.polygon));
                assert_eq!(legs > 0, polygons != path.polygons);
                let [old, new] = [&path.polygons, &polygons].map(|p| pulled(&mesh, ends, p, &filter));
                // Pulled again, a string between areas of unequal cost may lose the gain of the rays.
                if filter == Filter::default() {
                    assert!(new <= old * (1.0 + 1e-5), "seed {seed}: {old} {new}");
                    let mut shortest = ShortestPath::default();
                    query
                        .shortest_path(&mesh, ends[0], ends[1], &Passable::default(), &mut shortest)
                        .unwrap();
                    assert!(shortest.length_from_above <= new * (1.0 + 1e-5) + 0.01);
                    best += shortest.length_from_above;
                }
                let mut none = path.polygons.clone();
                assert_eq!(query.shortcut(&mesh, a, b, 0.0, &filter, &mut none).unwrap(), 0);
                assert_eq!(none, path.polygons);
                (put_in, before, after) = (put_in + legs, before + old, after + new);
            }
        }
        // If costs are the same everywhere, only rays past several corners shorten a path.
        let least = if filter == Filter::default() { 0 } else { 20 };
        assert!(put_in > least && after < before, "{put_in} legs, {before} {after}");
        assert!(best <= after * (1.0 + 1e-5));
    }
}

#[test]
fn a_shortcut_keeps_to_cheap_ground() {
    // Around a patch that costs ten times as much: a ray sees across it, but must not replace the path.
    let mesh = Grid::new("....\n.22.\n.22.\n....").mesh();
    let filter = Filter::default().with_area_cost(2, 10.0).unwrap();
    let ends = [at(0.5, 0.5), at(3.5, 3.5)].map(|p| place(&mesh, p));
    let path = corridor(&mesh, ends, &filter);
    let mut polygons = path.polygons.clone();
    let [a, b] = ends.map(|end| end.point);
    assert_eq!(Query::new().shortcut(&mesh, a, b, 99.0, &filter, &mut polygons).unwrap(), 0);
    assert_eq!(polygons, path.polygons);
    for reach in [f32::NAN, -1.0, f32::INFINITY] {
        let refused = Query::new().shortcut(&mesh, a, b, reach, &filter, &mut polygons);
        assert!(matches!(refused, Err(QueryError::Radius(_))));
    }
    let empty = Query::new().shortcut(&mesh, a, b, 1.0, &filter, &mut Vec::new());
    assert_eq!(empty, Err(QueryError::EmptyPath));
}

#[test]
fn ways_out_of_surroundings_cost_what_is_reported() {
    let filter = Filter::default().with_area_cost(2, 3.0).unwrap();
    for seed in 0..20 {
        let mut text = String::new();
        uneven_grid(seed, 8, 20, &mut text);
        for mesh in both(&text, 4) {
            let mut random = Random(seed + 5);
            let start = random_ends(&mesh, &mut random)[0];
            let mut around = Surroundings::default();
            Query::new().around_circle(&mesh, start, 4.0, &filter, &mut around).unwrap();
            let mut way = Vec::new();
            for (index, reached) in around.polygons.iter().enumerate() {
                assert!(around.path_to(index, &mut way) && is_linked(&mesh, &way));
                assert_eq!((way[0], way[way.len() - 1]), (start.polygon, reached.polygon));
                let Some(parent) = reached.parent else { continue };
                let parent = around.polygons[parent as usize];
                let step = leg(&mesh, &filter, parent.polygon, parent.point, reached.point);
                assert!((parent.cost + step - reached.cost).abs() < 1e-5 && parent.cost <= reached.cost);
            }
            assert!(!around.path_to(around.polygons.len(), &mut way) && way.is_empty());
        }
    }
}

#[test]
fn many_random_points_are_as_even_as_single_ones() {
    let mut text = String::new();
    random_grid(8, 6, 20, &mut text);
    let [mesh, _] = both(&text, 3);
    let filter = Filter::default().with_exclude(2);
    let ground = Ground::new(&mesh, &filter);
    let passing: Vec<PolyRef> =
        mesh.polygons().filter(|p| filter.passes(&mesh.attributes(*p).unwrap())).collect();
    assert!(
        (ground.area() - passing.len() as f64).abs() < 1e-6 && ground.mesh().polygon_count() > passing.len()
    );
    let mut counts: BTreeMap<PolyRef, usize> = passing.iter().map(|p| (*p, 0)).collect();
    let (mut random, mut query) = (Random(3), Query::new());
    let draws = 400 * passing.len();
    for _ in 0..draws {
        let place = query.random_point_on(&ground, || unit(&mut random)).unwrap();
        let on = mesh.closest_point(place.polygon, place.point).unwrap();
        assert!(on.point.distance(place.point) < 1e-5);
        *counts.get_mut(&place.polygon).unwrap() += 1;
    }
    // Each is drawn 400 times, plus or minus five standard deviations of 20.
    assert!(counts.values().all(|count| (300..=500).contains(count)), "{counts:?}");
    // Equal numbers give equal points, by single queries or from the sums.
    for value in [0.0, 0.25, 0.999, 1.0, f64::NAN, 7.0, -1.0] {
        let sums = query.random_point_on(&ground, || value).unwrap();
        assert_eq!(sums, query.random_point(&mesh, &filter, || value).unwrap(), "{value}");
    }
    // The ground holds the snapshot that it was made from.
    let mut later = mesh.clone();
    later.remove_tile(Default::default()).unwrap();
    assert!(query.random_point_on(&ground, || 0.5).is_ok());
    let none = Ground::new(&later, &filter);
    assert_eq!((query.random_point_on(&none, || 0.5), none.area()), (Err(QueryError::NothingPasses), 0.0));
}
