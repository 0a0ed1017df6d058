//! Tiles that are added and removed: a mesh after many changes equals a newly built mesh, and queries on
//! other threads keep using their snapshot.
//!
//! `DETOUR_QUERIES` is the number of queries while tiles are swapped (2,000 by default), `DETOUR_SEED` is the
//! seed of the random numbers, and `DETOUR_WORLDS` is the number of worlds that are changed and compared (6).

use crate::common;
use crate::common::world;
use crate::common::world::{Loaded, World, coord_of, filters};
use crate::common::{Grid, Random, is_linked, unit};
use detour::{
    Crossings, Filter, Islands, MeshError, NavMesh, Path, PathOptions, PathStatus, Place, PolyRef, Query,
    QueryError, Ray, Reachable, RefProblem, Slide, StraightPath, Surroundings, Vec3,
};
use navtile::{Tile, TileCoord};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The whole graph by coordinates and numbers, without slots and salts: every polygon and link with its
/// flags, its area and its links.
fn graph(mesh: &NavMesh) -> Vec<String> {
    let name = |node: PolyRef| format!("{:?} {}", coord_of(mesh, node), node.polygon());
    let mut rows: Vec<String> = Vec::new();
    for node in mesh.polygons().chain(mesh.off_mesh_links()) {
        let attributes = mesh.attributes(node).unwrap();
        let mut ways = Vec::new();
        mesh.visit_links(node, |way| {
            ways.push(format!("{} {:?} {:?} {:?}", name(way.to), way.edge, way.left, way.right));
        })
        .unwrap();
        // The order of several neighbours over one edge, or of several links, depends on slots.
        ways.sort();
        rows.push(format!("{}: {} {} {ways:?}", name(node), attributes.flags, attributes.area));
    }
    rows.sort();
    rows
}

/// The connected sets of polygons: for each polygon, by name, the first that is connected with it.
fn partition(mesh: &NavMesh, together: impl Fn(PolyRef, PolyRef) -> bool) -> BTreeMap<String, String> {
    let mut names: Vec<(String, PolyRef)> = mesh
        .polygons()
        .map(|polygon| (format!("{:?} {}", coord_of(mesh, polygon), polygon.polygon()), polygon))
        .collect();
    names.sort();
    let mut firsts: Vec<(String, PolyRef)> = Vec::new();
    let mut of = BTreeMap::new();
    for (name, polygon) in names {
        let known = firsts.iter().find(|(_, first)| together(*first, polygon)).map(|(name, _)| name.clone());
        let first = known.unwrap_or_else(|| {
            firsts.push((name.clone(), polygon));
            name.clone()
        });
        of.insert(name, first);
    }
    of
}

/// The reason why a tile could not be taken.
#[derive(Debug, PartialEq)]
enum TakeError {
    /// The tile of that number is gone.
    Gone(usize),
    Mesh(MeshError),
}

impl From<MeshError> for TakeError {
    fn from(error: MeshError) -> TakeError {
        TakeError::Mesh(error)
    }
}

/// Compares the state that the mesh maintains with the answers of a newly built mesh.
fn compare(mesh: &NavMesh, afresh: &NavMesh, registered: &[Filter], context: &str) {
    assert_eq!(graph(mesh), graph(afresh), "{context}");
    for filter in std::iter::once(&Filter::default()).chain(registered) {
        let islands = Islands::there_and_back(afresh, filter);
        let expected = partition(afresh, |a, b| a == b || islands.reachable(a, b) == Reachable::Maybe);
        let passes = |node: PolyRef| {
            use detour::CostModel;
            filter.passes(&mesh.attributes(node).unwrap())
        };
        let maybe = |a, b| mesh.reachable(a, b, filter).unwrap() == Reachable::Maybe;
        let both = |a, b| maybe(a, b) && maybe(b, a);
        let kept = partition(mesh, |a, b| a == b || (passes(a) && passes(b) && both(a, b)));
        assert_eq!(kept, expected, "{context}");
        for link in mesh.off_mesh_links() {
            let found = mesh.off_mesh(link).unwrap();
            let Some([start, end]) = found.ends.filter(|_| passes(link)) else { continue };
            assert!(!passes(start.polygon) || maybe(start.polygon, link), "{context}");
            assert!(!passes(end.polygon) || maybe(link, end.polygon), "{context}");
            assert!(!passes(end.polygon) || !found.both_ways || maybe(end.polygon, link), "{context}");
        }
    }
}

