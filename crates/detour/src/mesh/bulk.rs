//! Adding many tiles at once: they are taken and prepared in batches, and linked in order. With the feature
//! `rayon`, all threads of the current pool prepare them.

use super::tile_data::TileData;
use super::{Inner, Labels, NavMesh};
use crate::error::MeshError;
use navmath::sort::SharedSort;
use navtile::Tile;
use std::ops::Range;
use std::sync::Arc;

/// Tiles per batch and thread: few enough to be in the cache still when they are linked.
const BATCH: usize = 64;

impl NavMesh {
    /// Adds tiles in the order of their coordinates, all of them or none: if [`NavMesh::add_tile`] refuses
    /// one of them, the mesh is unchanged. See [`NavMesh::add_tiles_from`] for the threads.
    pub fn add_tiles(&mut self, tiles: impl IntoIterator<Item = Tile>) -> Result<(), MeshError> {
        let mut tiles: Vec<Tile> = tiles.into_iter().collect();
        tiles.shared_sort_by_key(Tile::coord);
        self.add_tiles_from(tiles.len(), |number| Ok(tiles[number].clone()))
    }

    /// Adds `count` tiles in the order of their numbers, as `take` returns them: from a file,
    /// `|row| file.tile_at(row)`. All of them or none: the mesh is unchanged if `take` fails, or if
    /// [`NavMesh::add_tile`] refuses a tile; if there are several failures, the first in order is returned.
    ///
    /// With the feature `rayon`, `take` is called by all threads of the current pool, up to 64 tiles per
    /// thread ahead of the tile that is being added. Without the feature, or with one thread, it is called in
    /// order.
    ///
    /// ```no_run
    /// # use detour::NavMesh;
    /// # type Error = Box<dyn std::error::Error + Send + Sync>;
    /// # fn main() -> Result<(), Error> {
    /// let file = navtile::NavFile::read("level.navtile")?;
    /// let mut mesh = NavMesh::default();
    /// mesh.add_tiles_from(file.entries().len(), |row| -> Result<_, Error> {
    ///     Ok(file.tile_at(row).ok_or("a row that the file does not have")??)
    /// })?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_tiles_from<E: From<MeshError> + Send>(
        &mut self,
        count: usize,
        take: impl Fn(usize) -> Result<Tile, E> + Sync,
    ) -> Result<(), E> {
        let anchor = self.anchor();
        let prepare =
            |number: usize| -> Result<Arc<TileData>, E> { Ok(TileData::new(take(number)?, anchor)?) };
        // Works on a copy, which shares all it can, so that a refusal leaves the mesh unchanged.
        let mut mesh = NavMesh { inner: Arc::new(Inner::clone(&self.inner)) };
        let is_first = mesh.inner.index.len() == 0;
        if is_first {
            mesh.for_each_labels(Labels::begin_many);
        }
        let batch = BATCH * threads();
        for start in (0..count).step_by(batch) {
            let prepared = prepare_all(start..count.min(start + batch), &prepare);
            prepared.into_iter().try_for_each(|data| Ok::<_, E>(mesh.add_data(data?)?))?;
        }
        if is_first {
            mesh.for_each_labels(Labels::finish_many);
        }
        *self = mesh;
        Ok(())
    }

    fn for_each_labels(&mut self, change: impl Fn(&mut Labels)) {
        let inner = Arc::make_mut(&mut self.inner);
        std::iter::once(&mut inner.all).chain(&mut inner.registered).for_each(change);
    }
}

#[cfg(feature = "rayon")]
fn threads() -> usize {
    rayon::current_num_threads()
}

#[cfg(feature = "rayon")]
fn prepare_all<T: Send>(numbers: Range<usize>, prepare: &(impl Fn(usize) -> T + Sync)) -> Vec<T> {
    use rayon::prelude::*;
    if threads() == 1 {
        numbers.map(prepare).collect()
    } else {
        numbers.into_par_iter().map(prepare).collect()
    }
}

#[cfg(not(feature = "rayon"))]
fn threads() -> usize {
    1
}

#[cfg(not(feature = "rayon"))]
fn prepare_all<T>(numbers: Range<usize>, prepare: &impl Fn(usize) -> T) -> Vec<T> {
    numbers.map(prepare).collect()
}
