//! Named digests of everything that belongs to a scene: they must be the same on every platform, in debug and
//! release, for any number of threads. Scenes and rooms at odd angles are also baked with exact outlines.

use crate::{prepare, questions, route, route_digest, tile_digest};
use crowd::{AgentParams, Crowd, CrowdSettings};
use crowdlab::trial::{Trial, random_walks};
use detour::{Filter, Ground, NavMesh, Query};
use hierarchy::{FarPlace, FarPlanner, Hierarchy, HierarchySettings};
use navlevel::{Body, Effect, Obstacle};
use navmath::{Digest, Hasher};
use navscenes::Scene;
use navscenes::flat::FlatScene;
use navscenes::random::SplitMix64;
use navscenes::rooms::{Border, Rooms, Shape};
use navtile::{Tile, TileCoord};
use rayon::prelude::*;
use recast::{
    AreaId, Level, Outlines, PreparedLevel, Scratch, Settings, Silent, Snapshot, StageId, StageResults,
    TileBuild, Transform, bake_solo, bake_tapped, bake_tile, level_bounds,
};
use std::error::Error;
use std::io::Cursor;
use tilecache::{TileCache, bake_dynamic};

/// Side of a tile in the tiled bakes, cells: small, so that even small scenes have seams.
const TILE_CELLS: u32 = 48;
/// Tiles along a side of a map, about.
const MAP_TILES: f64 = 4.0;
/// Agents of the crowd that walks over a scene; fewer if there is no room for more.
const AGENTS: usize = 100;
/// Number of steps that the crowd walks.
const STEPS: u32 = 300;
/// Turn of the rooms, degrees: no side is along the cells.
const TURN: f64 = 33.0;
/// Turn of the crates in a world that changes, degrees.
const CRATE_TURN: f64 = 30.0;
/// Crates along a side of that world.
const CRATES: u32 = 3;
/// Far paths that are planned over a scene.
const PLANS: usize = 32;

/// An error of any kind, which threads can pass on.
type Problem = Box<dyn Error + Send + Sync>;

/// Digests of the bake of a scene: one per stage, one of the tile, one of the tiles of a tiled bake.
pub fn of_bake(scene: &Scene) -> Result<Vec<(String, Digest)>, Problem> {
    let level = prepare(scene)?;
    let mut results = StageResults::default();
    let mut tap = |snapshot: Snapshot<'_>| results.keep(snapshot);
    let baked = bake_tapped(&level, &TileBuild::solo(&level), &Silent, &mut Scratch::new(), &mut tap)?;
    if let Err((stage, broken)) = results.check() {
        return Err(format!("scene {}: {}: {broken}", scene.name, stage.name()).into());
    }
    let hashes = results.hashes().into_iter();
    let mut digests: Vec<_> = hashes.map(|(stage, digest)| (stage.name().to_owned(), digest)).collect();
    digests.push((StageId::Emit.name().to_owned(), tile_digest(&baked)));
    let mut hasher = Hasher::new();
    for tile in tiles(&level)? {
        hasher.write_u8s(tile.bytes());
    }
    digests.push(("tiles".to_owned(), hasher.finish()));
    Ok(digests)
}

/// Rooms that are turned, each with its name.
pub fn turned_rooms() -> Vec<(String, Level)> {
    let shapes =
        [("doorway", Shape::Doorway(1.3)), ("corridor", Shape::Corridor(2.0)), ("pillars", Shape::Pillars)];
    let borders = [("walls", Border::Walls(0.3)), ("ledges", Border::Ledges)];
    let rooms = shapes.into_iter().flat_map(|shape| borders.map(|border| (shape, border)));
    rooms
        .map(|((name, shape), (end, border))| {
            (format!("turned_{name}_{end}"), Rooms::new(shape, border, TURN).level)
        })
        .collect()
}

/// Digests of a level with exact outlines: of its tile, of the tiles of a tiled bake, and of a world of such
/// tiles after turned crates appeared in it.
pub fn of_exact(level: &Level, settings: &Settings) -> Result<Vec<(String, Digest)>, Problem> {
    let settings = Settings { outlines: Outlines::Exact, ..settings.clone() };
    let prepared = PreparedLevel::new(level, &settings)?;
    let baked = bake_solo(&prepared, &Silent, &mut Scratch::new())?;
    let mut hasher = Hasher::new();
    for tile in tiles(&prepared)? {
        hasher.write_u8s(tile.bytes());
    }
    let mut cache = TileCache::open(bake_dynamic(&prepared, TILE_CELLS, &[])?)?;
    // Crates as high as the level, so that they are on every storey.
    let [min, max] = level_bounds(&[level.into()]);
    let effect = Effect::Solid { area: AreaId::GROUND };
    for (column, row) in (0..CRATES).flat_map(|column| (0..CRATES).map(move |row| (column, row))) {
        let along = |axis: usize, crates: u32| {
            min[axis] + (max[axis] - min[axis]) * (f64::from(crates) + 0.5) / f64::from(CRATES)
        };
        let place = Transform::turned(CRATE_TURN, [along(0, column), min[1], along(2, row)]);
        cache.add(&Obstacle { body: Body::cuboid([1.1, max[1] - min[1] + 1.0, 0.7])?, place, effect })?;
    }
    cache.wait()?;
    let world = cache.write(Cursor::new(Vec::new()))?.into_inner();
    Ok(vec![
        ("exact".to_owned(), tile_digest(&baked)),
        ("exact_tiles".to_owned(), hasher.finish()),
        ("exact_world".to_owned(), Hasher::new().write_u8s(&world).finish()),
    ])
}

