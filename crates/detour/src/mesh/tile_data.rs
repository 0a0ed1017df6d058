//! A verified tile with everything that the runtime derives from it once: polygons, corners and detail
//! vertices, unpacked, in metres from the anchor. All snapshots share it.

use super::fixed::{FixedBox, ToMetres};
use crate::error::MeshError;
use crate::geometry::flat;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::limit::check;
use navmath::{FIXED_ONE, Lattice, Sets};
use navtile::layout::{self, Edge, edge_kind};
use navtile::off_mesh;
use navtile::off_mesh_edge::{self, EdgePair, EdgeSnap, snap_edge};
use navtile::seam::SeamPlace;
use navtile::{Tile, TileCoord};
use std::hint::select_unpredictable;
use std::ops::Range;
use std::sync::Arc;

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

/// A corner of a polygon with the kind of the edge that starts there, in 16 bytes; or a vertex of a detail
/// mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    /// Metres from the anchor.
    pub(crate) at: Vec3,
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
#[derive(Clone, Copy, Debug)]
struct Face {
    /// The first of its corners in the tile's vertices.
    first_corner: u32,
    /// The first vertex of its detail mesh there.
    first_detail: u32,
    /// The first of its detail triangles in the tile.
    first_triangle: u32,
    flags: u32,
    triangle_count: u16,
    edge_count: u8,
    area: u8,
    /// True if it has at most one link, to a polygon of the tile.
    is_dead_end: bool,
    /// True if all its corners and detail vertices have one height.
    is_level: bool,
}

/// Polygons with more edges are never treated as dead ends. They come from maps of polygons, not from bakes.
const MOST_DEAD_END_EDGES: u8 = 32;

/// The two edges of an off-mesh link as far as they can be crossed; points if they have no length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JoinedEdges {
    /// Indices of the polygons, each in its tile.
    pub(crate) polygons: [u32; 2],
    /// The middle of each edge, metres from the anchor.
    pub(crate) middles: [Vec3; 2],
    /// The vector from each middle to the end of its edge, metres.
    pub(crate) half: Vec3,
}

/// The quantised coordinates of a tile's BV tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BvBounds {
    /// The global position that fixed-point positions in the tile are relative to.
    pub(crate) base: [i64; 3],
    /// The smallest corner of the tile, relative to that.
    min: [i64; 3],
    shift: [u32; 3],
}

impl BvBounds {
    /// Quantises a coordinate relative to the base.
    #[inline]
    pub(crate) fn quantise(&self, axis: usize, value: i64) -> u16 {
        let above = value.saturating_sub(self.min[axis]).max(0);
        (above >> self.shift[axis]).min(i64::from(u16::MAX)) as u16
    }
}

/// A verified tile, and the unpacked data that searches read. The fields that every query reads come first.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct TileData {
    faces: Box<[Face]>,
    /// The corners of each polygon, followed by its first corner again; after all polygons the vertices of
    /// the detail meshes.
    vertices: Box<[Vertex]>,
    /// Number of polygons and off-mesh links.
    node_count: u32,
    pub(crate) bounds_of_bv: BvBounds,
    pub(crate) tile: Tile,
    /// From the tile's header, for linking.
    pub(crate) coord: TileCoord,
    pub(crate) lattice: Lattice,
    pub(crate) place: SeamPlace,
    /// Around all vertices.
    pub(crate) bounds: FixedBox,
    /// Index of the first border edge of each side, and the end.
    sides: [u32; 5],
    /// The start edge or start point of each off-mesh link, if there is ground.
    pub(crate) link_starts: Box<[Option<EdgeSnap>]>,
    /// The connected component of each polygon within the tile. Components are numbered by their first
    /// polygons.
    pub(crate) components: Arc<[u32]>,
    pub(crate) component_count: u32,
}

