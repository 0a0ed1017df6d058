//! The cache: a level's cached spans, the obstacles in it, and the tiles that wait to be baked again.

use crate::error::CacheError;
use crate::held::{FloorsDigest, Held};
use crate::live_links::LiveLinks;
use crate::pace::Pace;
use crate::seed_place::Seeds;
use crate::settings::read_settings;
use crate::slots::{ObstacleHandle, Slots};
use crate::stationary::Rest;
use crate::tile_state::{BakeState, NodeState, TileState, TileStates};
use navlevel::{CachedFloors, CachedSpans, Obstacle, PreparedObstacle, tile_digest, tiles_reached};
use navlevel::{empty_tile_hash, graph_grid, min_island_cells};
use navmath::Digest;
use navmath::sort::SharedSort;
use navtile::file::{Source, SpanCacheEntry, SpanCacheIndex};
use navtile::graph::{LiveIslands, TileNode};
use navtile::{Meta, NavStore, Tile, TileCoord};
use recast::{PreparedLevel, Scratch, Silent, TileBuild, Transform};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex};

/// A level with obstacles that appear, move and disappear. `S` is the source of its file: a
/// [`std::fs::File`], bytes in memory, or anything that can be read at any position. Cached spans are read
/// when a tile is baked again, and held within a memory bound.
pub struct TileCache<S> {
    pub(crate) store: NavStore<S>,
    pub(crate) index: SpanCacheIndex,
    pub(crate) level: PreparedLevel,
    pub(crate) obstacles: Slots<PlacedObstacle>,
    /// Obstacles that have no effect until they have kept still.
    pub(crate) moving: BTreeSet<ObstacleHandle>,
    pub(crate) tiles: TileStates,
    pub(crate) islands: LiveIslands,
    pub(crate) seeds: Option<Seeds>,
    /// Generated links, if the settings have profiles of them.
    pub(crate) links: Option<LiveLinks>,
    /// Number of updates.
    pub(crate) updates: u64,
    /// Places near which tiles are baked first, world metres.
    focus: Vec<[f64; 3]>,
    /// Obstacles that move by less stay at their applied place, metres.
    threshold: f64,
    held: Held,
    /// The memory that each tile in progress may take, bytes.
    pub(crate) tile_memory: u64,
    pub(crate) pace: Pace,
    /// Scratch memory of threads that bake.
    pub(crate) scratch: Mutex<Vec<Scratch>>,
}

/// An obstacle in the level.
#[derive(Debug)]
pub(crate) struct PlacedObstacle {
    /// The obstacle at its applied place.
    pub(crate) obstacle: Obstacle,
    /// The transform that the caller set last.
    pub(crate) requested: Transform,
    pub(crate) prepared: PreparedObstacle,
    /// The tiles that it reaches; empty while it has no effect.
    pub(crate) tiles: Vec<TileCoord>,
    /// Its rule, if it has an effect only while it keeps still.
    pub(crate) rest: Option<Rest>,
}

impl<S> fmt::Debug for TileCache<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waiting = self.tiles.unfinished(TileState::is_waiting).count();
        f.debug_struct("TileCache")
            .field("obstacles", &self.obstacles.len())
            .field("waiting", &waiting)
            .finish_non_exhaustive()
    }
}

impl<S: Source> TileCache<S> {
    /// Opens a file of `navtile bake --dynamic`, without obstacles. If it was baked or updated with
    /// obstacles, their tiles wait to be baked without them.
    ///
    /// # Errors
    /// A file that cannot be read, or that has no cached spans.
    pub fn open(source: S) -> Result<TileCache<S>, CacheError> {
        TileCache::of_store(NavStore::open(source)?)
    }

