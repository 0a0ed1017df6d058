//! Off-mesh connections that no path can use, because one of their ends is not on the mesh.

use crate::warning::Warning;
use detour::{Filter, NavMesh, Query, Vec3};
use recast::{OffMeshConnection, PreparedLevel};

/// A warning for each end of a connection that no polygon of the mesh lies near. `mesh` makes the mesh if it is needed; without
/// one nothing is said.
pub fn warnings(level: &PreparedLevel, mesh: impl FnOnce() -> Option<NavMesh>) -> Vec<Warning> {
    let settings = &level.config.settings;
    let connections = &settings.off_mesh_connections;
    if connections.is_empty() {
        return Vec::new();
    }
    let Some(mesh) = mesh() else { return Vec::new() };
    let mut query = Query::new();
    let mut warnings = Vec::new();
    for (index, connection) in connections.iter().enumerate() {
        for (verb, end) in [("starts", connection.start), ("ends", connection.end)] {
            if is_on_mesh(&mesh, &mut query, connection, end, settings.agent_climb) {
                continue;
            }
            let message = format!(
                "off-mesh connection {} of {} {verb} where there is no mesh within its radius of {} m and one climb: no \
                 path uses it; move that end, or raise the radius",
                index + 1,
                connections.len(),
                connection.radius
            );
            warnings.push(Warning { place: Some(end), ..Warning::plain("off_mesh", message) });
        }
    }
    warnings
}

/// Whether the runtime joins an end of a connection to the mesh.
fn is_on_mesh(
    mesh: &NavMesh,
    query: &mut Query,
    connection: &OffMeshConnection,
    end: [f64; 3],
    climb: f64,
) -> bool {
    let radius = connection.radius as f32;
    let everything = Filter::default().with_include(u32::MAX);
    // A climb of 0 still leaves the height of a cell.
    let reach = Vec3::new(radius, (climb as f32).max(0.01), radius);
    let nearest = query.nearest(mesh, mesh.from_world(end), reach, &everything);
    nearest.is_ok_and(|nearest| nearest.horizontal_distance <= radius * 1.001)
}
