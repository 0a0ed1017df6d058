//! The README's example: from the bytes of an OBJ file to a route across the level.

use detour::{Filter, NavMesh, Query, Route, RouteOptions};
use recast::{PreparedLevel, Scratch, Settings, Silent, bake_solo};

/// The route from one place of a level to another, world metres.
pub fn find_route(obj: &[u8], from: [f64; 3], to: [f64; 3]) -> Result<Route, Box<dyn std::error::Error>> {
    let level = navinput::read_obj(obj)?.level;
    let level = PreparedLevel::new(&level, &Settings::default())?;
    let baked = bake_solo(&level, &Silent, &mut Scratch::new())?;

    let mut mesh = NavMesh::default();
    mesh.add_tile(baked.tile)?;
    let (from, to) = (mesh.from_world(from), mesh.from_world(to));
    Ok(Query::new().route(&mesh, from, to, &Filter::default(), &RouteOptions::default())?)
}
