//! Reachable places, and the nearest reachable place: islands that the mesh keeps while tiles, links and
//! doors change.

use crate::common::world::{Loaded, World};
use crate::common::{Grid, Random, at, mesh, place, random_grid};
use detour::{
    CostModel, Filter, NavMesh, PartialReason, Path, PathOptions, PathStatus, Place, PolyRef, Query,
    Reachable, Vec3,
};
use navtile::TileCoord;

fn find(mesh: &NavMesh, start: Place, goal: Place, filter: &Filter) -> Path {
    let mut path = Path::default();
    Query::new().find_path(mesh, start, goal, filter, &PathOptions::default(), &mut path).unwrap();
    path
}

#[test]
fn a_closed_door_is_known_at_once() {
    let mut mesh = Grid::new("....2....").mesh();
    let closed = 0x80;
    let plain = Filter::default().with_exclude(closed);
    let filter = mesh.register_filter(plain.clone());
    let [start, door, goal] = [0.5, 4.5, 8.5].map(|x| place(&mesh, at(x, 0.5)));
    let reach = |mesh: &NavMesh, a: Place, b: Place, filter: &Filter| {
        mesh.reachable(a.polygon, b.polygon, filter).unwrap()
    };
    assert_eq!(reach(&mesh, start, goal, &filter), Reachable::Maybe);
    let open = mesh.clone();
    mesh.set_flags(door.polygon, closed).unwrap();
    assert_eq!(reach(&mesh, start, goal, &filter), Reachable::No);
    assert_eq!(reach(&mesh, start, goal, &plain), Reachable::Maybe, "nobody keeps its islands");
    assert_eq!(reach(&open, start, goal, &filter), Reachable::Maybe, "that snapshot's door is open");
    // An agent in the door can leave it, but no other agent can enter it.
    assert_eq!(reach(&mesh, door, goal, &filter), Reachable::Maybe);
    assert_eq!(reach(&mesh, start, door, &filter), Reachable::No);
    assert_eq!(reach(&mesh, door, door, &filter), Reachable::Maybe);
    for filter in [&filter, &plain] {
        let path = find(&mesh, start, goal, filter);
        assert_eq!(path.status, PathStatus::Partial(PartialReason::Unreachable));
        assert_eq!((path.polygons.len(), path.end), (4, at(4.0, 0.5)));
        let path = find(&mesh, start, door, filter);
        assert_eq!(path.status, PathStatus::Partial(PartialReason::GoalExcluded));
        assert_eq!((path.polygons.len(), path.end), (4, at(4.0, 0.5)));
        assert_eq!(find(&mesh, door, goal, filter).status, PathStatus::Complete);
    }
    mesh.set_flags(door.polygon, 0).unwrap();
    assert_eq!(find(&mesh, start, goal, &filter).status, PathStatus::Complete);
    // Areas close doors too.
    let mut mesh = open;
    let areas = mesh.register_filter(Filter::default().without_area(9));
    mesh.set_area(door.polygon, 9).unwrap();
    assert_eq!(reach(&mesh, start, goal, &areas), Reachable::No);
    assert_eq!(reach(&mesh, start, goal, &filter), Reachable::Maybe);
}

#[test]
fn registrations_are_of_a_mesh_and_of_a_filter() {
    let mut first = Grid::new(".2.").mesh();
    let second = Grid::new(".2.").mesh();
    let filter = first.register_filter(Filter::default().without_area(2));
    let ends = [place(&first, at(0.5, 0.5)).polygon, place(&first, at(2.5, 0.5)).polygon];
    assert_eq!(first.reachable(ends[0], ends[1], &filter).unwrap(), Reachable::No);
    assert_eq!(second.reachable(ends[0], ends[1], &filter).unwrap(), Reachable::Maybe);
    let changed = filter.clone().with_area_cost(1, 2.0).unwrap();
    assert_eq!(first.reachable(ends[0], ends[1], &changed).unwrap(), Reachable::Maybe);
    assert!(!first.forget_filter(&changed) && first.forget_filter(&filter));
    assert_eq!(first.reachable(ends[0], ends[1], &filter).unwrap(), Reachable::Maybe);
    let stale = PolyRef::new(9, 0, 0).unwrap();
    assert!(first.reachable(ends[0], stale, &filter).is_err());
    assert!(first.reachable(stale, ends[0], &filter).is_err());
}

