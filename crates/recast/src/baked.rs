//! The result of a bake: a tile, counts, diagnostics and timings.

use crate::data::{ContourSet, PolyMesh};
use crate::ground::TileGround;
use crate::observer::{Diagnostic, StageId};
use navmath::FIXED_ONE;
use navtile::Tile;
use std::time::Duration;

/// A baked tile, with the counts, diagnostics and timings of its bake.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The tile, verified.
    pub tile: Tile,
    /// The number of walkable cells that each of its local islands covers; see
    /// [`navtile::graph::local_islands`].
    pub island_cells: Vec<u64>,
    /// Number of spans, regions, polygons and so on that the stages made.
    pub counts: Counts,
    /// Reports of everything that was repaired or dropped.
    pub diagnostics: Vec<Diagnostic>,
    /// Time that each stage took, in order. Stages 2 to 6 are one sweep, unless a tap asked for each result
    /// (see [`StageId::Rasterize`] and [`crate::bake_tapped`]).
    pub stage_times: Vec<(StageId, Duration)>,
    /// The ground that links are found on (`navlinks::find_links`); `None` if the settings have no profile of
    /// links.
    pub ground: Option<Box<TileGround>>,
}

/// Number of spans, regions, polygons and so on that a bake made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Counts {
    /// Grid columns along x and z, border included.
    pub grid: [u32; 2],
    /// Triangles given, degenerate ones included.
    pub triangles: usize,
    /// Spans after rasterizing.
    pub spans: usize,
    /// Walkable spans after filtering.
    pub compact_spans: usize,
    /// Largest distance to a border, half cells.
    pub max_distance: u16,
    /// Regions.
    pub regions: u32,
    /// Contours, joined holes not counted.
    pub contours: usize,
    /// Corners of all contours.
    pub contour_vertices: usize,
    /// Vertices of the polygon mesh.
    pub vertices: usize,
    /// Polygons.
    pub polygons: usize,
    /// Vertices of the detail mesh, polygon corners included.
    pub detail_vertices: usize,
    /// Triangles of the detail mesh.
    pub detail_triangles: usize,
    /// Area of all polygons seen from above, m².
    pub walkable_area: f64,
    /// Length of the walls of all outlines before they are simplified, metres; 0 unless outlines are exact.
    pub walls: f64,
    /// The part of it at the radius from triangles. The rest follows cells.
    pub exact_walls: f64,
}

impl Counts {
    /// Adds a polygon mesh and the contours that it was made of, in cells of this size.
    pub(crate) fn add_mesh(&mut self, contours: &ContourSet, mesh: &PolyMesh, cell_size: f64) {
        let doubled: i128 = mesh.polygons.iter().map(|polygon| mesh.polygon_area2(polygon)).sum();
        let contours = &contours.contours;
        self.contours = contours.iter().filter(|contour| !contour.vertices.is_empty()).count();
        self.contour_vertices = contours.iter().map(|contour| contour.vertices.len()).sum();
        self.vertices = mesh.vertices.len();
        self.polygons = mesh.polygons.len();
        let squares = f64::from(FIXED_ONE * FIXED_ONE);
        self.walkable_area = doubled as f64 / squares * 0.5 * (cell_size * cell_size);
    }
}
