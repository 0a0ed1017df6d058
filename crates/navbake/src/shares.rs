//! Baking in shares: each share is a run of tiles, baked on any machine or thread, and joined in any order.

use crate::error::BakeError;
use crate::level_bake::LevelBake;
use crate::report::BakedFile;
use crate::shard::{
    AgentFacts, Difference, MOST_SHARES, ReadShard, ShardFile, ShardHead, ShardRun, Share, WholeTile,
};
use crate::write;
use navlevel::{GroundKeeper, Job, KeptGround, Tiling, bake_jobs, share_jobs};
use navlinks::ground_memory;
use navtile::TileCoord;
use recast::{Baked, Observer};
use std::sync::{Mutex, PoisonError};

impl LevelBake {
    /// Bakes one of `of` shares of the tiles, on the threads of rayon's current pool; `index` counts from 0.
    /// The shares are runs of a curve through all tiles that take about the same time
    /// ([`navlevel::share_jobs`]). Returns the bytes of a [shard file](crate::shard), for [`LevelBake::join`]
    /// or the program's `navtile join`.
    ///
    /// # Errors
    /// Fails if the index is not below `of`, if the level is too large, or if the observer cancels the bake.
    pub fn share(&self, index: u32, of: u32, observer: &dyn Observer) -> Result<Vec<u8>, BakeError> {
        if index >= of || of > MOST_SHARES {
            let message = format!(
                "share {index} of {of}: expected a share from 0 to below {of}, and at most {MOST_SHARES} shares"
            );
            return Err(BakeError::new(message));
        }
        let share = self.bake_share(index, of, observer)?;
        let run = ShardRun { baked: share.len() as u64, ..ShardRun::default() };
        let failed = |error: std::io::Error| BakeError::new(format!("share {index}: {error}"));
        let mut shard = ShardFile::create(Vec::new(), &self.head([index + 1, of])).map_err(failed)?;
        for ((agent, _), whole) in &share {
            shard.put(*agent, whole).map_err(failed)?;
        }
        shard.finish(&run).map_err(failed)?;
        Ok(shard.into_storage())
    }

    /// Joins the shares of this bake, in any order: a file for each agent, with the bytes of
    /// [`LevelBake::run`].
    ///
    /// # Errors
    /// Fails if a share is damaged, belongs to another bake or is given twice, or if tiles are missing from
    /// all shares.
    pub fn join(&self, shares: &[impl AsRef<[u8]>]) -> Result<Vec<BakedFile>, BakeError> {
        let own = self.head([1, 1]);
        let read =
            shares.iter().enumerate().map(|(index, bytes)| self.read_share(&own, index, bytes.as_ref()));
        self.join_shares(read.collect::<Result<_, _>>()?)
    }

    pub(crate) fn join_shares(&self, shares: Vec<Share>) -> Result<Vec<BakedFile>, BakeError> {
        let mut tiles = Share::new();
        for (index, share) in shares.into_iter().enumerate() {
            for (place, tile) in share {
                if tiles.insert(place, tile).is_some() {
                    let TileCoord { x, z, .. } = place.1;
                    return Err(BakeError::new(format!(
                        "share {index}: tile ({x}, {z}) is in another share too"
                    ))
                    .help("give each share once"));
                }
            }
        }
        let tiling = self.tiling()?;
        let coords = self.coords(&tiling)?;
        for (agent, coords) in coords.iter().enumerate() {
            if let Some(TileCoord { x, z, .. }) =
                coords.iter().find(|coord| !tiles.contains_key(&(agent, **coord)))
            {
                return Err(BakeError::new(format!("tile ({x}, {z}) is in no share")).help("give all shares"));
            }
        }
        (0..self.levels.len()).map(|agent| write::file(self, agent, &coords[agent], &tiles)).collect()
    }