#[test]
fn a_ring_of_tiles_parts_at_the_second_gap() {
    let coord = |x: i32, z: i32| TileCoord { x, z, layer: 0 };
    let ring: Vec<TileCoord> = (0..5)
        .flat_map(|x| (0..5).map(move |z| coord(x, z)))
        .filter(|at| at.x % 4 == 0 || at.z % 4 == 0)
        .collect();
    let tile = |at: TileCoord| Grid::tiled(".", at.x, at.z).tile();
    let mut mesh = mesh(ring.iter().map(|at| tile(*at)));
    let [west, east] = [at(0.5, 2.5), at(4.5, 2.5)].map(|spot| place(&mesh, spot));
    let all = Filter::default();
    let reach = |mesh: &NavMesh| mesh.reachable(west.polygon, east.polygon, &all).unwrap();
    mesh.remove_tile(coord(2, 0)).unwrap();
    assert_eq!(reach(&mesh), Reachable::Maybe);
    mesh.remove_tile(coord(2, 4)).unwrap();
    assert_eq!(reach(&mesh), Reachable::No);
    let path = find(&mesh, west, east, &all);
    assert_eq!(path.status, PathStatus::Partial(PartialReason::Unreachable));
    // Both ends of the half ring are equally near; the smaller reference wins.
    assert_eq!((path.end.x, path.polygons.len()), (2.0, 4));
    mesh.add_tile(tile(coord(2, 4))).unwrap();
    assert_eq!(reach(&mesh), Reachable::Maybe);
    assert_eq!(find(&mesh, west, east, &all).status, PathStatus::Complete);
}

#[test]
fn tiles_at_once_make_the_islands_that_they_make_one_by_one() {
    let (mut together, mut apart) = (0, 0);
    for seed in 0..40 {
        let world = World::new(seed);
        let mut random = Random(seed + 5);
        let mut coords: Vec<TileCoord> = world.coords().collect();
        for last in (1..coords.len()).rev() {
            coords.swap(last, random.below(last as u64 + 1) as usize);
        }
        let mut mesh = NavMesh::default();
        let filter = mesh.register_filter(Filter::default().with_exclude(4));
        let mut at_once = mesh.clone();
        let take = |number: usize| Ok::<_, detour::MeshError>(world.tile(coords[number], 0));
        (0..coords.len()).for_each(|number| mesh.add_tile(take(number).unwrap()).unwrap());
        at_once.add_tiles_from(coords.len(), take).unwrap();
        // Again after changes, which continue from the existing islands.
        for round in 0..3 {
            let nodes: Vec<PolyRef> = mesh.polygons().chain(mesh.off_mesh_links()).collect();
            assert!(at_once.polygons().chain(at_once.off_mesh_links()).eq(nodes.iter().copied()));
            for (a, b) in nodes.iter().flat_map(|a| nodes.iter().map(move |b| (*a, *b))) {
                for filter in [&Filter::default(), &filter] {
                    let expected = mesh.reachable(a, b, filter).unwrap();
                    assert_eq!(
                        at_once.reachable(a, b, filter).unwrap(),
                        expected,
                        "{seed} {round} {a:?} {b:?}"
                    );
                    *if expected == Reachable::No { &mut apart } else { &mut together } += 1;
                }
            }
            for _ in 0..4 {
                let coord = coords[random.below(coords.len() as u64) as usize];
                for mesh in [&mut mesh, &mut at_once] {
                    match mesh.tile(coord).is_some() {
                        true => drop(mesh.remove_tile(coord).unwrap()),
                        false => mesh.add_tile(world.tile(coord, 1)).unwrap(),
                    }
                }
            }
        }
    }
    assert!(together > 100_000 && apart > 100_000, "{together} {apart}");
}

