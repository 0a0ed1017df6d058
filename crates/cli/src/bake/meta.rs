//! What the file says about its own bake. Names, paths and times stay out: they would change the bytes.

use navmath::Hasher;
use navtile::{AgentMeta, AreaMeta, Meta, SettingsMeta};
use recast::{AreaDefinition, AreaId, Partition, PreparedLevel, Settings};
use std::collections::BTreeSet;

/// The metadata of a bake in tiles of `tile_cells` cells, 0 for one.
pub(crate) fn of(prepared: &PreparedLevel, tile_cells: u32, reachable_from: Option<[f64; 3]>) -> Meta {
    let settings = &prepared.config.settings;
    Meta {
        agent: agent(settings),
        settings: SettingsMeta { reachable_from, ..world_units(settings) },
        origin: prepared.lattice.origin,
        cell: [settings.cell_size, settings.cell_height],
        tile_cells,
        geometry_digest: prepared.geometry_digest().0,
        areas: areas(prepared),
    }
}

/// The agent that a bake is for.
pub(crate) fn agent(settings: &Settings) -> AgentMeta {
    AgentMeta {
        radius: settings.agent_radius,
        height: settings.agent_height,
        climb: settings.agent_climb,
        slope: settings.agent_slope,
    }
}

/// The areas that are defined, and those that something has without a definition: they behave as ground.
fn areas(prepared: &PreparedLevel) -> Vec<AreaMeta> {
    let settings = &prepared.config.settings;
    let mut ids: BTreeSet<AreaId> = settings.areas.iter().map(|area| area.id).collect();
    ids.extend(prepared.areas());
    ids.extend(settings.volumes.iter().map(|volume| volume.area));
    ids.extend(settings.off_mesh_connections.iter().map(|connection| connection.area));
    ids.into_iter().filter(|id| id.is_walkable()).map(|id| area(&settings.area(id))).collect()
}

/// Settings with what derives from the cell filled in.
fn world_units(settings: &Settings) -> SettingsMeta {
    let square = |cells: f64| (cells * settings.cell_size).powi(2);
    SettingsMeta {
        partition: match settings.partition {
            Partition::Watershed => 0,
            Partition::Monotone => 1,
            Partition::Layers => 2,
        },
        max_vertices: settings.max_vertices,
        region_min_area: settings.region_min_area.unwrap_or(square(8.0)),
        region_merge_area: settings.region_merge_area.unwrap_or(square(20.0)),
        max_edge_length: settings.max_edge_length,
        contour_max_error: settings.contour_max_error.unwrap_or(1.3 * settings.cell_size),
        detail_sample_distance: settings.detail_sample_distance.unwrap_or(6.0 * settings.cell_size),
        detail_max_error: settings.detail_max_error.unwrap_or(settings.cell_height),
        split_walls: settings.split_walls,
        split_areas: settings.split_areas,
        median_filter: settings.median_filter,
        // More than fit 32 bits could not have been held in memory.
        volumes: settings.volumes.len() as u32,
        off_mesh_connections: settings.off_mesh_connections.len() as u32,
        marks_digest: marks_digest(settings),
        reachable_from: None,
    }
}

/// Digest of the volumes and off-mesh connections, in their order; zeros if there are none.
pub(crate) fn marks_digest(settings: &Settings) -> [u8; 16] {
    if settings.volumes.is_empty() && settings.off_mesh_connections.is_empty() {
        return [0; 16];
    }
    let mut hasher = Hasher::new();
    settings.volumes.iter().for_each(|volume| volume.write(&mut hasher));
    settings.off_mesh_connections.iter().for_each(|connection| connection.write(&mut hasher));
    hasher.finish().0
}

/// An area as the file has it.
pub(crate) fn area(area: &AreaDefinition) -> AreaMeta {
    AreaMeta { id: area.id.0, name: area.name.clone(), flags: area.flags, cost: area.cost }
}
