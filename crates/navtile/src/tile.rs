//! A verified tile: a blob whose every index, count and offset has been checked.

use crate::bytes::Part;
use crate::layout::{self, BvNode, DetailTriangle, Edge, Header, OffMeshLink, Polygon, Portal};
use bytemuck::Pod;
use navmath::Lattice;

/// Where a tile stands: column, row and layer of the grid of tiles. Ordered as tiles are in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TileCoord {
    /// Along x.
    pub x: i32,
    /// Along z.
    pub z: i32,
    /// For several tiles at one place.
    pub layer: i32,
}

/// Where a section is in its blob, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) length: u32,
}

/// Where the sections are, found once when the tile is verified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sections {
    pub(crate) vertices: Span,
    pub(crate) polygons: Span,
    pub(crate) edges: Span,
    pub(crate) portals: Span,
    pub(crate) detail_triangles: Span,
    pub(crate) bv_nodes: Span,
    pub(crate) off_mesh_links: Span,
}

/// A verified tile blob in aligned memory that nothing can change: a copy of its own, or a part of the bytes
/// of a file, all of which it then keeps ([`NavFile::open_shared`](crate::NavFile::open_shared)). Cloning
/// shares it. Nothing downstream checks again.
#[derive(Clone)]
pub struct Tile {
    pub(crate) part: Part,
    pub(crate) sections: Sections,
}

impl Tile {
    /// The blob's bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.part.bytes()
    }

    #[inline]
    fn section<T: Pod>(&self, span: Span) -> &[T] {
        let start = span.start as usize;
        bytemuck::cast_slice(self.part.within(start..start + span.length as usize))
    }

    /// The head.
    #[inline]
    pub fn header(&self) -> &Header {
        bytemuck::from_bytes(&self.bytes()[..size_of::<Header>()])
    }

    /// Where the tile stands in the grid of tiles.
    #[inline]
    pub fn coord(&self) -> TileCoord {
        let header = self.header();
        TileCoord { x: header.x, z: header.z, layer: header.layer }
    }

    /// The global lattice.
    #[inline]
    pub fn lattice(&self) -> Lattice {
        let header = self.header();
        Lattice { origin: header.origin, cell_size: header.cell_size, cell_height: header.cell_height }
    }

    /// Polygon vertices, then detail vertices; fixed-point, relative to the base cell.
    #[inline]
    pub fn vertices(&self) -> &[[i32; 3]] {
        self.section(self.sections.vertices)
    }

    /// Polygons, in the order of the BV tree's leaves.
    #[inline]
    pub fn polygons(&self) -> &[Polygon] {
        self.section(self.sections.polygons)
    }

    /// Edges of all polygons.
    #[inline]
    pub fn edges(&self) -> &[Edge] {
        self.section(self.sections.edges)
    }

    /// Portals, sorted by side, start, height and polygon.
    #[inline]
    pub fn portals(&self) -> &[Portal] {
        self.section(self.sections.portals)
    }

    /// Detail triangles of all polygons.
    #[inline]
    pub fn detail_triangles(&self) -> &[DetailTriangle] {
        self.section(self.sections.detail_triangles)
    }

    /// The BV tree; empty if there are no polygons.
    #[inline]
    pub fn bv_nodes(&self) -> &[BvNode] {
        self.section(self.sections.bv_nodes)
    }

    /// Off-mesh links that start in this tile.
    #[inline]
    pub fn off_mesh_links(&self) -> &[OffMeshLink] {
        self.section(self.sections.off_mesh_links)
    }

    /// The edges of one polygon.
    #[inline]
    pub fn polygon_edges(&self, polygon: &Polygon) -> &[Edge] {
        let first = polygon.first_edge as usize;
        &self.edges()[first..first + usize::from(polygon.edge_count)]
    }

    /// The detail triangles of one polygon.
    #[inline]
    pub fn polygon_detail_triangles(&self, polygon: &Polygon) -> &[DetailTriangle] {
        let first = polygon.first_detail_triangle as usize;
        &self.detail_triangles()[first..first + usize::from(polygon.detail_triangle_count)]
    }

    /// Index into [`Tile::vertices`] of a polygon-local vertex: a corner, or a detail vertex.
    #[inline]
    pub fn detail_vertex_index(&self, polygon: &Polygon, local: u16) -> usize {
        let corners = u16::from(polygon.edge_count);
        if local < corners {
            self.edges()[polygon.first_edge as usize + usize::from(local)].vertex as usize
        } else {
            polygon.first_detail_vertex as usize + usize::from(local - corners)
        }
    }

    /// World position, metres, of a fixed-point position in this tile.
    #[inline]
    pub fn to_world(&self, fixed: [i32; 3]) -> [f64; 3] {
        self.lattice().fixed_to_world(fixed, self.header().base_cell)
    }

    /// The side of the tile opposite to `side`.
    pub fn opposite(side: u8) -> u8 {
        debug_assert!(side <= layout::side::Z_MIN);
        side ^ 2
    }
}

