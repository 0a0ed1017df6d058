//! A tile that is being imported: read, but still with all its faults.

use super::diagnostic::{ImportDiagnostic, Repair};
use super::error::{ImportError, coord, refuse};
use super::frame::TileGrid;
use crate::detour::AREA_ZERO;
use crate::detour::{DetourTile, EXTERNAL};
use navmath::FIXED_ONE;
use navtile::content::{Beyond, DetailTriangleContent, EdgeContent, PolygonContent};
use navtile::layout::{COORD_LIMIT, side};

/// Most polygons of a tile that are left out because the writer refuses them, before the whole tile is
/// refused.
pub const REFUSAL_LIMIT: usize = 64;

/// A tile that is being imported: polygons of the ground, still with all their faults.
pub(super) struct Draft<'a> {
    pub(super) tile: &'a DetourTile,
    pub(super) grid: TileGrid,
    /// As in the tile, fixed-point; zeros for unused ones.
    pub(super) vertices: Vec<[i32; 3]>,
    pub(super) polygons: Vec<PolygonContent>,
    /// Each polygon's number in the tile.
    pub(super) sources: Vec<usize>,
    /// True for each polygon that stays.
    pub(super) keep: Vec<bool>,
    pub(super) largest_error: [f64; 3],
    pub(super) diagnostics: &'a mut Vec<ImportDiagnostic>,
}

