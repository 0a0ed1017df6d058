//! Islands: connected polygons, within tiles and across their seams. Off-mesh links do not join islands here.
//! Units: doubled areas seen from above, in 1/256 cells squared, exact. Cost: O(polygons + edges + matches),
//! almost.

use crate::layout::{edge_kind, side};
use crate::seam::match_portals;
use crate::tile::{Tile, TileCoord};
use navmath::Sets;
use navmath::predicates::polygon_area2;
use std::collections::BTreeMap;

/// The islands of a set of tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Islands {
    /// For each tile, in the given order, the island of each of its polygons.
    pub island_of: Vec<Vec<u32>>,
    /// Twice the area of each island, 1/256 cells squared; largest first.
    pub area2: Vec<u128>,
}

impl Islands {
    /// Finds the islands of tiles of one lattice. If several tiles have the same coordinate, only the last of
    /// them is found as a neighbour.
    pub fn find(tiles: &[Tile]) -> Islands {
        let mut first = Vec::with_capacity(tiles.len() + 1);
        let mut count = 0;
        for tile in tiles {
            first.push(count);
            count += tile.polygons().len();
        }
        let mut sets = Sets::new(count as u32);
        let by_coord: BTreeMap<TileCoord, usize> =
            tiles.iter().enumerate().map(|(index, tile)| (tile.coord(), index)).collect();
        for (index, tile) in tiles.iter().enumerate() {
            join_polygons(tile, first[index] as u32, &mut sets);
            for own in [side::X_MAX, side::Z_MAX] {
                let across = tile.coord().across(own).into_iter();
                for (_, &other) in across.flat_map(|coords| by_coord.range(coords)) {
                    for pair in match_portals(tile, own, &tiles[other]) {
                        let a = tile.portals()[pair.a as usize].polygon as usize;
                        let b = tiles[other].portals()[pair.b as usize].polygon as usize;
                        sets.join((first[index] + a) as u32, (first[other] + b) as u32);
                    }
                }
            }
        }
        let areas = tiles.iter().flat_map(|tile| {
            tile.polygons().iter().map(|polygon| {
                let corners = tile.polygon_edges(polygon).iter().map(|edge| {
                    let [x, _, z] = tile.vertices()[edge.vertex as usize];
                    [x, z]
                });
                polygon_area2(corners).unsigned_abs()
            })
        });
        let (numbers, area2) = sets.ranked(areas);
        let mut numbers = numbers.into_iter();
        let island_of =
            tiles.iter().map(|tile| numbers.by_ref().take(tile.polygons().len()).collect()).collect();
        Islands { island_of, area2 }
    }

    /// Number of islands.
    pub fn len(&self) -> usize {
        self.area2.len()
    }

    /// Returns true if there are no islands.
    pub fn is_empty(&self) -> bool {
        self.area2.is_empty()
    }
}

/// Joins the polygons of a tile that share an edge. The set of its first polygon has the number `first`.
pub(crate) fn join_polygons(tile: &Tile, first: u32, sets: &mut Sets) {
    for (number, polygon) in (first..).zip(tile.polygons()) {
        for edge in tile.polygon_edges(polygon).iter().filter(|edge| edge.kind == edge_kind::INTERNAL) {
            sets.join(number, first + edge.neighbour);
        }
    }
}
