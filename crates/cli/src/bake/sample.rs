//! A sample of a bake, from which the time and the memory of the whole follow: a few tiles, spread evenly over the level,
//! baked and thrown away. A level smaller than the sample is all baked.

use navtile::TileCoord;
use recast::{Baked, Error, Job, Silent, Tiling, bake_jobs, held_memory};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Columns that a sample has at most, of all agents: a second of one core.
const COLUMNS: u64 = 1 << 21;
/// Side of the pieces that stand for a level in one piece, cells. Watershed floods large open ground more slowly than small, so
/// that smaller pieces would cost too little.
const PIECE: u32 = 512;
/// How much longer one piece takes than its pieces, whose memory is warm and small: 1.2 to 1.8 times as long on levels of 3 to 8
/// million columns.
const OF_ONE_PIECE: f64 = 1.3;

/// The tiles of a bake, or the pieces that stand for it.
struct Pieces<'a> {
    tiling: &'a Tiling<'a>,
    coords: Vec<TileCoord>,
    agents: usize,
}

/// Time and memory of all tiles of a bake.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    /// For baking all of them, on the threads there are.
    pub(super) time: Duration,
    /// Of the tile that holds most, bytes.
    pub(super) largest: u64,
    /// Of the ground that links are found on, bytes.
    pub(super) ground: u64,
}

/// Ground is in memory once as tiles hold it, and once as it is joined.
const COPIES_OF_GROUND: f64 = 2.0;

/// The time and memory of the pieces that were baked.
struct Baking {
    elapsed: Duration,
    /// Columns of the pieces baked, borders included.
    columns: u64,
    /// The memory that each held, for the agent that held most.
    held: Vec<u64>,
    /// The ground of all pieces baked, bytes.
    ground: u64,
}

impl Sample {
    /// Bakes a sample of `tiling`, whose tiles are `coords`.
    pub(super) fn take(tiling: &Tiling<'_>, coords: &[TileCoord]) -> Result<Sample, Error> {
        let agents = tiling.levels().len();
        let whole = Pieces { tiling, coords: coords.to_vec(), agents };
        let columns = whole.columns(coords)?;
        let threads = rayon::current_num_threads().min(coords.len().max(1));
        if columns <= COLUMNS || columns / coords.len() as u64 <= COLUMNS / 16 {
            let (baking, share) = whole.bake(threads)?;
            let largest = baking.held.into_iter().max().unwrap_or(0);
            let ground = (baking.ground as f64 * share * COPIES_OF_GROUND) as u64;
            return Ok(Sample { time: baking.elapsed.mul_f64(share), largest, ground });
        }
        let tiling = Tiling::for_agents(tiling.levels(), PIECE)?;
        let pieces = Pieces { coords: tiling.coords(), tiling: &tiling, agents };
        // Pieces of one tile are baked like it, one at a time on all threads; those of many, side by side.
        let (baking, share) = pieces.bake(threads)?;
        // Pieces bake their borders, too.
        let inner = u64::from(PIECE) * u64::from(PIECE) * (baking.held.len() * agents) as u64;
        let share = share * inner as f64 / baking.columns as f64;
        let slowness = if coords.len() == 1 { OF_ONE_PIECE } else { 1.0 };
        let held: u64 = baking.held.iter().sum();
        Ok(Sample {
            time: baking.elapsed.mul_f64(share * slowness),
            largest: (held as f64 * share / coords.len() as f64) as u64,
            ground: (baking.ground as f64 * share * COPIES_OF_GROUND) as u64,
        })
    }
}

impl Pieces<'_> {
    /// Bakes some of the pieces, `side_by_side` at a time; and by how many times more there are in all.
    fn bake(&self, side_by_side: usize) -> Result<(Baking, f64), Error> {
        let each = self.columns(&self.coords)?.div_ceil(COLUMNS).max(1) as usize;
        let chosen: Vec<TileCoord> = self.coords.iter().skip(each / 2).step_by(each).copied().collect();
        let jobs: Vec<Job> =
            chosen.iter().map(|&coord| Job { coord, agents: (0..self.agents).collect() }).collect();
        let held = Mutex::new(BTreeMap::<TileCoord, u64>::new());
        let ground = AtomicU64::new(0);
        let done = |agent: usize, baked: Baked| {
            let partition = self.tiling.levels()[agent].config.settings.partition;
            let memory = held_memory(&baked.counts, partition);
            let own = baked.ground.as_ref().map_or(0, |ground| ground.memory());
            ground.fetch_add(own, Ordering::Relaxed);
            let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
            let most = held.entry(baked.tile.coord()).or_default();
            *most = memory.max(*most);
            Ok::<(), Error>(())
        };
        let started = Instant::now();
        for jobs in jobs.chunks(if side_by_side == 1 { 1 } else { jobs.len().max(1) }) {
            bake_jobs(self.tiling, jobs, u64::MAX, &Silent, &done)?;
        }
        let elapsed = started.elapsed();
        let held = held.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect();
        let share = self.coords.len() as f64 / chosen.len().max(1) as f64;
        let ground = ground.into_inner();
        Ok((Baking { elapsed, columns: self.columns(&chosen)?, held, ground }, share))
    }

    /// Columns of the grids of tiles, for all agents.
    fn columns(&self, coords: &[TileCoord]) -> Result<u64, Error> {
        let mut columns = 0;
        for agent in 0..self.agents {
            for coord in coords {
                columns += self.tiling.build(agent, *coord)?.grid.columns() as u64;
            }
        }
        Ok(columns)
    }
}
