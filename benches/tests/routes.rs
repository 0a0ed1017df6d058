//! The whole chain on every scene: bake, load, find the routes that the scene promises, and no others.

use detour::Query;
use navtile_benches::{bake, golden_digest, mesh, route, route_digest, tile_digest};

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
