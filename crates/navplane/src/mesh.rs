//! The mesh of a map, on its grid.

use crate::exact::turn;
use crate::grid::{Grid, Point};
use crate::merge::{ConvexPolygon, merge};
use crate::triangulation::{Cells, Triangle};

/// The mesh of a map, on its grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The grid that positions are on.
    pub grid: Grid,
    /// Corners of triangles and polygons.
    pub vertices: Vec<Point>,
    /// The constrained Delaunay triangulation of the ground.
    pub triangles: Vec<Triangle>,
    /// Convex polygons, merged from the triangles.
    pub polygons: Vec<ConvexPolygon>,
    /// Outlines without any ground left after the agent's radius, as indices into
    /// [`Map::outlines`](crate::Map::outlines).
    pub vanished: Vec<usize>,
}

impl Mesh {
    /// The mesh of triangles that are all ground.
    pub(crate) fn new(grid: Grid, cells: Cells, max_vertices: u32) -> Mesh {
        let polygons = merge(&cells, max_vertices);
        let Cells { vertices, triangles } = cells;
        Mesh { grid, vertices, triangles, polygons, vanished: Vec::new() }
    }

    /// Area of the ground, in square map units: exact on the grid.
    pub fn area(&self) -> f64 {
        let doubled = |triangle: &Triangle| {
            let [a, b, c] = triangle.corners.map(|corner| self.vertices[corner as usize]);
            i128::from(turn(a, b, c))
        };
        let doubled: i128 = self.triangles.iter().map(doubled).sum();
        doubled as f64 * 0.5 * self.grid.spacing * self.grid.spacing
    }
}
