//! Bakes many tiles on all cores: the largest first, so that no large one is left over at the end, and no
//! more at a time than memory allows. Each worker keeps its scratch. The order in which tiles finish shows
//! only in the calls to `done`.

use crate::prune::prune_islands;
use crate::span_cache::CachedSpans;
use crate::tiling::Tiling;
use navmath::sort::SharedSort;
use navtile::TileCoord;
use rayon::prelude::*;
use recast::Baked;
use recast::Error;
use recast::Observer;
use recast::PreparedLevel;
use recast::Scratch;
use recast::inside::memory;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// A tile to bake, and the agents to bake it for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The tile.
    pub coord: TileCoord,
    /// The agents it is baked for: indices into [`Tiling::levels`], at least one.
    pub agents: Vec<usize>,
}

impl Job {
    /// The jobs that bake the tiles of several agents, each tile once. `tiles` holds the tiles of each agent.
    /// In canonical order.
    pub fn of_agents<'a>(
        tiles: impl IntoIterator<Item = impl IntoIterator<Item = &'a TileCoord>>,
    ) -> Vec<Job> {
        let mut agents_of: BTreeMap<TileCoord, Vec<usize>> = BTreeMap::new();
        for (agent, tiles) in tiles.into_iter().enumerate() {
            tiles.into_iter().for_each(|coord| agents_of.entry(*coord).or_default().push(agent));
        }
        agents_of.into_iter().map(|(coord, agents)| Job { coord, agents }).collect()
    }
}

/// Memory for tiles that are being baked, shared by all workers.
struct Budget {
    free: Mutex<u64>,
    freed: Condvar,
    total: u64,
}

impl Budget {
    /// Waits until `bytes` are free and takes them. If `bytes` is more than the whole budget, takes all of
    /// it.
    fn take(&self, bytes: u64) -> u64 {
        let bytes = bytes.min(self.total);
        let guard = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free =
            self.freed.wait_while(guard, |free| *free < bytes).unwrap_or_else(PoisonError::into_inner);
        *free -= bytes;
        bytes
    }

    fn give_back(&self, bytes: u64) {
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) += bytes;
        self.freed.notify_all();
    }
}

/// Bakes all tiles of a level, in parallel on rayon's current pool, the largest first, each worker with
/// scratch of its own. Drops islands that are too small over all tiles they reach, and leaves out tiles
/// without polygons. The result is in the canonical order of tiles (x, z, layer) and does not depend on the
/// number of threads.
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings};
/// use navlevel::bake_tiles;
/// use recast::Silent;
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// let tiles = bake_tiles(&level, 20, &Silent)?;
/// assert_eq!(tiles.len(), 4);
/// # Ok::<(), recast::Error>(())
/// ```
pub fn bake_tiles(
    level: &PreparedLevel,
    tile_cells: u32,
    observer: &dyn Observer,
) -> Result<Vec<Baked>, Error> {
    let tiling = Tiling::new(level, tile_cells)?;
    let jobs: Vec<Job> = tiling.coords().into_iter().map(|coord| Job { coord, agents: vec![0] }).collect();
    let done = Mutex::new(Vec::with_capacity(jobs.len()));
    bake_jobs(&tiling, &jobs, u64::MAX, observer, &|_, baked| {
        done.lock().unwrap_or_else(PoisonError::into_inner).push(baked);
        Ok::<(), Error>(())
    })?;
    let mut baked = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    prune_islands(level, tile_cells, &mut baked)?;
    Ok(baked)
}

/// Memory that baking a tile is expected to take, bytes: its grid, its triangles, and their fragments and
/// floors, for the agent that needs most. If that is more than the level's `memory_bound`, the result is a
/// lower estimate.
pub fn job_memory(tiling: &Tiling<'_>, job: &Job) -> Result<u64, Error> {
    let mut most = 0;
    for &agent in &job.agents {
        let grid = tiling.build(agent, job.coord)?.grid;
        let bound = tiling.levels()[agent].config.settings.memory_bound;
        // Up to a quarter of a thread's memory for tiles, a coarse estimate is enough.
        let plenty = bound.saturating_sub(tiling.standing()) / (4 * rayon::current_num_threads() as u64);
        let source = tiling.source(agent, job.coord);
        most = most.max(memory::of_tile(source, &grid, bound, plenty, job.agents.len() > 1));
    }
    Ok(most)
}

/// Largest possible number of floors of an agent's tile, from the bounds of its triangles; nothing is
/// rasterized. Shows which tiles have much ground and which little, before any is baked.
pub fn most_floors(tiling: &Tiling<'_>, agent: usize, coord: TileCoord) -> Result<u64, Error> {
    let grid = tiling.build(agent, coord)?.grid;
    Ok(memory::most_floors(tiling.source(agent, coord), &grid))
}

