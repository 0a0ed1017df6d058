//! The ends of off-mesh links: checks that each one snaps at run time, the start to ground of its own tile,
//! the end to ground of the tile that the link names. Cost: a lookup and two snaps per link, independent of
//! the number of tiles.

use super::{LinkFault, LinkNote};
use crate::layout::OffMeshLink;
use crate::off_mesh::{end_tile, global, is_crowded, middle, snap};
use crate::tile::{Tile, TileCoord};
use navmath::FIXED_ONE;
use std::collections::BTreeMap;

/// Notes on all ends without ground.
pub(super) fn check(tiles: &[Tile]) -> Vec<LinkNote> {
    if tiles.iter().all(|tile| tile.off_mesh_links().is_empty()) {
        return Vec::new();
    }
    let by_coord: BTreeMap<TileCoord, &Tile> = tiles.iter().map(|tile| (tile.coord(), tile)).collect();
    let mut notes = Vec::new();
    for tile in tiles {
        for (number, link) in (0..).zip(tile.off_mesh_links()) {
            // A tile on another lattice does not go into the same mesh.
            let named = by_coord.get(&end_tile(link)).filter(|other| other.lattice() == tile.lattice());
            for (is_end, place, ground) in [(false, link.start, Some(tile)), (true, link.end, named.copied())]
            {
                if let Some(fault) = fault(tile, link, place, ground) {
                    let (tile, at) = (tile.coord(), tile.to_world(place));
                    notes.push(LinkNote { fault, tile, link: number, user_id: link.user_id, is_end, at });
                }
            }
        }
    }
    notes
}

/// The fault of an end of a link of `tile` that should snap to `ground`, if it has one.
fn fault(tile: &Tile, link: &OffMeshLink, place: [i32; 3], ground: Option<&Tile>) -> Option<LinkFault> {
    let Some(ground) = ground else { return Some(LinkFault::NoTile) };
    let at = global(tile, middle(link, place));
    if snap(ground, at, link.radius).is_some() {
        return None;
    }
    if is_crowded(ground, at, link.radius) {
        return Some(LinkFault::Crowded);
    }
    let radius = f64::from(link.radius) * tile.header().cell_size / f64::from(FIXED_ONE);
    Some(LinkFault::NoPolygon { radius })
}
