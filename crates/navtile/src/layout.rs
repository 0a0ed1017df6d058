//! The bytes of a tile blob. Little-endian. Every section is 16-byte aligned and listed in a table.
//!
//! Positions are fixed-point: 1/256 of a cell (cell size in x and z, cell height in y), relative to the
//! tile's base cell on the global lattice. Structures are plain old data; sizes are asserted below.

use bytemuck::{Pod, Zeroable};
use std::ops::Range;

/// First bytes of a tile blob.
pub const TILE_MAGIC: [u8; 8] = *b"NAVTILE\0";
/// The tile format this crate writes and reads. A draft until it is declared final in docs/format.md.
pub const TILE_VERSION: u32 = 1;
/// Sections start at multiples of this.
pub const SECTION_ALIGN: usize = 16;
/// Fixed-point coordinates are within ± this limit, so that every predicate on them is exact.
pub const COORD_LIMIT: i32 = navmath::predicates::COORD_LIMIT;

/// The head of a blob.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Header {
    /// [`TILE_MAGIC`].
    pub magic: [u8; 8],
    /// [`TILE_VERSION`].
    pub version: u32,
    /// Number of entries in the section table, which follows the header.
    pub section_count: u32,
    /// Length of the whole blob in bytes.
    pub length: u64,
    /// CRC-32 (IEEE) of the whole blob, this field taken as zero.
    pub checksum: u32,
    /// Zero.
    pub reserved: u32,
    /// Tile coordinate along x, in tiles.
    pub x: i32,
    /// Tile coordinate along z, in tiles.
    pub z: i32,
    /// Layer, for several tiles at the same x and z.
    pub layer: i32,
    /// Width of the tile along x, in cells; its portals are at 0 and at this x.
    pub width: u32,
    /// Depth of the tile along z, in cells.
    pub depth: u32,
    /// Right shift that makes bounding-box coordinates fit the BV nodes' 16 bits: x, y, z, zero.
    pub bv_shift: [u8; 4],
    /// World position of the lattice's zero, metres.
    pub origin: [f64; 3],
    /// Width of a cell, metres.
    pub cell_size: f64,
    /// Height of a cell, metres.
    pub cell_height: f64,
    /// The lattice cell that positions in this tile are relative to.
    pub base_cell: [i64; 3],
    /// Agent radius, height, climb (metres) and slope (degrees) the tile was baked for.
    pub agent: [f32; 4],
    /// Smallest corner of all polygon and detail vertices, fixed-point; zeros without vertices.
    pub bounds_min: [i32; 3],
    /// Largest corner of all polygon and detail vertices, fixed-point; zeros without vertices.
    pub bounds_max: [i32; 3],
    /// Number of polygon vertices. The vertices section holds them first, then the detail vertices.
    pub polygon_vertex_count: u32,
    /// Zero.
    pub reserved_tail: [u32; 23],
}

/// One row of the section table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct SectionEntry {
    /// One of [`section`]. A reader skips unknown kinds that have [`section::OPTIONAL`] set.
    pub kind: u32,
    /// Bytes of one element.
    pub stride: u32,
    /// Start of the section, in bytes from the start of the blob.
    pub offset: u32,
    /// Length in bytes; a multiple of the stride.
    pub length: u32,
}

/// Section kinds.
pub mod section {
    /// `[i32; 3]`: polygon vertices, then detail vertices.
    pub const VERTICES: u32 = 1;
    /// [`super::Polygon`].
    pub const POLYGONS: u32 = 2;
    /// [`super::Edge`].
    pub const EDGES: u32 = 3;
    /// [`super::Portal`].
    pub const PORTALS: u32 = 4;
    /// [`super::DetailTriangle`].
    pub const DETAIL_TRIANGLES: u32 = 5;
    /// [`super::BvNode`].
    pub const BV_NODES: u32 = 6;
    /// [`super::OffMeshLink`].
    pub const OFF_MESH_LINKS: u32 = 7;
    /// Number of section kinds; every blob has all of them.
    pub const COUNT: usize = 7;
    /// Flag of section kinds that a reader may skip.
    pub const OPTIONAL: u32 = 1 << 31;
}

/// A convex polygon. Polygons are stored in the order of the BV tree's leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Polygon {
    /// Index of its first edge; its edges are consecutive, interior to the left.
    pub first_edge: u32,
    /// Index of its first detail vertex in the vertices section.
    pub first_detail_vertex: u32,
    /// Index of its first detail triangle.
    pub first_detail_triangle: u32,
    /// Abilities that the polygon offers or demands (walk, swim, door, ...); the meaning is the user's.
    pub flags: u32,
    /// Number of edges, and of corners: 3..=255.
    pub edge_count: u8,
    /// Area id, which selects a cost; never 0.
    pub area: u8,
    /// Zero for ground; other kinds are reserved.
    pub kind: u8,
    /// Zero.
    pub reserved: u8,
    /// Number of detail vertices beyond the corners.
    pub detail_vertex_count: u16,
    /// Number of detail triangles; at least one.
    pub detail_triangle_count: u16,
}

