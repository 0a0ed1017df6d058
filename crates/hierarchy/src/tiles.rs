//! The sources of a world's tiles.

use detour::NavMesh;
use navtile::file::{Catalog, DirectoryEntry, Source};
use navtile::{FileError, NavFile, NavStore, StoreError, Tile, TileCoord};
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

/// A polygon of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TilePolygon {
    pub(crate) tile: TileCoord,
    pub(crate) polygon: u32,
}
