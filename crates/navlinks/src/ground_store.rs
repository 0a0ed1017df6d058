//! The store that gives the search for links the ground of tiles. The search holds only the tiles of a window
//! at a time.

use crate::ground_counts::GroundCounts;
use navtile::TileCoord;
use recast::TileGround;
use std::collections::BTreeMap;
use std::convert::Infallible;

/// Access to the ground of the tiles of a level: packed in memory or in a file, or as a bake left it.
pub trait GroundStore: Sync {
    /// Why ground cannot be read.
    type Error: Send;

    /// The amount of ground of a tile; `None` for a tile without ground.
    fn counts(&self, coord: TileCoord) -> Option<GroundCounts>;

    /// The ground of a tile with [counts](GroundStore::counts). A tile is read once for each window that it
    /// is near, on any thread.
    ///
    /// # Errors
    /// Ground that cannot be read.
    fn ground(&self, coord: TileCoord) -> Result<TileGround, Self::Error>;
}

/// Ground in memory, by tiles.
impl GroundStore for BTreeMap<TileCoord, TileGround> {
    type Error = Infallible;

    fn counts(&self, coord: TileCoord) -> Option<GroundCounts> {
        self.get(&coord).map(GroundCounts::from)
    }

    fn ground(&self, coord: TileCoord) -> Result<TileGround, Infallible> {
        Ok(self[&coord].clone())
    }
}
