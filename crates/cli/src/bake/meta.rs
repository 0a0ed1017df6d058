//! What the file says about its own bake. Names, paths and times stay out: they would change the bytes.

use navtile::{AgentMeta, AreaMeta, Meta, SettingsMeta};
use recast::{AreaDefinition, Partition, PreparedLevel, Settings};

/// The metadata of a solo bake.
pub(super) fn of(prepared: &PreparedLevel) -> Meta {
    let settings = &prepared.config.settings;
    let mut areas: Vec<AreaMeta> = settings.areas.iter().map(area).collect();
    areas.sort_by_key(|area| area.id);
    Meta {
        agent: AgentMeta {
            radius: settings.agent_radius,
            height: settings.agent_height,
            climb: settings.agent_climb,
            slope: settings.agent_slope,
        },
        settings: world_units(settings),
        origin: prepared.lattice.origin,
        cell: [settings.cell_size, settings.cell_height],
        tile_cells: 0,
        geometry_digest: prepared.geometry_digest().0,
        areas,
    }
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
    }
}

fn area(area: &AreaDefinition) -> AreaMeta {
    AreaMeta { id: area.id.0, name: area.name.clone(), flags: area.flags, cost: area.cost }
}
