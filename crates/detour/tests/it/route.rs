//! Routes of either optimality: as short as the requested search finds, over ground and off-mesh links.

use crate::common::links::{link, linked};
use crate::common::{Grid, Random, at, is_linked, mesh, uneven_grid, unit};
use detour::{
    Filter, NavMesh, Optimality, Passable, Query, QueryError, Route, RouteError, RouteOptions, ShortestPath,
    Vec3,
};
use navtile::TileCoord;

const SHORTEST: RouteOptions = RouteOptions {
    half_extents: Vec3::splat(0.5),
    optimality: Optimality::Shortest,
    crossings: detour::Crossings::None,
    follow_surface: false,
};

fn route(mesh: &NavMesh, from: Vec3, to: Vec3, filter: &Filter, options: &RouteOptions) -> Route {
    Query::new().route(mesh, from, to, filter, options).unwrap()
}

#[test]
fn a_shortest_route_is_as_long_as_the_shortest_path() {
    let filter = Filter::default();
    let (mut shorter, mut query) = (0, Query::new());
    for seed in 0..40 {
        let mut text = String::new();
        let mesh = uneven_grid(seed, 12, 15, &mut text).mesh();
        let mut random = Random(seed + 3);
        for _ in 0..5 {
            let ends = [0, 0].map(|_| query.random_point(&mesh, &filter, || unit(&mut random)).unwrap());
            let [a, b] = ends.map(|end| end.point);
            let mut shortest = ShortestPath::default();
            query.shortest_path(&mesh, ends[0], ends[1], &Passable::default(), &mut shortest).unwrap();
            let best = route(&mesh, a, b, &filter, &SHORTEST);
            assert_eq!(best.status, shortest.status);
            if best.reason().is_some() {
                continue;
            }
            assert!((f64::from(best.length) - shortest.length_from_above).abs() < 1e-3, "seed {seed}");
            assert!(
                (best.cost - shortest.length_from_above).abs() < 1e-3 && is_linked(&mesh, &best.polygons)
            );
            let options = RouteOptions { optimality: Optimality::Fast, ..SHORTEST };
            let fast = route(&mesh, a, b, &filter, &options);
            assert!(best.length <= fast.length + 1e-3, "seed {seed}");
            shorter += usize::from(best.length < fast.length * 0.999);
        }
    }
    assert!(shorter > 0, "{shorter}");
}

/// Two rows 3 m apart that join at the far end, 11 m off, and a link from one to the other at `x`.
fn rows(x: f32) -> NavMesh {
    let row = "............";
    let gap = "###########.";
    let content = Grid::tiled(&format!("{row}\n{gap}\n{gap}\n{row}"), 0, 0).content();
    let record = link(&content, [x, 0.0, 0.5], [x, 0.0, 3.5], TileCoord::default());
    mesh([linked(content, vec![record])])
}

#[test]
fn a_shortest_route_takes_a_link_where_it_is_shorter() {
    let (from, to, filter) = (at(0.5, 0.25), at(0.75, 3.75), Filter::default());
    let round = 10.5 + 2.0 + 10.25;
    for (x, taken) in [(4.5, true), (10.5, true), (11.75, false)] {
        let mesh = rows(x);
        let best = route(&mesh, from, to, &filter, &SHORTEST);
        let over = best.polygons.iter().filter(|polygon| mesh.is_off_mesh(**polygon).unwrap()).count();
        assert_eq!((best.reason(), over), (None, usize::from(taken)), "{x}");
        assert!(is_linked(&mesh, &best.polygons));
        if taken {
            let foot = |end: Vec3, z: f32| end.distance(at(x, z));
            let length = foot(from, 0.5) + 3.0 + foot(to, 3.5);
            assert!((best.length - length).abs() < 1e-3 && (best.cost - f64::from(length)).abs() < 1e-3);
        } else {
            assert!(best.length < round + 1.0, "{}", best.length);
        }
        let usual = route(&mesh, from, to, &filter, &RouteOptions::default());
        assert!(best.length <= usual.length + 1e-3);
    }
}

#[test]
fn unequal_costs_have_no_shortest_route() {
    let mut mesh = Grid::new("..").mesh();
    let (from, to) = (at(0.5, 0.5), at(1.5, 0.5));
    let dear = Filter::default().with_area_cost(3, 2.0).unwrap();
    // Only areas that the mesh has count.
    assert_eq!(route(&mesh, from, to, &dear, &SHORTEST).length, 1.0);
    let polygon = mesh.polygons().next().unwrap();
    mesh.set_area(polygon, 3).unwrap();
    let refused = Query::new().route(&mesh, from, to, &dear, &SHORTEST).unwrap_err();
    assert_eq!(refused, RouteError::Path(QueryError::UnequalCosts));
    assert!(refused.to_string().contains("one cost"), "{refused}");
    // The common cost does not matter.
    let mut alike = Filter::default();
    for area in 1..=255 {
        alike = alike.with_area_cost(area, 2.0).unwrap();
    }
    let best = route(&mesh, from, to, &alike, &SHORTEST);
    assert_eq!((best.length, best.cost), (1.0, 2.0));
}

#[test]
fn many_routes_are_those_that_are_asked_for_one_by_one() {
    let mut text = String::new();
    let mesh = uneven_grid(5, 14, 15, &mut text).mesh();
    let (mut query, filter, options) = (Query::new(), Filter::default(), RouteOptions::default());
    let mut random = Random(9);
    let mut pairs: Vec<[Vec3; 2]> = (0..500)
        .map(|_| [0, 0].map(|_| query.random_point(&mesh, &filter, || unit(&mut random)).unwrap().point))
        .collect();
    // Answers that are refused keep their places.
    pairs[7] = [at(1e6, 0.0), at(0.5, 0.5)];
    pairs[400] = [at(0.5, 0.5), at(f32::NAN, 0.0)];
    let expected: Vec<_> = pairs.iter().map(|[a, b]| query.route(&mesh, *a, *b, &filter, &options)).collect();
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let routes = pool.install(|| query.paths(&mesh, &pairs, &filter, &options));
        assert_eq!(format!("{routes:?}"), format!("{expected:?}"), "{threads} threads");
    }
    assert!(query.paths(&mesh, &[], &filter, &options).is_empty());
}
