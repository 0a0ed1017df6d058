//! The tiles of shard files, as the source of the joined file.

use super::shards::{ShardSet, damaged};
use crate::bake::write::BakedStore;
use crate::failure::Failure;
use crate::files::{Pending, Target};
use crate::written::Written;
use navinput::HierarchyInput;
use navlevel::assemble::{FoundTile, LevelSpans, TileStore};
use navlinks::{GroundCounts, GroundStore};
use navtile::{SharedBytes, TileCoord};
use recast::TileGround;
use tilecache::CacheError;

/// Memory for tiles that are prepared, bytes.
const MEMORY: u64 = 64 << 20;

/// The tiles of one agent.
pub(crate) struct ShardStore<'a> {
    pub(crate) shards: &'a ShardSet,
    pub(crate) agent: usize,
    pub(crate) target: &'a Target,
    /// Maximum memory of the join, bytes.
    pub(crate) bound: u64,
}

/// The packed ground of one agent.
pub(crate) struct ShardGround<'a> {
    pub(crate) shards: &'a ShardSet,
    pub(crate) agent: usize,
}

impl GroundStore for ShardGround<'_> {
    type Error = Failure;

    fn counts(&self, coord: TileCoord) -> Option<GroundCounts> {
        // Ground that is missing counts, so that it is missed when it is read.
        self.shards.stored(self.agent, coord).map(|stored| stored.ground.unwrap_or_default())
    }

    fn ground(&self, coord: TileCoord) -> Result<TileGround, Failure> {
        self.shards.ground(self.agent, coord)
    }
}

impl TileStore for ShardStore<'_> {
    type Error = Failure;

    fn tile(&self, coord: TileCoord) -> Result<Option<FoundTile>, Failure> {
        self.shards.tile(self.agent, coord).map(|tile| Some(FoundTile::Whole(tile)))
    }

    fn length(&self, coord: TileCoord) -> u64 {
        let shard = self.shards.shard_of(self.agent, coord);
        shard.and_then(|shard| shard.read.file.length(self.agent, coord)).unwrap_or(0)
    }

    fn spans(&self, coord: TileCoord, _: [u8; 16]) -> Result<Option<SharedBytes>, Failure> {
        let Some(shard) = self.shards.shard_of(self.agent, coord) else { return Ok(None) };
        let spans = shard.read.file.spans(self.agent, coord);
        let spans = spans.map_err(|error| damaged(&shard.path, &error.to_string()))?;
        Ok(spans.map(|(_, bytes)| SharedBytes::from(&bytes[..])))
    }
}

impl BakedStore for ShardStore<'_> {
    fn cached_spans(&self) -> Result<Option<LevelSpans>, Failure> {
        let facts = &self.shards.agents()[self.agent];
        let Some(settings) = facts.cache_settings.clone() else { return Ok(None) };
        let all = self.shards.shards.values().flat_map(|shard| shard.read.file.cached(self.agent));
        let mut tiles: Vec<(TileCoord, [u8; 16])> = all.collect();
        tiles.sort_unstable_by_key(|(coord, _)| *coord);
        Ok(Some(LevelSpans { size: facts.size, height: facts.height, settings, tiles }))
    }

    fn hierarchy(&self) -> Option<&HierarchyInput> {
        self.shards.agents()[self.agent].hierarchy.as_ref()
    }

    fn memory(&self) -> u64 {
        MEMORY
    }

    fn check(&self, written: &mut Pending) -> Result<(), Failure> {
        if self.shards.agents()[self.agent].cache_settings.is_none() {
            return Ok(());
        }
        let fault = Written::open(self.target, written)?.fault_of_spans(self.bound);
        let Some(fault) = fault else { return Ok(()) };
        let (shard, is_too_large) = match &fault {
            CacheError::Spans { coord, .. } => (self.shards.shard_of(self.agent, *coord), false),
            CacheError::Memory { coord, .. } => (self.shards.shard_of(self.agent, *coord), true),
            _ => (None, false),
        };
        // All shard files have the same settings.
        let shard = shard.or(self.shards.shards.values().next());
        let failure = damaged(shard.map_or(self.target.path(), |shard| &shard.path), &fault.to_string());
        Err(match is_too_large {
            true => {
                failure.help("nothing was written; allow more memory with --memory, or bake this shard again")
            }
            false => failure,
        })
    }
}
