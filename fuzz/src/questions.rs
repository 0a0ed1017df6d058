//! Every query of the runtime, asked of a mesh. Errors count as answers. The asserts check that nothing
//! panics, that positions in answers are finite, and that answers keep the promises that are cheap to check.

use detour::{
    Corridor, Crossings, Filter, Ground, Islands, Link, NavMesh, Neighbourhood, Optimality, Passable, Path,
    PathOptions, Place, PolyRef, Query, Ray, Reachable, RouteOptions, ShortestPath, SlicedPath, Slide,
    StraightOptions, StraightPath, Surroundings, Vec3,
};
use navmath::SplitMix64;
use navtile::Tile;
use std::num::NonZeroU32;

/// Number of starts and goals that are tried.
const ROUNDS: usize = 3;
/// Node limits of a query that has enough nodes, and of a query that runs out.
const NODES: [u32; 2] = [400, 5];

/// A mesh of these tiles, around the first one. Leaves out tiles that do not fit the others. `None` if no
/// tile fits.
pub fn mesh_of<'a>(tiles: impl IntoIterator<Item = &'a Tile>) -> Option<NavMesh> {
    let mut tiles = tiles.into_iter();
    let first = tiles.next()?;
    let mut mesh = NavMesh::new(first.to_world(first.header().bounds_min)).ok()?;
    mesh.add_tile(first.clone()).ok()?;
    for tile in tiles {
        // A neighbour on another lattice is refused; the mesh is as it was.
        let before = mesh.tile_count();
        if mesh.add_tile(tile.clone()).is_err() {
            assert_eq!(mesh.tile_count(), before);
        }
    }
    Some(mesh)
}

/// Asks every query, from places that follow from `seed`.
pub fn ask_everything(mesh: &NavMesh, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let polygons: Vec<PolyRef> = mesh.polygons().take(4096).collect();
    let filters = [
        Filter::default(),
        Filter::default().with_exclude(2).without_area(3),
        Filter::default()
            .with_area_cost(1, 1e20)
            .and_then(|it| it.with_area_cost(2, 1e-3))
            .expect("costs in range"),
    ];
    about_the_whole(mesh, &polygons, &filters, &mut random);
    for round in 0..ROUNDS {
        let nodes = NonZeroU32::new(NODES[usize::from(round == 1)]).expect("not zero");
        let mut asked =
            Asked { mesh, query: Query::with_max_nodes(nodes), filter: &filters[round % filters.len()] };
        let [from, to] = [0; 2].map(|_| position(mesh, &polygons, &mut random));
        asked.about_positions(from, to, &mut random);
        let (Some(start), Some(goal)) =
            (place(&polygons, from, &mut random), place(&polygons, to, &mut random))
        else {
            continue;
        };
        asked.about_places(start, goal, &mut random);
        asked.about_paths(start, goal);
        asked.about_corridors(start, goal, &mut random);
    }
}

/// A position: on a corner, in the middle of a polygon, anywhere in the bounds or beyond, or not finite.
fn position(mesh: &NavMesh, polygons: &[PolyRef], random: &mut SplitMix64) -> Vec3 {
    let corners: Vec<Vec3> = polygons
        .get(random.below(polygons.len()))
        .and_then(|polygon| mesh.corners(*polygon).ok())
        .map(Iterator::collect)
        .unwrap_or_default();
    match random.below(8) {
        0 if !corners.is_empty() => corners[random.below(corners.len())],
        1 => Vec3::new(f32::NAN, 0.0, f32::INFINITY),
        2 => Vec3::new(f32::MAX, -1e30, 3e38),
        3 | 4 => {
            let bounds = mesh.bounds();
            let number = |axis: usize, random: &mut SplitMix64| {
                let (min, max) = (f64::from(bounds.min[axis]), f64::from(bounds.max[axis]));
                (min + (max - min) * (random.unit() * 1.5 - 0.25)) as f32
            };
            Vec3::new(number(0, random), number(1, random), number(2, random))
        }
        _ if !corners.is_empty() => corners.iter().sum::<Vec3>() / corners.len() as f32,
        _ => Vec3::ZERO,
    }
}

