//! A tile of Detour: what `dtCreateNavMeshData` makes and `dtNavMesh::addTile` takes, version 7.
//!
//! | part | bytes each | count |
//! |---|---|---|
//! | header | 100 | 1 |
//! | vertices | 12 | `vertCount` |
//! | polygons | 32 | `polyCount`, those of off-mesh connections included |
//! | links | 12, or 16 with 64-bit references | `maxLinkCount`; space that the runtime fills |
//! | detail meshes | 12 | `detailMeshCount` |
//! | detail vertices | 12 | `detailVertCount` |
//! | detail triangles | 4 | `detailTriCount` |
//! | BV nodes | 16 | `bvNodeCount` |
//! | off-mesh connections | 36 | `offMeshConCount` |
//!
//! The width of references stands nowhere: it follows from the length. Links are not read, as the runtime makes
//! them anew, and are written as zeros.

mod check;
mod read;
mod write;

use super::bytes::magic_order;
use super::{ByteOrder, RefWidth};

pub use read::read;
pub(super) use read::read_at;
pub use write::write;

/// First number of a tile.
pub const MAGIC: u32 = u32::from_be_bytes(*b"DNAV");
/// The version that is read and written.
pub const VERSION: i32 = 7;
/// Most corners of a polygon.
pub const MAX_CORNERS: usize = 6;
/// In [`DetourPolygon::neighbours`]: beyond the edge lies the tile's border; the lower bits say which side.
pub const EXTERNAL: u16 = 0x8000;
/// In [`DetourOffMeshConnection::side`]: the end lies in the connection's own tile.
pub const SAME_TILE: u8 = 0xff;

/// Bytes of the header, a vertex, a polygon, a detail mesh, a detail triangle, a BV node, a connection.
const HEADER: usize = 100;
const VERTEX: usize = 12;
const POLYGON: usize = 32;
const DETAIL_MESH: usize = 12;
const DETAIL_TRIANGLE: usize = 4;
const BV_NODE: usize = 16;
const CONNECTION: usize = 36;

/// A tile, its header and parts, as they stand in the file. World metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DetourTile {
    /// Column in the grid of tiles.
    pub x: i32,
    /// Row in the grid of tiles, along the world's z.
    pub y: i32,
    /// Layer, for several tiles at one place.
    pub layer: i32,
    /// The user's own number.
    pub user_id: u32,
    /// How many links the runtime has space for.
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
    /// BV nodes' units a metre: one divided by the cell size.
    pub bv_quant_factor: f32,
    /// Number of the first polygon that stands for an off-mesh connection.
    pub off_mesh_base: u32,
    /// Vertices of polygons and of off-mesh connections.
    pub vertices: Vec<[f32; 3]>,
    /// Polygons, then those that stand for off-mesh connections.
    pub polygons: Vec<DetourPolygon>,
    /// One a polygon, or none at all.
    pub detail_meshes: Vec<DetourDetailMesh>,
    /// Vertices of detail meshes beyond the polygons' corners.
    pub detail_vertices: Vec<[f32; 3]>,
    /// Three vertices local to the polygon, corners first; then two bits an edge, 1 for the polygon's boundary.
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
    /// Beyond the edge from each corner: 0 a wall, [`EXTERNAL`] and a side (0 +x, 2 +z, 4 -x, 6 -z), else a polygon's
    /// number plus 1.
    pub neighbours: [u16; MAX_CORNERS],
    /// The user's flags.
    pub flags: u16,
    /// 3 to 6; 2 for an off-mesh connection.
    pub corner_count: u8,
    /// Area, 0 to 63.
    pub area: u8,
    /// Whether it stands for an off-mesh connection.
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
    /// A polygon's number; if negative, how many nodes to skip if the box is missed.
    pub index: i32,
}

/// An off-mesh connection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DetourOffMeshConnection {
    /// Start.
    pub start: [f32; 3],
    /// End.
    pub end: [f32; 3],
    /// How far from an end a polygon may be.
    pub radius: f32,
    /// The polygon that stands for it, which holds its flags and area.
    pub polygon: u16,
    /// Bit 0: both ways.
    pub flags: u8,
    /// The side of the tile the end lies beyond, 0 to 7 from +x by way of +z; [`SAME_TILE`] if none.
    pub side: u8,
    /// The user's own number.
    pub user_id: u32,
}

impl DetourTile {
    /// Length of the tile's bytes.
    pub fn length(&self, width: RefWidth) -> u64 {
        let counted = |count: usize, bytes: usize| count as u64 * bytes as u64;
        HEADER as u64
            + counted(self.vertices.len(), VERTEX)
            + counted(self.polygons.len(), POLYGON)
            + u64::from(self.max_links) * link_bytes(width)
            + counted(self.detail_meshes.len(), DETAIL_MESH)
            + counted(self.detail_vertices.len(), VERTEX)
            + counted(self.detail_triangles.len(), DETAIL_TRIANGLE)
            + counted(self.bv_nodes.len(), BV_NODE)
            + counted(self.off_mesh_connections.len(), CONNECTION)
    }

    /// Number of polygons that are ground.
    pub fn ground_count(&self) -> usize {
        self.polygons.iter().filter(|polygon| !polygon.off_mesh).count()
    }
}

/// Bytes of a link: a reference, the next link, and four bytes.
fn link_bytes(width: RefWidth) -> u64 {
    match width {
        RefWidth::Bits32 => 12,
        RefWidth::Bits64 => 16,
    }
}

/// The byte order of a tile; `None` if these bytes are none.
pub fn order(bytes: &[u8]) -> Option<ByteOrder> {
    magic_order(bytes, MAGIC)
}

#[cfg(test)]
mod tests;
