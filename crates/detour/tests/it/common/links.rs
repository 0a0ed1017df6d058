//! Off-mesh links for drawn tiles, and the paths over them.

use crate::common::{METRE, METRE_UP, tile};
use detour::{Corner, CornerKind, Crossings, NavMesh, PolyRef, Query, StraightPath, Vec3};
use navtile::layout::OffMeshLink;
use navtile::{Tile, TileContent, TileCoord};

/// A two-way link between two positions in metres, as a record of `content`. Its ends snap to ground within a
/// quarter of a metre.
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

/// The length of a row of corners: over ground as seen from above, over links in space.
pub(crate) fn length(corners: &[Corner]) -> f64 {
    let leg = |from: &Corner, to: &Corner| {
        let way = to.point.as_dvec3() - from.point.as_dvec3();
        if from.kind == CornerKind::LinkStart { way.length() } else { way.with_y(0.0).length() }
    };
    corners.windows(2).map(|pair| leg(&pair[0], &pair[1])).sum()
}

/// The corners of the string through polygons, which lead to one another.
pub(crate) fn pulled(mesh: &NavMesh, [start, goal]: [Vec3; 2], polygons: &[PolyRef]) -> Vec<Corner> {
    let mut straight = StraightPath::default();
    Query::new().straight_path(mesh, start, goal, polygons, Crossings::None, &mut straight).unwrap();
    assert_eq!(straight.broken_at, None);
    straight.corners
}
