//! The content of the page.

use crate::bake::warning::Warning;
use navtile::{Tile, TileCoord};
use recast::{Config, StageId};
use std::time::Duration;

/// The content of the page.
pub(in crate::bake) struct Page<'a> {
    /// Name of the level.
    pub(in crate::bake) title: &'a str,
    /// Names of the input files.
    pub(in crate::bake) levels: &'a [String],
    /// Name of the written file.
    pub(in crate::bake) output: &'a str,
    /// Its size, bytes.
    pub(in crate::bake) bytes: u64,
    /// Version of the program.
    pub(in crate::bake) version: &'a str,
    /// Name of the agent, if it has one.
    pub(in crate::bake) agent_name: Option<&'a str>,
    /// Settings, as given and as quantised.
    pub(in crate::bake) config: &'a Config,
    /// The lattice's zero, world metres: tile (0, 0) starts here.
    pub(in crate::bake) origin: [f64; 3],
    /// Side of a tile in cells; 0 if the level is one tile.
    pub(in crate::bake) tile_cells: u32,
    /// Triangles of the level.
    pub(in crate::bake) triangles: usize,
    /// The tiles in canonical order (x, z, layer).
    pub(in crate::bake) tiles: &'a [PageTile],
    /// The content of a tile by its number in `tiles`, read on demand, so that a large file is never in memory as a
    /// whole.
    pub(in crate::bake) meshes: &'a dyn Fn(usize) -> Option<Tile>,
    /// Size of each island that was kept, m², the largest first.
    pub(in crate::bake) islands_kept: &'a [f64],
    /// How many islands were dropped as too small.
    pub(in crate::bake) islands_dropped: usize,
    /// Time of each stage, summed over tiles and threads.
    pub(in crate::bake) stages: &'a [(StageId, Duration)],
    /// Threads that baked.
    pub(in crate::bake) threads: usize,
    /// The whole run.
    pub(in crate::bake) elapsed: Duration,
    /// Peak memory, bytes.
    pub(in crate::bake) peak_memory: Option<u64>,
    pub(in crate::bake) warnings: &'a [Warning],
    /// The differences from the previous bake; `None` if there was none to compare with.
    pub(in crate::bake) changes: Option<&'a Changes>,
}

/// A tile of the page.
#[derive(Clone, Copy, Debug)]
pub(in crate::bake) struct PageTile {
    pub(in crate::bake) coord: TileCoord,
    /// How long it took; `None` if it was reused from the previous bake.
    pub(in crate::bake) elapsed: Option<Duration>,
    pub(in crate::bake) polygons: usize,
    /// Size of its polygons, m².
    pub(in crate::bake) area_m2: f64,
    /// Size in the file, bytes.
    pub(in crate::bake) bytes: u64,
    /// Triangles of the level that reach it.
    pub(in crate::bake) triangles: usize,
}

/// Tiles, by their changes since the previous bake.
#[derive(Clone, Debug, Default)]
pub(in crate::bake) struct Changes {
    /// Baked again, as their input changed.
    pub(in crate::bake) rebuilt: Vec<TileCoord>,
    /// New.
    pub(in crate::bake) added: Vec<TileCoord>,
    /// Gone.
    pub(in crate::bake) removed: Vec<TileCoord>,
    /// Reused as they were.
    pub(in crate::bake) taken_over: Vec<TileCoord>,
}

impl Page<'_> {
    pub(super) fn polygons(&self) -> usize {
        self.tiles.iter().map(|tile| tile.polygons).sum()
    }

    pub(super) fn area_m2(&self) -> f64 {
        self.tiles.iter().map(|tile| tile.area_m2).sum()
    }

    /// The rectangle of a tile from above, metres: smaller x, smaller z, larger x, larger z.
    pub(super) fn tile_place(&self, coord: TileCoord) -> [f64; 4] {
        let side = f64::from(self.tile_cells) * self.config.settings.cell_size;
        let corner = |x: i64, z: i64| [self.origin[0] + x as f64 * side, self.origin[2] + z as f64 * side];
        let (x, z) = (i64::from(coord.x), i64::from(coord.z));
        let ([x0, z0], [x1, z1]) = (corner(x, z), corner(x + 1, z + 1));
        [x0, z0, x1, z1]
    }
}

/// A tile by its coordinate: `3, 4`, with its layer if that is not 0.
pub(super) fn tile_name(coord: TileCoord) -> String {
    match coord {
        TileCoord { x, z, layer: 0 } => format!("{x}, {z}"),
        TileCoord { x, z, layer } => format!("{x}, {z}, layer {layer}"),
    }
}
