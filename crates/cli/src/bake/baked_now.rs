//! The tiles of a bake as the source of its file: from the spool, or from the previous file.

use super::baker::TileBaker;
use super::previous::PreviousBake;
use super::write::{BakedStore, cache_settings};
use crate::failure::Failure;
use crate::files::{Pending, Target};
use crate::written::Written;
use navinput::HierarchyInput;
use navlevel::assemble::{FoundTile, LevelSpans, TileStore};
use navtile::{SharedBytes, TileCoord};
use std::collections::BTreeSet;

/// The tiles of an agent that were baked now, or are in its previous file.
pub(crate) struct BakedNow<'a> {
    pub(crate) target: &'a Target,
    pub(crate) agent: usize,
    pub(crate) baker: &'a TileBaker<'a>,
    /// Tiles that were baked, but are not written: the previous file has them.
    pub(crate) ground_only: &'a BTreeSet<TileCoord>,
}

impl BakedNow<'_> {
    fn previous(&self) -> Option<&PreviousBake> {
        self.baker.previous[self.agent].as_ref()
    }
}

impl TileStore for BakedNow<'_> {
    type Error = Failure;

    fn tile(&self, coord: TileCoord) -> Result<Option<FoundTile>, Failure> {
        if !self.ground_only.contains(&coord) {
            let baked = self.baker.spool.take(self.agent, coord);
            if let Some(tile) = baked.map_err(|error| self.target.unwritable(&error))? {
                return Ok(Some(FoundTile::Whole(tile)));
            }
        }
        let Some(reused) = self.previous().and_then(|previous| previous.tile(coord)) else { return Ok(None) };
        reused.map(|tile| Some(FoundTile::Pruned(tile))).map_err(|error| {
            Failure::circumstances(format!("a tile of the previous bake cannot be reused: {error}"))
                .help("bake without --changed")
        })
    }

    fn length(&self, coord: TileCoord) -> u64 {
        let reused = || self.previous().map_or(0, |previous| previous.length(coord));
        let baked = self.baker.spool.length(self.agent, coord);
        baked.filter(|_| !self.ground_only.contains(&coord)).unwrap_or_else(reused)
    }

    fn spans(&self, coord: TileCoord, level_hash: [u8; 16]) -> Result<Option<SharedBytes>, Failure> {
        let baked = self.baker.spool.spans(self.agent, coord);
        if let Some(spans) = baked.map_err(|error| self.target.unwritable(&error))? {
            return Ok(Some(SharedBytes::from(&spans[..])));
        }
        Ok(self.previous().and_then(|previous| previous.spans(coord, level_hash)))
    }
}

impl BakedStore for BakedNow<'_> {
    fn cached_spans(&self) -> Result<Option<LevelSpans>, Failure> {
        if !self.baker.dynamic {
            return Ok(None);
        }
        let level = &self.baker.source.levels()[self.agent];
        let (settings, tiles) = (cache_settings(level)?, self.baker.inputs.cached(self.agent));
        Ok(Some(LevelSpans { size: level.size, height: level.height, settings, tiles }))
    }

    fn hierarchy(&self) -> Option<&HierarchyInput> {
        self.baker.hierarchy
    }

    fn memory(&self) -> u64 {
        self.baker.memory
    }

    fn check(&self, written: &mut Pending) -> Result<(), Failure> {
        if !(self.baker.dynamic && self.baker.spool.has_taken_over()) {
            return Ok(());
        }
        match Written::open(self.target, written)?.fault_of_spans(self.baker.memory) {
            None => Ok(()),
            Some(fault) => {
                Err(Failure::of(self.target.path(), format!("a tile of the interrupted bake: {fault}"))
                    .help("nothing was changed; bake without --resume"))
            }
        }
    }
}
