//! The parts of a tile that queries read: its BV tree, polygons, corners and detail triangles, unpacked, in
//! metres from the anchor.
//!
//! They are in one block of memory, which each slot points to. In a world of many tiles, queries spend most
//! of their time on cache misses, and each further pointer between the slot and a corner adds a miss.

use super::fixed::ToMetres;
use crate::geometry::flat;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use navmath::FIXED_ONE;
use navtile::Tile;
use navtile::layout::{self, BvNode, DetailTriangle, edge_kind};
use std::hint::select_unpredictable;
use std::ops::Range;
use std::sync::Arc;

/// The unit of the block: as large as a face. The size of everything else is a multiple or a fraction of it.
type Chunk = [u32; 8];

/// Chunks per node of the BV tree.
const NODE_CHUNKS: usize = size_of::<BvNode>() / size_of::<Chunk>();
/// Vertices and triangles per chunk.
const VERTICES: usize = size_of::<Chunk>() / size_of::<Vertex>();
const TRIANGLES: usize = size_of::<Chunk>() / size_of::<DetailTriangle>();

/// The kind of an edge: what is beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeKind {
    /// Nothing.
    Wall,
    /// This polygon of the tile.
    Internal(u32),
    /// The polygons of other tiles beyond this border edge, given by its number among the tile's portals and
    /// its side.
    Seam { portal: u32, side: u8 },
}

/// A corner of a polygon with the kind of the edge that starts there; or a vertex of a detail mesh.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Vertex {
    /// Metres from the anchor.
    at: [f32; 3],
    /// The index of the polygon beyond the edge, [`Vertex::WALL`], or [`Vertex::SEAM`] with a side and a
    /// portal.
    edge: u32,
}

impl Vertex {
    const WALL: u32 = u32::MAX;
    /// The side is in the two bits below, the number of the portal in the rest: a tile has at most 2^20
    /// polygons of at most 255 edges.
    const SEAM: u32 = 1 << 31;
    const SIDE_SHIFT: u32 = 29;

    /// Metres from the anchor.
    #[inline]
    pub(crate) fn at(&self) -> Vec3 {
        Vec3::from_array(self.at)
    }

    #[inline]
    pub(crate) fn edge_kind(self) -> EdgeKind {
        match self.edge {
            Self::WALL => EdgeKind::Wall,
            edge if edge & Self::SEAM == 0 => EdgeKind::Internal(edge),
            edge => EdgeKind::Seam {
                portal: edge & ((1 << Self::SIDE_SHIFT) - 1),
                side: (edge >> Self::SIDE_SHIFT & 3) as u8,
            },
        }
    }
}

/// The position of a polygon's corners and detail triangles, and the values that filters read.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Face {
    /// The first of its corners, which are followed by the first corner again. Counted in vertices from the
    /// start of the block.
    first_corner: u32,
    /// The first vertex of its detail mesh, counted in the same way.
    first_detail: u32,
    /// The first of its detail triangles, counted in triangles from there.
    first_triangle: u32,
    flags: u32,
    triangle_count: u16,
    edge_count: u8,
    area: u8,
    /// 1 if it has at most one link, to a polygon of the tile.
    is_dead_end: u8,
    /// 1 if all its corners and detail vertices have one height.
    is_level: u8,
    unused: [u8; 10],
}

/// Polygons with more edges are never treated as dead ends. They come from maps of polygons, not from bakes.
const MOST_DEAD_END_EDGES: u8 = 32;

/// The parts of a tile that queries read. A clone shares them.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    /// The faces, the nodes of the BV tree, the corners of each polygon, the vertices of the detail meshes,
    /// and the detail triangles.
    chunks: Arc<[Chunk]>,
    /// Number of faces.
    polygon_count: u32,
    /// Chunks of the BV tree.
    node_chunks: u32,
    /// Number of polygons and off-mesh links.
    node_count: u32,
    /// The smallest corner of the tile, global fixed-point units, which the BV tree counts from.
    min: [i64; 3],
    shift: [u8; 3],
    /// Index of the first border edge of each side among the tile's portals, and the end.
    sides: [u32; 5],
    /// The height that an agent of this tile can step over, metres.
    pub(crate) climb: f32,
}