    /// Like [`TileCache::open`], for a file that is already open.
    pub fn of_store(store: NavStore<S>) -> Result<TileCache<S>, CacheError> {
        let index = store.span_cache().ok_or(CacheError::NotDynamic)??;
        let graph = store.graph().ok_or(CacheError::Incomplete("no island graph"))??;
        let layers = graph.nodes().iter().map(|node| node.coord().layer);
        if layers.chain(index.entries.iter().map(|entry| entry.layer)).any(|layer| layer != 0) {
            return Err(CacheError::Incomplete("tiles in several layers"));
        }
        let settings = read_settings(&index.settings)?;
        let meta = store.meta();
        let level = PreparedLevel::without_triangles(&settings, meta.origin, index.size, index.height)?;
        let tile_cells = meta.tile_cells;
        let threshold = level.lattice.cell_size.min(level.lattice.cell_height) / 2.0;
        let min_cells = min_island_cells(&level, tile_cells);
        let islands = LiveIslands::new(&graph, graph_grid(&level, tile_cells), min_cells);
        let seeds = meta.settings.reachable_from.map(|place| Seeds { place, nearest: BTreeMap::new() });
        let links = LiveLinks::new(&graph, !settings.links.is_empty());
        let mut cache = TileCache {
            store,
            index,
            level,
            obstacles: Slots::new(),
            moving: BTreeSet::new(),
            tiles: TileStates::default(),
            islands,
            seeds,
            links,
            updates: 0,
            focus: Vec::new(),
            threshold,
            held: Held::default(),
            tile_memory: settings.memory_bound,
            pace: Pace::default(),
            scratch: Mutex::new(Vec::new()),
        };
        cache.adopt()?;
        Ok(cache)
    }

    /// Adopts the tiles of the file; tiles that were baked with obstacles wait.
    fn adopt(&mut self) -> Result<(), CacheError> {
        self.settle_islands()?;
        self.find_stale().into_iter().for_each(|coord| self.tiles.mark_stale(coord));
        let kept = self.index.entries.iter().map(|entry| entry.coord());
        let coords: BTreeSet<TileCoord> = self.islands.coords().chain(kept).collect();
        coords.into_iter().try_for_each(|coord| self.compare(coord))
    }

    /// Finds the waiting tiles among the touched ones.
    pub(crate) fn find_waiting(&mut self) -> Result<(), CacheError> {
        let touched = self.tiles.unfinished(|tile| matches!(tile.bake, BakeState::Touched(_)));
        touched.collect::<Vec<TileCoord>>().into_iter().try_for_each(|coord| self.compare(coord))
    }

    /// Compares a tile with its obstacles: from now on it waits if it does not show them.
    fn compare(&mut self, coord: TileCoord) -> Result<(), CacheError> {
        let (is_current, now) = (self.is_current(coord)?, self.updates);
        self.tiles.edit(coord, |tile| match is_current {
            true => tile.bake = BakeState::Current,
            false => tile.bake = BakeState::Waiting(tile.waiting_since().unwrap_or(now)),
        });
        Ok(())
    }

    /// The metadata of the file.
    pub fn meta(&self) -> &Meta {
        self.store.meta()
    }

    /// Sets the memory that all tiles together may take while they are baked, bytes. A single tile that takes
    /// more is refused with [`CacheError::Memory`] while its spans are unpacked, before it is baked. The
    /// default is that of [`recast::Settings::memory_bound`], regardless of the bound that the file was baked
    /// with.
    pub fn set_memory_bound(&mut self, bytes: u64) {
        self.level.config.settings.memory_bound = bytes;
        self.tile_memory = bytes;
    }

    /// The settings of the level's bake, and its lattice; without triangles.
    pub fn level(&self) -> &PreparedLevel {
        &self.level
    }

    /// Number of tiles that wait to be baked again, without tiles that could not be baked. Examines the
    /// obstacles of all tiles that were touched since the last update. Returns at least 1 while generated
    /// links wait to be found.
    pub fn waiting(&self) -> usize {
        self.unfinished() - self.tiles.unfinished(|tile| matches!(tile.bake, BakeState::Failed(_))).count()
    }

