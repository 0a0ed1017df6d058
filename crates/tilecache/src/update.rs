//! Bakes the waiting tiles: the most urgent first, within a budget, on the threads of the current pool.

use crate::budget::Budget;
use crate::cache::TileCache;
use crate::error::CacheError;
use crate::live_links::{FoundLinks, LiveLinks};
use crate::pace::{HAS_CLOCK, Pace, timed};
use crate::tile_state::{BakeState, ContentState, NodeState, PruneState, TileState};
use navlevel::{PreparedObstacle, bake_cached, graph_node, retain_islands};
use navlinks::links_of_tiles;
use navtile::file::Source;
use navtile::graph::local_islands;
use navtile::{Tile, TileCoord};
use rayon::prelude::*;
use recast::{Baked, Scratch, Silent, TileBuild};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Tiles that are baked at once if there is no time limit.
const AT_ONCE: usize = 256;

/// A tile that changed.
#[derive(Clone, Debug, PartialEq)]
pub struct TileChange {
    /// Coordinate of the tile.
    pub coord: TileCoord,
    /// The current tile; `None` if it has no walkable ground any more.
    pub tile: Option<Tile>,
}

/// A tile that could not be baked: it keeps its old state until an obstacle in it changes.
#[derive(Debug)]
pub struct FailedTile {
    /// Coordinate of the tile.
    pub coord: TileCoord,
    /// The reason.
    pub error: CacheError,
}

/// The result of an update.
#[derive(Debug, Default)]
pub struct Update {
    /// Tiles that changed, in canonical order. All changes of one update belong together.
    pub changes: Vec<TileChange>,
    /// Tiles that could not be baked.
    pub failed: Vec<FailedTile>,
    /// Number of tiles that were baked.
    pub baked: usize,
    /// Number of tiles that equal those of the file again and were taken from there.
    pub from_file: usize,
    /// Number of tiles that still wait.
    pub left: usize,
}

/// A tile before anything is pruned, and the digest of its input.
pub(crate) struct BakedTile {
    pub(crate) baked: Baked,
    pub(crate) input_hash: [u8; 16],
}

/// The way in which a waiting tile gets its current obstacles.
enum Rebuilt {
    /// It equals the tile of the file again.
    FromFile,
    /// It was baked; `None` if neither the level nor a solid obstacle reaches it.
    Baked(Option<Box<BakedTile>>),
}

/// The limits of an update.
struct Deadline {
    tiles: usize,
    start: Option<(Instant, Duration)>,
}

impl Deadline {
    fn new(budget: Budget) -> Deadline {
        match budget.time {
            Some(_) if !HAS_CLOCK => Deadline { tiles: 1, start: None },
            time => Deadline { tiles: budget.tiles, start: time.map(|time| (Instant::now(), time)) },
        }
    }

    /// Number of the `next` tiles that may be begun together, after `begun` others.
    fn allows(
        &self,
        begun: usize,
        next: &[TileCoord],
        pace: &Pace,
        is_in_file: impl Fn(TileCoord) -> bool,
    ) -> usize {
        let Some((start, time)) = self.start else { return next.len().min(AT_ONCE).min(self.tiles - begun) };
        let spent = pace.spent(start.elapsed(), begun);
        let fits = |(index, coord): &(usize, TileCoord)| {
            let expected = pace.expected(*coord, is_in_file(*coord));
            pace.fits(spent, expected, time, begun + index == 0)
        };
        let together = next.iter().copied().take(rayon::current_num_threads());
        together.enumerate().take_while(fits).count()
    }

    /// The remaining time, if there is a limit.
    fn left(&self) -> Option<Duration> {
        self.start.map(|(start, time)| time.saturating_sub(start.elapsed()))
    }
}

/// Calls `work` with each tile: several on the threads of the current pool, a single one on this thread.
fn on_threads<T: Send>(coords: &[TileCoord], work: impl Fn(TileCoord) -> T + Sync) -> Vec<T> {
    match coords {
        [coord] => vec![work(*coord)],
        _ => coords.par_iter().map(|&coord| work(coord)).collect(),
    }
}

/// Returns true if a tile that was read equals this one, or if both are missing.
fn is_tile<E>(read: Option<Result<Tile, E>>, tile: Option<&Tile>) -> bool {
    read.transpose().is_ok_and(|read| read.as_ref().map(Tile::bytes) == tile.map(Tile::bytes))
}

