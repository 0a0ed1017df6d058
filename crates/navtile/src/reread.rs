//! Turns tiles back into content: for tools that change tiles, and for dropping islands.

use crate::content::{Beyond, DetailTriangleContent, EdgeContent, PolygonContent, TileContent};
use crate::layout::{Edge, Polygon, edge_kind};
use crate::tile::Tile;

impl TileContent {
    /// The content of a tile. Writing it again gives the same bytes.
    pub fn from_tile(tile: &Tile) -> TileContent {
        let header = tile.header();
        let corners = header.polygon_vertex_count as usize;
        TileContent {
            coord: tile.coord(),
            lattice: tile.lattice(),
            base_cell: header.base_cell,
            size_cells: [header.width, header.depth],
            agent: header.agent,
            vertices: tile.vertices()[..corners].to_vec(),
            polygons: tile.polygons().iter().map(|polygon| polygon_content(tile, polygon)).collect(),
            off_mesh_links: tile.off_mesh_links().to_vec(),
        }
    }

    /// This content without the polygons for which `keep` is false; edges to them become walls.
    ///
    /// `keep` has one entry per polygon; polygons beyond its end are kept.
    #[must_use]
    pub fn retaining(mut self, keep: &[bool]) -> TileContent {
        let kept = |polygon: usize| keep.get(polygon).copied().unwrap_or(true);
        let mut numbers = Vec::with_capacity(self.polygons.len());
        let mut next = 0;
        for polygon in 0..self.polygons.len() {
            numbers.push(next);
            next += u32::from(kept(polygon));
        }
        let mut index = 0;
        self.polygons.retain(|_| {
            index += 1;
            kept(index - 1)
        });
        for edge in self.polygons.iter_mut().flat_map(|polygon| &mut polygon.edges) {
            if let Beyond::Internal(neighbour) = edge.beyond {
                let stays = kept(neighbour as usize);
                edge.beyond =
                    if stays { Beyond::Internal(numbers[neighbour as usize]) } else { Beyond::Wall };
            }
        }
        self
    }
}

fn polygon_content(tile: &Tile, polygon: &Polygon) -> PolygonContent {
    let beyond = |edge: &Edge| match edge.kind {
        edge_kind::INTERNAL => Beyond::Internal(edge.neighbour),
        edge_kind::PORTAL => Beyond::Portal(tile.portals()[edge.neighbour as usize].side),
        _ => Beyond::Wall,
    };
    PolygonContent {
        edges: tile
            .polygon_edges(polygon)
            .iter()
            .map(|edge| EdgeContent { vertex: edge.vertex, beyond: beyond(edge) })
            .collect(),
        area: polygon.area,
        flags: polygon.flags,
        detail_vertices: tile.vertices()[polygon.detail_vertices()].to_vec(),
        detail_triangles: tile
            .polygon_detail_triangles(polygon)
            .iter()
            .map(|triangle| DetailTriangleContent {
                vertices: triangle.vertices.map(u32::from),
                boundary: [0, 1, 2].map(|edge| triangle.boundary & (1 << edge) != 0),
            })
            .collect(),
    }
}