/// Checks a search around a place against the links of the mesh; returns the number of polygons that it found
/// beyond the first.
fn compare_searched(mesh: &NavMesh, query: &mut Query, random: &mut Random, context: &str) -> usize {
    let polygons: Vec<PolyRef> = mesh.polygons().collect();
    if polygons.is_empty() {
        return 0;
    }
    let polygon = polygons[random.below(polygons.len() as u64) as usize];
    let point = mesh.corners(polygon).unwrap().next().unwrap();
    let mut expected = vec![polygon];
    let mut next = 0;
    while let Some(from) = expected.get(next).copied() {
        next += 1;
        mesh.visit_links(from, |link| {
            if link.edge.is_some() && !expected.contains(&link.to) {
                expected.push(link.to);
            }
        })
        .unwrap();
    }
    let mut found = Surroundings::default();
    let start = Place { polygon, point };
    query.around_circle(mesh, start, 1e4, &Filter::default(), &mut found).unwrap();
    for reached in &found.polygons {
        let Some(parent) = reached.parent else { continue };
        let mut is_middle = false;
        mesh.visit_links(found.polygons[parent as usize].polygon, |link| {
            let middle = (link.left.as_dvec3() + link.right.as_dvec3()) * 0.5;
            is_middle |= link.to == reached.polygon && middle.distance(reached.point.as_dvec3()) < 1e-5;
        })
        .unwrap();
        assert!(is_middle, "{context}: {reached:?}");
    }
    let mut found: Vec<PolyRef> = found.polygons.iter().map(|reached| reached.polygon).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{context}");
    found.len() - 1
}