/// Bakes tiles on the current rayon pool. `done` is called with each agent and its tile, on the thread that
/// baked it. The tiles in progress take at most `memory` bytes, as estimated by [`job_memory`].
///
/// # Errors
/// The first error of a tile or of `done`; tiles in progress are finished first. A tile that needs more than
/// `memory` by itself is refused before any is baked.
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings};
/// use navlevel::{Job, Tiling, bake_jobs};
/// use recast::{Baked, Error, Silent};
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// let tiling = Tiling::new(&level, 20)?;
/// let jobs: Vec<Job> = tiling.coords().into_iter().map(|coord| Job { coord, agents: vec![0] }).collect();
/// let bytes = AtomicUsize::new(0);
/// let done = |_agent: usize, baked: Baked| {
///     bytes.fetch_add(baked.tile.bytes().len(), Ordering::Relaxed); // or write it to a file
///     Ok::<(), Error>(())
/// };
/// bake_jobs(&tiling, &jobs, 1 << 30, &Silent, &done)?;
/// assert!(bytes.into_inner() > 0);
/// # Ok::<(), recast::Error>(())
/// ```
pub fn bake_jobs<E: From<Error> + Send>(
    tiling: &Tiling<'_>,
    jobs: &[Job],
    memory: u64,
    observer: &dyn Observer,
    done: &(dyn Fn(usize, Baked) -> Result<(), E> + Sync),
) -> Result<(), E> {
    run_jobs(tiling, jobs, memory, &|job, scratch| {
        tiling.bake_agents(&job.agents, job.coord, observer, scratch, done)
    })
}

/// Bakes tiles like [`bake_jobs`], and keeps the spans of each ([`Tiling::bake_agents_caching`]).
pub fn bake_caching_jobs<E: From<Error> + Send>(
    tiling: &Tiling<'_>,
    jobs: &[Job],
    memory: u64,
    observer: &dyn Observer,
    done: &(dyn Fn(usize, Baked, CachedSpans) -> Result<(), E> + Sync),
) -> Result<(), E> {
    run_jobs(tiling, jobs, memory, &|job, scratch| {
        tiling.bake_agents_caching(&job.agents, job.coord, observer, scratch, done)
    })
}

