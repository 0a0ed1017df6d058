//! The mesh as triangles by area, for viewing.

use navdraw::Colour;
use navdraw::colour;
use navtile::{AreaMeta, Meta, Tile};
use std::collections::BTreeMap;

/// An area that polygons have: its name and colour.
pub(super) struct Area {
    pub(super) id: u8,
    pub(super) name: String,
    pub(super) colour: Colour,
}

/// The areas in use, by id, in the colours they have in pictures.
pub(super) fn areas(meta: &Meta, tiles: &[Tile]) -> Vec<Area> {
    let used: BTreeMap<u8, ()> =
        tiles.iter().flat_map(Tile::polygons).map(|polygon| (polygon.area, ())).collect();
    let area = |id: u8| {
        let known = meta.areas.iter().find(|area| area.id == id).cloned();
        let area = known.unwrap_or_else(|| AreaMeta::unnamed(id));
        Area { id, colour: colour::area(&area), name: area.name }
    };
    used.into_keys().map(area).collect()
}

/// The detail triangles of all polygons of an area in a tile, as indices into the tile's vertices, facing up.
pub(super) fn triangles(tile: &Tile, area: u8) -> impl Iterator<Item = [usize; 3]> {
    let polygons = tile.polygons().iter().filter(move |polygon| polygon.area == area);
    polygons.flat_map(move |polygon| {
        tile.polygon_detail_triangles(polygon).iter().map(move |triangle| {
            let corners = triangle.vertices.map(|local| tile.detail_vertex_index(polygon, local));
            let plan = corners.map(|corner| [tile.vertices()[corner][0], tile.vertices()[corner][2]]);
            // Seen from above, a positive area is counter-clockwise.
            if navmath::predicates::area2(plan[0], plan[1], plan[2]) > 0 {
                [corners[0], corners[2], corners[1]]
            } else {
                corners
            }
        })
    })
}
