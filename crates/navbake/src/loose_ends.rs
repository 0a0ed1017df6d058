//! Off-mesh connections that no path can use, because one of their ends is not on the mesh.

use crate::warning::Warning;
use detour::{Filter, NavMesh, Query, Vec3};
use recast::PreparedLevel;

/// A warning for each end of a connection without a polygon of the mesh near it. `mesh` makes the mesh if it
/// is needed; without a mesh there are no warnings.
pub fn warnings(level: &PreparedLevel, mesh: impl FnOnce() -> Option<NavMesh>) -> Vec<Warning> {
    warnings_of(&ends(level), level.config.settings.agent_climb, mesh)
}

/// The ends of an off-mesh connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkEnds {
    /// Its start, world metres.
    pub start: [f64; 3],
    /// Its end, world metres.
    pub end: [f64; 3],
    /// The largest distance from its ends to the mesh, metres.
    pub radius: f64,
}

/// The ends of a level's off-mesh connections, in their order.
pub fn ends(level: &PreparedLevel) -> Vec<LinkEnds> {
    let connections = level.config.settings.off_mesh_connections.iter();
    connections.map(|c| LinkEnds { start: c.start, end: c.end, radius: c.radius }).collect()
}

/// Like [`warnings`], for connections with these ends; `climb` is the agent's climb, metres.
pub fn warnings_of(
    connections: &[LinkEnds],
    climb: f64,
    mesh: impl FnOnce() -> Option<NavMesh>,
) -> Vec<Warning> {
    if connections.is_empty() {
        return Vec::new();
    }
    let Some(mesh) = mesh() else { return Vec::new() };
    let mut query = Query::new();
    let mut warnings = Vec::new();
    for (index, connection) in connections.iter().enumerate() {
        for (verb, end) in [("starts", connection.start), ("ends", connection.end)] {
            if is_on_mesh(&mesh, &mut query, connection, end, climb) {
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

/// Returns true if the runtime joins an end of a connection to the mesh.
fn is_on_mesh(mesh: &NavMesh, query: &mut Query, connection: &LinkEnds, end: [f64; 3], climb: f64) -> bool {
    let radius = connection.radius as f32;
    let everything = Filter::default().with_include(u32::MAX);
    // With a climb of 0, the height of a cell remains.
    let reach = Vec3::new(radius, (climb as f32).max(0.01), radius);
    let nearest = query.nearest(mesh, mesh.from_world(end), reach, &everything);
    nearest.is_ok_and(|nearest| nearest.horizontal_distance <= radius * 1.001)
}
