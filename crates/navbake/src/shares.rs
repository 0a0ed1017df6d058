//! Baking in shares: each a run of the tiles, made on any machine or thread, and put together in any order.

use crate::error::BakeError;
use crate::level_bake::LevelBake;
use crate::report::BakedFile;
use crate::share_bytes::{self, Identity};
use crate::whole_tile::{Share, WholeTile};
use crate::write;
use navtile::TileCoord;
use navtile::graph::local_islands;
use recast::{Baked, Job, Observer, Tiling, bake_jobs, job_memory};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

impl LevelBake {
    /// Bakes one of `of` shares of the tiles, on the threads of rayon's current pool; `index` counts from 0. The shares are
    /// runs of the canonical order of tiles that take about the same time. Returns what [`LevelBake::join`] takes.
    ///
    /// # Errors
    /// An index that is not below `of`, a level that is too large, an observer that gives up.
    pub fn share(&self, index: u32, of: u32, observer: &dyn Observer) -> Result<Vec<u8>, BakeError> {
        if index >= of {
            let message = format!("share {index} of {of}: expected a share from 0 to below {of}");
            return Err(BakeError::new(message));
        }
        Ok(share_bytes::encode(&self.identity(), &self.bake_share(index, of, observer)?))
    }

    /// Puts the shares of this bake together, in any order: a file for each agent, with the bytes of [`LevelBake::run`].
    ///
    /// # Errors
    /// Shares that are damaged, of another bake, or given twice; tiles that no share has.
    pub fn join(&self, shares: &[impl AsRef<[u8]>]) -> Result<Vec<BakedFile>, BakeError> {
        let read = shares.iter().enumerate().map(|(index, bytes)| self.read_share(index, bytes.as_ref()));
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
        (0..self.levels.len())
            .map(|agent| write::file(self, &tiling, agent, &coords[agent], &mut tiles))
            .collect()
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
        let done = |agent: usize, baked: Baked| -> Result<(), recast::Error> {
            let place = (agent, baked.tile.coord());
            let whole = WholeTile::of(baked, self.tile_cells > 0);
            share.lock().unwrap_or_else(PoisonError::into_inner).insert(place, whole);
            Ok(())
        };
        bake_jobs(&tiling, &jobs, bound, observer, &done).map_err(|error| self.failed(&error))?;
        Ok(share.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// The jobs of a share: a run of all in canonical order, weighed by the memory that they take, which grows with their
    /// cells and triangles as the time does.
    fn jobs(&self, tiling: &Tiling<'_>, index: u32, of: u32) -> Result<Vec<Job>, BakeError> {
        let mut agents_of: BTreeMap<TileCoord, Vec<usize>> = BTreeMap::new();
        for (agent, coords) in self.coords(tiling)?.into_iter().enumerate() {
            coords.into_iter().for_each(|coord| agents_of.entry(coord).or_default().push(agent));
        }
        let mut before = 0u128;
        let mut weighed = Vec::with_capacity(agents_of.len());
        for (coord, agents) in agents_of {
            let job = Job { coord, agents };
            let weight = job_memory(tiling, &job).map_err(|error| self.failed(&error))?.max(1);
            weighed.push((before + u128::from(weight) / 2, job));
            before += u128::from(weight);
        }
        let (index, of) = (u128::from(index), u128::from(of));
        let mine = |middle: u128| middle * of / before == index;
        Ok(weighed.into_iter().filter(|(middle, _)| mine(*middle)).map(|(_, job)| job).collect())
    }

    fn identity(&self) -> Identity {
        let digests = self.levels.iter().map(|level| write::digest_of(level, self)).collect();
        Identity { digests, tile_cells: self.tile_cells }
    }

    fn read_share(&self, index: usize, bytes: &[u8]) -> Result<Share, BakeError> {
        let damaged =
            |why: String| BakeError::new(format!("share {index} is damaged: {why}")).help("bake it again");
        let (identity, tiles) = share_bytes::decode(bytes).map_err(damaged)?;
        if identity != self.identity() {
            return Err(BakeError::new(format!("share {index} is of another level, or of other settings"))
                .help("bake all shares from the same files and settings"));
        }
        let mut share = Share::new();
        for (agent, whole) in tiles {
            let coord = whole.tile.coord();
            let TileCoord { x, z, .. } = coord;
            if agent >= self.levels.len() {
                return Err(damaged(format!(
                    "tile ({x}, {z}) is for agent {agent} of {}",
                    self.levels.len()
                )));
            }
            let islands = local_islands(&whole.tile).iter().max().map_or(0, |last| *last as usize + 1);
            if islands != whole.island_cells.len() {
                let found = whole.island_cells.len();
                return Err(damaged(format!("tile ({x}, {z}) has {islands} islands, and sizes of {found}")));
            }
            if share.insert((agent, coord), whole).is_some() {
                return Err(damaged(format!("it has tile ({x}, {z}) twice")));
            }
        }
        Ok(share)
    }
}
