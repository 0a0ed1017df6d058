//! The ends of off-mesh links: whether a tile lies below each, and ground that it snaps to at run time.

use super::{LinkFault, LinkNote, ends_of};
use crate::layout::OffMeshLink;
use crate::off_mesh::{global, is_crowded, snap};
use crate::tile::Tile;
use navmath::FIXED_ONE;

/// Tiles by where they lie, seen from above.
struct Index<'a> {
    /// Smallest x and the tile, sorted.
    by_x: Vec<(i64, &'a Tile)>,
    /// The widest tile's extent along x.
    widest: i64,
}

/// Notes on all ends without ground.
pub(super) fn check(tiles: &[Tile]) -> Vec<LinkNote> {
    if tiles.iter().all(|tile| tile.off_mesh_links().is_empty()) {
        return Vec::new();
    }
    let index = Index::new(tiles);
    let mut notes = Vec::new();
    for tile in tiles {
        for (number, link) in (0..).zip(tile.off_mesh_links()) {
            for (is_end, place) in ends_of(link) {
                if let Some(fault) = index.fault(tile, link, place) {
                    let (tile, at) = (tile.coord(), tile.to_world(place));
                    notes.push(LinkNote { fault, tile, link: number, user_id: link.user_id, is_end, at });
                }
            }
        }
    }
    notes
}

impl<'a> Index<'a> {
    fn new(tiles: &'a [Tile]) -> Index<'a> {
        let mut by_x: Vec<_> = tiles.iter().map(|tile| (plan(tile)[0][0], tile)).collect();
        by_x.sort_by_key(|(x, _)| *x);
        let widest = tiles.iter().map(|tile| i64::from(tile.header().width) * i64::from(FIXED_ONE)).max();
        Index { by_x, widest: widest.unwrap_or(0) }
    }

    /// The fault of a link's end, if it has one.
    fn fault(&self, tile: &Tile, link: &OffMeshLink, place: [i32; 3]) -> Option<LinkFault> {
        let at = global(tile, place);
        let covers = |other: &Tile| {
            let [min, max] = plan(other);
            (0..2).all(|i| (min[i]..=max[i]).contains(&at[2 * i]))
        };
        if !self.near(tile, at[0], 0).any(covers) {
            return Some(LinkFault::NoTile);
        }
        let near = || self.near(tile, at[0], i64::from(link.radius));
        if near().any(|other| snap(other, at, link.radius).is_some()) {
            return None;
        }
        if near().any(|other| is_crowded(other, at, link.radius)) {
            return Some(LinkFault::Crowded);
        }
        let radius = f64::from(link.radius) * tile.header().cell_size / f64::from(FIXED_ONE);
        Some(LinkFault::NoPolygon { radius })
    }

    /// Tiles on the lattice of `tile` whose extent along x may come within `radius` of a global `x`.
    fn near(&self, tile: &Tile, x: i64, radius: i64) -> impl Iterator<Item = &'a Tile> {
        let first = self.by_x.partition_point(|(least, _)| *least < x - radius - self.widest);
        let lattice = tile.lattice();
        self.by_x[first..]
            .iter()
            .take_while(move |(least, _)| *least <= x + radius)
            .map(|(_, other)| *other)
            .filter(move |other| other.lattice() == lattice)
    }
}

/// Smallest and largest corner of a tile seen from above, x and z, global.
fn plan(tile: &Tile) -> [[i64; 2]; 2] {
    let [x, _, z] = global(tile, [0; 3]);
    let size =
        [tile.header().width, tile.header().depth].map(|cells| i64::from(cells) * i64::from(FIXED_ONE));
    [[x, z], [x + size[0], z + size[1]]]
}
