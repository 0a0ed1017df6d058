//! What the file of a map says about its own bake.

use crate::bake::meta::{agent, area, marks_digest};
use navmath::Hasher;
use navtile::{Meta, SettingsMeta, Tile};
use recast::{AreaDefinition, Settings};

/// The metadata of a map in tiles of `tile_cells` cells, 0 for one a layer.
pub(super) fn of(settings: &Settings, tiles: &[Tile], areas: &[AreaDefinition], tile_cells: u32) -> Meta {
    let lattice = tiles.first().map(Tile::lattice);
    let mut digest = Hasher::new();
    tiles.iter().for_each(|tile| {
        digest.write_u8s(tile.bytes());
    });
    Meta {
        agent: agent(settings),
        settings: SettingsMeta {
            max_vertices: settings.max_vertices,
            // More than fit 32 bits could not have been held in memory.
            off_mesh_connections: settings.off_mesh_connections.len() as u32,
            marks_digest: marks_digest(settings),
            ..SettingsMeta::default()
        },
        origin: [0.0; 3],
        cell: lattice.map_or([1.0; 2], |lattice| [lattice.cell_size, lattice.cell_height]),
        tile_cells,
        geometry_digest: digest.finish().0,
        areas: areas.iter().map(area).collect(),
    }
}