#[test]
fn a_goal_on_another_island_floods_nothing() {
    let row = ".".repeat(40);
    let mut text = vec![row.as_str(); 40];
    let wall = "#".repeat(40);
    text.extend([wall.as_str(), row.as_str()]);
    let text = text.join(" ");
    let mesh = Grid::new(&text).mesh();
    let (start, goal) = (place(&mesh, at(20.5, 35.5)), place(&mesh, at(20.5, 41.5)));
    let path = find(&mesh, start, goal, &Filter::default());
    assert_eq!(path.status, PathStatus::Partial(PartialReason::Unreachable));
    assert_eq!((path.end, path.polygons.len(), path.cost), (at(20.5, 40.0), 5, 4.5));
    assert!(path.touched < 40, "{} of 1,640 polygons were touched", path.touched);
}

#[test]
fn the_nearest_place_is_the_nearest_of_all() {
    let mut asked = 0;
    for seed in 0..30 {
        let mut text = String::new();
        let mesh = random_grid(seed, 12, 45, &mut text).mesh();
        check_nearest(&mesh, seed, &mut asked);
        let world = World::new(seed + 1);
        let (mut mesh, mut loaded, mut random) = (NavMesh::default(), Loaded::new(), Random(seed + 9));
        for _ in 0..60 {
            world.change(&mut mesh, &mut loaded, &mut random);
        }
        check_nearest(&mesh, seed, &mut asked);
    }
    assert!(asked > 500);
}

/// Compares with a search of every polygon.
fn check_nearest(mesh: &NavMesh, seed: u64, asked: &mut usize) {
    let mut mesh = mesh.clone();
    let open = mesh.clone();
    let filter = mesh.register_filter(Filter::default().with_exclude(4));
    let mut random = Random(seed * 3 + 1);
    let mut query = Query::new();
    let polygons: Vec<PolyRef> = mesh.polygons().collect();
    for _ in 0..20 {
        let start = polygons[random.below(polygons.len() as u64) as usize];
        let mut along = |size: u64| random.below(size * 8) as f32 / 8.0 - 2.0;
        let goal = Vec3::new(along(20), along(6), along(20));
        let passes = |polygon: PolyRef| filter.passes(&mesh.attributes(polygon).unwrap());
        if !passes(start) {
            continue;
        }
        *asked += 1;
        let found = query.nearest_reachable(&mesh, start, goal, &filter).unwrap().unwrap();
        let expected = polygons
            .iter()
            .filter(|polygon| {
                passes(**polygon) && mesh.reachable(start, **polygon, &filter).unwrap() == Reachable::Maybe
            })
            .map(|polygon| {
                let point = mesh.closest_point(*polygon, goal).unwrap().point;
                (point.as_dvec3().distance_squared(goal.as_dvec3()), *polygon)
            })
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .unwrap();
        assert_eq!(found.polygon, expected.1, "seed {seed}");
        // Without a registration: the polygons that pass, on the islands of all polygons.
        let open_filter = Filter::default().with_exclude(4);
        let wider = query.nearest_reachable(&open, start, goal, &open_filter).unwrap().unwrap();
        assert!(wider.point.distance(goal) <= found.point.distance(goal) + 1e-5);
        // The search ends at exactly that place.
        let place = Place { polygon: start, point: mesh.corners(start).unwrap().next().unwrap() };
        let cut_off =
            |polygon: &&PolyRef| mesh.reachable(start, **polygon, &filter).unwrap() == Reachable::No;
        if let Some(polygon) = polygons.iter().find(cut_off) {
            let path = find(&mesh, place, Place { polygon: *polygon, point: goal }, &filter);
            assert_eq!(path.polygons.last(), Some(&found.polygon), "seed {seed}");
            assert!(path.end.distance(found.point) < 1e-4 && path.status != PathStatus::Complete);
            let whole = find(&mesh, place, found, &filter);
            assert_eq!(whole.status, PathStatus::Complete);
            assert!(path.cost <= whole.cost * (1.0 + 1e-6), "seed {seed}");
        }
    }
}

