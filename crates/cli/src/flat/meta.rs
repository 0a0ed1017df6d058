//! What the file of a map says about its own bake.

use navmath::Hasher;
use navtile::{AgentMeta, AreaMeta, Meta, SettingsMeta, Tile};
use recast::{AreaDefinition, Settings};

/// The metadata of a map in tiles of `tile_cells` cells, 0 for one a layer.
pub(super) fn of(settings: &Settings, tiles: &[Tile], areas: &[AreaDefinition], tile_cells: u32) -> Meta {
    let lattice = tiles.first().map(Tile::lattice);
    let mut digest = Hasher::new();
    tiles.iter().for_each(|tile| {
        digest.write_u8s(tile.bytes());
    });
    let area = |area: &AreaDefinition| AreaMeta {
        id: area.id.0,
        name: area.name.clone(),
        flags: area.flags,
        cost: area.cost,
    };
    Meta {
        agent: AgentMeta {
            radius: settings.agent_radius,
            height: settings.agent_height,
            climb: settings.agent_climb,
            slope: settings.agent_slope,
        },
        settings: SettingsMeta {
            partition: 0,
            max_vertices: settings.max_vertices,
            region_min_area: 0.0,
            region_merge_area: 0.0,
            max_edge_length: 0.0,
            contour_max_error: 0.0,
            detail_sample_distance: 0.0,
            detail_max_error: 0.0,
            split_walls: false,
            split_areas: false,
            median_filter: false,
            volumes: 0,
            // More than fit 32 bits could not have been held in memory.
            off_mesh_connections: settings.off_mesh_connections.len() as u32,
            marks_digest: marks_digest(settings),
            reachable_from: None,
        },
        origin: [0.0; 3],
        cell: lattice.map_or([1.0; 2], |lattice| [lattice.cell_size, lattice.cell_height]),
        tile_cells,
        geometry_digest: digest.finish().0,
        areas: areas.iter().map(area).collect(),
    }
}

/// Digest of the off-mesh connections, in their order; zeros if there are none.
fn marks_digest(settings: &Settings) -> [u8; 16] {
    if settings.off_mesh_connections.is_empty() {
        return [0; 16];
    }
    let mut hasher = Hasher::new();
    settings.off_mesh_connections.iter().for_each(|connection| connection.write(&mut hasher));
    hasher.finish().0
}
