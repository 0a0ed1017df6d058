//! The content of the page.

use crate::bake_report::report::BakeReport;
use navtile::{Tile, TileCoord};
use recast::Settings;
use std::path::Path;
use std::time::Duration;

/// The content of a page: the figures of the bake, and the data of its pictures and lists.
pub(crate) struct Page<'a> {
    pub(crate) report: &'a BakeReport<'a>,
    /// Tiles of the file.
    pub(crate) tiles: &'a [PageTile],
    /// A tile of the file, by its index; `None` if it cannot be read.
    pub(crate) meshes: &'a dyn Fn(usize) -> Option<Tile>,
    /// Walkable cells of the kept islands, m², largest first.
    pub(crate) islands_kept: &'a [f64],
    pub(crate) changes: Option<&'a Changes>,
    /// The page that shows the mesh in 3D; `None` if it would be too large to be embedded.
    pub(crate) view: Option<&'a str>,
}

/// A tile of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageTile {
    pub(crate) coord: TileCoord,
    /// Time of its bake; `None` if it was reused from the previous bake.
    pub(crate) elapsed: Option<Duration>,
    pub(crate) polygons: usize,
    /// Size of its polygons, m².
    pub(crate) area_m2: f64,
    /// Size in the file, bytes.
    pub(crate) bytes: u64,
    /// Triangles of the level that reach it.
    pub(crate) triangles: usize,
}

/// Tiles, by their changes since the previous bake.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// Different from before.
    pub(crate) changed: Vec<TileCoord>,
    /// New.
    pub(crate) added: Vec<TileCoord>,
    /// Removed.
    pub(crate) removed: Vec<TileCoord>,
    /// Unchanged, whether they were baked again or reused.
    pub(crate) unchanged: Vec<TileCoord>,
}

impl Page<'_> {
    /// Names of the input files, without their folders, because readers of the page have others.
    pub(crate) fn levels(&self) -> Vec<String> {
        self.report.levels.iter().map(|name| file_name(Path::new(name))).collect()
    }

    /// Name of the file.
    pub(crate) fn output(&self) -> String {
        file_name(self.report.file)
    }

    /// The first of the input files.
    pub(crate) fn title(&self) -> String {
        self.levels().into_iter().next().unwrap_or_default()
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.report.prepared.config.settings
    }

    /// Side of a tile in cells; 0 for one tile.
    pub(crate) fn tile_cells(&self) -> u32 {
        self.report.tiles.side_cells
    }

    pub(crate) fn polygons(&self) -> usize {
        self.tiles.iter().map(|tile| tile.polygons).sum()
    }

    pub(crate) fn area_m2(&self) -> f64 {
        self.tiles.iter().map(|tile| tile.area_m2).sum()
    }

    /// The rectangle of a tile from above, metres: smaller x, smaller z, larger x, larger z.
    pub(crate) fn tile_place(&self, coord: TileCoord) -> [f64; 4] {
        let side = f64::from(self.tile_cells()) * self.settings().cell_size;
        let [x0, _, z0] = self.report.prepared.lattice.origin;
        let corner = |x: i64, z: i64| [x0 + x as f64 * side, z0 + z as f64 * side];
        let (x, z) = (i64::from(coord.x), i64::from(coord.z));
        let ([x0, z0], [x1, z1]) = (corner(x, z), corner(x + 1, z + 1));
        [x0, z0, x1, z1]
    }
}

/// A tile by its coordinate: `3, 4`, with its layer if that is not 0.
pub(crate) fn tile_name(coord: TileCoord) -> String {
    match coord {
        TileCoord { x, z, layer: 0 } => format!("{x}, {z}"),
        TileCoord { x, z, layer } => format!("{x}, {z}, layer {layer}"),
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