impl TileData {
    /// Derives the data that the runtime needs, or returns the reason why this tile cannot be loaded at this
    /// anchor.
    pub(crate) fn new(tile: Tile, anchor: [f64; 3]) -> Result<Arc<TileData>, MeshError> {
        let (header, lattice, coord) = (tile.header(), tile.lattice(), tile.coord());
        let nodes = tile.polygons().len() as u64 + tile.off_mesh_links().len() as u64;
        let limit = u64::from(PolyRef::MAX_POLYGON) + 1;
        check("polygons and off-mesh links per tile", nodes, limit, "bake smaller tiles")?;
        let base_cell = header.base_cell;
        let to_metres = ToMetres::new(&lattice, anchor, base_cell);
        check_reach(&tile, &to_metres)?;
        let global = |axis: usize, fixed: i32| base_cell[axis] * i64::from(FIXED_ONE) + i64::from(fixed);
        let bounds = FixedBox {
            min: std::array::from_fn(|axis| global(axis, header.bounds_min[axis])),
            max: std::array::from_fn(|axis| global(axis, header.bounds_max[axis])),
        };
        let (mut faces, mut vertices) = unpack(&tile, &to_metres);
        let (components, component_count) = connect(&tile);
        let sides = mark_borders(tile.portals(), &mut faces, &mut vertices);
        let links = tile.off_mesh_links().iter();
        let link_starts =
            links.map(|link| snap_edge(&tile, link, off_mesh::global(&tile, link.start))).collect();
        Ok(Arc::new(TileData {
            coord,
            lattice,
            place: SeamPlace::of(header),
            faces: faces.into(),
            vertices: vertices.into(),
            node_count: nodes as u32,
            bounds_of_bv: BvBounds {
                base: base_cell.map(|cell| cell * i64::from(FIXED_ONE)),
                min: header.bounds_min.map(i64::from),
                shift: std::array::from_fn(|axis| u32::from(header.bv_shift[axis]).min(63)),
            },
            bounds,
            sides,
            link_starts,
            components,
            component_count,
            tile,
        }))
    }

    /// The part of an off-mesh link of this tile that can be crossed, metres from the anchor, and the
    /// polygons that it starts and ends on. `None` unless there is ground at its start, and in `beyond` at
    /// its end.
    pub(crate) fn join_link(&self, anchor: [f64; 3], number: u32, beyond: &TileData) -> Option<JoinedEdges> {
        let link = &self.tile.off_mesh_links()[number as usize];
        let start = self.link_starts[number as usize]?;
        let end = snap_edge(&beyond.tile, link, off_mesh::global(&self.tile, link.end))?;
        let EdgePair { middles, half } =
            off_mesh_edge::pair(link, [(&self.tile, &start), (&beyond.tile, &end)]);
        let to_metres = |data: &TileData| ToMetres::new(&data.lattice, anchor, data.place.base_cell);
        let middles = [to_metres(self).position(middles[0]), to_metres(beyond).position(middles[1])];
        let half = to_metres(self).vector(half);
        Some(JoinedEdges { polygons: [start.polygon, end.polygon], middles, half })
    }

    /// Number of polygons. The numbers of off-mesh links start here.
    #[inline]
    pub(crate) fn polygon_count(&self) -> u32 {
        self.faces.len() as u32
    }

    /// Number of polygons and off-mesh links.
    #[inline]
    pub(crate) fn node_count(&self) -> u32 {
        self.node_count
    }

    /// The tile's own flags and area of a polygon, or of an off-mesh link, which are numbered after the
    /// polygons.
    #[inline]
    pub(crate) fn flags_and_area(&self, index: u32) -> (u32, u8) {
        if let Some(face) = self.faces.get(index as usize) {
            return (face.flags, face.area);
        }
        let link = &self.tile.off_mesh_links()[(index - self.polygon_count()) as usize];
        (link.flags, link.area)
    }

    /// The tile's own flags and areas of all polygons, then of all off-mesh links.
    pub(crate) fn flags_and_areas(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        let links = self.tile.off_mesh_links();
        let polygons = self.faces.iter().map(|face| (face.flags, face.area));
        polygons.chain(links.iter().map(|link| (link.flags, link.area)))
    }

    /// The height that an agent of this tile can step over, metres.
    pub(crate) fn climb(&self) -> f32 {
        self.tile.header().agent[2]
    }

    /// The corners of a polygon, followed by the first corner again. The caller has checked `polygon`.
    #[inline]
    fn corners(&self, polygon: u32) -> &[Vertex] {
        let face = &self.faces[polygon as usize];
        &self.vertices[face.first_corner as usize..][..usize::from(face.edge_count) + 1]
    }

    /// The range of the tile's portals that are on a side, 0 to 3.
    #[inline]
    pub(crate) fn side_range(&self, side: u8) -> Range<usize> {
        let side = usize::from(side);
        self.sides[side] as usize..self.sides[side + 1] as usize
    }

    /// The right and the left end of an edge of a polygon, as seen when leaving it.
    #[inline]
    pub(crate) fn edge_ends(&self, polygon: u32, edge: usize) -> [Vec3; 2] {
        let corners = self.corners(polygon);
        [corners[edge].at, corners[edge + 1].at]
    }

    /// Returns true if a node is a polygon with at most one link, to a polygon of the tile.
    #[inline]
    pub(crate) fn is_dead_end(&self, index: u32) -> bool {
        self.faces.get(index as usize).is_some_and(|face| face.is_dead_end)
    }

