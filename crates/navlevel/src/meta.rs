//! Converts the settings that a bake used to the metadata of a file, and back. Names, paths and times are
//! left out, because they would change the bytes.

use navmath::{Digest, Hasher};
use navtile::{AgentMeta, AreaMeta, Meta, SettingsMeta};
use recast::PreparedLevel;
use recast::settings::{AreaDefinition, AreaId, Outlines, Partition, SETTINGS, Settings};
use std::collections::BTreeSet;

/// The metadata of a bake in tiles of `tile_cells` cells, 0 for one tile. `reachable_from` is the point from
/// which everything kept can be reached.
pub fn meta(prepared: &PreparedLevel, tile_cells: u32, reachable_from: Option<[f64; 3]>) -> Meta {
    meta_of(prepared, &prepared.areas(), prepared.geometry_digest(), tile_cells, reachable_from)
}

/// Like [`meta()`], for a level whose triangles are stored elsewhere: takes the areas that they ask for, and
/// the digest of all of them.
pub fn meta_of(
    prepared: &PreparedLevel,
    areas: &[AreaId],
    geometry: Digest,
    tile_cells: u32,
    reachable_from: Option<[f64; 3]>,
) -> Meta {
    let settings = &prepared.config.settings;
    let mut ids: BTreeSet<AreaId> = settings.areas.iter().map(|area| area.id).collect();
    ids.extend(areas);
    ids.extend(settings.volumes.iter().map(|volume| volume.area));
    ids.extend(settings.off_mesh_connections.iter().map(|connection| connection.area));
    ids.extend(settings.links.iter().map(|profile| profile.area));
    Meta {
        agent: agent_meta(settings),
        settings: SettingsMeta { reachable_from, ..settings_meta(settings) },
        origin: prepared.lattice.origin,
        cell: [settings.cell_size, settings.cell_height],
        tile_cells,
        geometry_digest: geometry.0,
        // Ids without a definition behave as ground.
        areas: ids
            .into_iter()
            .filter(|id| id.is_walkable())
            .map(|id| area_meta(&settings.area(id)))
            .collect(),
    }
}

/// The agent that a bake is for.
pub fn agent_meta(settings: &Settings) -> AgentMeta {
    AgentMeta {
        radius: settings.agent_radius,
        height: settings.agent_height,
        climb: settings.agent_climb,
        slope: settings.agent_slope,
    }
}

/// An area in the form that a file holds.
pub fn area_meta(area: &AreaDefinition) -> AreaMeta {
    AreaMeta {
        id: area.id.0,
        name: area.name.clone(),
        flags: area.flags,
        cost: area.cost,
        colour: area.colour,
    }
}

/// Digest of the volumes, off-mesh connections and profiles of links, in their order; all zeros if there are
/// no such items.
pub fn marks_digest(settings: &Settings) -> [u8; 16] {
    if settings.volumes.is_empty() && settings.off_mesh_connections.is_empty() && settings.links.is_empty() {
        return [0; 16];
    }
    let mut hasher = Hasher::new();
    settings.volumes.iter().for_each(|volume| volume.write(&mut hasher));
    settings.off_mesh_connections.iter().for_each(|connection| connection.write(&mut hasher));
    settings.links.iter().for_each(|profile| profile.write(&mut hasher));
    hasher.finish().0
}