/// A place on some polygon. The point need not be on that polygon.
fn place(polygons: &[PolyRef], point: Vec3, random: &mut SplitMix64) -> Option<Place> {
    polygons.get(random.below(polygons.len())).map(|polygon| Place { polygon: *polygon, point })
}

fn assert_finite(points: impl IntoIterator<Item = Vec3>) {
    points.into_iter().for_each(|point| assert!(point.is_finite(), "{point}"));
}

/// Asserts that each polygon has a link to the next.
fn assert_linked(mesh: &NavMesh, polygons: &[PolyRef]) {
    for pair in polygons.windows(2) {
        let mut linked = false;
        mesh.visit_links(pair[0], |link: Link| linked |= link.to == pair[1])
            .expect("a path leads over polygons");
        assert!(linked, "{pair:?}");
    }
}

/// Questions to the mesh itself: islands, links, off-mesh links, run-time state.
fn about_the_whole(mesh: &NavMesh, polygons: &[PolyRef], filters: &[Filter], random: &mut SplitMix64) {
    let islands = mesh.islands();
    let total: usize = islands.list().iter().map(|island| island.polygons).sum();
    assert_eq!(total, mesh.polygon_count());
    let some: Vec<PolyRef> =
        (0..2).filter_map(|_| polygons.get(random.below(polygons.len())).copied()).collect();
    for &polygon in &some {
        mesh.visit_links(polygon, |link: Link| assert!(mesh.attributes(link.to).is_ok()))
            .expect("it is there");
        for &other in &some {
            let answers = filters.iter().map(|filter| mesh.reachable(polygon, other, filter));
            answers.for_each(|answer| assert!(answer.is_ok()));
        }
    }
    for link in mesh.off_mesh_links().take(64) {
        let link = mesh.off_mesh(link).expect("it is there");
        assert_finite(link.ends.into_iter().flatten().map(|place| place.point));
    }
    let mut changed = mesh.clone();
    let filter = changed.register_filter(filters[1].clone());
    for (number, &polygon) in some.iter().enumerate() {
        changed.set_flags(polygon, random.next_u64() as u32).expect("it is there");
        changed.set_area(polygon, 1 + number as u8).expect("it is there");
    }
    if let [a, b] = some[..] {
        let fresh = Islands::there_and_back(&changed, &filter);
        let apart = changed.reachable(a, b, &filter) == Ok(Reachable::No);
        assert!(!apart || a == b || fresh.reachable(a, b) == Reachable::No || fresh.of(b).is_none());
    }
    let coords: Vec<_> = changed.tiles().map(Tile::coord).collect();
    for coord in coords.into_iter().take(2) {
        let state = changed.store_state(coord).expect("the tile is there");
        changed.restore_state(coord, &state).expect("it was stored of this tile");
        let tile = changed.remove_tile(coord).expect("the tile is there");
        changed.add_tile(tile).expect("it was there before");
    }
    assert_eq!(changed.polygon_count(), mesh.polygon_count());
}

/// A mesh, and what it is asked with.
struct Asked<'a> {
    mesh: &'a NavMesh,
    query: Query,
    filter: &'a Filter,
}