impl<'a> Draft<'a> {
    pub(super) fn read(
        grid: TileGrid,
        tile: &'a DetourTile,
        diagnostics: &'a mut Vec<ImportDiagnostic>,
    ) -> Result<Draft<'a>, ImportError> {
        let sources: Vec<usize> =
            (0..tile.polygons.len()).filter(|&at| !tile.polygons[at].off_mesh).collect();
        let mut draft = Draft {
            tile,
            grid,
            vertices: vec![[0; 3]; tile.vertices.len()],
            polygons: Vec::with_capacity(sources.len()),
            keep: vec![true; sources.len()],
            sources,
            largest_error: [0.0; 3],
            diagnostics,
        };
        for at in 0..draft.sources.len() {
            let source = &tile.polygons[draft.sources[at]];
            for &corner in &source.vertices[..usize::from(source.corner_count)] {
                let vertex = usize::from(corner);
                draft.vertices[vertex] = fixed(tile, grid, tile.vertices[vertex])?;
            }
        }
        for at in 0..draft.sources.len() {
            let polygon = draft.polygon(draft.sources[at])?;
            draft.polygons.push(polygon);
        }
        Ok(draft)
    }

    fn polygon(&mut self, source: usize) -> Result<PolygonContent, ImportError> {
        let polygon = self.tile.polygons[source];
        let count = usize::from(polygon.corner_count);
        let edges = (0..count).map(|corner| EdgeContent {
            vertex: polygon.vertices[corner].into(),
            beyond: self.beyond(source, polygon.neighbours[corner]),
        });
        let edges = edges.collect();
        let mut content = PolygonContent {
            edges,
            area: area(polygon.area),
            flags: polygon.flags.into(),
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
        };
        let Some(mesh) = self.tile.detail_meshes.get(source) else { return Ok(content) };
        let range = |first: u32, count: u8| first as usize..first as usize + usize::from(count);
        for vertex in &self.tile.detail_vertices[range(mesh.first_vertex, mesh.vertex_count)] {
            let at = fixed(self.tile, self.grid, *vertex)?;
            content.detail_vertices.push(at);
        }
        for triangle in &self.tile.detail_triangles[range(mesh.first_triangle, mesh.triangle_count)] {
            content.detail_triangles.push(DetailTriangleContent {
                vertices: [triangle[0], triangle[1], triangle[2]].map(u32::from),
                // Two bits per edge; only the lower one has a meaning.
                boundary: [0, 2, 4].map(|shift| triangle[3] >> shift & 1 != 0),
            });
        }
        Ok(content)
    }

    /// The other side of an edge with this neighbour.
    fn beyond(&mut self, polygon: usize, neighbour: u16) -> Beyond {
        if neighbour & EXTERNAL != 0 {
            return match neighbour & !EXTERNAL {
                0 => Beyond::Portal(side::X_MAX),
                2 => Beyond::Portal(side::Z_MAX),
                4 => Beyond::Portal(side::X_MIN),
                6 => Beyond::Portal(side::Z_MIN),
                side => {
                    self.note_source(polygon, Repair::UnknownSide { polygon, side });
                    Beyond::Wall
                }
            };
        }
        let Some(other) = usize::from(neighbour).checked_sub(1) else { return Beyond::Wall };
        // Sources are ascending, and leave out the polygons of off-mesh connections.
        match self.sources.binary_search(&other) {
            // Fewer than 2^15.
            Ok(at) if other != polygon => Beyond::Internal(at as u32),
            _ => {
                self.note_source(polygon, Repair::OneSided { polygon, neighbour: other });
                Beyond::Wall
            }
        }
    }

    /// Notes a repair of a polygon of the tile, at its first corner.
    pub(super) fn note_source(&mut self, source: usize, repair: Repair) {
        let vertex = usize::from(self.tile.polygons[source].vertices[0]);
        let at = self.tile.vertices[vertex].map(f64::from);
        self.diagnostics.push(ImportDiagnostic { coord: coord(self.tile), at, repair });
    }

    /// Notes a repair at a fixed-point position.
    pub(super) fn note_at(&mut self, fixed: [i32; 3], repair: Repair) {
        let at = self.grid.lattice.fixed_to_world(fixed, self.grid.base_cell);
        self.diagnostics.push(ImportDiagnostic { coord: coord(self.tile), at, repair });
    }

    /// The ends of an edge.
    pub(super) fn ends(&self, polygon: usize, edge: usize) -> [[i32; 3]; 2] {
        let edges = &self.polygons[polygon].edges;
        let at = |edge: usize| self.vertices[edges[edge % edges.len()].vertex as usize];
        [at(edge), at(edge + 1)]
    }

    /// Measures the distances that vertices were moved.
    pub(super) fn measure(&mut self) {
        let (lattice, base) = (self.grid.lattice, self.grid.base_cell);
        let mut largest = self.largest_error;
        let mut compare = |fixed: [i32; 3], given: [f32; 3]| {
            let world = lattice.fixed_to_world(fixed, base);
            for axis in 0..3 {
                largest[axis] = largest[axis].max((world[axis] - f64::from(given[axis])).abs());
            }
        };
        for (polygon, &source) in self.polygons.iter().zip(&self.sources) {
            for edge in &polygon.edges {
                compare(self.vertices[edge.vertex as usize], self.tile.vertices[edge.vertex as usize]);
            }
            if let Some(mesh) = self.tile.detail_meshes.get(source) {
                let given = &self.tile.detail_vertices[mesh.first_vertex as usize..];
                polygon.detail_vertices.iter().zip(given).for_each(|(fixed, given)| compare(*fixed, *given));
            }
        }
        self.largest_error = largest;
    }

    /// Measures the distance that one of the tile's vertices was moved.
    pub(super) fn measure_vertex(&mut self, vertex: usize) {
        let world = self.grid.lattice.fixed_to_world(self.vertices[vertex], self.grid.base_cell);
        for (axis, most) in self.largest_error.iter_mut().enumerate() {
            *most = most.max((world[axis] - f64::from(self.tile.vertices[vertex][axis])).abs());
        }
    }

    /// Notes polygons without flags, in a single note.
    pub(super) fn flags(&mut self) {
        let without = |&at: &usize| self.keep[at] && self.polygons[at].flags == 0;
        let mut bare = (0..self.polygons.len()).filter(without);
        if let Some(first) = bare.next() {
            let polygons = 1 + bare.count();
            self.note_source(self.sources[first], Repair::NoFlags { polygons });
        }
    }
}

/// The area's id in navtile.
pub(super) fn area(detour: u8) -> u8 {
    if detour == 0 { AREA_ZERO } else { detour }
}

/// A world position as the nearest fixed-point one. Error: it is too far from the tile.
pub(super) fn fixed(tile: &DetourTile, grid: TileGrid, position: [f32; 3]) -> Result<[i32; 3], ImportError> {
    match grid.lattice.world_to_fixed(position.map(f64::from), grid.base_cell) {
        Some(fixed) => Ok(fixed),
        None => {
            let expected = format!("positions within {} cells of the tile's corner", COORD_LIMIT / FIXED_ONE);
            let remedy = "give the parameters that the tiles were made with";
            refuse(tile, "a position", expected, format!("{position:?}"), remedy)
        }
    }
}
