//! Our tile cache, and the mesh that its tiles are swapped in.

use crate::TILE_CELLS;
use detour::NavMesh;
use navlevel::Obstacle;
use navtile::Tile;
use oracle::speed::clock;
use recast::{Level, PreparedLevel, Settings};
use std::error::Error;
use std::time::Duration;
use tilecache::{ObstacleHandle, TileCache, TileChange, bake_dynamic};

/// Method that swaps tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swap {
    /// With `tilecache::apply`: run-time flags stay, and islands that joined or parted are found.
    WithIslands,
    /// Tile by tile, as Detour's tile cache does.
    Plain,
}

/// A cache, its mesh, and the current obstacle.
pub(crate) struct Ours {
    cache: TileCache<Vec<u8>>,
    mesh: NavMesh,
    swap: Swap,
    obstacle: Option<ObstacleHandle>,
}

impl Ours {
    /// A level baked into tiles that can change.
    pub(crate) fn new(level: &Level, settings: &Settings, swap: Swap) -> Result<Ours, Box<dyn Error>> {
        let level = PreparedLevel::new(level, settings)?;
        let cache = TileCache::open(bake_dynamic(&level, TILE_CELLS, &[])?)?;
        let mut mesh = NavMesh::default();
        for coord in cache.coords() {
            mesh.add_tile(cache.tile(coord).ok_or("a tile that is listed is there")??)?;
        }
        Ok(Ours { cache, mesh, swap, obstacle: None })
    }

    /// Makes each bake start from the file.
    pub(crate) fn hold_nothing(&mut self) {
        self.cache.set_held_limit(0);
    }

    pub(crate) fn tiles(&self) -> Vec<Tile> {
        self.mesh.tiles().cloned().collect()
    }

    /// Adds an obstacle and waits until it is in the mesh. Returns the number of changed tiles, and the time
    /// it took.
    pub(crate) fn come(&mut self, obstacle: &Obstacle) -> Result<(usize, Duration), Box<dyn Error>> {
        let (count, took) = clock::timed(|| {
            self.obstacle = Some(self.cache.add(obstacle)?);
            self.follow()
        });
        Ok((count?, took))
    }

    /// Removes it again.
    pub(crate) fn go(&mut self) -> Result<(usize, Duration), Box<dyn Error>> {
        let obstacle = self.obstacle.take().ok_or("no obstacle is there")?;
        let (count, took) = clock::timed(|| {
            self.cache.remove(obstacle)?;
            self.follow()
        });
        Ok((count?, took))
    }

    fn follow(&mut self) -> Result<usize, Box<dyn Error>> {
        let changes = self.cache.wait()?.changes;
        match self.swap {
            Swap::WithIslands => {
                tilecache::apply(&mut self.mesh, &changes)?;
            }
            Swap::Plain => changes.iter().try_for_each(|change| self.put(change))?,
        }
        Ok(changes.len())
    }

    fn put(&mut self, change: &TileChange) -> Result<(), detour::MeshError> {
        match (&change.tile, self.mesh.tile(change.coord).is_some()) {
            (Some(tile), true) => self.mesh.replace_tile(tile.clone()).map(|_| ()),
            (Some(tile), false) => self.mesh.add_tile(tile.clone()).map(|_| ()),
            (None, true) => self.mesh.remove_tile(change.coord).map(|_| ()),
            (None, false) => Ok(()),
        }
    }
}