#[test]
fn searches_follow_the_links_of_a_mesh_that_changes() {
    let (mut found, mut query) = (0, Query::new());
    for seed in 1..=4 {
        let world = World::new(seed);
        let mut random = Random(seed * 17 + 3);
        let (mut mesh, mut loaded) = (NavMesh::default(), Loaded::new());
        // A snapshot shares the data that searches derived from its tiles, and keeps it.
        let mut kept = mesh.clone();
        for step in 0..150 {
            world.change(&mut mesh, &mut loaded, &mut random);
            let context = format!("seed {seed}, step {step}");
            for mesh in [&mesh, &kept, &mesh] {
                found += compare_searched(mesh, &mut query, &mut random, &context);
            }
            if step % 5 == 0 {
                kept = mesh.clone();
            }
        }
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn a_changed_mesh_is_the_mesh_built_afresh() {
    let (mut joined, worlds) = (0, from_environment("DETOUR_WORLDS", 6) as u64);
    for seed in 1..=worlds {
        let world = World::new(seed);
        let mut random = Random(seed * 31 + 7);
        let (mut mesh, mut loaded) = (NavMesh::default(), Loaded::new());
        let mut registered: Vec<Filter> = Vec::new();
        let mut kept = Vec::new();
        for step in 0..150 {
            world.change(&mut mesh, &mut loaded, &mut random);
            if step % 40 == 10
                && let Some(filter) = filters().into_iter().nth(registered.len())
            {
                registered.push(mesh.register_filter(filter));
            }
            if step % 50 == 0 {
                kept.push((mesh.clone(), graph(&mesh)));
            }
            if step % 3 == 0 || step > 140 {
                compare(&mesh, &world.afresh(&loaded), &registered, &format!("seed {seed}, step {step}"));
            }
            joined +=
                mesh.off_mesh_links().filter(|link| mesh.off_mesh(*link).unwrap().ends.is_some()).count();
        }
        assert!(kept.iter().all(|(snapshot, before)| graph(snapshot) == *before), "seed {seed}");
        assert!(
            registered.len() == 3
                && mesh.forget_filter(&registered[0])
                && !mesh.forget_filter(&registered[0])
        );
        for coord in loaded.keys() {
            mesh.remove_tile(*coord).unwrap();
        }
        assert_eq!((mesh.polygons().count(), mesh.off_mesh_links().count()), (0, 0));
    }
    assert!(joined > 1_000, "{joined}: hardly a link was joined");
}

#[test]
fn many_tiles_at_once_equal_the_same_tiles_one_by_one() {
    for seed in 1..=60 {
        let world = World::new(seed);
        let mut random = Random(seed * 131 + 5);
        let (mut mesh, mut loaded) = (NavMesh::default(), Loaded::new());
        let registered: Vec<Filter> =
            filters().into_iter().map(|filter| mesh.register_filter(filter)).collect();
        // A third of the meshes start without tiles, the others with some, and some of those with gaps among
        // their slots.
        for _ in 0..[0, 4, 30][seed as usize % 3] {
            world.change(&mut mesh, &mut loaded, &mut random);
        }
        let before = (mesh.clone(), graph(&mesh));
        let mut more = Vec::new();
        for coord in world.coords().collect::<Vec<_>>() {
            if !loaded.contains_key(&coord) && random.below(5) > 0 {
                let variant = random.below(3) as usize;
                more.insert(random.below(more.len() as u64 + 1) as usize, world.tile(coord, variant));
                loaded.insert(coord, (variant, BTreeMap::new()));
            }
        }
        let mut twice = more.clone();
        twice.extend(more.first().cloned().or_else(|| mesh.tiles().next().cloned()));
        assert!(matches!(mesh.add_tiles(twice), Err(MeshError::Duplicate(_))));
        assert_eq!(graph(&mesh), before.1, "seed {seed}: a refusal changes nothing");
        // A failing source leaves no tile in the mesh, for any position of the failure. Many tiles are more
        // than one batch.
        let last = more.len().checked_sub(1);
        let taken = mesh.add_tiles_from(more.len(), |number| {
            if Some(number) == last { Err(TakeError::Gone(number)) } else { Ok(more[number].clone()) }
        });
        assert_eq!(taken, last.map_or(Ok(()), |last| Err(TakeError::Gone(last))));
        assert_eq!(graph(&mesh), before.1, "seed {seed}: a failure changes nothing");
        let mut one_by_one = mesh.clone();
        mesh.add_tiles(more.clone()).unwrap();
        more.sort_by_key(Tile::coord);
        more.into_iter().for_each(|tile| one_by_one.add_tile(tile).unwrap());
        assert!(mesh.polygons().eq(one_by_one.polygons()), "seed {seed}: the same references");
        assert!(mesh.off_mesh_links().eq(one_by_one.off_mesh_links()), "seed {seed}");
        compare(&mesh, &world.afresh(&loaded), &registered, &format!("seed {seed}"));
        for step in 0..20 {
            world.change(&mut mesh, &mut loaded, &mut random);
            compare(&mesh, &world.afresh(&loaded), &registered, &format!("seed {seed}, step {step}"));
        }
        assert_eq!(graph(&before.0), before.1, "seed {seed}: the snapshot is as it was");
    }
    NavMesh::default().add_tiles([]).unwrap();
}

/// More tiles than two batches of eight threads, with walls at random.
fn field_of_tiles() -> Vec<Tile> {
    const SIDE: i32 = 33;
    let mut random = Random(11);
    let mut row = || (0..3).map(|_| if random.below(4) == 0 { '#' } else { '.' }).collect::<String>();
    let mut tile = |x, z| Grid::tiled(&[row(), row(), row()].join(" "), x, z).tile();
    (0..SIDE * SIDE).map(|number| tile(number / SIDE, number % SIDE)).collect()
}

#[test]
fn threads_add_tiles_as_one_thread_does() {
    let tiles = field_of_tiles();
    let mut one_by_one = NavMesh::default();
    let walker = one_by_one.register_filter(Filter::default().with_exclude(4));
    let empty = one_by_one.clone();
    tiles.iter().for_each(|tile| one_by_one.add_tile(tile.clone()).unwrap());
    let expected = (graph(&one_by_one), one_by_one.islands());
    let first = one_by_one.polygons().next().unwrap();
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (mut mesh, takers) = (empty.clone(), Mutex::new(BTreeSet::new()));
        let deadline = Instant::now() + Duration::from_secs(60);
        let take = |number: usize| {
            takers.lock().unwrap().insert(rayon::current_thread_index());
            // If another thread can take the other tiles, the first tile comes last.
            while number == 0 && takers.lock().unwrap().len() < threads.min(2) && Instant::now() < deadline {
                std::thread::yield_now();
            }
            Ok::<_, TakeError>(tiles[number].clone())
        };
        pool.install(|| mesh.add_tiles_from(tiles.len(), take)).unwrap();
        assert!(takers.lock().unwrap().len() >= threads.min(2), "{threads} threads: one took all tiles");
        assert!(mesh.polygons().eq(one_by_one.polygons()), "{threads} threads: the same references");
        assert_eq!((graph(&mesh), mesh.islands()), expected, "{threads} threads");
        for polygon in one_by_one.polygons() {
            let reachable = |mesh: &NavMesh| mesh.reachable(first, polygon, &walker).unwrap();
            assert_eq!(reachable(&mesh), reachable(&one_by_one), "{threads} threads: {polygon}");
        }
        // The first of several failures by number is returned, in whichever order they happen.
        for failing in [0, 700] {
            let mut failed = empty.clone();
            let take = |number: usize| match number {
                _ if number >= failing => Err(TakeError::Gone(number)),
                _ => Ok(tiles[number].clone()),
            };
            let taken = pool.install(|| failed.add_tiles_from(tiles.len(), take));
            assert_eq!((taken, failed.tile_count()), (Err(TakeError::Gone(failing)), 0), "{threads} threads");
        }
    }
}

#[test]
fn a_tile_is_replaced_or_the_mesh_is_as_it_was() {
    let coord = |x: i32| TileCoord { x, z: 0, layer: 0 };
    let tile = |text: &str, x: i32| Grid::tiled(text, x, 0).tile();
    let mut mesh = common::mesh([tile("..", 0), tile("..", 1)]);
    let (before, snapshot) = (graph(&mesh), mesh.clone());
    let old = mesh.polygons().find(|polygon| coord_of(&mesh, *polygon) == coord(1)).unwrap();
    assert_eq!(mesh.replace_tile(tile("..", 2)), Err(MeshError::NoTile(coord(2))));
    let mut elsewhere = Grid::tiled("..", 1, 0).content();
    elsewhere.lattice.cell_size = 0.5;
    let elsewhere = common::tile(&elsewhere);
    assert!(matches!(mesh.replace_tile(elsewhere.clone()), Err(MeshError::Lattice { .. })));
    let mut far = Grid::tiled("..", 1, 0).content();
    far.base_cell[0] = 1 << 38;
    assert!(matches!(mesh.replace_tile(common::tile(&far)), Err(MeshError::TooFar { .. })));
    assert_eq!(graph(&mesh), before);
    assert_eq!(mesh.replace_tile(tile(".#", 1)).unwrap(), tile("..", 1));
    assert_eq!((mesh.tile_count(), mesh.polygon_count()), (2, 3));
    assert_eq!(mesh.attributes(old).unwrap_err().problem, RefProblem::Stale);
    assert_eq!(graph(&snapshot), before);
    // Removing the last tile of a lattice allows another lattice.
    mesh.remove_tile(coord(0)).unwrap();
    mesh.replace_tile(elsewhere).unwrap();
    assert_eq!(mesh.lattice().unwrap().cell_size, 0.5);
}

/// Memory of a querying thread, kept from query to query.
#[derive(Default)]
struct Asker {
    query: Query,
    path: Path,
    again: Path,
    straight: StraightPath,
    ray: Ray,
    slide: Slide,
}

impl Asker {
    /// Runs every kind of query on a snapshot, and checks the answers against it. Returns a number that
    /// depends on the results.
    fn ask(&mut self, mesh: &NavMesh, filter: &Filter, random: &mut Random) -> usize {
        let Asker { query, path, again, straight, ray, slide } = self;
        let size = (world::WIDTH * world::SQUARES) as f64;
        let mut spot = || {
            let mut along = || (unit(random) * size) as f32;
            Vec3::new(along(), 1.0, along())
        };
        let [start, goal] = [spot(), spot()].map(|at| query.nearest(mesh, at, Vec3::splat(3.0), filter));
        let (start, goal) = match (start, goal) {
            (Ok(start), Ok(goal)) => (start.place(), goal.place()),
            (Err(QueryError::NothingNear { .. }), _) | (_, Err(QueryError::NothingNear { .. })) => return 0,
            (start, goal) => panic!("{start:?} {goal:?}"),
        };
        let options = PathOptions::default();
        query.find_path(mesh, start, goal, filter, &options, path).unwrap();
        assert!(is_linked(mesh, &path.polygons), "{path:?}");
        query.find_path(mesh, start, goal, filter, &options, again).unwrap();
        assert_eq!(path, again);
        let reachable = mesh.reachable(start.polygon, goal.polygon, filter).unwrap();
        let complete = path.status == PathStatus::Complete;
        assert!(!complete || (reachable == Reachable::Maybe && path.polygons.ends_with(&[goal.polygon])));
        query.straight_path(mesh, start.point, goal.point, &path.polygons, Crossings::All, straight).unwrap();
        assert_eq!(straight.broken_at, None);
        let end = straight.corners.last().unwrap().point;
        assert!(end.with_y(0.0).distance(path.end.with_y(0.0)) < 1e-3, "{end} {path:?}");
        query.raycast(mesh, start, goal.point, filter, ray).unwrap();
        query.slide(mesh, start, goal.point, filter, slide).unwrap();
        assert!(is_linked(mesh, &ray.polygons) && is_linked(mesh, &slide.polygons));
        1 + usize::from(complete)
    }
}

fn from_environment(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

#[test]
fn queries_go_on_while_tiles_are_swapped() {
    let queries = from_environment("DETOUR_QUERIES", 2_000);
    let seed = from_environment("DETOUR_SEED", 1) as u64;
    let world = World::new(seed);
    let mut random = Random(seed * 2 + 1);
    let (mut mesh, mut loaded) = (NavMesh::default(), Loaded::new());
    let filter = mesh.register_filter(filters()[0].clone());
    for _ in 0..60 {
        world.change(&mut mesh, &mut loaded, &mut random);
    }
    let published = Mutex::new(mesh.clone());
    let (over, swaps) = (AtomicBool::new(false), AtomicUsize::new(0));
    let answers = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                world.change(&mut mesh, &mut loaded, &mut random);
                *published.lock().unwrap() = mesh.clone();
                swaps.fetch_add(1, Ordering::Relaxed);
            }
            compare(&mesh, &world.afresh(&loaded), std::slice::from_ref(&filter), "after the last swap");
        });
        let readers: Vec<_> = (0..2u64)
            .map(|reader| {
                let (published, filter) = (&published, &filter);
                scope.spawn(move || {
                    let (mut asker, mut random) = (Asker::default(), Random(seed * 99 + reader + 1));
                    let mut answers = 0;
                    for number in 0..queries.div_ceil(2) {
                        let mesh = published.lock().unwrap().clone();
                        let plain = Filter::default();
                        let filter = if number % 2 == 0 { filter } else { &plain };
                        answers += asker.ask(&mesh, filter, &mut random);
                    }
                    answers
                })
            })
            .collect();
        let answers: Vec<_> = readers.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        over.store(true, Ordering::Relaxed);
        writer.join().unwrap();
        answers.into_iter().map(Result::unwrap).sum::<usize>()
    });
    let swaps = swaps.into_inner();
    assert!(swaps > 10 && answers > queries / 2, "seed {seed}: {swaps} swaps, {answers} answers");
}