impl Surface {
    pub(super) fn new(tile: &Tile, to_metres: &ToMetres) -> Surface {
        let (header, polygons, nodes) = (tile.header(), tile.polygons(), tile.bv_nodes());
        let triangles = tile.detail_triangles();
        let details = &tile.vertices()[header.polygon_vertex_count as usize..];
        let corner_count = tile.edges().len() + polygons.len();
        let node_chunks = nodes.len() * NODE_CHUNKS;
        let vertex_chunks = (corner_count + details.len()).div_ceil(VERTICES);
        let before_vertices = polygons.len() + node_chunks;
        let before_triangles = before_vertices + vertex_chunks;
        let chunk_count = before_triangles + triangles.len().div_ceil(TRIANGLES);
        let mut chunks: Arc<[Chunk]> = std::iter::repeat_n([0; 8], chunk_count).collect();
        // They are not shared yet, so this copies nothing.
        let all = Arc::make_mut(&mut chunks);
        let (faces, rest) = all.split_at_mut(polygons.len());
        let (bv, rest) = rest.split_at_mut(node_chunks);
        let (vertices, last) = rest.split_at_mut(vertex_chunks);
        bytemuck::cast_slice_mut(bv).copy_from_slice(nodes);
        bytemuck::cast_slice_mut(last)[..triangles.len()].copy_from_slice(triangles);
        let (faces, vertices) = (bytemuck::cast_slice_mut(faces), bytemuck::cast_slice_mut(vertices));
        let first_corner = before_vertices * VERTICES;
        let firsts = [first_corner, before_triangles * TRIANGLES];
        unpack(tile, to_metres, faces, vertices, firsts.map(|first| first as u32));
        let sides = mark_borders(tile.portals(), faces, vertices, first_corner);
        Surface {
            chunks,
            node_chunks: node_chunks as u32,
            polygon_count: polygons.len() as u32,
            node_count: (polygons.len() + tile.off_mesh_links().len()) as u32,
            min: std::array::from_fn(|axis| {
                header.base_cell[axis] * i64::from(FIXED_ONE) + i64::from(header.bounds_min[axis])
            }),
            shift: std::array::from_fn(|axis| header.bv_shift[axis].min(63)),
            sides,
            climb: header.agent[2],
        }
    }

    /// The range of the tile's portals that are on a side, 0 to 3.
    #[inline]
    pub(crate) fn side_range(&self, side: u8) -> Range<usize> {
        let side = usize::from(side);
        self.sides[side] as usize..self.sides[side + 1] as usize
    }

    /// Number of polygons. The numbers of off-mesh links start here.
    #[inline]
    pub(crate) fn polygon_count(&self) -> u32 {
        self.polygon_count
    }

    /// Number of polygons and off-mesh links.
    #[inline]
    pub(crate) fn node_count(&self) -> u32 {
        self.node_count
    }

    /// The BV tree; empty if there are no polygons.
    #[inline]
    pub(crate) fn bv_nodes(&self) -> &[BvNode] {
        let nodes = &self.chunks[self.polygon_count as usize..];
        bytemuck::cast_slice(&nodes[..self.node_chunks as usize])
    }

    /// A coordinate in global fixed-point units as the BV tree counts it.
    #[inline]
    pub(crate) fn quantise(&self, axis: usize, value: i64) -> u16 {
        let above = value.saturating_sub(self.min[axis]).max(0);
        (above >> self.shift[axis]).min(i64::from(u16::MAX)) as u16
    }

    #[inline]
    fn faces(&self) -> &[Face] {
        bytemuck::cast_slice(&self.chunks[..self.polygon_count as usize])
    }

