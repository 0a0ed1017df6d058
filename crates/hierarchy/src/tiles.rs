//! The sources of a world's tiles.

use detour::NavMesh;
use navtile::file::{Catalog, DirectoryEntry, Source};
use navtile::layout::OffMeshLink;
use navtile::{FileError, NavFile, NavStore, StoreError, Tile, TileCoord};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::error::Error;

/// The tiles of a world, each taken when it is needed.
pub trait Tiles: Sync {
    /// The reason why a tile cannot be taken.
    type Error: Error + Send;

    /// The coordinates of all tiles, in any order. Only [`Hierarchy::build`](crate::Hierarchy::build) asks
    /// for them.
    fn coords(&self) -> Vec<TileCoord>;

    /// The tiles of all layers at a column and row of the grid of tiles, by layer.
    fn column(&self, x: i32, z: i32) -> Result<Vec<Tile>, Self::Error>;
}

impl<S: Source + Sync> Tiles for NavStore<S> {
    type Error = StoreError;

    fn coords(&self) -> Vec<TileCoord> {
        Catalog::coords(self)
    }

    fn column(&self, x: i32, z: i32) -> Result<Vec<Tile>, StoreError> {
        of_column(self, x, z).filter_map(|coord| NavStore::tile(self, coord)).collect()
    }
}

impl<B: AsRef<[u8]> + Sync> Tiles for NavFile<B> {
    type Error = FileError;

    fn coords(&self) -> Vec<TileCoord> {
        Catalog::coords(self)
    }

    fn column(&self, x: i32, z: i32) -> Result<Vec<Tile>, FileError> {
        of_column(self, x, z).filter_map(|coord| NavFile::tile(self, coord)).collect()
    }
}

/// The coordinates of a file's tiles at a column and row.
fn of_column(catalog: &Catalog, x: i32, z: i32) -> impl Iterator<Item = TileCoord> {
    let entries = catalog.entries();
    let first = entries.partition_point(|entry| (entry.x, entry.z) < (x, z));
    entries[first..].iter().take_while(move |entry| (entry.x, entry.z) == (x, z)).map(DirectoryEntry::coord)
}

impl Tiles for NavMesh {
    type Error = Infallible;

    fn coords(&self) -> Vec<TileCoord> {
        self.tiles().map(Tile::coord).collect()
    }

    fn column(&self, x: i32, z: i32) -> Result<Vec<Tile>, Infallible> {
        Ok(NavMesh::column(self, x, z).cloned().collect())
    }
}

impl<T: Tiles> Tiles for &T {
    type Error = T::Error;

    fn coords(&self) -> Vec<TileCoord> {
        (**self).coords()
    }

    fn column(&self, x: i32, z: i32) -> Result<Vec<Tile>, T::Error> {
        (**self).column(x, z)
    }
}

/// The tiles of a world whose ground has changed since it was stored: a wall was built, a tile of
/// a tile cache was baked again. Keep it for as long as the world runs, also for tiles that are no longer
/// loaded, and take it for [`Hierarchy::update`](crate::Hierarchy::update).
#[derive(Clone, Debug)]
pub struct TileOverlay<T> {
    stored: T,
    /// The tiles that differ; `None` for a tile that is gone.
    changed: BTreeMap<TileCoord, Option<Tile>>,
}

impl<T: Tiles> TileOverlay<T> {
    /// The stored tiles, as they are.
    pub fn new(stored: T) -> TileOverlay<T> {
        TileOverlay { stored, changed: BTreeMap::new() }
    }

    /// Puts a tile in place of the one at its coordinate.
    pub fn put(&mut self, tile: Tile) {
        self.changed.insert(tile.coord(), Some(tile));
    }

    /// Removes the tile at a coordinate.
    pub fn remove(&mut self, coord: TileCoord) {
        self.changed.insert(coord, None);
    }

    /// Brings back the stored tile at a coordinate.
    pub fn restore(&mut self, coord: TileCoord) {
        self.changed.remove(&coord);
    }
}

impl<T: Tiles> Tiles for TileOverlay<T> {
    type Error = T::Error;

    fn coords(&self) -> Vec<TileCoord> {
        let mut coords: BTreeSet<TileCoord> = self.stored.coords().into_iter().collect();
        for (coord, tile) in &self.changed {
            if tile.is_some() {
                coords.insert(*coord)
            } else {
                coords.remove(coord)
            };
        }
        coords.into_iter().collect()
    }

    fn column(&self, x: i32, z: i32) -> Result<Vec<Tile>, T::Error> {
        let stored = self.stored.column(x, z)?.into_iter();
        let mut tiles: BTreeMap<TileCoord, Option<Tile>> =
            stored.map(|tile| (tile.coord(), Some(tile))).collect();
        let [first, last] = [i32::MIN, i32::MAX].map(|layer| TileCoord { x, z, layer });
        tiles.extend(self.changed.range(first..=last).map(|(coord, tile)| (*coord, tile.clone())));
        Ok(tiles.into_values().flatten().collect())
    }
}

/// A polygon of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TilePolygon {
    pub(crate) tile: TileCoord,
    pub(crate) polygon: u32,
}

/// The tile where an off-mesh link ends.
pub(crate) fn end_tile(link: &OffMeshLink) -> TileCoord {
    let [x, z, layer] = link.end_tile;
    TileCoord { x, z, layer }
}

/// Returns true if a tile has off-mesh links of one direction to tiles inside of a cluster. Without them,
/// paths inside of the cluster cost the same backwards.
pub(crate) fn leads_one_way(tile: &Tile, is_inside: impl Fn(TileCoord) -> bool) -> bool {
    tile.off_mesh_links().iter().any(|link| link.direction == 0 && is_inside(end_tile(link)))
}