/// Runs `bake` on the tiles of all jobs.
fn run_jobs<E: From<Error> + Send>(
    tiling: &Tiling<'_>,
    jobs: &[Job],
    memory: u64,
    bake: &(dyn Fn(&Job, &mut Scratch) -> Result<(), E> + Sync),
) -> Result<(), E> {
    let sized = |job| -> Result<(u64, &Job), Error> { Ok((job_memory(tiling, job)?, job)) };
    let mut sized: Vec<(u64, &Job)> = jobs.par_iter().map(sized).collect::<Result<_, _>>()?;
    if let Some((needed, job)) = sized.iter().find(|(needed, _)| *needed > memory) {
        let grid = tiling.build(job.agents.first().copied().unwrap_or(0), job.coord)?.grid;
        return Err(tiling.in_tile(job.coord, Error::too_large(&grid, *needed, memory)).into());
    }
    sized.shared_sort_by_key(|(needed, job)| {
        (std::cmp::Reverse(*needed), std::cmp::Reverse(tiling.triangle_count(job.coord)), job.coord)
    });
    let budget = Budget { free: Mutex::new(memory), freed: Condvar::new(), total: memory };
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let failure: Mutex<Option<E>> = Mutex::new(None);
    let work = || {
        let (mut scratch, mut held) = (Scratch::new(), 0);
        while !failed.load(Ordering::Relaxed) {
            let Some(&(needed, job)) = sized.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            // Scratch is as large as the largest tile it was used for; tiles only become smaller.
            if held > needed + needed / 4 {
                scratch = Scratch::new();
            }
            held = needed;
            let taken = budget.take(needed);
            let baked = bake(job, &mut scratch);
            budget.give_back(taken);
            if let Err(error) = baked {
                failed.store(true, Ordering::Relaxed);
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
    };
    let workers = rayon::current_num_threads().min(sized.len());
    rayon::scope(|scope| (0..workers).for_each(|_| scope.spawn(|_| work())));
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::{Level, PreparedLevel, Settings, Silent};

    fn steps(count: u32) -> Level {
        let mut level = Level::default();
        for index in 0..count {
            let (first, x, y) =
                (level.vertices.len() as u32, 6.0 * f64::from(index), 0.1 * f64::from(index % 7));
            // So deep that only the widest border reaches the next row of tiles.
            level.vertices.extend([[x, y, 0.0], [x, y, 11.9], [x + 6.0, y, 11.9], [x + 6.0, y, 0.0]]);
            level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        }
        let first = level.vertices.len() as u32;
        level.vertices.extend([[0.0, 0.0, 60.0], [0.0, 0.0, 61.0], [1.0, 0.0, 61.0]]);
        level.triangles.push([first, first + 1, first + 2]);
        level
    }

    fn agents() -> Vec<PreparedLevel> {
        let human = PreparedLevel::new(&steps(12), &Settings::default()).unwrap();
        let other = |radius, climb, slope| Settings {
            agent_radius: radius,
            agent_climb: climb,
            agent_slope: slope,
            ..Settings::default()
        };
        let mouse = human.with_settings(&other(0.1, 0.2, 20.0)).unwrap();
        let giant = human.with_settings(&other(1.5, 0.9, 60.0)).unwrap();
        vec![human, mouse, giant]
    }

    type Tiles = BTreeMap<(usize, TileCoord), Vec<u8>>;

    fn bake(tiling: &Tiling<'_>, jobs: &[Job], memory: u64, threads: usize) -> Result<Tiles, Error> {
        let tiles = Mutex::new(Tiles::new());
        let done = |agent: usize, baked: Baked| {
            tiles.lock().unwrap().insert((agent, baked.tile.coord()), baked.tile.bytes().to_vec());
            Ok::<(), Error>(())
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bake_jobs(tiling, jobs, memory, &Silent, &done))?;
        Ok(tiles.into_inner().unwrap())
    }

    #[test]
    fn agents_that_share_the_cutting_get_what_each_gets_alone() {
        let levels = agents();
        for tile_cells in [0, 24] {
            let tiling = Tiling::for_agents(&levels, tile_cells).unwrap();
            let job = |coord| Job { coord, agents: vec![0, 1, 2] };
            let jobs: Vec<Job> = tiling.coords().into_iter().map(job).collect();
            let shared = bake(&tiling, &jobs, u64::MAX, 2).unwrap();
            assert_eq!(shared.len(), 3 * jobs.len());
            for (agent, level) in levels.iter().enumerate() {
                let alone = Tiling::for_agents(std::slice::from_ref(level), tile_cells).unwrap();
                assert_eq!(alone.coords(), tiling.coords_of(agent).unwrap());
                let fewer = tile_cells > 0 && agent != 2;
                assert_eq!(alone.coords().len() < tiling.coords().len(), fewer, "the test needs both");
                for coord in alone.coords() {
                    let baked = alone.bake(coord, &Silent, &mut Scratch::new()).unwrap();
                    assert!(shared[&(agent, coord)] == baked.tile.bytes(), "agent {agent}, {coord:?}");
                    assert_eq!(
                        alone.input_hash(0, coord).unwrap(),
                        tiling.input_hash(agent, coord).unwrap(),
                        "agent {agent}, {coord:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn neither_threads_nor_memory_show() {
        let levels = agents();
        let tiling = Tiling::for_agents(&levels[..1], 16).unwrap();
        let jobs: Vec<Job> =
            tiling.coords().into_iter().map(|coord| Job { coord, agents: vec![0] }).collect();
        let largest = jobs.iter().map(|job| job_memory(&tiling, job).unwrap()).max().unwrap();
        let one = bake(&tiling, &jobs, u64::MAX, 1).unwrap();
        assert_eq!(one, bake(&tiling, &jobs, u64::MAX, 8).unwrap());
        assert_eq!(one, bake(&tiling, &jobs, largest, 8).unwrap(), "one at a time");
        let error = bake(&tiling, &jobs, largest - 1, 8).unwrap_err();
        assert!(matches!(error.cause(), Error::TooLarge { .. }), "{error}");
        assert!(error.to_string().starts_with("tile ("), "{error}");
    }

    #[test]
    fn an_error_ends_it() {
        let levels = agents();
        let tiling = Tiling::for_agents(&levels[..1], 16).unwrap();
        let jobs: Vec<Job> =
            tiling.coords().into_iter().map(|coord| Job { coord, agents: vec![0] }).collect();
        let seen = AtomicUsize::new(0);
        let done = |_: usize, _: Baked| {
            seen.fetch_add(1, Ordering::Relaxed);
            Err::<(), Error>(Error::Cancelled)
        };
        let result = bake_jobs(&tiling, &jobs, u64::MAX, &Silent, &done);
        assert!(matches!(result, Err(Error::Cancelled)));
        assert!(seen.into_inner() < jobs.len());
    }
}