/// A random world with links, after many changes, and a place in every polygon.
fn changed_world(seed: u64) -> (NavMesh, Vec<Place>) {
    let world = World::new(seed + 1);
    let (mut mesh, mut loaded, mut random) = (NavMesh::default(), Loaded::new(), Random(seed + 9));
    for _ in 0..60 {
        world.change(&mut mesh, &mut loaded, &mut random);
    }
    let place = |polygon| Place { polygon, point: mesh.corners(polygon).unwrap().next().unwrap() };
    let places = mesh.polygons().map(place).collect();
    (mesh, places)
}

/// Pairs of random places.
fn random_pairs(places: &[Place], seed: u64) -> impl Iterator<Item = [Place; 2]> + '_ {
    let mut random = Random(seed * 5 + 2);
    (0..20).map(move |_| [(); 2].map(|()| places[random.below(places.len() as u64) as usize]))
}

/// One-way links lead to their ends, and not back.
#[test]
fn a_registered_filter_knows_exactly_where_paths_lead() {
    let (mut reached, mut one_way) = (0, 0);
    for seed in 0..300 {
        let (mut mesh, places) = changed_world(seed);
        let closed = mesh.register_filter(Filter::default().with_exclude(4));
        for filter in [Filter::default(), closed] {
            let passes = |place: Place| filter.passes(&mesh.attributes(place.polygon).unwrap());
            for [start, goal] in random_pairs(&places, seed).filter(|[start, _]| passes(*start)) {
                let leads = |from: Place, to: Place| {
                    mesh.reachable(from.polygon, to.polygon, &filter).unwrap() == Reachable::Maybe
                };
                let is_complete = find(&mesh, start, goal, &filter).status == PathStatus::Complete;
                assert_eq!(leads(start, goal), is_complete, "seed {seed}");
                reached += u32::from(is_complete);
                one_way += u32::from(is_complete && passes(goal) && !leads(goal, start));
            }
        }
    }
    assert!(reached > 1000 && one_way > 100, "{reached}, {one_way}");
}

#[test]
fn a_path_that_a_filter_cuts_off_costs_no_more_than_one_to_its_end() {
    let mut checked = 0;
    for seed in 0..300 {
        let (mesh, places) = changed_world(seed);
        let filter = Filter::default().with_exclude(4);
        for [start, goal] in random_pairs(&places, seed) {
            let path = find(&mesh, start, goal, &filter);
            let maybe = mesh.reachable(start.polygon, goal.polygon, &filter).unwrap() == Reachable::Maybe;
            if path.status == PathStatus::Complete || !maybe {
                continue;
            }
            checked += 1;
            let end = Place { polygon: *path.polygons.last().unwrap(), point: path.end };
            let whole = find(&mesh, start, end, &filter);
            assert_eq!(whole.status, PathStatus::Complete);
            assert!(path.cost <= whole.cost * (1.0 + 1e-6), "seed {seed}: {} {}", path.cost, whole.cost);
        }
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn nothing_passes_nowhere_to_go() {
    let mut mesh = Grid::new("..#..").mesh();
    let filter = mesh.register_filter(Filter::default().without_area(1));
    let [start, goal] = [0.5, 4.5].map(|x| place(&mesh, at(x, 0.5)));
    let mut query = Query::new();
    assert_eq!(query.nearest_reachable(&mesh, start.polygon, goal.point, &filter).unwrap(), None);
    let path = find(&mesh, start, goal, &filter);
    assert_eq!(path.status, PathStatus::Partial(PartialReason::GoalExcluded));
    assert_eq!(path.polygons, [start.polygon]);
    assert!(query.nearest_reachable(&mesh, start.polygon, Vec3::NAN, &filter).is_err());
}
