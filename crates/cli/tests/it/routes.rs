//! The whole chain on every scene: bake, load, find the routes that the scene promises, and no others.

use detour::Query;
use navtile_benches::{bake, golden_digest, mesh, route, route_digest, tile_digest};
use recast::{PreparedLevel, Scratch, Silent, bake_solo};
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
    let parts = navinput::into_parts(&obj.into(), &file.mappings, &file.input).unwrap();
    let level = PreparedLevel::from_parts(&parts, &file.settings).unwrap();
    let baked = bake_solo(&level, &Silent, &mut Scratch::new()).unwrap();
    let scene = navscenes::all().iter().find(|scene| scene.name == "courtyard").unwrap();
    assert_eq!(tile_digest(&baked), tile_digest(&bake(scene).unwrap()));
}
