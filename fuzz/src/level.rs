//! Takes levels that were read through the bake: names, prepares and bakes them on a small grid, then queries
//! them.

use crate::memory::bounded;
use crate::questions::{ask_everything, mesh_of};
use navinput::{InputSettings, SourceLevel, into_meshes};
use recast::{InstancedMesh, PreparedLevel, Scratch, Settings, Silent, bake_solo};

/// Cells on a side of the grid that a level is baked on, at most.
const CELLS: f64 = 24.0;
/// The bake's memory bound, and what it may take with everything around it.
const MEMORY: u64 = 4 << 20;
const MEMORY_AROUND: usize = 24 << 20;
/// Larger levels are read and not baked.
const TRIANGLES: usize = 256;

/// Bakes a level that was read, if it is small.
pub fn bake(level: SourceLevel) {
    let Ok(level) = level.turned(navinput::UpAxis::Y, 1.0) else { return };
    let Ok(meshes) = into_meshes(&level, &[], &InputSettings::default()) else { return };
    let triangles: usize = meshes.iter().map(|mesh| mesh.triangles.len() * mesh.placements.len()).sum();
    let Some(settings) = settings_for(&meshes).filter(|_| triangles <= TRIANGLES) else { return };
    let baked = bounded(MEMORY_AROUND, || {
        let level = PreparedLevel::from_meshes(&meshes, &settings)?;
        bake_solo(&level, &Silent, &mut Scratch::new())
    });
    if let Ok(baked) = baked
        && let Some(mesh) = mesh_of([&baked.tile])
    {
        ask_everything(&mesh, triangles as u64);
    }
}

/// Settings whose grid is small for this level; `None` if it has no extent that a grid could have.
fn settings_for(meshes: &[InstancedMesh]) -> Option<Settings> {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for mesh in meshes {
        for place in &mesh.placements {
            for vertex in mesh.vertices.iter().map(|vertex| place.apply(*vertex)) {
                for (axis, value) in vertex.into_iter().enumerate() {
                    (min[axis], max[axis]) = (min[axis].min(value), max[axis].max(value));
                }
            }
        }
    }
    let wide = (max[0] - min[0]).max(max[2] - min[2]);
    let cell_size = (wide / CELLS).max(0.1);
    let cell_height = ((max[1] - min[1]) / 1000.0).max(cell_size / 2.0);
    let measures = Settings {
        cell_size,
        cell_height,
        agent_radius: cell_size,
        agent_height: 4.0 * cell_height,
        agent_climb: 2.0 * cell_height,
        max_edge_length: 12.0 * cell_size,
        memory_bound: MEMORY,
        ..Settings::default()
    };
    wide.is_finite().then_some(measures)
}
