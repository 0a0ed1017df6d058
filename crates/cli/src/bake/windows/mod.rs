//! A level that is not held in memory: its chunks are read one after the other, and their triangles binned
//! into a file; then tiles are baked window by window, each with the triangles of some tiles.
//!
//! ```text
//!   chunks --read--> triangles on the lattice --bins--> blocks of tiles --load--> window: a Tiling
//!                    sums, areas, warnings                                        of few tiles
//! ```
//!
//! A tile is baked from the triangles that reach it, whatever else is there, so the bytes are those of a
//! level held whole.

mod bins;
mod blocks;

use crate::failure::Failure;
use crate::memory;
use crate::source::{ChunkedSource, Stop};
use bins::{BLOCK_MEMORY, Binned, Bins};
use blocks::{Blocks, Window};
use navbake::lost_areas::add_floor;
use navbake::part::{ChunkFacts, ReadChunks};
use navinput::{LevelSums, NameCheck};
use navlevel::{PreparedPiece, TileGrid, Tiling};
use navtile::TileCoord;
use recast::error::LevelError;
use recast::{ChunkTriangles, Error, PreparedLevel};
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::sync::{Mutex, PoisonError};

/// The share of the bake's memory for triangles of a window, as a divisor.
const OF_MEMORY: u64 = 4;
/// Bytes that a triangle takes while its window is loaded and baked: its record, its corners, its places in
/// lists.
const OF_TRIANGLE: u64 = 160;
/// Maximum number of blocks that triangles are binned into.
const MOST_BLOCKS: u64 = 4096;
/// Numbers reserved for the triangles of one chunk.
const OF_CHUNK: u64 = 1 << 36;

/// Work on the tiles of a window: with its triangles, and a function that returns true for tiles in it.
pub(super) type WindowWork<'w> = dyn FnMut(&Tiling<'_>, &dyn Fn(TileCoord) -> bool) -> Result<(), Stop> + 'w;

/// A level in windows.
pub(super) struct Windows {
    /// For each agent, the level without triangles.
    levels: Vec<PreparedLevel>,
    grid: TileGrid,
    blocks: Blocks,
    bins: Bins,
    windows: Vec<Window>,
    /// The tiles that are baked; `None` for all.
    wanted: Option<BTreeSet<TileCoord>>,
    /// For each agent, the pieces in the level.
    pieces: Vec<Vec<PreparedPiece>>,
    /// The last window, and its triangles for each agent.
    loaded: Mutex<Option<(usize, Vec<PreparedLevel>)>>,
}

/// The result of reading a level's chunks.
pub(super) struct ReadLevel {
    pub(super) chunks: ReadChunks,
    pub(super) sums: LevelSums,
    pub(super) names: NameCheck,
}

impl Windows {
    /// Reads the chunks that reach the wanted tiles. The levels have no triangles; there is one for each
    /// agent, in tiles of these cells.
    pub(super) fn read(
        source: &ChunkedSource,
        levels: Vec<PreparedLevel>,
        tile_cells: u32,
        wanted: Option<BTreeSet<TileCoord>>,
        scratch: File,
    ) -> Result<(Windows, ReadLevel), Failure> {
        let failed = |error: Error| crate::source::failed(source.title().as_ref(), &error);
        let grid = TileGrid::new(&levels, tile_cells).map_err(failed)?;
        let bound = source.source.memory_bound();
        let most = (bound / OF_MEMORY / 4 / BLOCK_MEMORY).clamp(16, MOST_BLOCKS);
        let blocks = Blocks::new(&grid, wanted.as_ref(), most as usize);
        let bins = Bins::new(scratch, blocks.count());
        let mut windows = Windows {
            levels,
            grid,
            blocks,
            bins,
            windows: Vec::new(),
            wanted,
            pieces: Vec::new(),
            loaded: Mutex::default(),
        };
        let mut read = ReadLevel {
            chunks: ReadChunks { of: source.chunks.len() as u32, ..ReadChunks::default() },
            sums: source.sums(),
            names: source.names(),
        };
        for index in 0..source.chunks.len() {
            if windows.is_reached_by(source, index) {
                let facts = windows.read_chunk(source, index, &mut read)?;
                read.chunks.read.insert(index as u32, facts);
            }
        }
        source.forget();
        windows.bins.shrink();
        let most = bound.saturating_sub(memory::BASE) / OF_MEMORY / OF_TRIANGLE;
        windows.windows = Window::all(&windows.blocks, &windows.bins, most.max(1));
        Ok((windows, read))
    }