/// The settings that a bake works with; missing ones are derived from the cell.
fn settings_meta(settings: &Settings) -> SettingsMeta {
    let mut derived = settings.clone();
    for setting in &SETTINGS {
        // Given values are stated unchanged: only the bake needs to know how they round to cells.
        let used = match setting.cells {
            Some(_) => setting.value(settings),
            None => setting.used(settings).map(|used| used.value),
        };
        if let Some(value) = used {
            (setting.set)(&mut derived, value);
        }
    }
    SettingsMeta {
        partition: derived.partition as u8,
        max_vertices: derived.max_vertices,
        region_min_area: derived.region_min_area.unwrap_or_default(),
        region_merge_area: derived.region_merge_area.unwrap_or_default(),
        max_edge_length: derived.max_edge_length,
        contour_max_error: derived.contour_max_error.unwrap_or_default(),
        detail_sample_distance: derived.detail_sample_distance.unwrap_or_default(),
        detail_max_error: derived.detail_max_error.unwrap_or_default(),
        split_walls: derived.split_walls,
        split_areas: derived.split_areas,
        median_filter: derived.median_filter,
        // More than fit 32 bits could not have been held in memory.
        volumes: settings.volumes.len() as u32,
        off_mesh_connections: settings.off_mesh_connections.len() as u32,
        marks_digest: marks_digest(settings),
        reachable_from: None,
        outlines: derived.outlines as u8,
    }
}

/// The settings that a file states, so that the table of settings can show them. Volumes, connections, bounds
/// and the memory bound are not in a file, so they have their default values.
pub fn settings_of(meta: &Meta) -> Settings {
    let SettingsMeta { partition, max_vertices, max_edge_length, .. } = meta.settings;
    let SettingsMeta { split_walls, split_areas, median_filter, .. } = meta.settings;
    Settings {
        cell_size: meta.cell[0],
        cell_height: meta.cell[1],
        partition: Partition::NAMES
            .get(usize::from(partition))
            .map_or_else(Partition::default, |known| known.1),
        outlines: Outlines::NAMES
            .get(usize::from(meta.settings.outlines))
            .map_or_else(Outlines::default, |known| known.1),
        max_vertices,
        agent_radius: meta.agent.radius,
        agent_height: meta.agent.height,
        agent_climb: meta.agent.climb,
        agent_slope: meta.agent.slope,
        region_min_area: Some(meta.settings.region_min_area),
        region_merge_area: Some(meta.settings.region_merge_area),
        max_edge_length,
        contour_max_error: Some(meta.settings.contour_max_error),
        split_walls,
        split_areas,
        detail_sample_distance: Some(meta.settings.detail_sample_distance),
        detail_max_error: Some(meta.settings.detail_max_error),
        median_filter,
        areas: meta
            .areas
            .iter()
            .map(|area| AreaDefinition {
                id: AreaId(area.id),
                name: area.name.clone(),
                flags: area.flags,
                cost: area.cost,
                colour: area.colour,
                ..AreaDefinition::ground()
            })
            .collect(),
        ..Settings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_states_what_the_bake_used() {
        let settings = Settings::default();
        let stated = settings_meta(&settings);
        let config = settings.validate().unwrap();
        assert_eq!(stated.detail_sample_distance, f64::from(config.detail_sample_distance));
        assert_eq!(stated.detail_max_error as f32, config.detail_max_error);
        assert_eq!((stated.region_min_area, stated.region_merge_area), (5.76, 36.0));
        let none = Settings { detail_sample_distance: Some(0.2), ..settings };
        assert_eq!(settings_meta(&none).detail_sample_distance, 0.0, "no samples");
    }

    #[test]
    fn a_file_bakes_again_as_it_was_baked() {
        let settings = Settings { cell_size: 0.37, region_min_area: Some(5.0), ..Settings::default() };
        let meta = Meta {
            agent: agent_meta(&settings),
            settings: settings_meta(&settings),
            origin: [0.0; 3],
            cell: [settings.cell_size, settings.cell_height],
            tile_cells: 0,
            geometry_digest: [0; 16],
            areas: settings.areas.iter().map(area_meta).collect(),
        };
        let back = settings_of(&meta);
        let (ours, theirs) = (settings.validate().unwrap(), back.validate().unwrap());
        assert_eq!(recast::Config { settings: ours.settings.clone(), ..theirs }, ours);
        for setting in SETTINGS.iter().filter(|setting| setting.shapes_tiles) {
            assert_eq!(setting.used(&back), setting.used(&settings), "{}", setting.path);
        }
    }
}
