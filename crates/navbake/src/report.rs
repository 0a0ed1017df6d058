//! The result of a bake.

use crate::warning::Warning;
use serde::Serialize;

/// The file of one agent.
#[derive(Clone, Debug)]
pub struct BakedFile {
    /// The name of the agent, if it has one.
    pub agent: Option<String>,
    /// The file, as `navtile bake` writes it.
    pub bytes: Vec<u8>,
    /// The numbers of the bake.
    pub report: BakeSummary,
}

/// The numbers of the bake of one agent, with the names that `navtile bake --json` uses.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BakeSummary {
    /// Columns along x and z.
    pub grid: [u32; 2],
    /// Side of a tile in cells; 0 for one tile.
    pub tile_cells: u32,
    /// Number of tiles in the file, which are the tiles with polygons.
    pub tiles: usize,
    /// Number of triangles in the level, including degenerate ones.
    pub triangles: usize,
    /// Spans after rasterizing.
    pub spans: usize,
    /// Walkable spans after filtering.
    pub compact_spans: usize,
    /// Regions.
    pub regions: u32,
    /// Polygons.
    pub polygons: usize,
    /// Vertices of polygons.
    pub vertices: usize,
    /// Triangles of the detail mesh.
    pub detail_triangles: usize,
    /// Off-mesh links.
    pub off_mesh_links: usize,
    /// Area of all polygons seen from above, m².
    pub walkable_area: f64,
    /// Islands of the mesh.
    pub islands: usize,
    /// Number of islands that were too small, or that cannot be reached from the given place.
    pub islands_dropped: usize,
    /// Size of the file.
    pub bytes: usize,
    /// Digest of the file, in hexadecimal digits. Equal files have equal digests.
    pub hash: String,
    /// Warnings and notes.
    pub warnings: Vec<Warning>,
}
