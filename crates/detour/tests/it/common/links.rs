//! Off-mesh links for drawn tiles.

use crate::common::{METRE, METRE_UP, tile};
use navtile::layout::OffMeshLink;
use navtile::{Tile, TileContent, TileCoord};

/// A two-way link between two positions in metres, as a record of `content`; it reaches a quarter of a metre.
pub(crate) fn link(
    content: &TileContent,
    start: [f32; 3],
    end: [f32; 3],
    end_tile: TileCoord,
) -> OffMeshLink {
    let fixed = |at: [f32; 3]| -> [i32; 3] {
        std::array::from_fn(|axis| {
            let unit = if axis == 1 { METRE_UP } else { METRE };
            (at[axis] * unit as f32) as i32 - content.base_cell[axis] as i32 * 256
        })
    };
    OffMeshLink {
        start: fixed(start),
        end: fixed(end),
        end_tile: [end_tile.x, end_tile.z, end_tile.layer],
        radius: METRE / 4,
        flags: 1,
        area: 1,
        direction: 1,
        reserved: 0,
        user_id: 0,
        along: [0; 2],
    }
}

/// The tile with these links.
pub(crate) fn linked(content: TileContent, links: Vec<OffMeshLink>) -> Tile {
    tile(&TileContent { off_mesh_links: links, ..content })
}