impl Asked<'_> {
    fn about_positions(&mut self, from: Vec3, to: Vec3, random: &mut SplitMix64) {
        let Asked { mesh, query, filter } = self;
        for reach in [0.0, 1.5, 1e9, f32::NAN] {
            let box_of = Vec3::splat(reach);
            if let Ok(nearest) = query.nearest(mesh, from, box_of, *filter) {
                assert_finite([nearest.point]);
            }
            for found in [query.below(mesh, from, reach, *filter), query.above(mesh, from, reach, *filter)] {
                assert_finite(found.ok().flatten().map(|place| place.point));
            }
            let mut count = 0;
            // A box that is not valid gives an error, which is an answer too.
            let _ = query.polygons_in_box(mesh, from, box_of, *filter, |_| count += 1);
            assert!(count <= mesh.polygon_count());
        }
        for crossings in [Crossings::None, Crossings::All] {
            let options =
                RouteOptions { crossings, half_extents: Vec3::splat(1e3), ..RouteOptions::default() };
            if let Ok(route) = query.route(mesh, from, to, *filter, &options) {
                assert_finite(route.points);
                assert_linked(mesh, &route.polygons);
            }
        }
        if let Ok(place) = query.random_point(mesh, *filter, || random.unit()) {
            assert_finite([place.point]);
        }
        let ground = Ground::new(mesh, *filter);
        if let Ok(place) = query.random_point_on(&ground, || random.unit()) {
            assert_finite([place.point]);
        }
    }

    fn about_places(&mut self, start: Place, goal: Place, random: &mut SplitMix64) {
        let Asked { mesh, query, filter } = self;
        if let Ok(closest) = mesh.closest_point(start.polygon, goal.point) {
            assert_finite([closest.point]);
        }
        if let Ok(point) = mesh.closest_point_on_boundary(start.polygon, goal.point) {
            assert_finite([point]);
        }
        if let Ok(Some(height)) = mesh.height(start.polygon, start.point) {
            assert!(height.is_finite());
        }
        let mut ray = Ray::default();
        if query.raycast(mesh, start, goal.point, *filter, &mut ray).is_ok() {
            assert_finite([ray.point]);
            assert!((0.0..=1.0).contains(&ray.fraction), "{ray:?}");
            assert_linked(mesh, &ray.polygons);
        }
        let mut slide = Slide::default();
        if query.slide(mesh, start, goal.point, *filter, &mut slide).is_ok() {
            assert_finite([slide.point]);
            assert_linked(mesh, &slide.polygons);
        }
        let (mut around, mut near) = (Surroundings::default(), Neighbourhood::default());
        let shape = [start.point, start.point + Vec3::X, goal.point, start.point + Vec3::Z];
        for radius in [0.0, 2.0, 1e12, f32::INFINITY] {
            if let Ok(Some(wall)) = query.wall_distance(mesh, start, radius, *filter) {
                assert_finite([wall.point, wall.normal]);
                assert!(wall.distance >= 0.0 && wall.distance <= radius, "{wall:?}");
            }
            if query.around_circle(mesh, start, radius, *filter, &mut around).is_ok() {
                assert_finite(around.polygons.iter().map(|reached| reached.point));
                let mut path = Vec::new();
                assert!(
                    around.path_to(around.polygons.len().saturating_sub(1), &mut path) || path.is_empty()
                );
                assert_linked(mesh, &path);
            }
            let _ = query.neighbourhood(mesh, start, radius, 50, *filter, &mut near);
            let points = [
                query.random_around(mesh, start, radius, *filter, || random.unit()),
                query.random_within(mesh, start, radius, *filter, || random.unit()),
            ];
            assert_finite(points.into_iter().flatten().map(|place| place.point));
        }
        if query.around_shape(mesh, start, &shape, *filter, &mut around).is_ok() {
            assert_finite(around.polygons.iter().map(|reached| reached.point));
        }
        let check = |from: Vec3, to: Vec3| assert_finite([from, to]);
        let _ = query.outline(mesh, start.polygon, *filter, |segment| check(segment.from, segment.to));
        let _ = query.wall_segments(mesh, start.polygon, *filter, |segment| check(segment.from, segment.to));
        if let Ok(Some(place)) = query.nearest_reachable(mesh, start.polygon, goal.point, *filter) {
            assert_finite([place.point]);
        }
    }

    fn about_paths(&mut self, start: Place, goal: Place) {
        let Asked { mesh, query, filter } = self;
        let (mut path, mut straight, mut shortest) =
            (Path::default(), StraightPath::default(), ShortestPath::default());
        for optimality in [Optimality::Fast, Optimality::Near] {
            let options = PathOptions { optimality };
            if query.find_path(mesh, start, goal, *filter, &options, &mut path).is_err() {
                continue;
            }
            assert_finite([path.end]);
            assert_linked(mesh, &path.polygons);
            for max_corners in [usize::MAX, 2] {
                let options = StraightOptions { crossings: Crossings::All, max_corners };
                let (from, to) = (start.point, goal.point);
                if query.straight_path_with(mesh, from, to, &path.polygons, &options, &mut straight).is_ok() {
                    assert_finite(straight.corners.iter().map(|corner| corner.point));
                    assert_eq!(straight.broken_at, None);
                }
            }
            let mut polygons = path.polygons.clone();
            if query.shortcut(mesh, start.point, goal.point, 50.0, *filter, &mut polygons).is_ok() {
                assert_linked(mesh, &polygons);
            }
        }
        let model = Passable::of(filter);
        if query.shortest_path(mesh, start, goal, &model, &mut shortest).is_ok() {
            assert_finite(shortest.corners.iter().map(|corner| corner.point));
            assert_linked(mesh, &shortest.polygons);
        }
        let sliced =
            SlicedPath::new(query, mesh.clone(), start, goal, (*filter).clone(), PathOptions::default());
        if let Ok(mut sliced) = sliced {
            for _ in 0..4 {
                let _ = sliced.update(100);
            }
            let mut part = Vec::new();
            sliced.finish_partial(&path.polygons, &mut part);
            assert_linked(mesh, &part);
            let _ = sliced.finish(&mut path);
            *query = sliced.into_query();
        }
    }

    fn about_corridors(&mut self, start: Place, goal: Place, random: &mut SplitMix64) {
        let Asked { mesh, query, filter } = self;
        let mut corridor = Corridor::new(start);
        let mut path = Path::default();
        if query.find_path(mesh, start, goal, *filter, &PathOptions::default(), &mut path).is_ok() {
            let _ = corridor.set_path(mesh, &path.polygons, goal.point);
        }
        let mut corners = StraightPath::default();
        for _ in 0..2 {
            let step = Vec3::new(random.unit() as f32 - 0.5, 0.0, random.unit() as f32 - 0.5);
            let _ = corridor.move_start(query, mesh, corridor.position() + step, *filter);
            let _ = corridor.move_target(query, mesh, corridor.target() - step, *filter);
            if corridor.corners(query, mesh, &StraightOptions::default(), &mut corners).is_ok() {
                assert_finite(corners.corners.iter().map(|corner| corner.point));
            }
            let next = corners.corners.last().map_or(goal.point, |corner| corner.point);
            let _ = corridor.optimise_visibility(query, mesh, next, 30.0, *filter);
            let _ = corridor.optimise_topology(query, mesh, 32, *filter, PathOptions::default());
            assert_linked(mesh, corridor.polygons());
        }
        let _ = corridor.is_valid(mesh, 10, *filter);
        // The ground goes, and comes back as another tile.
        let mut changed = mesh.clone();
        if let Ok((tile, _)) = changed.tile_of(corridor.last()) {
            let coord = tile.coord();
            let tile = changed.remove_tile(coord).expect("the tile is there");
            let _ = corridor.is_valid(&changed, 10, *filter);
            let _ = corridor.corners(query, &changed, &StraightOptions::default(), &mut corners);
            let _ = corridor.move_start(query, &changed, goal.point, *filter);
            changed.add_tile(tile).expect("it was there before");
            let _ = corridor.trim_invalid(&changed, start, *filter);
            let _ = corridor.fix_start(&changed, goal, *filter);
        }
    }
}