    /// The edges of a polygon: the corner that each starts at, and its two ends.
    #[inline]
    pub(crate) fn edges(&self, polygon: u32) -> impl ExactSizeIterator<Item = (Vertex, Vec3, Vec3)> + '_ {
        self.corners(polygon).array_windows().map(|[corner, next]| (*corner, corner.at, next.at))
    }

    /// The height of a polygon that is level; `None` if it is not.
    #[inline]
    pub(crate) fn level_height(&self, polygon: u32) -> Option<f32> {
        let face = &self.faces[polygon as usize];
        face.is_level.then(|| self.vertices[face.first_corner as usize].at.y)
    }

    /// The corners of a polygon's detail triangles, and a bit for each of their edges that is on its outline.
    #[inline(always)]
    pub(crate) fn triangles(&self, polygon: u32) -> impl Iterator<Item = ([Vec3; 3], u32)> + '_ {
        let face = &self.faces[polygon as usize];
        let (corners, details) = (face.first_corner as usize, face.first_detail as usize);
        let first = face.first_triangle as usize;
        let triangles = &self.tile.detail_triangles()[first..][..usize::from(face.triangle_count)];
        triangles.iter().map(move |triangle| {
            // Vertices are numbered within the polygon: corners first, then those of the detail mesh.
            let vertex = |local: u16| {
                let (local, count) = (usize::from(local), usize::from(face.edge_count));
                local.wrapping_add(select_unpredictable(local < count, corners, details.wrapping_sub(count)))
            };
            (triangle.vertices.map(|local| self.vertices[vertex(local)].at), triangle.boundary.into())
        })
    }

    /// The box around all vertices; `None` without vertices.
    pub(crate) fn extent(&self, anchor: [f64; 3]) -> Option<[Vec3; 2]> {
        let has_any = !self.tile.vertices().is_empty();
        has_any.then(|| ToMetres::new(&self.lattice, anchor, self.place.base_cell).bounds(&self.tile))
    }

    /// Returns true if `p`, seen from above, is in the polygon or on its outline.
    #[inline]
    pub(crate) fn is_over(&self, polygon: u32, p: Vec3) -> bool {
        // The sign of `geometry::side` for all edges, without an early exit: which edge decides is
        // unpredictable.
        let [first, rest @ ..] = self.corners(polygon) else { return true };
        let p = flat(p);
        let (mut a, mut from_a, mut is_over) = (flat(first.at), p - flat(first.at), true);
        for corner in rest {
            let b = flat(corner.at);
            let from_b = p - b;
            is_over &= (b - a).perp_dot(from_a + from_b) <= 0.0;
            (a, from_a) = (b, from_b);
        }
        is_over
    }

    /// Like [`TileData::is_over`], but `None` if `p` is farther than a distance, given squared, beyond the
    /// line of an edge.
    #[inline]
    pub(crate) fn is_over_or_near(&self, polygon: u32, p: Vec3, distance_squared: f64) -> Option<bool> {
        let [first, rest @ ..] = self.corners(polygon) else { return Some(true) };
        let p = flat(p);
        let (mut a, mut from_a, mut is_over) = (flat(first.at), p - flat(first.at), true);
        for corner in rest {
            let b = flat(corner.at);
            let from_b = p - b;
            let along = b - a;
            let twice_outside = along.perp_dot(from_a + from_b);
            if twice_outside > 0.0 {
                let outside = twice_outside * 0.5;
                if outside * outside > distance_squared * along.length_squared() {
                    return None;
                }
                is_over = false;
            }
            (a, from_a) = (b, from_b);
        }
        Some(is_over)
    }
}

/// Refuses a tile that is so far from the anchor that f32 positions there are coarser than its own
/// resolution.
fn check_reach(tile: &Tile, to_metres: &ToMetres) -> Result<(), MeshError> {
    let corners = if tile.vertices().is_empty() { [Vec3::ZERO; 2] } else { to_metres.bounds(tile) };
    let reach = corners[0].abs().max(corners[1].abs()).max_element();
    // The distance from a power of two to the next f32 is 2^-23 of it.
    let step = f64::from(reach) * f64::from(f32::EPSILON);
    let cell_size = tile.header().cell_size;
    if corners.iter().any(|v| !v.is_finite()) || step > cell_size / 4.0 {
        return Err(MeshError::TooFar { coord: tile.coord(), distance: f64::from(reach), cell_size });
    }
    Ok(())
}

