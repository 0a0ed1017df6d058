//! Metadata of an imported file: the values that the tiles have, and zeros for the others.

use super::frame::{Frame, shortest};
use crate::detour::AREA_ZERO;
use crate::detour::{DetourTile, MAX_CORNERS};
use navtile::meta::{AgentMeta, AreaMeta, Meta, SettingsMeta};
use navtile::tile::Tile;
use std::collections::BTreeMap;

/// Metadata without areas. The tiles have neither the agent's slope nor the settings of their bake, so these
/// are zeros.
pub(super) fn start(frame: &Frame, first: &DetourTile, count: usize) -> Meta {
    Meta {
        agent: AgentMeta {
            radius: shortest(first.walkable_radius),
            height: shortest(first.walkable_height),
            climb: shortest(first.walkable_climb),
            slope: 0.0,
        },
        settings: SettingsMeta { max_vertices: MAX_CORNERS as u32, ..SettingsMeta::default() },
        origin: frame.lattice.origin,
        cell: [frame.lattice.cell_size, frame.lattice.cell_height],
        tile_cells: if count > 1 { frame.size_cells[0] } else { 0 },
        geometry_digest: [0; 16],
        areas: Vec::new(),
    }
}

/// The areas in use, named by Detour's number, with all flags of their polygons and links.
pub(super) fn areas(tiles: &[Tile]) -> Vec<AreaMeta> {
    let mut flags_of: BTreeMap<u8, u32> = BTreeMap::new();
    for tile in tiles {
        let polygons = tile.polygons().iter().map(|polygon| (polygon.area, polygon.flags));
        let links = tile.off_mesh_links().iter().map(|link| (link.area, link.flags));
        for (area, flags) in polygons.chain(links) {
            *flags_of.entry(area).or_default() |= flags;
        }
    }
    let meta = |(id, flags): (u8, u32)| AreaMeta {
        id,
        name: format!("area {}", if id == AREA_ZERO { 0 } else { id }),
        flags,
        cost: 1.0,
        colour: None,
    };
    flags_of.into_iter().map(meta).collect()
}