    /// Like [`TileCache::waiting`], but includes tiles that could not be baked.
    pub(crate) fn unfinished(&self) -> usize {
        let is_unsure = |tile: &TileState| matches!(tile.bake, BakeState::Touched(_)) && !tile.is_stale();
        // A tile that cannot be compared fails the next update.
        let is_current = |coord: &TileCoord| self.is_current(*coord).unwrap_or(false);
        let current = self.tiles.unfinished(is_unsure).filter(is_current).count();
        let links_wait = self.links.as_ref().is_some_and(LiveLinks::are_waiting);
        (self.tiles.unfinished(|_| true).count() - current).max(usize::from(links_wait))
    }

    /// Number of obstacles.
    pub fn obstacle_count(&self) -> usize {
        self.obstacles.len()
    }

    /// Handles of all obstacles.
    pub fn handles(&self) -> impl Iterator<Item = ObstacleHandle> {
        self.obstacles.handles()
    }

    /// An obstacle at its applied place: the place where it was added, or of the last move that counted.
    /// Tiles have the bytes of an offline bake with these places, without the obstacles that
    /// [move](TileCache::is_moving).
    pub fn obstacle(&self, handle: ObstacleHandle) -> Option<&Obstacle> {
        self.obstacles.get(handle).map(|placed| &placed.obstacle)
    }

    /// The transform that was last requested for an obstacle. It differs from the applied place by less than
    /// the movement threshold.
    pub fn requested_transform(&self, handle: ObstacleHandle) -> Option<Transform> {
        self.obstacles.get(handle).map(|placed| placed.requested)
    }

    /// The movement threshold, metres.
    pub fn movement_threshold(&self) -> f64 {
        self.threshold
    }

    /// Sets the movement threshold, metres. A move that brings no corner of an obstacle this far from its
    /// applied place does nothing, so that many small moves count once they have added up. At 0 every move
    /// counts. The default is half the smaller of cell size and cell height, which is about the rounding of
    /// obstacles in any case. Obstacles are not moved by this call.
    ///
    /// # Errors
    /// A number that is negative or NaN.
    pub fn set_movement_threshold(&mut self, metres: f64) -> Result<(), CacheError> {
        if metres.is_nan() || metres < 0.0 {
            return Err(CacheError::Threshold(metres));
        }
        self.threshold = metres;
        Ok(())
    }

    /// The tiles that an obstacle reaches, borders included; none while it [moves](TileCache::is_moving).
    pub fn tiles_of(&self, handle: ObstacleHandle) -> &[TileCoord] {
        self.obstacles.get(handle).map_or(&[], |placed| &placed.tiles)
    }

    /// Adds an obstacle. The tiles that it reaches wait to be baked again.
    ///
    /// # Errors
    /// An obstacle that is not possible, or whose place is too far away; then nothing changes. An obstacle
    /// outside the level's bounds changes no tile, and may be moved in later.
    pub fn add(&mut self, obstacle: &Obstacle) -> Result<ObstacleHandle, CacheError> {
        let placed = self.place(obstacle)?;
        let tiles = placed.tiles.clone();
        let handle = self.obstacles.insert(placed)?;
        self.touch(&tiles, |obstacles| obstacles.insert(handle));
        Ok(handle)
    }

    /// Moves an obstacle: the tiles that it left and the tiles that it reaches wait to be baked again, except
    /// tiles on which its effect is unchanged. Returns true if the move counted: a move below the [movement
    /// threshold](TileCache::set_movement_threshold) does nothing. An obstacle that has an effect only while
    /// it keeps still has a [threshold of its own](TileCache::set_stationary).
    ///
    /// # Errors
    /// A handle without an obstacle, and a place that is too far away; then nothing changes.
    pub fn move_to(&mut self, handle: ObstacleHandle, place: Transform) -> Result<bool, CacheError> {
        if let Some(counted) = self.move_by_rule(handle, &place)? {
            return Ok(counted);
        }
        let threshold = self.threshold;
        let Some(before) = self.obstacles.get_mut(handle) else { return Err(CacheError::NoObstacle) };
        if is_below(threshold, &before.obstacle, &place) {
            before.requested = place;
            return Ok(false);
        }
        let obstacle = Obstacle { place, ..before.obstacle.clone() };
        let moved = self.place(&obstacle)?;
        self.put(handle, moved)?;
        Ok(true)
    }

