//! The settings of the bake, from the parameters of a cache; and the metadata of its tiles.

use super::error::LayerImportError;
use navinterop::tset::CacheParams;
use navtile::meta::AreaMeta;
use navtile::{Meta, Tile};
use recast::{AreaId, Partition, PreparedLevel, Settings};
use std::collections::BTreeSet;

/// Most cells along a tile: a layer states its size in bytes.
const MAX_SIDE: u32 = 255;

/// Settings that correspond to Detour's conversion of layers to tiles: regions by a sweep, no region dropped,
/// contours within the cache's error, no edge split for its length.
pub(super) fn of(params: &CacheParams) -> Result<Settings, LayerImportError> {
    for (what, cells) in
        [("cells of a tile along x", params.width), ("cells of a tile along z", params.height)]
    {
        if !(1..=MAX_SIDE).contains(&cells) {
            let (expected, found) = (format!("1 to {MAX_SIDE}"), cells.to_string());
            return Err(LayerImportError::Parameter { what, expected, found });
        }
    }
    let cell_size = shortest(params.cell_size);
    Ok(Settings {
        cell_size,
        cell_height: shortest(params.cell_height),
        partition: Partition::Layers,
        agent_radius: shortest(params.walkable_radius),
        agent_height: shortest(params.walkable_height),
        // Layers do not store it.
        agent_slope: 0.0,
        agent_climb: shortest(params.walkable_climb),
        region_min_area: Some(0.0),
        max_edge_length: 0.0,
        contour_max_error: Some(shortest(params.max_simplification_error) * cell_size),
        ..Settings::default()
    })
}

/// The decimal number with the fewest digits that is this one in f32.
pub(super) fn shortest(value: f32) -> f64 {
    // A printed f32 reads back as the same number; infinities and NaN were refused when the bytes were read.
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// Metadata without areas. Layers do not contain the level, so its digest is zero.
pub(super) fn meta(level: &PreparedLevel, width: u32) -> Meta {
    let mut meta = navlevel::meta::meta(level, width, None);
    meta.geometry_digest = [0; 16];
    meta.areas.clear();
    meta
}

/// The areas in use.
pub(super) fn areas(settings: &Settings, tiles: &[Tile]) -> Vec<AreaMeta> {
    let ids: BTreeSet<u8> =
        tiles.iter().flat_map(|tile| tile.polygons()).map(|polygon| polygon.area).collect();
    ids.into_iter().map(|id| navlevel::meta::area_meta(&settings.area(AreaId(id)))).collect()
}
