//! Many tiles: what a mesh starts from. While some are linked, the next are taken and prepared by the threads of the
//! current rayon pool.

use super::entry::TileEntry;
use super::pipeline;
use super::{Inner, Labels, NavMesh};
use crate::error::MeshError;
use navtile::Tile;
use std::sync::Arc;

/// Tiles that are prepared before they are linked where one thread does both: few enough to be still in the cache then,
/// and enough for the code to be; one by one takes 8 % longer.
const BATCH: usize = 64;

impl NavMesh {
    /// Adds tiles in the order of their coordinates. All of them or none: refused, with the mesh as it was, if
    /// [`NavMesh::add_tile`] refuses one of them. See [`NavMesh::add_tiles_from`] for the threads.
    pub fn add_tiles(&mut self, tiles: impl IntoIterator<Item = Tile>) -> Result<(), MeshError> {
        let mut tiles: Vec<Tile> = tiles.into_iter().collect();
        tiles.sort_by_key(Tile::coord);
        self.add_tiles_from(tiles.len(), |number| Ok(tiles[number].clone()))
    }

    /// Adds as many tiles as are told, which `take` gives by number, in the order of numbers: from a file,
    /// `|row| file.tile_at(row)`. All of them or none: the mesh is as it was if `take` fails, or if
    /// [`NavMesh::add_tile`] refuses a tile; of several failures the first in order is told.
    ///
    /// `take` is called by all threads of the current rayon pool, so that tiles are read, verified and prepared side by
    /// side while those before are linked, up to 32 tiles a thread ahead, and 64 more. With one thread it is called in
    /// order, up to 64 tiles ahead.
    ///
    /// ```no_run
    /// # use detour::NavMesh;
    /// # fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    /// let file = navtile::NavFile::read("level.navtile")?;
    /// let mut mesh = NavMesh::default();
    /// mesh.add_tiles_from(file.entries().len(), |row| -> Result<_, Box<dyn std::error::Error + Send + Sync>> {
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
        let prepare = |number: usize| -> Result<Arc<TileEntry>, E> {
            Ok(Arc::new(TileEntry::new(take(number)?, anchor)?))
        };
        // What is refused goes with the copy, which shares all it can.
        let mut mesh = NavMesh { inner: Arc::new(Inner::clone(&self.inner)) };
        let is_first = mesh.inner.index.len() == 0;
        if is_first {
            mesh.each_labels(Labels::attach_many);
        }
        let threads = rayon::current_num_threads();
        if threads == 1 {
            for start in (0..count).step_by(BATCH) {
                let ready: Vec<_> = (start..count.min(start + BATCH)).map(prepare).collect();
                mesh.add_ready(ready)?;
            }
        } else {
            // In the pool from here on: a thread that is not one of its own waits once.
            rayon::scope(|scope| {
                pipeline::run(scope, threads, count, &prepare, |ready| mesh.add_ready(ready))
            })?;
        }
        if is_first {
            mesh.each_labels(Labels::settle);
        }
        *self = mesh;
        Ok(())
    }

    fn each_labels(&mut self, change: impl Fn(&mut Labels)) {
        let inner = Arc::make_mut(&mut self.inner);
        std::iter::once(&mut inner.all).chain(&mut inner.registered).for_each(change);
    }

    fn add_ready<E: From<MeshError>>(&mut self, ready: Vec<Result<Arc<TileEntry>, E>>) -> Result<(), E> {
        ready.into_iter().try_for_each(|entry| Ok(self.add_entry(entry?)?))
    }
}
