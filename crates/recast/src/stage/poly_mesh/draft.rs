//! The polygon mesh under construction.

use crate::data::draft_polygons::DraftPolygons;
use navmath::predicates::Point;
use navmath::sort::SharedSort;

/// The mesh under construction.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) vertices: Vec<[i32; 3]>,
    /// True for vertices that exist only because of the tile's border.
    pub(super) border_vertex: Vec<bool>,
    /// Edges, as their vertices in order, beyond which the tile's border continues. A wall may be on the
    /// border's line too. Sorted.
    pub(super) border_edges: Vec<[u32; 2]>,
    /// Edges that are walls of two contours: no step leads between the floors on both sides, although their
    /// corners are equally high. The smaller vertex first. Sorted.
    pub(super) walls: Vec<[u32; 2]>,
    pub(super) polygons: DraftPolygons,
}

impl Draft {
    /// Empties the draft and reserves room for the polygons of contours with this many corners.
    pub(super) fn start(&mut self, corners: usize) {
        let Draft { vertices, border_vertex, border_edges, walls, polygons } = self;
        vertices.clear();
        vertices.reserve_exact(corners);
        border_vertex.clear();
        border_vertex.reserve(corners);
        border_edges.clear();
        walls.clear();
        // There are fewer polygons than corners, and few more corners than in the contours.
        polygons.list.clear();
        polygons.list.reserve(corners / 2);
        polygons.corners.clear();
        polygons.corners.reserve(2 * corners);
    }

    /// Keeps the walls of two contours. Within one contour an edge that is walked twice may be the bridge to
    /// a hole.
    pub(super) fn keep_double_walls(&mut self, walls: &mut [([u32; 2], usize)]) {
        walls.shared_sort();
        let doubled = walls.windows(2).filter(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1);
        self.walls.extend(doubled.map(|pair| pair[0].0));
        self.walls.dedup();
    }

    /// The position of a vertex as seen from above.
    pub(super) fn plan(&self, vertex: u32) -> Point {
        let [x, _, z] = self.vertices[vertex as usize];
        [x, z]
    }
}