impl<S: Source + Sync> TileCache<S> {
    /// Bakes waiting tiles within a budget. Neighbouring tiles that now keep other islands, because these
    /// grew or shrank past the limit, change too, in addition to the budget.
    ///
    /// # Errors
    /// A file that can no longer be read, and missing ground at the place that everything must be reachable
    /// from. The tiles of this update then continue to wait. A tile that cannot be baked is not an error: it
    /// is listed in [`Update::failed`].
    pub fn update(&mut self, budget: Budget) -> Result<Update, CacheError> {
        let mut update = Update::default();
        let deadline = Deadline::new(budget);
        let mut unpruned: BTreeMap<TileCoord, Option<Tile>> = BTreeMap::new();
        self.find_waiting()?;
        self.updates += 1;
        let urgent = self.urgent();
        let mut begun = 0;
        loop {
            let rest = &urgent[begun..];
            let is_in_file = |coord| self.is_in_file(coord).unwrap_or(false);
            let batch = &rest[..deadline.allows(begun, rest, &self.pace, is_in_file)];
            if batch.is_empty() {
                break;
            }
            begun += batch.len();
            let rebuilt = self.run_batch(batch, TileCache::rebuild);
            for (coord, (rebuilt, took)) in batch.iter().copied().zip(rebuilt) {
                match rebuilt {
                    Ok(Rebuilt::FromFile) => {
                        update.from_file += 1;
                        self.restore_tile(coord);
                    }
                    Ok(Rebuilt::Baked(baked)) => {
                        update.baked += 1;
                        self.pace.note(coord, took);
                        unpruned.insert(coord, self.replace_tile(coord, baked.map(|tile| *tile)));
                    }
                    Err(error) => {
                        update.baked += 1;
                        let since = self.updates;
                        self.tiles.edit(coord, |tile| {
                            tile.bake = BakeState::Failed(tile.waiting_since().unwrap_or(since))
                        });
                        update.failed.push(FailedTile { coord, error });
                    }
                }
            }
        }
        let linked = self.link(&deadline, &mut begun, &mut update)?;
        let (finds_links, links_wait) =
            (linked.is_some(), self.links.as_ref().is_some_and(LiveLinks::are_waiting));
        let (finished, took) = timed(|| self.finish(unpruned, linked, &mut update));
        // Tiles are written again with their links, whichever bakes were made for them.
        if !finds_links {
            self.pace.note_finish(begun, took);
        }
        if let Some(left) = deadline.left() {
            self.pace.end(begun, urgent.len() + usize::from(links_wait), left);
        }
        finished?;
        update.left = self.waiting();
        Ok(update)
    }

