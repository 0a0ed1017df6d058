//! The cache: a level's kept spans, the pieces in it, and the tiles that wait to be baked again.

use crate::error::CacheError;
use crate::held::{FloorsDigest, Held};
use crate::live_links::LiveLinks;
use crate::pace::Pace;
use crate::seed_place::Seeds;
use crate::settings::read_settings;
use crate::slots::{PieceHandle, Slots};
use navlevel::tile_digest;
use navlevel::tiles_reached;
use navlevel::{KeptFloors, KeptSpans, Piece, PreparedPiece, empty_tile_hash, graph_grid, min_island_cells};
use navmath::Digest;
use navmath::sort::SharedSort;
use navtile::file::{KeptIndex, Source};
use navtile::graph::{LiveIslands, TileNode};
use navtile::{Meta, NavStore, Tile, TileCoord};
use recast::{PreparedLevel, Scratch, Silent, TileBuild, Transform};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex};

/// A level with pieces that appear, move and disappear. `S` is the source of its file: a [`std::fs::File`],
/// bytes in memory, or anything that can be read at any position. Kept spans are read when a tile is baked
/// again, and held within a memory bound.
pub struct TileCache<S> {
    pub(crate) store: NavStore<S>,
    pub(crate) index: KeptIndex,
    pub(crate) level: PreparedLevel,
    pub(crate) pieces: Slots<PlacedPiece>,
    /// The pieces that reach each tile.
    of_tile: BTreeMap<TileCoord, BTreeSet<PieceHandle>>,
    pub(crate) islands: LiveIslands,
    pub(crate) seeds: Option<Seeds>,
    /// Generated links, if the settings have profiles of them.
    pub(crate) links: Option<LiveLinks>,
    /// Tiles whose pieces changed since the last search for waiting tiles. With many pieces in one tile, a
    /// search after each change would take time in proportion to the square of their number.
    touched: BTreeSet<TileCoord>,
    /// Tiles that do not show their pieces yet.
    pub(crate) waiting: BTreeSet<TileCoord>,
    /// For each of them, the update before which it began to wait.
    since: BTreeMap<TileCoord, u64>,
    pub(crate) updates: u64,
    /// Waiting tiles that could not be baked: they are tried again when a piece in them changes.
    pub(crate) failed: BTreeSet<TileCoord>,
    /// Tiles whose islands were decided again, and that have not been written since.
    pub(crate) stale: BTreeSet<TileCoord>,
    /// Tiles that differ from the file's; `None` if the tile no longer exists. A tile that equals the file's
    /// again is removed from here.
    pub(crate) changed: BTreeMap<TileCoord, Option<Tile>>,
    /// Places near which tiles are baked first, world metres.
    focus: Vec<[f64; 3]>,
    /// Pieces that move by less stay at their applied place, metres.
    threshold: f64,
    /// Tiles that were baked after they were last pruned: their current bytes are older than their islands.
    pub(crate) unpruned: BTreeSet<TileCoord>,
    /// The file's nodes of tiles that now have a different node.
    pub(crate) of_file: BTreeMap<TileCoord, Option<TileNode>>,
    held: Held,
    /// The memory that each tile in progress may take, bytes.
    pub(crate) tile_memory: u64,
    pub(crate) pace: Pace,
    /// Scratch memory of threads that bake.
    pub(crate) scratch: Mutex<Vec<Scratch>>,
}

/// A piece in the level.
#[derive(Debug)]
pub(crate) struct PlacedPiece {
    /// The piece at its applied place.
    piece: Piece,
    /// The last place that the caller set.
    said: Transform,
    prepared: PreparedPiece,
    tiles: Vec<TileCoord>,
}

impl<S> fmt::Debug for TileCache<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pieces, waiting) = (self.pieces.len(), self.waiting.len());
        f.debug_struct("TileCache")
            .field("pieces", &pieces)
            .field("waiting", &waiting)
            .finish_non_exhaustive()
    }
}

impl<S: Source> TileCache<S> {
    /// Opens a file of `navtile bake --dynamic`, without pieces. If it was baked or updated with pieces,
    /// their tiles wait to be baked without them.
    ///
    /// # Errors
    /// A file that cannot be read, or that keeps no spans.
    pub fn open(source: S) -> Result<TileCache<S>, CacheError> {
        TileCache::of_store(NavStore::open(source)?)
    }

