//! One tile's part of the graph.

use crate::islands::join_polygons;
use crate::layout::Portal;
use crate::tile::{Tile, TileCoord};
use bytemuck::{Pod, Zeroable};
use navmath::Sets;
use navmath::sort::SharedSort;

/// One tile's part of the graph, as it was before anything was dropped from the tile.
#[derive(Clone, Debug, PartialEq)]
pub struct TileNode {
    pub(super) coord: TileCoord,
    pub(super) input_hash: [u8; 16],
    pub(super) islands: Vec<u64>,
    pub(super) portals: Vec<Portal>,
    pub(super) anchors: Vec<Anchor>,
}

/// An end of an off-mesh connection that meets the ground of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Anchor {
    /// Digest of the connection, so that both its ends can be found.
    pub connection: u64,
    /// The local island of the end.
    pub island: u32,
    /// 0: its start; 1: its end.
    pub end: u8,
    /// 1: the connection leads in both directions.
    pub both_ways: u8,
    /// Zero.
    pub reserved: u16,
}

impl TileNode {
    /// The node of a complete tile, before anything is dropped. `cells` holds the cells of each local island;
    /// in `anchors`, `island` is the polygon under the end.
    pub fn new(tile: &Tile, input_hash: [u8; 16], cells: Vec<u64>, anchors: Vec<Anchor>) -> TileNode {
        let local = local_islands(tile);
        let mut islands = cells;
        let count = local.iter().max().map_or(0, |&last| last as usize + 1);
        islands.resize(count, 0);
        let mut portals: Vec<Portal> = tile
            .portals()
            .iter()
            .map(|portal| Portal { polygon: local[portal.polygon as usize], edge: 0, ..*portal })
            .collect();
        portals.shared_sort_by_key(key);
        let mut anchors: Vec<Anchor> = anchors
            .into_iter()
            .filter_map(|anchor| Some(Anchor { island: *local.get(anchor.island as usize)?, ..anchor }))
            .collect();
        anchors.shared_sort();
        TileNode { coord: tile.coord(), input_hash, islands, portals, anchors }
    }

    /// The node with more ends of off-mesh connections; their `island` is a local island.
    #[must_use]
    pub fn with_anchors(mut self, anchors: Vec<Anchor>) -> TileNode {
        self.anchors.extend(anchors);
        self.anchors.shared_sort();
        self
    }

    /// Coordinate of the tile.
    pub fn coord(&self) -> TileCoord {
        self.coord
    }

    /// Digest of its bake input.
    pub fn input_hash(&self) -> [u8; 16] {
        self.input_hash
    }

    /// Number of cells (walkable spans) of each local island. Islands are numbered by their first polygon.
    pub fn islands(&self) -> &[u64] {
        &self.islands
    }

    /// The tile's portals, with the local island in place of the polygon.
    pub fn portals(&self) -> &[Portal] {
        &self.portals
    }

    /// Ends of off-mesh connections that meet its ground, sorted.
    pub fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    /// Returns true if two tiles have the same x and z and differ in the layer.
    pub(super) fn shares_column(&self, other: &TileNode) -> bool {
        (self.coord.x, self.coord.z) == (other.coord.x, other.coord.z)
    }
}

/// The canonical order of a node's portals.
pub(super) fn key(portal: &Portal) -> (u8, i32, i32, i32, i32, u32) {
    (portal.side, portal.start, portal.start_height, portal.end, portal.end_height, portal.polygon)
}

/// The local island of each polygon of a tile: a connected component of its polygons. Islands are numbered by
/// their first polygon.
///
/// ```
/// use navtile::graph::local_islands;
/// # let square_tile = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/square_tile.rs"));
///
/// assert_eq!(local_islands(&square_tile(0)), [0]);
/// ```
pub fn local_islands(tile: &Tile) -> Vec<u32> {
    let mut sets = Sets::new(tile.polygons().len() as u32);
    join_polygons(tile, 0, &mut sets);
    sets.numbers().0
}