    /// Replaces an obstacle. The tiles that it reached and those it reaches now wait.
    pub(crate) fn put(&mut self, handle: ObstacleHandle, placed: PlacedObstacle) -> Result<(), CacheError> {
        let slot = self.obstacles.get_mut(handle).ok_or(CacheError::NoObstacle)?;
        let now = placed.tiles.clone();
        let before = std::mem::replace(slot, placed);
        self.touch(&before.tiles, |obstacles| obstacles.remove(&handle));
        self.touch(&now, |obstacles| obstacles.insert(handle));
        Ok(())
    }

    /// Removes an obstacle. The tiles that it reached wait to be baked again.
    ///
    /// # Errors
    /// A handle without an obstacle.
    pub fn remove(&mut self, handle: ObstacleHandle) -> Result<(), CacheError> {
        let gone = self.obstacles.remove(handle).ok_or(CacheError::NoObstacle)?;
        self.moving.remove(&handle);
        self.touch(&gone.tiles, |obstacles| obstacles.remove(&handle));
        Ok(())
    }

    /// Sets places, world metres, near which tiles are baked first: those of players, and of characters on
    /// their paths. Without any, the tiles that have waited longest are first.
    pub fn set_focus(&mut self, places: &[[f64; 3]]) {
        self.focus = places.to_vec();
    }

    /// Changes the obstacles of some tiles.
    fn touch(&mut self, tiles: &[TileCoord], change: impl Fn(&mut BTreeSet<ObstacleHandle>) -> bool) {
        for coord in tiles {
            self.tiles.edit(*coord, |tile| {
                change(&mut tile.obstacles);
                tile.bake = BakeState::Touched(tile.waiting_since());
            });
        }
    }

    pub(crate) fn place(&self, obstacle: &Obstacle) -> Result<PlacedObstacle, CacheError> {
        let prepared = PreparedObstacle::new(obstacle, &self.level)?;
        let tile_cells = self.store.meta().tile_cells;
        let grid = self.build(TileCoord::default())?.grid;
        let tiles = tiles_reached(&prepared, tile_cells, grid.border, self.size());
        let tiles = tiles.filter(|_| tile_cells > 0 || prepared.reaches(&grid)).collect();
        let obstacle = obstacle.clone();
        Ok(PlacedObstacle { requested: obstacle.place, obstacle, prepared, tiles, rest: None })
    }

    /// Tiles of the level along x and z.
    fn size(&self) -> [u32; 2] {
        match self.store.meta().tile_cells {
            0 => [1, 1],
            cells => [self.level.size[0].div_ceil(cells), self.level.size[2].div_ceil(cells)],
        }
    }

    pub(crate) fn build(&self, coord: TileCoord) -> Result<TileBuild, CacheError> {
        Ok(match self.store.meta().tile_cells {
            0 => TileBuild::solo(&self.level),
            cells => TileBuild::tiled(&self.level, cells, coord)?,
        })
    }

    /// The obstacles that reach a tile.
    pub(crate) fn obstacles_of(&self, coord: TileCoord) -> Vec<&PreparedObstacle> {
        let handles = self.tiles.get(coord).into_iter().flat_map(|tile| &tile.obstacles);
        handles.filter_map(|handle| self.obstacles.get(*handle)).map(|placed| &placed.prepared).collect()
    }