    /// Finds the waiting links once no tile waits, on ground that is baked within the budget; `None` if they
    /// still wait, or if no links are needed.
    fn link(
        &mut self,
        deadline: &Deadline,
        begun: &mut usize,
        update: &mut Update,
    ) -> Result<Option<FoundLinks>, CacheError> {
        let tiles_wait = self.tiles.unfinished(TileState::is_waiting).next().is_some();
        while !tiles_wait && self.links.as_ref().is_some_and(LiveLinks::are_waiting) {
            let wanted = self.ground_wanted();
            if wanted.is_empty() {
                match self.find_links()? {
                    None => continue,
                    found => return Ok(found),
                }
            }
            let batch = &wanted[..deadline.allows(*begun, &wanted, &self.pace, |_| false)];
            if batch.is_empty() {
                break;
            }
            *begun += batch.len();
            update.baked += batch.len();
            let baked = self.run_batch(batch, TileCache::bake_tile);
            for (coord, (baked, took)) in batch.iter().copied().zip(baked) {
                match baked {
                    Ok(baked) => {
                        self.pace.note(coord, took);
                        baked.into_iter().for_each(|tile| self.note_ground(tile));
                    }
                    Err(error) => {
                        update.failed.push(FailedTile { coord, error });
                        return Ok(None);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Works on tiles on all threads, with a share of the memory for each. Tiles that take more are repeated
    /// one at a time with all of the memory. Also returns the time of each.
    fn run_batch<T: Send>(
        &mut self,
        coords: &[TileCoord],
        work: impl Fn(&TileCache<S>, TileCoord) -> Result<T, CacheError> + Sync,
    ) -> Vec<(Result<T, CacheError>, Duration)> {
        let bound = self.level.config.settings.memory_bound;
        let at_once = rayon::current_num_threads().min(coords.len()).max(1);
        self.tile_memory = bound / at_once as u64;
        let shared = &*self;
        let mut done = on_threads(coords, |coord| timed(|| work(shared, coord)));
        self.tile_memory = bound;
        for (&coord, done) in coords.iter().zip(&mut done) {
            if at_once > 1 && matches!(done.0, Err(CacheError::Memory { .. })) {
                *done = timed(|| work(self, coord));
            }
        }
        done
    }

    /// Bakes all tiles that wait: [`TileCache::update`] with [`Budget::all`].
    pub fn wait(&mut self) -> Result<Update, CacheError> {
        self.update(Budget::all())
    }

    /// Adds a baked tile to the islands; returns it with all its islands.
    fn replace_tile(&mut self, coord: TileCoord, baked: Option<BakedTile>) -> Option<Tile> {
        self.begin_pruning(coord);
        let node = baked.as_ref().map(|tile| graph_node(&self.level, &tile.baked, tile.input_hash));
        self.replace_node(coord, node);
        let tile = baked.as_ref().map(|tile| tile.baked.tile.clone());
        self.note_seed(coord, tile.as_ref());
        baked.into_iter().for_each(|tile| self.note_ground(tile));
        tile
    }

    /// Adds a tile of the file to the islands again.
    fn restore_tile(&mut self, coord: TileCoord) {
        self.begin_pruning(coord);
        let node = self.tiles.edit(coord, |tile| std::mem::take(&mut tile.node));
        if let NodeState::Replaced(Some(node)) = node {
            self.islands.put(node);
        }
    }

    fn begin_pruning(&mut self, coord: TileCoord) {
        self.tiles.edit(coord, |tile| (tile.bake, tile.pruning) = (BakeState::Current, PruneState::Baked));
        if let Some(links) = &mut self.links {
            links.change(coord);
        }
    }

    /// Decides which islands are kept, and removes the others from all affected tiles. `unpruned` holds the
    /// newly baked tiles. Tiles whose links were found get these; other changed tiles lose theirs until then.
    fn finish(
        &mut self,
        unpruned: BTreeMap<TileCoord, Option<Tile>>,
        linked: Option<FoundLinks>,
        update: &mut Update,
    ) -> Result<(), CacheError> {
        let settled = self.settle_islands()?;
        let FoundLinks { links, written } = linked.unwrap_or_default();
        settled.union(&written).for_each(|coord| self.tiles.mark_stale(*coord));
        let of_tiles = links_of_tiles(&links, |coord, island| self.islands.keeps(coord, island));
        let own = |coord: &TileCoord| of_tiles.get(coord).map_or(&[][..], Vec::as_slice);
        // A waiting tile has other obstacles than its islands know of. It is pruned after a bake with them,
        // or after they are back as before.
        let stale = self.tiles.unfinished(|tile| tile.is_stale() && !tile.is_waiting());
        let stale: Vec<TileCoord> = stale.collect();
        let pruned = on_threads(&stale, |coord| match written.contains(&coord) {
            true => Ok((self.tile_with_links(coord, own(&coord))?, false)),
            false => self.prune(coord, unpruned.get(&coord)),
        });
        let failed = update.failed.len();
        for (coord, pruned) in stale.into_iter().zip(pruned) {
            match pruned {
                Ok((tile, was_baked)) => {
                    let is_linked = written.contains(&coord);
                    let is_reported = is_linked && is_tile(self.tile(coord), tile.as_ref());
                    let is_in_file = self.is_pruned_as_in_file(coord)
                        && (!is_linked || is_tile(self.store.tile(coord), tile.as_ref()));
                    let content = match is_in_file {
                        true => ContentState::InFile,
                        false => ContentState::Changed(tile.clone()),
                    };
                    self.tiles.edit(coord, |state| {
                        (state.content, state.pruning) = (content, PruneState::Pruned);
                    });
                    if !is_reported {
                        update.changes.push(TileChange { coord, tile });
                    }
                    update.baked += usize::from(was_baked);
                }
                Err(error) => update.failed.push(FailedTile { coord, error }),
            }
        }
        if !written.is_empty() && update.failed.len() == failed {
            self.links_found();
        }
        Ok(())
    }

    /// A tile with only the kept islands, and true if it was baked for that; `None` if nothing is left of it.
    fn prune(
        &self,
        coord: TileCoord,
        unpruned: Option<&Option<Tile>>,
    ) -> Result<(Option<Tile>, bool), CacheError> {
        if !self.islands.keeps_any(coord) {
            return Ok((None, false));
        }
        let (tile, was_baked) = match unpruned {
            Some(tile) => (tile.clone(), false),
            None if self.is_pruned_as_in_file(coord) => {
                return Ok((self.store.tile(coord).transpose()?, false));
            }
            None => match self.unpruned_tile(coord)? {
                Some(tile) => (Some(tile), false),
                None => (self.bake_tile(coord)?.map(|tile| tile.baked.tile), true),
            },
        };
        let Some(tile) = tile else { return Ok((None, was_baked)) };
        Ok((retain_islands(&tile, |island| self.islands.keeps(coord, island))?, was_baked))
    }

    /// The current tile or that of the file, if it has all its islands.
    fn unpruned_tile(&self, coord: TileCoord) -> Result<Option<Tile>, CacheError> {
        let Some(node) = self.islands.node(coord) else { return Ok(None) };
        let in_file = self.store.find(coord).filter(|entry| entry.input_hash == node.input_hash());
        let is_outdated = self.tiles.get(coord).is_some_and(|tile| tile.pruning == PruneState::Baked);
        let tile = match (self.tiles.changed(coord), in_file) {
            (Some(changed), _) if !is_outdated => changed.cloned(),
            (_, Some(_)) => self.store.tile(coord).transpose()?,
            _ => None,
        };
        let is_unpruned = |tile: &Tile| {
            let islands = local_islands(tile).into_iter().max().map_or(0, |last| last as usize + 1);
            islands == node.islands().len()
        };
        Ok(tile.filter(is_unpruned))
    }

    /// Returns true if the file already has the tile in its current state: with the same islands and the same
    /// kept islands.
    fn is_pruned_as_in_file(&self, coord: TileCoord) -> bool {
        let node = self.islands.node(coord).filter(|_| self.islands.keeps_any(coord));
        let hashes = node.map(|node| (node.input_hash(), self.islands.prune_hash(coord)));
        hashes == self.store.find(coord).map(|entry| (entry.input_hash, entry.prune_hash))
    }
}

impl<S: Source> TileCache<S> {
    /// Bakes a tile with the current obstacles, unless the file already has it.
    fn rebuild(&self, coord: TileCoord) -> Result<Rebuilt, CacheError> {
        if self.is_in_file(coord)? {
            return Ok(Rebuilt::FromFile);
        }
        Ok(Rebuilt::Baked(self.bake_tile(coord)?.map(Box::new)))
    }

    /// Returns true if the file has a tile with the current obstacles, although other islands may be left
    /// out. Near the place that everything must be reachable from, a tile is always baked, because its
    /// nearest ground is searched in it.
    fn is_in_file(&self, coord: TileCoord) -> Result<bool, CacheError> {
        let Some(NodeState::Replaced(Some(node))) = self.tiles.get(coord).map(|tile| &tile.node) else {
            return Ok(false);
        };
        Ok(!self.is_near_seed(coord) && self.expected(coord)? == Some(node.input_hash()))
    }

    /// Bakes a tile with the current obstacles; `None` if neither the level nor a solid obstacle reaches it.
    pub(crate) fn bake_tile(&self, coord: TileCoord) -> Result<Option<BakedTile>, CacheError> {
        let Some(input_hash) = self.expected(coord)? else { return Ok(None) };
        let (build, obstacles) = (self.build(coord)?, self.obstacles_of(coord));
        let mut scratch = self.scratch().pop().unwrap_or_default();
        let baked = self.bake_with(&build, &obstacles, &mut scratch);
        self.scratch().push(scratch);
        Ok(Some(BakedTile { baked: baked?, input_hash }))
    }

    fn bake_with(
        &self,
        build: &TileBuild,
        obstacles: &[&PreparedObstacle],
        scratch: &mut Scratch,
    ) -> Result<Baked, CacheError> {
        // Links are searched among spans, which floors do not have.
        if self.links.is_some() || obstacles.iter().all(|obstacle| obstacle.changes_floors()) {
            let spans = self.spans(build, obstacles, scratch)?;
            return Ok(bake_cached(&spans, &self.level, build, obstacles, &Silent, scratch)?);
        }
        // A tile with one mark is likely to get more marks that appear and disappear.
        let floors = self.floors(build, obstacles, scratch)?;
        Ok(floors.bake(&self.level, build, obstacles, &Silent, scratch)?)
    }

    fn scratch(&self) -> MutexGuard<'_, Vec<Scratch>> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tiles of the file that keep other islands than the graph, and tiles that exist only in the file or
    /// only in the graph.
    pub(crate) fn find_stale(&self) -> BTreeSet<TileCoord> {
        let differs = |coord: &TileCoord| {
            let kept = self.islands.keeps_any(*coord).then(|| self.islands.prune_hash(*coord));
            kept != self.store.find(*coord).map(|entry| entry.prune_hash)
        };
        let all: BTreeSet<TileCoord> = self.islands.coords().chain(self.store.coords()).collect();
        all.into_iter().filter(differs).collect()
    }
}
