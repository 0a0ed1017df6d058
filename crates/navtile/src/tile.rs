//! A verified tile: a blob whose every index, count and offset has been checked.

use crate::bytes::SharedBytes;
use crate::layout::{BvNode, DetailTriangle, Edge, Header, OffMeshLink, Polygon, Portal, section, side};
use bytemuck::Pod;
use navmath::predicates::polygon_area2;
use navmath::{FIXED_ONE, Lattice};
use std::ops::RangeInclusive;

/// A tile's position: column, row and layer in the grid of tiles. Ordered as tiles are in a file.
#[cfg_attr(feature = "file", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TileCoord {
    /// Along x.
    pub x: i32,
    /// Along z.
    pub z: i32,
    /// Layer, for several tiles at the same x and z.
    pub layer: i32,
}

impl TileCoord {
    /// The coordinates next to a side, of all layers; `None` at the end of the number range.
    #[inline]
    pub fn across(self, tile_side: u8) -> Option<RangeInclusive<TileCoord>> {
        let TileCoord { x, z, .. } = self;
        let (x, z) = match tile_side {
            side::X_MIN => (x.checked_sub(1)?, z),
            side::Z_MAX => (x, z.checked_add(1)?),
            side::X_MAX => (x.checked_add(1)?, z),
            _ => (x, z.checked_sub(1)?),
        };
        let at = |layer| TileCoord { x, z, layer };
        Some(at(i32::MIN)..=at(i32::MAX))
    }
}

/// Position of a section in its blob, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) length: u32,
}

/// Positions of the sections, by kind from 1 on; determined once when the tile is verified.
pub(crate) type Sections = [Span; section::COUNT];

/// A verified tile blob in aligned memory that nothing can change. The memory is a copy of its own, or a part
/// of the bytes of a file, which then all stay in memory
/// ([`NavFile::open_shared`](crate::NavFile::open_shared)). Cloning shares it. Later code does not check it
/// again.
#[derive(Clone)]
pub struct Tile {
    pub(crate) bytes: SharedBytes,
    pub(crate) sections: Sections,
}

impl Tile {
    /// The blob's bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[inline]
    fn section<T: Pod>(&self, kind: u32) -> &[T] {
        let span = self.sections[kind as usize - 1];
        let start = span.start as usize;
        bytemuck::cast_slice(&self.bytes[start..start + span.length as usize])
    }

    /// The head.
    #[inline]
    pub fn header(&self) -> &Header {
        bytemuck::from_bytes(&self.bytes()[..size_of::<Header>()])
    }

    /// Coordinate of the tile in the grid of tiles.
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
        self.section(section::VERTICES)
    }

    /// Polygons, in the order of the BV tree's leaves.
    #[inline]
    pub fn polygons(&self) -> &[Polygon] {
        self.section(section::POLYGONS)
    }

    /// Area of the polygons that `include` accepts, seen from above, m². O(edges).
    pub fn area(&self, include: impl Fn(&Polygon) -> bool) -> f64 {
        let doubled = |polygon: &Polygon| {
            let corners = self.polygon_edges(polygon).iter().map(|edge| {
                let [x, _, z] = self.vertices()[edge.vertex as usize];
                [x, z]
            });
            polygon_area2(corners).unsigned_abs()
        };
        // Exact until the conversion to metres.
        let sum: u128 = self.polygons().iter().filter(|polygon| include(polygon)).map(doubled).sum();
        let unit = self.lattice().cell_size / f64::from(FIXED_ONE);
        sum as f64 / 2.0 * unit * unit
    }

    /// Edges of all polygons.
    #[inline]
    pub fn edges(&self) -> &[Edge] {
        self.section(section::EDGES)
    }

    /// Portals, sorted by side, start, height and polygon.
    #[inline]
    pub fn portals(&self) -> &[Portal] {
        self.section(section::PORTALS)
    }

    /// Detail triangles of all polygons.
    #[inline]
    pub fn detail_triangles(&self) -> &[DetailTriangle] {
        self.section(section::DETAIL_TRIANGLES)
    }

    /// The BV tree; empty if there are no polygons.
    #[inline]
    pub fn bv_nodes(&self) -> &[BvNode] {
        self.section(section::BV_NODES)
    }

    /// Off-mesh links that start in this tile.
    #[inline]
    pub fn off_mesh_links(&self) -> &[OffMeshLink] {
        self.section(section::OFF_MESH_LINKS)
    }

    /// The edges of one polygon.
    #[inline]
    pub fn polygon_edges(&self, polygon: &Polygon) -> &[Edge] {
        &self.edges()[polygon.edges()]
    }

    /// The detail triangles of one polygon.
    #[inline]
    pub fn polygon_detail_triangles(&self, polygon: &Polygon) -> &[DetailTriangle] {
        &self.detail_triangles()[polygon.detail_triangles()]
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

    /// The side of the tile opposite to this one.
    pub fn opposite(tile_side: u8) -> u8 {
        debug_assert!(tile_side <= side::Z_MIN);
        tile_side ^ 2
    }
}

/// The sections of a tile as slices, located once; verification reads from it.
pub(crate) struct View<'a> {
    pub(crate) header: &'a Header,
    pub(crate) vertices: &'a [[i32; 3]],
    pub(crate) polygons: &'a [Polygon],
    pub(crate) edges: &'a [Edge],
    pub(crate) portals: &'a [Portal],
    pub(crate) detail_triangles: &'a [DetailTriangle],
    pub(crate) bv_nodes: &'a [BvNode],
    pub(crate) off_mesh_links: &'a [OffMeshLink],
}

impl Tile {
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

impl PartialEq for Tile {
    fn eq(&self, other: &Tile) -> bool {
        self.bytes() == other.bytes()
    }
}

impl std::fmt::Debug for Tile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tile")
            .field("coord", &self.coord())
            .field("bytes", &self.bytes.len())
            .field("polygons", &self.polygons().len())
            .finish()
    }
}