/// The parts of a tile as slices, found once: what is verified, piece by piece, many times over.
pub(crate) struct View<'a> {
    header: &'a Header,
    vertices: &'a [[i32; 3]],
    polygons: &'a [Polygon],
    edges: &'a [Edge],
    portals: &'a [Portal],
    detail_triangles: &'a [DetailTriangle],
    bv_nodes: &'a [BvNode],
    off_mesh_links: &'a [OffMeshLink],
}

impl Tile {
    /// Its parts.
    pub(crate) fn view(&self) -> View<'_> {
        View {
            header: self.header(),
            vertices: self.vertices(),
            polygons: self.polygons(),
            edges: self.edges(),
            portals: self.portals(),
            detail_triangles: self.detail_triangles(),
            bv_nodes: self.bv_nodes(),
            off_mesh_links: self.off_mesh_links(),
        }
    }
}

impl<'a> View<'a> {
    #[inline]
    pub(crate) fn header(&self) -> &'a Header {
        self.header
    }

    #[inline]
    pub(crate) fn vertices(&self) -> &'a [[i32; 3]] {
        self.vertices
    }

    #[inline]
    pub(crate) fn polygons(&self) -> &'a [Polygon] {
        self.polygons
    }

    #[inline]
    pub(crate) fn edges(&self) -> &'a [Edge] {
        self.edges
    }

    #[inline]
    pub(crate) fn portals(&self) -> &'a [Portal] {
        self.portals
    }

    #[inline]
    pub(crate) fn detail_triangles(&self) -> &'a [DetailTriangle] {
        self.detail_triangles
    }

    #[inline]
    pub(crate) fn bv_nodes(&self) -> &'a [BvNode] {
        self.bv_nodes
    }

    #[inline]
    pub(crate) fn off_mesh_links(&self) -> &'a [OffMeshLink] {
        self.off_mesh_links
    }

    #[inline]
    pub(crate) fn polygon_edges(&self, polygon: &Polygon) -> &'a [Edge] {
        let first = polygon.first_edge as usize;
        &self.edges[first..first + usize::from(polygon.edge_count)]
    }

    #[inline]
    pub(crate) fn polygon_detail_triangles(&self, polygon: &Polygon) -> &'a [DetailTriangle] {
        let first = polygon.first_detail_triangle as usize;
        &self.detail_triangles[first..first + usize::from(polygon.detail_triangle_count)]
    }
}

impl PartialEq for Tile {
    fn eq(&self, other: &Tile) -> bool {
        self.bytes() == other.bytes()
    }
}

impl std::fmt::Debug for Tile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tile")
            .field("coord", &self.coord())
            .field("bytes", &self.part.len())
            .field("polygons", &self.polygons().len())
            .finish()
    }
}