    /// Returns true if a chunk may have triangles that reach a block.
    fn is_reached_by(&self, source: &ChunkedSource, index: usize) -> bool {
        let Some(corners) = source.chunks[index].bounds.filter(|_| self.wanted.is_some()) else {
            return true;
        };
        let tiles = self.grid.reached(&corners.map(|corner| self.levels[0].lattice.to_local(corner)));
        self.blocks.of_tiles(tiles).next().is_some()
    }

    /// Bins the triangles of a chunk.
    fn read_chunk(
        &mut self,
        source: &ChunkedSource,
        index: usize,
        into: &mut ReadLevel,
    ) -> Result<ChunkFacts, Failure> {
        let path = &source.chunks[index].path;
        let failed = |error: &Error| crate::source::failed(path, error);
        let mut facts = ChunkFacts { floors: vec![Vec::new(); self.levels.len()], ..ChunkFacts::default() };
        let mut number = index as u64 * OF_CHUNK;
        let mut given = 0;
        let mut written: io::Result<()> = Ok(());
        let stated = source.chunks[index].bounds;
        let (sums, names) = (&mut into.sums, &mut into.names);
        let ignored = source.read(index, &mut |level| {
            sums.add(&level);
            names.add(&level);
            let parts = source.parts(&level);
            if parts.is_empty() {
                return Ok(());
            }
            check_bounds(path, stated, recast::level_bounds(&parts))?;
            let placed = self.levels[0].place_chunk(&parts, &mut |corners, area| {
                facts.areas.insert(area.0);
                for (level, floors) in self.levels.iter().zip(&mut facts.floors) {
                    add_floor(floors, level, corners, area);
                }
                let triangle = Binned { number, corners, area };
                for block in self.blocks.of_tiles(self.grid.reached(&corners)) {
                    if written.is_ok() {
                        written = self.bins.add(block, &triangle);
                    }
                }
                number += 1;
            });
            let placed = placed.map_err(|error| failed(&error))?;
            given += placed.sum.count + placed.dropped.count as u64;
            facts.triangles = std::mem::take(&mut facts.triangles).and(placed);
            Ok(())
        })?;
        written.map_err(|error| {
            Failure::circumstances(format!("the temporary file of triangles: {error}"))
                .help("nothing was changed; free disk space, or name another folder with -o")
        })?;
        if given >= OF_CHUNK {
            let message = format!("{}: has {given} triangles", path.display());
            return Err(Failure::call(message).help("cut it into several chunks"));
        }
        facts.ignored = ignored.iter().map(|what| format!("{}: {what}", path.display())).collect();
        Ok(facts)
    }

    /// Adds these pieces to the level, for each agent.
    pub(super) fn with_pieces(mut self, pieces: Vec<Vec<PreparedPiece>>) -> Windows {
        self.pieces = pieces;
        self
    }

    /// For each agent, the level without triangles.
    pub(super) fn levels(&self) -> &[PreparedLevel] {
        &self.levels
    }

    /// Sets the number of all triangles, and of those that were left out, in the levels.
    pub(super) fn state(&mut self, triangles: &ChunkTriangles) {
        for level in &mut self.levels {
            level.triangles_given = triangles.sum.count as usize + triangles.dropped.count;
            level.diagnostics = triangles.dropped.diagnostic().into_iter().collect();
        }
    }

    pub(super) fn grid(&self) -> &TileGrid {
        &self.grid
    }

