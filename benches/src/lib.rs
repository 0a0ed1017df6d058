//! Shared by benches and whole-chain tests: baked scenes, their golden hashes, their routes.

#![forbid(unsafe_code)]

pub mod digests;
pub mod questions;

use detour::{Filter, NavMesh, Query, Route, RouteError, RouteOptions};
use navmath::{Digest, Hasher};
use navscenes::Scene;
use recast::{Baked, PreparedLevel, Scratch, Silent, bake_solo};
use std::error::Error;
use std::path::PathBuf;

/// A scene, checked and on its lattice.
pub fn prepare(scene: &Scene) -> Result<PreparedLevel, recast::Error> {
    PreparedLevel::new(&(scene.level)(), &(scene.settings)())
}

/// A scene, baked as one tile.
pub fn bake(scene: &Scene) -> Result<Baked, recast::Error> {
    bake_solo(&prepare(scene)?, &Silent, &mut Scratch::new())
}

/// A scene as a mesh to ask for paths.
pub fn mesh(scene: &Scene) -> Result<NavMesh, Box<dyn Error>> {
    let mut mesh = NavMesh::default();
    mesh.add_tile(bake(scene)?.tile)?;
    Ok(mesh)
}

/// The hash of a baked tile, in the form that the scene's golden file uses.
pub fn tile_digest(baked: &Baked) -> Digest {
    Hasher::new().write_u8s(baked.tile.bytes()).finish()
}

/// The hash that a scene's tile must have, as recorded in assets/golden/SCENE/emit.hash.
pub fn golden_digest(scene: &Scene) -> std::io::Result<String> {
    let path = assets().join("golden").join(scene.name).join("emit.hash");
    Ok(std::fs::read_to_string(path)?.trim_end().to_owned())
}

/// The folder of the levels.
pub fn assets() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../assets")
}

/// Finds the path between two places of a scene. `None` if the scene has no place of either name.
pub fn route(
    query: &mut Query,
    mesh: &NavMesh,
    scene: &Scene,
    from: &str,
    to: &str,
) -> Option<Result<Route, RouteError>> {
    let at = |name: &str| Some(mesh.from_world(scene.place(name)?.position));
    Some(query.route(mesh, at(from)?, at(to)?, &Filter::default(), &RouteOptions::default()))
}

/// A hash of everything in a route except its timings.
pub fn route_digest(route: &Route) -> Digest {
    let mut hasher = Hasher::new();
    for point in &route.points {
        hasher.write_f32s(&point.to_array());
    }
    let polygons: Vec<u64> = route.polygons.iter().map(|polygon| polygon.to_bits()).collect();
    hasher.write_u64s(&polygons).write_f64s(&[route.cost]).finish()
}
