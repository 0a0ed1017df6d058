//! What the file says about its own bake. Names, paths and times stay out: they would change the bytes.

use navmath::Hasher;
use navtile::{AgentMeta, AreaMeta, Meta, SettingsMeta};
use recast::{AreaDefinition, AreaId, OffMeshConnection, Partition, PreparedLevel, Settings, Shape, Volume};
use std::collections::BTreeSet;

/// The metadata of a solo bake.
pub(super) fn of(prepared: &PreparedLevel) -> Meta {
    let settings = &prepared.config.settings;
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
        areas: areas(prepared),
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
fn marks_digest(settings: &Settings) -> [u8; 16] {
    if settings.volumes.is_empty() && settings.off_mesh_connections.is_empty() {
        return [0; 16];
    }
    let mut hasher = Hasher::new();
    settings.volumes.iter().for_each(|volume| write_volume(&mut hasher, volume));
    for connection in &settings.off_mesh_connections {
        let OffMeshConnection { start, end, radius, both_ways, area, flags, user_id } = connection;
        hasher.write_u8s(b"connection").write_f64s(start).write_f64s(end).write_f64s(&[*radius]);
        hasher.write_u8s(&[u8::from(*both_ways), area.0]);
        hasher.write_u32s(&[flags.unwrap_or_else(|| settings.area(*area).flags)]).write_u64s(&[*user_id]);
    }
    hasher.finish().0
}

fn write_volume(hasher: &mut Hasher, Volume { shape, area }: &Volume) {
    match shape {
        Shape::Box { min, max } => hasher.write_u8s(b"box").write_f64s(min).write_f64s(max),
        Shape::RotatedBox { centre, half_extents, yaw } => {
            hasher.write_u8s(b"rotated_box").write_f64s(centre).write_f64s(half_extents).write_f64s(&[*yaw])
        }
        Shape::Prism { outline, bottom, top } => {
            hasher.write_u8s(b"prism").write_f64s(outline.as_flattened()).write_f64s(&[*bottom, *top])
        }
        Shape::Cylinder { base, radius, height } => {
            hasher.write_u8s(b"cylinder").write_f64s(base).write_f64s(&[*radius, *height])
        }
        Shape::Capsule { a, b, radius } => {
            hasher.write_u8s(b"capsule").write_f64s(a).write_f64s(b).write_f64s(&[*radius])
        }
    };
    hasher.write_u8s(&[area.0]);
}

fn area(area: &AreaDefinition) -> AreaMeta {
    AreaMeta { id: area.id.0, name: area.name.clone(), flags: area.flags, cost: area.cost }
}
