//! The ground of baked tiles, in memory or packed in the file that holds them, as links are found on it.

use super::baked::BakedTiles;
use super::spool::Spool;
use crate::failure::Failure;
use navlinks::{GroundCounts, GroundStore};
use navtile::TileCoord;
use recast::TileGround;

/// The ground of the tiles of an agent that were baked now.
pub(crate) struct BakedGround<'a> {
    pub(crate) spool: &'a Spool,
    pub(crate) agent: usize,
    pub(crate) baked: &'a BakedTiles,
    /// Columns of a tile along x and z.
    pub(crate) size: [u32; 2],
}

impl GroundStore for BakedGround<'_> {
    type Error = Failure;

    fn counts(&self, coord: TileCoord) -> Option<GroundCounts> {
        self.baked.counts.get(&coord).copied()
    }

    fn ground(&self, coord: TileCoord) -> Result<TileGround, Failure> {
        let TileCoord { x, z, .. } = coord;
        let failed = |error: &str| {
            Failure::circumstances(format!("the temporary file of baked tiles: tile ({x}, {z}): {error}"))
                .help("nothing was changed; run the bake again")
        };
        let damaged = || failed("its ground is damaged");
        let node = self.baked.nodes.get(&coord).ok_or_else(damaged)?;
        if let Some(kept) = self.baked.ground.get(&coord) {
            return kept.unpacked(node, self.size).ok_or_else(damaged);
        }
        let stored = self.spool.ground(self.agent, coord).map_err(|error| failed(&error.to_string()))?;
        stored.and_then(|stored| stored.unpacked(node, self.size)).ok_or_else(damaged)
    }
}