    /// The pieces in the level, for one of the agents.
    pub(super) fn pieces(&self, agent: usize) -> impl Iterator<Item = &PreparedPiece> {
        self.pieces.get(agent).into_iter().flatten()
    }

    /// Does `work` with the window of each of the tiles, until none is left: with its triangles, and a
    /// function that returns true for tiles in it.
    pub(super) fn each(
        &self,
        tiles: Option<&BTreeSet<TileCoord>>,
        work: &mut WindowWork<'_>,
    ) -> Result<(), Stop> {
        for (index, window) in self.windows.iter().enumerate() {
            let has = |coord: TileCoord| {
                window.has(&self.blocks, coord)
                    && self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&coord))
            };
            if tiles.is_some_and(|tiles| !tiles.iter().any(|coord| has(*coord))) {
                continue;
            }
            let levels = self.load(index)?;
            let mut tiling = Tiling::for_agents(&levels, self.grid.tile_cells())?;
            if !self.pieces.is_empty() {
                tiling = tiling.with_pieces(self.pieces.clone())?;
            }
            work(&tiling, &has)?;
        }
        Ok(())
    }

    /// The triangles of a window, for each agent; kept until the next window is loaded.
    fn load(&self, index: usize) -> Result<Vec<PreparedLevel>, Stop> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, levels)) = loaded.as_ref().filter(|(known, _)| *known == index) {
            return Ok(levels.clone());
        }
        *loaded = None;
        let window = &self.windows[index];
        let mut triangles: Vec<Binned> = Vec::new();
        for block in window.blocks.clone() {
            let mut take = |triangle: Binned| {
                if window.is_reached(&self.blocks, self.grid.reached(&triangle.corners)) {
                    triangles.push(triangle);
                }
            };
            self.bins.each(block, &mut take).map_err(|error| {
                Failure::circumstances(format!("the temporary file of triangles: {error}"))
                    .help("nothing was changed; run the bake again")
            })?;
        }
        triangles.sort_unstable_by_key(|triangle| triangle.number);
        triangles.dedup_by_key(|triangle| triangle.number);
        let (corners, areas) = triangles.iter().map(|triangle| (triangle.corners, triangle.area)).unzip();
        drop(triangles);
        let first = self.levels[0].with_triangles(corners, areas)?;
        let mut levels = Vec::with_capacity(self.levels.len());
        for level in &self.levels[1..] {
            levels.push(first.with_settings(&level.config.settings)?);
        }
        levels.insert(0, first);
        *loaded = Some((index, levels.clone()));
        Ok(levels)
    }
}

/// Refuses a chunk outside the bounds in the list, from which tiles and shares were made.
fn check_bounds(
    path: &std::path::Path,
    stated: Option<[[f64; 3]; 2]>,
    found: [[f64; 3]; 2],
) -> Result<(), Failure> {
    let Some(stated) = stated else { return Ok(()) };
    let is_inside = (0..3).all(|axis| {
        stated[0][axis] <= found[0][axis] && found[1][axis] <= stated[1][axis]
            || found[0][axis] > found[1][axis]
    });
    if is_inside {
        return Ok(());
    }
    let message = format!(
        "{}: has triangles from {:?} to {:?}, but its list of chunks states bounds of {:?} to {:?}",
        path.display(),
        found[0],
        found[1],
        stated[0],
        stated[1]
    );
    Err(Failure::circumstances(message).help("write the list again with `navtile chunks`"))
}

/// Refuses a level without anything to bake.
pub(super) fn check_any(title: &str, whole: &ChunkFacts, level: &PreparedLevel) -> Result<(), Failure> {
    let triangles = &whole.triangles;
    let error = match (triangles.sum.count, triangles.dropped.count) {
        (0, 0) => LevelError::Empty,
        (0, dropped) => LevelError::AllDegenerate(dropped),
        _ if triangles.meets_bounds => return Ok(()),
        _ => {
            let [min, max] = level.config.settings.bounds.unwrap_or_default();
            LevelError::OutsideBounds { min, max }
        }
    };
    Err(crate::source::failed(title.as_ref(), &error.into()))
}
