//! Imports caches that the C++ library makes, and compares them with the mesh that its own tile cache builds
//! of the same layers: the same ground, the same connected places, paths of the same length.
//!
//! The binding lacks the tile cache, so a small program around the library's sources is compiled and run.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use detour::{Filter, NavMesh, Query, RouteOptions, Vec3};
use navinterop::{mset, tset};
use navmath::FIXED_ONE;
use navmath::predicates::polygon_area2;
use navtile::Tile;
use oracle::runtime::load::load;
use oracle::{level, tile_cache};
use recast::Level;
use recastnavigation_rs::detour as cpp;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Half extents of the search for a place, metres.
const REACH: [f32; 3] = [0.5, 1.0, 0.5];

/// Compiles the program.
fn program() -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tile_cache");
    tile_cache::compile("main.cpp", &["-O2"], &program).unwrap();
    program
}

/// A level and its division into tiles.
struct Cut {
    name: &'static str,
    level: Level,
    cell_size: f32,
    side: u32,
}

/// Platforms over each other, with ramps, as in the tests of layers.
fn storeys() -> Level {
    let mut level = Level::default();
    let mut floor = |y: f64, [x0, z0]: [f64; 2], [x1, z1]: [f64; 2], rise: f64| {
        let first = level.vertices.len() as u32;
        level.vertices.extend([[x0, y, z0], [x0, y, z1], [x1, y + rise, z1], [x1, y + rise, z0]]);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    floor(0.0, [0.0, 0.0], [30.0, 24.0], 0.0);
    for (storey, z) in [(1.0, 3.0), (2.0, 9.0), (3.0, 5.0)] {
        floor(3.0 * storey, [10.0, z], [26.0, z + 9.0], 0.0);
        floor(3.0 * storey - 3.0, [4.0, z + 2.0], [10.0, z + 6.0], 3.0);
    }
    level
}

fn cuts() -> Vec<Cut> {
    let cut = |name, level, cell_size, side| Cut { name, level, cell_size, side };
    let mut cuts = vec![
        cut("storeys", storeys(), 0.3, 48),
        cut("storeys", storeys(), 0.2, 20),
        // Layers of more than 2^16 bytes are packed at level 2.
        cut("storeys", storeys(), 0.15, 200),
    ];
    let named = std::env::var_os("NAVTILE_MESHES").map(PathBuf::from);
    let folder =
        named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes"));
    for name in ["nav_test", "dungeon"] {
        let path = folder.join(name).with_extension("obj");
        if path.is_file() {
            cuts.push(cut(name, level::read_obj(&path).unwrap(), 0.3, 48));
        } else {
            eprintln!("skipped: there is no {name}.obj; name its folder in NAVTILE_MESHES");
        }
    }
    cuts
}

/// The mesh that Detour builds from a cache.
struct Theirs {
    bytes: Vec<u8>,
    mesh: cpp::DtNavMesh,
    /// For each polygon: a place near its first corner, area seen from above, kind of ground.
    polygons: Vec<([f32; 3], f64, u8)>,
}

fn theirs(program: &Path, cache: &[u8], name: &str) -> Theirs {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [from, to] = ["tset", "mset"].map(|end| folder.join(format!("{name}.{end}")));
    std::fs::write(&from, cache).unwrap();
    run(program, "build", &from, &to);
    let bytes = std::fs::read(to).unwrap();
    let set = mset::read(&bytes).unwrap();
    let mesh = load(&set).unwrap();
    let mut polygons = Vec::new();
    for tile in &set.tiles {
        for polygon in &tile.tile.polygons {
            let corners: Vec<[f32; 3]> = polygon.vertices[..usize::from(polygon.corner_count)]
                .iter()
                .map(|&vertex| tile.tile.vertices[usize::from(vertex)])
                .collect();
            let after = corners.iter().cycle().skip(1);
            let doubled: f64 = corners
                .iter()
                .zip(after)
                .map(|(a, b)| f64::from(a[0]) * f64::from(b[2]) - f64::from(a[2]) * f64::from(b[0]))
                .sum();
            // Away from corners, their surface is above or below the floors, which ours follows.
            let place = |axis: usize| {
                let middle = corners.iter().map(|corner| corner[axis]).sum::<f32>() / corners.len() as f32;
                corners[0][axis] + (middle - corners[0][axis]) * 0.05
            };
            polygons.push(([0, 1, 2].map(place), doubled.abs() / 2.0, polygon.area));
        }
    }
    Theirs { bytes, mesh, polygons }
}

fn run(program: &Path, command: &str, from: &Path, to: &Path) {
    let status = Command::new(program).arg(command).arg(from).arg(to).status().unwrap();
    assert!(status.success(), "{command} {}", from.display());
}

/// The length of their path, if it reaches its goal.
fn their_length(query: &mut cpp::DtNavMeshQuery, [a, b]: [&[f32; 3]; 2]) -> Option<f32> {
    let filter = cpp::DtQueryFilter::default();
    let [from, to] = [a, b].map(|place| query.find_nearest_poly_1(place, &REACH, &filter).unwrap());
    let mut path = vec![cpp::DtPolyRef::default(); 2048];
    let count = query.find_path(from.0, to.0, &from.1, &to.1, &filter, &mut path).unwrap();
    if path[..count].last() != Some(&to.0) {
        return None;
    }
    let mut corners = vec![[0.0; 3]; 2048];
    let count =
        query.find_straight_path(&from.1, &to.1, &path[..count], &mut corners, None, None, 0).unwrap();
    let flat = |pair: &[[f32; 3]]| (pair[1][0] - pair[0][0]).hypot(pair[1][2] - pair[0][2]);
    Some(corners[..count].windows(2).map(flat).sum())
}

/// Counts of random pairs of places.
#[derive(Debug, Default)]
struct Walks {
    /// Pairs with a path in both meshes.
    both: usize,
    /// Pairs without a path in either.
    neither: usize,
    /// Pairs with a path in only one of them: the first starts and goals.
    one: Vec<[[f32; 3]; 2]>,
    /// Sums of lengths seen from above, ours and theirs, metres.
    lengths: [f64; 2],
}

/// Walks between middles of their polygons.
fn walks(ours: &NavMesh, theirs: &Theirs) -> Walks {
    let mut walks = Walks::default();
    let mut query = cpp::DtNavMeshQuery::with_mesh(&theirs.mesh, 8192).unwrap();
    let mut own = Query::new();
    let options = RouteOptions { half_extents: Vec3::from_array(REACH), ..RouteOptions::default() };
    let count = theirs.polygons.len();
    let mut seed = 1u64;
    for _ in 0..1_000 {
        let mut place = || {
            // Knuth's generator of 64 bits.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            &theirs.polygons[(seed >> 33) as usize % count].0
        };
        let pair = [place(), place()];
        let their_length = their_length(&mut query, pair);
        let [start, goal] = pair.map(|place| Vec3::from_array(*place));
        let route = own.route(ours, start, goal, &Filter::default(), &options).ok();
        let length = route.filter(|route| route.reason().is_none()).map(|route| route.length_from_above);
        match (length, their_length) {
            (Some(length), Some(their_length)) => {
                walks.both += 1;
                walks.lengths[0] += f64::from(length);
                walks.lengths[1] += f64::from(their_length);
            }
            (None, None) => walks.neither += 1,
            _ => walks.one.push(pair.map(|place| *place)),
        }
    }
    walks
}

/// Checks that the ground of each area differs by a hundredth at most between ours and theirs, as ours have
/// other corners within the same error (docs/deviations.md, fewest-edges), and that ours are no more
/// polygons, but for two.
fn assert_ground(what: &str, tiles: &[Tile], theirs: &Theirs, cell_size: f64) {
    let mut ground: BTreeMap<u8, [f64; 2]> = BTreeMap::new();
    for (_, square_metres, area) in &theirs.polygons {
        ground.entry(*area).or_default()[1] += square_metres;
    }
    let polygons = tiles.iter().flat_map(|tile| tile.polygons().iter().map(move |polygon| (tile, polygon)));
    let fixed = cell_size / f64::from(FIXED_ONE);
    let mut count = 0;
    for (tile, polygon) in polygons {
        let corners = tile.polygon_edges(polygon).iter().map(|edge| {
            let [x, _, z] = tile.vertices()[edge.vertex as usize];
            [x, z]
        });
        let doubled = polygon_area2(corners).unsigned_abs() as f64;
        ground.entry(polygon.area).or_default()[0] += doubled / 2.0 * fixed * fixed;
        count += 1;
    }
    let their_count = theirs.polygons.len();
    eprintln!("{what}: {count} polygons, and {their_count}; {ground:?}");
    for (area, [ours, theirs]) in ground {
        assert!((ours / theirs - 1.0).abs() < 0.01, "{what}: area {area}: {ours} m2, and {theirs} m2");
    }
    assert!(count <= their_count + 2, "{what}: {count} polygons, and {their_count}");
}

/// The layers of a set, packed by us.
fn packed_again(set: &tset::LayerSet) -> Vec<u8> {
    let layers = set.layers.iter().map(|cached| {
        let layer = tset::StoredLayer::new(*cached.layer.header(), &cached.layer.cells().unwrap()).unwrap();
        tset::CachedLayer { layer, ..*cached }
    });
    tset::write(&tset::LayerSet { layers: layers.collect(), ..set.clone() }).unwrap()
}

#[test]
fn caches_of_the_library_come_out_as_its_own_meshes() {
    let program = program();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for cut in cuts() {
        let what = format!("{} in tiles of {}", cut.name, cut.side);
        let [from, to] = ["txt", "made.tset"].map(|end| folder.join(format!("level.{end}")));
        let box_of_area = [[12.0, -5.0, 2.0], [20.0, 5.0, 9.0]];
        std::fs::write(&from, tile_cache::text(&cut.level, cut.cell_size, cut.side, box_of_area)).unwrap();
        run(&program, "make", &from, &to);
        let bytes = std::fs::read(&to).unwrap();
        let set = tset::read(&bytes).unwrap();
        assert_eq!(tset::write(&set).unwrap(), bytes, "{what}");
        let theirs_built = theirs(&program, &bytes, "made");
        assert_eq!(theirs(&program, &packed_again(&set), "again").bytes, theirs_built.bytes, "{what}");

        let imported = tilecache::detour_layers::import(&set).unwrap();
        assert_eq!(imported.diagnostics, [], "{what}");
        assert!(imported.largest_error.iter().all(|&metres| metres < 1e-5), "{what}");
        assert_ground(&what, &imported.tiles, &theirs_built, f64::from(cut.cell_size));
        let mut ours = NavMesh::new([0.0; 3]).unwrap();
        imported.tiles.into_iter().for_each(|tile| ours.add_tile(tile).unwrap());
        let walks = walks(&ours, &theirs_built);
        eprintln!("{what}: {walks:?}");
        assert!(walks.one.is_empty(), "{what}: {:?}", walks.one);
        assert!(walks.both >= 200 && walks.neither >= 200, "{what}: {walks:?}");
        let [ours, theirs] = walks.lengths;
        // Our search finds shorter paths over the same polygons.
        assert!((0.95..1.005).contains(&(ours / theirs)), "{what}: {ours} m, and {theirs} m");
    }
}