    /// Replaces the node of a tile in the island graph, or removes it. Notes the node of the file.
    pub(crate) fn replace_node(&mut self, coord: TileCoord, node: Option<TileNode>) {
        let before = self.islands.node(coord);
        self.tiles.edit(coord, |tile| {
            if tile.node == NodeState::InFile {
                tile.node = NodeState::Replaced(before.cloned());
            }
        });
        match node {
            Some(node) => self.islands.put(node),
            None => self.islands.remove(coord),
        }
    }

    /// The digest of a tile's input; `None` if neither the level nor a solid obstacle reaches the tile.
    pub(crate) fn expected(&self, coord: TileCoord) -> Result<Option<[u8; 16]>, CacheError> {
        let obstacles = self.obstacles_of(coord);
        let level_hash = match self.index.find(coord) {
            Some(entry) => Digest(entry.level_hash),
            None if obstacles.iter().any(|obstacle| obstacle.is_solid()) => {
                empty_tile_hash(&self.level, &self.build(coord)?)
            }
            None => return Ok(None),
        };
        Ok(Some(tile_digest(level_hash, obstacles.iter().map(|obstacle| obstacle.digest()).collect()).0))
    }

    /// Returns true if a tile shows its current obstacles.
    fn is_current(&self, coord: TileCoord) -> Result<bool, CacheError> {
        Ok(self.expected(coord)? == self.islands.node(coord).map(|node| node.input_hash()))
    }

    /// Tiles that wait, the most urgent first.
    pub(crate) fn urgent(&self) -> Vec<TileCoord> {
        let waiting = self.tiles.unfinished(|tile| matches!(tile.bake, BakeState::Waiting(_)));
        let mut coords: Vec<TileCoord> = waiting.collect();
        if self.focus.is_empty() {
            // The longest waiting first, so that each tile has its turn even if changes never end.
            coords.shared_sort_by_key(|coord| self.tiles.get(*coord).and_then(TileState::waiting_since));
        } else {
            coords.shared_sort_by(|a, b| self.distance(*a).total_cmp(&self.distance(*b)).then(a.cmp(b)));
        }
        coords
    }

    /// Squared distance of the middle of a tile from the nearest place of interest.
    fn distance(&self, coord: TileCoord) -> f64 {
        let side = f64::from(self.store.meta().tile_cells) * self.level.lattice.cell_size;
        let middle =
            |tile: i32, axis: usize| self.level.lattice.origin[axis] + (f64::from(tile) + 0.5) * side;
        let [x, z] = [middle(coord.x, 0), middle(coord.z, 2)];
        let distances = self.focus.iter().map(|place| (place[0] - x).powi(2) + (place[2] - z).powi(2));
        distances.fold(f64::INFINITY, f64::min)
    }

    /// The digest of the level in a tile, and of the obstacles there that change floors.
    fn floors_digest(&self, coord: TileCoord, obstacles: &[&PreparedObstacle]) -> FloorsDigest {
        // The level does not change during the life of the cache.
        let level = self.index.find(coord).map_or([0; 16], |entry| entry.level_hash);
        let obstacles = obstacles.iter().filter(|obstacle| obstacle.changes_floors());
        tile_digest(Digest(level), obstacles.map(|obstacle| obstacle.digest()).collect()).0
    }

    /// The floors of a tile with these obstacles.
    pub(crate) fn floors(
        &self,
        build: &TileBuild,
        obstacles: &[&PreparedObstacle],
        scratch: &mut Scratch,
    ) -> Result<Arc<CachedFloors>, CacheError> {
        let digest = self.floors_digest(build.coord, obstacles);
        if let Some(floors) = self.held.floors(build.coord, digest) {
            return Ok(floors);
        }
        let spans = self.spans(build, obstacles, scratch)?;
        let floors = CachedFloors::find(&spans, &self.level, build, obstacles, &Silent, scratch)?;
        let floors = Arc::new(floors);
        self.held.hold_floors(build.coord, digest, &floors);
        Ok(floors)
    }

