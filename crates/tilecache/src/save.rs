//! Files: a dynamic file baked from a level, and the file of a cache in its current state.

use crate::cache::TileCache;
use crate::error::CacheError;
use crate::settings::write_settings;
use navlevel::assemble::{AssembleError, Judge, LevelSpans, MemoryStore, MemoryTile, write_level};
use navlevel::meta::meta;
use navlevel::{
    CachedSpans, Job, Obstacle, PreparedObstacle, SEED_REACH, Tiling, bake_caching_jobs, graph_node,
};
use navtile::file::Source;
use navtile::{
    FileError, FileWriter, IslandGraph, SharedBytes, StoreError, TileCoord, TileRecord, WriteFileError,
};
use recast::{Baked, Observer, PreparedLevel, Silent};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::{Cursor, Seek, Write};
use std::sync::{Mutex, PoisonError};

/// Bakes a level with obstacles into a dynamic file of tiles of `tile_cells` cells, 0 for one tile: the file
/// that `navtile bake --dynamic --obstacles` writes. Runs on the threads of the current pool.
///
/// # Errors
/// An obstacle that is not possible, a level that cannot be baked.
pub fn bake_dynamic(
    level: &PreparedLevel,
    tile_cells: u32,
    obstacles: &[Obstacle],
) -> Result<Vec<u8>, CacheError> {
    bake_dynamic_observed(level, tile_cells, obstacles, &Silent)
}

/// Like [`bake_dynamic`], with an observer that shows progress and can cancel the bake. A tile is done
/// whenever [`recast::StageId::Emit`] has finished. The bytes are the same.
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings, StageId};
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
///
/// struct Progress(AtomicUsize);
///
/// impl recast::Observer for Progress {
///     fn stage_finished(&self, _: navtile::TileCoord, stage: StageId, _: std::time::Duration) {
///         self.0.fetch_add(usize::from(stage == StageId::Emit), Ordering::Relaxed);
///     }
/// }
///
/// let progress = Progress(AtomicUsize::new(0));
/// tilecache::bake_dynamic_observed(&level, 20, &[], &progress)?;
/// assert_eq!(progress.0.into_inner(), 4);
/// # Ok::<(), tilecache::CacheError>(())
/// ```
///
/// # Errors
/// The errors of [`bake_dynamic`], and [`recast::Error::Cancelled`] if the observer cancelled.
pub fn bake_dynamic_observed(
    level: &PreparedLevel,
    tile_cells: u32,
    obstacles: &[Obstacle],
    observer: &dyn Observer,
) -> Result<Vec<u8>, CacheError> {
    let prepared: Vec<PreparedObstacle> =
        obstacles.iter().map(|obstacle| PreparedObstacle::new(obstacle, level)).collect::<Result<_, _>>()?;
    let tiling =
        Tiling::for_agents(std::slice::from_ref(level), tile_cells)?.with_obstacles(vec![prepared])?;
    let jobs: Vec<Job> = tiling.coords().into_iter().map(|coord| Job { coord, agents: vec![0] }).collect();
    let baked: Mutex<BTreeMap<TileCoord, (Baked, Vec<u8>)>> = Mutex::default();
    bake_caching_jobs(&tiling, &jobs, u64::MAX, observer, &|_, tile: Baked, cached: CachedSpans| {
        let mut baked = baked.lock().unwrap_or_else(PoisonError::into_inner);
        baked.insert(tile.tile.coord(), (tile, cached.pack()));
        Ok::<(), CacheError>(())
    })?;
    let (mut nodes, mut ground, mut spans) = (Vec::new(), BTreeMap::new(), Vec::new());
    let mut store = MemoryStore::new();
    for (coord, (mut tile, own)) in baked.into_inner().unwrap_or_else(PoisonError::into_inner) {
        ground.extend(tile.ground.take().map(|ground| (coord, *ground)));
        nodes.push(graph_node(level, &tile, tiling.input_hash(0, coord)?.0));
        // A tile that only solid obstacles reach has no spans of the level.
        if tiling.triangle_count(coord) > 0 {
            spans.push((coord, tiling.level_hash(0, coord)?.0));
        }
        store.insert(coord, MemoryTile { tile: tile.tile, spans: SharedBytes::from(&own[..]) });
    }
    let tiles = Judge::new(level, tile_cells, None).judge(IslandGraph::new(nodes), &ground, |_| Ok(None))?;
    let spans = LevelSpans {
        size: level.size,
        height: level.height,
        settings: write_settings(&level.config.settings)?,
        tiles: spans,
    };
    let (out, meta) = (Cursor::new(Vec::new()), meta(level, tile_cells, None));
    let memory = level.config.settings.memory_bound;
    Ok(write_level(out, &meta, (&tiles, &store), Some(spans), memory, &mut |_| {})?.into_inner())
}

impl<S: Source> TileCache<S> {
    /// Writes the file of the level with the current obstacles into `out`, which must be empty: byte for byte
    /// the same as a bake of the level with these obstacles. The bytes are not synced.
    ///
    /// # Errors
    /// Tiles that wait or could not be baked; a file that cannot be read or written.
    pub fn write<W: Write + Seek>(&self, out: W) -> Result<W, CacheError> {
        let waiting = self.unfinished();
        if waiting > 0 {
            return Err(CacheError::Waiting(waiting));
        }
        let kept: Vec<TileCoord> =
            self.islands.coords().filter(|coord| self.islands.keeps_any(*coord)).collect();
        let index = &self.index;
        let mut writer = FileWriter::new(out, self.store.meta(), kept.len())?.with_span_cache(
            index.size,
            index.height,
            index.settings.clone(),
        );
        for coord in kept {
            match self.tiles.changed(coord) {
                Some(tile) => writer.add(&TileRecord {
                    tile: tile.ok_or_else(|| missing(coord))?.clone(),
                    input_hash: self.islands.node(coord).map(|node| node.input_hash()).unwrap_or_default(),
                    prune_hash: self.islands.prune_hash(coord),
                })?,
                None => {
                    let entry = *self.store.find(coord).ok_or_else(|| missing(coord))?;
                    let stored = self.store.stored(coord).ok_or_else(|| missing(coord))??;
                    writer.add_stored(&entry, &stored)?;
                }
            }
        }
        for entry in &index.entries {
            writer.keep(entry.coord(), entry.level_hash, &self.store.cached_spans(entry)?)?;
        }
        Ok(writer.finish(Some(&self.islands.graph()))?)
    }
}

/// A tile that must exist according to its islands.
fn missing(coord: TileCoord) -> CacheError {
    let (expected, found) = (format!("a tile at {coord:?}, as the island graph says"), "none".to_owned());
    StoreError::File(FileError::Format { rule: "directory-order", expected, found }).into()
}

impl From<FileError> for CacheError {
    fn from(error: FileError) -> CacheError {
        WriteFileError::File(error).into()
    }
}

impl From<AssembleError<Infallible>> for CacheError {
    fn from(error: AssembleError<Infallible>) -> CacheError {
        match error {
            AssembleError::Store(never) => match never {},
            AssembleError::Tile(error) => error.into(),
            AssembleError::Write(error) => error.into(),
            AssembleError::Lost(coord) => missing(coord),
            AssembleError::NoGround(place) => {
                let [across, up] = SEED_REACH;
                CacheError::NoSeed { place, across, up }
            }
        }
    }
}
