//! Baking the tiles that wait: the most urgent first, within a budget, on the threads of the current pool.

use crate::budget::Budget;
use crate::cache::TileCache;
use crate::error::CacheError;
use navtile::file::Source;
use navtile::graph::local_islands;
use navtile::{Tile, TileCoord};
use rayon::prelude::*;
use recast::{Baked, Scratch, Silent, bake_kept, graph_node, retain_islands};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// Tiles that are baked at once when there is no bound of time.
const AT_ONCE: usize = 256;

/// A tile that is not what it was.
#[derive(Clone, Debug, PartialEq)]
pub struct TileChange {
    /// Where.
    pub coord: TileCoord,
    /// The tile as it is now; `None` if nothing can be walked on any more.
    pub tile: Option<Tile>,
}

/// A tile that could not be baked: it stays as it was until a piece in it changes.
#[derive(Debug)]
pub struct FailedTile {
    /// Which.
    pub coord: TileCoord,
    /// Why.
    pub error: CacheError,
}

/// The result of an update.
#[derive(Debug, Default)]
pub struct Update {
    /// Tiles that changed, in canonical order: all those of one update belong together.
    pub changes: Vec<TileChange>,
    /// Tiles that could not be baked.
    pub failed: Vec<FailedTile>,
    /// How many tiles were baked.
    pub baked: usize,
    /// How many tiles still wait.
    pub left: usize,
}

/// A tile before anything is pruned, and the digest of what it was baked from.
pub(crate) struct BakedTile {
    pub(crate) baked: Baked,
    input_hash: [u8; 16],
}

/// The end of an update.
struct Deadline {
    tiles: usize,
    start: Option<(Instant, Duration)>,
}

impl Deadline {
    fn new(budget: Budget) -> Deadline {
        if cfg!(all(target_family = "wasm", target_os = "unknown")) && budget.time.is_some() {
            return Deadline { tiles: 1, start: None };
        }
        Deadline { tiles: budget.tiles, start: budget.time.map(|time| (Instant::now(), time)) }
    }

    /// How many tiles may be begun together.
    fn batch(&self) -> usize {
        self.tiles.min(if self.start.is_some() { rayon::current_num_threads() } else { AT_ONCE })
    }

    /// Whether more may be begun after n of them.
    fn is_over(&mut self, begun: usize) -> bool {
        self.tiles -= begun.min(self.tiles);
        self.tiles == 0 || self.start.is_some_and(|(start, time)| start.elapsed() >= time)
    }
}

/// Calls `work` with each tile: with several on the threads of the current pool, and with one right here.
fn on_threads<T: Send>(coords: &[TileCoord], work: impl Fn(TileCoord) -> T + Sync) -> Vec<T> {
    match coords {
        [coord] => vec![work(*coord)],
        _ => coords.par_iter().map(|&coord| work(coord)).collect(),
    }
}

impl<S: Source + Sync> TileCache<S> {
    /// Bakes tiles that wait, within a budget. Tiles beside them whose islands grew or shrank past what is kept change too,
    /// over the budget.
    ///
    /// # Errors
    /// A file that cannot be read any more, and no ground at the place from which everything must be reachable; the tiles
    /// of this update wait on. A tile that cannot be baked is no error: it is among [`Update::failed`].
    pub fn update(&mut self, budget: Budget) -> Result<Update, CacheError> {
        let mut update = Update::default();
        let mut deadline = Deadline::new(budget);
        let mut whole: BTreeMap<TileCoord, Option<Tile>> = BTreeMap::new();
        self.find_waiting()?;
        self.updates += 1;
        let urgent = self.urgent();
        let mut rest = urgent.as_slice();
        while !rest.is_empty() {
            let batch;
            (batch, rest) = rest.split_at(deadline.batch().min(rest.len()));
            let baked = on_threads(batch, |coord| self.bake_as_it_is(coord));
            update.baked += batch.len();
            for (coord, baked) in batch.iter().copied().zip(baked) {
                match baked {
                    Ok(baked) => {
                        whole.insert(coord, self.put(coord, baked));
                    }
                    Err(error) => {
                        self.failed.insert(coord);
                        update.failed.push(FailedTile { coord, error });
                    }
                }
            }
            if deadline.is_over(batch.len()) {
                break;
            }
        }
        self.finish(whole, &mut update)?;
        update.left = self.waiting();
        Ok(update)
    }

    /// Bakes all tiles that wait: [`TileCache::update`] with [`Budget::all`].
    pub fn wait(&mut self) -> Result<Update, CacheError> {
        self.update(Budget::all())
    }

