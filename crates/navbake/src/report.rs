//! The result of a bake.

use crate::warning::Warning;
use serde::Serialize;

/// The file of one agent.
#[derive(Clone, Debug)]
pub struct BakedFile {
    /// The name of the agent, if it has one.
    pub agent: Option<String>,
    /// The file: what `navtile bake` writes.
    pub bytes: Vec<u8>,
    /// The bake in numbers.
    pub report: BakeSummary,
}

/// The bake of one agent in numbers, by the names that `navtile bake --json` has for them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BakeSummary {
    /// Columns along x and z.
    pub grid: [u32; 2],
    /// Side of a tile in cells; 0 for one tile.
    pub tile_cells: u32,
    /// Tiles in the file: those that have polygons.
    pub tiles: usize,
    /// Triangles of the level, degenerate ones included.
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
    /// Islands that were too small, or that cannot be reached from the place given.
    pub islands_dropped: usize,
    /// Size of the file.
    pub bytes: usize,
    /// Digest of the file, in hexadecimal digits: files with the same one are the same.
    pub hash: String,
    /// Warnings and notes.
    pub warnings: Vec<Warning>,
}