impl Polygon {
    /// Range of its edges in the edges section.
    #[inline]
    pub fn edges(&self) -> Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.edge_count)
    }

    /// Range of its detail vertices in the vertices section.
    #[inline]
    pub fn detail_vertices(&self) -> Range<usize> {
        let first = self.first_detail_vertex as usize;
        first..first + usize::from(self.detail_vertex_count)
    }

    /// Range of its triangles in the detail triangles section.
    #[inline]
    pub fn detail_triangles(&self) -> Range<usize> {
        let first = self.first_detail_triangle as usize;
        first..first + usize::from(self.detail_triangle_count)
    }
}

/// An edge of a polygon, from its vertex to the vertex of the polygon's next edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Edge {
    /// Index of the vertex the edge starts at; a polygon vertex.
    pub vertex: u32,
    /// Internal: the polygon on the other side. Portal: index in the portals section. Wall: 0.
    pub neighbour: u32,
    /// One of [`edge_kind`].
    pub kind: u8,
    /// Internal: index of the twin edge within the neighbour. Otherwise 0.
    pub twin: u8,
    /// Zero.
    pub reserved: u16,
}

/// The other side of an edge.
pub mod edge_kind {
    /// No walkable surface.
    pub const WALL: u8 = 0;
    /// Another polygon of this tile.
    pub const INTERNAL: u8 = 1;
    /// The tile's border, where a neighbouring tile may have a polygon.
    pub const PORTAL: u8 = 2;
}

/// Sides of a tile, as in [`Portal::side`]; the opposite side is `side ^ 2`.
pub mod side {
    /// Towards smaller x.
    pub const X_MIN: u8 = 0;
    /// Towards larger z.
    pub const Z_MAX: u8 = 1;
    /// Towards larger x.
    pub const X_MAX: u8 = 2;
    /// Towards smaller z.
    pub const Z_MIN: u8 = 3;
}

/// An edge on the tile's border. Sorted by side, start, start height, polygon, edge: this makes linking two
/// tiles a merge-join.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Portal {
    /// The polygon it belongs to.
    pub polygon: u32,
    /// Index of the edge within the polygon.
    pub edge: u8,
    /// One of [`side`].
    pub side: u8,
    /// Zero.
    pub reserved: u16,
    /// Smaller end along the border (z on an x side, x on a z side), fixed-point, relative to the base cell.
    pub start: i32,
    /// Larger end along the border.
    pub end: i32,
    /// Height at `start`, fixed-point.
    pub start_height: i32,
    /// Height at `end`, fixed-point.
    pub end_height: i32,
}

/// A triangle of a polygon's detail mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct DetailTriangle {
    /// Corners: indices below the polygon's edge count are its own corners, higher ones are its detail
    /// vertices.
    pub vertices: [u16; 3],
    /// Bit i: the edge from corner i to corner i + 1 is on the polygon's boundary.
    pub boundary: u16,
}

/// A node of the four-wide BV tree: one cache line. Node 0 is the root. Nodes and polygons are in depth-first
/// order, so children come after their parent. Used slots come before empty slots. At most
/// `limits::BV_DEPTH_LIMIT` levels. An empty slot has min 65535 and max 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct BvNode {
    /// `min[axis][slot]`: smallest corner of each child, (fixed-point - `bounds_min`) >> `bv_shift`.
    pub min: [[u16; 4]; 3],
    /// `max[axis][slot]`: largest corner of each child, inclusive.
    pub max: [[u16; 4]; 3],
    /// [`BV_EMPTY`], [`BV_LEAF`] | polygon, or a node's index.
    pub children: [u32; 4],
}

/// In [`BvNode::children`]: the child is a polygon.
pub const BV_LEAF: u32 = 1 << 31;
/// In [`BvNode::children`]: the slot is empty.
pub const BV_EMPTY: u32 = u32::MAX;

/// A link between two points or two edges, over any distance: a jump, a ladder, a teleporter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct OffMeshLink {
    /// Start, fixed-point, within this tile.
    pub start: [i32; 3],
    /// End, fixed-point, relative to this tile's base cell.
    pub end: [i32; 3],
    /// The tile of the end: x, z, layer.
    pub end_tile: [i32; 3],
    /// Largest distance from an end to a polygon, fixed-point units of cell size.
    pub radius: i32,
    /// User flags, like [`Polygon::flags`].
    pub flags: u32,
    /// Area id; never 0.
    pub area: u8,
    /// 0: from start to end only; 1: in both directions.
    pub direction: u8,
    /// Zero.
    pub reserved: u16,
    /// The user's own number.
    pub user_id: u64,
    /// A horizontal vector, x and z, fixed-point: the link leads from any `start + t * along` to `end + t *
    /// along`, t from 0 to 1. Zero for a link between two points.
    pub along: [i32; 2],
}

const _: () = {
    assert!(size_of::<Header>() == 256);
    assert!(size_of::<SectionEntry>() == 16);
    assert!(size_of::<Polygon>() == 24);
    assert!(size_of::<Edge>() == 12);
    assert!(size_of::<Portal>() == 24);
    assert!(size_of::<DetailTriangle>() == 8);
    assert!(size_of::<BvNode>() == 64);
    assert!(size_of::<OffMeshLink>() == 64);
};