    /// Like [`TileCache::open`], for a file that is already open.
    pub fn of_store(store: NavStore<S>) -> Result<TileCache<S>, CacheError> {
        let index = store.kept().ok_or(CacheError::NotDynamic)??;
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
        let seeds = meta.settings.reachable_from.map(Seeds::new);
        let links = LiveLinks::new(&graph, !settings.links.is_empty());
        let mut cache = TileCache {
            store,
            index,
            level,
            pieces: Slots::new(),
            of_tile: BTreeMap::new(),
            islands,
            seeds,
            links,
            touched: BTreeSet::new(),
            waiting: BTreeSet::new(),
            since: BTreeMap::new(),
            updates: 0,
            failed: BTreeSet::new(),
            stale: BTreeSet::new(),
            changed: BTreeMap::new(),
            focus: Vec::new(),
            threshold,
            unpruned: BTreeSet::new(),
            of_file: BTreeMap::new(),
            held: Held::default(),
            tile_memory: settings.memory_bound,
            pace: Pace::default(),
            scratch: Mutex::new(Vec::new()),
        };
        cache.adopt()?;
        Ok(cache)
    }

    /// Adopts the tiles of the file; tiles that were baked with pieces wait.
    fn adopt(&mut self) -> Result<(), CacheError> {
        self.settle_islands()?;
        self.stale = self.find_stale();
        let known: BTreeSet<TileCoord> = self.index.entries.iter().map(|entry| entry.coord()).collect();
        self.touched = self.islands.coords().chain(known).collect();
        self.find_waiting()
    }

    /// Finds the waiting tiles among the touched ones.
    pub(crate) fn find_waiting(&mut self) -> Result<(), CacheError> {
        while let Some(&coord) = self.touched.first() {
            if self.is_as_expected(coord)? {
                self.settle(coord);
            } else {
                self.waiting.insert(coord);
                self.since.entry(coord).or_insert(self.updates);
            }
            self.touched.remove(&coord);
        }
        Ok(())
    }