    /// The face of a polygon, which the caller has checked.
    #[inline]
    fn face(&self, polygon: u32) -> &Face {
        bytemuck::cast_ref(&self.chunks[polygon as usize])
    }

    /// The tile's own flags and area of a polygon; `None` for an off-mesh link.
    #[inline]
    pub(crate) fn flags_and_area(&self, index: u32) -> Option<(u32, u8)> {
        self.faces().get(index as usize).map(|face| (face.flags, face.area))
    }

    /// The tile's own flags and areas of all polygons.
    pub(crate) fn flags_and_areas(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        self.faces().iter().map(|face| (face.flags, face.area))
    }

    /// The corners of a polygon, followed by the first corner again. The caller has checked `polygon`.
    #[inline]
    fn corners(&self, polygon: u32) -> &[Vertex] {
        let face = self.face(polygon);
        &self.vertices()[face.first_corner as usize..][..usize::from(face.edge_count) + 1]
    }

    /// The right and the left end of an edge of a polygon, as seen when leaving it.
    #[inline]
    pub(crate) fn edge_ends(&self, polygon: u32, edge: usize) -> [Vec3; 2] {
        let corners = self.corners(polygon);
        [corners[edge].at(), corners[edge + 1].at()]
    }

    /// Returns true if a node is a polygon with at most one link, to a polygon of the tile.
    #[inline]
    pub(crate) fn is_dead_end(&self, index: u32) -> bool {
        self.faces().get(index as usize).is_some_and(|face| face.is_dead_end != 0)
    }

    /// The edges of a polygon: the corner that each starts at, and its two ends.
    #[inline]
    pub(crate) fn edges(&self, polygon: u32) -> impl ExactSizeIterator<Item = (Vertex, Vec3, Vec3)> + '_ {
        self.corners(polygon).array_windows().map(|[corner, next]| (*corner, corner.at(), next.at()))
    }

    /// The height of a polygon that is level; `None` if it is not.
    #[inline]
    pub(crate) fn level_height(&self, polygon: u32) -> Option<f32> {
        let face = self.face(polygon);
        (face.is_level != 0).then(|| self.vertices()[face.first_corner as usize].at[1])
    }

    /// The corners of a polygon's detail triangles, and a bit for each of their edges that is on its outline.
    #[inline(always)]
    pub(crate) fn triangles(&self, polygon: u32) -> impl Iterator<Item = ([Vec3; 3], u32)> + '_ {
        let face = self.face(polygon);
        let (corners, details) = (face.first_corner as usize, face.first_detail as usize);
        let vertices = self.vertices();
        let triangles: &[DetailTriangle] = bytemuck::cast_slice(&self.chunks);
        let triangles = &triangles[face.first_triangle as usize..][..usize::from(face.triangle_count)];
        triangles.iter().map(move |triangle| {
            // Vertices are numbered within the polygon: corners first, then those of the detail mesh.
            let vertex = |local: u16| {
                let (local, count) = (usize::from(local), usize::from(face.edge_count));
                local.wrapping_add(select_unpredictable(local < count, corners, details.wrapping_sub(count)))
            };
            (triangle.vertices.map(|local| vertices[vertex(local)].at()), triangle.boundary.into())
        })
    }

    /// The numbers of the corners of a polygon's detail triangles within the polygon: its corners first, then
    /// the vertices of its detail mesh.
    #[inline]
    pub(crate) fn triangle_vertices(&self, polygon: u32) -> impl Iterator<Item = [u16; 3]> + '_ {
        let face = self.face(polygon);
        let triangles: &[DetailTriangle] = bytemuck::cast_slice(&self.chunks);
        let triangles = &triangles[face.first_triangle as usize..][..usize::from(face.triangle_count)];
        triangles.iter().map(|triangle| triangle.vertices)
    }

    /// The block as vertices.
    #[inline]
    fn vertices(&self) -> &[Vertex] {
        bytemuck::cast_slice(&self.chunks)
    }

    /// Returns true if `p`, seen from above, is in the polygon or on its outline.
    #[inline]
    pub(crate) fn is_over(&self, polygon: u32, p: Vec3) -> bool {
        // The sign of `geometry::side` for all edges, without an early exit: which edge decides is
        // unpredictable.
        let [first, rest @ ..] = self.corners(polygon) else { return true };
        let p = flat(p);
        let (mut a, mut from_a, mut is_over) = (flat(first.at()), p - flat(first.at()), true);
        for corner in rest {
            let b = flat(corner.at());
            let from_b = p - b;
            is_over &= (b - a).perp_dot(from_a + from_b) <= 0.0;
            (a, from_a) = (b, from_b);
        }
        is_over
    }

    /// Like [`Surface::is_over`], but `None` if the line of an edge separates the polygon, as seen from
    /// above, from the box of these half extents around `p`, or from all points within a distance, given
    /// squared.
    #[inline]
    pub(crate) fn is_over_or_near(
        &self,
        polygon: u32,
        p: Vec3,
        half: Vec3,
        distance_squared: f64,
    ) -> Option<bool> {
        let [first, rest @ ..] = self.corners(polygon) else { return Some(true) };
        let (p, half) = (flat(p), flat(half));
        let (mut a, mut from_a, mut is_over) = (flat(first.at()), p - flat(first.at()), true);
        for corner in rest {
            let b = flat(corner.at());
            let from_b = p - b;
            let along = b - a;
            let twice_outside = along.perp_dot(from_a + from_b);
            if twice_outside > 0.0 {
                // Distances times the length of the edge.
                let outside = twice_outside * 0.5;
                let reach = along.x.abs() * half.y + along.y.abs() * half.x;
                if outside > reach || outside * outside > distance_squared * along.length_squared() {
                    return None;
                }
                is_over = false;
            }
            (a, from_a) = (b, from_b);
        }
        Some(is_over)
    }
}

