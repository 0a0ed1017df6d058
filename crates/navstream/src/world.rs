//! The tiles of a world: the coordinates that have one, and their sizes.

use crate::error::StreamError;
use navmath::Lattice;
use navmath::sort::SharedSort;
use navtile::TileCoord;
use navtile::file::{Catalog, DirectoryEntry};

/// A tile that a world has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldTile {
    /// Its coordinate. Several tiles may differ in their layers alone.
    pub coord: TileCoord,
    /// The length of its blob, bytes. An estimate will do: the stream counts the bytes that arrive.
    pub bytes: u32,
}

/// A tile's index in [`World::tiles`].
pub(crate) type TileNumber = u32;

/// The tiles of a world, whether they are loaded or not. Memory: 16 bytes per tile.
#[derive(Clone, Debug)]
pub struct World {
    lattice: Lattice,
    /// Side of a tile, metres.
    side: f64,
    /// Sorted by coordinate.
    tiles: Vec<WorldTile>,
}

impl World {
    /// The tiles of a file, from the directory that is read when it is opened.
    ///
    /// # Errors
    /// The file is a level in one piece, or its metadata has no valid lattice.
    pub fn of_catalog(catalog: &Catalog) -> Result<World, StreamError> {
        let meta = catalog.meta();
        let lattice = Lattice::new(meta.origin, meta.cell[0], meta.cell[1])?;
        let tile = |entry: &DirectoryEntry| WorldTile {
            coord: entry.coord(),
            bytes: u32::try_from(entry.blob_length()).unwrap_or(u32::MAX),
        };
        World::new(lattice, meta.tile_cells, catalog.entries().iter().map(tile))
    }

    /// A world of tiles of `tile_cells` cells on a side, in any order, for tiles that do not come from a file
    /// of this program.
    ///
    /// # Errors
    /// Tiles without a size, a lattice that is not valid, or two tiles at one coordinate.
    pub fn new(
        lattice: Lattice,
        tile_cells: u32,
        tiles: impl IntoIterator<Item = WorldTile>,
    ) -> Result<World, StreamError> {
        let lattice = Lattice::new(lattice.origin, lattice.cell_size, lattice.cell_height)?;
        if tile_cells == 0 {
            return Err(StreamError::OnePiece);
        }
        let mut tiles: Vec<WorldTile> = tiles.into_iter().collect();
        tiles.shared_sort_by_key(|tile| tile.coord);
        if let Some([tile, _]) = tiles.array_windows().find(|[a, b]| a.coord == b.coord) {
            return Err(StreamError::Duplicate(tile.coord));
        }
        Ok(World { lattice, side: lattice.cell_size * f64::from(tile_cells), tiles })
    }

    /// The lattice of all tiles.
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// All tiles, sorted by coordinate.
    pub fn tiles(&self) -> &[WorldTile] {
        &self.tiles
    }

    /// The tiles that touch a circle around a place (world metres; its height does not matter), all layers,
    /// the nearest first. For [`TileStream::want`](crate::TileStream::want): the tiles along a planned path.
    ///
    /// # Errors
    /// The place is not finite, or the radius is negative or not finite.
    pub fn tiles_around(&self, place: [f64; 3], radius: f64) -> Result<Vec<TileCoord>, StreamError> {
        let mut near = Vec::new();
        self.visit_circle(&Circle::new(place, radius)?, |tile, distance2| near.push((distance2, tile)));
        near.shared_sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Ok(near.into_iter().map(|(_, tile)| self.tile(tile).coord).collect())
    }

    /// The tiles of all layers at columns and rows of the grid of tiles, in the order of the columns. For
    /// [`TileStream::want`](crate::TileStream::want): the columns that a far route needs next.
    pub fn tiles_in(&self, columns: impl IntoIterator<Item = [i32; 2]>) -> Vec<TileCoord> {
        let of_column = |[x, z]: [i32; 2]| {
            let first = self.tiles.partition_point(|tile| (tile.coord.x, tile.coord.z) < (x, z));
            let column = self.tiles[first..].iter().map(|tile| tile.coord);
            column.take_while(move |coord| (coord.x, coord.z) == (x, z))
        };
        columns.into_iter().flat_map(of_column).collect()
    }

    pub(crate) fn tile(&self, tile: TileNumber) -> WorldTile {
        self.tiles[tile as usize]
    }

    /// Corrects the length of a tile that has arrived.
    pub(crate) fn set_bytes(&mut self, tile: TileNumber, bytes: u32) {
        self.tiles[tile as usize].bytes = bytes;
    }

    pub(crate) fn number(&self, coord: TileCoord) -> Option<TileNumber> {
        self.tiles.binary_search_by_key(&coord, |tile| tile.coord).ok().map(|at| at as TileNumber)
    }

    /// Calls `visit` with the tiles whose squares touch a circle, and the squares of their distances from its
    /// centre. Cost: a binary search per column of tiles along x that meets the circle and has tiles, and the
    /// tiles in the square around the circle.
    pub(crate) fn visit_circle(&self, circle: &Circle, mut visit: impl FnMut(TileNumber, f64)) {
        let Circle { at, radius } = *circle;
        let origin = [self.lattice.origin[0], self.lattice.origin[2]];
        // One more on each side: a tile whose border is on the circle touches it.
        let index =
            |axis: usize, offset: f64| ((at[axis] + offset - origin[axis]) / self.side).floor() as i32;
        let first = [0, 1].map(|axis| index(axis, -radius).saturating_sub(1));
        let last = [0, 1].map(|axis| index(axis, radius).saturating_add(1));
        let distance = |axis: usize, index: i32| {
            let low = origin[axis] + f64::from(index) * self.side;
            let high = origin[axis] + (f64::from(index) + 1.0) * self.side;
            (low - at[axis]).max(at[axis] - high).max(0.0)
        };
        let mut x = first[0];
        while x <= last[0] {
            let before = |z: i32| TileCoord { x, z, layer: i32::MIN };
            let mut at = self.tiles.partition_point(|tile| tile.coord < before(first[1]));
            while let Some(tile) =
                self.tiles.get(at).filter(|tile| tile.coord.x == x && tile.coord.z <= last[1])
            {
                let [dx, dz] = [distance(0, x), distance(1, tile.coord.z)];
                let distance2 = dx * dx + dz * dz;
                if distance2 <= radius * radius {
                    visit(at as TileNumber, distance2);
                }
                at += 1;
            }
            // Continues with the next column that has tiles.
            match self.tiles.get(at).map(|tile| tile.coord.x.max(x.saturating_add(1))) {
                Some(next) if next > x => x = next,
                _ => break,
            }
        }
    }
}

/// A circle on the ground, world metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Circle {
    /// x and z of the centre.
    at: [f64; 2],
    radius: f64,
}

impl Circle {
    pub(crate) fn new(place: [f64; 3], radius: f64) -> Result<Circle, StreamError> {
        if !place.iter().all(|v| v.is_finite()) {
            return Err(StreamError::Place(place));
        }
        if !radius.is_finite() || radius < 0.0 {
            return Err(StreamError::Radius(radius));
        }
        Ok(Circle { at: [place[0], place[2]], radius })
    }

    /// A circle of this radius around another place.
    pub(crate) fn moved(&self, place: [f64; 3]) -> Result<Circle, StreamError> {
        Circle::new(place, self.radius)
    }
}