    /// Takes a baked tile into the islands; returns it whole.
    fn put(&mut self, coord: TileCoord, baked: Option<BakedTile>) -> Option<Tile> {
        self.stale.insert(coord);
        self.unpruned.insert(coord);
        self.settle(coord);
        let Some(BakedTile { baked, input_hash }) = baked else {
            self.islands.remove(coord);
            self.note_seed(coord, None);
            return None;
        };
        self.islands.put(graph_node(&self.level, &baked, input_hash));
        self.note_seed(coord, Some(&baked.tile));
        Some(baked.tile)
    }

    /// Decides which islands stay, and takes the others out of all tiles that this concerns; `whole` holds those that were
    /// baked just now.
    fn finish(
        &mut self,
        whole: BTreeMap<TileCoord, Option<Tile>>,
        update: &mut Update,
    ) -> Result<(), CacheError> {
        let settled = self.settle_islands()?;
        self.stale.extend(settled);
        // A tile that waits has other pieces than its islands know of: it is pruned once it was baked with them, or once
        // they are as they were.
        let stale: Vec<TileCoord> = self.stale.difference(&self.waiting).copied().collect();
        self.stale.retain(|coord| self.waiting.contains(coord));
        let pruned = on_threads(&stale, |coord| self.prune(coord, whole.get(&coord)));
        for (coord, pruned) in stale.into_iter().zip(pruned) {
            match pruned {
                Ok((tile, was_baked)) => {
                    self.unpruned.remove(&coord);
                    self.changed.insert(coord, tile.clone());
                    update.changes.push(TileChange { coord, tile });
                    update.baked += usize::from(was_baked);
                }
                Err(error) => {
                    self.stale.insert(coord);
                    update.failed.push(FailedTile { coord, error });
                }
            }
        }
        Ok(())
    }

    /// A tile without the islands that do not stay, and whether it was baked for that; `None` if nothing is left of it.
    fn prune(
        &self,
        coord: TileCoord,
        whole: Option<&Option<Tile>>,
    ) -> Result<(Option<Tile>, bool), CacheError> {
        if !self.islands.keeps_any(coord) {
            return Ok((None, false));
        }
        let (tile, was_baked) = match whole {
            Some(tile) => (tile.clone(), false),
            None => match self.whole_as_it_is(coord)? {
                Some(tile) => (Some(tile), false),
                None => (self.bake_as_it_is(coord)?.map(|tile| tile.baked.tile), true),
            },
        };
        let Some(tile) = tile else { return Ok((None, was_baked)) };
        Ok((retain_islands(&tile, |island| self.islands.keeps(coord, island))?, was_baked))
    }

    /// The tile as it is now, if it has all its islands.
    fn whole_as_it_is(&self, coord: TileCoord) -> Result<Option<Tile>, CacheError> {
        let Some(node) = self.islands.node(coord) else { return Ok(None) };
        let of_file = self.store.find(coord).is_some_and(|entry| entry.input_hash == node.input_hash());
        let is_of_node = !self.unpruned.contains(&coord) && (of_file || self.changed.contains_key(&coord));
        let Some(tile) = self.tile(coord).filter(|_| is_of_node).transpose()? else { return Ok(None) };
        let islands = local_islands(&tile).into_iter().max().map_or(0, |last| last as usize + 1);
        Ok(Some(tile).filter(|_| islands == node.islands().len()))
    }
}

impl<S: Source> TileCache<S> {
    /// Bakes a tile with the pieces that are there now; `None` if neither level nor solid piece reaches it.
    pub(crate) fn bake_as_it_is(&self, coord: TileCoord) -> Result<Option<BakedTile>, CacheError> {
        let Some(input_hash) = self.expected(coord)? else { return Ok(None) };
        let build = self.build(coord)?;
        let spans = self.spans(coord, &build)?;
        let mut scratch = self.take_scratch();
        let baked = bake_kept(&spans, &self.level, &build, &self.pieces_of(coord), &Silent, &mut scratch);
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        self.release_unless_needed(coord);
        Ok(Some(BakedTile { baked: baked?, input_hash }))
    }

    fn take_scratch(&self) -> Scratch {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Tiles of the file that keep other islands than the graph says, or are there though none should be, or the other
    /// way round.
    pub(crate) fn find_stale(&self) -> BTreeSet<TileCoord> {
        let differs = |coord: &TileCoord| match self.store.find(*coord) {
            Some(entry) => {
                !self.islands.keeps_any(*coord) || self.islands.prune_hash(*coord) != entry.prune_hash
            }
            None => self.islands.keeps_any(*coord),
        };
        let all: BTreeSet<TileCoord> = self.islands.coords().chain(self.store.coords()).collect();
        all.into_iter().filter(differs).collect()
    }
}