/// Unpacks the polygons and vertices of a tile, as if its border edges were walls. `firsts` are the numbers
/// of the first corner and of the first detail triangle.
fn unpack(
    tile: &Tile,
    to_metres: &ToMetres,
    faces: &mut [Face],
    vertices: &mut [Vertex],
    [first_corner, first_triangle]: [u32; 2],
) {
    let (polygons, edges, positions) = (tile.polygons(), tile.edges(), tile.vertices());
    let corner_count = edges.len() + polygons.len();
    let (corners, details) = vertices.split_at_mut(corner_count);
    let first_detail = tile.header().polygon_vertex_count;
    let vertex = |position: [i32; 3], edge: u32| Vertex { at: to_metres.vertex(position).to_array(), edge };
    for (detail, position) in details.iter_mut().zip(&positions[first_detail as usize..]) {
        *detail = vertex(*position, Vertex::WALL);
    }
    let mut rest = corners;
    let mut first = first_corner;
    for (polygon, face) in polygons.iter().zip(faces) {
        let edges = &edges[polygon.edges()];
        let (own, after) = rest.split_at_mut(edges.len() + 1);
        let mut links = 0;
        for (edge, corner) in edges.iter().zip(&mut *own) {
            let is_internal = edge.kind == edge_kind::INTERNAL;
            links += u8::from(is_internal);
            let beyond = select_unpredictable(is_internal, edge.neighbour, Vertex::WALL);
            *corner = vertex(positions[edge.vertex as usize], beyond);
        }
        own[edges.len()] = own[0];
        let own_detail = polygon.first_detail_vertex - first_detail;
        let own_details = &details[own_detail as usize..][..usize::from(polygon.detail_vertex_count)];
        let is_level = own.iter().chain(own_details).all(|vertex| vertex.at[1] == own[0].at[1]);
        *face = Face {
            first_corner: first,
            first_detail: first_corner + corner_count as u32 + own_detail,
            first_triangle: first_triangle + polygon.first_detail_triangle,
            flags: polygon.flags,
            triangle_count: polygon.detail_triangle_count,
            edge_count: polygon.edge_count,
            area: polygon.area,
            is_dead_end: u8::from(links <= 1 && polygon.edge_count <= MOST_DEAD_END_EDGES),
            is_level: u8::from(is_level),
            unused: [0; 10],
        };
        first += edges.len() as u32 + 1;
        rest = after;
    }
}