    /// Removes a tile from the waiting ones.
    pub(crate) fn settle(&mut self, coord: TileCoord) {
        self.waiting.remove(&coord);
        self.since.remove(&coord);
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
    /// pieces of all tiles that were touched since the last update. Returns at least 1 while generated links
    /// wait to be found.
    pub fn waiting(&self) -> usize {
        self.unfinished() - self.failed.len()
    }

    /// Like [`TileCache::waiting`], but includes tiles that could not be baked.
    pub(crate) fn unfinished(&self) -> usize {
        // A tile that cannot be examined fails the next update.
        let waits = |coord: &&TileCoord| !self.is_as_expected(**coord).unwrap_or(false);
        let touched = self.touched.iter().filter(|coord| self.stale.contains(coord) || waits(coord));
        let others = self.waiting.union(&self.stale).filter(|coord| !self.touched.contains(coord));
        let links_wait = self.links.as_ref().is_some_and(LiveLinks::wait);
        (touched.count() + others.count()).max(usize::from(links_wait))
    }

    /// Number of pieces.
    pub fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    /// Handles of all pieces.
    pub fn handles(&self) -> impl Iterator<Item = PieceHandle> {
        self.pieces.handles()
    }

    /// A piece at its applied place: the place where it was added, or of the last move that counted. Tiles
    /// have the bytes of an offline bake with these places.
    pub fn piece(&self, handle: PieceHandle) -> Option<&Piece> {
        self.pieces.get(handle).map(|placed| &placed.piece)
    }

    /// The place that was last set for a piece. It differs from the applied place by less than the movement
    /// threshold.
    pub fn said_place(&self, handle: PieceHandle) -> Option<Transform> {
        self.pieces.get(handle).map(|placed| placed.said)
    }

    /// The movement threshold, metres.
    pub fn movement_threshold(&self) -> f64 {
        self.threshold
    }

    /// Sets the movement threshold, metres. A move that brings no corner of a piece this far from its applied
    /// place does nothing, so that many small moves count once they have added up. At 0 every move counts.
    /// The default is half the smaller of cell size and cell height, which is about the rounding of pieces in
    /// any case. Pieces are not moved by this call.
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

    /// The tiles that a piece reaches, borders included.
    pub fn tiles_of(&self, handle: PieceHandle) -> &[TileCoord] {
        self.pieces.get(handle).map_or(&[], |placed| &placed.tiles)
    }

    /// Adds a piece. The tiles that it reaches wait to be baked again.
    ///
    /// # Errors
    /// A piece that is not possible, or whose place is too far away; then nothing changes. A piece outside
    /// the level's bounds changes no tile, and may be moved in later.
    pub fn add(&mut self, piece: &Piece) -> Result<PieceHandle, CacheError> {
        let placed = self.place(piece)?;
        let tiles = placed.tiles.clone();
        let handle = self.pieces.insert(placed)?;
        for coord in tiles {
            self.of_tile.entry(coord).or_default().insert(handle);
            self.touch(coord);
        }
        Ok(handle)
    }

    /// Moves a piece: the tiles that it left and the tiles that it reaches wait to be baked again, except
    /// tiles on which its effect is unchanged. Returns true if the move counted: a move below the [movement
    /// threshold](TileCache::set_movement_threshold) does nothing.
    ///
    /// # Errors
    /// A handle without a piece, and a place that is too far away; then nothing changes.
    pub fn move_to(&mut self, handle: PieceHandle, place: Transform) -> Result<bool, CacheError> {
        let threshold = self.threshold;
        let Some(before) = self.pieces.get_mut(handle) else { return Err(CacheError::NoPiece) };
        if is_below(threshold, &before.piece, &place) {
            before.said = place;
            return Ok(false);
        }
        let piece = Piece { place, ..before.piece.clone() };
        let moved = self.place(&piece)?;
        let Some(slot) = self.pieces.get_mut(handle) else { return Err(CacheError::NoPiece) };
        let before = std::mem::replace(slot, moved);
        let now = slot.tiles.clone();
        for coord in &before.tiles {
            self.leave(*coord, handle);
        }
        for coord in &now {
            self.of_tile.entry(*coord).or_default().insert(handle);
        }
        let touched: BTreeSet<TileCoord> = before.tiles.into_iter().chain(now).collect();
        touched.into_iter().for_each(|coord| self.touch(coord));
        Ok(true)
    }

    /// Removes a piece. The tiles that it reached wait to be baked again.
    ///
    /// # Errors
    /// A handle without a piece.
    pub fn remove(&mut self, handle: PieceHandle) -> Result<(), CacheError> {
        let gone = self.pieces.remove(handle).ok_or(CacheError::NoPiece)?;
        for coord in gone.tiles {
            self.leave(coord, handle);
            self.touch(coord);
        }
        Ok(())
    }

    /// Sets places, world metres, near which tiles are baked first: those of players, and of characters on
    /// their paths. Without any, the tiles that have waited longest are first.
    pub fn set_focus(&mut self, places: &[[f64; 3]]) {
        self.focus = places.to_vec();
    }

    fn leave(&mut self, coord: TileCoord, handle: PieceHandle) {
        if let Some(pieces) = self.of_tile.get_mut(&coord) {
            pieces.remove(&handle);
            if pieces.is_empty() {
                self.of_tile.remove(&coord);
            }
        }
    }

    fn place(&self, piece: &Piece) -> Result<PlacedPiece, CacheError> {
        let prepared = PreparedPiece::new(piece, &self.level)?;
        let tile_cells = self.store.meta().tile_cells;
        let grid = self.build(TileCoord::default())?.grid;
        let tiles = tiles_reached(&prepared, tile_cells, grid.border, self.size());
        let tiles = tiles.filter(|_| tile_cells > 0 || prepared.reaches(&grid)).collect();
        Ok(PlacedPiece { piece: piece.clone(), said: piece.place, prepared, tiles })
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

    /// The pieces that reach a tile.
    pub(crate) fn pieces_of(&self, coord: TileCoord) -> Vec<&PreparedPiece> {
        let handles = self.of_tile.get(&coord).into_iter().flatten();
        handles.filter_map(|handle| self.pieces.get(*handle)).map(|placed| &placed.prepared).collect()
    }

    /// The digest of a tile's input; `None` if neither the level nor a solid piece reaches the tile.
    pub(crate) fn expected(&self, coord: TileCoord) -> Result<Option<[u8; 16]>, CacheError> {
        let pieces = self.pieces_of(coord);
        let level_hash = match self.index.find(coord) {
            Some(entry) => Digest(entry.level_hash),
            None if pieces.iter().any(|piece| piece.is_solid()) => {
                empty_tile_hash(&self.level, &self.build(coord)?)
            }
            None => return Ok(None),
        };
        Ok(Some(tile_digest(level_hash, pieces.iter().map(|piece| piece.digest()).collect()).0))
    }

    /// Notes that the pieces of a tile changed.
    fn touch(&mut self, coord: TileCoord) {
        self.failed.remove(&coord);
        self.touched.insert(coord);
    }

    /// Returns true if a tile shows its current pieces.
    fn is_as_expected(&self, coord: TileCoord) -> Result<bool, CacheError> {
        Ok(self.expected(coord)? == self.islands.node(coord).map(|node| node.input_hash()))
    }

    /// Tiles that wait, the most urgent first.
    pub(crate) fn urgent(&self) -> Vec<TileCoord> {
        let mut coords: Vec<TileCoord> = self.waiting.difference(&self.failed).copied().collect();
        if self.focus.is_empty() {
            // The longest waiting first, so that each tile has its turn even if changes never end.
            coords.shared_sort_by_key(|coord| self.since.get(coord));
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

    /// The digest of the level in a tile, and of the pieces there that change floors.
    fn floors_digest(&self, coord: TileCoord, pieces: &[&PreparedPiece]) -> FloorsDigest {
        // The level does not change during the life of the cache.
        let level = self.index.find(coord).map_or([0; 16], |entry| entry.level_hash);
        let pieces = pieces.iter().filter(|piece| piece.changes_floors());
        tile_digest(Digest(level), pieces.map(|piece| piece.digest()).collect()).0
    }

    /// The floors of a tile with these pieces.
    pub(crate) fn floors(
        &self,
        build: &TileBuild,
        pieces: &[&PreparedPiece],
        scratch: &mut Scratch,
    ) -> Result<Arc<KeptFloors>, CacheError> {
        let digest = self.floors_digest(build.coord, pieces);
        if let Some(floors) = self.held.floors(build.coord, digest) {
            return Ok(floors);
        }
        let spans = self.spans(build, pieces, scratch)?;
        let floors = KeptFloors::find(&spans, (&self.level, build), pieces, &Silent, scratch)?;
        let floors = Arc::new(floors);
        self.held.hold_floors(build.coord, digest, &floors);
        Ok(floors)
    }

    /// The kept spans of a tile, read and checked unless they are held. Marks need only the floors; spans are
    /// held for pieces that change floors.
    pub(crate) fn spans(
        &self,
        build: &TileBuild,
        pieces: &[&PreparedPiece],
        scratch: &mut Scratch,
    ) -> Result<Arc<KeptSpans>, CacheError> {
        let coord = build.coord;
        if let Some(spans) = self.held.spans(coord) {
            if spans.has_floors() {
                return Ok(spans);
            }
            // The tile will be baked again, and from then on only the rows of pieces are examined.
            let mut spans = KeptSpans::clone(&spans);
            spans.find_floors(&self.level, scratch)?;
            let spans = Arc::new(spans);
            self.held.hold_spans(coord, &spans);
            return Ok(spans);
        }
        let Some(entry) = self.index.find(coord) else { return Ok(Arc::new(KeptSpans::empty(build))) };
        let bytes = self.store.kept_spans(entry)?;
        let memory = self.tile_memory;
        let spans = KeptSpans::unpack_within(&bytes, build, memory)
            .map_err(|source| CacheError::of_spans(coord, source, memory))?;
        if spans.bake_memory() > memory {
            return Err(CacheError::Memory { coord, bound: memory });
        }
        let spans = Arc::new(spans);
        if pieces.iter().any(|piece| piece.changes_floors()) {
            self.held.hold_spans(coord, &spans);
        }
        Ok(spans)
    }

    /// Number of tiles that are held, and their memory, bytes. Held are the unpacked spans of tiles that were
    /// baked with solid pieces or holes, and the floors of tiles baked with marks, the most recently baked
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
        match self.changed.get(&coord) {
            Some(changed) => changed.clone().map(Ok),
            None => Some(self.store.tile(coord)?.map_err(CacheError::from)),
        }
    }

    /// Coordinates of all current tiles, in canonical order.
    pub fn coords(&self) -> Vec<TileCoord> {
        let of_file = self.store.coords().into_iter().filter(|coord| !self.changed.contains_key(coord));
        let changed = self.changed.iter().filter(|(_, tile)| tile.is_some()).map(|(coord, _)| *coord);
        let mut coords: Vec<TileCoord> = of_file.chain(changed).collect();
        coords.shared_sort();
        coords
    }
}

/// Returns true if a move to another place moves every corner of a piece by less than this distance, metres.
fn is_below(threshold: f64, piece: &Piece, place: &Transform) -> bool {
    // A place that is NaN is not near.
    piece.body.vertices().iter().all(|corner| {
        let (from, to) = (piece.place.apply(*corner), place.apply(*corner));
        let squared: f64 = from.into_iter().zip(to).map(|(from, to)| (to - from) * (to - from)).sum();
        squared < threshold * threshold
    })
}
