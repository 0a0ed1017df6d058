//! A tile's header and parts, and their places in its bytes.

use crate::bytes::magic_order;
use crate::encoding::{ByteOrder, RefWidth};

/// First number of a tile.
pub const MAGIC: u32 = u32::from_be_bytes(*b"DNAV");
/// The version that is read and written.
pub const VERSION: i32 = 7;
/// The id in navtile of Detour's area 0, which is walkable there. In navtile 0 means not walkable.
pub const AREA_ZERO: u8 = 64;
/// Most corners of a polygon.
pub const MAX_CORNERS: usize = 6;
/// In [`DetourPolygon::neighbours`]: the edge is on the tile's border; the lower bits give the side.
pub const EXTERNAL: u16 = 0x8000;
/// In [`DetourOffMeshConnection::side`]: the end is in the connection's own tile.
pub const SAME_TILE: u8 = 0xff;

/// Bytes of the header.
const HEADER: u64 = 100;
/// Bytes of a position.
const VERTEX: u64 = 12;
/// Bytes of a polygon.
pub(super) const POLYGON: u64 = 32;
/// Bytes of a detail mesh.
pub(super) const DETAIL_MESH: u64 = 12;
/// Bytes of a detail triangle.
pub(super) const DETAIL_TRIANGLE: u64 = 4;
/// Bytes of a BV node.
pub(super) const BV_NODE: u64 = 16;
/// Bytes of an off-mesh connection.
pub(super) const CONNECTION: u64 = 36;

/// The starts of the parts after the header, in the order of the file, bytes from the tile's own start; then
/// the tile's length. `counts` are the elements of each part.
pub(super) fn starts(counts: [u64; 8], width: RefWidth) -> [u64; 9] {
    // A link is a reference, the next link, and four bytes.
    let link = if width == RefWidth::Bits32 { 12 } else { 16 };
    let bytes = [VERTEX, POLYGON, link, DETAIL_MESH, VERTEX, DETAIL_TRIANGLE, BV_NODE, CONNECTION];
    let mut starts = [HEADER; 9];
    for (at, (count, bytes)) in counts.into_iter().zip(bytes).enumerate() {
        // Counts of a file have 31 bits, so products are far from overflow.
        starts[at + 1] = starts[at] + count * bytes;
    }
    starts
}

/// A tile, its header and parts, in the form of the file. World metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DetourTile {
    /// Column in the grid of tiles.
    pub x: i32,
    /// Row in the grid of tiles, along the world's z.
    pub y: i32,
    /// Layer, for several tiles at the same x and z.
    pub layer: i32,
    /// The user's own number.
    pub user_id: u32,
    /// Number of links that the runtime has space for.
    pub max_links: u32,
    /// Agent height.
    pub walkable_height: f32,
    /// Agent radius.
    pub walkable_radius: f32,
    /// Agent climb.
    pub walkable_climb: f32,
    /// Smallest corner of the tile's box.
    pub bounds_min: [f32; 3],
    /// Largest corner of the tile's box.
    pub bounds_max: [f32; 3],
    /// BV nodes' units per metre: one divided by the cell size.
    pub bv_quant_factor: f32,
    /// Number of the first polygon that represents an off-mesh connection.
    pub off_mesh_base: u32,
    /// Vertices of polygons and of off-mesh connections.
    pub vertices: Vec<[f32; 3]>,
    /// Polygons, then those that represent off-mesh connections.
    pub polygons: Vec<DetourPolygon>,
    /// One per polygon, or empty.
    pub detail_meshes: Vec<DetourDetailMesh>,
    /// Vertices of detail meshes beyond the polygons' corners.
    pub detail_vertices: Vec<[f32; 3]>,
    /// Three vertices local to the polygon, corners first; then two bits per edge, 1 for the polygon's
    /// boundary.
    pub detail_triangles: Vec<[u8; 4]>,
    /// The BV tree, depth first.
    pub bv_nodes: Vec<DetourBvNode>,
    /// Off-mesh connections that start in this tile.
    pub off_mesh_connections: Vec<DetourOffMeshConnection>,
}

/// A polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DetourPolygon {
    /// Corners, the first `corner_count` of them.
    pub vertices: [u16; MAX_CORNERS],
    /// Beyond the edge from each corner: 0 a wall, [`EXTERNAL`] and a side (0 +x, 2 +z, 4 -x, 6 -z), else a
    /// polygon's number plus 1.
    pub neighbours: [u16; MAX_CORNERS],
    /// The user's flags.
    pub flags: u16,
    /// 3 to 6; 2 for an off-mesh connection.
    pub corner_count: u8,
    /// Area, 0 to 63.
    pub area: u8,
    /// True if it represents an off-mesh connection.
    pub off_mesh: bool,
}

/// A polygon's part of the detail vertices and triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DetourDetailMesh {
    /// First of its detail vertices.
    pub first_vertex: u32,
    /// First of its detail triangles.
    pub first_triangle: u32,
    /// Number of detail vertices, corners not counted.
    pub vertex_count: u8,
    /// Number of detail triangles.
    pub triangle_count: u8,
}

/// A node of the BV tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DetourBvNode {
    /// Smallest corner, in 1 / `bv_quant_factor` from the tile's smallest corner.
    pub min: [u16; 3],
    /// Largest corner.
    pub max: [u16; 3],
    /// A polygon's number; if negative, the number of nodes to skip if the box is missed.
    pub index: i32,
}

/// An off-mesh connection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DetourOffMeshConnection {
    /// Start.
    pub start: [f32; 3],
    /// End.
    pub end: [f32; 3],
    /// Largest distance from an end to a polygon.
    pub radius: f32,
    /// The polygon that represents it, and holds its flags and area.
    pub polygon: u16,
    /// Bit 0: both directions.
    pub flags: u8,
    /// The side of the tile beyond which the end is, 0 to 7 from +x through +z; [`SAME_TILE`] if the end is
    /// inside.
    pub side: u8,
    /// The user's own number.
    pub user_id: u32,
}

impl DetourTile {
    /// The elements of each part, in the order of the file.
    pub(super) fn counts(&self) -> [u64; 8] {
        [
            self.vertices.len(),
            self.polygons.len(),
            self.max_links as usize,
            self.detail_meshes.len(),
            self.detail_vertices.len(),
            self.detail_triangles.len(),
            self.bv_nodes.len(),
            self.off_mesh_connections.len(),
        ]
        .map(|count| count as u64)
    }

    /// Length of the tile's bytes.
    pub fn length(&self, width: RefWidth) -> u64 {
        starts(self.counts(), width)[8]
    }

    /// Number of polygons that are ground.
    pub fn ground_count(&self) -> usize {
        self.polygons.iter().filter(|polygon| !polygon.off_mesh).count()
    }
}

/// The byte order of a tile; `None` if the bytes are not a tile.
pub fn order(bytes: &[u8]) -> Option<ByteOrder> {
    magic_order(bytes, MAGIC)
}