    pub(crate) fn bake_share(
        &self,
        index: u32,
        of: u32,
        observer: &dyn Observer,
    ) -> Result<Share, BakeError> {
        let tiling = self.tiling()?;
        let jobs = self.jobs(&tiling, index, of)?;
        let bound =
            self.levels.iter().map(|level| level.config.settings.memory_bound).min().unwrap_or(u64::MAX);
        let share: Mutex<Share> = Mutex::default();
        let keeper = GroundKeeper::new(GroundKeeper::MOST.min(bound));
        let done = |agent: usize, baked: Baked| -> Result<(), recast::Error> {
            let place = (agent, baked.tile.coord());
            let hash = tiling.input_hash(agent, place.1)?;
            let input = (hash.0, self.tile_cells > 0);
            let whole = WholeTile::new(&self.levels[agent], baked, input, &keeper);
            share.lock().unwrap_or_else(PoisonError::into_inner).insert(place, whole);
            Ok(())
        };
        bake_jobs(&tiling, &jobs, bound, observer, &done).map_err(|error| self.failed(&error))?;
        Ok(share.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// The jobs of a share.
    fn jobs(&self, tiling: &Tiling<'_>, index: u32, of: u32) -> Result<Vec<Job>, BakeError> {
        share_jobs(tiling, Job::of_agents(&self.coords(tiling)?), index, of)
            .map_err(|error| self.failed(&error))
    }

    fn head(&self, share: [u32; 2]) -> ShardHead {
        let facts = |(level, name): (&recast::PreparedLevel, &Option<String>)| {
            let meta = navlevel::meta::meta(level, self.tile_cells, self.reachable_from);
            let facts = AgentFacts::new(level, name.clone(), meta, &self.warnings);
            AgentFacts { hierarchy: self.hierarchy.clone(), ..facts }
        };
        ShardHead::new(share, self.levels.iter().zip(&self.agents).map(facts).collect())
    }

    /// The tiles of a share. The share must belong to the bake with the head `own`.
    fn read_share(&self, own: &ShardHead, index: usize, bytes: &[u8]) -> Result<Share, BakeError> {
        let damaged =
            |why: String| BakeError::new(format!("share {index} is damaged: {why}")).help("bake it again");
        let mut read = ShardFile::read(bytes.to_vec()).map_err(|error| damaged(error.to_string()))?;
        if let Some(why) = read.damage {
            return Err(damaged(why));
        }
        if read.run.is_none() {
            return Err(damaged("its end is missing".to_owned()));
        }
        // The index and number of shares do not matter as long as all tiles are there.
        if own.difference(&read.head).is_some_and(|difference| difference != Difference::Shares) {
            return Err(BakeError::new(format!("share {index} has a different level or settings"))
                .help("bake all shares from the same files and settings"));
        }
        self.check_memory(&read)?;
        let mut share = Share::new();
        for stored in std::mem::take(&mut read.tiles) {
            let coord = stored.node.coord();
            let TileCoord { x, z, .. } = coord;
            let tile = read.tile(&stored).map_err(|error| damaged(format!("tile ({x}, {z}): {error}")))?;
            let ground = read.file.ground(stored.agent, coord).map_err(|error| damaged(error.to_string()))?;
            let ground = ground.map(KeptGround::Packed);
            let whole = WholeTile { tile, node: stored.node, facts: stored.facts, ground };
            if share.insert((stored.agent, coord), whole).is_some() {
                return Err(damaged(format!("it has tile ({x}, {z}) twice")));
            }
        }
        Ok(share)
    }

    /// Rejects ground that claims more memory than is allowed, in the smallest windows that help.
    fn check_memory<S>(&self, read: &ReadShard<S>) -> Result<(), BakeError> {
        for (agent, level) in self.levels.iter().enumerate() {
            let own = read.tiles.iter().filter(|stored| stored.agent == agent);
            let tiles = own.filter_map(|stored| Some((stored.node.coord(), stored.ground?)));
            let bound = level.config.settings.memory_bound;
            let needed = ground_memory(level, self.tile_cells, tiles, bound);
            if needed > bound {
                let what = format!("the ground of a share takes {needed} bytes, and memory_bound is {bound}");
                return Err(BakeError::new(what).help("allow more memory"));
            }
        }
        Ok(())
    }
}
