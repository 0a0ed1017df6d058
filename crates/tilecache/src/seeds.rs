//! Finds the islands at the place that all kept ground must be reachable from.

use crate::cache::TileCache;
use crate::error::CacheError;
use navlevel::{SEED_REACH, is_near_seed, island_at};
use navtile::file::Source;
use navtile::{Tile, TileCoord};
use std::collections::BTreeSet;

impl<S: Source> TileCache<S> {
    /// Returns true if a tile is within reach of the place, if there is one.
    pub(crate) fn is_near_seed(&self, coord: TileCoord) -> bool {
        let cells = self.store.meta().tile_cells;
        self.seeds.as_ref().is_some_and(|seeds| is_near_seed(&self.level, cells, seeds.place, coord))
    }

    /// Notes the ground near the place in a newly baked tile, before anything was dropped from it.
    pub(crate) fn note_seed(&mut self, coord: TileCoord, tile: Option<&Tile>) {
        let Some(seeds) = &mut self.seeds else { return };
        let [across, up] = SEED_REACH;
        let nearest = tile.and_then(|tile| island_at(&self.level, tile, seeds.place, across, up));
        seeds.nearest.insert(coord, nearest);
    }

    /// Decides which islands are kept; returns the tiles that changed, or that keep other islands.
    pub(crate) fn settle_islands(&mut self) -> Result<BTreeSet<TileCoord>, CacheError> {
        let Some(place) = self.seeds.as_ref().map(|seeds| seeds.place) else {
            return Ok(self.islands.settle());
        };
        let near: Vec<TileCoord> = self.islands.coords().filter(|coord| self.is_near_seed(*coord)).collect();
        let mut best: Option<(f64, TileCoord, u32)> = None;
        for coord in near {
            let known = |cache: &Self| cache.seeds.as_ref()?.nearest.get(&coord).copied();
            if known(self).is_none() {
                let baked = self.bake_tile(coord)?;
                self.note_seed(coord, baked.as_ref().map(|tile| &tile.baked.tile));
            }
            if let Some((island, distance)) = known(self).flatten()
                && best.is_none_or(|(known, ..)| distance < known)
            {
                best = Some((distance, coord, island));
            }
        }
        let Some((_, coord, island)) = best else {
            let [across, up] = SEED_REACH;
            return Err(CacheError::NoSeed { place, across, up });
        };
        Ok(self.islands.settle_reachable(&[(coord, island)]))
    }
}
