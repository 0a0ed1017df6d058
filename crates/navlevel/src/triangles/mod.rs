//! The triangles of tiles: from a level held whole, or from windows of a level that is larger than memory.

mod bins;
mod blocks;
mod inputs;
mod windows;

pub use inputs::{AgentCoords, TileInputs};
pub use windows::{SeenTriangle, WindowWork, Windows};

use crate::{PreparedObstacle, Tiling};
use navtile::TileCoord;
use recast::{Error, PreparedLevel};
use std::collections::BTreeSet;
use std::io;

/// A level cut into tiles, with all or some of its triangles at a time.
pub enum Triangles<'a> {
    /// All triangles.
    Whole(Box<Tiling<'a>>),
    /// The triangles of some tiles at a time.
    Windows(Box<Windows>),
}

impl Triangles<'_> {
    /// The level for each agent: without triangles, if they are not held.
    pub fn levels(&self) -> &[PreparedLevel] {
        match self {
            Triangles::Whole(tiling) => tiling.levels(),
            Triangles::Windows(windows) => windows.levels(),
        }
    }

    /// Cells on a side of a tile; 0 if the level is one tile.
    pub fn tile_cells(&self) -> u32 {
        match self {
            Triangles::Whole(tiling) => tiling.tile_cells(),
            Triangles::Windows(windows) => windows.grid().tile_cells(),
        }
    }

    /// The obstacles in the level, for one of the agents.
    pub fn obstacles(&self, agent: usize) -> Box<dyn Iterator<Item = &PreparedObstacle> + '_> {
        match self {
            Triangles::Whole(tiling) => Box::new(tiling.obstacles(agent)),
            Triangles::Windows(windows) => Box::new(windows.obstacles(agent)),
        }
    }

    /// Does `work` with the triangles of these tiles, or of all tiles: once, or window by window. The
    /// function that `work` gets returns true for tiles in the window.
    ///
    /// # Errors
    /// The errors of `work`, and a temporary file that cannot be read.
    pub fn each<E: From<Error> + From<io::Error>>(
        &self,
        tiles: Option<&BTreeSet<TileCoord>>,
        work: &mut WindowWork<'_, E>,
    ) -> Result<(), E> {
        match self {
            Triangles::Whole(tiling) => work(tiling, &|_| true),
            Triangles::Windows(windows) => windows.each(tiles, work),
        }
    }
}
