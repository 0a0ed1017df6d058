//! A sample of a bake, for an estimate of its time and memory: a few tiles are baked and discarded. A level
//! smaller than the sample is baked whole.
//!
//! Levels are not uniform: a dungeon has rock between its rooms, and a few parts of it have more ground or
//! less than the others. So tiles are weighed by the maximum number of floors that their triangles make,
//! which is known without baking. The sample is spread evenly over that weight, and represents the whole in
//! proportion to its weight.

use navlevel::{Job, Tiling, bake_jobs, most_floors};
use navtile::TileCoord;
use rayon::prelude::*;
use recast::{Baked, Counts, Error, Silent, held_memory};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of columns of a sample, of all agents: a second of one core.
const COLUMNS: u64 = 1 << 21;
/// Side of the tiles that represent a level in one piece, cells. Watershed floods large open ground more
/// slowly than small ground, so that smaller tiles would give too low an estimate.
const SAMPLE_CELLS: u32 = 512;
/// Time of a solo bake relative to its sample tiles, whose memory is warm and small: 1.2 to 1.8 on levels of
/// 3 to 8 million columns.
const SOLO_FACTOR: f64 = 1.3;

/// The tiles of a bake, or the tiles that represent it.
struct SampleTiles<'a> {
    tiling: &'a Tiling<'a>,
    tiles: Vec<(TileCoord, Weight)>,
    /// Columns of their grids, for all agents.
    columns: u64,
}

/// The memory that a tile is expected to hold for its maximum number of floors, bytes. It is always too
/// large, but by about the same factor.
#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    /// For the agent that holds most.
    of_one: u64,
    /// For all agents.
    of_all: u64,
}

/// Time and memory of all tiles of a bake.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    /// For baking all of them, on the available threads.
    pub(crate) time: Duration,
    /// Of the largest tile, bytes.
    pub(crate) largest: u64,
    /// Of the ground that links are found on, bytes.
    pub(crate) ground: u64,
}

/// Ground is in memory twice: in tiles, and joined.
const COPIES_OF_GROUND: f64 = 2.0;

/// The time and memory of the tiles that were baked.
struct Baking {
    elapsed: Duration,
    /// Of these tiles, summed.
    weight: Weight,
    /// The memory of each, for the agent that needs most.
    held: Vec<u64>,
    /// The ground of all tiles baked, bytes.
    ground: u64,
}

impl Sample {
    /// Bakes a sample of `tiling`, whose tiles are `coords`.
    pub(crate) fn take(tiling: &Tiling<'_>, coords: &[TileCoord]) -> Result<Sample, Error> {
        let whole = SampleTiles::new(tiling, coords)?;
        let threads = rayon::current_num_threads().min(coords.len().max(1));
        if whole.columns <= COLUMNS || whole.columns / coords.len() as u64 <= COLUMNS / 16 {
            let baking = whole.bake(threads)?;
            let largest = baking.held.iter().copied().max().unwrap_or(0);
            return Ok(baking.stands_for(&whole, largest));
        }
        let tiling = Tiling::for_agents(tiling.levels(), SAMPLE_CELLS)?;
        // The sample of one tile is baked like it, one tile at a time on all threads; the sample of many is
        // baked in parallel.
        let baking = SampleTiles::new(&tiling, &tiling.coords())?.bake(threads)?;
        let held: u64 = baking.held.iter().sum();
        let most = whole.tiles.iter().map(|(_, weight)| weight.of_one).max().unwrap_or(0);
        let largest = held as f64 * share(most, baking.weight.of_one);
        let mut sample = baking.stands_for(&whole, largest as u64);
        if coords.len() == 1 {
            sample.time = sample.time.mul_f64(SOLO_FACTOR);
        }
        Ok(sample)
    }
}

/// The ratio of a whole to a part.
fn share(whole: u64, part: u64) -> f64 {
    whole as f64 / part.max(1) as f64
}

impl Baking {
    /// The estimate for these tiles, the largest of which holds `largest` bytes.
    fn stands_for(&self, whole: &SampleTiles<'_>, largest: u64) -> Sample {
        let share = share(whole.weight(), self.weight.of_all);
        let ground = (self.ground as f64 * share * COPIES_OF_GROUND) as u64;
        Sample { time: self.elapsed.mul_f64(share), largest, ground }
    }
}

impl<'a> SampleTiles<'a> {
    fn new(tiling: &'a Tiling<'a>, coords: &[TileCoord]) -> Result<SampleTiles<'a>, Error> {
        let weighed = |coord: &TileCoord| {
            let (mut weight, mut columns) = (Weight::default(), 0);
            for (agent, level) in tiling.levels().iter().enumerate() {
                let grid = tiling.build(agent, *coord)?.grid;
                let counts = Counts {
                    grid: [grid.width, grid.depth],
                    compact_spans: most_floors(tiling, agent, *coord)? as usize,
                    ..Counts::default()
                };
                let held = held_memory(&counts, level.config.settings.partition);
                weight = Weight { of_one: weight.of_one.max(held), of_all: weight.of_all + held };
                columns += grid.columns() as u64;
            }
            Ok(((*coord, weight), columns))
        };
        let weighed = coords.par_iter().map(weighed).collect::<Result<Vec<_>, Error>>()?;
        let columns = weighed.iter().map(|(_, columns)| columns).sum();
        Ok(SampleTiles { tiling, tiles: weighed.into_iter().map(|(tile, _)| tile).collect(), columns })
    }

    /// Of all tiles and agents.
    fn weight(&self) -> u64 {
        self.tiles.iter().map(|(_, weight)| weight.of_all).sum()
    }

    /// All tiles, if they are no larger than a sample; else a share of them, at even distances of weight.
    fn chosen(&self) -> Vec<(TileCoord, Weight)> {
        if self.columns <= COLUMNS {
            return self.tiles.clone();
        }
        let count = (self.tiles.len() as u64 / self.columns.div_ceil(COLUMNS)).max(1);
        let whole = self.weight();
        let (mut before, mut next) = (0, 0);
        let mut is_chosen = |weight: &Weight| {
            before += weight.of_all;
            // The middle of each of `count` parts of the weight.
            let reached = |part: u64| (2 * part + 1) * (whole / (2 * count)) < before;
            let is_chosen = next < count && reached(next);
            while next < count && reached(next) {
                next += 1;
            }
            is_chosen
        };
        self.tiles.iter().filter(|(_, weight)| is_chosen(weight)).copied().collect()
    }

    /// Bakes some of the tiles, `side_by_side` at a time.
    fn bake(&self, side_by_side: usize) -> Result<Baking, Error> {
        let (chosen, agents) = (self.chosen(), self.tiling.levels().len());
        let jobs: Vec<Job> =
            chosen.iter().map(|&(coord, _)| Job { coord, agents: (0..agents).collect() }).collect();
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
        let weight = chosen.iter().fold(Weight::default(), |sum, (_, weight)| Weight {
            of_one: sum.of_one + weight.of_one,
            of_all: sum.of_all + weight.of_all,
        });
        Ok(Baking { elapsed, weight, held, ground: ground.into_inner() })
    }
}
