//! The whole chain on every scene: bake, load, and find exactly the routes that the scene promises.

use detour::{Filter, NavMesh, Query, RouteOptions};
use navlevel::bake_tiles;
use navtile_benches::{bake, golden_digest, mesh, route, route_digest, tile_digest};
use recast::{Level, Partition, PreparedLevel, Scratch, Settings, Silent, bake_solo};
use std::path::Path;

#[test]
fn scenes_have_the_routes_they_promise() {
    for scene in navscenes::all() {
        let mesh = mesh(scene).unwrap();
        let mut query = Query::new();
        for promised in scene.routes {
            let found = route(&mut query, &mesh, scene, promised.from, promised.to).unwrap();
            let found = found.unwrap_or_else(|error| panic!("{}: {promised:?}: {error}", scene.name));
            let arrived = found.reason().is_none();
            assert_eq!(arrived, promised.possible, "{}: {promised:?}: {:?}", scene.name, found.status);
            let again = route(&mut query, &mesh, scene, promised.from, promised.to).unwrap().unwrap();
            assert_eq!(route_digest(&again), route_digest(&found), "{}: {promised:?}", scene.name);
        }
    }
}

#[test]
fn tiles_have_their_golden_hash() {
    for scene in navscenes::all() {
        let digest = tile_digest(&bake(scene).unwrap()).to_string();
        assert_eq!(digest, golden_digest(scene).unwrap(), "{}: see `cargo xtask golden`", scene.name);
    }
}

#[test]
fn the_courtyard_in_its_files_is_the_scene() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let read = |name: &str| std::fs::read(assets.join(name)).unwrap();
    let obj = navinput::read_obj(&read("courtyard.obj")).unwrap();
    let text = String::from_utf8(read("courtyard.toml")).unwrap();
    let file = navinput::read_settings(&text).unwrap();
    let parts = navinput::into_meshes(&obj.into(), &file.mappings, &file.input).unwrap();
    let level = PreparedLevel::from_meshes(&parts, &file.settings).unwrap();
    let baked = bake_solo(&level, &Silent, &mut Scratch::new()).unwrap();
    let scene = navscenes::all().iter().find(|scene| scene.name == "courtyard").unwrap();
    assert_eq!(tile_digest(&baked), tile_digest(&bake(scene).unwrap()));
}

/// Two rooms and a corridor of 1.2 m between them: two cells wide once the agent's radius is kept on both
/// sides.
fn rooms_and_corridor() -> Level {
    let mut level = Level::default();
    for [[x0, x1], [z0, z1]] in
        [[[0.0, 8.0], [0.0, 8.0]], [[3.15, 4.35], [8.0, 28.0]], [[0.0, 8.0], [28.0, 36.0]]]
    {
        let first = level.vertices.len() as u32;
        level.vertices.extend([[x0, 0.0, z0], [x0, 0.0, z1], [x1, 0.0, z1], [x1, 0.0, z0]]);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    level
}

/// Tiles of 20 cells hold nothing but a piece of the corridor.
#[test]
fn a_corridor_of_two_cells_leads_through_tiles_of_any_size_and_partition() {
    for (name, partition) in Partition::NAMES {
        let settings = Settings { partition, agent_radius: 0.3, ..Settings::default() };
        let level = PreparedLevel::new(&rooms_and_corridor(), &settings).unwrap();
        // One piece, then tiles.
        for tile_cells in [0, 8, 10, 16, 20, 25, 30, 48, 67] {
            let baked = match tile_cells {
                0 => vec![bake_solo(&level, &Silent, &mut Scratch::new()).unwrap()],
                cells => bake_tiles(&level, cells, &Silent).unwrap(),
            };
            let mut mesh = NavMesh::default();
            baked.into_iter().for_each(|baked| mesh.add_tile(baked.tile).map(drop).unwrap());
            assert_eq!(mesh.islands().list().len(), 1, "{name}, tiles of {tile_cells}");
            let [from, to] = [[4.0, 0.0, 4.0], [4.0, 0.0, 32.0]].map(|place| mesh.from_world(place));
            let (filter, options) = (Filter::default(), RouteOptions::default());
            let route = Query::new().route(&mesh, from, to, &filter, &options).unwrap();
            assert!(route.reason().is_none(), "{name}, tiles of {tile_cells}: {:?}", route.status);
        }
    }
}