/// Marks the border edges of a tile, and returns the index of the first border edge of each side, and the
/// end. Portals are sorted by side.
fn mark_borders(
    portals: &[layout::Portal],
    faces: &mut [Face],
    vertices: &mut [Vertex],
    first_corner: usize,
) -> [u32; 5] {
    let mut counts = [0; 4];
    for (number, portal) in (0u32..).zip(portals) {
        let face = &mut faces[portal.polygon as usize];
        face.is_dead_end = 0;
        let side = portal.side & 3;
        counts[usize::from(side)] += 1;
        let edge = Vertex::SEAM | u32::from(side) << Vertex::SIDE_SHIFT | number;
        vertices[face.first_corner as usize - first_corner + usize::from(portal.edge)].edge = edge;
    }
    let mut sides = [0; 5];
    for (side, count) in counts.into_iter().enumerate() {
        sides[side + 1] = sides[side] + count;
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::tile_data::TileData;
    use navmath::Lattice;
    use navtile::TileCoord;
    use navtile::content::Beyond;
    use navtile::layout::side;
    use navtile::{EdgeContent, PolygonContent, TileContent};

    /// Cells of 256 steps, a quarter of a metre.
    const CELL: i32 = 256;

    /// A polygon of these edges.
    fn polygon(edges: impl IntoIterator<Item = (u32, Beyond)>) -> PolygonContent {
        let edges = edges.into_iter().map(|(vertex, beyond)| EdgeContent { vertex, beyond }).collect();
        PolygonContent { edges, area: 1, flags: 1, detail_vertices: Vec::new(), detail_triangles: Vec::new() }
    }

    /// A tile of eight cells by eight.
    fn data(vertices: Vec<[i32; 3]>, polygons: Vec<PolygonContent>) -> Surface {
        let content = TileContent {
            coord: TileCoord::default(),
            lattice: Lattice { origin: [0.0; 3], cell_size: 0.25, cell_height: 0.25 },
            base_cell: [0; 3],
            size_cells: [8; 2],
            agent: [0.6, 2.0, 0.9, 45.0],
            vertices,
            polygons,
            off_mesh_links: Vec::new(),
        };
        TileData::new(Tile::from_bytes(&content.write().unwrap().0).unwrap(), [0.0; 3])
            .unwrap()
            .surface
            .clone()
    }

    /// A square of eight cells whose corners have these heights, cells.
    fn square(heights: [i32; 4]) -> Surface {
        let corners = [[0, 0], [0, 8], [8, 8], [8, 0]];
        let vertices = corners.iter().zip(heights).map(|([x, z], y)| [CELL * x, CELL * y, CELL * z]);
        data(vertices.collect(), vec![polygon((0..4).map(|vertex| (vertex, Beyond::Wall)))])
    }

    /// Squares of two cells in a row along x, each linked to the next, up to the side of the tile. The last
    /// may be open to that side.
    fn row(count: u32, last: Beyond) -> Surface {
        let end = 8 * CELL;
        let at = |column: i32, z| [end - (count as i32 - column) * 2 * CELL, 0, z];
        let columns = 0..=count as i32;
        let vertices = columns.flat_map(|column| [at(column, 0), at(column, 2 * CELL)]).collect();
        let square = |number: u32| {
            let [low, high] = [2 * number, 2 * number + 2];
            let before = number.checked_sub(1).map_or(Beyond::Wall, Beyond::Internal);
            let after = if number + 1 < count { Beyond::Internal(number + 1) } else { last };
            polygon([(low + 1, Beyond::Wall), (high + 1, after), (high, Beyond::Wall), (low, before)])
        };
        data(vertices, (0..count).map(square).collect())
    }

    #[test]
    fn a_dead_end_has_one_link_at_most_and_no_border_edge() {
        let dead_ends = |data: Surface| -> Vec<bool> {
            // One index more than there are polygons: the index of an off-mesh link, if there were one.
            (0..=data.polygon_count()).map(|index| data.is_dead_end(index)).collect()
        };
        assert_eq!(dead_ends(row(1, Beyond::Wall)), [true, false]);
        assert_eq!(dead_ends(row(2, Beyond::Wall)), [true, true, false]);
        assert_eq!(dead_ends(row(4, Beyond::Wall)), [true, false, false, true, false]);
        assert_eq!(dead_ends(row(1, Beyond::Portal(side::X_MAX))), [false, false]);
        assert_eq!(dead_ends(row(3, Beyond::Portal(side::X_MAX))), [true, false, false, false]);
    }

    #[test]
    fn a_polygon_of_many_edges_is_no_dead_end() {
        // Corners on a parabola, closed by its chord: no three are on one line.
        let arch = |corners: i32| {
            let vertices = (0..corners).map(|at| [32 * at, 0, 2048 - at * (corners - 1 - at)]).collect();
            data(vertices, vec![polygon((0..corners as u32).rev().map(|vertex| (vertex, Beyond::Wall)))])
        };
        let most = i32::from(MOST_DEAD_END_EDGES);
        assert!(arch(most).is_dead_end(0));
        assert!(!arch(most + 1).is_dead_end(0));
    }

    #[test]
    fn a_point_is_over_near_or_farther_than_the_distance() {
        // Two metres wide, from zero on.
        let square = square([0; 4]);
        let found = |x: f32, z: f32, distance: f64| {
            square.is_over_or_near(0, Vec3::new(x, 0.0, z), Vec3::INFINITY, distance * distance)
        };
        for (x, z, over_or_near) in [
            (1.0, 1.0, Some(true)),
            (2.0, 1.0, Some(true)),
            (0.0, 0.0, Some(true)),
            (2.25, 1.0, Some(false)),
            (2.5, 1.0, Some(false)),
            (2.75, 1.0, None),
            (1.0, -0.5, Some(false)),
            (1.0, -0.75, None),
            (-0.5, 1.0, Some(false)),
            (-4.0, 1.0, None),
            (1.0, 2.5, Some(false)),
            (1.0, 2.75, None),
            // Half a metre beyond the lines of two edges, farther from their corner.
            (2.5, 2.5, Some(false)),
        ] {
            assert_eq!(found(x, z, 0.5), over_or_near, "{x}, {z}");
        }
        assert_eq!(found(2.0, 1.0, 0.0), Some(true));
        assert_eq!(found(2.25, 1.0, 0.0), None);
    }

    #[test]
    fn a_box_is_over_a_polygon_near_or_beyond_an_edge() {
        // A triangle whose long edge runs from (0, 2) to (2, 0).
        let corners = [[0, 0, 0], [0, 0, 8 * CELL], [8 * CELL, 0, 0]].to_vec();
        let triangle = data(corners, vec![polygon((0..3).map(|vertex| (vertex, Beyond::Wall)))]);
        let found = |x: f32, z: f32, half: [f32; 2]| {
            let half = Vec3::new(half[0], 1.0, half[1]);
            triangle.is_over_or_near(0, Vec3::new(x, 0.0, z), half, f64::INFINITY)
        };
        assert_eq!(found(1.0, 1.0, [0.25; 2]), Some(true));
        assert_eq!(found(1.5, 1.5, [0.5; 2]), Some(false));
        assert_eq!(found(1.5, 1.5, [0.75, 0.25]), Some(false));
        assert_eq!(found(1.5, 1.5, [0.25, 0.75]), Some(false));
        assert_eq!(found(1.5, 1.5, [0.5, 0.25]), None);
        assert_eq!(found(-0.5, 1.0, [0.5, 0.25]), Some(false));
        assert_eq!(found(-0.5, 1.0, [0.25, 0.5]), None);
    }
}