/// Unpacks the polygons and vertices of a tile, as if its border edges were walls.
fn unpack(tile: &Tile, to_metres: &ToMetres) -> (Vec<Face>, Vec<Vertex>) {
    let (polygons, edges, positions) = (tile.polygons(), tile.edges(), tile.vertices());
    let first_detail = tile.header().polygon_vertex_count;
    let details = &positions[first_detail as usize..];
    let corner_count = edges.len() + polygons.len();
    let mut vertices = Vec::with_capacity(corner_count + details.len());
    let mut faces = Vec::with_capacity(polygons.len());
    for polygon in polygons {
        let (first_corner, mut links) = (vertices.len(), 0);
        vertices.extend(edges[polygon.edges()].iter().map(|edge| {
            let is_internal = edge.kind == edge_kind::INTERNAL;
            links += u8::from(is_internal);
            let at = to_metres.vertex(positions[edge.vertex as usize]);
            Vertex { at, edge: select_unpredictable(is_internal, edge.neighbour, Vertex::WALL) }
        }));
        let height = vertices[first_corner].at.y;
        let is_level = vertices[first_corner..].iter().all(|corner| corner.at.y == height)
            && positions[polygon.detail_vertices()]
                .iter()
                .all(|detail| to_metres.vertex(*detail).y == height);
        vertices.push(vertices[first_corner]);
        faces.push(Face {
            first_corner: first_corner as u32,
            first_detail: corner_count as u32 + (polygon.first_detail_vertex - first_detail),
            first_triangle: polygon.first_detail_triangle,
            flags: polygon.flags,
            triangle_count: polygon.detail_triangle_count,
            edge_count: polygon.edge_count,
            area: polygon.area,
            is_dead_end: links <= 1 && polygon.edge_count <= MOST_DEAD_END_EDGES,
            is_level,
        });
    }
    vertices
        .extend(details.iter().map(|detail| Vertex { at: to_metres.vertex(*detail), edge: Vertex::WALL }));
    (faces, vertices)
}

/// Finds the component of each polygon of a tile, and the number of components.
///
/// Kinds of edges are unpredictable, so the mask of edges that lead to polygons is made without branches, 64
/// edges at a time.
fn connect(tile: &Tile) -> (Arc<[u32]>, u32) {
    let (polygons, edges) = (tile.polygons(), tile.edges());
    let mut components: Arc<[u32]> = std::iter::repeat_n(0, polygons.len()).collect();
    // They are not shared yet, so this copies nothing.
    let mut sets = Sets::within(Arc::make_mut(&mut components));
    for (start, chunk) in (0..).step_by(64).zip(edges.chunks(64)) {
        let bit = |edge: &Edge| u64::from(edge.kind == edge_kind::INTERNAL);
        let mut internal = chunk.iter().rev().fold(0, |mask, edge| mask << 1 | bit(edge));
        while internal != 0 {
            let edge = &chunk[internal.trailing_zeros() as usize];
            internal &= internal - 1;
            let twin = polygons[edge.neighbour as usize].first_edge as usize + usize::from(edge.twin);
            sets.join(edges[twin].neighbour, edge.neighbour);
            // A pair within the chunk is joined once.
            let ahead = twin.wrapping_sub(start);
            if ahead < 64 {
                internal &= !(1 << ahead);
            }
        }
    }
    let (_, component_count) = sets.numbers();
    (components, component_count)
}

/// Marks the border edges of a tile, and returns the index of the first border edge of each side, and the
/// end. Portals are sorted by side.
fn mark_borders(portals: &[layout::Portal], faces: &mut [Face], vertices: &mut [Vertex]) -> [u32; 5] {
    let mut counts = [0; 4];
    for (number, portal) in (0u32..).zip(portals) {
        let face = &mut faces[portal.polygon as usize];
        face.is_dead_end = false;
        let side = portal.side & 3;
        counts[usize::from(side)] += 1;
        let edge = Vertex::SEAM | u32::from(side) << Vertex::SIDE_SHIFT | number;
        vertices[face.first_corner as usize + usize::from(portal.edge)].edge = edge;
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
    fn data(vertices: Vec<[i32; 3]>, polygons: Vec<PolygonContent>) -> Arc<TileData> {
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
        TileData::new(Tile::from_bytes(&content.write().unwrap().0).unwrap(), [0.0; 3]).unwrap()
    }

    /// A square of eight cells whose corners have these heights, cells.
    fn square(heights: [i32; 4]) -> Arc<TileData> {
        let corners = [[0, 0], [0, 8], [8, 8], [8, 0]];
        let vertices = corners.iter().zip(heights).map(|([x, z], y)| [CELL * x, CELL * y, CELL * z]);
        data(vertices.collect(), vec![polygon((0..4).map(|vertex| (vertex, Beyond::Wall)))])
    }

    /// Squares of two cells in a row along x, each linked to the next, up to the side of the tile. The last
    /// may be open to that side.
    fn row(count: u32, last: Beyond) -> Arc<TileData> {
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
        let dead_ends = |data: Arc<TileData>| -> Vec<bool> {
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
            square.is_over_or_near(0, Vec3::new(x, 0.0, z), distance * distance)
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
}