/// Digests of a map of polygons: its tile, and the tiles of a tiled mesh.
pub fn of_map(scene: &FlatScene) -> Result<Vec<(String, Digest)>, Problem> {
    let (map, settings) = ((scene.map)(), navplane::Settings::default());
    let whole = navplane::bake(&map, &settings)?;
    // Cells as coarse as the map is large, for about `MAP_TILES` tiles along a side.
    let corners = map.outlines.iter().flat_map(|polygon| &polygon.outline);
    let size = corners.flatten().fold(0.0, |size: f64, at| size.max(at.abs()));
    let cells = (size / MAP_TILES / (256.0 * navplane::spacing(&map)?)).ceil() as u32;
    let mut hasher = Hasher::new();
    for tile in navplane::cut(&map, &settings, cells)?.tiles(&settings)? {
        hasher.write_u8s(tile.bytes());
    }
    Ok(vec![
        ("map".to_owned(), Hasher::new().write_u8s(whole.bytes()).finish()),
        ("map_tiles".to_owned(), hasher.finish()),
    ])
}

/// Digests of the runtime's results for a scene: its routes, answers to every query, and a crowd that walks
/// over its tiles.
pub fn of_runtime(scene: &Scene) -> Result<Vec<(String, Digest)>, Problem> {
    let mut mesh = NavMesh::default();
    for tile in tiles(&prepare(scene)?)? {
        mesh.add_tile(tile)?;
    }
    let (mut query, mut hasher) = (Query::new(), Hasher::new());
    for wanted in scene.routes {
        match route(&mut query, &mesh, scene, wanted.from, wanted.to).ok_or("a route names no place")? {
            Ok(found) => hasher.write_u8s(&route_digest(&found).0),
            Err(error) => hasher.write_u8s(error.to_string().as_bytes()),
        };
    }
    Ok(vec![
        ("routes".to_owned(), hasher.finish()),
        ("questions".to_owned(), questions::digest(&mesh)?),
        ("crowd".to_owned(), crowd_digest(&mesh)?),
        ("far".to_owned(), far_digest(&mesh)?),
    ])
}

/// A hierarchy of very small clusters, and plans between random places.
fn far_digest(mesh: &NavMesh) -> Result<Digest, Problem> {
    let settings = HierarchySettings { cluster: 1.0, spacing: 4.0, ..HierarchySettings::default() };
    let hierarchy = Hierarchy::build(mesh, mesh.lattice().ok_or("no tiles")?, TILE_CELLS, &settings)?;
    let mut hasher = Hasher::new();
    hasher.write_u8s(&hierarchy.to_bytes());
    let (mut query, filter, mut planner) = (Query::new(), Filter::default(), FarPlanner::new());
    let (ground, mut random) = (Ground::new(mesh, &filter), SplitMix64::new(13));
    for _ in 0..PLANS {
        let mut place = || query.random_point_on(&ground, || random.between(0.0, 1.0));
        let [start, goal] = [place()?, place()?].map(|place| FarPlace { mesh, place });
        if let Some(plan) = planner.plan(&hierarchy, 0, start, goal)? {
            hasher.write_f64s(&[plan.lower, plan.upper]);
            for stop in planner.stops(&plan) {
                hasher.write_f64s(&stop.point);
            }
        }
    }
    Ok(hasher.finish())
}

/// All tiles of a level, baked on the threads of the current pool, by coordinate.
fn tiles(level: &PreparedLevel) -> Result<Vec<Tile>, Problem> {
    let [width, _, depth] = level.size;
    let [columns, rows] = [width, depth].map(|side| side.div_ceil(TILE_CELLS) as i32);
    let coords: Vec<TileCoord> =
        (0..columns).flat_map(|x| (0..rows).map(move |z| TileCoord { x, z, layer: 0 })).collect();
    let bake = |scratch: &mut Scratch, coord: &TileCoord| {
        let baked = bake_tile(level, TILE_CELLS, *coord, &Silent, scratch);
        baked
            .map(|baked| baked.tile)
            .map_err(|error| format!("tile ({}, {}): {error}", coord.x, coord.z).into())
    };
    coords.par_iter().map_init(Scratch::new, bake).collect()
}

/// All positions of all steps of a crowd between random places, and its bytes at the end.
fn crowd_digest(mesh: &NavMesh) -> Result<Digest, Problem> {
    let filter = Filter::default();
    let params = AgentParams::default();
    let mut random = SplitMix64::new(7);
    let walks = random_walks(mesh, &filter, AGENTS, &params, &mut || random.between(0.0, 1.0));
    let mut trial = Trial::new(Crowd::new(CrowdSettings::default())?, mesh, &filter, &walks)?;
    let mut hasher = Hasher::new();
    for _ in 0..STEPS {
        trial.step(mesh, 1.0 / 60.0)?;
        hasher.write_u64s(&[trial.crowd.hash()]);
    }
    Ok(hasher.write_u8s(&trial.crowd.save()).finish())
}