    /// The cached spans of a tile, read and checked unless they are held. Marks need only the floors; spans
    /// are held for obstacles that change floors.
    pub(crate) fn spans(
        &self,
        build: &TileBuild,
        obstacles: &[&PreparedObstacle],
        scratch: &mut Scratch,
    ) -> Result<Arc<CachedSpans>, CacheError> {
        let coord = build.coord;
        if let Some(spans) = self.held.spans(coord) {
            if spans.has_floors() {
                return Ok(spans);
            }
            // The tile will be baked again, and from then on only the rows of obstacles are examined.
            let mut spans = CachedSpans::clone(&spans);
            spans.find_floors(&self.level, scratch)?;
            let spans = Arc::new(spans);
            self.held.hold_spans(coord, &spans);
            return Ok(spans);
        }
        let Some(entry) = self.index.find(coord) else { return Ok(Arc::new(CachedSpans::empty(build))) };
        let memory = self.tile_memory;
        let spans = self.unpack(entry, build, memory)?;
        if spans.bake_memory() > memory {
            return Err(CacheError::Memory { coord, bound: memory });
        }
        let spans = Arc::new(spans);
        if obstacles.iter().any(|obstacle| obstacle.changes_floors()) {
            self.held.hold_spans(coord, &spans);
        }
        Ok(spans)
    }

    /// The cached spans of a tile, read and checked.
    pub(crate) fn unpack(
        &self,
        entry: &SpanCacheEntry,
        build: &TileBuild,
        memory: u64,
    ) -> Result<CachedSpans, CacheError> {
        let bytes = self.store.cached_spans(entry)?;
        CachedSpans::unpack_within(&bytes, build, memory)
            .map_err(|source| CacheError::of_spans(entry.coord(), source, memory))
    }

    /// Number of tiles that are held, and their memory, bytes. Held are the unpacked spans of tiles that were
    /// baked with solid obstacles or holes, and the floors of tiles baked with marks, the most recently baked
    /// first, up to the [limit](TileCache::set_held_limit).
    pub fn held(&self) -> (usize, u64) {
        self.held.size()
    }

    /// Sets the memory that unpacked spans and floors of tiles may take, bytes. The default is 32 MiB, three
    /// to eight hundred tiles of 48 cells. At 0 nothing is held, and each bake reads its tile from the file.
    pub fn set_held_limit(&mut self, bytes: u64) {
        self.held.set_limit(bytes);
    }

    /// The current tile: from the file, or from its last bake. Waiting tiles are still unchanged.
    pub fn tile(&self, coord: TileCoord) -> Option<Result<Tile, CacheError>> {
        match self.tiles.changed(coord) {
            Some(changed) => changed.cloned().map(Ok),
            None => Some(self.store.tile(coord)?.map_err(CacheError::from)),
        }
    }

    /// Coordinates of all current tiles, in canonical order.
    pub fn coords(&self) -> Vec<TileCoord> {
        let in_file = self.store.coords().into_iter().filter(|coord| self.tiles.changed(*coord).is_none());
        let changed = self.tiles.coords().filter(|coord| self.tiles.changed(*coord).flatten().is_some());
        let mut coords: Vec<TileCoord> = in_file.chain(changed).collect();
        coords.shared_sort();
        coords
    }
}

/// Returns true if a move to another place moves every corner of an obstacle by less than this distance,
/// metres.
pub(crate) fn is_below(threshold: f64, obstacle: &Obstacle, place: &Transform) -> bool {
    // A place that is NaN is not near.
    obstacle.body.vertices().iter().all(|corner| {
        let (from, to) = (obstacle.place.apply(*corner), place.apply(*corner));
        let squared: f64 = from.into_iter().zip(to).map(|(from, to)| (to - from) * (to - from)).sum();
        squared < threshold * threshold
    })
}
