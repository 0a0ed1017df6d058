//! A level that is not held in memory: the triangles of its chunks are binned into a file, one chunk after
//! the other; then tiles are baked window by window, each with the triangles of some tiles.
//!
//! ```text
//!   chunks --place--> triangles on the lattice --bins--> blocks of tiles --load--> window: a Tiling
//!                                                                                  of few tiles
//! ```
//!
//! A tile is baked from the triangles that reach it, whatever else is there, so the bytes are those of a
//! level held whole.

use super::bins::{BLOCK_MEMORY, Binned, Bins};
use super::blocks::{Blocks, Window};
use crate::{PreparedObstacle, TileGrid, Tiling};
use navtile::TileCoord;
use navtile::area::AreaId;
use recast::{ChunkTriangles, Error, InstancedMesh, PreparedLevel};
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

/// Work on the tiles of a window: with its triangles, and a function that returns true for tiles in it.
pub type WindowWork<'w, E> = dyn FnMut(&Tiling<'_>, &dyn Fn(TileCoord) -> bool) -> Result<(), E> + 'w;

/// Sees a triangle of a chunk, with the levels of all agents: its corners, metres from the lattice's zero,
/// and its area.
pub type SeenTriangle<'s> = dyn FnMut(&[PreparedLevel], [[f32; 3]; 3], AreaId) + 's;

/// A level in windows.
pub struct Windows {
    /// For each agent, the level without triangles.
    levels: Vec<PreparedLevel>,
    grid: TileGrid,
    blocks: Blocks,
    bins: Bins,
    windows: Vec<Window>,
    /// The tiles that are baked; `None` for all.
    wanted: Option<BTreeSet<TileCoord>>,
    /// For each agent, the obstacles in the level.
    obstacles: Vec<Vec<PreparedObstacle>>,
    /// The last window, and its triangles for each agent.
    loaded: Mutex<Option<(usize, Vec<PreparedLevel>)>>,
}

impl Windows {
    /// A level to which chunks are yet to be added, in tiles of `tile_cells` cells. The levels, one for each
    /// agent, have no triangles. Triangles wait in `scratch`, an empty file; `bound` is the memory of the
    /// whole bake, bytes.
    ///
    /// # Errors
    /// Too many tiles.
    pub fn new(
        levels: Vec<PreparedLevel>,
        tile_cells: u32,
        wanted: Option<BTreeSet<TileCoord>>,
        scratch: File,
        bound: u64,
    ) -> Result<Windows, Error> {
        let grid = TileGrid::new(&levels, tile_cells)?;
        let most = (bound / OF_MEMORY / 4 / BLOCK_MEMORY).clamp(16, MOST_BLOCKS);
        let blocks = Blocks::new(&grid, wanted.as_ref(), most as usize);
        let bins = Bins::new(scratch, blocks.count());
        let (windows, obstacles) = (Vec::new(), Vec::new());
        Ok(Windows { levels, grid, blocks, bins, windows, wanted, obstacles, loaded: Mutex::default() })
    }

    /// Returns true if a chunk within these bounds, world metres, may have triangles that reach a wanted
    /// tile.
    pub fn is_reached_by(&self, bounds: [[f64; 3]; 2]) -> bool {
        let tiles = self.grid.reached(&bounds.map(|corner| self.levels[0].lattice.to_local(corner)));
        self.wanted.is_none() || self.blocks.of_tiles(tiles).next().is_some()
    }

    /// Adds the meshes of a chunk. Its triangles are numbered from `first`: numbers of all chunks must
    /// differ, and give the order of the level. `seen` gets each triangle, metres from the lattice's zero,
    /// for each of the levels.
    ///
    /// # Errors
    /// Meshes that are not possible, and a file that cannot be written.
    pub fn add<E: From<Error> + From<io::Error>>(
        &mut self,
        meshes: &[InstancedMesh],
        first: u64,
        seen: &mut SeenTriangle<'_>,
    ) -> Result<ChunkTriangles, E> {
        let (mut number, mut written) = (first, Ok(()));
        let placed = self.levels[0].place_chunk(meshes, &mut |corners, area| {
            seen(&self.levels, corners, area);
            let triangle = Binned { number, corners, area };
            for block in self.blocks.of_tiles(self.grid.reached(&corners)) {
                if written.is_ok() {
                    written = self.bins.add(block, &triangle);
                }
            }
            number += 1;
        })?;
        written?;
        Ok(placed)
    }

    /// Ends the chunks. Windows take about a quarter of `memory` bytes each.
    pub fn finish(&mut self, memory: u64) {
        self.bins.shrink();
        let most = memory / OF_MEMORY / OF_TRIANGLE;
        self.windows = Window::all(&self.blocks, &self.bins, most.max(1));
    }

    /// Adds these obstacles to the level, for each agent.
    pub fn with_obstacles(mut self, obstacles: Vec<Vec<PreparedObstacle>>) -> Windows {
        self.obstacles = obstacles;
        self
    }

    /// For each agent, the level without triangles.
    pub fn levels(&self) -> &[PreparedLevel] {
        &self.levels
    }

    /// Sets the numbers of all and of dropped triangles in the levels.
    pub fn state(&mut self, triangles: &ChunkTriangles) {
        for level in &mut self.levels {
            level.triangles_given = triangles.sum.count as usize + triangles.dropped.count;
            level.diagnostics = triangles.dropped.diagnostic().into_iter().collect();
        }
    }

    /// The grid of tiles.
    pub fn grid(&self) -> &TileGrid {
        &self.grid
    }

    /// The obstacles in the level, for one of the agents.
    pub fn obstacles(&self, agent: usize) -> impl Iterator<Item = &PreparedObstacle> {
        self.obstacles.get(agent).into_iter().flatten()
    }

    /// Does `work` with the window of each of the tiles, until none is left: with its triangles, and a
    /// function that returns true for tiles in it.
    ///
    /// # Errors
    /// The errors of `work`, and a temporary file that cannot be read.
    pub fn each<E: From<Error> + From<io::Error>>(
        &self,
        tiles: Option<&BTreeSet<TileCoord>>,
        work: &mut WindowWork<'_, E>,
    ) -> Result<(), E> {
        for (index, window) in self.windows.iter().enumerate() {
            let has = |coord: TileCoord| {
                window.has(&self.blocks, coord)
                    && self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&coord))
            };
            if tiles.is_some_and(|tiles| !tiles.iter().any(|coord| has(*coord))) {
                continue;
            }
            let levels = self.load::<E>(index)?;
            let mut tiling = Tiling::for_agents(&levels, self.grid.tile_cells())?;
            if !self.obstacles.is_empty() {
                tiling = tiling.with_obstacles(self.obstacles.clone())?;
            }
            work(&tiling, &has)?;
        }
        Ok(())
    }

    /// The triangles of a window, for each agent; kept until the next window is loaded.
    fn load<E: From<Error> + From<io::Error>>(&self, index: usize) -> Result<Vec<PreparedLevel>, E> {
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
            self.bins.each(block, &mut take)?;
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
