//! Flags and areas that were changed at run time. They win over those of the tile, which itself never changes.

use super::tile_data::TileData;

/// Run-time flags and areas of a tile's polygons, then of its off-mesh links.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    pub(crate) values: Vec<(u32, u8)>,
}

impl Overlay {
    /// The tile's own values, to be changed.
    pub(crate) fn of(data: &TileData) -> Overlay {
        Overlay { values: (0..data.node_count()).map(|index| data.flags_and_area(index)).collect() }
    }
}
